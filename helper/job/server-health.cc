/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-health.h"

#include "ns3/mac48-address.h"
#include "ns3/management-network-helper.h"
#include "ns3/rail-net-device.h"

#include <memory>

namespace ns3
{

ServerHealth
ServerHealth::Make(const std::vector<Rail>& rails,
                   Time latency,
                   const ObjectFactory& agents,
                   const ObjectFactory& monitors)
{
    const uint32_t servers = rails[0].GetGpus();
    ServerHealth health;
    health.servers.Create(servers);
    NodeContainer heads(1);
    health.head = heads.Get(0);
    ManagementNetworkHelper helper;
    helper.SetLatency(latency);
    // control planes have parts of 10.0.0.0/8, and the first network of hosts 172.16.0.0/16
    helper.SetNetwork("100.64.0.0", "255.192.0.0");
    health.network = helper.Install(NodeContainer(health.servers, heads));
    health.monitor = monitors.Create<HealthMonitor>();
    health.head->AddApplication(health.monitor);
    const auto places = std::make_shared<HealthAgent::Places>();
    for (uint32_t gpu = 0; gpu < rails.size(); ++gpu)
    {
        for (uint32_t nic = 0; nic < servers * rails[gpu].GetPortsPerGpu(); ++nic)
        {
            const uint32_t server = nic / rails[gpu].GetPortsPerGpu();
            const Address address =
                rails[gpu].GetNic(server, nic % rails[gpu].GetPortsPerGpu())->GetAddress();
            (*places)[Mac48Address::ConvertFrom(address)] = {server, gpu};
        }
    }
    for (uint32_t server = 0; server < servers; ++server)
    {
        const Ptr<Node> node = health.servers.Get(server);
        const Ptr<HealthAgent> agent = agents.Create<HealthAgent>();
        agent->Set(server, health.network.GetAddress(health.head), places);
        node->AddApplication(agent);
        health.monitor->AddServer(server, health.network.GetAddress(node));
        health.agents.push_back(agent);
    }
    return health;
}

void
ServerHealth::Lose(uint32_t server) const
{
    agents.at(server)->Crash();
    network.Cut(servers.Get(server));
}

void
ServerHealth::Repair(uint32_t server) const
{
    network.Restore(servers.Get(server));
    agents.at(server)->Restart();
}

void
ServerHealth::Stop() const
{
    for (const Ptr<HealthAgent>& agent : agents)
    {
        agent->Crash();
    }
    monitor->Release();
}

} // namespace ns3
