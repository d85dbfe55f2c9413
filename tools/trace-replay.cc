/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Replays what the ranks of a job did, as a trace has it, on rails of either kind.
//
//     trace --> rank programs --> GPUs on rails: electrical packet switches, or optical circuit
//                                 switches with a control plane
//
// A trace says what each rank computed, for how long, and what it sent, received and did together
// with others; how long that takes is simulated. Formats, by the ending of the name: Chakra
// execution traces (.et, a file a rank, %d stands for it), GOAL (.goal, .bin), SimAI workloads
// (.txt), and tables of phases (.csv). Without --trace a small table (trace-replay-example.h) is
// replayed;
// --print-example prints it, as a start for tables of your own.
//
// With --export the job is written as a trace of another format, which replays to the same times.
//
// Traces know no iterations, so in one pass a control plane has nothing to learn from: the policy
// provisioned does what on-demand does. With --passes=N all of the trace is replayed so many times,
// and each pass counts as an iteration. Where all ranks first send and then receive, receives are
// posted at the beginning (--post-receives): a pair gets its circuit when both ends are ready.
//
// What to look at: the time of a pass on an electrical rail, then what circuits cost on demand
// ("exposed": what ranks waited for them), and how much of that provisioning hides.
//
// Try: ./rails run trace-replay
//      ./rails run trace-replay --rail-kind=electrical
//      ./rails run trace-replay --policy=provisioned --passes=4 --plot=passes.svg
//      ./rails run trace-replay --circuit-map=circuits.svg --circuit-map-at=10ms
//      ./rails run trace-replay --trace=run/llama.%d.et --groups=run/groups.json --scale-up-size=8

#include "trace-replay-example.h"

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** The longest that a rank may compute: times in picoseconds end after 106 days. */
constexpr Picoseconds LONGEST_COMPUTING = 2'592'000'000'000'000'000; // 30 days

/** Operations of all ranks and passes: each takes some 300 bytes. */
constexpr uint64_t MOST_OPERATIONS = 20'000'000;

/** @return whether an algorithm works in groups on one rail, of which a server has one rank */
bool
DoesOverRail(const CollectiveAlgorithm& algorithm)
{
    CollectiveParameters parameters;
    parameters.kind = algorithm.kind;
    if (algorithm.kind == CollectiveKind::ALL_TO_ALL_V)
    {
        parameters.demand = std::make_shared<const DemandMatrix>(parameters.ranks);
    }
    return algorithm.GetWhyNot(parameters).empty();
}

/** @return the names of algorithms of groups on one rail, and fastest */
std::vector<std::string>
GetAlgorithmNames()
{
    std::set<std::string> names;
    for (const auto kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            if (DoesOverRail(*algorithm))
            {
                names.insert(algorithm->name);
            }
        }
    }
    std::vector<std::string> all{"fastest"};
    all.insert(all.end(), names.begin(), names.end());
    return all;
}

/** What the command line can set. */
struct Options
{
    TraceRequest request{"example", 0, "", 1};
    uint32_t passes{1};
    std::string railKind{"auto"};
    std::string policy{"auto"};
    Time reconfiguration{MilliSeconds(10)};
    uint32_t scaleUpSize{1};
    uint32_t ports{2};
    std::string scaleUpRate{"auto"};
    DataRate portRate{"200Gbps"};
    HostNetworkOption hostNetwork;
    uint64_t messageSize{1 << 20};
    std::string algorithm{"ring"};
    bool postReceives{false};
    bool printExample{false};
    TraceExport traces;
    NoiseOption noise;

    void Add(Scenario& scenario)
    {
        AddTrace(scenario);
        scenario.Add("rail-kind", "The switch in the middle; auto: as the policy needs", railKind)
            .OneOf({"optical", "electrical", "auto"}, "kind of rail");
        scenario
            .Add("policy",
                 "Whose circuits, by name; auto: on-demand, or electrical on electrical rails",
                 policy)
            .OneOf(GetPolicyAliases())
            .Or("auto")
            .MayHaveArgument();
        scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration)
            .Between(Seconds(0), Hours(1));
        noise.Add(scenario.GetOptions());
        scenario.Add("scale-up-size", "GPUs of a server, each on a rail of its own", scaleUpSize)
            .Between(1, 1024);
        scenario.Add(
            "scale-up-rate",
            "Of a GPU to the others of its server, one way, such as 300GB/s; auto: NVLink 4's, "
            "450GB/s",
            scaleUpRate);
        scenario.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
        scenario.Add("port-rate", "Rate of a port", portRate);
        hostNetwork.Add(scenario.GetOptions());
        scenario.Add("message-size", "Bytes of a message at most, such as 1M", messageSize)
            .Between(1, 1ULL << 30);
        scenario
            .Add("algorithm",
                 "Of collectives on one rail that have it; fastest: as it is chosen. An exported "
                 "job "
                 "keeps its own by default",
                 algorithm)
            .OneOfListed(&GetAlgorithmNames, "algorithm");
        traces.Add(scenario);
    }

    /** Works out what follows, and refuses what does not go together. */
    void Complete(Scenario& scenario)
    {
        const bool isElectrical =
            policy == "electrical" || (policy == "auto" && railKind == "electrical");
        policy = policy != "auto" ? policy : isElectrical ? "electrical" : "on-demand";
        railKind = railKind != "auto" ? railKind : isElectrical ? "electrical" : "optical";
        scenario.Require(isElectrical == (railKind == "electrical"),
                         "rail-kind",
                         "electrical rails have the policy electrical, and only they; here it is " +
                             policy);
        const std::string why = hostNetwork.FindMistake();
        scenario.Require(why.empty(), "host-network", why);
        const std::string notScaleUp = scaleUpRate == "auto" ? "" : ParseRate(scaleUpRate).why;
        scenario.Require(notScaleUp.empty(), "scale-up-rate", notScaleUp + ", or auto");
        scenario.Require(!request.path.empty(), "trace", "give a file, or example");
    }

  private:
    void AddTrace(Scenario& scenario)
    {
        scenario.Add("trace",
                     "A file .goal or .bin (GOAL), .txt (SimAI) or .csv, or Chakra's .et with %d "
                     "for the rank; "
                     "example: a table of its own",
                     request.path);
        scenario.Add("groups", "A JSON file of the trace's groups", request.groups).Reads();
        scenario
            .Add("ranks",
                 "Ranks that the trace must have, or gets if it names none; 0: as many as it has, "
                 "or a "
                 "stage of a SimAI workload",
                 request.ranks)
            .Between(0, MAX_TRACE_RANKS);
        scenario.Add("strict",
                     "Whether parts of a trace that can't be simulated are refused, or left out",
                     request.strict);
        scenario.Add("passes", "How often the trace is replayed; each is an iteration", passes)
            .Between(1, 1000);
        scenario.Add("post-receives",
                     "Whether ranks can receive from the beginning; true if they would wait for "
                     "each other otherwise, unless it is given",
                     postReceives);
        scenario.Add("print-example", "Prints the table of --trace=example, no more", printExample);
    }
};

/** Refuses Chakra files of which some would be left out, and files that are also written. */
void
CheckFiles(Scenario& scenario, const TraceRequest& request)
{
    const std::string& path = request.path;
    scenario.GetOptions().ClaimInputs("trace", {path});
    if (path.size() < 3 || path.compare(path.size() - 3, 3, ".et") != 0)
    {
        return;
    }
    const std::size_t place = path.find("%d");
    if (place == std::string::npos)
    {
        const std::string pattern = FindNumberedPath(path);
        scenario.Require(pattern.empty() || request.ranks == 1,
                         "trace",
                         "this is the file of one rank, and there are those of others; type "
                         "--trace=" +
                             pattern + ", or --ranks=1 for this one alone");
        return;
    }
    const NumberedFiles files(path.substr(0, place), path.substr(place + 2));
    scenario.Require(!files.GetNumbers().empty(),
                     "trace",
                     "there is no " + files.GetPath("0") + "; %d stands for the rank");
    const std::string gap = files.FindGap();
    scenario.Require(gap.empty(), "trace", gap);
    scenario.Require(request.ranks == 0 || request.ranks == files.GetNumbers().size(),
                     "ranks",
                     "there are " + std::to_string(files.GetNumbers().size()) + " files " + path);
    for (const uint32_t number : files.GetNumbers())
    {
        scenario.GetOptions().ClaimInputs("trace", {files.GetPath(std::to_string(number))});
    }
}

/** Reads the trace. @return the job */
JobPrograms
ReadJob(Scenario& scenario, const TraceRequest& request)
{
    JobPrograms job;
    TraceResult error;
    if (request.path == "example")
    {
        scenario.Require(request.groups.empty(), "groups", "the example has groups of its own");
        std::istringstream text(TRACE_REPLAY_EXAMPLE);
        TraceCollection collection;
        error = ReadPhaseCsv(text, "example", collection);
        error = error ? error : MakeTracePrograms(collection, job);
    }
    else
    {
        CheckFiles(scenario, request);
        error = ReadTraceJob(request, job);
    }
    if (error)
    {
        Scenario::Refuse(error->ToString());
    }
    scenario.Require(request.ranks == 0 || request.ranks == job.ranks.size(),
                     "ranks",
                     "the trace has " + std::to_string(job.ranks.size()));
    return job;
}

/** @return limits for ranks that compute for long before they call each other */
OpusLimits
GetLimits(const Options& options, const JobPrograms& job)
{
    OpusWaits waits;
    waits.reconfiguration = options.noise.GetLongest(options.reconfiguration);
    waits.plans = 2;
    waits.computing = FindMostComputing(job);
    waits.halvesOfGivingUp = 3;
    OpusLimits least;
    least.program = Seconds(20);
    least.votes = Seconds(60);
    least.givingUp = Seconds(90);
    least.stall = Seconds(120);
    return least.GetWith(waits);
}

/** A job on its rails, from set-up to the end of the simulation. */
class Replay
{
  public:
    Replay(const Options& options, const JobPrograms& job)
        : m_policy(options.policy)
    {
        JobHelper helper;
        helper.SetElectrical(options.railKind == "electrical");
        helper.SetGpusPerServer(options.scaleUpSize);
        helper.SetScaleUp(options.scaleUpSize > 1);
        if (options.scaleUpRate != "auto")
        {
            helper.GetScaleUp().SetAttribute("PortRate",
                                             DataRateValue(ParseRate(options.scaleUpRate).value));
        }
        helper.SetPorts(options.ports, options.portRate);
        helper.SetReconfigurationTime(options.reconfiguration);
        if (options.noise.IsMeasured())
        {
            helper.SetMeasuredNoise();
        }
        helper.SetHostNetwork(options.hostNetwork.Get());
        helper.GetOpus().SetPolicy(options.policy);
        helper.GetCollectives().SetAttribute("MessageSize", UintegerValue(options.messageSize));
        helper.SetLimits(GetLimits(options, job));
        m_run = helper.Install(RepeatJob(job, options.passes));
    }

    ~Replay()
    {
        Simulator::Destroy();
    }

    /** Ends the program if the controller refuses the job. */
    void AbortOnRefusal() const
    {
        m_run->plane.AbortOnRefusal("--policy=" + m_policy + ": ");
    }

    /** Simulates the job. @param results record it @return its results */
    ReplayReport Run(TimelineRecorder& timeline, CircuitMapOption& circuitMap, RunResults& results)
    {
        circuitMap.Record(m_run->rails.front(), "server");
        results.AddJob(m_run);
        timeline.Add(m_run->applications);
        timeline.Add(m_run->rails);
        timeline.Add(m_run->plane);
        const RailAudit audit = m_run->GetAudit();
        Scenario::Simulate();
        audit.Require();
        circuitMap.Write();
        results.Finish();
        return {*m_run, audit};
    }

  private:
    Ptr<JobRun> m_run;
    std::string m_policy;
};

void
PrintHead(const Options& options, const JobPrograms& job, const JobContents& contents)
{
    std::cout << options.request.path << ": " << job.ranks.size() << " ranks, " << job.groups.size()
              << " groups" << std::endl;
    for (const auto& [reason, count] : job.skipped)
    {
        std::cout << "skipped: " << count << " " << reason << std::endl;
    }
    std::cout << std::endl
              << "operation        number         bytes   computing" << std::endl
              << "                                             (ms)" << std::endl;
    for (const auto& [name, amount] : contents.kinds)
    {
        // large numbers are wider than their columns
        std::cout << std::left << std::setw(14) << name << std::right << ' ' << std::setw(8)
                  << amount.operations << ' ' << std::setw(13) << amount.bytes << std::fixed
                  << std::setprecision(3) << ' ' << std::setw(11)
                  << amount.computing.GetTimeStep() / 1e9 << std::endl;
    }
    std::cout << std::endl
              << options.railKind << " rails, policy " << options.policy << ", " << options.ports
              << " ports of " << std::defaultfloat << options.portRate.GetBitRate() / 1e9
              << " Gb/s a GPU";
    if (options.railKind == "optical")
    {
        std::cout << ", reconfiguration time " << ToOption(options.reconfiguration);
    }
    std::cout << std::endl;
}

void
WriteResults(JsonWriter& json,
             const Options& options,
             const JobPrograms& job,
             const JobContents& contents,
             const ReplayReport& report)
{
    json.Field("trace", options.request.path);
    json.Field("ranks", job.ranks.size());
    json.Field("groups", job.groups.size());
    json.Field("nodes", contents.operations);
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
    json.BeginArray("skipped");
    for (const auto& [reason, count] : job.skipped)
    {
        json.BeginObject();
        json.Field("reason", reason);
        json.Field("number", count);
        json.EndObject();
    }
    json.EndArray();
    json.Field("rail_kind", options.railKind);
    json.Field("policy", options.policy);
    json.Field("reconfiguration_s", options.reconfiguration.GetSeconds());
    report.WriteTimes(json);
    report.WriteCounts(json);
}

/** @return whether ranks begin iterations, as in an exported job */
bool
HasIterations(const JobPrograms& job)
{
    const std::vector<RankOperation>& operations = job.ranks.front().program->GetOperations();
    return std::any_of(operations.begin(), operations.end(), [](const RankOperation& operation) {
        return operation.kind == RankOperation::Kind::ITERATION;
    });
}

/** Refuses what can't be replayed like that. */
void
CheckRun(Scenario& scenario,
         const Options& options,
         const JobPrograms& job,
         const JobContents& contents)
{
    const std::string misfit = FindMisfit(job, options.scaleUpSize);
    scenario.Require(misfit.empty(), "scale-up-size", misfit);
    std::ostringstream why;
    const Picoseconds computing = FindMostComputing(job).GetTimeStep();
    why << "a rank computes for " << computing / 1e12 << " s in each, more than "
        << LONGEST_COMPUTING / 1e12 << " s in all";
    scenario.Require(computing <= LONGEST_COMPUTING / options.passes, "passes", why.str());
    scenario.Require(options.passes == 1 || !HasIterations(job),
                     "passes",
                     "the trace has iterations of its own");
    scenario.Require(contents.operations <= MOST_OPERATIONS,
                     "ranks",
                     "the trace has " + std::to_string(contents.operations) +
                         " operations, more than the " + std::to_string(MOST_OPERATIONS) +
                         " that fit; without --ranks a SimAI workload has those of a stage, which "
                         "may be divided further");
    scenario.Require(contents.operations <= MOST_OPERATIONS / options.passes,
                     "passes",
                     "there are " + std::to_string(contents.operations) +
                         " operations in each, more than " + std::to_string(MOST_OPERATIONS) +
                         " in all");
}

/** Posts the receives of ranks that would wait for each other for ever, if they may be posted. */
JobPrograms
PostWhereNeeded(Scenario& scenario, Options& options, const JobPrograms& job)
{
    if (options.postReceives)
    {
        return PostReceives(job);
    }
    if (!JobDryRun(job, true).IsStuck())
    {
        return job;
    }
    JobPrograms posted = PostReceives(job);
    if (JobDryRun(posted, true).IsStuck())
    {
        return job;
    }
    if (!scenario.GetOptions().IsGiven("post-receives"))
    {
        options.postReceives = true;
        scenario.GetOptions().Refresh("post-receives");
        return posted;
    }
    const std::string why = "ranks send before they receive, and a send waits until its "
                            "receive is called, so they wait for each other; give "
                            "--post-receives";
    scenario.Require(options.railKind == "electrical", "post-receives", why);
    ErrorLine::SetContext(why + ": "); // there small sends do not wait
    return job;
}

/** @return the job with the algorithm of the options, unless it keeps its own */
JobPrograms
SetAlgorithm(Scenario& scenario, const Options& options, const JobPrograms& job)
{
    const bool keepsAlgorithms = job.isWhole && !scenario.GetOptions().IsGiven("algorithm");
    return options.algorithm == "fastest" || keepsAlgorithms
               ? job
               : UseAlgorithm(job, options.algorithm, options.scaleUpSize);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    scenario.AddPlot();
    scenario.AddTimeline();
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario);
        circuitMap.Check(scenario.GetOptions(), options.railKind != "electrical");
        if (options.printExample)
        {
            std::cout << TRACE_REPLAY_EXAMPLE;
            return;
        }
        const JobPrograms job = ReadJob(scenario, options.request);
        const JobContents contents(job);
        CheckRun(scenario, options, job, contents);
        const JobPrograms posted =
            PostWhereNeeded(scenario, options, SetAlgorithm(scenario, options, job));
        options.traces.Check(scenario, posted);
        Scenario::Rehearse([&] {
            auto replay = std::make_unique<Replay>(options, posted);
            replay->AbortOnRefusal();
            return replay;
        });
        Replay replay(options, posted);
        scenario.Begin();
        options.traces.Write(posted);

        if (scenario.PrintsTables())
        {
            PrintHead(options, job, contents);
        }
        const ReplayReport report = replay.Run(
            scenario.GetTimeline(),
            circuitMap,
            *scenario.BeginRun({options.policy, options.policy, options.reconfiguration}));
        if (scenario.PrintsTables())
        {
            report.Print(std::cout);
        }
        scenario.GetPlot().SetTitle("Passes of a trace, mean of ranks: " + options.policy);
        report.Plot(scenario.GetPlot());
        scenario.AddFigure("time of a pass",
                           "ms",
                           report.all.end.GetTimeStep() / 1e9 / options.passes);
        scenario.Write(
            [&](JsonWriter& json) { WriteResults(json, options, job, contents, report); });
    });
}
