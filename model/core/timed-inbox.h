/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMED_INBOX_H
#define PHOTONIC_RAILS_TIMED_INBOX_H

#include "picoseconds.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Items with a delay. Each arrives at a known instant.
 *
 * The sender puts an item into the inbox at once and schedules an event for its arrival. Every such
 * event takes all items that have arrived by then. So items that arrive at one instant are taken by
 * their origin, then in the order in which that origin sent them, and never in the order in which a
 * simulator runs equal events.
 *
 * Plain C++: no simulator.
 *
 * @code
 * inbox.Put(now + delay, from, message); // and an event at now + delay, which does:
 * while (const auto message = inbox.Take(now)) { ... }
 * @endcode
 */
template <typename T>
class TimedInbox
{
  public:
    /** A number, or several of which the first counts first. */
    using Origin = std::array<uint64_t, 3>;

    /**
     * @param when the instant of arrival
     * @param origin of the item, which orders arrivals of one instant: its sender, and more where
     * a sender sends several at an instant in an order that depends on events
     */
    void Put(Picoseconds when, const Origin& origin, T what)
    {
        m_waiting.emplace(Key{when, origin, m_sequence++}, std::move(what));
    }

    /** Removes the next item that has arrived by an instant. @return that item, or no value */
    std::optional<T> Take(Picoseconds now)
    {
        const auto next = m_waiting.begin();
        if (next == m_waiting.end() || std::get<0>(next->first) > now)
        {
            return std::nullopt;
        }
        std::optional<T> what(std::move(next->second));
        m_waiting.erase(next);
        return what;
    }

    /** Removes all items. */
    void Clear()
    {
        m_waiting.clear();
    }

  private:
    /** Instant, origin, sequence. */
    typedef std::tuple<Picoseconds, Origin, uint64_t> Key;

    std::map<Key, T> m_waiting;
    uint64_t m_sequence{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMED_INBOX_H */
