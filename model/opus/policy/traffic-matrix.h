/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAFFIC_MATRIX_H
#define PHOTONIC_RAILS_TRAFFIC_MATRIX_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The number of bytes that each rank of a job sends to each other rank over its rail.
 *
 * A rank of a large job sends to few others. So only pairs with bytes take memory, where a
 * DemandMatrix has a place for each pair.
 */
class TrafficMatrix
{
  public:
    /** @param ranks number of ranks; none sends */
    explicit TrafficMatrix(uint32_t ranks)
        : m_rows(ranks)
    {
    }

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return m_rows.size();
    }

    /** Sets the number of bytes that a rank sends to another. */
    void Set(uint32_t from, uint32_t to, uint64_t bytes);

    /** @return the number of bytes that a rank sends to another */
    uint64_t Get(uint32_t from, uint32_t to) const;

  private:
    using Row = std::vector<std::pair<uint32_t, uint64_t>>; //!< receivers in order, with bytes

    std::vector<Row> m_rows; //!< by sender
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAFFIC_MATRIX_H */
