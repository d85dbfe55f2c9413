/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EGRESS_TURNS_H
#define PHOTONIC_RAILS_EGRESS_TURNS_H

#include <array>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The service order of a port: traffic classes from 7 down to 0, and round robin among the
 * numbers of a class that have a frame.
 *
 * Numbers are those of queue pairs at a NIC port, and of ingress ports at a packet switch. The
 * search in a class begins after the number that was served last and wraps around. A wire that was
 * idle begins with the lowest number in every class.
 *
 * The port itself handles pauses and readiness.
 *
 * @code
 * EgressTurns::FindClass(ready, [&](uint32_t c) { return Peek(c, turns.After(c, wireWasIdle)); });
 * if (wireWasIdle)
 * {
 *     turns.Restart();
 * }
 * turns.Serve(trafficClass, number);
 * @endcode
 */
class EgressTurns
{
  public:
    static constexpr uint32_t CLASSES = 8; //!< traffic classes

    /** A search for the next number that begins after this one begins with the lowest. */
    static constexpr uint32_t FROM_THE_LOWEST = std::numeric_limits<uint32_t>::max();

    EgressTurns()
    {
        Restart();
    }

    /**
     * @param classes a bit for each class that may have a frame
     * @param serves is called for one class after the other until it returns true
     * @return whether it returned true
     */
    template <typename Serves>
    static bool FindClass(uint32_t classes, Serves&& serves)
    {
        for (uint32_t rest = classes & ((1U << CLASSES) - 1); rest != 0;)
        {
            const uint32_t c = 31 - __builtin_clz(rest); // the highest first
            if (serves(c))
            {
                return true;
            }
            rest &= ~(1U << c);
        }
        return false;
    }

    /** @return the number after which the search in a class begins */
    uint32_t After(uint32_t trafficClass, bool wireWasIdle) const
    {
        return wireWasIdle ? FROM_THE_LOWEST : m_served[trafficClass];
    }

    /** Records that a frame of that number is sent. */
    void Serve(uint32_t trafficClass, uint32_t number)
    {
        m_served[trafficClass] = number;
    }

    /** Every class begins with the lowest number again. */
    void Restart()
    {
        m_served.fill(FROM_THE_LOWEST);
    }

  private:
    std::array<uint32_t, CLASSES> m_served; //!< number served last, by class
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EGRESS_TURNS_H */
