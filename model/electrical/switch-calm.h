/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_CALM_H
#define PHOTONIC_RAILS_SWITCH_CALM_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How long a packet switch is *calm*: no frame is marked, dropped or paused.
 *
 * It is while the bytes that wait for each port are at most the limit of the port, and those that
 * wait in the whole switch at most that of its memory. Whoever knows how many wait now, and how
 * they increase at most, knows until when it is.
 *
 * Plain C++: no simulator.
 */
class SwitchCalm
{
  public:
    /** Bytes that wait for a port, at most. */
    struct Load
    {
        uint64_t bytes{0};         //!< now
        uint64_t bitsPerSecond{0}; //!< by which they increase
    };

    /** Bytes that wait in a switch, at most. */
    struct Loads
    {
        std::vector<Load> ports;
        uint64_t anywhere{0}; //!< for any of the ports, beside these
    };

    /** What is known of the future. */
    struct Forecast
    {
        uint64_t posts{0};    //!< messages that may be posted before
        Picoseconds until{0}; //!< the first instant that is not known to be calm
    };

    /** A switch without ports. */
    SwitchCalm() = default;

    /** @param bytes of the memory, that may wait in the switch */
    explicit SwitchCalm(uint64_t bytes)
        : m_memory(bytes),
          m_least(bytes)
    {
    }

    /** Adds the next port. @param bytes that may wait for it */
    void AddPort(uint64_t bytes);

    /** @return the bytes that may wait, for whatever ports */
    uint64_t GetLeast() const
    {
        return m_least;
    }

    /** @return whether a share of each limit is left: a quarter */
    bool HasRoom(const Loads& loads) const;

    /**
     * @param now the present
     * @param loads at present
     * @param perPost bytes by which a message that is posted increases the queue of some port
     * @param mostPosts messages, at most, with which a forecast is made
     * @param leastRate bits a second with which queues increase at least, which limits the time
     * @return the forecast; until is the present if there may be too many by then
     */
    Forecast Foresee(Picoseconds now,
                     const Loads& loads,
                     uint64_t perPost,
                     uint64_t mostPosts,
                     uint64_t leastRate) const;

  private:
    uint64_t m_memory{0};
    uint64_t m_least{0};
    std::vector<uint64_t> m_ports; //!< limits
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_CALM_H */
