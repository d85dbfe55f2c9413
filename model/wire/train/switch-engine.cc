/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-engine.h"

#include "ns3/abort.h"
#include "ns3/mac-number.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

SwitchEngine::End::End(const SwitchEnd& theEnd, Picoseconds delay)
    : port(theEnd.port),
      nic(theEnd.nic),
      way(theEnd.nic.stages[0].end),
      up(theEnd.nic.stages),
      sender(theEnd.nic.state,
             theEnd.nic.rate,
             *nic.offload,
             theEnd.nic.address,
             up,
             *theEnd.nic.sinks),
      down({theEnd.fiber}),
      wire(theEnd.egress, theEnd.egressRate, delay, down)
{
}

SwitchEngine::SwitchEngine(const std::vector<SwitchEnd>& ends, Picoseconds delay, Picoseconds now)
    : m_delay(delay),
      m_leastWay(NEVER),
      m_leastDown(NEVER),
      m_caughtUp(now)
{
    Picoseconds leastUp = NEVER;
    for (const SwitchEnd& end : ends)
    {
        m_addresses.emplace_back(ToNumber(end.nic.address), m_ends.size());
        m_ends.push_back(std::make_unique<End>(end, delay));
        leastUp = std::min(leastUp, m_ends.back()->way);
        m_leastDown = std::min(m_leastDown, m_ends.back()->down.GetWay());
        m_endOf.resize(std::max<std::size_t>(m_endOf.size(), end.port + 1));
        m_endOf[end.port] = m_ends.size() - 1;
        m_inRates.push_back(end.nic.rate);
        m_outRates.push_back(m_ends.back()->wire.GetState().clock.GetRate());
    }
    m_leastWay = leastUp + delay + m_leastDown;
    std::sort(m_addresses.begin(), m_addresses.end());
    m_next = EarliestSlot(KINDS * m_ends.size());
}

uint32_t
SwitchEngine::FindEnd(Mac48Address address) const
{
    const uint64_t number = ToNumber(address);
    const auto place =
        std::lower_bound(m_addresses.begin(), m_addresses.end(), std::pair(number, uint32_t{0}));
    return place != m_addresses.end() && place->first == number ? place->second : m_ends.size();
}

void
SwitchEngine::AbsorbComing(uint32_t from, WireFrame&& frame)
{
    TrainSegment segment;
    segment.times = RunClock(frame.first, frame.last);
    segment.tail = frame.roce;
    segment.head = std::move(frame);
    m_ends[from]->toSwitch.Add(segment.head.run);
    const uint32_t to = FindEnd(segment.head.destination);
    m_ends[to]->wire.Add(m_ends[from]->port, std::move(segment));
}

void
SwitchEngine::AbsorbInside(uint32_t from, WireFrame&& frame, Picoseconds enters)
{
    const uint32_t to = FindEnd(frame.destination);
    m_ends[to]->wire.Absorb(m_ends[from]->port, std::move(frame), enters);
}

void
SwitchEngine::AbsorbLeaving(uint32_t to, WireFrame&& frame)
{
    m_ends[to]->down.Absorb(std::move(frame), 0);
}

void
SwitchEngine::Start()
{
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        m_ends[end]->nic.offload->BeginTrains();
    }
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        Follow(end);
        LookAtFront(end);
        LookAtWire(end);
    }
}

// ------------------------------------------------------------------ advancing

void
SwitchEngine::Follow(uint32_t end)
{
    End& from = *m_ends[end];
    from.stale = true;
    SetAt(DECISION, end, from.sender.GetDecision());
    RingQueue<TrainSegment>& segments = from.up.GetSegments();
    for (; !segments.empty(); segments.pop_front())
    {
        TrainSegment& segment = segments.front();
        segment.times.Travel(from.way);
        segment.head.Travel(from.way);
        from.toSwitch.Add(segment.head.run);
        Distribute(from.port, std::move(segment));
    }
    if (from.sender.IsOpen())
    {
        FindOpenTo(end);
    }
}

void
SwitchEngine::Distribute(uint32_t ingress, TrainSegment&& segment)
{
    const Mac48Address first = segment.head.destination;
    if (std::all_of(segment.turns.begin(), segment.turns.end(), [&](const TrainTurn& turn) {
            return turn.destination == first;
        }))
    {
        const uint32_t to = FindEnd(first);
        m_ends[to]->wire.Add(ingress, std::move(segment));
        LookAtWire(to);
        return;
    }
    // to several ports in turn: each gets single frames
    for (uint64_t place = 0; place < segment.head.run.count; ++place)
    {
        TrainSegment one;
        one.head = MakeFrame(segment, place);
        one.tail = one.head.roce;
        one.times = segment.times.Part(place, 1);
        m_ends[FindEnd(one.head.destination)]->wire.Add(ingress, std::move(one));
    }
    for (const TrainTurn& turn : segment.turns)
    {
        LookAtWire(FindEnd(turn.destination));
    }
}

void
SwitchEngine::FindOpenTo(uint32_t end)
{
    End& from = *m_ends[end];
    const std::vector<FrameRun>& turns = from.sender.GetOpenTurns();
    if (turns.empty() && from.openPair == from.sender.GetOpenQueuePair())
    {
        return;
    }
    for (const uint32_t to : from.openTo)
    {
        std::vector<uint32_t>& by = m_ends[to]->openBy;
        const auto place = std::lower_bound(by.begin(), by.end(), end);
        if (place != by.end() && *place == end) // several queue pairs may lead to one end
        {
            by.erase(place);
        }
    }
    from.openTo.clear();
    for (const FrameRun& run : turns)
    {
        from.openTo.push_back(FindEnd(from.nic.offload->GetPeer(run.id)));
    }
    from.openPair = turns.empty() ? from.sender.GetOpenQueuePair() : 0;
    if (turns.empty())
    {
        from.openTo.push_back(FindEnd(from.nic.offload->GetPeer(from.openPair)));
    }
    for (const uint32_t to : from.openTo)
    {
        std::vector<uint32_t>& by = m_ends[to]->openBy;
        const auto place = std::lower_bound(by.begin(), by.end(), end);
        if (place == by.end() || *place != end)
        {
            by.insert(place, end);
        }
    }
}

void
SwitchEngine::LookAtWire(uint32_t end)
{
    m_ends[end]->stale = true;
    SetAt(WIRE, end, m_ends[end]->wire.GetDue(m_wary));
}

void
SwitchEngine::LookAtFront(uint32_t end)
{
    End& to = *m_ends[end];
    to.stale = true;
    const auto& segments = to.down.GetSegments();
    if (segments.empty())
    {
        SetAt(ARRIVAL, end, NEVER);
        return;
    }
    const TrainSegment& front = segments.front();
    const uint64_t last = FindFirstAnswered(front, *to.nic.offload);
    SetAt(ARRIVAL, end, front.times.Last(last) + to.down.GetWay());
}

void
SwitchEngine::CommitTo(uint32_t end, Picoseconds before)
{
    const std::vector<uint32_t>& senders = m_ends[end]->openBy;
    for (std::size_t i = 0; i < senders.size();)
    {
        const uint32_t from = senders[i];
        End& sending = *m_ends[from];
        if (sending.sender.IsOpen() &&
            sending.sender.PeekState().clock.GetNext() + sending.way + m_delay < before)
        {
            sending.sender.CommitBegun(before);
            Follow(from); // its next run may go elsewhere
        }
        i += i < senders.size() && senders[i] == from ? 1 : 0;
    }
}

void
SwitchEngine::AdvanceWire(uint32_t end, Picoseconds before)
{
    CommitTo(end, before);
    m_ends[end]->wire.Advance(before);
    LookAtWire(end);
    if (At(ARRIVAL, end) == NEVER)
    {
        LookAtFront(end);
    }
}

void
SwitchEngine::Advance(Picoseconds before)
{
    const bool outermost = !std::exchange(m_inside, true);
    const Picoseconds present = m_present; // of a delivery that this call is part of
    const bool wasInThePast = std::exchange(m_catchingUp, true);
    for (;;)
    {
        const std::size_t place = m_next.GetFirst();
        const Picoseconds at = m_next.Get(place);
        if (at >= before)
        {
            break;
        }
        const uint32_t end = place % m_ends.size();
        switch (place / m_ends.size())
        {
        case ARRIVAL:
            HandOver(end, at);
            break;
        case DECISION:
            m_present = at;
            m_ends[end]->sender.Decide();
            Follow(end);
            break;
        default:
            AdvanceWire(end, at);
        }
    }
    m_present = outermost ? m_present : present;
    m_inside = !outermost;
    m_catchingUp = wasInThePast;
    m_caughtUp = std::max(m_caughtUp, before);
}

void
SwitchEngine::HandOver(uint32_t to, Picoseconds at)
{
    End& end = *m_ends[to];
    m_present = at;
    const uint64_t count = end.down.GetSegments().front().times.LastsBy(at - end.down.GetWay());
    TrainSegment segment = end.down.Take(count);
    SetAt(ARRIVAL, to, NEVER); // until the effects of this one are known
    const bool changes =
        !segment.head.roce.IsData() && end.nic.offload->ChangesWhatIsSent(segment.head.roce);
    if (changes)
    {
        end.sender.CommitBegun(at);
    }
    segment.times.Travel(end.down.GetWay());
    segment.head.Travel(end.down.GetWay());
    ShowToSinks(segment, *end.nic.sinks, &FrameSink::TakeReceived);
    ForEachQueuePair(segment,
                     [&](const WireFrame& head, const RoceFrame& tail, const RunClock& times) {
                         const bool known = end.nic.offload->ReceiveRun(head, tail, times);
                         NS_ABORT_MSG_UNLESS(known,
                                             "SwitchEngine: queue pair "
                                                 << head.roce.destinationQp
                                                 << " is not known at the other end");
                     });
    if (m_retired)
    {
        return;
    }
    if (changes)
    {
        end.sender.Kick(at); // even if fewer frames remain
    }
    Follow(to);
    LookAtFront(to);
}

void
SwitchEngine::CatchUp(Picoseconds now)
{
    if (m_retired)
    {
        return;
    }
    Advance(now);
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        if (m_ends[end]->sender.IsOpen())
        {
            m_ends[end]->sender.CommitBegun(now);
            Follow(end);
        }
    }
}

uint64_t
SwitchEngine::GetWaitingBytes(Picoseconds now)
{
    CatchUp(now);
    uint64_t bytes = 0;
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        AdvanceWire(end, now);
        bytes += m_ends[end]->wire.GetWaiting(now).bytes;
    }
    return bytes;
}

uint64_t
SwitchEngine::GetBytesToLeave() const
{
    SwitchWire::Counts coming;
    for (const auto& end : m_ends)
    {
        for (const SwitchWire::Inflow& inflow : end->wire.GetInflows())
        {
            for (std::size_t i = 0; i < inflow.parts.size(); ++i)
            {
                coming.Add(inflow.parts[i].segment.head.run);
            }
        }
    }
    return coming.bytes;
}

bool
SwitchEngine::AddFlows(uint32_t from, SwitchFlows& flows, uint64_t& answers) const
{
    BatchOffload::Prospect prospect;
    if (!m_ends[from]->nic.offload->GetProspect(prospect))
    {
        return false;
    }
    for (const Mac48Address peer : prospect.peers)
    {
        const uint32_t to = FindEnd(peer);
        if (to == m_ends.size())
        {
            return false;
        }
        flows.Add({from, to, prospect.frameBytes});
    }
    answers += prospect.answers + prospect.shortFrames;
    return true;
}

bool
SwitchEngine::FindGrowth(uint32_t largest, Growth& growth)
{
    constexpr uint32_t ANSWER = BatchOffload::Outlook::ANSWER;
    SwitchFlows flows;
    uint64_t answers = 0;
    for (uint32_t from = 0; from < m_ends.size(); ++from)
    {
        if (!AddFlows(from, flows, answers))
        {
            m_flows.Clear();
            return false;
        }
    }
    const auto sum = [](const std::vector<uint64_t>& rates) {
        return std::accumulate(rates.begin(), rates.end(), uint64_t{0});
    };
    std::vector<uint64_t> rates = flows.GetGrowth(m_inRates, m_outRates, ANSWER);
    // flows that had something to send before will again; but not if they met others then
    m_flows.Add(flows);
    std::vector<uint64_t> withEarlier = m_flows.GetGrowth(m_inRates, m_outRates, ANSWER);
    if (sum(withEarlier) > sum(rates) + m_outRates[0] / 2)
    {
        m_flows = flows;
    }
    else
    {
        rates = std::move(withEarlier);
    }
    growth.anywhere = answers * 2 * ANSWER;
    for (const uint64_t rate : rates)
    {
        growth.ports.push_back({largest, rate}); // a wire does not begin another frame during one
    }
    for (const SwitchFlow& flow : m_flows.Get())
    {
        growth.ports[flow.to].bytes += largest; // a frame of each flow comes in at once
    }
    AddBytesBeside(growth);
    return true;
}

bool
SwitchEngine::IsForeseen(uint32_t end) const
{
    SwitchFlows flows;
    uint64_t answers = 0;
    return AddFlows(end, flows, answers) && m_flows.Includes(flows);
}

void
SwitchEngine::AddBytesBeside(Growth& growth) const
{
    // nothing is lost, so only the last frame of a run is answered: an ACK and a CNP, which is
    // longer
    constexpr uint64_t ANSWERS = 4 * BatchOffload::Outlook::ANSWER;
    for (uint32_t to = 0; to < m_ends.size(); ++to)
    {
        for (const SwitchWire::Inflow& inflow : m_ends[to]->wire.GetInflows())
        {
            const uint32_t from = m_endOf[inflow.ingress];
            const bool known = !inflow.parts.empty() && m_flows.Has(from, to);
            for (std::size_t i = 0; i < inflow.parts.size(); ++i)
            {
                const WireFrame& head = inflow.parts[i].segment.head;
                const bool isData = head.roce.IsData();
                growth.ports[from].bytes += isData ? ANSWERS : 0;
                growth.ports[to].bytes += known && isData ? 0 : head.run.GetWireBytes();
            }
        }
        const auto& segments = m_ends[to]->down.GetSegments();
        for (std::size_t s = 0; s < segments.size(); ++s)
        {
            growth.anywhere += segments[s].head.roce.IsData() ? ANSWERS : 0;
        }
    }
}

Picoseconds
SwitchEngine::GetEarliestSend()
{
    Picoseconds earliest = NEVER;
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        earliest =
            std::min(earliest, m_ends[end]->sender.IsBusy() ? m_caughtUp : GetEarliestArrival(end));
    }
    return earliest;
}

void
SwitchEngine::CatchUpWholly(Picoseconds now)
{
    if (m_retired)
    {
        return;
    }
    GetWaitingBytes(now);
    const Picoseconds present = m_present;
    const bool before = std::exchange(m_catchingUp, true);
    const bool inside = std::exchange(m_inside, true);
    for (uint32_t to = 0; to < m_ends.size(); ++to)
    {
        const TrainLine& line = m_ends[to]->down;
        while (!line.GetSegments().empty())
        {
            const TrainSegment& front = line.GetSegments().front();
            const uint64_t count = front.times.LastsBy(now - 1 - line.GetWay());
            if (count == 0)
            {
                break;
            }
            HandOver(to, front.times.Last(count - 1) + line.GetWay());
        }
    }
    m_present = present;
    m_inside = inside;
    m_catchingUp = before;
    for (const auto& end : m_ends)
    {
        for (const auto& sink : *end->nic.sinks)
        {
            sink->Settle(now - 1); // frames on an idle wire are decided a picosecond later
        }
    }
}

void
SwitchEngine::Deliver(Picoseconds now, uint32_t end)
{
    const bool before = std::exchange(m_inside, true);
    while (!m_retired && At(ARRIVAL, end) == now)
    {
        HandOver(end, now);
    }
    m_inside = before;
}

void
SwitchEngine::Kick(uint32_t end, Picoseconds now)
{
    if (!m_inside)
    {
        Advance(now); // frames that were ready before come first
        m_present = now;
    }
    m_ends[end]->sender.Kick(m_present);
    Follow(end);
}

// ------------------------------------------------------------------- horizon

namespace
{

/** Moves a horizon to an earlier instant. */
void
Lower(SwitchEngine::Horizon& horizon, Picoseconds at, uint32_t end)
{
    if (at < horizon.at)
    {
        horizon.at = at;
        horizon.end = end;
    }
}

} // namespace

SwitchEngine::Horizon
SwitchEngine::GetHorizon()
{
    Horizon horizon;
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        End& one = *m_ends[end];
        if (!one.stale && one.bound.at <= m_caughtUp)
        {
            // the bytes count from the begin of a run that has continued since
            one.sender.CommitBegun(m_caughtUp);
            Follow(end);
        }
    }
    for (bool again = true; again;)
    {
        again = false;
        for (uint32_t end = 0; end < m_ends.size(); ++end)
        {
            if (std::exchange(m_ends[end]->stale, false))
            {
                m_ends[end]->bound = FindBound(end);
                again = true; // frames may have been committed to another wire
            }
        }
    }
    UpdateWary();
    for (const auto& end : m_ends)
    {
        Lower(horizon, end->bound.at, end->bound.end);
    }
    if (horizon.at != NEVER)
    {
        return horizon;
    }
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        AdvanceWire(end, m_caughtUp);
    }
    return FindLast();
}

void
SwitchEngine::UpdateWary()
{
    const bool wary = std::any_of(m_ends.begin(), m_ends.end(), [](const auto& end) {
        return end->lossPossible;
    });
    if (m_wary && !wary)
    {
        m_wary = false; // for good: trains lose nothing
        for (uint32_t end = 0; end < m_ends.size(); ++end)
        {
            LookAtWire(end);
        }
    }
}

Picoseconds
SwitchEngine::GetEarliestArrival(uint32_t end)
{
    const End& one = *m_ends[end];
    Picoseconds earliest = At(ARRIVAL, end);
    for (const SwitchWire::Inflow& inflow : one.wire.GetInflows())
    {
        if (!inflow.parts.empty())
        {
            earliest =
                std::min(earliest,
                         one.wire.GetEarliestBegin(inflow.parts.front(), 0, 0) + one.down.GetWay());
        }
    }
    return earliest;
}

Picoseconds
SwitchEngine::GetEarliestAnswer(uint32_t end)
{
    Picoseconds earliest = GetEarliestArrival(end);
    for (uint32_t from = 0; from < m_ends.size(); ++from)
    {
        const Picoseconds at =
            m_ends[from]->sender.IsBusy() ? m_caughtUp : GetEarliestArrival(from);
        if (from != end && at != NEVER)
        {
            earliest =
                std::min(earliest, at + m_ends[from]->way + m_delay + m_ends[end]->down.GetWay());
        }
    }
    return earliest;
}

SwitchEngine::Horizon
SwitchEngine::FindBound(uint32_t end)
{
    Horizon horizon;
    LowerByOutlook(horizon, end);
    LowerByFrames(horizon, end);
    return horizon;
}

void
SwitchEngine::LowerByOutlook(Horizon& horizon, uint32_t from)
{
    End& end = *m_ends[from];
    TrainSender& sender = end.sender;
    BatchOffload::Outlook outlook = end.nic.offload->GetOutlook(false);
    if (outlook.several && sender.IsOpen())
    {
        // the queue pairs that alternate from now on did not before
        const uint64_t begun = end.up.GetBegun();
        sender.CommitBegun(m_caughtUp);
        if (end.up.GetBegun() != begun)
        {
            Follow(from);
        }
        outlook = end.nic.offload->GetOutlook(false);
    }
    end.lossPossible = outlook.lossPossible;
    if (outlook.bytesToEnd == BatchOffload::Outlook::NOTHING && !outlook.again &&
        !outlook.answers && outlook.timer == NEVER)
    {
        return;
    }
    // a wire is computed late if none of its frames matters
    const Picoseconds begin =
        sender.IsBusy() ? m_caughtUp : std::max(m_caughtUp, GetEarliestAnswer(from));
    if (begin == NEVER)
    {
        return; // its window is closed, and no answer will open it
    }
    const Picoseconds next = sender.GetEarliestNext(begin) + m_leastWay;
    if (outlook.bytesToEnd != BatchOffload::Outlook::NOTHING)
    {
        Lower(horizon, sender.GetEarliestLast(outlook.bytesToEnd, begin) + m_leastWay, from);
    }
    if (outlook.again)
    {
        Lower(horizon, next, from);
    }
    if (outlook.timer != NEVER)
    {
        Lower(horizon, begin + outlook.timer, from);
    }
    if (outlook.timer != NEVER && outlook.lossPossible)
    {
        Lower(horizon, next + m_leastWay, from);
    }
    if (outlook.answers)
    {
        Lower(horizon,
              sender.GetEarliestNext(begin, BatchOffload::Outlook::ANSWER) + m_leastWay,
              from);
    }
}

void
SwitchEngine::LowerByFrames(Horizon& horizon, uint32_t to) const
{
    const End& end = *m_ends[to];
    const auto& segments = end.down.GetSegments();
    const Picoseconds way = end.down.GetWay();
    for (std::size_t i = 0; i < segments.size(); ++i)
    {
        const RunClock& times = segments[i].times;
        LowerByRun(horizon,
                   to,
                   segments[i],
                   times.Last(0) + way,
                   times.Last(segments[i].head.run.count - 1) + way);
    }
    const FrameClock& clock = end.wire.GetState().clock;
    for (const SwitchWire::Inflow& inflow : end.wire.GetInflows())
    {
        uint64_t ahead = 0;
        for (std::size_t i = 0; i < inflow.parts.size(); ++i)
        {
            const SwitchPart& part = inflow.parts[i];
            const FrameRun& run = part.segment.head.run;
            LowerByRun(horizon,
                       to,
                       part.segment,
                       end.wire.GetEarliestBegin(part, ahead, 0) + way,
                       end.wire.GetEarliestBegin(part, ahead, run.count - 1) +
                           clock.Span(run.lastWireBytes - FrameClock::GAP) - 1 + way);
            ahead += run.GetWireBytes();
        }
    }
}

void
SwitchEngine::LowerByRun(Horizon& horizon,
                         uint32_t to,
                         const TrainSegment& segment,
                         Picoseconds first,
                         Picoseconds at) const
{
    const bool data = segment.head.roce.IsData();
    if (data && m_wary)
    {
        // it may cause an answer, and the answer may request a retransmission
        const Picoseconds begin = std::max(first, m_caughtUp);
        Lower(horizon, m_ends[to]->sender.GetEarliestNext(begin) + m_leastWay, to);
    }
    if (data ? segment.tail.IsLast()
             : m_wary || m_ends[to]->nic.offload->MaySettle(segment.head.roce))
    {
        Lower(horizon, at, to);
    }
}

SwitchEngine::Horizon
SwitchEngine::FindLast() const
{
    Horizon horizon;
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        const End& one = *m_ends[end];
        const Picoseconds way = one.down.GetWay();
        const auto& segments = one.down.GetSegments();
        if (!segments.empty())
        {
            const TrainSegment& last = segments.back();
            Lower(horizon, last.times.Last(last.head.run.count - 1) + way + 1, end);
        }
        for (const SwitchWire::Inflow& inflow : one.wire.GetInflows())
        {
            if (!inflow.parts.empty())
            {
                const SwitchPart& part = inflow.parts.front();
                Lower(horizon, one.wire.GetEarliestBegin(part, 0, 0) + way + 2, end);
            }
        }
        if (one.sender.GetDecision() != NEVER)
        {
            Lower(horizon, one.sender.GetDecision() + 1, end);
        }
    }
    return horizon;
}

} // namespace ns3
