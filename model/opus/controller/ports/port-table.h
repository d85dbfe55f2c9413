/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_TABLE_H
#define PHOTONIC_RAILS_PORT_TABLE_H

#include "ns3/cabling.h"
#include "ns3/identifier.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A value for each port of the switches: an array by rail and port, since each decision
 * looks up all ports of a phase several times.
 *
 * A port without an entry has a default value. Entries are not removed; a value that equals the
 * default counts as none.
 */
template <typename Value>
class PortTable
{
  public:
    /** @return the value of a port; null if it never had one */
    const Value* Find(const RailPort& port) const
    {
        const bool has =
            port.rail.Get() < m_rails.size() && port.port.Get() < m_rails[port.rail.Get()].size();
        return has ? &m_rails[port.rail.Get()][port.port.Get()] : nullptr;
    }

    /** @return the value of a port; null if it never had one */
    Value* Find(const RailPort& port)
    {
        return const_cast<Value*>(static_cast<const PortTable*>(this)->Find(port));
    }

    /** @return the value of a port, which may be set */
    Value& operator[](const RailPort& port)
    {
        if (port.rail.Get() >= m_rails.size())
        {
            m_rails.resize(std::size_t{port.rail.Get()} + 1);
        }
        std::vector<Value>& values = m_rails[port.rail.Get()];
        if (port.port.Get() >= values.size())
        {
            values.resize(std::size_t{port.port.Get()} + 1);
        }
        return values[port.port.Get()];
    }

    /** Calls a function with each port that had a value, and its value, in the order of ports. */
    template <typename Function>
    void ForEach(const Function& function) const
    {
        for (uint32_t rail = 0; rail < m_rails.size(); ++rail)
        {
            for (uint32_t port = 0; port < m_rails[rail].size(); ++port)
            {
                function(RailPort{RailId(rail), PortId(port)}, m_rails[rail][port]);
            }
        }
    }

  private:
    std::vector<std::vector<Value>> m_rails; //!< by rail and port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_TABLE_H */
