/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "train-sender.h"

#include <algorithm>

namespace ns3
{

TrainSender::TrainSender(const TransmitterState& state,
                         uint64_t bitsPerSecond,
                         BatchOffload& offload,
                         Mac48Address address,
                         TrainLine& line,
                         const Sinks& sinks)
    : m_state(state),
      m_offload(offload),
      m_address(address),
      m_line(line),
      m_sinks(sinks)
{
    if (m_state.clock.GetRate() != bitsPerSecond)
    {
        m_state.clock = FrameClock(bitsPerSecond); // an idle wire: it gets a new anchor
    }
}

TrainSender::Choice
TrainSender::Choose(Picoseconds seen, bool wireWasIdle) const
{
    Choice choice;
    choice.any = EgressTurns::FindClass(m_offload.GetReadyClasses(), [&](uint32_t c) {
        choice.trafficClass = c;
        return m_offload.PeekRun(c, m_state.turns.After(c, wireWasIdle), seen, choice.run);
    });
    return choice;
}

void
TrainSender::Decide()
{
    const Picoseconds now = m_state.decision;
    m_state.decision = NEVER;
    Choice choice;
    if (m_open)
    {
        if (!m_disturbed)
        {
            // the last frame of the run begins: nothing can delay it any more
            Commit(m_run.count);
            if (m_offload.GetReadyClasses() != 0)
            {
                m_state.decision = m_state.busyUntil;
            }
            return;
        }
        const uint64_t begun = RunClock(m_state.clock, m_run).FirstsBy(now - 1);
        if (begun > 0)
        {
            // other frames have become ready during the run
            if (m_turns.empty())
            {
                choice = Choose(now - 1, false);
                const bool goesOn = choice.any && choice.trafficClass == m_class &&
                                    choice.run.id == m_run.id && choice.run.first == m_run.first;
                const FrameRun run = goesOn ? CutForLoss(choice.run) : m_run;
                if (goesOn && run.count > begun)
                {
                    m_run = run;
                    GoOn(now);
                    return;
                }
            }
            Commit(begun);
        }
        m_open = false;
        m_turns.clear();
        if (m_offload.GetReadyClasses() == 0)
        {
            return;
        }
    }
    const bool wireWasIdle = now != m_state.busyUntil;
    if (!choice.any || choice.run.id == m_run.id)
    {
        choice = Choose(now - 1, wireWasIdle);
    }
    Begin(choice, now, wireWasIdle);
}

void
TrainSender::Begin(const Choice& choice, Picoseconds now, bool wireWasIdle)
{
    const Picoseconds seen = now - 1;
    if (!choice.any)
    {
        // frames that became ready at this instant find the wire idle
        if (Choose(now, true).any)
        {
            m_state.decision = now + 1;
        }
        return;
    }
    if (wireWasIdle)
    {
        m_state.turns.Restart();
        m_state.clock.Start(seen);
    }
    m_state.turns.Serve(choice.trafficClass, choice.run.id);
    m_open = true;
    m_class = choice.trafficClass;
    m_run = CutForLoss(choice.run);
    if (m_run.count > 1 && !IsSure(m_run.id))
    {
        m_run = m_run.Head(1); // the first frame after a gap causes an answer
    }
    m_seen = seen;
    if (m_run.count > 1)
    {
        if (m_run.alone || !Share(now))
        {
            GoOn(now);
        }
        return;
    }
    Commit(1);
    if (m_offload.GetReadyClasses() != 0)
    {
        m_state.decision = m_state.busyUntil;
    }
}

void
TrainSender::GoOn(Picoseconds now)
{
    const RunClock times(m_state.clock, m_run);
    m_state.decision = times.First(m_run.count - 1);
    m_disturbed = false;
    if (m_run.alone && m_kicked < now && m_offload.GetReadyClasses() >> m_class == 1)
    {
        if (m_state.decision <= now)
        {
            m_state.decision = now; // it is the last frame that begins
            Decide();
        }
        return; // as nearly always
    }
    // other queue pairs that are next, and frames that became ready at this instant
    const Choice next = Choose(now, false);
    const uint64_t begun = times.FirstsBy(now);
    if (begun == m_run.count)
    {
        m_state.decision = now;
        Decide();
    }
    else if (!next.any || next.run.id != m_run.id || next.run.first != m_run.first ||
             next.run.count < m_run.count)
    {
        m_state.decision = times.First(begun);
        m_disturbed = true;
    }
}

bool
TrainSender::Share(Picoseconds now)
{
    // else a frame of a higher class may be next
    if (m_kicked >= now || m_offload.GetReadyClasses() >> m_class != 1 ||
        !m_offload.TakesTurns(m_class))
    {
        return false;
    }
    FrameRun run = m_run;
    run.count = FindTurns();
    const uint64_t last = (run.count - 1) % m_turns.size();
    const bool ends = CountOfTurn(run.count, last, m_turns.size()) == m_turns[last].count;
    run.lastWireBytes = ends ? m_turns[last].lastWireBytes : run.wireBytes;
    run = CutForLoss(run);
    const RunClock times(m_state.clock, run);
    if (run.count == 1 || times.First(1) <= now)
    {
        m_turns.clear();
        return false;
    }
    m_run = run;
    m_state.decision = times.First(run.count - 1);
    m_disturbed = false;
    return true;
}

uint64_t
TrainSender::FindTurns()
{
    m_turns.assign(1, m_run);
    FrameRun run;
    while (m_offload.PeekRun(m_class, m_turns.back().id, m_seen, run) &&
           run.id != m_turns.front().id)
    {
        if (!IsSure(run.id) || (run.count > 1 && run.wireBytes != m_run.wireBytes))
        {
            return m_turns.size(); // it goes by itself
        }
        m_turns.push_back(run);
        if (run.count == 1)
        {
            return m_turns.size();
        }
    }
    const uint64_t turns = m_turns.size();
    uint64_t count = (m_turns[0].count - 1) * turns + 1;
    for (uint64_t t = 1; t < turns; ++t)
    {
        count = std::min(count, (m_turns[t].count - 1) * turns + t + 1);
    }
    return count;
}

bool
TrainSender::IsSure(uint32_t queuePair) const
{
    return std::binary_search(m_sure.begin(), m_sure.end(), queuePair);
}

void
TrainSender::NoteSure(const TrainSegment& segment)
{
    if (!segment.head.roce.IsData())
    {
        return;
    }
    const uint32_t id = segment.head.run.id;
    const auto place = std::lower_bound(m_sure.begin(), m_sure.end(), id);
    const bool sure = place != m_sure.end() && *place == id;
    if (segment.lostAt != 0 && sure)
    {
        m_sure.erase(place);
    }
    else if (segment.lostAt == 0 && !sure)
    {
        m_sure.insert(place, id);
    }
}

FrameRun
TrainSender::CutForLoss(const FrameRun& run) const
{
    if (run.count == 1 || !m_line.IsLossy())
    {
        return run;
    }
    return run.Head(std::min(run.count, std::max<uint64_t>(m_line.GetSafeFrames(), 1)));
}

void
TrainSender::Kick(Picoseconds now)
{
    m_kicked = now;
    if (m_open)
    {
        const RunClock times(m_state.clock, m_run);
        const uint64_t begun = times.FirstsBy(now);
        if (begun < m_run.count)
        {
            m_state.decision = std::min(m_state.decision, times.First(begun));
            m_disturbed = true;
        }
        return;
    }
    if (m_state.decision == NEVER)
    {
        m_state.decision = now < m_state.busyUntil ? m_state.busyUntil : now + 1;
    }
}

void
TrainSender::CommitBegun(Picoseconds before)
{
    if (!m_open)
    {
        return;
    }
    const uint64_t begun = RunClock(m_state.clock, m_run).FirstsBy(before - 1);
    if (begun > 0)
    {
        Commit(begun);
    }
}

void
TrainSender::Commit(uint64_t count)
{
    const FrameRun taken = m_run.Head(count);
    const RunClock times(m_state.clock, taken);
    TrainSegment& segment = m_line.Add();
    WireFrame& head = segment.head;
    head.run = taken;
    head.source = m_address;
    head.wireBytes = count == 1 ? taken.lastWireBytes : taken.wireBytes;
    head.trafficClass = m_class;
    if (m_turns.empty() || count == 1)
    {
        CommitAlone(segment, times);
    }
    else
    {
        CommitShared(segment, times);
    }
    head.first = times.First(0);
    head.last = times.Last(0);
    segment.times = times;
    m_line.Sent();
    if (count == 1)
    {
        NoteSure(segment);
    }
    ShowToSinks(segment, m_sinks, &FrameSink::TakeSent);
    m_state.clock.Skip(taken.GetWireBytes());
    m_state.busyUntil = m_state.clock.GetNext();
    m_open = count < m_run.count;
    m_run.first += count;
    m_run.count -= count;
    m_seen = m_state.busyUntil - 1;
    if (!m_turns.empty())
    {
        GoOnBehind(count);
    }
}

void
TrainSender::CommitAlone(TrainSegment& segment, const RunClock& times)
{
    const FrameRun& run = segment.head.run;
    // the instant that decided the last of them
    const Picoseconds seen = run.count == 1 ? m_seen : times.First(run.count - 1) - 1;
    m_offload.CommitRun(run, seen, times, segment.head, run.count > 1 ? &segment.tail : nullptr);
    if (run.count == 1)
    {
        segment.tail = segment.head.roce;
    }
}

void
TrainSender::CommitShared(TrainSegment& segment, const RunClock& times)
{
    const uint64_t count = segment.head.run.count;
    const uint64_t turns = m_turns.size();
    segment.turns.resize(std::min(count, turns));
    WireFrame head = segment.head;
    for (uint64_t t = 0; t < segment.turns.size(); ++t)
    {
        const uint64_t frames = CountOfTurn(count, t, turns);
        const uint64_t last = (frames - 1) * turns + t;
        const Picoseconds seen = last == 0 ? m_seen : times.First(last) - 1;
        RoceFrame tail;
        head.run = m_turns[t].Head(frames);
        m_offload.CommitRun(head.run,
                            seen,
                            times.Every(t, turns, frames),
                            head,
                            frames > 1 ? &tail : nullptr);
        segment.turns[t] = {head.run.id, head.run.first, head.roce, head.destination};
        if (t == 0)
        {
            segment.head.roce = head.roce;
            segment.head.destination = head.destination;
        }
        if (last + 1 == count)
        {
            segment.tail = frames > 1 ? tail : head.roce;
        }
    }
}

void
TrainSender::GoOnBehind(uint64_t count)
{
    const uint64_t turns = m_turns.size();
    m_state.turns.Serve(m_class, m_turns[(count - 1) % turns].id);
    for (uint64_t t = 0; t < turns; ++t)
    {
        const uint64_t before = CountOfTurn(count, t, turns);
        m_turns[t].first += before;
        m_turns[t].count -= before;
    }
    std::rotate(m_turns.begin(), m_turns.begin() + count % turns, m_turns.end());
    m_run.id = m_turns.front().id;
    m_run.first = m_turns.front().first;
    if (!m_open)
    {
        m_turns.clear();
    }
}

Picoseconds
TrainSender::GetEarliestLast(uint64_t bytes, Picoseconds now) const
{
    const uint64_t toLast = bytes - FrameClock::GAP;
    if (m_open || m_state.busyUntil >= now)
    {
        return m_state.clock.After(toLast);
    }
    return GetEarliestNext(now, toLast + FrameClock::GAP);
}

Picoseconds
TrainSender::GetEarliestNext(Picoseconds now, uint64_t bytes) const
{
    const uint64_t toLast = bytes - FrameClock::GAP;
    if (!m_open && m_state.busyUntil >= now)
    {
        return m_state.clock.After(toLast);
    }
    // on a busy wire instants are rounded from the anchor, which may be a picosecond less
    const Picoseconds span = m_state.clock.Span(toLast);
    if (m_open || m_state.decision == NEVER)
    {
        return now + span - 1;
    }
    // a decision on an idle wire is for frames that became ready a picosecond before
    return std::min(now, m_state.decision - 1) + span;
}

void
TrainSender::Skip(const FrameClock& clock,
                  const BatchOffload::Stream* stream,
                  uint32_t answered,
                  uint8_t answerClass)
{
    m_state.clock = clock;
    m_state.busyUntil = clock.GetNext();
    if (stream == nullptr && answered != 0)
    {
        m_state.turns.Restart(); // as an idle wire begins
    }
    if (answered != 0)
    {
        m_state.turns.Serve(answerClass, answered);
    }
    if (stream == nullptr)
    {
        return;
    }
    m_state.turns.Serve(stream->trafficClass, stream->id);
    m_run.id = stream->id;
    m_run.first = stream->next;
    m_run.count = std::min(stream->ackRequest + 1, stream->end) - stream->next;
    m_run.wireBytes = m_run.lastWireBytes = stream->wireBytes;
    m_run.alone = true;
    m_class = stream->trafficClass;
    m_seen = m_state.busyUntil - 1;
    m_open = true;
    m_turns.clear();
    m_disturbed = false;
    m_state.decision = RunClock(clock, m_run).First(m_run.count - 1);
}

TransmitterState
TrainSender::GetState() const
{
    TransmitterState state = m_state;
    if (m_open)
    {
        state.decision = m_state.busyUntil;
    }
    return state;
}

} // namespace ns3
