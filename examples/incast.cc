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
// trains are for circuits.
//
// Try: ./rails run incast --congestion=none
//      ./rails run incast --congestion=none --pfc=false
//      ./rails run incast --plot=queue

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

__extension__ using Wide = unsigned __int128;

constexpr uint32_t DATA_CLASS = 3; // the default of RdmaEngine
constexpr uint64_t MTU = 4096;     // the default of RdmaEngine

/** What the command line can set. */
struct Options
{
    uint32_t senders{15};
    uint64_t bytes{4 << 20};
    DataRate rate{"400Gbps"};
    bool pfc{true};
    std::string congestion{"dcqcn"};
    bool ecn{true};
    uint64_t ecnKmin{0};
    uint64_t ecnKmax{0};
    uint64_t buffer{16'000'000};
    std::string plot;

    /** Adds the options. @param scenario gets them */
    void Add(Scenario& scenario);
    /** Refuses what options can't be together. @param scenario refuses */
    void Check(Scenario& scenario) const;
};

void
Options::Add(Scenario& scenario)
{
    scenario.Add("senders", "How many write to one receiver, 1 to 1000", senders).Between(1, 1000);
    scenario.Add("bytes", "Bytes that each of them writes, in one message", bytes)
        .Between(1, 1ULL << 40);
    scenario.Add("rate", "Rate of all ports, such as 400Gbps", rate);
    scenario.Add("pfc",
                 "Whether the switch pauses senders when memory is short; else it drops frames",
                 pfc);
    scenario.Add("congestion", "What senders do by themselves", congestion)
        .OneOf(GetCongestionControlAliases().GetNames(), "congestion control");
    scenario.Add("ecn", "Whether the switch marks frames when a queue is long", ecn);
    const uint64_t largest = 1ULL << 36; // 64 GiB: more than any switch has
    scenario
        .Add("ecn-kmin",
             "Bytes in a queue up to which nothing is marked; 0: 4 kB for each Gb/s",
             ecnKmin)
        .Between(0, largest);
    scenario
        .Add("ecn-kmax",
             "Bytes in a queue beyond which all is marked; 0: 16 kB for each Gb/s",
             ecnKmax)
        .Between(0, largest);
    scenario.Add("buffer", "Memory of the switch, in bytes", buffer).Between(1, largest);
    scenario.Add("plot",
                 "Prefix of files with the queue's length over time: .dat, .gp, and .png if "
                 "gnuplot is installed; empty: none",
                 plot);
}

void
Options::Check(Scenario& scenario) const
{
    scenario.Require((ecnKmin == 0) == (ecnKmax == 0) && ecnKmin <= ecnKmax,
                     "ecn-kmin",
                     "with --ecn-kmax=" + std::to_string(ecnKmax) +
                         ": give both, in bytes, the first the smaller; or neither");
    // every frame has events of its own, two million a second; each has a line in a plot
    const uint64_t frames = senders * ((bytes - 1) / MTU + 1);
    const uint64_t most = plot.empty() ? 10'000'000'000 : 10'000'000;
    scenario.Require(frames <= most,
                     "bytes",
                     "that is " + std::to_string(frames) + " frames, of which each has events" +
                         (plot.empty() ? "" : " and a line in --plot") +
                         "; give senders and "
                         "bytes that come to " +
                         std::to_string(most) + " frames or less");
    const uint64_t longest = 1'000'000; // seconds
    scenario.Require(Wide{8} * bytes * senders / rate.GetBitRate() < longest,
                     "bytes",
                     "all together take more than 1000000 s at --rate=" + ToOption(rate));
    if (!plot.empty())
    {
        scenario.Claim("plot", {plot + ".dat", plot + ".gp", plot + ".png"});
    }
}

/** When the messages arrive, what fails, and how the memory of the switch fills. */
class Record
{
  public:
    /** A length of the queue, from an instant on. */
    struct Depth
    {
        Picoseconds since;
        uint64_t bytes;
    };

    Record(PortId receiver, uint32_t senders, bool keepDepths)
        : arrived(senders),
          m_receiver(receiver),
          m_keepDepths(keepDepths)
    {
    }

    void Arrived(uint32_t sender, Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        arrived[sender] = NowPicoseconds();
    }

    void Failed(uint32_t sender, Ptr<RdmaQueuePair>, const RdmaMessage&, const std::string& why)
    {
        failures[sender] = why;
    }

    void QueueDepth(PortId port, uint32_t trafficClass, uint64_t bytes)
    {
        if (port != m_receiver || trafficClass != DATA_CLASS)
        {
            return;
        }
        const Picoseconds at = NowPicoseconds() - 1; // it fires 1 ps after its instant
        m_area += Wide{m_queue} * static_cast<uint64_t>(at - m_since);
        m_queue = bytes;
        m_since = at;
        peakQueue = std::max(peakQueue, bytes);
        if (m_keepDepths)
        {
            depths.push_back({at, bytes});
        }
    }

    void BufferUsed(uint64_t bytes)
    {
        peakBuffer = std::max(peakBuffer, bytes);
    }

    /** @return the length of the queue, on average over the time until an instant */
    uint64_t GetMeanQueue(Picoseconds until) const
    {
        return until == 0 ? 0 : static_cast<uint64_t>(m_area / static_cast<uint64_t>(until));
    }

    std::vector<Picoseconds> arrived; //!< by sender; 0: not yet
    std::map<uint32_t, std::string> failures;
    std::vector<Depth> depths;
    uint64_t peakQueue{0};
    uint64_t peakBuffer{0};

  private:
    PortId m_receiver;
    bool m_keepDepths;
    uint64_t m_queue{0}; //!< bytes
    Picoseconds m_since{0};
    Wide m_area{0}; //!< bytes times picoseconds, until then
};

/** How long bytes take on a wire, rounded up to a picosecond. */
Picoseconds
Span(uint64_t bytes, uint64_t rate)
{
    return (Wide{8} * bytes * 1'000'000'000'000 + rate - 1) / rate;
}

/** When the last message has arrived if the receiver's wire is never idle from the first frame on.
 */
Picoseconds
AtBest(const Options& options, Time fiberDelay)
{
    const MessageFrames frames(RdmaVerb::WRITE, options.bytes, MTU);
    const uint64_t rate = options.rate.GetBitRate();
    const uint64_t gap = 12; // behind a frame; nobody waits for the last
    return Span(frames.WireBytesOf(0) - gap, rate) +
           Span(frames.GetWireBytes() * options.senders - gap, rate) + 2 * fiberDelay.GetTimeStep();
}

uint64_t
Goodput(const Options& options, Picoseconds time)
{
    return time == 0 ? 0
                     : static_cast<uint64_t>(Wide{8} * options.bytes * 1'000'000'000'000 / time);
}

// ---- the plot

/** A name between quotes, each quote in it replaced. */
std::string
Quoted(const std::string& name, const std::string& forQuote)
{
    std::string quoted = "'";
    for (const char c : name)
    {
        quoted += c == '\'' ? forQuote : std::string(1, c);
    }
    return quoted + "'";
}

/** Writes the queue's length over time and a script that draws it, and runs that. @return a note */
std::string
Plot(const Options& options, const std::vector<Record::Depth>& depths)
{
    const std::string data = options.plot + ".dat";
    const std::string script = options.plot + ".gp";
    const std::string picture = options.plot + ".png";
    std::ostringstream points;
    points << "# time in ps, bytes in the queue of the receiver's port\n";
    for (const Record::Depth& depth : depths)
    {
        points << depth.since << " " << depth.bytes << "\n";
    }
    std::ostringstream commands;
    commands << "set terminal pngcairo size 900,500\n"
             << "set output " << Quoted(picture, "''") << "\n"
             << "set xlabel 'time (us)'\n"
             << "set ylabel 'queue of the receiver''s port (MB)'\n"
             << "set yrange [0:*]\n"
             << "set key off\n"
             << "plot " << Quoted(data, "''") << " using ($1/1e6):($2/1e6) with steps\n";
    OutputFile(data).Replace(points.str());
    OutputFile(script).Replace(commands.str());
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
    {
        return "gnuplot is not installed; wrote " + data + " and " + script;
    }
    const std::string run = "gnuplot " + Quoted(script, "'\\''");
    if (std::system(run.c_str()) != 0)
    {
        throw std::runtime_error("gnuplot could not draw " + picture + " from " + script);
    }
    return "wrote " + picture;
}

// ---- the results

/** What a run came to. */
struct Result
{
    Picoseconds finished{0}; //!< the last message has arrived
    Picoseconds atBest{0};
    uint64_t delivered{0};
    uint64_t pauses{0};
    uint64_t marked{0};
    uint64_t cnps{0};
    uint64_t dropped{0};
    uint64_t retransmitted{0};
};

void
PrintTable(const Options& options, const Record& record, const Result& result)
{
    std::cout << "sender           arrived        goodput" << std::endl;
    for (uint32_t s = 0; s < record.arrived.size(); ++s)
    {
        std::cout << std::setw(6) << s + 1;
        if (record.failures.count(s) != 0)
        {
            std::cout << "  failed: " << record.failures.at(s) << std::endl;
            continue;
        }
        const uint64_t megabits = Goodput(options, record.arrived[s]) / 1'000'000;
        std::cout << std::setw(15) << record.arrived[s] << " ps" << std::setw(8) << megabits
                  << " Mb/s" << std::endl;
    }
    std::cout << std::endl
              << "last message in   " << std::setw(14) << result.finished << " ps" << std::endl
              << "at best           " << std::setw(14) << result.atBest << " ps" << std::endl
              << "pause frames      " << std::setw(14) << result.pauses << std::endl
              << "frames marked     " << std::setw(14) << result.marked << std::endl
              << "CNPs              " << std::setw(14) << result.cnps << std::endl
              << "frames dropped    " << std::setw(14) << result.dropped << std::endl
              << "frames sent again " << std::setw(14) << result.retransmitted << std::endl
              << "longest queue     " << std::setw(14) << record.peakQueue << " bytes" << std::endl
              << "queue on average  " << std::setw(14) << record.GetMeanQueue(result.finished)
              << " bytes" << std::endl
              << "most memory used  " << std::setw(14) << record.peakBuffer << " bytes"
              << std::endl;
}

void
WriteResult(JsonWriter& json, const Options& options, const Record& record, const Result& result)
{
    json.BeginArray("senders");
    for (uint32_t s = 0; s < record.arrived.size(); ++s)
    {
        json.BeginObject();
        json.Field("sender", s + 1);
        if (record.arrived[s] != 0)
        {
            json.Field("arrived_ps", record.arrived[s]);
            json.Field("goodput_bps", Goodput(options, record.arrived[s]));
        }
        json.EndObject();
    }
    json.EndArray();
    json.Field("last_arrived_ps", result.finished);
    json.Field("at_best_ps", result.atBest);
    json.Field("delivered_messages", result.delivered);
    json.Field("pause_frames", result.pauses);
    json.Field("frames_marked", result.marked);
    json.Field("cnps", result.cnps);
    json.Field("frames_dropped", result.dropped);
    json.Field("retransmitted", result.retransmitted);
    json.Field("peak_queue_bytes", record.peakQueue);
    json.Field("mean_queue_bytes", record.GetMeanQueue(result.finished));
    json.Field("peak_buffer_bytes", record.peakBuffer);
}

/** The rail, its hosts, and what is noted of them. */
struct Scene
{
    /** Sets all up. @param options what */
    explicit Scene(const Options& options);
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

Scene::Scene(const Options& options)
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
    record =
        std::make_unique<Record>(rail.GetSwitchPort(0), options.senders, !options.plot.empty());
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
    result.finished = *std::max_element(record->arrived.begin(), record->arrived.end());
    for (const Picoseconds arrived : record->arrived)
    {
        result.delivered += arrived != 0 ? 1 : 0;
    }
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

/** Ends with an error if messages failed: the first of them. */
void
RequireArrived(const Record& record)
{
    if (!record.failures.empty())
    {
        const auto& [sender, why] = *record.failures.begin();
        const std::size_t others = record.failures.size() - 1;
        throw std::runtime_error(
            "the message of sender " + std::to_string(sender + 1) + " failed: " + why +
            (others > 0 ? " (and those of " + std::to_string(others) + " others)" : ""));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    return scenario.Run(argc, argv, [&] {
        options.Check(scenario);
        Scenario::Rehearse([&options] { return std::make_unique<Scene>(options); });
        Scene scene(options);
        scenario.Begin();
        Scenario::Simulate();
        scene.audit.Require();
        const Result result = scene.GetResult(options);
        if (scenario.PrintsTables())
        {
            PrintTable(options, *scene.record, result);
        }
        scenario.Write([&](JsonWriter& json) {
            WriteResult(json, options, *scene.record, result);
            WriteFidelity(json, scene.rail);
        });
        if (!options.plot.empty())
        {
            const std::string note = Plot(options, scene.record->depths);
            if (scenario.PrintsTables())
            {
                std::cout << note << std::endl;
            }
        }
        Simulator::Destroy();
        RequireArrived(*scene.record);
    });
}
