/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAIN_LINE_H
#define PHOTONIC_RAILS_TRAIN_LINE_H

#include "ns3/frame-loss.h"
#include "ns3/frame-sink.h"
#include "ns3/ring-queue.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** Frames of one run on their way; nothing else is between them. */
struct TrainSegment
{
    WireFrame head;                               //!< the first, with the run
    RoceFrame tail;                               //!< headers of the last
    RunClock times{ALWAYS_BEFORE, ALWAYS_BEFORE}; //!< where they were sent
    uint32_t lostAt{0}; //!< the stage at whose end the one frame is lost, counted from 1; 0: none
};

/** What a queue calls when it has given a segment away. */
inline void
Vacate(TrainSegment& segment)
{
    segment.head.packet = nullptr;
}

/**
 * @ingroup photonic-rails
 * @brief One direction of a circuit: what is on its way between two ports, as runs of frames.
 *
 * The way has stages, one a fiber. A frame passes the end of a stage when its last bit does; at the
 * end of the last stage it is at the other port. Nobody is in the way and nothing is judged: the
 * circuit stays as it is while the line is in use.
 *
 * Counts are of instants: how many frames had begun, or passed the end of a stage, before an
 * instant. A frame that a bit error garbled counts as lost at the end of its stage, and goes no
 * further.
 *
 * Plain C++: no simulator.
 */
class TrainLine
{
  public:
    /** One stage of the way. */
    struct Stage
    {
        Picoseconds end{0};             //!< from the sending port to its end
        const FrameLoss* loss{nullptr}; //!< which frames are garbled on it, if any
        uint64_t ordinal{0};            //!< on this stage, of the next frame that enters it
    };

    /** Frames that came to the end of a stage. */
    struct Passed
    {
        uint64_t whole{0};
        uint64_t lost{0};
    };

    /** @param stages of the way, one or more */
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

    /** @return whether frames may be lost on the way */
    bool IsLossy() const
    {
        return m_lossy;
    }

    /**
     * @return how many of the next frames to be sent will surely not be lost; 0 if the next is
     */
    uint64_t GetSafeFrames();

    /** @return a segment at the end of the line, to be filled in and then sent with Sent() */
    TrainSegment& Add();

    /** The segment that was added has been filled in. @return it */
    TrainSegment& Sent();

    /**
     * A frame that was on its way before.
     * @param frame with its times where it was sent
     * @param stage in which it is, from 0
     */
    void Absorb(WireFrame&& frame, std::size_t stage);

    /** @return the segments that are on their way, oldest first */
    RingQueue<TrainSegment>& GetSegments()
    {
        return m_segments;
    }

    /** @return the same */
    const RingQueue<TrainSegment>& GetSegments() const
    {
        return m_segments;
    }

    /** Frames were sent and came to the end of the line elsewhere. */
    void CountThrough(uint64_t count)
    {
        m_begun += count;
        CountDone(count, 0);
    }

    /**
     * Takes frames from the front of the line, which have come to its end.
     * @param count of the oldest segment's
     * @return a segment of them
     */
    TrainSegment Take(uint64_t count);

    /** @return the frames that have begun */
    uint64_t GetBegun() const
    {
        return m_begun;
    }

    /**
     * @param stage from 0
     * @param before an instant, not before that of an earlier question
     * @return what came to the end of that stage before that instant
     */
    Passed GetPassed(std::size_t stage, Picoseconds before) const;

  private:
    /** Finds out whether a segment is lost at one of the stages that it has yet to enter. */
    void Enter(TrainSegment& segment, std::size_t from);
    /** Counts frames that came to the end of the line. */
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
