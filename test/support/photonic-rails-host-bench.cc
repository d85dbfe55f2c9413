/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-host-bench.h"

#include "ns3/application-container.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

HostBench::Case::Case()
{
    UsePicoseconds();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
}

HostBench::Case::~Case()
{
    Simulator::Destroy();
    Config::Reset();
}

HostBench::HostBench(uint32_t hosts,
                     uint64_t bitsPerSecond,
                     Picoseconds fiberDelay,
                     const std::function<void(PhotonicRailHelper&)>& prepare)
    : rate(bitsPerSecond),
      fiber(fiberDelay)
{
    nodes.Create(hosts);
    helper.SetPorts(1, DataRate(bitsPerSecond));
    helper.SetFiberAttribute("Delay", TimeValue(ToTime(fiberDelay)));
    helper.SetReconfigurationTime(ToTime(RECONFIGURATION));
    if (prepare)
    {
        prepare(helper);
    }
    rail = helper.Install(nodes);
    InternetStackHelper().Install(nodes);
    addresses = PhotonicRailHelper::AssignIpv4(rail, "10.1.0.0", "255.255.255.0");
    ocs = rail.GetOpticalSwitch();
    ocs->TraceConnectWithoutContext("FrameDropped", MakeCallback(&HostBench::SwitchDropped, this));
    for (uint32_t h = 0; h < hosts; ++h)
    {
        rail.GetNic(h)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&HostBench::NicDropped, this).Bind(h));
    }
}

HostBench::~HostBench()
{
    if (audited)
    {
        RailAudit audit;
        audit.Add(rail);
        audit.Require();
    }
    Simulator::Destroy(); // while the listeners of its events still exist
}

void
HostBench::At(Picoseconds when, std::function<void()> what)
{
    Simulator::Schedule(ToTime(when) - Simulator::Now(), &HostBench::Do, std::move(what));
}

CircuitPlanReport
HostBench::Join(uint32_t a, uint32_t b)
{
    return ocs->Connect(PortId(a), PortId(b));
}

Picoseconds
HostBench::Span(uint64_t bytes, uint64_t bitsPerSecond)
{
    const uint64_t numerator = 8 * bytes * 1'000'000'000'000U; // 2 MB still fit 64 bits
    return (numerator + bitsPerSecond - 1) / bitsPerSecond;
}

uint64_t
HostBench::BytesToLastBit(uint32_t ipBytes)
{
    return 8 + 14 + (ipBytes < 46 ? 46 : ipBytes) + 4;
}

Picoseconds
HostBench::Unidirectional(uint32_t ipBytes) const
{
    return Span(BytesToLastBit(ipBytes), rate) + 2 * fiber;
}

void
HostBench::Listen(uint32_t host)
{
    Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(host), UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    socket->SetRecvCallback(MakeCallback(&HostBench::ReceiveUdp, this).Bind(host));
}

void
HostBench::SendUdp(uint32_t from, uint32_t to, uint32_t payload, uint8_t priority)
{
    Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(from), UdpSocketFactory::GetTypeId());
    socket->SetPriority(priority);
    socket->SendTo(Create<Packet>(payload), 0, InetSocketAddress(addresses.GetAddress(to), PORT));
}

void
HostBench::Answer(Ptr<Node> node)
{
    UdpEchoServerHelper(7).Install(node);
}

void
HostBench::Ping(Ptr<Node> from,
                Ipv4Address to,
                uint32_t payload,
                Picoseconds first,
                std::vector<Picoseconds>& back,
                uint32_t count,
                Picoseconds interval)
{
    UdpEchoClientHelper client(to, 7);
    client.SetAttribute("MaxPackets", UintegerValue(count));
    client.SetAttribute("Interval", TimeValue(ToTime(interval)));
    client.SetAttribute("PacketSize", UintegerValue(payload));
    ApplicationContainer application = client.Install(from);
    application.Start(ToTime(first));
    application.Get(0)->TraceConnectWithoutContext("Rx",
                                                   MakeBoundCallback(&HostBench::Note, &back));
}

void
HostBench::ListenTcp(uint32_t host)
{
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
    sink.Install(nodes.Get(host))
        .Get(0)
        ->TraceConnectWithoutContext("Rx", MakeCallback(&HostBench::ReceiveTcp, this).Bind(host));
}

void
HostBench::SendTcp(uint32_t from, uint32_t to, uint64_t bytes, Picoseconds start)
{
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(addresses.GetAddress(to), PORT));
    source.SetAttribute("MaxBytes", UintegerValue(bytes));
    source.SetAttribute("SendSize", UintegerValue(8948));
    source.Install(nodes.Get(from)).Start(ToTime(start));
}

uint64_t
HostBench::BytesAt(uint32_t host) const
{
    uint64_t sum = 0;
    for (const Arrival& arrival : arrivals)
    {
        sum += arrival.host == host ? arrival.bytes : 0;
    }
    return sum;
}

uint32_t
HostBench::ArrivalsWithin(uint32_t host, Picoseconds after, Picoseconds until) const
{
    uint32_t count = 0;
    for (const Arrival& arrival : arrivals)
    {
        count += arrival.host == host && after < arrival.at && arrival.at <= until ? 1 : 0;
    }
    return count;
}

void
HostBench::Do(std::function<void()> what)
{
    what();
}

void
HostBench::Note(std::vector<Picoseconds>* instants, Ptr<const Packet>)
{
    instants->push_back(NowPicoseconds());
}

void
HostBench::ReceiveUdp(uint32_t host, Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        arrivals.push_back({host, NowPicoseconds(), packet->GetSize()});
    }
}

void
HostBench::ReceiveTcp(uint32_t host, Ptr<const Packet> packet, const Address&)
{
    arrivals.push_back({host, NowPicoseconds(), packet->GetSize()});
}

void
HostBench::SwitchDropped(PortId, const WireFrame&, FrameDropReason reason)
{
    ++switchDrops[reason];
}

void
HostBench::NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
{
    ++nicDrops[{host, reason}];
}

} // namespace ns3
