/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "train-segment.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

/** @return headers of a frame of a turn, unless it is the last of the segment */
RoceFrame
MakeRoceOfTurn(const TrainTurn& turn, uint64_t frame)
{
    RoceFrame roce = turn.roce;
    roce.psn = (roce.psn + frame) & RoceFrame::PSN_MASK;
    roce.identification = roce.psn & 0xffff;
    return roce;
}

/** The turns go on behind the first frames of a segment. */
void
GoOnBehind(std::vector<TrainTurn>& turns, uint64_t count)
{
    for (uint64_t t = 0; t < turns.size(); ++t)
    {
        const uint64_t before = CountOfTurn(count, t, turns.size());
        turns[t].roce = MakeRoceOfTurn(turns[t], before);
        turns[t].first += before;
    }
    std::rotate(turns.begin(), turns.begin() + count % turns.size(), turns.end());
}

/** Sets the head of a segment, whose run has the count, by its turns. A frame alone has none. */
void
LeadWithFirstTurn(TrainSegment& segment)
{
    const TrainTurn& first = segment.turns.front();
    const bool alone = segment.head.run.count == 1;
    segment.head.run.id = first.id;
    segment.head.run.first = first.first;
    segment.head.destination = first.destination;
    segment.head.roce = alone ? segment.tail : first.roce;
    if (alone)
    {
        segment.turns.clear();
    }
}

} // namespace

TrainSegment
SplitFront(TrainSegment& segment, uint64_t count)
{
    const uint64_t all = segment.head.run.count;
    TrainSegment taken = segment;
    taken.tail = MakeRoce(segment, count - 1);
    taken.head.run = segment.head.run.Head(count);
    taken.times = segment.times.Part(0, count);
    if (segment.IsShared())
    {
        LeadWithFirstTurn(taken);
        segment.head.run.count -= count;
        GoOnBehind(segment.turns, count);
        LeadWithFirstTurn(segment);
    }
    else
    {
        segment.head.roce = MakeRoce(segment, count);
        segment.head.run.first += count;
        segment.head.run.count -= count;
    }
    segment.head.wireBytes =
        segment.head.run.count == 1 ? segment.head.run.lastWireBytes : segment.head.run.wireBytes;
    segment.times = segment.times.Part(count, all - count);
    segment.head.first = segment.times.First(0);
    segment.head.last = segment.times.Last(0);
    return taken;
}

RoceFrame
MakeRoce(const TrainSegment& segment, uint64_t place)
{
    if (!segment.IsShared() || place + 1 == segment.head.run.count)
    {
        return MakeRoceOfRun(segment.head, segment.tail, place);
    }
    const uint64_t turns = segment.turns.size();
    return MakeRoceOfTurn(segment.turns[place % turns], place / turns);
}

WireFrame
MakeFrame(const TrainSegment& segment, uint64_t place)
{
    WireFrame frame = MakeFrameOfRun(segment.head, segment.tail, segment.times, place);
    if (segment.IsShared())
    {
        const uint64_t turns = segment.turns.size();
        const TrainTurn& turn = segment.turns[place % turns];
        frame.roce = MakeRoce(segment, place);
        frame.run.id = turn.id;
        frame.run.first = turn.first + place / turns;
        frame.destination = turn.destination;
    }
    return frame;
}

uint64_t
FindFirstAnswered(const TrainSegment& segment, const BatchOffload& offload)
{
    const uint64_t count = segment.head.run.count;
    if (count == 1)
    {
        return 0;
    }
    if (!segment.IsShared())
    {
        return offload.GetFirstAnswered(segment.head);
    }
    uint64_t first = count - 1;
    const uint64_t turns = segment.turns.size();
    WireFrame head;
    for (uint64_t t = 0; t < std::min(turns, count); ++t)
    {
        const uint64_t frames = CountOfTurn(count, t, turns);
        head.roce = segment.turns[t].roce;
        head.run.count = frames + 1; // as only the last of a run may request an answer
        const uint64_t answered = offload.GetFirstAnswered(head);
        first = answered < frames ? std::min(first, t + answered * turns) : first;
    }
    return first;
}

} // namespace ns3
