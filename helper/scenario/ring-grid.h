/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_GRID_H
#define PHOTONIC_RAILS_RING_GRID_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Ranks in a grid: each is in a ring of each parallelism, and all rings have equally many
 * ranks.
 *
 * With two parallelisms and a side of 3, the rings are 0 1 2, 3 4 5, 6 7 8 and 0 3 6, 1 4 7, 2 5 8.
 */
class RingGrid
{
  public:
    /** @param parallelisms their number @param side ranks of a ring */
    RingGrid(uint32_t parallelisms, uint32_t side);

    /** @return the number of ranks */
    uint32_t GetRanks() const;

    /** @return the rings of a parallelism, by first rank @param parallelism from 0 */
    std::vector<std::vector<uint32_t>> ListRings(uint32_t parallelism) const;

  private:
    /** @return the ranks of a grid of fewer parallelisms */
    uint32_t GetStep(uint32_t parallelisms) const;

    uint32_t m_parallelisms;
    uint32_t m_side;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_GRID_H */
