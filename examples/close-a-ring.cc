/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A ring of four hosts closes up without one of them.
//
//     until 50 us           from 57 us
//     0 ----- 1             0       1        Each host has 2 ports of 200 Gb/s on one rail.
//     |       |             | \              A line is a circuit from port 1 of a host
//     3 ----- 2             3 - 2            to port 0 of the next.
//
// Host 0 streams to the next host of the ring: to host 1, and from 50 us on to host 2. At 50 us the
// switch is given the plan that takes host 1 out of the ring. It is a silicon photonic switch: it
// takes 7 us. What host 0 sends in the dark waits in its NIC.
//
// What to look at: one packet to host 2 is lost, the one that left at 50 us, for the NIC learns of
// the dark a fiber delay later. The next one is in at 50 us + 7 us + a fiber delay (host 0 sees the
// light) + its time on the wire + two fiber delays.
//
// Try: ./rails run close-a-ring
//      ./rails run close-a-ring --json=-
//      ./rails run close-a-ring --circuit-map=ring.svg --circuit-map-at=52us
//      ./rails run close-a-ring --netanim=ring.xml

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>

using namespace ns3;

namespace
{

constexpr uint32_t SENT = 100; // packets of a stream

/** UDP packets from port 1 of a host to an address of another, and what came of them. */
struct Stream
{
    Stream(Ptr<Node> from, Ptr<Node> to, Ipv4Address address, Time start)
        : host(to->GetId())
    {
        // All ports on a rail are in one network: a host route says which of its own a host uses.
        const uint32_t interfaceOfPort1 = 2; // 0 is loopback, 1 is port 0
        Ipv4StaticRoutingHelper()
            .GetStaticRouting(from->GetObject<Ipv4>())
            ->AddHostRouteTo(address, interfaceOfPort1);
        const uint16_t port = 9;
        PacketSinkHelper sink("ns3::UdpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), port));
        sink.Install(to).Get(0)->TraceConnectWithoutContext("Rx",
                                                            MakeCallback(&Stream::Receive, this));
        UdpClientHelper client(address, port);
        client.SetAttribute("MaxPackets", UintegerValue(SENT));
        client.SetAttribute("PacketSize", UintegerValue(8972)); // an IPv4 packet of 9000 bytes
        client.SetAttribute("Interval", TimeValue(NanoSeconds(400)));
        client.Install(from).Start(start);
    }

    void Receive(Ptr<const Packet>, const Address&)
    {
        last = Simulator::Now();
        first = packets++ == 0 ? last : first;
    }

    uint32_t host;
    uint32_t packets{0};
    Time first{0};
    Time last{0};
};

/** Four hosts in a ring, which closes up without host 1. */
Rail
MakeRing(const NodeContainer& hosts)
{
    PhotonicRailHelper rails;
    rails.SetTechnology("sip"); // silicon photonics: a circuit reconfigures in 7 us
    rails.SetProfile("2x200");  // 2 ports of 200 Gb/s a host
    const Rail rail = rails.Install(hosts);
    PhotonicRailHelper::ConnectRing(rail);
    const Circuit shortcut(rail.GetSwitchPort(0, 1), rail.GetSwitchPort(2, 0));
    const CircuitMap& ring = rail.GetOpticalSwitch()->GetMap();
    PhotonicRailHelper::ScheduleApply(rail, MicroSeconds(50), ring.PlanTowards({shortcut}, {}));
    return rail;
}

void
Report(Scenario& scenario, const Stream& stream)
{
    if (scenario.PrintsTables())
    {
        std::cout << "host " << stream.host << " received " << stream.packets << " of " << SENT
                  << " packets, the first at " << stream.first.GetTimeStep() << " ps, the last at "
                  << stream.last.GetTimeStep() << " ps" << std::endl;
    }
    scenario.AddFigure("last packet at host " + std::to_string(stream.host),
                       "us",
                       stream.last.GetTimeStep() / 1e6);
    scenario.AddRow("streams", [&stream](JsonWriter& json) {
        json.Field("host", stream.host);
        json.Field("packets_sent", SENT);
        json.Field("packets_received", stream.packets);
        json.Field("first_ps", stream.first.GetTimeStep());
        json.Field("last_ps", stream.last.GetTimeStep());
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    CircuitMapOption circuitMap; // a picture of the circuits at an instant
    circuitMap.Add(scenario.GetOptions());
    scenario.AddAnimation(); // the option --netanim
    return scenario.Run(argc, argv, [&] {
        circuitMap.Check(scenario.GetOptions());
        NodeContainer hosts(4);
        const Rail rail = MakeRing(hosts);
        InternetStackHelper().Install(hosts);
        const auto ip = PhotonicRailHelper::AssignIpv4(rail, "10.1.0.0", "255.255.255.0");
        Stream before(hosts.Get(0), hosts.Get(1), ip.GetAddress(2), Time(0));
        Stream after(hosts.Get(0), hosts.Get(2), ip.GetAddress(4), MicroSeconds(50));
        RailAudit audit;
        audit.Add(rail);
        scenario.Begin();
        circuitMap.Record(rail, "host");
        scenario.GetAnimation().Add(rail);
        const Ptr<RunResults> results = scenario.BeginRun({"the ring"}); // for --output=FOLDER
        results->Add(rail);
        Simulator::Run();
        audit.Require(); // every frame is accounted for
        circuitMap.Write();
        results->Finish(after.last);
        Report(scenario, before);
        Report(scenario, after);
        scenario.Write([&rail](JsonWriter& json) { WriteFidelity(json, rail); });
        Simulator::Destroy();
    });
}
