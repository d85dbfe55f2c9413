/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-sends.h"

#include "ns3/assert.h"
#include "ns3/send-rendezvous.h"

#include <algorithm>
#include <string>

namespace ns3
{

// ------------------------------------------------------------------------- ends

CircuitSends::Half::Half(CircuitSends& sends, uint32_t place)
    : m_sends(sends),
      m_half(sends.m_known.m_ends[place]),
      m_place(place),
      m_run(m_half.part,
            m_half.send.kind.bytes,
            m_half.send.kind.messageSize,
            *this,
            m_half.send.kind.protocol),
      m_now(m_half.entered)
{
    outcome.ended = m_half.entered;
    outcome.sent.resize(m_half.ways.size());
}

void
CircuitSends::Half::Report()
{
    Send(0, 0, SendRendezvous::REPORT_BYTES);
}

void
CircuitSends::Half::Begin(Picoseconds at)
{
    m_now = std::max(at, m_half.entered);
    m_run.Start();
    m_run.OpenStage(m_half.part->stages.front());
}

void
CircuitSends::Half::SendMessage(CollectiveRun&, const CollectiveRun::Message& message)
{
    Send(m_half.part->outgoing[message.place].way, message.ordinal, message.bytes);
}

void
CircuitSends::Half::Send(std::size_t out, uint32_t ordinal, uint64_t bytes)
{
    const FramedSize& size = m_sends.GetSize(bytes, m_half.ways[out].mtu);
    m_sends.m_wires.Send(queuePairs[out], {m_now, &size, ordinal, bytes, m_place});
}

void
CircuitSends::Half::Take(const Message& message, uint16_t channel, Picoseconds at)
{
    const std::string mistake = m_run.Arrived(0, channel, message.ordinal, message.bytes);
    NS_ASSERT_MSG(mistake.empty(), mistake);
    outcome.ended = std::max(outcome.ended, at);
}

void
CircuitSends::Half::Settle(Picoseconds at)
{
    outcome.ended = std::max(outcome.ended, at);
}

void
CircuitSends::Half::End()
{
    outcome.totals = m_run.GetTotals();
    outcome.ended = m_half.other == SendsOnCircuits::ALONE ? NEVER : outcome.ended;
}

// ------------------------------------------------------------------------- sends

CircuitSends::CircuitSends(const SendsOnCircuits& sends)
    : m_known(sends),
      m_wires(*this)
{
    for (uint32_t place = 0; place < sends.m_ends.size(); ++place)
    {
        m_halves.emplace_back(*this, place);
    }
    MakeWires();
}

void
CircuitSends::MakeWires()
{
    std::map<QueuePairOrder, const WayOnCircuit*> ways; // in turn
    for (const SendsOnCircuits::Half& half : m_known.m_ends)
    {
        for (const WayOnCircuit& way : half.ways)
        {
            ways.emplace(way.turn, &way);
        }
    }
    std::map<QueuePairOrder, uint32_t> queuePairs;
    for (const auto& [turn, way] : ways)
    {
        queuePairs[turn] = m_wires.AddQueuePair(*way);
    }
    m_queuePairs = queuePairs.size();
    for (uint32_t place = 0; place < m_halves.size(); ++place)
    {
        for (const WayOnCircuit& way : m_known.m_ends[place].ways)
        {
            m_halves[place].queuePairs.push_back(queuePairs[way.turn]);
        }
    }
}

const FramedSize&
CircuitSends::GetSize(uint64_t bytes, uint32_t mtu)
{
    const auto [found, isNew] = m_sizes.try_emplace({bytes, mtu});
    if (isNew)
    {
        found->second = FramedSize::Of(bytes, mtu);
    }
    return found->second;
}

void
CircuitSends::MessageArrived(uint32_t queuePair, const Message& message, Picoseconds at)
{
    const SendsOnCircuits::Half& from = m_known.m_ends[message.label];
    if (from.other == SendsOnCircuits::ALONE)
    {
        return; // a report for a send that has not entered
    }
    Half& to = m_halves[from.other];
    if (!from.send.isSender)
    {
        to.Begin(at);
        return;
    }
    const auto& queuePairs = m_halves[message.label].queuePairs;
    const std::size_t way =
        std::find(queuePairs.begin(), queuePairs.end(), queuePair) - queuePairs.begin();
    to.Take(message, from.part->waysOut[way].channel, at);
}

void
CircuitSends::MessageSettled(const Message& message, Picoseconds at)
{
    m_halves[message.label].Settle(at);
}

std::vector<SendsOnCircuits::Outcome>
CircuitSends::Run()
{
    for (std::size_t place = 0; place < m_halves.size(); ++place)
    {
        if (!m_known.m_ends[place].send.isSender)
        {
            m_halves[place].Report();
        }
    }
    m_wires.Run();
    std::vector<bool> isCounted(m_queuePairs);
    std::vector<SendsOnCircuits::Outcome> outcomes;
    for (Half& half : m_halves)
    {
        half.End();
        for (std::size_t way = 0; way < half.queuePairs.size(); ++way)
        {
            const uint32_t queuePair = half.queuePairs[way];
            if (!isCounted[queuePair])
            {
                isCounted[queuePair] = true; // the first of those that share it has all of it
                half.outcome.sent[way] = m_wires.GetProgress(queuePair);
            }
        }
        outcomes.push_back(std::move(half.outcome));
    }
    return outcomes;
}

} // namespace ns3
