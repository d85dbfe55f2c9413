/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-grid.h"

namespace ns3
{

RingGrid::RingGrid(uint32_t parallelisms, uint32_t side)
    : m_parallelisms(parallelisms),
      m_side(side)
{
}

uint32_t
RingGrid::GetRanks() const
{
    return GetStep(m_parallelisms);
}

std::vector<std::vector<uint32_t>>
RingGrid::ListRings(uint32_t parallelism) const
{
    const uint32_t step = GetStep(parallelism);
    std::vector<std::vector<uint32_t>> rings;
    for (uint32_t first = 0; first < GetRanks(); ++first)
    {
        if (first / step % m_side != 0)
        {
            continue; // in the ring of an earlier rank
        }
        std::vector<uint32_t> ring;
        for (uint32_t i = 0; i < m_side; ++i)
        {
            ring.push_back(first + i * step);
        }
        rings.push_back(ring);
    }
    return rings;
}

uint32_t
RingGrid::GetStep(uint32_t parallelisms) const
{
    uint32_t ranks = 1;
    for (uint32_t i = 0; i < parallelisms; ++i)
    {
        ranks *= m_side;
    }
    return ranks;
}

} // namespace ns3
