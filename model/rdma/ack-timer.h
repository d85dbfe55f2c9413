/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ACK_TIMER_H
#define PHOTONIC_RAILS_ACK_TIMER_H

#include "ns3/picoseconds.h"
#include "ns3/ring-queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The timer of a queue pair's acknowledgements, and the frames that have requested one.
 *
 * It runs while a frame that requested an acknowledgement is unanswered and there is carrier: from
 * that frame's last bit, from the latest progress, or from the return of carrier, whichever is
 * last.
 *
 * Plain C++: no simulator.
 */
class AckTimer
{
  public:
    /**
     * A frame requests an acknowledgement.
     * @param last the instant of its last bit
     */
    void Add(uint64_t frame, Picoseconds last);

    /** The frames before one are answered. */
    void ForgetUpTo(uint64_t frame)
    {
        while (!m_requested.empty() && m_requested.front().first < frame)
        {
            m_requested.pop_front();
        }
    }

    /** No request counts any more. */
    void ForgetAll()
    {
        m_requested.clear();
    }

    /** Drops the requests of frames for which a condition does not hold. */
    template <typename Condition>
    void KeepOnly(Condition holds)
    {
        for (std::size_t left = m_requested.size(); left > 0; --left)
        {
            const auto requested = m_requested.front();
            m_requested.pop_front();
            if (holds(requested.first))
            {
                m_requested.push_back(requested);
            }
        }
    }

    /** There is progress: the timer runs from now at the earliest. */
    void Restart(Picoseconds now)
    {
        m_since = now;
    }

    /** The carrier changes, now. */
    void SetCarrier(bool carrier, Picoseconds now)
    {
        m_carrier = carrier;
        if (carrier)
        {
            m_since = now;
        }
    }

    /** @return whether there is carrier */
    bool HasCarrier() const
    {
        return m_carrier;
    }

    /** @return the expiry of the timer, or NEVER while it does not run */
    Picoseconds GetDeadline(Picoseconds timeout) const
    {
        if (m_requested.empty() || !m_carrier)
        {
            return NEVER;
        }
        return std::max(m_requested.front().second, m_since) + timeout;
    }

  private:
    RingQueue<std::pair<uint64_t, Picoseconds>> m_requested; //!< frames by number, last bits
    Picoseconds m_since{ALWAYS_BEFORE};                      //!< the earliest start of the timer
    bool m_carrier{true};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ACK_TIMER_H */
