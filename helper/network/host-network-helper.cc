/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-network-helper.h"

#include "free-port.h"
#include "star-network-helper.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/star-routing.h"
#include "ns3/uinteger.h"

#include <cstddef>

namespace ns3
{

namespace
{

constexpr uint32_t HEADERS = 20 + 20 + 12; // IPv4, TCP, and TCP's time stamps

} // namespace

Ptr<HostTransport>
HostNetwork::Join(RankId rank, uint32_t server, Ptr<Node> gpu) const
{
    NS_ABORT_MSG_UNLESS(server < endpoints.size(),
                        "HostNetwork: rank " << rank << " would be at server " << server
                                             << ", but there are " << endpoints.size()
                                             << " servers, counted from 0");
    for (const Ptr<HostEndpoint>& endpoint : endpoints)
    {
        endpoint->SetServerOf(rank, addresses[server]);
    }
    Ptr<HostTransport> transport = CreateObject<HostTransport>();
    transport->Join(endpoints[server], rank, gpu);
    return transport;
}

void
HostNetwork::Cut(uint32_t server) const
{
    if (endpoints[server]->IsRunning())
    {
        GetRouting()->SetLoss(server, 1);
    }
}

void
HostNetwork::EndProcesses() const
{
    for (std::size_t server = 0; server < endpoints.size(); ++server)
    {
        endpoints[server]->EndProcess();
        GetRouting()->SetLoss(server, 0);
    }
}

HostNetworkHelper::HostNetworkHelper()
    : m_rate(100'000'000'000),
      m_delay(MicroSeconds(1)),
      m_network("172.16.0.0"),
      m_mask("255.255.0.0")
{
    m_endpoints.SetTypeId(HostEndpoint::GetTypeId());
}

std::optional<HostNetworkHelper>
HostNetworkHelper::OfRate(DataRate rate)
{
    std::optional<HostNetworkHelper> helper;
    if (rate.GetBitRate() > 0)
    {
        helper.emplace().SetRate(rate);
    }
    return helper;
}

void
HostNetworkHelper::SetRate(DataRate rate)
{
    RequireRate(rate, "HostNetworkHelper: a rate");
    m_rate = rate;
}

DataRate
HostNetworkHelper::GetRate() const
{
    return m_rate;
}

Time
HostNetworkHelper::GetHopLatency() const
{
    TimeValue host;
    m_endpoints.Create<HostEndpoint>()->GetAttribute("HostLatency", host);
    return m_delay + m_delay + host.Get() + host.Get();
}

void
HostNetworkHelper::SetDelay(Time delay)
{
    m_delay = delay;
}

void
HostNetworkHelper::SetMtu(uint16_t mtu)
{
    NS_ABORT_MSG_UNLESS(mtu > HEADERS,
                        "HostNetworkHelper: an MTU of " << mtu << " bytes has no room beside "
                                                        << HEADERS << " of headers; give more");
    m_mtu = mtu;
}

void
HostNetworkHelper::SetNetwork(Ipv4Address network, Ipv4Mask mask)
{
    m_network = network;
    m_mask = mask;
}

void
HostNetworkHelper::SetEndpointAttribute(const std::string& name, const AttributeValue& value)
{
    m_endpoints.Set(name, value);
}

HostNetwork
HostNetworkHelper::Install(const NodeContainer& servers) const
{
    PointToPointHelper links;
    links.SetDeviceAttribute("DataRate", DataRateValue(m_rate));
    links.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));

    HostNetwork network;
    static_cast<StarNetwork&>(network) = BuildStarNetwork(servers,
                                                          links,
                                                          m_delay + m_delay,
                                                          m_network,
                                                          m_mask,
                                                          StarQueues::QUEUE_DISCS,
                                                          "HostNetworkHelper",
                                                          "servers");
    SuggestibleFactory endpoints = m_endpoints;
    endpoints.Suggest("SegmentSize", UintegerValue(m_mtu - HEADERS));
    UintegerValue port;
    endpoints.Create<HostEndpoint>()->GetAttribute("Port", port);
    port.Set(FindFreePort<HostEndpoint>(servers, port.Get()));
    endpoints.Set("Port", port);
    for (uint32_t s = 0; s < servers.GetN(); ++s)
    {
        Ptr<HostEndpoint> endpoint = endpoints.Create<HostEndpoint>();
        servers.Get(s)->AddApplication(endpoint);
        network.endpoints.push_back(endpoint);
    }
    return network;
}

} // namespace ns3
