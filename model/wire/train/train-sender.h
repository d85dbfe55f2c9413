/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAIN_SENDER_H
#define PHOTONIC_RAILS_TRAIN_SENDER_H

#include "batch-offload.h"
#include "train-line.h"

#include "ns3/nic-offload.h"
#include "ns3/transmitter-state.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The sending half of a NIC port, for one offload on an undisturbed circuit: which run of
 * frames goes on the wire when, by the rules of RailTransmitter and frame for frame the same.
 *
 * It decides on runs. A run that was begun is open: it goes on as long as nothing else has become
 * ready. When something has (Kick()), the next frame boundary is decided on anew, and the run goes
 * on, or ends there. Frames are committed, to the offload and to the line, when the run ends, or
 * when somebody wants to know or to change something (CommitBegun()): so nothing is ever taken
 * back.
 *
 * Plain C++: no simulator. Whoever drives it calls Decide() at GetDecision().
 */
class TrainSender
{
  public:
    using Sinks = std::vector<std::shared_ptr<FrameSink>>;

    /**
     * @param state of the port
     * @param bitsPerSecond the rate of the port
     * @param offload what sends through the port
     * @param address of the port
     * @param line takes what is sent
     * @param sinks are told of it
     */
    TrainSender(const TransmitterState& state,
                uint64_t bitsPerSecond,
                NicOffload& offload,
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

    /** The decision that is due is made. */
    void Decide();

    /** Something may have become ready at the offload. */
    void Kick(Picoseconds now);

    /** Commits the frames that have begun. @param before an instant: those at it have not */
    void CommitBegun(Picoseconds before);

    /**
     * @param bytes a number of bytes, preambles and gaps included
     * @param now the instant up to which everything has been decided
     * @return when the last bit of them, put on the wire after all that is committed, is there at
     *         the earliest
     */
    Picoseconds GetEarliestLast(uint64_t bytes, Picoseconds now) const;

    /**
     * @param now an instant, not before everything that has been decided
     * @param bytes its size on the wire
     * @return when the last bit of a frame that begins then, or later, is on the wire
     */
    Picoseconds GetEarliestNext(Picoseconds now,
                                uint64_t bytes = BatchOffload::Outlook::LEAST) const;

    /** @return whether a run is open */
    bool IsOpen() const
    {
        return m_open;
    }

    /** @return how far it has come, up to the open run */
    const TransmitterState& PeekState() const
    {
        return m_state;
    }

    /**
     * A stream was worked out elsewhere and put on the line: goes on behind it.
     * @param clock of the wire, behind it
     * @param stream what is left of it; its run is open. Null: the wire is idle, behind an answer
     * @param answered the queue pair that an answer was of, or 0: none was sent
     * @param answerClass the class of the answer
     */
    void Skip(const FrameClock& clock,
              const BatchOffload::Stream* stream,
              uint32_t answered,
              uint8_t answerClass);

    /** @return how far it has come, after CommitBegun() */
    TransmitterState GetState() const;

  private:
    /** What goes next. */
    struct Choice
    {
        bool any{false};
        uint8_t trafficClass{0};
        FrameRun run;
    };

    /** @return what goes next, by what was the case at the end of an instant */
    Choice Choose(Picoseconds seen, bool wireWasIdle) const;
    /** The wire is free: begins a run, or leaves it idle. */
    void Begin(const Choice& choice, Picoseconds now, bool wireWasIdle);
    /** The open run goes on to its end, or until something else has its turn. */
    void GoOn(Picoseconds now);
    /** Commits the first frames of the open run. */
    void Commit(uint64_t count);
    /** Notes whether the frame that was sent last of a queue pair arrives. */
    void NoteSure(const TrainSegment& segment);
    /** @return a run that was peeked, cut before a frame that is lost */
    FrameRun CutForLoss(const FrameRun& run) const;

    TransmitterState m_state;
    NicOffload& m_offload;
    Mac48Address m_address;
    TrainLine& m_line;
    const Sinks& m_sinks;

    std::vector<uint32_t> m_sure; //!< queue pairs whose latest frame arrives, in order

    bool m_disturbed{false};             //!< the next decision is on whether the open run goes on
    bool m_open{false};                  //!< whether there is a run that is not committed
    FrameRun m_run;                      //!< it
    uint8_t m_class{0};                  //!< its class
    Picoseconds m_kicked{ALWAYS_BEFORE}; //!< the latest Kick()
    Picoseconds m_seen{0};               //!< by what its first frame was decided
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAIN_SENDER_H */
