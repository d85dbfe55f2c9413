/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SERVER_HEALTH_H
#define PHOTONIC_RAILS_SERVER_HEALTH_H

#include "ns3/health-agent.h"
#include "ns3/health-monitor.h"
#include "ns3/management-network.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rail.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds what finds failures of servers: a HealthAgent on each server, a HealthMonitor on a
 * head node, and a management network of their own between them.
 */
struct ServerHealth
{
    NodeContainer servers; //!< their hosts
    Ptr<Node> head;        //!< of the monitor
    ManagementNetwork network;
    std::vector<Ptr<HealthAgent>> agents; //!< by server
    Ptr<HealthMonitor> monitor;

    /**
     * @param rails of the servers
     * @param latency of the network from node to node, in one direction
     * @param agents makes agents, with attributes of the user
     * @param monitors makes the monitor
     */
    static ServerHealth Make(const std::vector<Rail>& rails,
                             Time latency,
                             const ObjectFactory& agents,
                             const ObjectFactory& monitors);

    /** The host of a server fails: it sends and receives nothing any more. */
    void Lose(uint32_t server) const;

    /** The host of a server that was lost is there again. */
    void Repair(uint32_t server) const;

    /** Ends all heartbeats, so that the simulation can end. */
    void Stop() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SERVER_HEALTH_H */
