/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_SENDER_H
#define PHOTONIC_RAILS_QUEUE_PAIR_SENDER_H

#include "congestion-state.h"
#include "message-frames.h"
#include "queue-pair-settings.h"
#include "selective-repeat.h"

#include "ns3/as-of.h"
#include "ns3/batch-offload.h"
#include "ns3/frame-run.h"
#include "ns3/ring-queue.h"
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
 * @brief The sending half of a queue pair of a reliable connection: which frame may go next, what
 * is acknowledged, what is sent again, when it is given up. Plain C++ without a simulator.
 *
 * Frames are numbered through all messages by a 64-bit index; the PSN on the wire is its low 24
 * bits, plus the initial PSN. At most 2^22 frames are on their way, so a PSN names one frame.
 *
 * **Acknowledgements** are asked for in every n-th frame of a message, in the last, and in the last
 * that the window allows. An ACK settles all frames up to its own.
 *
 * **Loss.** A NAK makes the sender go back to the frame it names and send all from there. Without
 * an answer, a timeout does the same. The timer runs while a frame that asked for an
 * acknowledgement is out and there is carrier: from that frame's last bit, from the latest
 * progress, or from when carrier came back, whichever is last. An acknowledgement that comes at the
 * very instant of a timeout counts. After retryLimit timeouts in a row the queue pair fails and
 * reports every message that was not acknowledged.
 *
 * With selective repeat a NAK also names a frame that the receiver keeps: all that was sent before
 * it and is not known to be kept is sent again, and after a timeout all that was sent and is not
 * known to be kept (SelectiveRepeat). Each frame that is sent again asks for an acknowledgement.
 *
 * **Instants.** What Peek() says for an instant depends on what happened up to that instant only,
 * even if something that happened later in the present instant has been told already.
 */
class QueuePairSender
{
  public:
    /** Frames that may be on their way. */
    static constexpr uint64_t MOST_OUTSTANDING = uint64_t{1} << 22;

    /** What a queue pair has counted. */
    struct Counters
    {
        uint64_t frames{0};        //!< put on the wire
        uint64_t retransmitted{0}; //!< of them, not for the first time
        uint64_t acks{0};          //!< came in
        uint64_t naks{0};          //!< came in
        uint64_t timeouts{0};
        uint64_t congestion{0}; //!< notifications that came in
        uint64_t payload{0};    //!< bytes put on the wire, for the first time
    };

    /**
     * @param settings of the queue pair
     * @param congestion how much may be on its way, and how fast
     */
    QueuePairSender(const QueuePairSettings& settings, std::unique_ptr<CongestionState> congestion);

    /**
     * Takes a message to send.
     * @param message what; its id is set here
     * @return its id
     */
    uint64_t Post(RdmaMessage message, Picoseconds now);

    /** @return whether there may be a frame to send, now */
    bool HasWork() const;

    /**
     * @param seen an instant: the present one, or the one before
     * @param [out] run the frames that could go, by what was the case at the end of that instant
     * @return whether there are any
     */
    bool Peek(Picoseconds seen, FrameRun& run) const;

    /**
     * Frames go on the wire.
     * @param taken the head of the run that was peeked
     * @param seen the instant that it was peeked for
     * @param times when they are on the wire
     * @param [out] head the headers of the first, as far as the queue pair knows them
     * @param [out] tail those of the last, if there are several; else null
     */
    void Commit(const FrameRun& taken,
                Picoseconds seen,
                const RunClock& times,
                RoceFrame& head,
                RoceFrame* tail);

    /**
     * An acknowledgement came in.
     * @param psn it settles this frame and all before it
     * @param [out] settled the messages that are settled by it are appended, in order
     */
    void Acknowledge(uint32_t psn, Picoseconds now, std::vector<RdmaMessage>& settled);

    /**
     * The receiver misses a frame, and settles all before it.
     * @param psn of that frame
     * @param kept with selective repeat: the PSN of a frame beyond it, which the receiver keeps
     * @param [out] settled the messages that are settled by it are appended, in order
     */
    void Nak(uint32_t psn, uint32_t kept, Picoseconds now, std::vector<RdmaMessage>& settled);

    /** A congestion notification came in. */
    void OnCongestion(Picoseconds now);

    /**
     * There is carrier, or none, from now on.
     * @param carrier whether there is
     */
    void SetCarrier(bool carrier, Picoseconds now);

    /** @return when OnWake() is to be called next, or NEVER */
    Picoseconds GetWake(Picoseconds now) const;

    /**
     * Something may be due: a timeout, a departure.
     * @return why the queue pair has failed, if that is so from now on
     */
    std::optional<std::string> OnWake(Picoseconds now);

    /**
     * Gives up.
     * @return the messages that were not settled, in order
     */
    std::vector<RdmaMessage> Fail(Picoseconds now);

    /** What lies before a queue pair that has frames to send, window or not. */
    struct Ahead
    {
        uint64_t toEnd{0};     //!< frames to the end of the message that is being sent
        uint64_t bytes{0};     //!< their size on the wire, at least
        uint64_t available{0}; //!< frames that may go now
        uint32_t each{0};      //!< size on the wire of a frame that ends no message
    };

    /**
     * @param [out] ahead what lies before it
     * @return whether there is anything to send that was not sent before
     */
    bool LookAhead(Ahead& ahead) const;

    /** What has been sent so far may have been lost on its way, or its acknowledgement. */
    void MarkUncertain()
    {
        m_uncertain = m_sent;
    }

    /**
     * @param lossy whether what was sent since then may have been lost as well
     * @return whether something that may have been lost is not settled
     */
    bool Doubts(bool lossy) const
    {
        return m_settled.Get() < (lossy ? m_sent : m_uncertain);
    }

    /**
     * @param [out] stream the frames that may go now, if they are alike: the ordinals and sizes
     * @return whether they are
     */
    bool GetStream(BatchOffload::Stream& stream) const;

    /** Acknowledgements came in that a later one makes superfluous. */
    void CountAcknowledgements(uint64_t count)
    {
        m_counters.acks += count;
    }

    /** @return whether frames are to be sent again */
    bool IsGoingBack() const
    {
        return m_state.Get().next < m_sent || m_state.Get().repeat != NO_FRAME;
    }

    /**
     * @param psn of an acknowledgement
     * @return whether it would settle a message, now
     */
    bool WouldSettle(uint32_t psn) const;

    /** @return whether a timeout was due before it */
    bool IsOverdue(Picoseconds now) const
    {
        return now > GetDeadline();
    }

    /** @return whether it has been given up */
    bool HasFailed() const;

    /** @return the number of messages that are not settled */
    std::size_t GetOpenMessages() const;

    /** @return what it has counted */
    const Counters& GetCounters() const;

    /** @return how much may be on its way, and how fast */
    const CongestionState& GetCongestionState() const;

  private:
    /** A message and its place among the frames. */
    struct Outgoing
    {
        RdmaMessage message;
        MessageFrames frames{RdmaVerb::WRITE, 0, 256};
        uint64_t begin{0}; //!< index of its first frame

        uint64_t End() const
        {
            return begin + frames.GetCount();
        }
    };

    /** What decides on the next frame. */
    struct State
    {
        uint64_t next{0};          //!< the frame to send next
        uint64_t limit{0};         //!< the window's end: no frame from there on
        uint64_t end{0};           //!< the end of what was posted
        uint64_t repeat{NO_FRAME}; //!< with selective repeat, the one to send before that
        Picoseconds notBefore{ALWAYS_BEFORE}; //!< pace
    };

    static constexpr uint64_t NO_FRAME = SelectiveRepeat::NO_FRAME;

    /** @return the message that a frame belongs to */
    const Outgoing& MessageOf(uint64_t frame) const;
    /** Writes the headers of a frame of a message. */
    void Describe(const Outgoing& message, uint64_t frame, bool ackRequest, RoceFrame& roce) const;
    /** @return whether a frame asks for an acknowledgement, under a window's end */
    bool AsksForAck(const Outgoing& message, uint64_t frame, uint64_t limit) const;
    /** @return the window's end, as things stand */
    uint64_t GetLimit() const;
    /** Sets what decides on the next frame, from now on. */
    void SetState(Picoseconds now, const State& state);
    /** Forgets messages that were settled before an instant. */
    void ForgetSettled(Picoseconds now);
    /** Forgets frames before one that asked for an acknowledgement. */
    void ForgetAsked(uint64_t frame);
    /** Notes that a frame asked for an acknowledgement. */
    void NoteAsked(uint64_t frame, Picoseconds last);
    /** @return the ordinal of the frame after one, which is at most 2^24 behind what is settled */
    uint64_t After(uint32_t psn) const;
    /** All frames before one are settled. */
    void SettleUpTo(uint64_t frame, Picoseconds now, std::vector<RdmaMessage>& settled);
    /** Sends from a frame on again. */
    void GoBackTo(uint64_t frame, Picoseconds now);
    /** With selective repeat: the receiver keeps a frame. */
    void Keep(uint64_t frame, Picoseconds now);
    /** With selective repeat: sends all again that the receiver is not known to keep. */
    void RepeatAll(Picoseconds now);
    /** @return when the timer is over, or NEVER while it does not run */
    Picoseconds GetDeadline() const;
    /** @return when it fails if there is no carrier until then; NEVER: it does not */
    Picoseconds GetDarkDeadline() const;

    QueuePairSettings m_settings;
    std::unique_ptr<CongestionState> m_congestion;
    RingQueue<Outgoing> m_messages; //!< not settled yet, and those settled in this instant
    std::size_t m_reported{0};      //!< of them, settled
    mutable std::size_t m_hint{0};  //!< where MessageOf() looks first
    AsOf<State> m_state{State()};
    Picoseconds m_stateSince{ALWAYS_BEFORE}; //!< the latest change
    bool m_wentBack{false};                  //!< in that instant
    uint64_t m_messageIds{0};
    AsOf<uint64_t> m_settled{0}; //!< all frames before it are acknowledged
    uint64_t m_uncertain{0};     //!< frames before it may have been lost
    uint64_t m_sent{0};          //!< all frames before it were on the wire once
    SelectiveRepeat m_selective; //!< with selective repeat, what is known of those not settled
    RingQueue<std::pair<uint64_t, Picoseconds>> m_asked; //!< frames that asked, their last bits
    Picoseconds m_progress{ALWAYS_BEFORE}; //!< the timer counts from then, at the earliest
    uint32_t m_retries{0};
    bool m_carrier{true};
    Picoseconds m_darkSince{ALWAYS_BEFORE};
    bool m_failed{false};
    Counters m_counters;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_SENDER_H */
