/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FORWARDING_TABLE_H
#define PHOTONIC_RAILS_FORWARDING_TABLE_H

#include "ns3/identifier.h"
#include "ns3/mac48-address.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The forwarding table of a packet switch: for every address a set of equally good ports.
 *
 * A route is a set of ports. Addresses behind the same set share it, so that a switch of a fabric
 * holds one entry of 16 bytes for an address, whatever the number of paths. A look-up is one
 * probe, mostly, of a hash table with open addressing.
 *
 * Plain C++: no simulator.
 */
class ForwardingTable
{
  public:
    /** A set of ports, by its place in the table. */
    using Route = uint32_t;

    static constexpr Route NO_ROUTE = 0xffffffff; //!< the address is unknown

    ForwardingTable();

    /**
     * Adds a set of ports.
     * @param ports equally good ports, 1 or more; the order counts, since a hash picks one by place
     * @return the set
     */
    Route AddRoute(std::vector<PortId> ports);

    /**
     * Sets the route of an address, in place of an earlier one.
     * @param address of a NIC, no group address
     */
    void Add(Mac48Address address, Route route);

    /**
     * @param key an address as a number, from ToNumber()
     * @return its set of ports, or NO_ROUTE
     */
    Route Find(uint64_t key) const
    {
        for (std::size_t place = PlaceOf(key);; place = (place + 1) & m_mask)
        {
            if (m_entries[place].key == key)
            {
                return m_entries[place].route;
            }
            if (m_entries[place].key == EMPTY)
            {
                return NO_ROUTE;
            }
        }
    }

    /**
     * @param route a set of ports
     * @return the ports
     */
    const std::vector<PortId>& GetPorts(Route route) const
    {
        return m_routes[route];
    }

    /** @return the number of addresses */
    std::size_t GetSize() const;

    /**
     * @param key an address as a number, from ToNumber()
     * @return whether it is a broadcast or multicast address
     */
    static bool IsGroup(uint64_t key)
    {
        return (key >> 40 & 1) != 0;
    }

  private:
    static constexpr uint64_t EMPTY = ~uint64_t{0}; //!< no address has more than 48 bits

    /** One address. */
    struct Entry
    {
        uint64_t key{EMPTY};
        Route route{NO_ROUTE};
    };

    /**
     * @return the place at which the search for a key begins: the high bits of a product (Fibonacci
     *         hashing)
     */
    std::size_t PlaceOf(uint64_t key) const
    {
        return (key * 0x9e3779b97f4a7c15) >> 32 & m_mask;
    }

    /** Puts an entry into the table, which has room. */
    void Insert(const Entry& entry);

    std::vector<Entry> m_entries; //!< a power of two, at most half of them in use
    std::size_t m_mask;           //!< size of m_entries minus one
    std::size_t m_size{0};        //!< number of entries in use
    std::vector<std::vector<PortId>> m_routes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FORWARDING_TABLE_H */
