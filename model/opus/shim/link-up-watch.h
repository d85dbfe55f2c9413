/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LINK_UP_WATCH_H
#define PHOTONIC_RAILS_LINK_UP_WATCH_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <functional>
#include <list>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The waits of a rank for the carrier of its NIC ports, after it has been granted circuits,
 * and the link-up that passes without a wait. All times are in picoseconds, of one clock.
 *
 * The link-up of a port is the span from light to carrier. That of a grant is the span from the
 * first light to the last carrier of its ports, if no earlier grant has had it. The rank waits for
 * the circuits of a grant from an instant before its answer to the answer, or to the carrier of all
 * ports if that comes later. So the parts of a link-up are exposed, in the wait, or hidden.
 *
 * It is plain C++: the owner has the clock, and reports changes of carrier.
 */
class LinkUpWatch
{
  public:
    /** A wait that has ended. */
    struct Outcome
    {
        Picoseconds answered{0};    //!< the answer is at the rank
        Picoseconds waited{0};      //!< from then to the carrier of all ports
        Picoseconds exposedFrom{0}; //!< begin of the exposed part of the link-up
        Picoseconds exposedTo{0};   //!< its end; both are equal if there is none
        Picoseconds hidden{0};      //!< the rest of the link-up
    };

    /** Called when a wait has ended: at once, or in a later call. */
    typedef std::function<void(const Outcome&)> Ended;

    /** @param ports number of ports of the rank, all without carrier */
    explicit LinkUpWatch(uint32_t ports = 0);

    /** Sets whether a port has carrier, since before the simulation. */
    void Preset(uint32_t port, bool carrier);
    /** @return whether a port has carrier */
    bool HasCarrier(uint32_t port) const;
    /** A port loses its carrier. */
    void Lose(uint32_t port);
    /** A port gets carrier. @param linkUp the time from light to carrier, now */
    void Gain(uint32_t port, Picoseconds now, Picoseconds linkUp);

    /**
     * The answer to a call is at the rank, now.
     * @param key of the call, for Finish()
     * @param ports of its circuits
     * @param exposed the time that the rank has waited for the circuits, up to now
     * @param ended called with the outcome, unless there is neither a wait nor a link-up
     */
    void Answer(uint64_t key,
                const std::vector<uint32_t>& ports,
                Picoseconds exposed,
                Picoseconds now,
                Ended ended);
    /** The rank is through with a call, or gives it back: a wait of it ends. */
    void Finish(uint64_t key, Picoseconds now);

    /** @return the number of waits that have not ended */
    std::size_t GetWaits() const;

  private:
    /** A port of the NIC. */
    struct Port
    {
        bool hasCarrier{false};
        bool isNew{false};     //!< no grant has had its link-up
        Picoseconds lit{0};    //!< of the last link-up: its begin
        Picoseconds locked{0}; //!< its end
    };

    /** A wait. */
    struct Wait
    {
        uint64_t key{0};
        std::vector<uint32_t> ports;
        Picoseconds from{0};     //!< since when the rank waits for the circuits
        Picoseconds answered{0}; //!< the answer
        Ended ended;
    };

    /** @return whether all ports have carrier */
    bool HaveCarrier(const std::vector<uint32_t>& ports) const;
    /** Ends a wait, now. */
    void End(const Wait& wait, Picoseconds now);

    std::vector<Port> m_ports;
    std::list<Wait> m_waits;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LINK_UP_WATCH_H */
