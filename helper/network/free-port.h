/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FREE_PORT_H
#define PHOTONIC_RAILS_FREE_PORT_H

#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <set>

namespace ns3
{

/**
 * @tparam Endpoint type of applications with a GetPort()
 * @param nodes that may have endpoints of earlier jobs
 * @param first port
 * @return the first port from that one on that no endpoint of these nodes has
 */
template <typename Endpoint>
uint32_t
FindFreePort(const NodeContainer& nodes, uint32_t first)
{
    std::set<uint32_t> taken;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        for (uint32_t a = 0; a < (*node)->GetNApplications(); ++a)
        {
            if (const auto endpoint = DynamicCast<Endpoint>((*node)->GetApplication(a)))
            {
                taken.insert(endpoint->GetPort());
            }
        }
    }
    uint32_t port = first;
    while (taken.count(port) > 0)
    {
        ++port;
    }
    return port;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_FREE_PORT_H */
