/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-messages.h"

#include "ns3/assert.h"
#include "ns3/roce-frame.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

// ------------------------------------------------------------------------- ranks

CircuitMessages::Rank::Rank(CircuitMessages& messages, uint32_t place)
    : m_messages(messages),
      m_rank(messages.m_operation.m_ranks[place]),
      m_run(m_rank.part,
            messages.m_operation.m_kind.bytes,
            messages.m_operation.m_kind.messageSize,
            *this,
            messages.m_operation.m_kind.protocol)
{
    outcome.ended = m_rank.entered;
    outcome.sent.resize(m_rank.ways.size());
}

void
CircuitMessages::Rank::Enter()
{
    m_now = m_rank.entered;
    m_run.Start();
    m_run.OpenStage(m_rank.part->stages.front());
}

void
CircuitMessages::Rank::Take(uint32_t from, uint16_t channel, const Message& message, Picoseconds at)
{
    // what it allows follows the rank's own messages, though it has come before the entry
    m_now = std::max(at, m_rank.entered);
    const std::string mistake = m_run.Arrived(from, channel, message.ordinal, message.bytes);
    NS_ASSERT_MSG(mistake.empty(), mistake);
    outcome.ended = std::max(outcome.ended, at);
}

void
CircuitMessages::Rank::SendMessage(CollectiveRun&, const CollectiveRun::Message& message)
{
    const auto& ways = m_rank.part->waysOut;
    const auto way = std::find_if(ways.begin(), ways.end(), [&](const RankSchedule::Way& one) {
        return one.peer == message.peer && one.channel == message.channel;
    });
    const std::size_t out = way - ways.begin();
    const Size& size = m_messages.m_operation.m_sizes.at(message.bytes);
    QueuePairProgress& sent = outcome.sent[out];
    ++sent.messages;
    ++sent.wireMessages;
    sent.bytes += message.bytes;
    sent.frames += size.frames;
    Wire& wire = m_messages.m_wires[wires[out]];
    wire.messages.push_back({m_now, &size, message.ordinal, message.bytes});
    if (wire.messages.size() == 1)
    {
        m_messages.Schedule(wires[out]);
    }
}

// ------------------------------------------------------------------------- wires

CircuitMessages::CircuitMessages(const OperationOnCircuits& operation)
    : m_operation(operation),
      m_answerBytes(RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0))
{
    NS_ASSERT(operation.HaveAllEntered());
    for (uint32_t place = 0; place < operation.m_ranks.size(); ++place)
    {
        m_ranks.emplace_back(*this, place);
    }
    MakeWires();
}

void
CircuitMessages::MakeWires()
{
    std::map<std::size_t, std::size_t> circuits; // the first wire of each
    for (uint32_t place = 0; place < m_ranks.size(); ++place)
    {
        const std::vector<WayOnCircuit>& ways = m_operation.m_ranks[place].ways;
        for (uint32_t out = 0; out < ways.size(); ++out)
        {
            const WayOnCircuit& its = ways[out];
            const auto [first, isNew] = circuits.try_emplace(its.circuit, m_wires.size());
            if (isNew)
            {
                m_wires.resize(m_wires.size() + 2);
            }
            const std::size_t number = first->second + its.end;
            const std::size_t back = first->second + 1 - its.end;
            Wire& wire = m_wires[number];
            wire.clock = FrameClock(its.there.rate);
            wire.way = its.there.way;
            wire.back = back;
            wire.from = place;
            wire.out = out;
            m_wires[back].clock = FrameClock(its.back.rate);
            m_wires[back].way = its.back.way;
            m_wires[back].back = number;
            m_ranks[place].wires.push_back(number);
        }
    }
}

uint64_t
CircuitMessages::GetRequest(const Wire& wire) const
{
    const uint64_t every = m_operation.m_like.ackEvery;
    return std::min((wire.frame / every + 1) * every, wire.messages.front().size->frames) - 1;
}

uint64_t
CircuitMessages::GetBytesBefore(const Wire& wire, uint64_t request) const
{
    const Size& size = *wire.messages.front().size;
    const uint64_t frames = request - wire.frame;
    return wire.frame > 0 || frames == 0 ? frames * size.bytes
                                         : size.firstBytes + (frames - 1) * size.bytes;
}

bool
CircuitMessages::FindsIdle(const Wire& wire) const
{
    return wire.frame == 0 && (!wire.isUsed || wire.messages.front().ready >= wire.clock.GetNext());
}

void
CircuitMessages::Schedule(uint32_t number)
{
    Wire& wire = m_wires[number];
    ++wire.version;
    if (wire.messages.empty())
    {
        return;
    }
    const uint64_t request = GetRequest(wire);
    const bool isFresh = FindsIdle(wire);
    FrameClock clock = wire.clock;
    if (isFresh)
    {
        clock.Start(wire.messages.front().ready);
    }
    // on an idle wire an answer that is ready at the same instant goes first
    const Picoseconds at =
        clock.After(GetBytesBefore(wire, request)) + (isFresh && request == wire.frame ? 1 : 0);
    m_events.push({at, What::BEGINS, false, number, wire.version, {}});
}

void
CircuitMessages::Begin(uint32_t number)
{
    Wire& wire = m_wires[number];
    const Message message = wire.messages.front();
    const uint64_t request = GetRequest(wire);
    if (FindsIdle(wire))
    {
        wire.clock.Start(message.ready);
    }
    wire.isUsed = true;
    const bool isEnd = request + 1 == message.size->frames;
    wire.clock.Skip(GetBytesBefore(wire, request));
    wire.clock.Skip(isEnd          ? message.size->lastBytes
                    : request == 0 ? message.size->firstBytes
                                   : message.size->bytes);
    m_events.push({wire.clock.GetLast() + wire.way, What::ARRIVES, isEnd, number, 0, message});
    wire.frame = request + 1;
    if (isEnd)
    {
        wire.messages.pop_front();
        wire.frame = 0;
    }
    Schedule(number);
}

void
CircuitMessages::BeginThose(Wire& wire, Picoseconds ready)
{
    if (wire.messages.empty())
    {
        return;
    }
    const Message& message = wire.messages.front();
    const uint64_t request = GetRequest(wire);
    if (wire.frame == 0 && request > 0)
    {
        const bool isFresh = FindsIdle(wire);
        if (isFresh ? message.ready >= ready : wire.clock.GetNext() > ready)
        {
            return;
        }
        if (isFresh)
        {
            wire.clock.Start(message.ready);
        }
        wire.isUsed = true;
        wire.clock.Skip(message.size->firstBytes);
        wire.frame = 1;
    }
    const int64_t bytes = wire.frame > 0 ? wire.clock.BytesBy(ready) : -1;
    if (bytes >= 0)
    {
        const uint64_t begun =
            std::min<uint64_t>(bytes / message.size->bytes + 1, request - wire.frame);
        wire.clock.Skip(begun * message.size->bytes);
        wire.frame += begun;
    }
}

bool
CircuitMessages::Answer(uint32_t number, Picoseconds ready)
{
    Wire& wire = m_wires[number];
    if (ready < wire.decided)
    {
        return false; // one that has not begun covers it, too
    }
    BeginThose(wire, ready);
    if (wire.isUsed && wire.clock.GetNext() > ready)
    {
        wire.decided = wire.clock.GetNext();
    }
    else
    {
        wire.clock.Start(ready);
        wire.decided = ready + 1;
    }
    wire.isUsed = true;
    wire.clock.Skip(m_answerBytes);
    wire.answered = wire.clock.GetLast() + wire.way;
    Schedule(number);
    return true;
}

void
CircuitMessages::Arrive(const Event& event)
{
    const Wire& wire = m_wires[event.wire];
    Rank& sender = m_ranks[wire.from];
    sender.outcome.sent[wire.out].acknowledgements += Answer(wire.back, event.at) ? 1 : 0;
    if (event.isEnd)
    {
        sender.outcome.ended = std::max(sender.outcome.ended, m_wires[wire.back].answered);
        const RankSchedule::Way& way = m_operation.m_ranks[wire.from].part->waysOut[wire.out];
        m_ranks[way.peer].Take(wire.from, way.channel, event.message, event.at);
    }
}

std::vector<OperationOnCircuits::Outcome>
CircuitMessages::Run()
{
    for (Rank& rank : m_ranks)
    {
        rank.Enter();
    }
    while (!m_events.empty())
    {
        const Event event = m_events.top();
        m_events.pop();
        if (event.what == What::ARRIVES)
        {
            Arrive(event);
        }
        else if (event.version == m_wires[event.wire].version)
        {
            Begin(event.wire);
        }
    }
    std::vector<OperationOnCircuits::Outcome> outcomes;
    for (Rank& rank : m_ranks)
    {
        rank.outcome.totals = rank.GetTotals();
        outcomes.push_back(std::move(rank.outcome));
    }
    return outcomes;
}

} // namespace ns3
