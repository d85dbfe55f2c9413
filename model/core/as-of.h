/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_AS_OF_H
#define PHOTONIC_RAILS_AS_OF_H

#include "picoseconds.h"

#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A value that changes, with its state before the changes of the latest instant.
 *
 * A NIC decides by the state strictly before the present instant, so that the order of the
 * instant's own events does not matter. That needs the value before the latest change, and only
 * that one.
 */
template <typename Value>
class AsOf
{
  public:
    /** @param value the initial value, which holds at all earlier instants */
    explicit AsOf(Value value)
        : m_current(value),
          m_previous(value)
    {
    }

    /**
     * @param now the instant of the change, not before that of an earlier one
     * @param value holds from that instant on
     */
    void Set(Picoseconds now, Value value)
    {
        if (now != m_since)
        {
            m_previous = std::exchange(m_current, value);
            m_since = now;
            return;
        }
        m_current = value;
    }

    /**
     * Changes the value as if it had always been so, before and after the latest change.
     * @param change is applied to the present and to the earlier value
     */
    template <typename Change>
    void Amend(Change change)
    {
        change(m_current);
        change(m_previous);
    }

    /** @return the value now */
    const Value& Get() const
    {
        return m_current;
    }

    /**
     * @param seen an instant, at most one change back
     * @return the value at the end of that instant
     */
    const Value& At(Picoseconds seen) const
    {
        return seen >= m_since ? m_current : m_previous;
    }

  private:
    Value m_current;
    Value m_previous;
    Picoseconds m_since{ALWAYS_BEFORE};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_AS_OF_H */
