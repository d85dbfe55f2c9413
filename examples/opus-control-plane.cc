/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A job of two parallelisms on photonic rails, and the control plane that turns their circuits.
//
//     stage 0                        stage 1
//     server 0     server 1          server 2     server 3        8 GPUs: GPU l of each server is
//     on [gpu gpu]    [gpu gpu]         [gpu gpu]    [gpu gpu]       rail l
//        |            |                 |            |
//        +------------+-- rail 0: an optical switch -+            and rail 1 alike
//
// Servers 0 and 1 hold the same layers, and so do 2 and 3: data parallelism joins 0-1 and 2-3. The
// second half of the layers is on servers 2 and 3: pipeline parallelism joins 0-2 and 1-3. A GPU
// has all its ports for one of them at a time. Each iteration a rank gathers its parameters (dp),
// sends or receives activations and gradients of two micro-batches (pp), and scatters gradients
// (dp).
//
// A shim on every server takes the ranks' calls and asks the controller for circuits; the
// controller has the switches' agents turn them, and grants them: real packets on a management
// network. On demand, a rank waits for all of that at every shift; provisioned, shims have learned
// in the first iteration what comes, and ask while the GPUs compute.
//
// The chart shows who said what to whom about rail 0 in one iteration. The table shows where the
// time went: "exposed" is what ranks waited for circuits, "hidden" what circuits turned unnoticed.
//
// Try: ./rails run opus-control-plane
//      ./rails run opus-control-plane --reconfiguration=100us --chart=0
//      ./rails run opus-control-plane --policies=static-split,one-shot,rotor:500us --chart=0
//      ./rails run opus-control-plane --policies=provisioned --timeline=timeline.json
//      ./rails run opus-control-plane --standby --crash=60ms

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SERVERS = 4;
constexpr uint32_t RAILS = 2;
constexpr double LONGEST_JOB = 8e6; //!< s: times in picoseconds end after 9.2e6 s

/** What the command line can set. */
struct Options
{
    std::vector<std::string> policies{"electrical", "on-demand", "provisioned"};
    Time reconfiguration{MilliSeconds(10)};
    Time managementLatency{MicroSeconds(10)};
    Time hostLatency{MicroSeconds(1)};
    double loss{0};
    uint32_t ports{2};
    DataRate portRate{"200Gbps"};
    uint32_t iterations{4};
    Time forward{MilliSeconds(8)};
    uint64_t parameters{256 << 20};
    uint64_t activations{32 << 20};
    std::string granularity{"Group"};
    uint32_t chart{2};
    bool standby{false};
    Time crash{0};
    std::string timeline;

    void Add(Scenario& scenario)
    {
        AddControlPlane(scenario);
        scenario.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
        scenario.Add("port-rate", "Rate of a port", portRate);
        scenario.Add("iterations", "Of training; the first is learned from", iterations)
            .Between(2, 1000);
        scenario.Add("forward", "A stage computes forward for one micro-batch", forward)
            .Between(PicoSeconds(1), Hours(1));
        scenario.Add("parameters", "Of a stage, bytes a GPU gathers, such as 256M", parameters)
            .Between(1, 64ULL << 30);
        scenario.Add("activations", "Of a micro-batch, bytes, such as 32M", activations)
            .Between(1, 64ULL << 30);
        scenario.Add("chart", "Iteration whose messages are shown, from 1; 0: none", chart);
        scenario
            .Add("timeline", "A file for a timeline of each policy, for ui.perfetto.dev", timeline)
            .Writes(); // one a policy, which is why it is not AddTimeline()
    }

    /** Refuses what does not go together. */
    void Check(Scenario& scenario) const
    {
        scenario.Require(chart <= iterations,
                         "chart",
                         "there are " + std::to_string(iterations) + " iterations");
        scenario.Require(crash.IsZero() || standby,
                         "crash",
                         "without --standby nobody takes over, and the job fails");
        scenario.Require(granularity == "Group" || granularity == "Rail",
                         "granularity",
                         "give Group or Rail");
        const double longest = 12 * iterations * (forward + reconfiguration).GetSeconds();
        scenario.Require(longest <= LONGEST_JOB,
                         "iterations",
                         "with --forward and --reconfiguration the job may take " +
                             std::to_string(std::llround(longest)) + " s, more than " +
                             std::to_string(std::llround(LONGEST_JOB)) + " s");
        for (const std::string& policy : timeline.empty() ? std::vector<std::string>{} : policies)
        {
            scenario.Claim("timeline", {GetTimelineFile(policy)});
        }
    }

    /** @return the timeline's file of a policy, with its name in it if there are several */
    std::string GetTimelineFile(std::string policy) const
    {
        std::replace(policy.begin(), policy.end(), '/', '-'); // recorded:folder/plan.txt
        return policies.size() == 1 ? timeline : OutputFile::GetNameOf(timeline, policy);
    }

  private:
    void AddControlPlane(Scenario& scenario)
    {
        scenario.Add("policies", "Whose circuits, by name, with commas", policies)
            .OneOf(GetPolicyNames(), "policy")
            .MayHaveArgument();
        scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration)
            .Between(Seconds(0), Hours(1));
        scenario.Add("management-latency", "One way, on the management network", managementLatency)
            .Between(Seconds(0), Seconds(1));
        scenario.Add("host-latency", "From a GPU to the shim, and back", hostLatency)
            .Between(PicoSeconds(1), Seconds(1));
        scenario.Add("loss", "Share of packets that each management link loses", loss)
            .Between(0, 0.5);
        scenario.Add("granularity", "Parallelisms share a rail (Group), or not (Rail)", granularity)
            .OneOf({"Group", "Rail"}, "granularity");
        scenario.Add("standby", "Whether a second controller stands by", standby);
        scenario.Add("crash", "When the first controller crashes; 0: never", crash)
            .Between(Seconds(0), Hours(1));
    }
};

/** A message of the control plane, when it left. */
struct Said
{
    Picoseconds time{0};
    std::size_t from{0};
    std::size_t to{0};
    OpusMessage message;
};

/** What came of a policy. */
struct Outcome
{
    std::string policy;
    std::vector<Picoseconds> iterationEnds; //!< each, of the last rank
    std::map<std::string, ParallelismTimes> parallelisms;
    OpusTimes times;
    ControllerCounters controller;
    uint64_t messages{0};
    std::vector<Said> flowKey;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> lastOf; //!< rank and operation: iteration
    std::map<OpusPeer, std::size_t> columns;
    RailNetDevice::Trains trains;

    void Ended(const OperationRecord& record)
    {
        const auto last = lastOf.find({record.rank.Get(), record.operation});
        if (last != lastOf.end())
        {
            Picoseconds& end = iterationEnds[last->second];
            end = std::max(end, record.end);
        }
    }

    void Sent(uint64_t from, const OpusMessage& message, const OpusPeer& peer)
    {
        flowKey.push_back({NowPicoseconds(), from, columns.at(peer), message});
    }

    /** @return the mean of all iterations but the first, seconds */
    double GetIteration() const
    {
        return (iterationEnds.back() - iterationEnds.front()) / 1e12 / (iterationEnds.size() - 1);
    }

    /** @return of an iteration, seconds */
    double GetIteration(uint32_t which) const
    {
        return (iterationEnds[which] - (which == 0 ? 0 : iterationEnds[which - 1])) / 1e12;
    }
};

/** What a rank does: see above. Stream 0 is the GPU, 1 sends, 2 receives. */
struct JobProgram
{
    static constexpr uint32_t DP = 0; //!< the rank's groups
    static constexpr uint32_t PP = 1;

    RankProgram program;
    std::vector<uint32_t> lasts; //!< by iteration: the last operation

    JobProgram(bool first, const Options& options)
    {
        const uint64_t bytes = options.parameters;
        const Picoseconds forward = options.forward.GetTimeStep();
        for (uint32_t i = 0; i < options.iterations; ++i)
        {
            program.BeginIteration();
            program.Collective(0, DP, CollectiveKind::ALL_GATHER, bytes, "ring");
            first ? AddFirstStage(forward, options.activations)
                  : AddSecondStage(forward, options.activations);
            lasts.push_back(
                program.Collective(0, DP, CollectiveKind::REDUCE_SCATTER, bytes, "ring"));
        }
    }

  private:
    void AddFirstStage(Picoseconds forward, uint64_t bytes)
    {
        for (uint32_t m = 0; m < 2; ++m)
        {
            const uint32_t computed = program.Compute(0, forward, "forward " + std::to_string(m));
            program.After(program.Send(1, PP, 1, bytes), computed);
            if (m == 1)
            {
                uint32_t received = program.Receive(2, PP, 1, bytes);
                program.After(received, computed);
                program.After(program.Compute(0, 2 * forward, "backward 0"), received);
                received = program.Receive(2, PP, 1, bytes);
                program.After(program.Compute(0, 2 * forward, "backward 1"), received);
            }
        }
    }

    void AddSecondStage(Picoseconds forward, uint64_t bytes)
    {
        uint32_t before = program.GetOperations().size() - 1; // the parameters are there
        for (uint32_t m = 0; m < 2; ++m)
        {
            const uint32_t received = program.Receive(2, PP, 0, bytes);
            program.After(received, before);
            const uint32_t forwarded = program.Compute(0, forward, "forward " + std::to_string(m));
            program.After(forwarded, received);
            before = program.Compute(0, 2 * forward, "backward " + std::to_string(m));
            const uint32_t sent = program.Send(1, PP, 0, bytes);
            program.After(sent, before);
            if (m == 1)
            {
                program.After(program.Compute(0, 0, "all is sent"), sent);
            }
        }
    }
};

/** Gives all ranks their programs. @return the job's, for policies that want to know */
std::vector<RankPart>
SetPrograms(CollectiveHelper& collectives, const Options& options, Outcome& outcome)
{
    std::vector<std::shared_ptr<const CommunicationGroup>> dp;
    std::vector<std::shared_ptr<const CommunicationGroup>> pp;
    for (uint32_t rail = 0; rail < RAILS; ++rail)
    {
        for (uint32_t half = 0; half < 2; ++half)
        {
            const std::string name = std::to_string(rail * 2 + half);
            dp.push_back(
                collectives.MakeGroup("dp " + name,
                                      {2 * half * RAILS + rail, (2 * half + 1) * RAILS + rail}));
            pp.push_back(collectives.MakeGroup("pp " + name,
                                               {half * RAILS + rail, (half + 2) * RAILS + rail}));
        }
    }
    std::vector<RankPart> parts;
    for (const bool first : {true, false})
    {
        const JobProgram job(first, options);
        const auto program = std::make_shared<const RankProgram>(job.program);
        for (uint32_t server = first ? 0 : 2; server < (first ? 2U : 4U); ++server)
        {
            for (uint32_t rail = 0; rail < RAILS; ++rail)
            {
                const uint32_t rank = server * RAILS + rail;
                const CollectiveApplication::Groups groups{dp[rail * 2 + server / 2],
                                                           pp[rail * 2 + server % 2]};
                collectives.SetProgram(rank, program, groups);
                parts.push_back({RankId(rank), program, groups});
                for (uint32_t i = 0; i < options.iterations; ++i)
                {
                    outcome.lastOf[{rank, job.lasts[i]}] = i;
                }
            }
        }
    }
    return parts;
}

/** The job on rails of a policy's circuits: set up, and then run. */
class Case
{
  public:
    /** @param timeline a file; empty: none */
    Case(const Options& options, const std::string& policy, const std::string& timeline)
    {
        m_outcome.policy = policy;
        m_outcome.iterationEnds.resize(options.iterations);
        InstallRails(options);
        InstallControlPlane(options);
        m_collectives.SetBrokers(m_plane.brokers);
        m_collectives.SuggestAttribute("StallLimit", TimeValue(GetLimits(options).stall));
        m_applications = m_collectives.Install(m_rails);
        const std::vector<RankPart> parts = SetPrograms(m_collectives, options, m_outcome);
        if (m_plane.controller)
        {
            Listen();
            m_plane.Describe(MakeJobDemand(JobId(0), parts, *m_plane.cabling));
            if (options.crash.IsStrictlyPositive())
            {
                Simulator::Schedule(options.crash, &OpusEndpoint::Crash, m_plane.controller);
            }
        }
        if (!timeline.empty())
        {
            m_timeline = std::make_unique<TimelineRecorder>(timeline);
            m_timeline->Add(m_applications);
            m_timeline->Add(m_rails);
            m_timeline->Add(m_plane);
        }
    }

    ~Case()
    {
        Simulator::Destroy();
    }

    /** Ends the program if the controller refuses the job. */
    void AbortOnRefusal() const
    {
        m_plane.AbortOnRefusal("--policies: " + m_outcome.policy + ": ");
    }

    /** Runs it. @return what came of it */
    Outcome Run()
    {
        RailAudit audit;
        for (uint32_t a = 0; a < m_applications.GetN(); ++a)
        {
            m_applications.Get(a)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&Outcome::Ended, &m_outcome));
        }
        for (const Rail& rail : m_rails)
        {
            audit.Add(rail);
        }
        audit.Add(m_applications);
        Scenario::Simulate();
        audit.Require();
        Count();
        return m_outcome;
    }

  private:
    void InstallRails(const Options& options)
    {
        NodeContainer gpus(SERVERS * RAILS);
        PhotonicRailHelper photonic;
        ElectricalRailHelper electrical;
        RailHelper& helper =
            m_outcome.policy == "electrical" ? static_cast<RailHelper&>(electrical) : photonic;
        helper.SetPorts(options.ports, options.portRate);
        photonic.SetSwitchAttribute("Radix", UintegerValue(SERVERS * options.ports));
        photonic.SetReconfigurationTime(options.reconfiguration);
        electrical.SetRadix(0);
        m_rails = helper.InstallRails(gpus, RAILS);
        RdmaHelper().Install(gpus);
    }

    /** @return limits for stages that compute, and for switches that others have reconfigured */
    static OpusLimits GetLimits(const Options& options)
    {
        OpusWaits waits;
        waits.reconfiguration = options.reconfiguration;
        waits.computing = 20 * options.forward;
        return OpusLimits().GetWith(waits);
    }

    void InstallControlPlane(const Options& options)
    {
        ManagementNetworkHelper network;
        network.SetLatency(options.managementLatency);
        network.SetLoss(options.loss);
        OpusHelper opus;
        opus.SetPolicy(m_outcome.policy);
        opus.SetManagementNetwork(network);
        opus.SetShimAttribute("HostLatency", TimeValue(options.hostLatency));
        opus.SetControllerAttribute("Granularity", StringValue(options.granularity));
        opus.SuggestLimits(GetLimits(options));
        opus.SetStandby(options.standby);
        m_plane = opus.Install(m_rails);
        m_plane.AssignStreams(1);
    }

    /** Listens to everybody in the control plane. */
    void Listen()
    {
        std::vector<Ptr<OpusEndpoint>> all(m_plane.shims.begin(), m_plane.shims.end());
        all.push_back(m_plane.controller);
        if (m_plane.standby)
        {
            all.push_back(m_plane.standby);
        }
        all.insert(all.end(), m_plane.agents.begin(), m_plane.agents.end());
        for (std::size_t column = 0; column < all.size(); ++column)
        {
            m_outcome.columns[{m_plane.network.GetAddress(all[column]->GetNode()), OPUS_PORT}] =
                column;
            all[column]->TraceConnectWithoutContext(
                "MessageSent",
                MakeCallback(&Outcome::Sent, &m_outcome).Bind(uint64_t{column}));
        }
    }

    /** Adds up what the parts of a run have counted. */
    void Count()
    {
        if (m_plane.controller)
        {
            m_outcome.times = m_plane.GetTimes();
            m_outcome.controller = m_plane.GetInCharge()->GetCore().GetCounters();
            m_outcome.messages = m_plane.GetMessages();
            for (const Ptr<OpusShimApp>& shim : m_plane.shims)
            {
                for (const auto& [parallelism, times] : shim->GetCore().GetCounters().parallelisms)
                {
                    ParallelismTimes& sum = m_outcome.parallelisms[parallelism];
                    sum.answers += times.answers;
                    sum.exposed += times.exposed;
                    sum.hidden += times.hidden;
                }
            }
        }
        m_outcome.trains = GetTrainsOf(m_rails);
    }

    std::vector<Rail> m_rails;
    OpusControlPlane m_plane;
    CollectiveHelper m_collectives;
    ApplicationContainer m_applications;
    std::unique_ptr<TimelineRecorder> m_timeline;
    Outcome m_outcome;
};

/** @return whether a message is about rail 0: its switch, or a rank on it */
bool
IsAboutRail0(const OpusMessage& message)
{
    if (message.type == OpusMessage::Type::PROGRAM || message.type == OpusMessage::Type::DONE ||
        message.type == OpusMessage::Type::ALARM)
    {
        return message.rail == RailId(0);
    }
    return message.ranks.empty() || message.ranks[0].Get() % RAILS == 0;
}

/** @return what a message is about */
std::string
TellAbout(const OpusMessage& message)
{
    std::ostringstream words;
    if (message.type == OpusMessage::Type::PROGRAM)
    {
        words << "down " << message.down.size() << ", up " << message.up.size();
        return words.str();
    }
    if (message.ranks.empty())
    {
        return "";
    }
    words << (message.phase.pointToPoint ? "send " : "group ");
    if (message.phase.pointToPoint)
    {
        words << message.phase.from << ">" << message.phase.to;
    }
    else
    {
        words << message.phase.group;
    }
    words << " #" << message.phase.operation;
    if (message.until != message.phase.operation && message.until != UINT64_MAX &&
        message.type != OpusMessage::Type::REFUSE)
    {
        words << ".." << message.until;
    }
    words << (message.speculative ? ", in advance" : "");
    return words.str();
}

void
PrintChart(const Options& options, const Outcome& outcome)
{
    const uint32_t which = options.chart - 1;
    const Picoseconds begin = which == 0 ? 0 : outcome.iterationEnds[which - 1];
    const Picoseconds end = outcome.iterationEnds[which];
    std::vector<std::string> names;
    for (uint32_t server = 0; server < SERVERS; ++server)
    {
        names.push_back("server " + std::to_string(server));
    }
    names.emplace_back("controller");
    if (options.standby)
    {
        names.emplace_back("standby");
    }
    names.emplace_back("rail 0");
    SequenceChart chart(names);
    std::size_t rows = 0;
    for (const Said& said : outcome.flowKey)
    {
        const bool isHeartbeat = said.message.type == OpusMessage::Type::HEARTBEAT;
        if (said.time < begin || said.time > end || !IsAboutRail0(said.message) || isHeartbeat ||
            said.from >= names.size() || said.to >= names.size())
        {
            continue;
        }
        chart.Add(said.time,
                  said.from,
                  said.to,
                  ToString(said.message.type),
                  TellAbout(said.message));
        ++rows;
    }
    std::cout << std::endl
              << outcome.policy << ": iteration " << options.chart << ", rail 0, " << rows
              << " messages; 0 us is " << begin / 1e9 << " ms" << std::endl;
    chart.Print(std::cout, begin);
}

void
PrintHead()
{
    std::cout << std::endl
              << "policy            iteration   exposed    hidden  requests    grants  reconf"
                 "igurations  messages  wrong"
              << std::endl
              << "                       (ms)      (ms)      (ms)" << std::endl;
}

void
PrintRow(const Outcome& one)
{
    std::cout << std::left << std::setw(16) << one.policy << std::right << std::fixed
              << std::setw(11) << ToMillisecondsOrSeconds(one.GetIteration() * 1e12)
              << std::setw(10) << ToMillisecondsOrSeconds(one.times.exposed) << std::setw(10)
              << ToMillisecondsOrSeconds(one.times.hidden) << std::setw(10)
              << one.controller.requests << std::setw(10) << one.controller.grants << std::setw(18)
              << one.controller.reconfigurations << std::setw(10) << one.messages << std::setw(7)
              << one.times.wrongPredictions << std::endl;
}

/** Prints what stands below the rows. */
void
PrintParallelisms(const std::vector<Outcome>& outcomes)
{
    std::cout << std::endl
              << "iteration: the mean but for the first; exposed, hidden: the mean of ranks; all "
                 "but the first: of the whole run"
              << std::endl;
    for (const Outcome& one : outcomes)
    {
        for (const auto& [parallelism, times] : one.parallelisms)
        {
            const double ranks = SERVERS * RAILS;
            std::cout << one.policy << ", " << parallelism << ": " << times.answers
                      << " requests, exposed " << ToSpanText(times.exposed / ranks) << ", hidden "
                      << ToSpanText(times.hidden / ranks) << std::endl;
        }
    }
}

void
WriteOutcome(JsonWriter& json, const Options& options, const Outcome& one)
{
    json.Field("policy", one.policy);
    json.Field("reconfiguration_s", options.reconfiguration.GetSeconds());
    json.Field("requests", one.controller.requests);
    json.Field("grants", one.controller.grants);
    json.Field("refusals", one.controller.refusals);
    json.Field("reconfigurations", one.controller.reconfigurations);
    json.Field("conflicts", one.controller.conflicts);
    json.Field("exposed_s", one.times.exposed / 1e12);
    json.Field("exposed_most_s", one.times.exposedMost / 1e12);
    json.Field("hidden_s", one.times.hidden / 1e12);
    json.Field("wrong_predictions", one.times.wrongPredictions);
    json.Field("control_messages", one.messages);
    json.BeginArray("iteration_s");
    for (uint32_t i = 0; i < one.iterationEnds.size(); ++i)
    {
        json.Value(one.GetIteration(i));
    }
    json.EndArray();
}

/** Prints a result, as far as it can stand there before those that follow: charts are above rows.
 */
void
PrintAtOnce(const Options& options, const Outcome& one, bool isFirst)
{
    if (options.chart == 0)
    {
        if (isFirst)
        {
            PrintHead();
        }
        PrintRow(one);
    }
    else if (!one.flowKey.empty())
    {
        PrintChart(options, one);
    }
}

/** Prints what is left to print of all. */
void
PrintRest(const Options& options, const std::vector<Outcome>& outcomes)
{
    if (options.chart > 0)
    {
        PrintHead();
        std::for_each(outcomes.begin(), outcomes.end(), PrintRow);
    }
    PrintParallelisms(outcomes);
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
        for (const std::string& policy : options.policies)
        {
            Scenario::Rehearse([&] {
                auto one = std::make_unique<Case>(options, policy, "");
                one->AbortOnRefusal();
                return one;
            });
        }
        scenario.Begin();
        std::vector<Outcome> outcomes;
        RailNetDevice::Trains trains;
        for (const std::string& policy : options.policies)
        {
            Scenario::Say(policy);
            outcomes.push_back(Case(options, policy, options.GetTimelineFile(policy)).Run());
            const Outcome& one = outcomes.back();
            trains.Add(one.trains);
            scenario.AddRow("policies",
                            [&](JsonWriter& json) { WriteOutcome(json, options, one); });
            if (scenario.PrintsTables())
            {
                PrintAtOnce(options, one, outcomes.size() == 1);
            }
        }
        if (scenario.PrintsTables())
        {
            PrintRest(options, outcomes);
        }
        scenario.Write([&](JsonWriter& json) { WriteFidelity(json, trains); });
    });
}
