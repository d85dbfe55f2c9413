/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The cost of packet events: CPU time and ns-3 events a frame on a circuit and on an electrical
// switch, the set-up of a large rail, and silence. Beside them, from the same run, the cost of an
// empty ns-3 event and of a bare Packet with one header. Median and best of several runs;
// tracing is off.

#include "empty-event.h"
#include "measure.h"

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Memory of this process that is in use, in bytes. */
double
Memory()
{
    std::ifstream status("/proc/self/statm");
    double pages = 0;
    status >> pages >> pages; // the second value is the resident memory
    return pages * 4096;
}

std::vector<double>
BarePackets()
{
    const uint32_t packets = 300'000;
    const double before = CpuTime();
    for (uint32_t i = 0; i < packets; ++i)
    {
        Ptr<Packet> packet = Create<Packet>(4096);
        UdpHeader header;
        packet->AddHeader(header);
    }
    return {(CpuTime() - before) / packets};
}

/** The frames that NIC ports of a rail have sent. */
uint64_t
FramesOf(const Rail& rail)
{
    RailAudit audit;
    audit.Add(rail);
    audit.Require();
    return audit.GetTotals().framesSent;
}

/** One large message over a circuit: MTU 4096, an acknowledgement every 64 frames. */
std::vector<double>
OneCircuit()
{
    NodeContainer gpus(2);
    PhotonicRailHelper rails;
    const Rail rail = rails.Install(gpus);
    RdmaHelper().Install(gpus);
    rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
    const uint64_t frames = 200'000;
    auto ends = RdmaEngine::Connect(gpus.Get(0), gpus.Get(1));
    ends.first->Post(RdmaVerb::WRITE, frames * 4096);
    const double before = CpuTime();
    Simulator::Run();
    const double spent = CpuTime() - before;
    const uint64_t events = Simulator::GetEventCount();
    const uint64_t all = FramesOf(rail);
    Simulator::Destroy();
    return {spent / frames, static_cast<double>(events) / all};
}

/** 16 hosts on one electrical switch, each sends to the next; an acknowledgement a frame. */
std::vector<double>
SixteenHosts()
{
    const uint32_t hosts = 16;
    const uint64_t bytes = 64'000'000;
    NodeContainer gpus(hosts);
    ElectricalRailHelper rails;
    rails.SetFiberAttribute("Delay", TimeValue(NanoSeconds(500)));
    const Rail rail = rails.Install(gpus);
    RdmaHelper rdma;
    rdma.SetAttribute("Mtu", UintegerValue(1024));
    rdma.SetAttribute("AckEvery", UintegerValue(1));
    rdma.Install(gpus);
    for (uint32_t h = 0; h < hosts; ++h)
    {
        auto ends = RdmaEngine::Connect(gpus.Get(h), gpus.Get((h + 1) % hosts));
        ends.first->Post(RdmaVerb::WRITE, bytes);
    }
    const double before = CpuTime();
    Simulator::Run();
    const double spent = CpuTime() - before;
    const uint64_t events = Simulator::GetEventCount();
    const uint64_t all = FramesOf(rail);
    Simulator::Destroy();
    const double data = hosts * ((bytes + 1023) / 1024);
    return {data / spent * 1000, static_cast<double>(events) / all, events / data};
}

/** A rail of 1,024 hosts with RDMA, each with a queue pair to the next. */
std::vector<double>
LargeRail()
{
    const uint32_t hosts = 1024;
    const double memoryBefore = Memory();
    const double before = CpuTime();
    NodeContainer gpus(hosts);
    ElectricalRailHelper rails;
    rails.Install(gpus);
    RdmaHelper().Install(gpus);
    const double spent = CpuTime() - before;
    const double memory = Memory() - memoryBefore;
    const uint32_t pairs = 20;
    for (uint32_t h = 0; h < hosts; ++h)
    {
        for (uint32_t p = 1; p <= pairs; ++p)
        {
            RdmaEngine::Connect(gpus.Get(h), gpus.Get((h + p) % hosts));
        }
    }
    const double pairMemory = Memory() - memoryBefore - memory;
    Simulator::Destroy();
    return {spent / 1e6, memory / 1e6, pairMemory / (2.0 * hosts * pairs)};
}

/** 100 ms without traffic. */
std::vector<double>
Silence()
{
    NodeContainer gpus(64);
    ElectricalRailHelper rails;
    rails.Install(gpus);
    RdmaHelper().Install(gpus);
    for (uint32_t h = 0; h < 64; ++h)
    {
        RdmaEngine::Connect(gpus.Get(h), gpus.Get((h + 1) % 64));
    }
    // the initialisation of the nodes has ended at 1 ns
    Simulator::Stop(NanoSeconds(1));
    Simulator::Run();
    const uint64_t before = Simulator::GetEventCount();
    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    const uint64_t events = Simulator::GetEventCount() - before;
    Simulator::Destroy();
    return {static_cast<double>(events)};
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    // the fastest of ns-3's schedulers here
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    GlobalValue::Bind("PhotonicRailsFidelity", StringValue("PacketEvents"));
    uint32_t runs = 5;
    CommandLine cmd(__FILE__);
    cmd.AddValue("runs", "Runs of each benchmark", runs);
    cmd.Parse(argc, argv);

    ReportTitle("packet events");
    // memory first: later freed memory does not return to the system
    const std::vector<double> large = LargeRail();
    Report("1,024 hosts: set-up", "ms", {large[0]});
    Report("1,024 hosts: memory", "MB", {large[1]});
    Report("one end of a queue pair: memory", "bytes", {large[2]});
    ReportEmptyEvent(runs);
    const auto packets = Repeat(runs, BarePackets);
    Report("a bare Packet with one header", "ns", packets[0]);
    const auto circuit = Repeat(runs, OneCircuit);
    Report("NIC, optical switch, NIC: a data frame of 4096 bytes", "ns", circuit[0]);
    Report("NIC, optical switch, NIC: events a frame", "", circuit[1]);
    const auto sixteen = Repeat(runs, SixteenHosts);
    ReportRate("16 hosts, electrical switch: data frames", "million/s", sixteen[0]);
    Report("16 hosts, electrical switch: events a frame", "", sixteen[1]);
    Report("16 hosts, electrical switch: events a data frame", "", sixteen[2]);
    const auto silence = Repeat(1, Silence);
    Report("100 ms of silence on 64 hosts: events", "", silence[0]);
    return 0;
}
