/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EARLIEST_SLOT_H
#define PHOTONIC_RAILS_EARLIEST_SLOT_H

#include "picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Slots with an instant each, and the earliest of them: of equal ones the slot with the
 * lowest number.
 *
 * A tournament: each node of a binary tree has the winner of those below it. A change costs the
 * logarithm of the number of slots, and the earliest slot is always known.
 */
class EarliestSlot
{
  public:
    /** @param slots how many; all are NEVER at first */
    explicit EarliestSlot(std::size_t slots = 0)
        : m_at(slots, NEVER)
    {
        for (m_leaves = 1; m_leaves < slots;)
        {
            m_leaves *= 2;
        }
        m_at.resize(m_leaves, NEVER);
        m_winners.resize(m_leaves);
        for (std::size_t node = m_leaves - 1; node > 0; --node)
        {
            m_winners[node] = Winner(2 * node); // all are NEVER: the lowest of them
        }
    }

    /** @return the instant of a slot */
    Picoseconds Get(std::size_t slot) const
    {
        return m_at[slot];
    }

    /** Changes the instant of a slot. */
    void Set(std::size_t slot, Picoseconds at)
    {
        if (m_at[slot] == at)
        {
            return;
        }
        m_at[slot] = at;
        for (std::size_t node = (m_leaves + slot) / 2; node > 0; node /= 2)
        {
            const uint32_t left = Winner(2 * node);
            const uint32_t right = Winner(2 * node + 1);
            const uint32_t winner = m_at[right] < m_at[left] ? right : left;
            const bool matters = winner == slot || m_winners[node] == slot;
            m_winners[node] = winner;
            if (!matters)
            {
                return; // nor does it above
            }
        }
    }

    /** @return the slot with the earliest instant; there must be a slot */
    std::size_t GetFirst() const
    {
        return Winner(1);
    }

  private:
    /** @return the slot that wins at a node, which may be a leaf */
    uint32_t Winner(std::size_t node) const
    {
        return node < m_leaves ? m_winners[node] : node - m_leaves;
    }

    std::size_t m_leaves{1};         //!< a power of two
    std::vector<Picoseconds> m_at;   //!< by slot, and NEVER beyond
    std::vector<uint32_t> m_winners; //!< by node: 1 is the root, and below n are 2 n and 2 n + 1
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EARLIEST_SLOT_H */
