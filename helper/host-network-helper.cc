/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-network-helper.h"

#include "ns3/abort.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

constexpr uint32_t HEADERS = 20 + 20 + 12; // IPv4, TCP, and TCP's time stamps
constexpr uint32_t ADDRESSES_A_LINK = 4;   // the network itself, two ends, broadcast

/** Sends what is for the hosts' network through the router. */
void
AddRoute(Ptr<Node> node, Ptr<NetDevice> device, Ipv4Address network, Ipv4Mask mask, Ipv4Address via)
{
    Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    Ptr<Ipv4StaticRouting> routing = Ipv4StaticRoutingHelper().GetStaticRouting(ipv4);
    NS_ABORT_MSG_UNLESS(routing,
                        "HostNetworkHelper: node "
                            << node->GetId()
                            << " has an internet stack without static routing; install it with "
                               "Ipv4StaticRouting in its list");
    routing->AddNetworkRouteTo(network, mask, via, ipv4->GetInterfaceForDevice(device));
}

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

HostNetworkHelper::HostNetworkHelper()
    : m_rate(100'000'000'000),
      m_delay(MicroSeconds(1)),
      m_network("172.16.0.0"),
      m_mask("255.255.0.0")
{
    m_endpoints.SetTypeId("ns3::HostEndpoint");
}

void
HostNetworkHelper::SetRate(DataRate rate)
{
    m_rate = rate;
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
    RequirePicoseconds("HostNetworkHelper");
    const uint64_t most = (uint64_t{1} << (32 - m_mask.GetPrefixLength())) / ADDRESSES_A_LINK;
    NS_ABORT_MSG_IF(servers.GetN() > most,
                    "HostNetworkHelper: " << servers.GetN() << " servers, but the network "
                                          << m_network << m_mask << " has addresses for " << most
                                          << "; give a larger one by SetNetwork()");
    HostNetwork network;
    network.router = CreateObject<Node>();

    InternetStackHelper stack;
    Ipv4StaticRoutingHelper routing;
    stack.SetRoutingHelper(routing);
    stack.SetIpv6StackInstall(false);
    stack.Install(network.router);

    PointToPointHelper links;
    links.SetDeviceAttribute("DataRate", DataRateValue(m_rate));
    links.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));
    links.SetChannelAttribute("Delay", TimeValue(m_delay));

    ObjectFactory endpoints = m_endpoints;
    endpoints.Set("SegmentSize", UintegerValue(m_mtu - HEADERS));

    for (uint32_t s = 0; s < servers.GetN(); ++s)
    {
        const Ptr<Node> server = servers.Get(s);
        if (!server->GetObject<Ipv4>())
        {
            stack.Install(server);
        }
        const NetDeviceContainer link = links.Install(server, network.router);
        const Ipv4Address base(m_network.Get() + s * ADDRESSES_A_LINK);
        const Ipv4InterfaceContainer ends = Ipv4AddressHelper(base, "255.255.255.252").Assign(link);
        AddRoute(server, link.Get(0), m_network, m_mask, ends.GetAddress(1));
        network.devices.Add(link.Get(0));
        network.routerDevices.Add(link.Get(1));
        network.addresses.push_back(ends.GetAddress(0));

        Ptr<HostEndpoint> endpoint = endpoints.Create<HostEndpoint>();
        server->AddApplication(endpoint);
        network.endpoints.push_back(endpoint);
    }
    return network;
}

} // namespace ns3
