/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMED_INBOX_H
#define PHOTONIC_RAILS_TIMED_INBOX_H

#include "picoseconds.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What is on its way to somebody and is there at a known instant.
 *
 * Whoever sends something that takes a delay puts it here at once and schedules an event for when
 * it is there; every such event takes all that is there by then. So what comes from several sides
 * at one instant is taken by the number of its origin, then in the order in which that one sent
 * it, and never in the order in which a simulator happens to run equal events.
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
    /**
     * @param when the instant at which it is there
     * @param origin who sent it
     */
    void Put(Picoseconds when, uint32_t origin, T what)
    {
        m_waiting.emplace(Key{when, origin, m_sequence++}, std::move(what));
    }

    /** @return the next of what is there by then, which is no longer here; or nothing */
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

    /** Forgets all. */
    void Clear()
    {
        m_waiting.clear();
    }

  private:
    /** Instant, origin, sequence. */
    typedef std::tuple<Picoseconds, uint32_t, uint64_t> Key;

    std::map<Key, T> m_waiting;
    uint64_t m_sequence{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMED_INBOX_H */
