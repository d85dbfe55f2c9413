/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "star-network-helper.h"

#include "ns3/abort.h"
#include "ns3/fidelity.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/queue-disc.h"
#include "ns3/star-host.h"
#include "ns3/star-routing.h"
#include "ns3/traffic-control-layer.h"

namespace ns3
{

namespace
{

/** Starts a device, and what was added with it, on a node that runs already. */
void
StartOnRunningNode(Ptr<Node> node, Ptr<NetDevice> device)
{
    if (!node->IsInitialized())
    {
        return; // it starts all at its own start
    }
    node->Initialize(); // what was aggregated since then
    const Ptr<TrafficControlLayer> traffic = node->GetObject<TrafficControlLayer>();
    traffic->ScanDevices();
    if (const Ptr<QueueDisc> queue = traffic->GetRootQueueDiscOnDevice(device))
    {
        queue->Initialize();
    }
}

/** Lets devices have no queue disc above them, where the release of ns-3 has such a switch. */
template <typename Helper>
auto
DisableFlowControlOf(Helper& links, int) -> decltype(links.DisableFlowControl())
{
    links.DisableFlowControl();
}

/** The same, before ns-3.36. */
template <typename Helper>
void
DisableFlowControlOf(Helper&, long)
{
}

/** Removes the queue disc of a device, if it has one. */
void
RemoveQueueDisc(Ptr<Node> node, Ptr<NetDevice> device)
{
    const Ptr<TrafficControlLayer> traffic = node->GetObject<TrafficControlLayer>();
    if (traffic->GetRootQueueDiscOnDevice(device))
    {
        traffic->DeleteRootQueueDiscOnDevice(device);
    }
}

/** The receiving end of a link at the router. */
struct LinkAtRouter
{
    Ipv4L3Protocol* ipv4{nullptr};
    StarRouting* routing{nullptr}; //!< null: packets go through the stack, to queue discs
    uint32_t number{0};            //!< of the link

    bool operator==(const LinkAtRouter& other) const
    {
        return ipv4 == other.ipv4 && number == other.number;
    }

    bool operator!=(const LinkAtRouter& other) const
    {
        return !(*this == other);
    }
};

/** Takes a packet of a link of the router. @return whether it is an IPv4 packet */
bool
TakeFromLink(LinkAtRouter link,
             Ptr<NetDevice> device,
             Ptr<const Packet> packet,
             uint16_t protocol,
             const Address& from)
{
    const bool isIpv4 = protocol == Ipv4L3Protocol::PROT_NUMBER;
    if (isIpv4 && (link.routing == nullptr || !link.routing->Pass(link.number, packet)))
    {
        link.ipv4
            ->Receive(device, packet, protocol, from, device->GetAddress(), NetDevice::PACKET_HOST);
    }
    return isIpv4;
}

/** @return the ends of a node's star networks */
Ptr<StarHost>
GetHostOf(Ptr<Node> node)
{
    Ptr<StarHost> host = node->GetObject<StarHost>();
    if (!host)
    {
        host = CreateObject<StarHost>();
        node->AggregateObject(host);
    }
    return host;
}

} // namespace

StarNetwork
BuildStarNetwork(const NodeContainer& nodes,
                 PointToPointHelper links,
                 Time latency,
                 Ipv4Address network,
                 Ipv4Mask mask,
                 StarQueues queues,
                 const std::string& helper,
                 const std::string& kind)
{
    constexpr uint32_t ADDRESSES_A_LINK = 4; // the network itself, two ends, broadcast
    RequirePicoseconds(helper);
    const uint64_t most = (uint64_t{1} << (32 - mask.GetPrefixLength())) / ADDRESSES_A_LINK;
    NS_ABORT_MSG_IF(nodes.GetN() > most,
                    helper << ": " << nodes.GetN() << " " << kind << ", but the network " << network
                           << mask << " has addresses for " << most
                           << "; give a larger one by SetNetwork()");
    NS_ABORT_MSG_IF(latency < ToTime(3),
                    helper << ": a latency of " << latency.GetTimeStep()
                           << " ps from node to node; set it to 3 ps or more: two links and the "
                              "end of the instant at the router");
    const Picoseconds onLink = (latency.GetTimeStep() - 1) / 2;
    links.SetChannelAttribute("Delay", TimeValue(ToTime(onLink)));
    if (queues == StarQueues::DEVICES_ALONE)
    {
        DisableFlowControlOf(links, 0);
    }
    StarNetwork star;
    star.router = CreateObject<Node>();

    InternetStackHelper stack;
    Ipv4StaticRoutingHelper routing;
    stack.SetRoutingHelper(routing);
    stack.SetIpv6StackInstall(false);
    stack.Install(star.router);
    // a routing protocol without a search through one route a link for every packet
    const auto atRouter = CreateObject<StarRouting>(network, latency.GetTimeStep() - 2 * onLink);
    star.router->GetObject<Ipv4>()->SetRoutingProtocol(atRouter);
    LinkAtRouter end;
    end.ipv4 = PeekPointer(star.router->GetObject<Ipv4L3Protocol>());
    end.routing = queues == StarQueues::DEVICES_ALONE ? PeekPointer(atRouter) : nullptr;
    // with an event for each frame the stack has its part in each datagram, too
    const bool isExpress =
        queues == StarQueues::DEVICES_ALONE && GetPhotonicRailsFidelity() == PACKET_TRAINS;

    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        const Ptr<Node> node = nodes.Get(n);
        if (!node->GetObject<Ipv4>())
        {
            stack.Install(node);
        }
        const NetDeviceContainer link = links.Install(node, star.router);
        const Ipv4Address base(network.Get() + n * ADDRESSES_A_LINK);
        const Ipv4InterfaceContainer ends = Ipv4AddressHelper(base, "255.255.255.252").Assign(link);
        if (queues == StarQueues::DEVICES_ALONE)
        {
            RemoveQueueDisc(node, link.Get(0));
            RemoveQueueDisc(star.router, link.Get(1));
        }
        end.number = n;
        link.Get(1)->SetReceiveCallback(MakeBoundCallback(&TakeFromLink, end));
        const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        const Ptr<Ipv4StaticRouting> routes = routing.GetStaticRouting(ipv4);
        NS_ABORT_MSG_UNLESS(routes,
                            helper << ": node " << node->GetId()
                                   << " has an internet stack without static routing; install it "
                                      "with Ipv4StaticRouting in its list");
        routes->AddNetworkRouteTo(network,
                                  mask,
                                  ends.GetAddress(1),
                                  ipv4->GetInterfaceForDevice(link.Get(0)));
        if (isExpress)
        {
            GetHostOf(node)->Add(node->GetObject<Ipv4L3Protocol>(), link.Get(0), network, mask);
        }
        StartOnRunningNode(node, link.Get(0));
        star.devices.Add(link.Get(0));
        star.routerDevices.Add(link.Get(1));
        star.addresses.push_back(ends.GetAddress(0));
    }
    return star;
}

} // namespace ns3
