/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_ENDPOINT_H
#define PHOTONIC_RAILS_OPUS_ENDPOINT_H

#include "input-processor.h"
#include "opus-channel.h"

#include "ns3/application.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ns3
{

/** The default UDP port of all applications of the control plane. */
constexpr uint16_t OPUS_PORT = 7471;

/**
 * @ingroup photonic-rails
 * @brief The common part of shim, controller and agent: an application with an OpusChannel, whose
 * messages can be traced.
 *
 * It handles the inputs of an instant, messages, timers, calls of ranks and of the switch, when the
 * instant is over, a picosecond later, and answers then: see InstantQueue.
 *
 * When a message fails in the channel, and with it all later ones to that peer, they are sent again
 * in the same order, until the peer has sent nothing for RetryFor. So a network that is cut and
 * restored within that time costs only time.
 *
 * **Processing.** With a ProcessingTime, a message waits until all earlier ones are processed, then
 * is processed for a time of its own, and takes effect at the end of that: one thread, with a queue
 * in the order of arrival. Messages of one instant have the order of GetTurn(). The channel
 * acknowledges a message when it arrives, as the kernel of a host does, so that a queue causes no
 * retransmission. Timers and acknowledgements take no processing.
 */
class OpusEndpoint : public Application
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    OpusEndpoint();
    ~OpusEndpoint() override;

    /** @return whether it has started, after which most attributes can't be set */
    bool HasStarted() const;

    /**
     * Announces the port, which can't be set any more then.
     * @return the UDP port that it listens to
     */
    uint16_t GetPort();
    /** @return whether the port can't be set any more, because others have it, or it listens */
    bool IsPortKnown() const;

    /** @return the counters of the channel */
    const OpusChannelCounters& GetChannelCounters() const;
    /** @return the messages that it has sent at earlier instants, whatever the order of events */
    uint64_t GetSentBefore() const;

    /**
     * Sets what is called when its counts change.
     * @param sent for each message that it sends
     * @param over when the inputs of an instant have been handled
     */
    void SetCountCallbacks(Callback<void> sent, Callback<void> over);

    /** @return the inputs that it has processed, and their times; 0 without a ProcessingTime */
    const ProcessingLoad& GetLoad() const;
    /** @return whether it has a ProcessingTime */
    bool HasProcessingTime() const;
    /**
     * Fixes the random draws of the processing time.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Crashes the application, when the inputs of this instant have been handled: it sends and
     * receives nothing any more, and its state is lost. Without a restart this lasts for the rest
     * of the run; if it has not started yet, it never does.
     */
    void Crash();

    /** Signature of MessageSent, MessageReceived: the message and the other end. */
    typedef void (*MessageCallback)(const OpusMessage& message, const OpusPeer& peer);
    /** Signature of MessageFailed: the message, the other end, and the reason. */
    typedef void (*FailedCallback)(const OpusMessage& message,
                                   const OpusPeer& peer,
                                   const std::string& why);
    /** Signature of MessageRefused: the reason, and the sender. */
    typedef void (*RefusedCallback)(OpusRefusal why, const OpusPeer& peer);
    /** Signature of InputProcessed: arrival, begin and end of processing, of an input. */
    typedef void (*ProcessedCallback)(Time arrived, Time begun, Time ended);

  protected:
    void DoInitialize() override;
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;

    /**
     * Ends the process of the application, when the inputs of this instant have been handled: it
     * sends and receives nothing, and forgets what it does not keep on its disk. That is what
     * Restarted() finds, the numbers of its datagrams, and its messages that are not acknowledged.
     */
    void EndProcess();
    /**
     * Begins the process anew after EndProcess(), when this instant is over, at the same port. It
     * informs the controllers, which begin another term.
     */
    void BeginProcess();
    /** @return whether its process has ended, and has not begun anew */
    bool IsProcessDown() const;

    /** @return whether it has crashed, and not restarted */
    bool HasCrashed() const;
    /**
     * Restarts after a crash, now, and listens to the next port: a peer that continues the sequence
     * numbers from before the crash could not communicate at the same port.
     */
    void BeginAnew();
    /** Sends a message, if the application is running. */
    void Send(const OpusMessage& message, const OpusPeer& peer);
    /** @return whether it has started, and has not stopped or crashed */
    bool IsRunning() const;
    /** @return the silence of a peer after which messages to it fail for good */
    Time GetRetryFor() const;
    /** @return the time until the first repetition of a datagram: longer than a round trip */
    Time GetRetransmitAfter() const;

    /**
     * Calls an action when the present instant is over, in an order that does not depend on the
     * order of events.
     * @param key of the action; smaller keys come first
     */
    void WhenOver(const std::array<uint64_t, 2>& key, std::function<void()> action);
    /**
     * Called when all inputs of an instant have been handled, and with a ProcessingTime also after
     * each message, or group of inputs, that has been processed. Does nothing by default.
     */
    virtual void InstantOver();

    /**
     * Processes an input that is no message: at once, without a ProcessingTime; else after those
     * that have arrived before, and after the messages of the instant. For an action of WhenOver().
     */
    void Process(std::function<void()> action);
    /** @return the sort key of a message among those of one instant; by default that of its peer */
    virtual InputProcessor::Turn GetTurn(const OpusMessage& message, const OpusPeer& peer) const;
    /** @return whether the inputs of an instant are a group, after all of which InstantOver()
     * follows; by default it follows each
     */
    virtual bool ProcessesGroups() const;

    /** Called with a message that has arrived, and its sender. */
    virtual void Take(const OpusMessage& message, const OpusPeer& peer) = 0;
    /** Called when the other end has a message. Does nothing by default. */
    virtual void Acknowledged(const OpusMessage& message, const OpusPeer& peer);
    /** @return whether a message that has failed is still worth sending */
    virtual bool IsWorthRepeating(const OpusMessage& message) const;
    /**
     * @param peer that did not get a message
     * @return the next receiver of the message
     */
    virtual OpusPeer Redirect(const OpusMessage& message, const OpusPeer& peer);
    /** Called when a message fails for good. Does nothing by default. */
    virtual void Failed(const OpusMessage& message, const OpusPeer& peer);
    /** Called when the application starts to run. */
    virtual void Begin();
    /** Called when the application stops to run: timers must be cancelled. */
    virtual void End();
    /** Called when the process begins anew. By default as Begin(). */
    virtual void Restarted();

  private:
    void HandleReceived(const OpusMessage& message, const OpusPeer& peer);
    void HandleAcknowledged(const OpusMessage& message, const OpusPeer& peer);
    void HandleFailed(const OpusMessage& message, const OpusPeer& peer, const std::string& why);
    void HandleInstantOver();
    void HandleRefused(OpusRefusal why, const OpusPeer& peer);
    /** Reports an input that has been processed. */
    void Processed(const ProcessingQueue::Times& times);
    /** Sets the time of processing. */
    void SetProcessingTime(Ptr<RandomVariableStream> seconds);
    /** @return the time of processing */
    Ptr<RandomVariableStream> GetProcessingTime() const;

    uint16_t m_port;
    Time m_retransmitAfter;
    uint32_t m_mostAttempts;
    Time m_retryFor;
    std::map<OpusPeer, Picoseconds> m_silent; //!< peers without an answer, and since when
    OpusChannel m_channel;
    InputProcessor m_processor;
    bool m_started{false};
    bool m_portSet{false};
    bool m_running{false};
    bool m_crashed{false};
    bool m_isDown{false};  //!< the process has ended
    uint16_t m_crashes{0}; //!< number of crashes with a restart
    TracedCallback<const OpusMessage&, const OpusPeer&> m_sent;
    TracedCallback<const OpusMessage&, const OpusPeer&> m_received;
    TracedCallback<const OpusMessage&, const OpusPeer&, const std::string&> m_failed;
    TracedCallback<OpusRefusal, const OpusPeer&> m_refused;
    TracedCallback<Time, Time, Time> m_processed;
    TracedValue<uint32_t> m_queueLength{0};
    Callback<void> m_instantOver; //!< may be null
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_ENDPOINT_H */
