/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "forwarding-table.h"

#include "ns3/abort.h"
#include "ns3/mac-number.h"

#include <utility>

namespace ns3
{

ForwardingTable::ForwardingTable()
    : m_entries(16),
      m_mask(15)
{
}

ForwardingTable::Route
ForwardingTable::AddRoute(std::vector<PortId> ports)
{
    NS_ABORT_MSG_IF(ports.empty(), "ForwardingTable: a route needs at least 1 port");
    m_routes.push_back(std::move(ports));
    return m_routes.size() - 1;
}

void
ForwardingTable::Add(Mac48Address address, Route route)
{
    const uint64_t key = ToNumber(address);
    NS_ABORT_MSG_IF(IsGroup(key),
                    "ForwardingTable: " << address
                                        << " is a group address, and those are flooded; give the "
                                           "address of one NIC port");
    NS_ABORT_MSG_UNLESS(route < m_routes.size(),
                        "ForwardingTable: there is no route " << route << "; add it first, "
                                                              << m_routes.size() << " are there");
    if (2 * (m_size + 1) > m_entries.size())
    {
        std::vector<Entry> old(2 * m_entries.size());
        old.swap(m_entries);
        m_mask = m_entries.size() - 1;
        m_size = 0;
        for (const Entry& entry : old)
        {
            if (entry.key != EMPTY)
            {
                Insert(entry);
            }
        }
    }
    Insert({key, route});
}

void
ForwardingTable::Insert(const Entry& entry)
{
    std::size_t place = PlaceOf(entry.key);
    while (m_entries[place].key != EMPTY && m_entries[place].key != entry.key)
    {
        place = (place + 1) & m_mask;
    }
    m_size += m_entries[place].key == EMPTY ? 1 : 0;
    m_entries[place] = entry;
}

std::size_t
ForwardingTable::GetSize() const
{
    return m_size;
}

} // namespace ns3
