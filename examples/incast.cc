/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Many to one, on a packet-switched rail.
//
//     sender 1  ------+
//     sender 2  ------+  electrical switch  +------ receiver
//      ...            |  shared buffer      |
//     sender N  ------+                     |   all ports have the same rate
//
// N senders write --bytes bytes each to one receiver, all from 0 s on. N times as much comes into
// the switch as can go out, and what cannot go out fills the queue of the receiver's port. Two
// things hold the senders back:
//
// - priority flow control (--pfc): when the memory is short, the switch sends pause frames. Without
//   it frames are dropped, and the senders send them again.
// - DCQCN (--congestion=dcqcn): when the queue is long, the switch marks frames; the receiver
//   answers marks with notifications (CNPs), and the senders slow down.
//
// What to look at: with pause frames alone (--congestion=none) the receiver's wire is never idle,
// so the last message is in at the very picosecond that is the best there is. But the queue stays
// as long as the memory allows, and pause frames would hold up others, too. DCQCN empties the
// queue; its parameters are those of 2015, for 40 Gb/s, so at 400 Gb/s the rates then rise slowly.
// Without either, frames are dropped, and the last of a message is missed only by a timer of 67 ms.
//
// Where wires meet in a packet switch each frame has events of its own, whatever --fidelity says:
// frames go in trains only where they do not meet.
//
// Try: ./rails run incast --congestion=none
//      ./rails run incast --congestion=none --pfc=false
//      ./rails run incast --plot=queue.svg

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

__extension__ using Wide = unsigned __int128;
using Options = IncastOptions;

constexpr uint32_t DATA_CLASS = 3; // the default of RdmaEngine

/** When the messages arrive, what fails, and how the memory of the switch fills. */
class Record
{
  public:
    Record(PortId receiver, const Options& options, bool isPlotted)
        : arrivals(options.senders, options.bytes),
          queue(isPlotted),
          m_receiver(receiver)
    {
    }

    void Arrived(uint32_t sender, Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        arrivals.Arrive(sender, Simulator::Now());
    }

    void Failed(uint32_t sender, Ptr<RdmaQueuePair>, const RdmaMessage&, const std::string& why)
    {
        arrivals.Fail(sender, why);
    }

    void QueueDepth(PortId port, uint32_t trafficClass, uint64_t bytes)
    {
        if (port == m_receiver && trafficClass == DATA_CLASS)
        {
            queue.Add(Simulator::Now() - PicoSeconds(1), bytes); // it fires 1 ps after its instant
        }
    }

    void BufferUsed(uint64_t bytes)
    {
        peakBuffer = std::max(peakBuffer, bytes);
    }

    ArrivalRecord arrivals;
    QueueHistory queue; //!< of the receiver's port
    uint64_t peakBuffer{0};

  private:
    PortId m_receiver;
};

/** How long bytes take on a wire, rounded up to a picosecond. */
Time
Span(uint64_t bytes, uint64_t rate)
{
    return PicoSeconds((Wide{8} * bytes * 1'000'000'000'000 + rate - 1) / rate);
}

/** When the last message has arrived if the receiver's wire is never idle from the first frame on.
 */
Time
AtBest(const Options& options, Time fiberDelay)
{
    const MessageFrames frames(RdmaVerb::WRITE, options.bytes, Options::MTU);
    const uint64_t rate = options.rate.GetBitRate();
    const uint64_t gap = 12; // behind a frame; that of the last does not count
    return Span(frames.WireBytesOf(0) - gap, rate) +
           Span(frames.GetWireBytes() * options.senders - gap, rate) + 2 * fiberDelay;
}

/** What a run came to. */
struct Result
{
    Time finished{0}; //!< the last message has arrived
    Time atBest{0};
    uint64_t pauses{0};
    uint64_t marked{0};
    uint64_t cnps{0};
    uint64_t dropped{0};
    uint64_t retransmitted{0};
};

/** The rail, its hosts, and what is noted of them. */
struct Scene
{
    /** Sets all up. @param options what @param isPlotted whether each length of the queue is kept
     */
    Scene(const Options& options, bool isPlotted);
    /** Sets up the senders and what they send. */
    void Post(const Options& options);
    /** @return what the run came to */
    Result GetResult(const Options& options) const;

    NodeContainer hosts; //!< host 0 is the receiver
    Time fiberDelay{NanoSeconds(100)};
    Rail rail;
    Ptr<ElectricalRailSwitch> railSwitch;
    std::unique_ptr<Record> record;
    std::vector<Ptr<RdmaQueuePair>> pairs;
    RailAudit audit;
};

Scene::Scene(const Options& options, bool isPlotted)
    : hosts(options.senders + 1)
{
    ElectricalRailHelper rails;
    rails.SetRadix(0); // one switch, with as many ports as it takes
    rails.SetPorts(1, options.rate);
    rails.SetFiberAttribute("Delay", TimeValue(fiberDelay));
    rails.SetSwitchAttribute("BufferSize", UintegerValue(options.buffer));
    rails.SetSwitchAttribute("LosslessClasses", UintegerValue(options.pfc ? 1 << DATA_CLASS : 0));
    rails.SetSwitchAttribute("EcnClasses", UintegerValue(options.ecn ? 1 << DATA_CLASS : 0));
    rails.SetSwitchAttribute("EcnKmin", UintegerValue(options.ecnKmin));
    rails.SetSwitchAttribute("EcnKmax", UintegerValue(options.ecnKmax));
    rail = rails.Install(hosts);
    ElectricalRailHelper::AssignStreams(rail, 0);

    railSwitch = rail.GetSwitchNode()->GetObject<ElectricalRailSwitch>();
    record = std::make_unique<Record>(rail.GetSwitchPort(0), options, isPlotted);
    railSwitch->TraceConnectWithoutContext("QueueDepth",
                                           MakeCallback(&Record::QueueDepth, record.get()));
    railSwitch->TraceConnectWithoutContext("BufferUsed",
                                           MakeCallback(&Record::BufferUsed, record.get()));
    Post(options);
    audit.Add(rail);
}

void
Scene::Post(const Options& options)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl(options.congestion);
    rdma.Install(hosts);
    for (uint32_t s = 0; s < options.senders; ++s)
    {
        const RdmaEngine::Ends ends = RdmaEngine::Connect(hosts.Get(s + 1), hosts.Get(0));
        ends.first->SetFailedCallback(MakeCallback(&Record::Failed, record.get()).Bind(s));
        ends.second->SetArrivedCallback(MakeCallback(&Record::Arrived, record.get()).Bind(s));
        ends.first->Post(RdmaVerb::WRITE, options.bytes);
        pairs.push_back(ends.first);
    }
}

Result
Scene::GetResult(const Options& options) const
{
    Result result;
    result.atBest = AtBest(options, fiberDelay);
    result.finished = record->arrivals.GetLast();
    for (const Ptr<RdmaQueuePair>& pair : pairs)
    {
        const QueuePairSender::Counters counters = pair->GetSenderCounters();
        result.cnps += counters.congestion;
        result.retransmitted += counters.retransmitted;
    }
    for (uint32_t p = 0; p < railSwitch->GetPorts(); ++p)
    {
        const PacketSwitchCounters& counters = railSwitch->GetCounters(PortId(p));
        result.pauses += counters.pausesSent;
        result.marked += counters.marked;
        result.dropped += counters.dropped;
    }
    return result;
}

/** Draws the queue of the receiver's port, if it was kept. */
void
Plot(CurvePlot& plot, const Options& options, const QueueHistory& queue)
{
    plot.SetTitle("Queue of the receiver's port: " + std::to_string(options.senders) +
                  " senders, " + (options.pfc ? "PFC" : "no PFC") + ", " + options.congestion);
    plot.SetSteps();
    plot.SetX({"time (us)", 1e6});
    plot.SetY({"queue (MB)", 1e6, PlotQuantity::NUMBERS, false, true});
    for (const QueueHistory::Depth& depth : queue.GetDepths())
    {
        plot.AddPoint("queue", depth.since.GetTimeStep(), depth.bytes);
    }
}

void
PrintTable(const Record& record, const Result& result)
{
    record.arrivals.Print(std::cout);
    std::cout << std::endl
              << "last message in   " << std::setw(14) << result.finished.GetTimeStep() << " ps"
              << std::endl
              << "at best           " << std::setw(14) << result.atBest.GetTimeStep() << " ps"
              << std::endl
              << "pause frames      " << std::setw(14) << result.pauses << std::endl
              << "frames marked     " << std::setw(14) << result.marked << std::endl
              << "CNPs              " << std::setw(14) << result.cnps << std::endl
              << "frames dropped    " << std::setw(14) << result.dropped << std::endl
              << "frames sent again " << std::setw(14) << result.retransmitted << std::endl
              << "longest queue     " << std::setw(14) << record.queue.GetPeak() << " bytes"
              << std::endl
              << "queue on average  " << std::setw(14) << record.queue.GetMean(result.finished)
              << " bytes" << std::endl
              << "most memory used  " << std::setw(14) << record.peakBuffer << " bytes"
              << std::endl;
}

void
WriteResult(JsonWriter& json, const Record& record, const Result& result)
{
    record.arrivals.Write(json);
    json.Field("last_arrived_ps", result.finished.GetTimeStep());
    json.Field("at_best_ps", result.atBest.GetTimeStep());
    json.Field("delivered_messages", record.arrivals.GetDelivered());
    json.Field("pause_frames", result.pauses);
    json.Field("frames_marked", result.marked);
    json.Field("cnps", result.cnps);
    json.Field("frames_dropped", result.dropped);
    json.Field("retransmitted", result.retransmitted);
    json.Field("peak_queue_bytes", record.queue.GetPeak());
    json.Field("mean_queue_bytes", record.queue.GetMean(result.finished));
    json.Field("peak_buffer_bytes", record.peakBuffer);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario.GetOptions());
    scenario.AddPlot();
    scenario.AddAnimation();
    return scenario.Run(argc, argv, [&] {
        options.Check(scenario.GetOptions());
        scenario.CheckAnimation(1, options.senders + 1, 1);
        Scenario::Rehearse([&options] { return std::make_unique<Scene>(options, false); });
        Scene scene(options, scenario.IsPlotted());
        scenario.Begin();
        scenario.GetAnimation().Add(scene.rail);
        const Ptr<RunResults> results = scenario.BeginRun({"incast", options.congestion});
        results->Add(scene.rail);
        Scenario::Simulate();
        scene.audit.Require();
        const Result result = scene.GetResult(options);
        results->Finish(result.finished);
        if (scenario.PrintsTables())
        {
            PrintTable(*scene.record, result);
        }
        Plot(scenario.GetPlot(), options, scene.record->queue);
        scenario.AddFigure("last message", "us", result.finished.GetTimeStep() / 1e6);
        scenario.Write([&](JsonWriter& json) {
            WriteResult(json, *scene.record, result);
            WriteFidelity(json, scene.rail);
        });
        Simulator::Destroy();
        scene.record->arrivals.Require();
    });
}
