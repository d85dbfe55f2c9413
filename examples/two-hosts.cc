/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Two hosts on a circuit, one of which sends messages to the other.
//
//     host 0                                                  host 1
//     RDMA client    fiber    +----------------+    fiber     RDMA sink
//     NIC port ------------- 0| optical switch |1 ------------ NIC port
//                             +----------------+
//
// The circuit is up from the beginning. Host 0 posts --messages messages of --bytes bytes each,
// --interval apart; applications and helpers do all of it.
//
// What to look at: a message of --bytes=1048576 is 256 frames of 4096 bytes, each with 82 bytes
// around it: 1069568 bytes on the wire. At 400 Gb/s these are 21.391 us. The last bit of the last
// message is in a gap of 12 bytes earlier, and two fibers later. The acknowledgement has 86 bytes,
// and takes the same way back. With --interval=0s the messages follow each other on the wire; with
// one of more than 21.391 us the wire is idle between them.
//
// Try: ./rails run two-hosts
//      ./rails run two-hosts --messages=3 --interval=50us
//      ./rails run two-hosts --rate=100Gbps --json=-

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    uint64_t bytes{1 << 20};
    uint64_t messages{10};
    Time interval{0};
    DataRate rate{"400Gbps"};

    /** Adds the options. @param scenario gets them */
    void Add(Scenario& scenario);
};

void
Options::Add(Scenario& scenario)
{
    scenario.Add("bytes", "Bytes of a message", bytes).Between(1, 1ULL << 32);
    scenario.Add("messages", "Messages that host 0 sends", messages).Between(1, 1'000'000);
    scenario.Add("interval",
                 "Time from one message to the next, such as 50us; 0s: all are posted at once",
                 interval);
    scenario.Add("rate", "Rate of the NIC ports, such as 400Gbps", rate);
}

void
Report(Scenario& scenario, const RdmaClientApplication& client, const RdmaSinkApplication& sink)
{
    if (scenario.PrintsTables())
    {
        std::cout << "host 1 received " << sink.GetMessages() << " messages of "
                  << client.GetPosted() << ", the last at "
                  << sink.GetLastArrival().GetPicoSeconds() << " ps" << std::endl
                  << "host 0 has " << client.GetCompleted() << " acknowledged, the last at "
                  << client.GetLastCompletion().GetPicoSeconds() << " ps" << std::endl;
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    scenario.AddAnimation();
    return scenario.Run(argc, argv, [&] {
        NodeContainer hosts(2);
        PhotonicRailHelper rails;
        rails.SetPorts(1, options.rate);
        rails.SetFiberLength(20); // metres: 97.908 ns
        const Rail rail = rails.Install(hosts);
        rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(0), rail.GetSwitchPort(1));
        RdmaHelper().Install(hosts);

        const auto sinks = RdmaSinkHelper().Install(hosts.Get(1));
        RdmaClientHelper client(rail.GetNic(1)->GetAddress());
        client.SetAttribute("MessageSize", UintegerValue(options.bytes));
        client.SetAttribute("Messages", UintegerValue(options.messages));
        client.SetAttribute("Interval", TimeValue(options.interval));
        const auto clients = client.Install(hosts.Get(0));

        RailAudit audit;
        audit.Add(rail);
        scenario.Begin();
        scenario.GetAnimation().Add(rail);
        Scenario::Simulate();
        audit.Require(); // every frame and message is accounted for
        const auto sender = DynamicCast<RdmaClientApplication>(clients.Get(0));
        const auto receiver = DynamicCast<RdmaSinkApplication>(sinks.Get(0));
        Report(scenario, *sender, *receiver);
        scenario.AddFigure("last arrival", "us", receiver->GetLastArrival().GetPicoSeconds() / 1e6);
        scenario.Write([&](JsonWriter& json) {
            json.Field("messages_sent", sender->GetPosted());
            json.Field("messages_received", receiver->GetMessages());
            json.Field("bytes_received", receiver->GetTotalRx());
            json.Field("last_arrival_ps", receiver->GetLastArrival().GetPicoSeconds());
            json.Field("last_completion_ps", sender->GetLastCompletion().GetPicoSeconds());
            WriteFidelity(json, rail);
        });
        Simulator::Destroy();
    });
}
