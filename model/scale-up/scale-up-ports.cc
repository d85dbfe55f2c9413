/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-ports.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint64_t PICOSECOND_BITS_A_BYTE = 8'000'000'000'000; // 8 bits, 10^12 ps a second

} // namespace

ScaleUpPorts::ScaleUpPorts(uint64_t bitsPerSecond, Picoseconds latency)
    : m_rate(bitsPerSecond),
      m_latency(latency)
{
    NS_ABORT_MSG_IF(bitsPerSecond == 0,
                    "ScaleUpPorts: a rate of 0 b/s sends nothing; give at least 1 b/s");
    NS_ABORT_MSG_IF(latency < 1,
                    "ScaleUpPorts: a latency of " << latency << " ps; give at least 1 ps");
    const uint64_t common = std::gcd(PICOSECOND_BITS_A_BYTE, bitsPerSecond);
    m_byte = PICOSECOND_BITS_A_BYTE / common;
    m_picosecond = bitsPerSecond / common;
}

MemberId
ScaleUpPorts::AddMember()
{
    m_ports.emplace_back();
    return MemberId(m_ports.size() - 1);
}

uint32_t
ScaleUpPorts::GetMembers() const
{
    return m_ports.size();
}

uint64_t
ScaleUpPorts::GetRate() const
{
    return m_rate;
}

Picoseconds
ScaleUpPorts::GetLatency() const
{
    return m_latency;
}

Picoseconds
ScaleUpPorts::Round(Fraction instant) const
{
    const Fraction rounded = (instant + m_picosecond - 1) / m_picosecond;
    NS_ABORT_MSG_IF(rounded >= NEVER,
                    "ScaleUpPorts: at " << m_rate
                                        << " b/s a message would take longer than the 106 days "
                                           "that are counted; send less, or faster");
    return static_cast<Picoseconds>(rounded);
}

Picoseconds
ScaleUpPorts::Send(uint64_t message, MemberId from, MemberId to, uint64_t bytes, Picoseconds now)
{
    NS_ASSERT_MSG(from != to, "member " << from << " sends to itself");
    Port& sender = m_ports[from.Get()];
    const Fraction first = std::max(sender.outFree, now * m_picosecond);
    sender.outFree = first + bytes * m_byte;
    const Fraction reaches = first + m_latency * m_picosecond;
    m_ports[to.Get()].waiting.emplace(Turn{reaches, from.Get(), m_sequence++},
                                      Waiting{message, bytes});
    return Round(reaches);
}

std::vector<ScaleUpPassage>
ScaleUpPorts::Receive(MemberId to, Picoseconds now)
{
    Port& receiver = m_ports[to.Get()];
    std::vector<ScaleUpPassage> passages;
    // all that is here by now was sent a latency ago, so no other can come between
    while (!receiver.waiting.empty())
    {
        const auto next = receiver.waiting.begin();
        const Fraction reached = std::get<0>(next->first);
        if (reached > now * m_picosecond)
        {
            break;
        }
        receiver.inFree = std::max(receiver.inFree, reached) + next->second.bytes * m_byte;
        passages.push_back({next->second.message, Round(receiver.inFree)});
        receiver.waiting.erase(next);
    }
    return passages;
}

} // namespace ns3
