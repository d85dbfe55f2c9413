/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-engine.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{

CircuitEngine::CircuitEngine(const std::array<CircuitEnd, 2>& ends, Picoseconds now)
    : m_ends(ends),
      m_lines{TrainLine(ends[0].stages), TrainLine(ends[1].stages)},
      m_senders{TrainSender(ends[0].state,
                            ends[0].rate,
                            *ends[0].offload,
                            ends[0].address,
                            m_lines[0],
                            *ends[0].sinks),
                TrainSender(ends[1].state,
                            ends[1].rate,
                            *ends[1].offload,
                            ends[1].address,
                            m_lines[1],
                            *ends[1].sinks)},
      m_express(m_ends, m_lines, m_senders),
      m_caughtUp(now)
{
}

void
CircuitEngine::Absorb(uint32_t from, WireFrame&& frame, std::size_t stage)
{
    m_lines[from].Absorb(std::move(frame), stage);
}

void
CircuitEngine::Start()
{
    for (uint32_t end : {0, 1})
    {
        m_ends[end].offload->BeginTrains();
        LookAtFront(end);
    }
}

// ------------------------------------------------------------------ advancing

void
CircuitEngine::LookAtFront(uint32_t from)
{
    TrainLine& line = m_lines[from];
    if (line.GetSegments().empty())
    {
        m_arrivals[from] = NEVER;
        return;
    }
    const TrainSegment& front = line.GetSegments().front();
    const uint64_t last = FindFirstAnswered(front, *m_ends[1 - from].offload);
    m_arrivals[from] = front.times.Last(last) + line.GetWay();
}

void
CircuitEngine::Advance(Picoseconds before)
{
    const bool outermost = !std::exchange(m_inside, true);
    const bool wasInThePast = std::exchange(m_catchingUp, true);
    for (;;)
    {
        const Picoseconds decisions[] = {m_senders[0].GetDecision(), m_senders[1].GetDecision()};
        const Picoseconds decision = std::min(decisions[0], decisions[1]);
        const Picoseconds arrival = std::min(m_arrivals[0], m_arrivals[1]);
        const Picoseconds next = std::min(decision, arrival);
        if (next >= before)
        {
            break;
        }
        if (m_express.MayTake(next) && m_express.Take(next, before))
        {
            LookAtFront(0);
            LookAtFront(1);
            continue;
        }
        if (arrival <= decision)
        {
            HandOver(m_arrivals[0] == arrival ? 0 : 1, arrival);
            continue;
        }
        const uint32_t end = decisions[0] == decision ? 0 : 1;
        m_present = decision;
        m_senders[end].Decide();
        if (m_arrivals[end] == NEVER)
        {
            LookAtFront(end);
        }
    }
    m_inside = !outermost;
    m_catchingUp = wasInThePast;
    m_caughtUp = std::max(m_caughtUp, before);
}

void
CircuitEngine::HandOver(uint32_t from, Picoseconds at)
{
    TrainLine& line = m_lines[from];
    const uint32_t to = 1 - from;
    m_present = at;
    const TrainSegment& front = line.GetSegments().front();
    const uint64_t count = front.times.LastsBy(at - line.GetWay());
    TrainSegment segment = line.Take(count);
    // until the effects of this one are known
    m_arrivals[from] = NEVER;
    const bool changes = segment.lostAt == 0 && !segment.head.roce.IsData() &&
                         m_ends[to].offload->ChangesWhatIsSent(segment.head.roce);
    if (segment.lostAt == 0)
    {
        if (changes)
        {
            // the answer changes the frames from now on
            m_senders[to].CommitBegun(at);
        }
        segment.times.Travel(line.GetWay());
        segment.head.Travel(line.GetWay());
        ShowToSinks(segment, *m_ends[to].sinks, &FrameSink::TakeReceived);
        ForEachQueuePair(segment,
                         [&](const WireFrame& head, const RoceFrame& tail, const RunClock& times) {
                             const bool known = m_ends[to].offload->ReceiveRun(head, tail, times);
                             NS_ABORT_MSG_UNLESS(known,
                                                 "CircuitEngine: queue pair "
                                                     << head.roce.destinationQp
                                                     << " is not known at the other end");
                         });
    }
    if (!m_retired)
    {
        if (changes)
        {
            m_senders[to].Kick(at); // even if fewer frames remain
        }
        LookAtFront(from);
        if (m_arrivals[to] == NEVER)
        {
            LookAtFront(to); // sent frames may have been committed
        }
    }
}

void
CircuitEngine::CatchUp(Picoseconds now)
{
    if (m_retired)
    {
        return;
    }
    Advance(now);
    for (uint32_t end : {0, 1})
    {
        m_senders[end].CommitBegun(now);
        if (m_arrivals[end] == NEVER)
        {
            LookAtFront(end);
        }
    }
}

void
CircuitEngine::CatchUpWholly(Picoseconds now)
{
    CatchUp(now);
    const bool before = std::exchange(m_catchingUp, true);
    const bool inside = std::exchange(m_inside, true);
    for (uint32_t from : {0, 1})
    {
        TrainLine& line = m_lines[from];
        while (!line.GetSegments().empty())
        {
            const uint64_t count =
                line.GetSegments().front().times.LastsBy(now - 1 - line.GetWay());
            if (count == 0)
            {
                break;
            }
            const Picoseconds at = line.GetSegments().front().times.Last(count - 1);
            HandOver(from, at + line.GetWay());
        }
    }
    m_inside = inside;
    m_catchingUp = before;
    for (const CircuitEnd& end : m_ends)
    {
        for (const auto& sink : *end.sinks)
        {
            sink->Settle(now - 1); // frames on an idle wire are decided a picosecond later
        }
    }
}

void
CircuitEngine::Deliver(Picoseconds now, uint32_t end)
{
    const uint32_t from = 1 - end;
    const bool before = std::exchange(m_inside, true);
    while (!m_retired && m_arrivals[from] == now)
    {
        HandOver(from, now);
    }
    m_inside = before;
}

void
CircuitEngine::Kick(uint32_t end, Picoseconds now)
{
    if (!m_inside)
    {
        Advance(now); // frames that were ready before come first
        m_present = now;
    }
    m_senders[end].Kick(m_present);
}

bool
CircuitEngine::IsQuiet(Picoseconds now) const
{
    for (const uint32_t end : {0, 1})
    {
        if (!m_senders[end].IsQuiet(now) || !m_lines[end].GetSegments().empty() ||
            m_lines[end].IsLossy() || m_ends[end].offload->GetReadyClasses() != 0)
        {
            return false;
        }
    }
    return !m_retired && m_caughtUp <= now;
}

// ------------------------------------------------------------------- horizon

void
CircuitEngine::Lower(Horizon& horizon, Picoseconds at, uint32_t end)
{
    if (at < horizon.at)
    {
        horizon.at = at;
        horizon.end = end;
    }
}

CircuitEngine::Horizon
CircuitEngine::GetHorizon()
{
    Horizon horizon = FindHorizon();
    if (horizon.at <= m_caughtUp && horizon.at != m_arrivals[1 - horizon.end])
    {
        // the bytes count from the begin of a run that has continued since
        for (const uint32_t end : {0, 1})
        {
            m_senders[end].CommitBegun(m_caughtUp);
            LookAtFront(end);
        }
        horizon = FindHorizon();
    }
    return horizon;
}

CircuitEngine::Horizon
CircuitEngine::FindHorizon()
{
    const bool lossy = m_lines[0].IsLossy() || m_lines[1].IsLossy();
    BatchOffload::Outlook outlooks[2];
    for (const uint32_t end : {0, 1})
    {
        outlooks[end] = m_ends[end].offload->GetOutlook(lossy);
        if (outlooks[end].several && m_senders[end].IsOpen())
        {
            // the queue pairs that alternate from now on did not before
            m_senders[end].CommitBegun(m_caughtUp);
            LookAtFront(end);
            outlooks[end] = m_ends[end].offload->GetOutlook(lossy);
        }
    }
    Horizon horizon;
    for (uint32_t from : {0, 1})
    {
        LowerByLine(horizon, from, outlooks[from].lossPossible, outlooks[1 - from].lossPossible);
        LowerByOutlook(horizon, from, outlooks[from], lossy);
    }
    if (horizon.at != NEVER)
    {
        return horizon;
    }
    // no visible effect: the next call is due at the end
    for (uint32_t from : {0, 1})
    {
        const auto& segments = m_lines[from].GetSegments();
        if (!segments.empty())
        {
            const TrainSegment& last = segments.back();
            Lower(horizon,
                  last.times.Last(last.head.run.count - 1) + m_lines[from].GetWay() + 1,
                  1 - from);
        }
        if (m_senders[from].GetDecision() != NEVER)
        {
            Lower(horizon, m_senders[from].GetDecision() + 1, from);
        }
    }
    return horizon;
}

void
CircuitEngine::LowerByLine(Horizon& horizon,
                           uint32_t from,
                           bool lossPossible,
                           bool peerLossPossible) const
{
    const TrainLine& line = m_lines[from];
    const uint32_t to = 1 - from;
    const auto& segments = line.GetSegments();
    for (std::size_t i = 0; i < segments.size(); ++i)
    {
        const TrainSegment& segment = segments[i];
        const Picoseconds at = segment.times.Last(segment.head.run.count - 1) + line.GetWay();
        const bool data = segment.head.roce.IsData();
        if (data && lossPossible)
        {
            // it may cause an answer, and the answer may settle a message or request a
            // retransmission
            LowerByAnswer(horizon,
                          from,
                          i == 0 ? m_arrivals[from] : segment.times.Last(0) + line.GetWay());
        }
        if (data ? segment.tail.IsLast()
                 : peerLossPossible || m_ends[to].offload->MaySettle(segment.head.roce))
        {
            Lower(horizon, at, to);
        }
        if (at >= horizon.at)
        {
            return;
        }
    }
}

void
CircuitEngine::LowerByAnswer(Horizon& horizon, uint32_t from, Picoseconds at) const
{
    const uint32_t to = 1 - from;
    Lower(horizon, m_senders[to].GetEarliestNext(at) + m_lines[to].GetWay(), from);
}

Picoseconds
CircuitEngine::GetEarliestAnswer(uint32_t to) const
{
    const uint32_t from = 1 - to;
    // the line's arrivals are those of the first frame that may cause an answer
    Picoseconds at = std::min(m_senders[from].IsBusy() ? m_caughtUp : NEVER, m_arrivals[to]);
    if (at != NEVER)
    {
        at = m_senders[from].GetEarliestNext(at) + m_lines[from].GetWay();
    }
    return std::min(at, m_arrivals[from]);
}

void
CircuitEngine::LowerByOutlook(Horizon& horizon,
                              uint32_t from,
                              const BatchOffload::Outlook& outlook,
                              bool lossy) const
{
    const TrainSender& sender = m_senders[from];
    const Picoseconds begin = sender.IsBusy() ? m_caughtUp : GetEarliestAnswer(from);
    if (begin == NEVER)
    {
        return; // its window is closed, and no answer will open it
    }
    const Picoseconds way = m_lines[from].GetWay();
    const uint32_t to = 1 - from;
    const bool answered = outlook.timer != NEVER && (outlook.lossPossible || lossy);
    const Picoseconds next =
        outlook.again || answered ? sender.GetEarliestNext(begin) + way : NEVER;
    if (outlook.bytesToEnd != BatchOffload::Outlook::NOTHING)
    {
        Lower(horizon, sender.GetEarliestLast(outlook.bytesToEnd, begin) + way, to);
    }
    if (outlook.again)
    {
        Lower(horizon, next, to);
    }
    if (outlook.timer != NEVER)
    {
        Lower(horizon, begin + outlook.timer, from);
    }
    if (answered)
    {
        LowerByAnswer(horizon, from, next);
    }
    if (outlook.answers)
    {
        Lower(horizon, sender.GetEarliestNext(begin, BatchOffload::Outlook::ANSWER) + way, to);
    }
}

} // namespace ns3
