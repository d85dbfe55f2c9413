/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTRIBUTIONS_H
#define PHOTONIC_RAILS_CONTRIBUTIONS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ranks whose contributions are in a chunk: a set of ranks of a group.
 *
 * A verifier makes one for each arrival, so sets of groups of up to 64 ranks do not use the heap.
 */
class Contributions
{
  public:
    /** Makes an empty set. @param ranks number of ranks in the group */
    explicit Contributions(uint32_t ranks)
        : m_above((std::max(ranks, 1U) - 1) / 64)
    {
    }

    /** Adds a rank. */
    void Add(uint32_t rank)
    {
        (rank < 64 ? m_first : m_above[rank / 64 - 1]) |= uint64_t{1} << rank % 64;
    }

    /** Adds the ranks of another set of the same group. */
    void Add(const Contributions& other)
    {
        m_first |= other.m_first;
        for (std::size_t w = 0; w < m_above.size(); ++w)
        {
            m_above[w] |= other.m_above[w];
        }
    }

    /** @return whether the set is empty */
    bool IsEmpty() const
    {
        uint64_t any = m_first;
        for (const uint64_t word : m_above)
        {
            any |= word;
        }
        return any == 0;
    }

    /** @return whether it has a rank in common with another set of the same group */
    bool Overlaps(const Contributions& other) const
    {
        uint64_t both = m_first & other.m_first;
        for (std::size_t w = 0; w < m_above.size(); ++w)
        {
            both |= m_above[w] & other.m_above[w];
        }
        return both != 0;
    }

    /** @return whether it has all ranks of another set of the same group */
    bool Contains(const Contributions& other) const
    {
        uint64_t lacking = other.m_first & ~m_first;
        for (std::size_t w = 0; w < m_above.size(); ++w)
        {
            lacking |= other.m_above[w] & ~m_above[w];
        }
        return lacking == 0;
    }

    /** @return whether it has a rank */
    bool Has(uint32_t rank) const
    {
        return ((rank < 64 ? m_first : m_above[rank / 64 - 1]) >> rank % 64 & 1) != 0;
    }

    /** @return whether it equals another set of the same group */
    bool operator==(const Contributions& other) const
    {
        return m_first == other.m_first && m_above == other.m_above;
    }

  private:
    uint64_t m_first{0};           //!< one bit for each of the first 64 ranks
    std::vector<uint64_t> m_above; //!< the same for the other ranks
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTRIBUTIONS_H */
