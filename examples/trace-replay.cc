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
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
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
rank,kind,collective,parallelism,group,bytes,duration_us,peer,name
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

/** Operations of all ranks and passes: each takes some 300 bytes. */
constexpr uint64_t MOST_OPERATIONS = 20'000'000;

/** @return the names of all algorithms, and fastest */
std::vector<std::string>
GetAlgorithmNames()
{
    std::set<std::string> names;
    for (const auto kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            names.insert(algorithm->name);
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
    std::string railKind;
    std::string policy;
    Time reconfiguration{MilliSeconds(10)};
    uint32_t scaleUpSize{1};
    uint32_t ports{2};
    DataRate portRate{"200Gbps"};
    uint64_t messageSize{1 << 20};
    std::string algorithm{"ring"};
    bool postReceives{false};
    bool printExample{false};

    void Add(Scenario& scenario)
    {
        AddTrace(scenario);
        std::vector<std::string> policies = GetPolicyNames();
        policies.emplace_back();
        scenario
            .Add("rail-kind", "The switch in the middle; nothing: as the policy needs", railKind)
            .OneOf({"optical", "electrical", ""}, "kind of rail");
        scenario
            .Add("policy",
                 "Whose circuits, by name; nothing: on-demand, or electrical on electrical rails",
                 policy)
            .OneOf(policies, "policy")
            .MayHaveArgument();
        scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration)
            .Between(Seconds(0), Hours(1));
        scenario.Add("scale-up-size", "GPUs of a server, each on a rail of its own", scaleUpSize)
            .Between(1, 1024);
        scenario.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
        scenario.Add("port-rate", "Rate of a port", portRate);
        scenario.Add("message-size", "Bytes of a message at most, such as 1M", messageSize)
            .Between(1, 1ULL << 30);
        scenario
            .Add("algorithm",
                 "Of collectives on one rail that have it; fastest: as it is chosen",
                 algorithm)
            .OneOf(GetAlgorithmNames(), "algorithm");
    }

    /** Works out what follows, and refuses what does not go together. */
    void Complete(Scenario& scenario)
    {
        const bool isElectrical =
            policy == "electrical" || (policy.empty() && railKind == "electrical");
        policy = !policy.empty() ? policy : isElectrical ? "electrical" : "on-demand";
        railKind = !railKind.empty() ? railKind : isElectrical ? "electrical" : "optical";
        scenario.Require(railKind == "optical" || railKind == "electrical",
                         "rail-kind",
                         "give optical or electrical");
        scenario.Require(isElectrical == (railKind == "electrical"),
                         "rail-kind",
                         "electrical rails have the policy electrical, and only they; here it is " +
                             policy);
        scenario.Require(!request.path.empty(), "trace", "give a file, or example");
    }

  private:
    void AddTrace(Scenario& scenario)
    {
        scenario.Add("trace",
                     "A file .goal, .txt (SimAI) or .csv, or Chakra's .et with %d for the rank; "
                     "example: a table of its own",
                     request.path);
        scenario.Add("groups", "A JSON file of the trace's groups", request.groups).Reads();
        scenario.Add("ranks", "Ranks that the trace must have; 0: as many as it has", request.ranks)
            .Between(0, MAX_TRACE_RANKS);
        scenario.Add("passes", "How often the trace is replayed; each is an iteration", passes)
            .Between(1, 1000);
        scenario.Add("post-receives", "Whether ranks can receive from the beginning", postReceives);
        scenario.Add("print-example", "Prints the table of --trace=example, no more", printExample);
    }
};

/** A name of files with a number in it, such as run/x.%d.et. */
struct NumberedFiles
{
    std::string before;         //!< the number
    std::string after;          //!< the number
    std::set<uint32_t> numbers; //!< of the files that are there

    NumberedFiles(const std::string& first, const std::string& last)
        : before(first),
          after(last)
    {
        const std::size_t slash = before.rfind('/');
        const std::string folder = slash == std::string::npos ? "." : before.substr(0, slash + 1);
        const std::string begin = before.substr(slash + 1);
        const std::string end = after.substr(0, after.find('/'));
        std::error_code error;
        std::filesystem::directory_iterator one(folder, error);
        for (; !error && one != std::filesystem::directory_iterator(); one.increment(error))
        {
            const std::string name = one->path().filename().string();
            if (name.size() > begin.size() + end.size() && name.rfind(begin, 0) == 0 &&
                name.compare(name.size() - end.size(), end.size(), end) == 0)
            {
                Take(name.substr(begin.size(), name.size() - begin.size() - end.size()));
            }
        }
    }

    /** @return the path with something in the place of the number */
    std::string GetPath(const std::string& place) const
    {
        return before + place + after;
    }

  private:
    void Take(const std::string& number)
    {
        const bool isNumber = number.size() < 7 && (number == "0" || number[0] != '0') &&
                              number.find_first_not_of("0123456789") == std::string::npos;
        std::error_code error;
        if (isNumber && std::filesystem::exists(GetPath(number), error))
        {
            numbers.insert(std::stoul(number));
        }
    }
};

/** @return why files of ranks, %d in their path, are not those of a job; empty if they are */
std::string
FindGap(const NumberedFiles& files)
{
    uint32_t expected = 0;
    for (const uint32_t number : files.numbers)
    {
        if (number != expected)
        {
            return "there is " + files.GetPath(std::to_string(number)) + " and no " +
                   files.GetPath(std::to_string(expected)) + "; ranks are numbered from 0, no gaps";
        }
        ++expected;
    }
    return "";
}

/** @return what to give for a path that is the file of one rank of several; empty if it is not */
std::string
FindPattern(const std::string& path)
{
    const char* const digits = "0123456789";
    const std::size_t slash = path.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    std::size_t last = path.find_last_of(digits);
    while (last != std::string::npos && last >= begin)
    {
        const std::size_t other = path.find_last_not_of(digits, last);
        const std::size_t first = other == std::string::npos ? 0 : std::max(begin, other + 1);
        const NumberedFiles files(path.substr(0, first), path.substr(last + 1));
        if (files.numbers.size() > 1 && files.numbers.count(0) == 1)
        {
            return files.GetPath("%d");
        }
        last = first == 0 ? std::string::npos : path.find_last_of(digits, first - 1);
    }
    return "";
}

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
        const std::string pattern = FindPattern(path);
        scenario.Require(pattern.empty() || request.ranks == 1,
                         "trace",
                         "this is the file of one rank, and there are those of others; type "
                         "--trace=" +
                             pattern + ", or --ranks=1 for this one alone");
        return;
    }
    const NumberedFiles files(path.substr(0, place), path.substr(place + 2));
    scenario.Require(!files.numbers.empty(),
                     "trace",
                     "there is no " + files.GetPath("0") + "; %d stands for the rank");
    const std::string gap = FindGap(files);
    scenario.Require(gap.empty(), "trace", gap);
    scenario.Require(request.ranks == 0 || request.ranks == files.numbers.size(),
                     "ranks",
                     "there are " + std::to_string(files.numbers.size()) + " files " + path);
    for (const uint32_t number : files.numbers)
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
        std::istringstream text(EXAMPLE);
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

    explicit Contents(const JobPrograms& job)
    {
        for (const JobPrograms::Rank& rank : job.ranks)
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
    std::vector<JobTally> passes;
    JobTally all;
    uint64_t messages{0};
    uint64_t bytes{0};
    uint64_t bytesForwarded{0};
    uint64_t reconfigurations{0};
    uint64_t wrongPredictions{0};
    uint64_t controlMessages{0};
    RailAudit audit;
    RailNetDevice::Trains trains;

    /** Adds up what the parts of a run have counted. */
    void Count(const JobRun& run)
    {
        for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
        {
            const CollectiveApplication::Counters& counters =
                run.collectives.Get(rank)->GetCounters();
            messages += counters.messagesSent;
            bytes += counters.bytesSent;
        }
        bytesForwarded = run.collectives.GetForwardedBytes();
        if (run.plane.controller)
        {
            wrongPredictions = run.plane.GetTimes().wrongPredictions;
            reconfigurations = run.plane.GetInCharge()->GetCore().GetCounters().reconfigurations;
            controlMessages = run.plane.GetMessages();
        }
        trains = GetTrainsOf(run.rails);
    }
};

/** Rails and what is on them: set up, and then run. */
class Replay
{
  public:
    Replay(const Options& options, const JobPrograms& job)
        : m_run(Create<JobRun>(RepeatJob(job, options.passes), options.scaleUpSize)),
          m_policy(options.policy)
    {
        const uint32_t ranks = job.ranks.size();
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
        m_run->rails = helper.InstallRails(gpus, options.scaleUpSize);
        RdmaHelper().Install(gpus);

        OpusHelper opus;
        opus.SetPolicy(options.policy);
        CollectiveHelper collectives;
        collectives.SetAttribute("MessageSize", UintegerValue(options.messageSize));
        const OpusLimits limits = GetLimits(options, job);
        opus.SuggestLimits(limits);
        collectives.SuggestAttribute("StallLimit", TimeValue(limits.stall));
        m_run->plane = opus.Install(m_run->rails);
        if (options.scaleUpSize > 1)
        {
            m_run->domains = ScaleUpHelper().Install(gpus, options.scaleUpSize);
            collectives.SetScaleUp(m_run->domains);
        }
        collectives.SetBrokers(m_run->plane.brokers);
        m_run->applications = collectives.Install(m_run->rails);
        m_run->Install(collectives);
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

    /** Runs it. @param passes of the trace @param timeline of it @return what came of it */
    Results Run(uint32_t passes, TimelineRecorder& timeline)
    {
        timeline.Add(m_run->applications);
        timeline.Add(m_run->rails);
        timeline.Add(m_run->plane);
        Results results;
        results.audit = m_run->GetAudit();
        Scenario::Simulate();
        results.audit.Require();
        results.Count(*m_run);
        for (uint32_t pass = 1; pass <= passes; ++pass)
        {
            results.passes.push_back(m_run->GetIteration(pass));
        }
        results.all = m_run->GetAll();
        return results;
    }

  private:
    /** @return limits for ranks that compute for long before they call each other */
    static OpusLimits GetLimits(const Options& options, const JobPrograms& job)
    {
        OpusWaits waits;
        waits.reconfiguration = options.reconfiguration;
        waits.plans = 2;
        waits.computing = ToTime(FindMostComputing(job));
        waits.halvesOfGivingUp = 3;
        OpusLimits least;
        least.program = Seconds(20);
        least.votes = Seconds(60);
        least.givingUp = Seconds(90);
        least.stall = Seconds(120);
        return least.GetWith(waits);
    }

    Ptr<JobRun> m_run;
    std::string m_policy;
};

void
PrintHead(const Options& options, const JobPrograms& job, const Contents& contents)
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
        std::cout << ", reconfiguration time " << ToOption(options.reconfiguration);
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
        const JobTally& one = results.passes[i];
        std::cout << std::setw(4) << i + 1;
        int width = 12;
        for (const Picoseconds span : {one.end, one.exposedEach, one.hidden, one.computed})
        {
            std::cout << std::setw(width) << ToMillisecondsOrSeconds(span);
            width = 10;
        }
        std::cout << std::endl;
    }
    const RailAudit::Totals totals = results.audit.GetTotals();
    std::cout << std::endl
              << "the last rank ended at " << ToSpanText(results.all.end) << "; "
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
             const JobPrograms& job,
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
    const JobTally& all = results.all;
    json.Field("makespan_s", all.end / 1e12);
    json.Field("makespan_ps", all.end);
    json.Field("exposed_s", all.exposedEach / 1e12);
    json.Field("hidden_s", all.hidden / 1e12);
    json.Field("computed_s", all.computed / 1e12);
    json.BeginArray("passes");
    for (std::size_t i = 0; i < results.passes.size(); ++i)
    {
        const JobTally& one = results.passes[i];
        json.BeginObject();
        json.Field("time_s", one.end / 1e12);
        json.Field("exposed_s", one.exposedEach / 1e12);
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

/** Refuses what can't be replayed like that. */
void
CheckRun(Scenario& scenario,
         const Options& options,
         const JobPrograms& job,
         const Contents& contents)
{
    const std::string misfit = FindMisfit(job, options.scaleUpSize);
    scenario.Require(misfit.empty(), "scale-up-size", misfit);
    std::ostringstream why;
    const Picoseconds computing = FindMostComputing(job);
    why << "a rank computes for " << computing / 1e12 << " s in each, more than "
        << LONGEST_COMPUTING / 1e12 << " s in all";
    scenario.Require(computing <= LONGEST_COMPUTING / options.passes, "passes", why.str());
    scenario.Require(contents.nodes <= MOST_OPERATIONS / options.passes,
                     "passes",
                     "there are " + std::to_string(contents.nodes) +
                         " operations in each, more "
                         "than " +
                         std::to_string(MOST_OPERATIONS) + " in all");
}

/** Refuses ranks that wait for each other for ever, if receives that are posted help. */
void
CheckReceives(Scenario& scenario, const Options& options, const JobPrograms& job)
{
    if (JobDryRun(job, true).IsStuck() && !JobDryRun(PostReceives(job), true).IsStuck())
    {
        const std::string why = "ranks send before they receive, and a send waits until its "
                                "receive is called, so they wait for each other; give "
                                "--post-receives";
        scenario.Require(options.railKind == "electrical", "post-receives", why);
        ErrorLine::SetContext(why + ": "); // there small sends do not wait
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    scenario.AddTimeline();
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario);
        if (options.printExample)
        {
            std::cout << EXAMPLE;
            return;
        }
        const JobPrograms job = ReadJob(scenario, options.request);
        const Contents contents(job);
        const JobPrograms named = options.algorithm == "fastest"
                                      ? job
                                      : UseAlgorithm(job, options.algorithm, options.scaleUpSize);
        const JobPrograms posted = options.postReceives ? PostReceives(named) : named;
        CheckRun(scenario, options, posted, contents);
        Scenario::Rehearse([&] {
            auto replay = std::make_unique<Replay>(options, posted);
            replay->AbortOnRefusal();
            return replay;
        });
        CheckReceives(scenario, options, posted);
        Replay replay(options, posted);
        scenario.Begin();

        if (scenario.PrintsTables())
        {
            PrintHead(options, job, contents);
        }
        const Results results = replay.Run(options.passes, scenario.GetTimeline());
        if (scenario.PrintsTables())
        {
            PrintResults(results);
        }
        scenario.Write(
            [&](JsonWriter& json) { WriteResults(json, options, job, contents, results); });
    });
}
