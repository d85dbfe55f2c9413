/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAIN_SENDER_H
#define PHOTONIC_RAILS_TRAIN_SENDER_H

#include "batch-offload.h"
#include "train-line.h"
#include "train-segment.h"

#include "ns3/transmitter-state.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The sending half of a NIC port, for one offload on an undisturbed circuit: the instants of
 * its runs of frames, by the rules of RailTransmitter and frame for frame the same.
 *
 * It decides on runs. A run that was begun is open: it goes on until other frames become ready.
 * Then (Kick()) the sender decides again at the next frame boundary, and the run goes on, or ends
 * there. The sender commits frames, to the offload and to the line, when the run ends, or before a
 * query or a change (CommitBegun()): so it never withdraws a frame.
 *
 * Queue pairs that take turns share a run (TrainSegment), if nothing of a higher class is ready and
 * their frames are equal in size. It ends with the first frame that has an effect, of any of them,
 * or before one of another size. All else goes frame by frame.
 *
 * Plain C++: no simulator. The caller calls Decide() at GetDecision().
 */
class TrainSender
{
  public:
    using Sinks = std::vector<std::shared_ptr<FrameSink>>;

    /**
     * @param state of the port
     * @param bitsPerSecond the rate of the port
     * @param offload the transport that sends through the port
     * @param address of the port
     * @param line takes sent frames
     * @param sinks receive sent frames
     */
    TrainSender(const TransmitterState& state,
                uint64_t bitsPerSecond,
                BatchOffload& offload,
                Mac48Address address,
                TrainLine& line,
                const Sinks& sinks);

    /** @return when Decide() is due, or NEVER */
    Picoseconds GetDecision() const
    {
        return m_state.decision;
    }

    /** @return whether a run is open or a decision is due */
    bool IsBusy() const
    {
        return m_open || m_state.decision != NEVER;
    }

    /** @return whether the wire was idle before an instant, and nothing is to be decided */
    bool IsQuiet(Picoseconds now) const
    {
        return !IsBusy() && m_state.busyUntil < now;
    }

    /** @return the rate of the port, in bit/s */
    uint64_t GetRate() const
    {
        return m_state.clock.GetRate();
    }

    /** Makes the decision that is due. */
    void Decide();

    /** The offload may have new frames to send. */
    void Kick(Picoseconds now);

    /**
     * Commits the frames that have begun.
     * @param before frames that begin at this instant are not included
     */
    void CommitBegun(Picoseconds before);

    /**
     * @param bytes a number of bytes, preambles and gaps included
     * @param now the instant up to which everything has been decided
     * @return the earliest last bit of these bytes, sent after all committed frames
     */
    Picoseconds GetEarliestLast(uint64_t bytes, Picoseconds now) const;

    /**
     * @param now an instant, not before the latest decision
     * @param bytes the size of a frame on the wire
     * @return the earliest last bit of a frame that begins at that instant or later
     */
    Picoseconds GetEarliestNext(Picoseconds now,
                                uint64_t bytes = BatchOffload::Outlook::LEAST) const;

    /** @return whether a run is open */
    bool IsOpen() const
    {
        return m_open;
    }

    /** @return the queue pair of the next frame of the open run; there must be one */
    uint32_t GetOpenQueuePair() const
    {
        return m_run.id;
    }

    /** @return the turns of the open run, by their next frames; none: it is not shared */
    const std::vector<FrameRun>& GetOpenTurns() const
    {
        return m_turns;
    }

    /** @return the progress up to the open run */
    const TransmitterState& PeekState() const
    {
        return m_state;
    }

    /**
     * Continues behind a stream that was computed elsewhere and put on the line.
     * @param clock of the wire, after that stream
     * @param stream its remaining frames, as an open run. Null: the wire is idle after an answer
     * @param answered the queue pair of the answer that was sent; 0: none
     * @param answerClass the class of the answer
     */
    void Skip(const FrameClock& clock,
              const BatchOffload::Stream* stream,
              uint32_t answered,
              uint8_t answerClass);

    /** @return the progress, after CommitBegun() */
    TransmitterState GetState() const;

  private:
    /** The next run to send. */
    struct Choice
    {
        bool any{false};
        uint8_t trafficClass{0};
        FrameRun run;
    };

    /** @return the next run, by the state at the end of an instant */
    Choice Choose(Picoseconds seen, bool wireWasIdle) const;
    /** The wire is free: begins a run, or leaves it idle. */
    void Begin(const Choice& choice, Picoseconds now, bool wireWasIdle);
    /** Continues the open run to its end, or until another run is next in order. */
    void GoOn(Picoseconds now);
    /**
     * Makes the open run, which begins now, one that queue pairs share.
     * @return whether they do
     */
    bool Share(Picoseconds now);
    /** Finds the turns of the open run. @return its frames up to the first with an effect */
    uint64_t FindTurns();
    /** @return whether the latest frame of a queue pair arrives */
    bool IsSure(uint32_t queuePair) const;
    /** Commits the first frames of the open run. */
    void Commit(uint64_t count);
    /** Commits the frames of a segment to the offload. @param times of the run */
    void CommitAlone(TrainSegment& segment, const RunClock& times);
    /** The same of queue pairs that share it. */
    void CommitShared(TrainSegment& segment, const RunClock& times);
    /** The turns go on behind the first frames of the open run. */
    void GoOnBehind(uint64_t count);
    /** Records whether the last frame of a queue pair arrives. */
    void NoteSure(const TrainSegment& segment);
    /** @return a run that was peeked, shortened to end before a frame that is lost */
    FrameRun CutForLoss(const FrameRun& run) const;

    TransmitterState m_state;
    BatchOffload& m_offload;
    Mac48Address m_address;
    TrainLine& m_line;
    const Sinks& m_sinks;

    std::vector<uint32_t> m_sure; //!< queue pairs whose latest frame arrives, in order

    bool m_disturbed{false};             //!< the next decision may end the open run
    bool m_open{false};                  //!< a run is not committed yet
    FrameRun m_run;                      //!< the open run
    std::vector<FrameRun> m_turns;       //!< see GetOpenTurns()
    uint8_t m_class{0};                  //!< its class
    Picoseconds m_kicked{ALWAYS_BEFORE}; //!< the latest Kick()
    Picoseconds m_seen{0};               //!< the instant whose state decided its first frame
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAIN_SENDER_H */
