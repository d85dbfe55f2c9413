/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAIN_LINE_H
#define PHOTONIC_RAILS_TRAIN_LINE_H

#include "train-segment.h"

#include "ns3/frame-loss.h"
#include "ns3/ring-queue.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One direction of a circuit: the frames in flight between two ports, as runs.
 *
 * The line has stages, one a fiber. A frame passes the end of a stage when its last bit does; at
 * the end of the last stage it is at the other port. The line makes no path checks: the circuit
 * does not change while the line is in use.
 *
 * Counts refer to instants: the number of frames that had begun, or passed the end of a stage,
 * before an instant. A frame with a bit error counts as lost at the end of its stage, and goes no
 * further.
 *
 * Plain C++: no simulator.
 */
class TrainLine
{
  public:
    /** One stage of the line. */
    struct Stage
    {
        Picoseconds end{0};             //!< delay from the sending port to the end of the stage
        const FrameLoss* loss{nullptr}; //!< the bit errors on it; null: none
        uint64_t ordinal{0};            //!< of the next frame that enters the stage
    };

    /** Counts of frames that reached the end of a stage. */
    struct Passed
    {
        uint64_t whole{0};
        uint64_t lost{0};
    };

    /** @param stages one or more */
    explicit TrainLine(const std::vector<Stage>& stages);

    /** @return the time from the sending port to the other */
    Picoseconds GetWay() const
    {
        return m_stages.back().end;
    }

    /** @return the number of stages */
    std::size_t GetStages() const
    {
        return m_stages.size();
    }

    /** @return whether frames may be lost in flight */
    bool IsLossy() const
    {
        return m_lossy;
    }

    /** @return a number of next frames that arrive for certain; 0 if the next frame is lost */
    uint64_t GetSafeFrames();

    /** @return a segment at the end of the line, to be filled in and then sent with Sent() */
    TrainSegment& Add();

    /** Sends the segment that was added, which has been filled in. @return it */
    TrainSegment& Sent();

    /**
     * Takes over a frame that was in flight before.
     * @param frame with its times at the sender
     * @param stage the stage that it is in, from 0
     */
    void Absorb(WireFrame&& frame, std::size_t stage);

    /** @return the segments in flight, oldest first */
    RingQueue<TrainSegment>& GetSegments()
    {
        return m_segments;
    }

    /** @return the same */
    const RingQueue<TrainSegment>& GetSegments() const
    {
        return m_segments;
    }

    /** Counts frames that were sent and reached the end of the line without a segment. */
    void CountThrough(uint64_t count)
    {
        m_begun += count;
        CountDone(count, 0);
    }

    /**
     * Removes frames from the front of the line, which have reached its end.
     * @param count of the oldest segment's
     * @return a segment of these frames
     */
    TrainSegment Take(uint64_t count);

    /** @return the frames that have begun */
    uint64_t GetBegun() const
    {
        return m_begun;
    }

    /**
     * @param stage from 0
     * @param before an instant, not before that of an earlier call
     * @return the counts at the end of that stage before that instant
     */
    Passed GetPassed(std::size_t stage, Picoseconds before) const;

  private:
    /** Determines whether a segment is lost at one of its remaining stages. */
    void Enter(TrainSegment& segment, std::size_t from);
    /** Counts frames that reached the end of the line. */
    void CountDone(uint64_t count, uint32_t lostAt);

    std::vector<Stage> m_stages;
    bool m_lossy{false};
    std::vector<uint64_t> m_clear; //!< by stage: no frame before this ordinal is lost
    RingQueue<TrainSegment> m_segments;
    std::vector<Passed> m_done;      //!< by stage: frames that are no longer in the line
    std::vector<uint64_t> m_skipped; //!< by stage: absorbed frames that had passed it before
    uint64_t m_begun{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAIN_LINE_H */
