/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_SENDER_H
#define PHOTONIC_RAILS_QUEUE_PAIR_SENDER_H

#include "ack-timer.h"
#include "congestion-state.h"
#include "frame-density.h"
#include "outgoing-messages.h"
#include "queue-pair-progress.h"
#include "queue-pair-settings.h"
#include "selective-repeat.h"

#include "ns3/as-of.h"
#include "ns3/batch-offload.h"
#include "ns3/frame-run.h"
#include "ns3/run-clock.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The sending half of a queue pair of a reliable connection: the next frame,
 * acknowledgements, retransmissions and failure. Plain C++ without a simulator.
 *
 * Frames are numbered through all messages by a 64-bit index; the PSN on the wire is its low 24
 * bits, plus the initial PSN. At most 2^22 frames are in flight, so a PSN names one frame.
 *
 * **Acknowledgements** are requested by every n-th frame of a message, by the last, and by the last
 * that the window allows. An ACK settles all frames up to its own.
 *
 * **Loss.** A NAK makes the sender go back to the frame it names and send all from there. Without
 * an answer, a timeout does the same. The timer runs while a frame that requested an
 * acknowledgement is unanswered and there is carrier: from that frame's last bit, from the latest
 * progress, or from the return of carrier, whichever is last. An acknowledgement at the instant of
 * a timeout prevents it. After retryLimit timeouts in a row the queue pair fails and reports every
 * message that was not acknowledged.
 *
 * With selective repeat a NAK also names a frame that the receiver keeps. The sender then repeats
 * the earlier frames that are not known to be kept, and after a timeout all sent frames that are
 * not known to be kept (SelectiveRepeat). Each repeated frame requests an acknowledgement.
 *
 * **Instants.** The result of Peek() for an instant depends only on calls up to that instant, even
 * after later calls of the present instant.
 */
class QueuePairSender
{
  public:
    /** The largest number of frames in flight. */
    static constexpr uint64_t MOST_OUTSTANDING = uint64_t{1} << 22;

    /** Counts of the sender. */
    struct Counters
    {
        uint64_t frames{0};        //!< put on the wire
        uint64_t retransmitted{0}; //!< frames sent again
        uint64_t acks{0};          //!< ACKs that came in
        uint64_t naks{0};          //!< NAKs that came in
        uint64_t timeouts{0};
        uint64_t congestion{0}; //!< notifications that came in
        uint64_t payload{0};    //!< bytes put on the wire, for the first time
    };

    /**
     * @param settings of the queue pair, which must outlive this object
     * @param congestion window and rate
     */
    QueuePairSender(const QueuePairSettings& settings, std::unique_ptr<CongestionState> congestion);

    /**
     * Accepts a message to send.
     * @return the id of the message
     */
    uint64_t Post(const RdmaMessage& message, Picoseconds now);

    /** @return whether there may be a frame to send, now */
    bool HasWork() const;

    /**
     * @param seen an instant: the present one, or the one before
     * @param [out] run the frames that may be sent, by the state at the end of that instant
     * @return whether there are any
     */
    bool Peek(Picoseconds seen, FrameRun& run) const;

    /**
     * Frames go on the wire.
     * @param taken the head of the run that was peeked
     * @param seen the instant of Peek()
     * @param times their instants on the wire
     * @param [out] head the headers of the first frame, as far as the queue pair has them
     * @param [out] tail those of the last frame, if there are several; else null
     */
    void Commit(const FrameRun& taken,
                Picoseconds seen,
                const RunClock& times,
                RoceFrame& head,
                RoceFrame* tail);

    /**
     * An acknowledgement came in.
     * @param psn of the last frame that it settles, with all before it
     * @param [out] settled the messages that it settles are appended, in order
     */
    void Acknowledge(uint32_t psn, Picoseconds now, std::vector<RdmaMessage>& settled);

    /**
     * A NAK came in: it names a missing frame and settles all before it.
     * @param psn of the missing frame
     * @param kept with selective repeat: the PSN of a frame beyond it, which the receiver keeps
     * @param [out] settled the messages that it settles are appended, in order
     */
    void Nak(uint32_t psn, uint32_t kept, Picoseconds now, std::vector<RdmaMessage>& settled);

    /** A congestion notification came in. */
    void OnCongestion(Picoseconds now);

    /** The carrier changes, now. */
    void SetCarrier(bool carrier, Picoseconds now);

    /** @return the instant at which OnWake() is due next, or NEVER */
    Picoseconds GetWake(Picoseconds now) const;

    /**
     * A timeout or a departure may be due.
     * @return the reason of the failure, if the queue pair fails now
     */
    std::optional<std::string> OnWake(Picoseconds now);

    /**
     * The queue pair fails.
     * @return the messages that were not settled, in order
     */
    std::vector<RdmaMessage> Fail(Picoseconds now);

    /** The frames that a queue pair has to send, inside its window or not. */
    struct Ahead
    {
        uint64_t toEnd{0};     //!< number of frames to the end of the present message
        uint64_t bytes{0};     //!< their size on the wire, at least
        uint64_t available{0}; //!< number of frames that may be sent now
        uint32_t each{0};      //!< size on the wire of a frame that ends no message
    };

    /**
     * @param [out] ahead the frames to send
     * @return whether there is a frame that was not sent before
     */
    bool LookAhead(Ahead& ahead) const;

    /** @return whether Skip() may be called: nothing is open, and there is no window or rate */
    bool MaySkip() const;

    /** Goes on behind messages that were sent and settled before this instant, without frames. */
    void Skip(const QueuePairProgress& progress, Picoseconds now);

    /** The frames sent so far, or their acknowledgements, may have been lost. */
    void MarkUncertain()
    {
        m_uncertain = m_sent;
    }

    /**
     * @param lossy whether frames sent since then may have been lost as well
     * @return whether a frame that may have been lost is not settled
     */
    bool IsLossPossible(bool lossy) const
    {
        return !m_failed && m_settled.Get() < (lossy ? m_sent : m_uncertain);
    }

    /**
     * @param [out] stream the ordinals and sizes of the frames that may be sent now, if they are
     *        uniform
     * @return whether they are
     */
    bool GetStream(BatchOffload::Stream& stream) const;

    /** Counts acknowledgements that a later one makes superfluous. */
    void CountAcknowledgements(uint64_t count)
    {
        m_counters.acks += count;
    }

    /** @return whether frames are to be sent again */
    bool IsGoingBack() const
    {
        return !m_failed && (m_state.Get().next < m_sent || m_state.Get().repeat != NO_FRAME);
    }

    /**
     * @param psn of an acknowledgement
     * @return whether it would settle a message, now
     */
    bool WouldSettle(uint32_t psn) const;

    /** @return whether a timeout was due before an instant */
    bool IsOverdue(Picoseconds now) const
    {
        return now > GetDeadline();
    }

    /** @return whether it has failed */
    bool HasFailed() const;

    /** @return the number of messages that are not settled */
    std::size_t GetOpenMessages() const;

    /**
     * @param each bytes on the wire of a frame that ends no message
     * @return how many frames a number of bytes may be, of those that it has to send
     */
    FrameDensity GetDensity(uint32_t each) const;

    /** @return its counts */
    const Counters& GetCounters() const;

    /** @return window and rate */
    const CongestionState& GetCongestionState() const;

  private:
    /** The state that determines the next frame. */
    struct State
    {
        uint64_t next{0};          //!< the frame to send next
        uint64_t limit{0};         //!< the end of the window: the first frame beyond it
        uint64_t end{0};           //!< the end of the posted frames
        uint64_t repeat{NO_FRAME}; //!< with selective repeat, a frame to repeat before that
        Picoseconds notBefore{ALWAYS_BEFORE}; //!< the earliest first bit, by the rate
    };

    static constexpr uint64_t NO_FRAME = SelectiveRepeat::NO_FRAME;

    /** Writes the headers of a frame of a message. */
    void Describe(const MessageInOrder& message,
                  uint64_t frame,
                  bool ackRequest,
                  RoceFrame& roce) const;
    /** Counts frames that are sent. @return whether there are new ones among them */
    bool CountSent(const MessageInOrder& message, const FrameRun& taken);
    /** @return whether a frame requests an acknowledgement, for an end of the window */
    bool RequestsAck(const MessageInOrder& message, uint64_t frame, uint64_t limit) const;
    /** @return the present end of the window */
    uint64_t GetLimit() const;
    /** Sets the state that determines the next frame, from now on. */
    void SetState(Picoseconds now, const State& state);
    /** Removes messages that were settled before an instant. */
    void ForgetSettled(Picoseconds now);
    /**
     * @return the ordinal of the frame after the one with a PSN, which is at most 2^24 behind the
     *         settled frames
     */
    uint64_t After(uint32_t psn) const;
    /** Settles all frames before one. */
    void SettleUpTo(uint64_t frame, Picoseconds now, std::vector<RdmaMessage>& settled);
    /** Sends again from a frame on. */
    void GoBackTo(uint64_t frame, Picoseconds now);
    /** With selective repeat: the receiver keeps a frame. */
    void Keep(uint64_t frame, Picoseconds now);
    /** With selective repeat: repeats all frames that the receiver is not known to keep. */
    void RepeatAll(Picoseconds now);
    /** @return the expiry of the timer, or NEVER while it does not run */
    Picoseconds GetDeadline() const;
    /** @return the instant of failure if carrier does not return before it; NEVER: none */
    Picoseconds GetDarkDeadline() const;

    const QueuePairSettings& m_settings;
    std::unique_ptr<CongestionState> m_congestion;
    OutgoingMessages m_messages; //!< those not settled, and those settled in this instant
    AsOf<State> m_state{State()};
    Picoseconds m_stateSince{ALWAYS_BEFORE};      //!< the latest change
    bool m_wentBack{false};                       //!< the sender went back in that instant
    AsOf<uint64_t> m_settled{0};                  //!< all frames before it are acknowledged
    uint64_t m_uncertain{0};                      //!< frames before it may have been lost
    uint64_t m_sent{0};                           //!< all frames before it were on the wire once
    std::unique_ptr<SelectiveRepeat> m_selective; //!< of frames that are not settled; or null
    AckTimer m_timer;
    uint32_t m_retries{0};                  //!< timeouts in sequence
    Picoseconds m_darkSince{ALWAYS_BEFORE}; //!< loss of carrier, or the first open message after it
    bool m_failed{false};
    Counters m_counters;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_SENDER_H */
