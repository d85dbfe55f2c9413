/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-messages.h"

#include "ns3/assert.h"

#include <algorithm>
#include <string>

namespace ns3
{

// ------------------------------------------------------------------------- ranks

CircuitMessages::Rank::Rank(CircuitMessages& messages, uint32_t place)
    : m_messages(messages),
      m_rank(messages.m_operation.m_ranks[place]),
      m_place(place),
      m_run(m_rank.part,
            messages.m_operation.m_kind.bytes,
            messages.m_operation.m_kind.messageSize,
            *this,
            messages.m_operation.m_kind.protocol)
{
    outcome.ended = m_rank.entered;
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
    outcome.early += at < m_rank.active ? 1 : 0;
    // what it allows follows the rank's own messages, though it has come before the entry
    m_now = std::max(at, m_rank.entered);
    const std::string mistake = m_run.Arrived(from, channel, message.ordinal, message.bytes);
    NS_ASSERT_MSG(mistake.empty(), mistake);
    outcome.ended = std::max(outcome.ended, at);
}

void
CircuitMessages::Rank::SendMessage(CollectiveRun&, const CollectiveRun::Message& message)
{
    const FramedSize& size = m_messages.m_operation.m_sizes.at(message.bytes);
    const uint32_t out = m_rank.part->outgoing[message.place].way;
    m_messages.m_wires.Send(queuePairs[out],
                            {m_now, &size, message.ordinal, message.bytes, m_place});
}

void
CircuitMessages::Rank::Settle(Picoseconds at)
{
    outcome.ended = std::max(outcome.ended, at);
}

void
CircuitMessages::Rank::End()
{
    for (const uint32_t queuePair : queuePairs)
    {
        outcome.sent.push_back(m_messages.m_wires.GetProgress(queuePair));
        outcome.quiet.push_back(m_messages.m_wires.GetQuiet(queuePair));
    }
    outcome.totals = m_run.GetTotals();
}

// ---------------------------------------------------------------------- operation

CircuitMessages::CircuitMessages(const OperationOnCircuits& operation)
    : m_operation(operation),
      m_wires(*this)
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
    for (uint32_t place = 0; place < m_ranks.size(); ++place)
    {
        for (const WayOnCircuit& way : m_operation.m_ranks[place].ways)
        {
            m_whose.emplace_back(place, m_ranks[place].queuePairs.size());
            m_ranks[place].queuePairs.push_back(m_wires.AddQueuePair(way));
        }
    }
}

void
CircuitMessages::MessageArrived(uint32_t queuePair, const Message& message, Picoseconds at)
{
    const auto [place, out] = m_whose[queuePair];
    const RankSchedule::Way& way = m_operation.m_ranks[place].part->waysOut[out];
    m_ranks[way.peer].Take(place, way.channel, message, at);
}

void
CircuitMessages::MessageSettled(const Message& message, Picoseconds at)
{
    m_ranks[message.label].Settle(at);
}

std::vector<OperationOnCircuits::Outcome>
CircuitMessages::Run()
{
    for (Rank& rank : m_ranks)
    {
        rank.Enter();
    }
    m_wires.Run();
    std::vector<OperationOnCircuits::Outcome> outcomes;
    for (Rank& rank : m_ranks)
    {
        rank.End();
        outcomes.push_back(std::move(rank.outcome));
    }
    return outcomes;
}

} // namespace ns3
