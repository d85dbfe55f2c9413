/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_ENDPOINT_H
#define PHOTONIC_RAILS_OPUS_ENDPOINT_H

#include "opus-channel.h"

#include "ns3/application.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ns3
{

/** The UDP port that everybody in the control plane listens to, unless told otherwise. */
constexpr uint16_t OPUS_PORT = 7471;

/**
 * @ingroup photonic-rails
 * @brief What shim, controller and agent have in common: an application with an OpusChannel, whose
 * messages can be traced.
 *
 * What comes to it at an instant, messages, timers, calls of ranks and of the switch, it deals with
 * when the instant is over, a picosecond later, and answers then: see InstantQueue.
 *
 * What the channel gives up, a message and all that follow it to that peer, is handed to it again
 * in the same order, until the peer has not been heard of for RetryFor; so a network that is cut
 * and mended within that time costs time and nothing else.
 */
class OpusEndpoint : public Application
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    OpusEndpoint();
    ~OpusEndpoint() override;

    /** @return whether it has started: most attributes are read then, and can't be set any more */
    bool HasStarted() const;

    /**
     * Tells others the port, which can't be set any more then.
     * @return the UDP port that it listens to
     */
    uint16_t GetPort();
    /** @return whether the port can't be set any more: others know it, or it listens */
    bool IsPortKnown() const;

    /** @return what the channel did */
    const OpusChannelCounters& GetChannelCounters() const;

    /**
     * It breaks down, now: it says nothing any more, hears nothing, and what it knows is lost.
     * Unless it begins anew, for the rest of the run; if it has not started yet, it never does.
     */
    void Crash();

    /** Signature of MessageSent, MessageReceived: the message and the other end. */
    typedef void (*MessageCallback)(const OpusMessage& message, const OpusPeer& peer);
    /** Signature of MessageFailed: the message, the other end, and why. */
    typedef void (*FailedCallback)(const OpusMessage& message,
                                   const OpusPeer& peer,
                                   const std::string& why);
    /** Signature of MessageRefused: why, and from whom. */
    typedef void (*RefusedCallback)(OpusRefusal why, const OpusPeer& peer);

  protected:
    void DoInitialize() override;
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;

    /** @return whether it has crashed, and not begun anew */
    bool HasCrashed() const;
    /**
     * After a crash, it begins anew, now, and listens to the next port: who goes on to count
     * datagrams from the one that crashed would not understand it at the same port.
     */
    void BeginAnew();
    /** Sends a message, if it is running. @param message what @param peer to whom */
    void Send(const OpusMessage& message, const OpusPeer& peer);
    /** @return whether it has started, and has not stopped or crashed */
    bool IsRunning() const;
    /** @return how long a peer may be silent before messages to it are given up for good */
    Time GetRetryFor() const;
    /** @return before a datagram is sent again for the first time: longer than a round trip */
    Time GetRetransmitAfter() const;

    /**
     * Does something when the present instant is over, in an order that is not that of events.
     * @param key what is done first has the smaller one
     * @param action what
     */
    void WhenOver(const std::array<uint64_t, 2>& key, std::function<void()> action);
    /** All that came at an instant has been dealt with. Nothing by default. */
    virtual void InstantOver();

    /** A message is here. @param message it @param peer from whom */
    virtual void Take(const OpusMessage& message, const OpusPeer& peer) = 0;
    /** The other end has a message. Nothing by default. @param message it @param peer who */
    virtual void Acknowledged(const OpusMessage& message, const OpusPeer& peer);
    /** @return whether a message that did not get through is still worth sending @param message it
     */
    virtual bool IsWorthRepeating(const OpusMessage& message) const;
    /** @return whom to send it to next @param message it @param peer who did not get it */
    virtual OpusPeer Redirect(const OpusMessage& message, const OpusPeer& peer);
    /** A message is given up for good. Nothing by default. @param message it @param peer to whom */
    virtual void Failed(const OpusMessage& message, const OpusPeer& peer);
    /** It runs from now on. */
    virtual void Begin();
    /** It does not run any more: timers are to be cancelled. */
    virtual void End();

  private:
    void HandleReceived(const OpusMessage& message, const OpusPeer& peer);
    void HandleAcknowledged(const OpusMessage& message, const OpusPeer& peer);
    void HandleFailed(const OpusMessage& message, const OpusPeer& peer, const std::string& why);
    void HandleInstantOver();
    void HandleRefused(OpusRefusal why, const OpusPeer& peer);

    uint16_t m_port;
    Time m_retransmitAfter;
    uint32_t m_mostAttempts;
    Time m_retryFor;
    std::map<OpusPeer, Picoseconds> m_silent; //!< peers that do not answer, and since when
    OpusChannel m_channel;
    bool m_started{false};
    bool m_portTold{false};
    bool m_running{false};
    bool m_crashed{false};
    uint16_t m_crashes{0}; //!< after which it began anew
    TracedCallback<const OpusMessage&, const OpusPeer&> m_sent;
    TracedCallback<const OpusMessage&, const OpusPeer&> m_received;
    TracedCallback<const OpusMessage&, const OpusPeer&, const std::string&> m_failed;
    TracedCallback<OpusRefusal, const OpusPeer&> m_refused;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_ENDPOINT_H */
