/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DEMAND_MATRIX_H
#define PHOTONIC_RAILS_DEMAND_MATRIX_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The number of bytes that each rank of a group sends to each other rank.
 */
class DemandMatrix
{
  public:
    /** @param ranks number of ranks in the group; all demands are 0 */
    explicit DemandMatrix(uint32_t ranks)
        : m_ranks(ranks),
          m_bytes(std::size_t{ranks} * ranks)
    {
    }

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /** Sets the number of bytes that a rank sends to another. */
    void Set(uint32_t from, uint32_t to, uint64_t bytes)
    {
        m_bytes[std::size_t{from} * m_ranks + to] = bytes;
    }

    /** @return the number of bytes that a rank sends to another */
    uint64_t Get(uint32_t from, uint32_t to) const
    {
        return m_bytes[std::size_t{from} * m_ranks + to];
    }

    /** @return a name that two different matrices share with a probability of 2^-64 only */
    std::string GetKey() const;

  private:
    uint32_t m_ranks;
    std::vector<uint64_t> m_bytes; //!< row by row
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DEMAND_MATRIX_H */
