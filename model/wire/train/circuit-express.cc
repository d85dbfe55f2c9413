/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-express.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_STEPS = 4096; //!< so that their data stays in the cache
constexpr uint32_t WORTH = 6;         //!< the requesting frames that entering and leaving must save

} // namespace

CircuitExpress::CircuitExpress(const std::array<CircuitEnd, 2>& ends,
                               std::array<TrainLine, 2>& lines,
                               std::array<TrainSender, 2>& senders)
    : m_ends(ends),
      m_lines(lines),
      m_senders(senders)
{
}

bool
CircuitExpress::Take(Picoseconds from, Picoseconds before)
{
    const Works works{FindWork(0), FindWork(1)};
    const Picoseconds worth = FindWorth(works);
    if (worth == NEVER || works[0] == BatchOffload::Work::OTHER ||
        works[1] == BatchOffload::Work::OTHER || m_lines[0].IsLossy() || m_lines[1].IsLossy() ||
        before - from < worth)
    {
        // no new attempt before a change, most likely another run
        m_noneBefore = worth == NEVER ? from + 1 : from + worth / WORTH;
        return false;
    }
    if (Step(works, before) < WORTH / 2)
    {
        // nothing has changed so far
        m_noneBefore = from + worth;
        return false;
    }
    Leave(from, std::min(before, m_express->GetNext()));
    return true;
}

// ------------------------------------------------------------------- entering

BatchOffload::Work
CircuitExpress::FindWork(uint32_t end)
{
    const TrainSender& sender = m_senders[end];
    if (sender.IsBusy() && !sender.IsOpen())
    {
        return BatchOffload::Work::OTHER;
    }
    const BatchOffload::Work work = m_ends[end].offload->GetStream(m_streams[end]);
    return work == BatchOffload::Work::STREAM && !sender.IsOpen() ? BatchOffload::Work::OTHER
                                                                  : work;
}

Picoseconds
CircuitExpress::FindWorth(const Works& works) const
{
    Picoseconds worth = NEVER;
    for (const uint32_t end : {0, 1})
    {
        if (works[end] == BatchOffload::Work::STREAM)
        {
            const uint64_t bytes =
                uint64_t{m_streams[end].ackRequestEvery} * m_streams[end].wireBytes;
            worth = std::min(worth, m_senders[end].PeekState().clock.Span(WORTH * bytes));
        }
    }
    return worth;
}

uint32_t
CircuitExpress::Step(const Works& works, Picoseconds before)
{
    m_express = std::make_unique<TrainExpress>();
    for (const uint32_t end : {0, 1})
    {
        m_express->GetWire(end).streams = works[end] == BatchOffload::Work::STREAM;
    }
    return Enter(0) && Enter(1) ? m_express->Run(before, MOST_STEPS) : 0;
}

bool
CircuitExpress::Enter(uint32_t end)
{
    TrainExpress::Wire& wire = m_express->GetWire(end);
    const BatchOffload::Stream& stream = m_streams[end];
    const BatchOffload::Stream& back = m_streams[1 - end];
    const bool isBackStream = m_express->GetWire(1 - end).streams;
    const TrainSender& sender = m_senders[end];
    wire.clock = sender.PeekState().clock;
    wire.way = m_lines[end].GetWay();
    if (isBackStream)
    {
        // the answers to the other wire's stream
        WireFrame answer;
        m_ends[end].offload->DescribeAnswer(back.peer, 1, answer);
        wire.answerBytes = answer.wireBytes;
        if (wire.streams && answer.trafficClass <= stream.trafficClass)
        {
            return false;
        }
    }
    uint64_t due = 0; // the next of the frames in flight
    if (wire.streams)
    {
        wire.stream = stream;
        due = m_ends[1 - end].offload->GetDue(stream.peer);
    }
    const auto& segments = m_lines[end].GetSegments();
    for (std::size_t i = 0; i < segments.size(); ++i)
    {
        const TrainSegment& segment = segments[i];
        const FrameRun& run = segment.head.run;
        if (segment.head.roce.IsData())
        {
            if (!wire.streams || segment.IsShared() || run.id != stream.id || run.first != due)
            {
                return false;
            }
            due += run.count;
            if (segment.tail.ackRequest)
            {
                wire.ackRequests.push_back(
                    {segment.times.Last(run.count - 1) + wire.way, run.first + run.count - 1});
            }
        }
        else
        {
            if (!isBackStream || run.id != back.peer ||
                segment.head.roce.syndrome != RoceSyndrome::ACK)
            {
                return false;
            }
        }
    }
    return !wire.streams || due == stream.next;
}

// -------------------------------------------------------------------- leaving

void
CircuitExpress::Leave(Picoseconds from, Picoseconds next)
{
    const std::array<Through, 2> through{FindThrough(0, next), FindThrough(1, next)};
    std::array<WireFrame, 2> middles;
    for (const uint32_t end : {0, 1})
    {
        CommitStream(end, through[1 - end].settled, middles[end]);
    }
    for (const uint32_t end : {0, 1})
    {
        Received received;
        TakeOffLine(end, through[end].segments, received);
        SendThrough(end, through[end], middles[end], received);
        SendOnLine(end, through[end].pieces, middles[end]);
        Deliver(end, received, through[end].answers, from);
        GoOnBehind(end);
    }
}

CircuitExpress::Through
CircuitExpress::FindThrough(uint32_t end, Picoseconds next) const
{
    const TrainExpress::Wire& wire = m_express->GetWire(end);
    const auto& segments = m_lines[end].GetSegments();
    Through through;
    // no frame behind the latest processed requesting frame is taken early
    const auto isThrough = [&](bool data, uint64_t first, Picoseconds last) {
        if (!wire.streams)
        {
            return last + wire.way < next;
        }
        // an answer, if a frame behind it has arrived
        return !data || first < wire.arrivedUpTo;
    };
    std::size_t answers = 0; // that wait for such a frame
    uint64_t settled = 0;
    for (std::size_t i = 0; i < segments.size(); ++i)
    {
        const TrainSegment& segment = segments[i];
        const bool data = segment.head.roce.IsData();
        if (!isThrough(data, segment.head.run.first, segment.times.Last(0)))
        {
            return through;
        }
        if (!data)
        {
            ++answers;
        }
        if (data || !wire.streams)
        {
            through.segments = i + 1;
            through.answers += std::exchange(answers, 0);
        }
    }
    for (std::size_t i = 0; i < wire.pieces.size(); ++i)
    {
        const TrainExpress::Piece& piece = wire.pieces[i];
        const bool data = piece.count != 0;
        if (!isThrough(data,
                       piece.first,
                       wire.ClockBefore(piece).After(wire.answerBytes - FrameClock::GAP)))
        {
            return through;
        }
        if (!data)
        {
            ++answers;
            settled = piece.first;
        }
        if (data || !wire.streams)
        {
            through.segments = segments.size();
            through.pieces = i + 1;
            through.answers += std::exchange(answers, 0);
            through.settled = settled;
        }
    }
    return through;
}

void
CircuitExpress::CommitStream(uint32_t end, uint64_t settled, WireFrame& middle)
{
    // one run for all settled frames, and one up to each frame that waits for its answer
    const TrainExpress::Wire& wire = m_express->GetWire(end);
    const BatchOffload::Stream& begin = m_streams[end];
    uint64_t first = begin.next;
    const auto commit = [&](uint64_t upTo, const RunClock& last) {
        FrameRun run;
        run.id = begin.id;
        run.first = first;
        run.count = upTo - first;
        run.wireBytes = run.lastWireBytes = begin.wireBytes;
        WireFrame head;
        RoceFrame tail;
        head.run = run;
        head.trafficClass = begin.trafficClass;
        m_ends[end].offload->CommitRun(run,
                                       last.First(0) - 1,
                                       last,
                                       head,
                                       run.count > 1 ? &tail : nullptr);
        if (first == begin.next)
        {
            middle = head;
            middle.roce.ackRequest = false;
            middle.source = m_ends[end].address;
            middle.wireBytes = begin.wireBytes;
        }
        first = upTo;
    };
    for (std::size_t i = 0; i < wire.pieces.size(); ++i)
    {
        const TrainExpress::Piece& piece = wire.pieces[i];
        const uint64_t upTo = piece.first + piece.count;
        if (piece.count != 0 && (upTo == wire.stream.next || (piece.requestsAck && upTo > settled)))
        {
            FrameClock clock = wire.ClockBefore(piece);
            clock.Skip((piece.count - 1) * uint64_t{begin.wireBytes});
            commit(upTo, RunClock(clock.GetNext(), clock.After(begin.wireBytes - FrameClock::GAP)));
        }
    }
}

void
CircuitExpress::TakeOffLine(uint32_t end, std::size_t segments, Received& received)
{
    TrainLine& line = m_lines[end];
    for (std::size_t i = 0; i < segments; ++i)
    {
        Receive(end, line.Take(line.GetSegments().front().head.run.count), received);
    }
}

void
CircuitExpress::SendThrough(uint32_t end,
                            const Through& through,
                            const WireFrame& middle,
                            Received& received)
{
    const TrainExpress::Wire& wire = m_express->GetWire(end);
    TrainLine& line = m_lines[end];
    const bool wanted = !(m_ends[0].sinks->empty() && m_ends[1].sinks->empty());
    TrainSegment segment;
    for (std::size_t i = 0; i < through.pieces; ++i)
    {
        const TrainExpress::Piece& piece = wire.pieces[i];
        const bool isLatest = piece.count == 0 && piece.first == through.settled;
        if (!wanted && piece.count == 0 && !isLatest)
        {
            line.CountThrough(1);
            continue;
        }
        if (!wanted && piece.count != 0 && received.count != 0)
        {
            line.CountThrough(piece.count);
            received.count += piece.count;
            continue;
        }
        Send(end, piece, middle, segment);
        line.CountThrough(segment.head.run.count);
        Receive(end, segment, received);
    }
}

void
CircuitExpress::SendOnLine(uint32_t end, std::size_t first, const WireFrame& middle)
{
    const TrainExpress::Wire& wire = m_express->GetWire(end);
    TrainLine& line = m_lines[end];
    for (std::size_t i = first; i < wire.pieces.size(); ++i)
    {
        Send(end, wire.pieces[i], middle, line.Add());
        line.Sent();
    }
}

void
CircuitExpress::Send(uint32_t end,
                     const TrainExpress::Piece& piece,
                     const WireFrame& middle,
                     TrainSegment& segment) const
{
    MakeSegment(end, piece, middle, segment);
    for (const auto& sink : *m_ends[end].sinks)
    {
        sink->TakeSent(segment.head, segment.tail, segment.times);
    }
}

void
CircuitExpress::MakeSegment(uint32_t end,
                            const TrainExpress::Piece& piece,
                            const WireFrame& middle,
                            TrainSegment& segment) const
{
    const TrainExpress::Wire& wire = m_express->GetWire(end);
    if (piece.count == 0)
    {
        m_ends[end].offload->DescribeAnswer(m_streams[1 - end].peer, piece.first, segment.head);
        segment.tail = segment.head.roce;
    }
    else
    {
        WireFrame& head = segment.head;
        head = middle;
        head.run.first = piece.first;
        head.run.count = piece.count;
        head.roce.psn = (head.roce.psn + piece.first - middle.run.first) & RoceFrame::PSN_MASK;
        head.roce.identification = head.roce.psn & 0xffff;
        segment.tail = head.roce;
        segment.tail.psn = (head.roce.psn + piece.count - 1) & RoceFrame::PSN_MASK;
        segment.tail.identification = segment.tail.psn & 0xffff;
        segment.tail.ackRequest = piece.requestsAck;
        head.roce.ackRequest = piece.requestsAck && piece.count == 1;
    }
    segment.lostAt = 0;
    segment.times = RunClock(wire.ClockBefore(piece), segment.head.run);
    segment.head.first = segment.times.First(0);
    segment.head.last = segment.times.Last(0);
}

void
CircuitExpress::Receive(uint32_t end, const TrainSegment& segment, Received& received) const
{
    const Picoseconds way = m_express->GetWire(end).way;
    const TrainSender::Sinks& sinks = *m_ends[1 - end].sinks;
    if (!sinks.empty())
    {
        WireFrame head = segment.head;
        head.Travel(way);
        for (const auto& sink : sinks)
        {
            sink->TakeReceived(head, segment.tail, segment.times.Later(way));
        }
    }
    if (!segment.head.roce.IsData())
    {
        received.latest = segment.head;
        received.latest.Travel(way);
        return;
    }
    if (received.count == 0)
    {
        received.first = segment.head;
    }
    received.count += segment.head.run.count;
}

void
CircuitExpress::Deliver(uint32_t end, Received& received, uint64_t answers, Picoseconds at) const
{
    BatchOffload& offload = *m_ends[1 - end].offload;
    if (received.count > 0)
    {
        // none of them causes an answer or ends a message
        WireFrame& first = received.first;
        first.run.count = received.count;
        first.roce.ackRequest = false;
        RoceFrame tail = first.roce;
        tail.psn = (tail.psn + received.count - 1) & RoceFrame::PSN_MASK;
        offload.ReceiveRun(first, tail, RunClock(at, at));
    }
    if (answers > 0)
    {
        offload.ReceiveAnswers(received.latest, answers);
    }
}

void
CircuitExpress::GoOnBehind(uint32_t end)
{
    const TrainExpress::Wire& wire = m_express->GetWire(end);
    WireFrame answer;
    const bool answered = wire.answers > 0;
    if (answered)
    {
        m_ends[end].offload->DescribeAnswer(m_streams[1 - end].peer, 1, answer);
    }
    if (wire.streams || answered)
    {
        m_senders[end].Skip(wire.clock,
                            wire.streams ? &wire.stream : nullptr,
                            answered ? answer.run.id : 0,
                            answer.trafficClass);
    }
}

} // namespace ns3
