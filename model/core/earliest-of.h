/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EARLIEST_OF_H
#define PHOTONIC_RAILS_EARLIEST_OF_H

#include "picoseconds.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The next instant of each of several members, and the earliest of all.
 *
 * A tree of minima: to set one takes the logarithm of their number, and allocates nothing.
 *
 * @code
 * EarliestOf next(3);
 * next.Set(1, 500);
 * next.Set(2, 400);
 * // next.GetEarliest() == 400, and next.FindFirst() == 2
 * @endcode
 */
class EarliestOf
{
  public:
    /** @param members their number; none has an instant */
    explicit EarliestOf(std::size_t members)
    {
        while (m_leaves < members)
        {
            m_leaves *= 2;
        }
        m_minima.assign(2 * m_leaves, NEVER);
    }

    /** Sets the next instant of a member. @param at the instant; NEVER: there is none */
    void Set(std::size_t member, Picoseconds at)
    {
        std::size_t node = m_leaves + member;
        m_minima[node] = at;
        for (node /= 2; node > 0; node /= 2)
        {
            const Picoseconds least = std::min(m_minima[2 * node], m_minima[2 * node + 1]);
            if (m_minima[node] == least)
            {
                return;
            }
            m_minima[node] = least;
        }
    }

    /** @return the next instant of a member; NEVER: there is none */
    Picoseconds Get(std::size_t member) const
    {
        return m_minima[m_leaves + member];
    }

    /** @return the earliest of all; NEVER: there is none */
    Picoseconds GetEarliest() const
    {
        return m_minima[1];
    }

    /** @return the first member whose instant is the earliest */
    std::size_t FindFirst() const
    {
        std::size_t node = 1;
        while (node < m_leaves)
        {
            node = 2 * node + (m_minima[2 * node] == m_minima[node] ? 0 : 1);
        }
        return node - m_leaves;
    }

  private:
    std::size_t m_leaves{1};           //!< a power of two
    std::vector<Picoseconds> m_minima; //!< by node: the root is 1, and n has 2 n and 2 n + 1
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EARLIEST_OF_H */
