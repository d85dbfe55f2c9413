/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exposed-waits.h"

#include <algorithm>

namespace ns3
{

ExposedWaits::ExposedWaits(uint32_t ranks)
    : m_waits(ranks)
{
}

void
ExposedWaits::Add(uint32_t rank, Picoseconds begin, Picoseconds end)
{
    m_waits[rank].emplace_back(begin, end);
}

Picoseconds
ExposedWaits::GetSum() const
{
    Picoseconds sum = 0;
    for (std::vector<std::pair<Picoseconds, Picoseconds>> waits : m_waits)
    {
        std::sort(waits.begin(), waits.end());
        Picoseconds until = 0;
        for (const auto& [begin, end] : waits)
        {
            sum += std::max<Picoseconds>(0, end - std::max(begin, until));
            until = std::max(until, end);
        }
    }
    return sum;
}

} // namespace ns3
