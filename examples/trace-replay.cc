/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Replays what the ranks of a job did, as a trace tells it, on rails of either kind.
//
//     trace --> rank programs --> GPUs on rails: electrical packet switches, or optical circuit
//                                 switches with a control plane
//
// A trace says what each rank computed, for how long, and what it sent, received and did together
// with others; how long that takes is simulated. Formats, by the ending of the name: Chakra
// execution traces (.et, a file a rank, %d stands for it), GOAL (.goal), SimAI workloads (.txt),
// and tables of phases (.csv). Without --trace a small table in this file is replayed;
// --print-example prints it, as a start for tables of your own.
//
// Traces know no iterations, so in one pass a control plane has nothing to learn from: the policy
// provisioned does what on-demand does. With --passes=N all of the trace is replayed so many times,
// and each pass counts as an iteration. Where all ranks first send and then receive, circuits need
// --post-receives: a pair gets its circuit when both ends are ready.
//
// What to look at: the time of a pass on an electrical rail, then what circuits cost on demand
// ("exposed": what ranks waited for them), and how much of that provisioning hides.
//
// Try: ./rails run trace-replay
//      ./rails run trace-replay --rail-kind=electrical
//      ./rails run trace-replay --policy=provisioned --passes=4
//      ./rails run trace-replay --trace=run/llama.%d.et --groups=run/groups.json --scale-up-size=8

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

/** The trace that is replayed if none is named: two micro-batches through two pipeline stages. */
const char* const EXAMPLE =
    R"(# two pipeline stages of two data-parallel ranks each, two micro-batches
ranks,4
group,dp 0,0 1
group,dp 1,2 3
rank,kind,collective,dimension,group,bytes,duration_us,peer,name
0,collective,all-gather,data,dp 0,67108864,,,parameters
0,compute,,forward,,,2000,,forward 0
0,send,,pipeline,,8388608,,2,
0,compute,,forward,,,2000,,forward 1
0,send,,pipeline,,8388608,,2,
0,receive,,pipeline,,8388608,,2,
0,compute,,backward,,,4000,,backward 1
0,receive,,pipeline,,8388608,,2,
0,compute,,backward,,,4000,,backward 0
0,collective,reduce-scatter,data,dp 0,67108864,,,gradients
1,collective,all-gather,data,dp 0,67108864,,,parameters
1,compute,,forward,,,2000,,forward 0
1,send,,pipeline,,8388608,,3,
1,compute,,forward,,,2000,,forward 1
1,send,,pipeline,,8388608,,3,
1,receive,,pipeline,,8388608,,3,
1,compute,,backward,,,4000,,backward 1
1,receive,,pipeline,,8388608,,3,
1,compute,,backward,,,4000,,backward 0
1,collective,reduce-scatter,data,dp 0,67108864,,,gradients
2,collective,all-gather,data,dp 1,67108864,,,parameters
2,receive,,pipeline,,8388608,,0,
2,compute,,forward,,,2000,,forward 0
2,receive,,pipeline,,8388608,,0,
2,compute,,forward,,,2000,,forward 1
2,compute,,backward,,,4000,,backward 1
2,send,,pipeline,,8388608,,0,
2,compute,,backward,,,4000,,backward 0
2,send,,pipeline,,8388608,,0,
2,collective,reduce-scatter,data,dp 1,67108864,,,gradients
3,collective,all-gather,data,dp 1,67108864,,,parameters
3,receive,,pipeline,,8388608,,1,
3,compute,,forward,,,2000,,forward 0
3,receive,,pipeline,,8388608,,1,
3,compute,,forward,,,2000,,forward 1
3,compute,,backward,,,4000,,backward 1
3,send,,pipeline,,8388608,,1,
3,compute,,backward,,,4000,,backward 0
3,send,,pipeline,,8388608,,1,
3,collective,reduce-scatter,data,dp 1,67108864,,,gradients
)";

/** The longest that a rank may compute: times in picoseconds end after 106 days. */
constexpr Picoseconds LONGEST_COMPUTING = 2'592'000'000'000'000'000; // 30 days

/** @return whether a kind of collective has an algorithm of a name, or it is fastest */
bool
IsAlgorithm(const std::string& name)
{
    const auto& kinds = GetCollectiveKinds();
    return name == "fastest" || std::any_of(kinds.begin(), kinds.end(), [&name](auto kind) {
               return CollectiveAlgorithm::Find(kind, name) != nullptr;
           });
}

/** What the command line can set. */
struct Options
{
    TraceRequest request{"example", 0, "", 1};
    uint32_t passes{1};
    std::string railKind;
    std::string policy;
    Time reconfiguration{MilliSeconds(10)};
    uint32_t scaleUpSize{1};
    uint32_t ports{2};
    DataRate portRate{"200Gbps"};
    std::string messageSize{"1M"};
    std::string algorithm{"ring"};
    bool postReceives{false};
    bool printExample{false};

    uint64_t messageBytes{0}; //!< what follows from these

    void Add(CommandLine& cmd)
    {
        cmd.AddValue("trace",
                     "A file .goal, .txt (SimAI) or .csv, or Chakra's .et with %d for the rank; "
                     "example: a table of its own",
                     request.path);
        cmd.AddValue("groups", "A JSON file of the trace's groups", request.groups);
        cmd.AddValue("ranks",
                     "Ranks that the trace must have; 0: as many as it has",
                     request.ranks);
        cmd.AddValue("passes", "How often the trace is replayed; each is an iteration", passes);
        cmd.AddValue("rail-kind",
                     "The box in the middle: optical or electrical; empty: as the policy needs",
                     railKind);
        cmd.AddValue("policy",
                     "Whose circuits, by name; empty: on-demand, or electrical on electrical rails",
                     policy);
        cmd.AddValue("reconfiguration", "How long a circuit takes to turn", reconfiguration);
        cmd.AddValue("scale-up-size", "GPUs of a server, each on a rail of its own", scaleUpSize);
        cmd.AddValue("ports", "NIC ports of a GPU", ports);
        cmd.AddValue("port-rate", "Rate of a port", portRate);
        cmd.AddValue("message-size", "Bytes of a message at most, such as 1M", messageSize);
        cmd.AddValue("algorithm",
                     "Of collectives on one rail that have it; fastest: as it is chosen",
                     algorithm);
        cmd.AddValue("post-receives", "Whether ranks can receive from the beginning", postReceives);
        cmd.AddValue("print-example", "Prints the table of --trace=example, no more", printExample);
    }

    /** Works out what follows. @return what is wrong; empty if nothing is */
    std::string Complete()
    {
        std::ostringstream why;
        const bool isElectrical =
            policy == "electrical" || (policy.empty() && railKind == "electrical");
        policy = !policy.empty() ? policy : isElectrical ? "electrical" : "on-demand";
        railKind = !railKind.empty() ? railKind : isElectrical ? "electrical" : "optical";
        const auto message = ParseByteSize(messageSize);
        if (railKind != "optical" && railKind != "electrical")
        {
            why << "--rail-kind=" << railKind << ": give optical or electrical";
        }
        else if (isElectrical != (railKind == "electrical"))
        {
            why << "--rail-kind=" << railKind << " --policy=" << policy
                << ": electrical rails have the policy electrical, and only they";
        }
        else if (passes < 1 || passes > 1000 || scaleUpSize < 1 || scaleUpSize > 1024 ||
                 ports < 1 || ports > 16)
        {
            why << "--passes=" << passes << " --scale-up-size=" << scaleUpSize
                << " --ports=" << ports << ": give 1 to 1000, 1 to 1024, and 1 to 16";
        }
        else if (!IsAlgorithm(algorithm))
        {
            why << "--algorithm=" << algorithm
                << ": give ring, or another of the manual, or fastest";
        }
        else if (!message || *message == 0)
        {
            why << "--message-size=" << messageSize << ": give bytes, such as 1M";
        }
        else if (reconfiguration.IsStrictlyNegative() || reconfiguration > Hours(1))
        {
            why << "--reconfiguration=" << reconfiguration.As(Time::S) << ": give 0s to 3600s";
        }
        else
        {
            messageBytes = *message;
        }
        return why.str();
    }
};

/** Reads the trace. @return the first error, if any */
TraceResult
ReadJob(const TraceRequest& request, TraceJob& job)
{
    if (request.path != "example")
    {
        return ReadTraceJob(request, job);
    }
    std::istringstream text(EXAMPLE);
    TraceCollection collection;
    const TraceResult error = ReadPhaseCsv(text, "example", collection);
    return error ? error : collection.MakePrograms(job);
}

/** Operations of one kind. */
struct Amount
{
    uint64_t operations{0};
    uint64_t bytes{0};
    Picoseconds computing{0};
};

/** What is in a trace. */
struct Contents
{
    std::map<std::string, Amount> kinds; //!< by name
    uint64_t nodes{0};                   //!< in all ranks

    explicit Contents(const TraceJob& job)
    {
        for (const TraceProgram& rank : job.ranks)
        {
            for (const RankOperation& one : rank.program->GetOperations())
            {
                Amount& amount = kinds[NameOf(one)];
                ++nodes;
                ++amount.operations;
                amount.bytes += one.bytes;
                amount.computing += one.duration;
            }
        }
    }

  private:
    static std::string NameOf(const RankOperation& one)
    {
        return one.kind == RankOperation::Kind::COLLECTIVE ? ToString(one.collective)
               : one.kind == RankOperation::Kind::SEND     ? "send"
               : one.kind == RankOperation::Kind::RECEIVE  ? "receive"
                                                           : "compute";
    }
};

/** What came of a run. */
struct Results
{
    std::vector<TracePass> passes;
    TracePass all;
    uint64_t messages{0};
    uint64_t bytes{0};
    uint64_t bytesForwarded{0};
    uint64_t reconfigurations{0};
    uint64_t wrongPredictions{0};
    uint64_t controlMessages{0};
    RailAudit audit;
    RailNetDevice::Trains trains;

    /** Adds up what the parts of a run have counted. */
    void Count(const std::vector<Rail>& rails,
               const OpusControlPlane& plane,
               const CollectiveHelper& collectives,
               uint32_t ranks)
    {
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const CollectiveApplication::Counters& counters = collectives.Get(rank)->GetCounters();
            messages += counters.messagesSent;
            bytes += counters.bytesSent;
        }
        bytesForwarded = collectives.GetForwardedBytes();
        if (plane.controller)
        {
            wrongPredictions = plane.GetTimes().wrongPredictions;
            reconfigurations = plane.GetInCharge()->GetCore().GetCounters().reconfigurations;
            controlMessages = plane.GetMessages();
        }
        for (const Rail& rail : rails)
        {
            const RailNetDevice::Trains one = GetTrainsOf(rail);
            trains.frames += one.frames;
            trains.boarded += one.boarded;
            trains.left += one.left;
            trains.refused += one.refused;
        }
    }
};

/** Builds rails and what is on them, and runs it. @return what came of it */
Results
Replay(const Options& options, uint32_t ranks, Ptr<TraceRun> run, TimelineRecorder& timeline)
{
    NodeContainer gpus(ranks);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& helper =
        options.railKind == "optical" ? static_cast<RailHelper&>(photonic) : electrical;
    helper.SetPorts(options.ports, options.portRate);
    const uint32_t servers = ranks / options.scaleUpSize;
    photonic.SetSwitchAttribute("Radix", UintegerValue(servers * options.ports));
    photonic.SetReconfigurationTime(options.reconfiguration);
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    const std::vector<Rail> rails = helper.InstallRails(gpus, options.scaleUpSize);
    RdmaHelper().Install(gpus);

    OpusHelper opus;
    CollectiveHelper collectives;
    opus.SetPolicy(options.policy);
    collectives.SetAttribute("MessageSize", UintegerValue(options.messageBytes));
    run->SetLimits(opus, collectives, options.reconfiguration);
    const OpusControlPlane plane = opus.Install(rails);
    if (options.scaleUpSize > 1)
    {
        collectives.SetScaleUp(ScaleUpHelper().Install(gpus, options.scaleUpSize));
    }
    collectives.SetBrokers(plane.brokers);
    const ApplicationContainer applications = collectives.Install(rails);
    run->Install(collectives, plane, options.scaleUpSize);
    timeline.Add(applications);
    timeline.Add(rails);
    timeline.Add(plane);

    Results results;
    for (const Rail& rail : rails)
    {
        results.audit.Add(rail);
    }
    results.audit.Add(applications);
    Simulator::Run();
    results.audit.Require();
    results.Count(rails, plane, collectives, ranks);
    for (uint32_t pass = 1; pass <= options.passes; ++pass)
    {
        results.passes.push_back(run->GetPass(pass));
    }
    results.all = run->GetAll();
    return results;
}

void
PrintHead(const Options& options, const TraceJob& job, const Contents& contents)
{
    std::cout << options.request.path << ": " << job.ranks.size() << " ranks, " << job.groups.size()
              << " groups" << std::endl
              << std::endl
              << "operation        number         bytes   computing" << std::endl
              << "                                             (ms)" << std::endl;
    for (const auto& [name, amount] : contents.kinds)
    {
        std::cout << std::left << std::setw(14) << name << std::right << std::setw(9)
                  << amount.operations << std::setw(14) << amount.bytes << std::fixed
                  << std::setprecision(3) << std::setw(12) << amount.computing / 1e9 << std::endl;
    }
    std::cout << std::endl
              << options.railKind << " rails, policy " << options.policy << ", " << options.ports
              << " ports of " << std::defaultfloat << options.portRate.GetBitRate() / 1e9
              << " Gb/s a GPU";
    if (options.railKind == "optical")
    {
        std::cout << ", circuits turn in " << options.reconfiguration.GetSeconds() * 1e3 << " ms";
    }
    std::cout << std::endl;
}

void
PrintResults(const Results& results)
{
    std::cout << std::endl
              << "pass        time   exposed    hidden  computed" << std::endl
              << "            (ms)      (ms)      (ms)      (ms)" << std::endl;
    for (std::size_t i = 0; i < results.passes.size(); ++i)
    {
        const TracePass& one = results.passes[i];
        std::cout << std::setw(4) << i + 1 << std::fixed << std::setprecision(3) << std::setw(12)
                  << one.length / 1e9 << std::setw(10) << one.exposed / 1e9 << std::setw(10)
                  << one.hidden / 1e9 << std::setw(10) << one.computed / 1e9 << std::endl;
    }
    const RailAudit::Totals totals = results.audit.GetTotals();
    std::cout << std::endl
              << "the last rank ended at " << results.all.length / 1e9 << " ms; "
              << results.messages << " messages with " << results.bytes << " bytes, "
              << results.reconfigurations << " reconfigurations" << std::endl
              << "all is accounted for: " << totals.framesSent << " frames, "
              << totals.messagesSettled << " messages over rails, " << totals.operationsEnded
              << " operations" << std::endl
              << "exposed, hidden, computed: the mean of ranks" << std::endl;
}

void
WriteResults(JsonWriter& json,
             const Options& options,
             const TraceJob& job,
             const Contents& contents,
             const Results& results)
{
    json.Field("trace", options.request.path);
    json.Field("ranks", job.ranks.size());
    json.Field("groups", job.groups.size());
    json.Field("nodes", contents.nodes);
    json.BeginArray("operations");
    for (const auto& [name, amount] : contents.kinds)
    {
        json.BeginObject();
        json.Field("kind", name);
        json.Field("number", amount.operations);
        json.Field("bytes", amount.bytes);
        json.EndObject();
    }
    json.EndArray();
    json.Field("rail_kind", options.railKind);
    json.Field("policy", options.policy);
    json.Field("reconfiguration_s", options.reconfiguration.GetSeconds());
    const TracePass& all = results.all;
    json.Field("makespan_s", all.length / 1e12);
    json.Field("makespan_ps", all.length);
    json.Field("exposed_s", all.exposed / 1e12);
    json.Field("hidden_s", all.hidden / 1e12);
    json.Field("computed_s", all.computed / 1e12);
    json.BeginArray("passes");
    for (std::size_t i = 0; i < results.passes.size(); ++i)
    {
        const TracePass& one = results.passes[i];
        json.BeginObject();
        json.Field("time_s", one.length / 1e12);
        json.Field("exposed_s", one.exposed / 1e12);
        json.Field("hidden_s", one.hidden / 1e12);
        json.Field("computed_s", one.computed / 1e12);
        json.EndObject();
    }
    json.EndArray();
    json.Field("messages", results.messages);
    json.Field("bytes", results.bytes);
    json.Field("bytes_forwarded", results.bytesForwarded);
    json.Field("reconfigurations", results.reconfigurations);
    json.Field("wrong_predictions", results.wrongPredictions);
    json.Field("control_messages", results.controlMessages);
    results.audit.Write(json);
    WriteFidelity(json, results.trains);
}

/** @return why a job can't be replayed like that; empty if it can */
std::string
FindMistake(const Options& options, const TraceRun& run)
{
    const std::string misfit = run.FindMisfit(options.scaleUpSize);
    if (!misfit.empty())
    {
        return "--scale-up-size=" + std::to_string(options.scaleUpSize) + ": " + misfit;
    }
    std::ostringstream why;
    if (run.GetMostComputing() > LONGEST_COMPUTING / options.passes)
    {
        why << "--passes=" << options.passes << ": a rank computes for "
            << run.GetMostComputing() / 1e12 << " s in each, more than " << LONGEST_COMPUTING / 1e12
            << " s in all";
    }
    return why.str();
}

/** Says what is wrong. @return the exit code */
int
Refuse(const std::string& mistake)
{
    std::cerr << "trace-replay: " << mistake << std::endl;
    return 2;
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    Options options;
    ScenarioOutput output;
    TimelineRecorder timeline;
    CommandLine cmd(__FILE__);
    options.Add(cmd);
    AddFidelityOption(cmd);
    output.AddOptions(cmd);
    timeline.AddOptions(cmd);
    cmd.Parse(argc, argv);
    const std::string mistake = options.Complete();
    if (!mistake.empty())
    {
        return Refuse(mistake);
    }
    if (options.printExample)
    {
        std::cout << EXAMPLE;
        return 0;
    }
    TraceJob job;
    if (const TraceResult error = ReadJob(options.request, job))
    {
        return Refuse(error->ToString());
    }
    const TraceJob named = options.algorithm == "fastest"
                               ? job
                               : UseAlgorithm(job, options.algorithm, options.scaleUpSize);
    const Ptr<TraceRun> run =
        Create<TraceRun>(options.postReceives ? PostReceives(named) : named, options.passes);
    const std::string misfit = FindMistake(options, *run);
    if (!misfit.empty())
    {
        return Refuse(misfit);
    }
    output.Check();
    timeline.Check();

    const Contents contents(job);
    if (output.IsTerminalForPeople())
    {
        PrintHead(options, job, contents);
    }
    const Results results = Replay(options, job.ranks.size(), run, timeline);
    if (output.IsTerminalForPeople())
    {
        PrintResults(results);
    }
    output.Write([&](JsonWriter& json) { WriteResults(json, options, job, contents, results); });
    Simulator::Destroy();
    return 0;
}
