/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAIN_SEGMENT_H
#define PHOTONIC_RAILS_TRAIN_SEGMENT_H

#include "batch-offload.h"

#include "ns3/frame-run.h"
#include "ns3/frame-sink.h"
#include "ns3/mac48-address.h"
#include "ns3/picoseconds.h"
#include "ns3/roce-frame.h"
#include "ns3/run-clock.h"
#include "ns3/wire-frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** The frames of one queue pair in a run that several queue pairs share. */
struct TrainTurn
{
    uint32_t id{0};           //!< the queue pair
    uint64_t first{0};        //!< ordinal, in that queue pair, of its first frame in the run
    RoceFrame roce;           //!< headers of that frame
    Mac48Address destination; //!< of all its frames
};

/**
 * @ingroup photonic-rails
 * @brief Consecutive frames in flight on a wire, without a gap between them: of one queue pair, or
 * of several that take turns.
 *
 * Queue pairs of one traffic class that all have frames to send are served in turn, one frame each.
 * While their frames are equal in size, the wire looks as if one of them sent all: the instants of
 * the frame at place i follow from the bytes before it. Only the headers differ. With k turns the
 * frame at place i belongs to the turn i mod k, and is the frame i / k of that turn.
 *
 *     place       0   1   2   3   4   5   6   7
 *     turn        a0  b0  c0  a1  b1  c1  a2  b2      three turns, eight frames
 *
 * The run ends with the first frame that is not like the others: it ends a message or requests an
 * acknowledgement. So only the last frame of a run can have an effect, whether it is shared or not.
 *
 * Plain C++: no simulator.
 */
struct TrainSegment
{
    WireFrame head;                               //!< the first frame, with the run
    RoceFrame tail;                               //!< headers of the last frame
    RunClock times{ALWAYS_BEFORE, ALWAYS_BEFORE}; //!< instants at the sender
    uint32_t lostAt{0}; //!< the stage at whose end the one frame is lost, counted from 1; 0: none
    std::vector<TrainTurn> turns; //!< from that of the first frame on; none: one queue pair

    /** @return whether several queue pairs take turns */
    bool IsShared() const
    {
        return !turns.empty();
    }
};

/** A queue calls this when a segment has been moved out. */
inline void
Vacate(TrainSegment& segment)
{
    segment.head.packet = nullptr;
    segment.turns.clear();
}

/**
 * @param count frames of a shared run
 * @param turn number of a turn, from 0, of all turns
 * @return the number of these frames that belong to the turn
 */
inline uint64_t
CountOfTurn(uint64_t count, uint64_t turn, uint64_t turns)
{
    return count > turn ? (count - turn - 1) / turns + 1 : 0;
}

/**
 * Divides a segment.
 * @param segment keeps the frames behind the first ones
 * @param count number of the first frames, fewer than all
 * @return a segment of the first frames
 */
TrainSegment SplitFront(TrainSegment& segment, uint64_t count);

/**
 * @param place of a frame in a segment, from 0
 * @return the headers of that frame
 */
RoceFrame MakeRoce(const TrainSegment& segment, uint64_t place);

/**
 * @param place of a frame in a segment, from 0
 * @return that frame by itself, with its instants
 */
WireFrame MakeFrame(const TrainSegment& segment, uint64_t place);

/**
 * @param segment comes in next at a port
 * @param offload of that port
 * @return the place of the first frame that may cause an answer or end a message
 */
uint64_t FindFirstAnswered(const TrainSegment& segment, const BatchOffload& offload);

/**
 * Goes through the frames of a segment in the order of the wire.
 * @param take is called with runs of one queue pair: the first frame, the headers of the last, and
 *        the instants
 */
template <typename Take>
void
ForEachInOrder(const TrainSegment& segment, Take take)
{
    if (!segment.IsShared())
    {
        take(segment.head, segment.tail, segment.times);
        return;
    }
    for (uint64_t place = 0; place < segment.head.run.count; ++place)
    {
        const WireFrame frame = MakeFrame(segment, place);
        take(frame, frame.roce, segment.times.Part(place, 1));
    }
}

/**
 * Goes through the queue pairs of a segment, in the order of their last frames.
 * @param take is called with all frames of one: the first frame, the headers of the last, and the
 *        instants
 */
template <typename Take>
void
ForEachQueuePair(const TrainSegment& segment, Take take)
{
    if (!segment.IsShared())
    {
        take(segment.head, segment.tail, segment.times);
        return;
    }
    const uint64_t count = segment.head.run.count;
    const uint64_t turns = segment.turns.size();
    for (uint64_t last = count - std::min(count, turns); last < count; ++last)
    {
        const uint64_t turn = last % turns;
        WireFrame head = MakeFrame(segment, turn);
        head.run.count = last / turns + 1;
        head.run.lastWireBytes =
            last + 1 == count ? segment.head.run.lastWireBytes : segment.head.run.wireBytes;
        take(head, MakeRoce(segment, last), segment.times.Every(turn, turns, head.run.count));
    }
}

/**
 * Shows frames to sinks: in the order of the wire, unless a sink only counts.
 * @param take a member function of FrameSink
 */
template <typename Sinks, typename Take>
void
ShowToSinks(const TrainSegment& segment, const Sinks& sinks, Take take)
{
    for (const auto& sink : sinks)
    {
        const auto show = [&](const WireFrame& head, const RoceFrame& tail, const RunClock& times) {
            ((*sink).*take)(head, tail, times);
        };
        if (segment.IsShared() && sink->IsInAnyOrder())
        {
            ForEachQueuePair(segment, show);
        }
        else
        {
            ForEachInOrder(segment, show);
        }
    }
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAIN_SEGMENT_H */
