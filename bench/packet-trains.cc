/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The cost of packet trains and of packet events in the same scenarios and the same run, and the
// ratio. CPU time of Simulator::Run(); median of several runs. The results of both are compared: a
// row whose fidelities do not end at the same picosecond, with the same frames, stops the program.

#include "empty-event.h"
#include "measure.h"

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <cstdlib>
#include <memory>

using namespace ns3;

namespace
{

/** The load: messages and circuits. */
struct Load
{
    std::string what;
    std::string unit;
    uint32_t circuits;
    uint64_t bytes;    //!< of a message
    uint32_t messages; //!< of each sending end
    bool bothWays;
    uint32_t ackEvery;
    bool bytesASecond;      //!< report bytes on the wire a CPU second, else time a message
    uint32_t withEvents{1}; //!< the divisor of the messages for packet events
    uint32_t queuePairs{1}; //!< of each circuit; several take turns
};

/** The result of a run. */
struct Outcome
{
    double cpu{0};
    uint64_t arrived{0};
    Picoseconds last{0};
    RailAudit::Totals totals;

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        ++arrived;
        last = NowPicoseconds();
    }
};

/** One end that sends: a few messages at a time, the next when one is settled. */
struct Source
{
    static constexpr uint32_t AT_A_TIME = 4;

    Ptr<RdmaQueuePair> queuePair;
    uint64_t bytes;
    uint32_t left;

    void Start()
    {
        queuePair->SetSettledCallback(MakeCallback(&Source::Settled, this));
        for (uint32_t i = 0; i < AT_A_TIME; ++i)
        {
            Post();
        }
    }

    void Post()
    {
        if (left > 0)
        {
            --left;
            queuePair->Post(RdmaVerb::WRITE, bytes);
        }
    }

    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        Post();
    }
};

Outcome
RunOnce(const Load& load, const std::string& fidelity)
{
    GlobalValue::Bind("PhotonicRailsFidelity", StringValue(fidelity));
    Outcome outcome;
    NodeContainer gpus(2 * load.circuits);
    PhotonicRailHelper rails;
    rails.SetSwitchAttribute("Radix", UintegerValue(2 * load.circuits));
    const Rail rail = rails.Install(gpus);
    RdmaHelper rdma;
    rdma.SetAttribute("AckEvery", UintegerValue(load.ackEvery));
    rdma.Install(gpus);
    std::vector<std::unique_ptr<Source>> sources;
    for (uint32_t c = 0; c < load.circuits; ++c)
    {
        rail.GetOpticalSwitch()->Connect(PortId(2 * c), PortId(2 * c + 1));
        for (uint32_t q = 0; q < load.queuePairs; ++q)
        {
            auto ends = RdmaEngine::Connect(gpus.Get(2 * c), gpus.Get(2 * c + 1));
            ends.second->SetArrivedCallback(MakeCallback(&Outcome::Arrived, &outcome));
            ends.first->SetArrivedCallback(MakeCallback(&Outcome::Arrived, &outcome));
            for (const auto& end : {ends.first, ends.second})
            {
                if (end == ends.first || load.bothWays)
                {
                    sources.push_back(
                        std::make_unique<Source>(Source{end, load.bytes, load.messages}));
                    sources.back()->Start();
                }
            }
        }
    }
    const double before = CpuTime();
    Simulator::Run();
    outcome.cpu = CpuTime() - before;
    RailAudit audit;
    audit.Add(rail);
    audit.Require();
    outcome.totals = audit.GetTotals();
    Simulator::Destroy();
    return outcome;
}

/** The figure of a run, in the unit of the load. */
double
FigureOf(const Load& load, const Outcome& outcome)
{
    if (!load.bytesASecond)
    {
        return outcome.cpu / outcome.arrived / (load.unit == "ms" ? 1e6 / outcome.arrived : 1e3);
    }
    // payload of 4096 bytes in 4178 on the wire; without acknowledgements
    const double wire = static_cast<double>(outcome.arrived) * load.bytes / 4096 * 4178;
    return wire / outcome.cpu * 1e9 / 1e12;
}

/** Reports a figure and says which fidelity's it is; @return the median */
double
ReportOf(const Load& load, const std::string& fidelity, const std::vector<double>& figures)
{
    const std::string what = load.what + ", " + fidelity;
    load.bytesASecond ? ReportRate(what, load.unit, figures) : Report(what, load.unit, figures);
    return Median(figures);
}

void
Row(const Load& load, uint32_t runs)
{
    Load forEvents = load;
    forEvents.messages /= load.withEvents;
    std::vector<double> events;
    std::vector<double> trains;
    for (uint32_t r = 0; r < runs; ++r)
    {
        const Outcome one = RunOnce(forEvents, "PacketEvents");
        const Outcome other = RunOnce(forEvents, "PacketTrains");
        if (one.last != other.last || one.totals.framesReceived != other.totals.framesReceived)
        {
            std::cerr << load.what << ": packet events end at " << one.last << " ps and trains at "
                      << other.last << " ps; they must agree" << std::endl;
            std::exit(1);
        }
        events.push_back(FigureOf(load, one));
        trains.push_back(
            FigureOf(load, load.withEvents == 1 ? other : RunOnce(load, "PacketTrains")));
    }
    const double eventsMedian = ReportOf(load, "events", events);
    const double trainsMedian = ReportOf(load, "trains", trains);
    ReportRate(load.what + ", ratio",
               "",
               {load.bytesASecond ? trainsMedian / eventsMedian : eventsMedian / trainsMedian});
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    uint32_t runs = 3;
    CommandLine cmd(__FILE__);
    cmd.AddValue("runs", "Runs of each benchmark", runs);
    cmd.Parse(argc, argv);

    const uint64_t phase = 1'003'906'662; // 957.4 MiB: the AllGather of one stage of Llama3-8B
    ReportTitle("packet trains beside packet events");
    ReportEmptyEvent(runs);
    Row({"957.4 MiB both ways over a circuit, ACK every 64", "ms", 1, phase, 1, true, 64, false},
        runs);
    Row({"the wire, one way, ACK every 64", "TB/s", 1, 4 * phase, 1, false, 64, true}, runs);
    Row({"the wire, both ways, ACK every 64", "TB/s", 1, 2 * phase, 1, true, 64, true}, runs);
    Row({"messages of 1 MiB, an ACK each, one way", "us", 1, 1 << 20, 1000, false, 256, false},
        runs);
    Row({"messages of 1 MiB, an ACK each, both ways", "us", 1, 1 << 20, 500, true, 256, false},
        runs);
    Row({"messages of 1 MiB, ACK every 64, both ways", "us", 1, 1 << 20, 500, true, 64, false},
        runs);
    for (const uint32_t queuePairs : {2, 4, 16})
    {
        const std::string what =
            std::to_string(queuePairs) + " queue pairs in turn: 1 MiB, ACK every 64, ";
        const uint32_t messages = 1000 / queuePairs;
        Row({what + "one way", "us", 1, 1 << 20, messages, false, 64, false, 2, queuePairs}, runs);
        Row({what + "both ways", "us", 1, 1 << 20, messages / 2, true, 64, false, 2, queuePairs},
            runs);
    }
    Row({"16 ports: messages of 1 MiB both ways", "us", 8, 1 << 20, 100, true, 256, false, 20},
        runs);
    Row({"2,048 ports: the same", "us", 1024, 1 << 20, 100, true, 256, false, 100}, 1);
    return 0;
}
