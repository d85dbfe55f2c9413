/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "management-network-helper.h"

#include "ns3/abort.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"

#include <set>

namespace ns3
{

namespace
{

constexpr uint32_t ADDRESSES_A_LINK = 4; // the network itself, two ends, broadcast

/** Sends what is for the management network through the router. */
void
AddRoute(Ptr<Node> node, Ptr<NetDevice> device, Ipv4Address network, Ipv4Mask mask, Ipv4Address via)
{
    Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    Ptr<Ipv4StaticRouting> routing = Ipv4StaticRoutingHelper().GetStaticRouting(ipv4);
    NS_ABORT_MSG_UNLESS(routing,
                        "ManagementNetworkHelper: node "
                            << node->GetId()
                            << " has an internet stack without static routing; install it with "
                               "Ipv4StaticRouting in its list");
    routing->AddNetworkRouteTo(network, mask, via, ipv4->GetInterfaceForDevice(device));
}

/** @return what loses a share of the packets that come in at a device */
Ptr<RateErrorModel>
LoseAt(Ptr<NetDevice> device, double loss)
{
    Ptr<RateErrorModel> model = CreateObject<RateErrorModel>();
    model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(loss);
    device->SetAttribute("ReceiveErrorModel", PointerValue(model));
    return model;
}

/** @return nodes, each once, in their order */
NodeContainer
EachOnce(const NodeContainer& nodes)
{
    NodeContainer once;
    std::set<uint32_t> seen;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        if (seen.insert(nodes.Get(n)->GetId()).second)
        {
            once.Add(nodes.Get(n));
        }
    }
    return once;
}

} // namespace

uint32_t
ManagementNetwork::IndexOf(Ptr<Node> node) const
{
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        if (nodes.Get(n) == node)
        {
            return n;
        }
    }
    NS_ABORT_MSG("ManagementNetwork: node "
                 << node->GetId() << " is none of the " << nodes.GetN()
                 << " on it; give it to ManagementNetworkHelper::Install() too");
}

Ipv4Address
ManagementNetwork::GetAddress(Ptr<Node> node) const
{
    return addresses[IndexOf(node)];
}

void
ManagementNetwork::Cut(Ptr<Node> node) const
{
    const uint32_t n = IndexOf(node);
    toNodes[n]->SetRate(1);
    toRouter[n]->SetRate(1);
}

void
ManagementNetwork::Restore(Ptr<Node> node) const
{
    const uint32_t n = IndexOf(node);
    toNodes[n]->SetRate(loss);
    toRouter[n]->SetRate(loss);
}

int64_t
ManagementNetwork::AssignStreams(int64_t stream) const
{
    int64_t next = stream;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        next += toNodes[n]->AssignStreams(next);
        next += toRouter[n]->AssignStreams(next);
    }
    return next - stream;
}

ManagementNetworkHelper::ManagementNetworkHelper()
    : m_rate(1'000'000'000),
      m_latency(MicroSeconds(10)),
      m_network("10.255.0.0"),
      m_mask("255.255.0.0")
{
}

void
ManagementNetworkHelper::SetRate(DataRate rate)
{
    m_rate = rate;
}

void
ManagementNetworkHelper::SetLatency(Time latency)
{
    NS_ABORT_MSG_IF(latency.GetTimeStep() < 2,
                    "ManagementNetworkHelper: a latency of "
                        << latency.GetTimeStep()
                        << " ps; set it to 2 ps or more, nothing is known at two nodes at once");
    m_latency = latency;
}

void
ManagementNetworkHelper::SetLoss(double loss)
{
    NS_ABORT_MSG_UNLESS(loss >= 0 && loss <= 1,
                        "ManagementNetworkHelper: a loss of "
                            << loss << "; it is a share of the packets, 0 to 1");
    m_loss = loss;
}

void
ManagementNetworkHelper::SetNetwork(Ipv4Address network, Ipv4Mask mask)
{
    m_network = network;
    m_mask = mask;
}

ManagementNetwork
ManagementNetworkHelper::Install(const NodeContainer& nodes) const
{
    RequirePicoseconds("ManagementNetworkHelper");
    ManagementNetwork network;
    network.loss = m_loss;
    network.nodes = EachOnce(nodes);
    const uint64_t most = (uint64_t{1} << (32 - m_mask.GetPrefixLength())) / ADDRESSES_A_LINK;
    NS_ABORT_MSG_IF(network.nodes.GetN() > most,
                    "ManagementNetworkHelper: "
                        << network.nodes.GetN() << " nodes, but the network " << m_network << m_mask
                        << " has addresses for " << most << "; give a larger one by SetNetwork()");
    network.router = CreateObject<Node>();

    InternetStackHelper stack;
    Ipv4StaticRoutingHelper routing;
    stack.SetRoutingHelper(routing);
    stack.SetIpv6StackInstall(false);
    stack.Install(network.router);

    PointToPointHelper links;
    links.SetDeviceAttribute("DataRate", DataRateValue(m_rate));
    links.SetChannelAttribute("Delay", TimeValue(ToTime(m_latency.GetTimeStep() / 2)));

    for (uint32_t n = 0; n < network.nodes.GetN(); ++n)
    {
        const Ptr<Node> node = network.nodes.Get(n);
        if (!node->GetObject<Ipv4>())
        {
            stack.Install(node);
        }
        const NetDeviceContainer link = links.Install(node, network.router);
        const Ipv4Address base(m_network.Get() + n * ADDRESSES_A_LINK);
        const Ipv4InterfaceContainer ends = Ipv4AddressHelper(base, "255.255.255.252").Assign(link);
        AddRoute(node, link.Get(0), m_network, m_mask, ends.GetAddress(1));
        network.devices.Add(link.Get(0));
        network.routerDevices.Add(link.Get(1));
        network.addresses.push_back(ends.GetAddress(0));
        network.toNodes.push_back(LoseAt(link.Get(0), m_loss));
        network.toRouter.push_back(LoseAt(link.Get(1), m_loss));
    }
    return network;
}

} // namespace ns3
