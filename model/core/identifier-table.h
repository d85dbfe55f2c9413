/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_IDENTIFIER_TABLE_H
#define PHOTONIC_RAILS_IDENTIFIER_TABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Identifiers in order, in one array.
 *
 * The ranks of a group are mostly evenly spaced, and then each is found at once, where it would be
 * among evenly spaced ones; others are found by a binary search. To add one after the last is
 * quick, and to add one before others moves these.
 */
template <typename Id>
class IdentifierSet
{
  public:
    using const_iterator = typename std::vector<Id>::const_iterator;

    /** @return the index of an identifier, or of the next greater one; size() if there is none */
    std::size_t FindPlace(Id id) const
    {
        if (m_ids.empty() || m_ids.back() < id)
        {
            return m_ids.size();
        }
        if (!(m_ids.front() < id))
        {
            return 0;
        }
        const uint64_t distance = id.Get() - m_ids.front().Get();
        const uint64_t span = m_ids.back().Get() - m_ids.front().Get();
        const std::size_t guess = distance * (m_ids.size() - 1) / span;
        return m_ids[guess] == id
                   ? guess
                   : std::lower_bound(m_ids.begin(), m_ids.end(), id) - m_ids.begin();
    }

    /** @return the index of an identifier; size() if it is not there */
    std::size_t Find(Id id) const
    {
        const std::size_t place = FindPlace(id);
        return place < m_ids.size() && m_ids[place] == id ? place : m_ids.size();
    }

    /** @return whether an identifier is there */
    bool Has(Id id) const
    {
        return Find(id) < m_ids.size();
    }

    /** Adds an identifier. @return its index, and whether it was not there before */
    std::pair<std::size_t, bool> Add(Id id)
    {
        const std::size_t place = FindPlace(id);
        const bool isNew = place == m_ids.size() || m_ids[place] != id;
        if (isNew)
        {
            m_ids.insert(m_ids.begin() + place, id);
        }
        return {place, isNew};
    }

    /** @return all identifiers, in order */
    const std::vector<Id>& Get() const
    {
        return m_ids;
    }

    const_iterator begin() const
    {
        return m_ids.begin();
    }

    const_iterator end() const
    {
        return m_ids.end();
    }

    std::size_t size() const
    {
        return m_ids.size();
    }

    bool empty() const
    {
        return m_ids.empty();
    }

    /** Has memory for a number of identifiers from now on. */
    void Reserve(std::size_t number)
    {
        m_ids.reserve(number);
    }

  private:
    std::vector<Id> m_ids;
};

/**
 * @ingroup photonic-rails
 * @brief A value for each of some identifiers, in their order: two arrays, see IdentifierSet.
 *
 * References to values are valid until the next Add().
 */
template <typename Id, typename Value>
class IdentifierTable
{
  public:
    /** @return the value of an identifier; null if it is not there */
    const Value* Find(Id id) const
    {
        const std::size_t place = m_ids.Find(id);
        return place < m_ids.size() ? &m_values[place] : nullptr;
    }

    /** @return the value of an identifier; null if it is not there */
    Value* Find(Id id)
    {
        return const_cast<Value*>(static_cast<const IdentifierTable*>(this)->Find(id));
    }

    /** Adds an identifier, unless it is there. @return its value, and whether it is new */
    std::pair<Value&, bool> Add(Id id)
    {
        const auto [place, isNew] = m_ids.Add(id);
        if (isNew)
        {
            m_values.insert(m_values.begin() + place, Value());
        }
        return {m_values[place], isNew};
    }

    /** @return all identifiers, in order */
    const std::vector<Id>& GetIds() const
    {
        return m_ids.Get();
    }

    /** @return the values, in the order of their identifiers */
    const std::vector<Value>& GetValues() const
    {
        return m_values;
    }

    /** @return the number of identifiers */
    std::size_t size() const
    {
        return m_ids.size();
    }

    /** Has memory for a number of identifiers from now on. */
    void Reserve(std::size_t number)
    {
        m_ids.Reserve(number);
        m_values.reserve(number);
    }

  private:
    IdentifierSet<Id> m_ids;
    std::vector<Value> m_values;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_IDENTIFIER_TABLE_H */
