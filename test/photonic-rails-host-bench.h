/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_BENCH_H
#define PHOTONIC_RAILS_HOST_BENCH_H

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * One rail of hosts with an internet stack, for tests that run ordinary ns-3 traffic over circuits:
 * what the applications got and when, what was lost where and why.
 *
 * Host h has the address 10.1.0.(h + 1) and switch port h.
 */
class HostBench
{
  public:
    static constexpr uint16_t PORT = 9; //!< of every listener

    /** What every test case begins and ends with, also one that stops halfway. */
    struct Case
    {
        Case()
        {
            UsePicoseconds();
            RngSeedManager::SetSeed(1);
            RngSeedManager::SetRun(1);
        }

        ~Case()
        {
            Simulator::Destroy();
            Config::Reset();
        }
    };

    /** Bytes that an application got. */
    struct Arrival
    {
        uint32_t host;
        Picoseconds at;
        uint32_t bytes;
    };

    /**
     * @param hosts how many
     * @param bitsPerSecond rate of their ports
     * @param fiberDelay of each fiber
     * @param prepare sets up the helper further, if wanted
     */
    HostBench(uint32_t hosts,
              uint64_t bitsPerSecond,
              Picoseconds fiberDelay,
              const std::function<void(PhotonicRailHelper&)>& prepare = nullptr)
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
        ocs->TraceConnectWithoutContext("FrameDropped",
                                        MakeCallback(&HostBench::SwitchDropped, this));
        for (uint32_t h = 0; h < hosts; ++h)
        {
            rail.GetNic(h)->TraceConnectWithoutContext(
                "FrameDropped",
                MakeCallback(&HostBench::NicDropped, this).Bind(h));
        }
    }

    ~HostBench()
    {
        if (audited)
        {
            RailAudit audit;
            audit.Add(rail);
            audit.Require();
        }
        Simulator::Destroy(); // while there is still somebody to tell of what happens
    }

    bool audited{true}; //!< whether everything must be accounted for at the end

    /** Does something in the course of the simulation; ns-3.35 schedules no lambdas. */
    static void At(Picoseconds when, std::function<void()> what)
    {
        Simulator::Schedule(ToTime(when) - Simulator::Now(), &HostBench::Do, std::move(what));
    }

    /** Joins two hosts: since ever, or from when the mirrors have turned. */
    CircuitPlanReport Join(uint32_t a, uint32_t b)
    {
        return ocs->Connect(PortId(a), PortId(b));
    }

    // -------------------------------------------------------------- closed forms

    /** How long so many bytes last on a wire, rounded up. */
    static Picoseconds Span(uint64_t bytes, uint64_t bitsPerSecond)
    {
        const uint64_t numerator = 8 * bytes * 1'000'000'000'000U; // 2 MB still fit 64 bits
        return (numerator + bitsPerSecond - 1) / bitsPerSecond;
    }

    /** From a frame's first bit to its last: preamble 8, header 14, 46 or more, check sequence 4.
     */
    static uint64_t BytesToLastBit(uint32_t ipBytes)
    {
        return 8 + 14 + (ipBytes < 46 ? 46 : ipBytes) + 4;
    }

    /** An IPv4 datagram with UDP: headers of 20 and 8 bytes. */
    static uint32_t UdpDatagram(uint32_t payload)
    {
        return 20 + 8 + payload;
    }

    /** From the first bit in at one host to the last bit out at the other: a frame and two fibers.
     */
    Picoseconds Unidirectional(uint32_t ipBytes) const
    {
        return Span(BytesToLastBit(ipBytes), rate) + 2 * fiber;
    }

    // -------------------------------------------------------------------- traffic

    /** A host takes UDP datagrams, which are recorded in `arrivals`. */
    void Listen(uint32_t host)
    {
        Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(host), UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        socket->SetRecvCallback(MakeCallback(&HostBench::ReceiveUdp, this).Bind(host));
    }

    /** Sends one UDP datagram, now. */
    void SendUdp(uint32_t from, uint32_t to, uint32_t payload, uint8_t priority = 0)
    {
        Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(from), UdpSocketFactory::GetTypeId());
        socket->SetPriority(priority);
        socket->SendTo(Create<Packet>(payload),
                       0,
                       InetSocketAddress(addresses.GetAddress(to), PORT));
    }

    /** A host answers UDP echoes. */
    static void Answer(Ptr<Node> node)
    {
        UdpEchoServerHelper(7).Install(node);
    }

    /** A host sends UDP echoes; the instants at which it gets them back are put into a list. */
    static void Ping(Ptr<Node> from,
                     Ipv4Address to,
                     uint32_t payload,
                     Picoseconds first,
                     std::vector<Picoseconds>& back,
                     uint32_t count = 1,
                     Picoseconds interval = 1'000'000)
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

    /** A host takes TCP connections; what arrives is recorded in `arrivals`. */
    void ListenTcp(uint32_t host)
    {
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink.Install(nodes.Get(host))
            .Get(0)
            ->TraceConnectWithoutContext("Rx",
                                         MakeCallback(&HostBench::ReceiveTcp, this).Bind(host));
    }

    /** Sends bytes over TCP. */
    void SendTcp(uint32_t from, uint32_t to, uint64_t bytes, Picoseconds start)
    {
        BulkSendHelper source("ns3::TcpSocketFactory",
                              InetSocketAddress(addresses.GetAddress(to), PORT));
        source.SetAttribute("MaxBytes", UintegerValue(bytes));
        source.SetAttribute("SendSize", UintegerValue(8948));
        source.Install(nodes.Get(from)).Start(ToTime(start));
    }

    // -------------------------------------------------------------------- results

    /** @return the bytes that the applications of a host got */
    uint64_t BytesAt(uint32_t host) const
    {
        uint64_t sum = 0;
        for (const Arrival& arrival : arrivals)
        {
            sum += arrival.host == host ? arrival.bytes : 0;
        }
        return sum;
    }

    /** @return how often the applications of a host got something after one instant, up to another
     */
    uint32_t ArrivalsWithin(uint32_t host, Picoseconds after, Picoseconds until) const
    {
        uint32_t count = 0;
        for (const Arrival& arrival : arrivals)
        {
            count += arrival.host == host && after < arrival.at && arrival.at <= until ? 1 : 0;
        }
        return count;
    }

    /** How long the mirrors take to turn. */
    static constexpr Picoseconds RECONFIGURATION = 20'000'000;

    Case self; // first, so that it ends last
    uint64_t rate;
    Picoseconds fiber;
    NodeContainer nodes;
    PhotonicRailHelper helper;
    Rail rail;
    Ipv4InterfaceContainer addresses;
    Ptr<OpticalCircuitSwitch> ocs;
    std::vector<Arrival> arrivals;
    std::map<FrameDropReason, uint32_t> switchDrops;
    std::map<std::pair<uint32_t, FrameDropReason>, uint32_t> nicDrops; //!< by host and reason

  private:
    static void Do(std::function<void()> what)
    {
        what();
    }

    static void Note(std::vector<Picoseconds>* instants, Ptr<const Packet>)
    {
        instants->push_back(NowPicoseconds());
    }

    void ReceiveUdp(uint32_t host, Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            arrivals.push_back({host, NowPicoseconds(), packet->GetSize()});
        }
    }

    void ReceiveTcp(uint32_t host, Ptr<const Packet> packet, const Address&)
    {
        arrivals.push_back({host, NowPicoseconds(), packet->GetSize()});
    }

    void SwitchDropped(PortId, const WireFrame&, FrameDropReason reason)
    {
        ++switchDrops[reason];
    }

    void NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
    {
        ++nicDrops[{host, reason}];
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_BENCH_H */
