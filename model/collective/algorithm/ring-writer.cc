/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-writer.h"

#include <utility>

namespace ns3
{

RingWriter::RingWriter(ScheduleChannel& channel, RingOrder order, WiresOf wires)
    : m_channel(channel),
      m_order(std::move(order)),
      m_wires(std::move(wires))
{
}

uint32_t
RingWriter::At(uint32_t place) const
{
    return m_order[place % m_order.size()];
}

void
RingWriter::Scatter(const std::vector<uint32_t>& shares)
{
    const uint32_t n = m_order.size();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t place = 0; place < n; ++place)
        {
            const uint32_t from = At(place);
            const uint32_t to = At(place + 1);
            m_channel.Reduce(round, from, to, shares[At(place + n - round - 1)], m_wires(from, to));
        }
    }
}

void
RingWriter::Gather(const std::vector<uint32_t>& shares, uint32_t firstRound)
{
    const uint32_t n = m_order.size();
    for (uint32_t round = 0; round + 1 < n; ++round)
    {
        for (uint32_t place = 0; place < n; ++place)
        {
            const uint32_t from = At(place);
            const uint32_t to = At(place + 1);
            m_channel.Copy(firstRound + round,
                           from,
                           to,
                           shares[At(place + n - round)],
                           m_wires(from, to));
        }
    }
}

void
RingWriter::ScatterAndGather(const std::vector<uint32_t>& shares)
{
    Scatter(shares);
    Gather(shares, m_order.size() - 1);
}

} // namespace ns3
