/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A GPU of a training job fails: what each reaction costs.
//
//     rack 0                                    rack 1
//     server 0 .. server 3   [spare]           [server 4 .. server 7: a rack in reserve]
//     4 GPUs each, GPU l on rail l; the job has servers 0 to 3
//
//     splice   a spare gets the circuits of the lost server         1 server in reserve
//     detour   a spare is reached over the GPUs between             1 server in reserve
//     move     the job moves to another rack                        4 servers in reserve
//     shrink   the data-parallel replica that has lost a server ends, the others go on
//     stop     the job ends
//
// A NIC or a switch fails (--fails=nic, --fails=switch): two more reactions need no other attempt.
//
//     other-rail   traffic goes over the GPUs of another rail, until the repair
//     giant-ring   circuits that a switch can't set up are replaced by rings
//
// From the fault to the ranks' start everything is simulated: heartbeats and reports, the order to
// stop, circuits that are taken down, state that is copied over circuits of its own (from a
// data-parallel replica, or from a checkpoint in the memory of another server).
//
// Try: ./rails run faults-and-spares
//      ./rails run faults-and-spares --plot=reactions.svg
//      ./rails run faults-and-spares --fails=server                 (heartbeats are missing)
//      ./rails run faults-and-spares --fails=nic --on-failure=splice,shrink,giant-ring,other-rail
//      ./rails run faults-and-spares --sharding=none                (replicas have all state)
//      ./rails run faults-and-spares --checkpoint-interval=1 --link-up=2s --dark-limit=3s
//      ./rails run faults-and-spares --policy=electrical --on-failure=splice,move,shrink

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t GPUS = 4;    // of a server
constexpr uint32_t SERVERS = 4; // of the job

/** What the command line can set. */
struct Options
{
    std::vector<std::string> reactions{"splice", "detour", "move", "shrink", "stop"};
    std::string fails{"gpu"};
    uint32_t server{1};
    double at{3.4}; // iterations
    Time repair{0};
    Time darkLimit{MilliSeconds(500)};
    std::string policy{"provisioned"};
    std::string sharding{"full"};
    CheckpointOptions checkpoints{2};
    HostNetworkOption hosts;
    Time reconfiguration{MilliSeconds(25)};
    Time linkUp{0};
    Time launch{MilliSeconds(500)};
    uint32_t layers{32};
    uint32_t iterations{6};

    void Add(Scenario& scenario)
    {
        scenario.Add("on-failure", "Reactions, with commas", reactions).OneOf(GetReactionAliases());
        scenario.Add("fails", "What fails: gpu, server, nic (of GPU 0), switch (of rail 0)", fails)
            .OneOf({"gpu", "server", "nic", "switch"}, "component");
        scenario.Add("server", "Server that fails, or whose GPU 0 or its NIC fails", server)
            .Between(0, SERVERS - 1);
        scenario.Add("at", "When, in iterations of the undisturbed job", at).Between(0.01, 1000);
        scenario.Add("repair", "Of a NIC or switch, after it fails; 0: never", repair);
        scenario.Add("dark-limit",
                     "From the end of light to a queue pair's failure; other-rail has its own",
                     darkLimit);
        scenario.Add("policy", "Whose circuits", policy)
            .OneOf(GetPolicyAliases())
            .MayHaveArgument();
        scenario.Add("sharding", "Parameters and optimizer: full (FSDP), none", sharding)
            .OneOf({"full", "none"}, "sharding");
        checkpoints.Add(scenario.GetOptions());
        hosts.Add(scenario.GetOptions());
        scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration);
        scenario.Add("link-up", "Time from light to a NIC port that works", linkUp);
        scenario.Add("launch", "What programs and libraries take to start", launch);
        scenario.Add("layers", "Layers of Llama3-8B that are trained", layers).Between(2, 32);
        scenario.Add("iterations", "Iterations of the job", iterations).Between(2, 1000);
    }
};

/** @return what fails, in words */
std::string
NameComponent(const Options& options)
{
    const std::string server = "server " + std::to_string(options.server);
    return options.fails == "server"   ? server
           : options.fails == "nic"    ? "the NIC of a GPU of " + server
           : options.fails == "switch" ? "the switch of rail 0"
                                       : "a GPU of " + server;
}

/** What came of a reaction. */
struct Result
{
    std::string reaction;
    uint32_t reserve{0}; //!< GPUs that are held in reserve
    std::vector<RecoveryRecord> records;
    RailNetDevice::Trains trains;    //!< frames of them
    std::string why;                 //!< the job ended; empty: it went on
    Time elapsed{0};                 //!< from the start of the job to its end
    double goodput{0};               //!< share of the time in iterations that were not lost
    uint32_t trained{0};             //!< iterations
    std::vector<RailOutage> outages; //!< circuits whose traffic went elsewhere
    double throughput{0}; //!< sequences a second of the last iteration, over those of the calm job
};

/** @return the servers that a reaction holds in reserve */
uint32_t
CountReserve(const std::string& reaction)
{
    return reaction == "move" ? SERVERS : reaction == "splice" || reaction == "detour" ? 1 : 0;
}

TrainingJobHelper
MakeHelper(const Options& options)
{
    ParallelismPlan plan;
    plan.tp = plan.scaleUp = GPUS;
    plan.dp = plan.pp = 2;
    plan.sharding = options.sharding == "none" ? ParameterSharding::NONE : ParameterSharding::FULL;
    TrainingRecipe recipe;
    recipe.sequence = 2048;
    TrainingJobHelper helper;
    helper.SetModel("Llama3-8B");
    helper.SetLayers(options.layers);
    helper.SetParallelismPlan(plan);
    helper.SetRecipe(recipe);
    helper.SetGpu("A100", 0.2815); // of its peak
    helper.SetPolicy(options.policy);
    helper.SetReconfigurationTime(options.reconfiguration);
    helper.SetIterations(options.iterations);
    options.checkpoints.SetUp(helper);
    helper.SetHostNetwork(options.hosts.Get());
    helper.GetCollectives().SetAttribute("WeighHost", BooleanValue(false)); // for checkpoints alone
    helper.GetRdma().SetAttribute("DarkLimit", TimeValue(options.darkLimit));
    return helper;
}

Ptr<RecoveringJob>
MakeJob(const Options& options, const std::string& reaction)
{
    const uint32_t all = SERVERS + CountReserve(reaction);
    const NodeContainer gpus(all * GPUS);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    photonic.SetReconfigurationTime(options.reconfiguration);
    photonic.SetSwitchAttribute("Radix", UintegerValue(2 * all));
    if (options.linkUp.IsStrictlyPositive())
    {
        photonic.SetLinkUpTime(options.linkUp);
    }
    RailHelper& rails =
        options.policy == "electrical" ? static_cast<RailHelper&>(electrical) : photonic;
    rails.SetPorts(2, DataRate("100Gbps"));
    const Ptr<RecoveringJob> job = CreateObject<RecoveringJob>();
    job->SetAttribute("LaunchTime", TimeValue(options.launch));
    job->SetAttribute("ServersPerRack", UintegerValue(reaction == "move" ? SERVERS : all));
    job->SetRails(rails.InstallRails(gpus, GPUS));
    job->SetReaction(reaction);
    std::vector<uint32_t> servers(SERVERS);
    std::iota(servers.begin(), servers.end(), 0);
    job->Install(MakeHelper(options), servers);
    return job;
}

/** @return sequences a second, in units of a data-parallel replica's, in the last iteration */
double
GetThroughput(const JobAttempt& attempt)
{
    const Ptr<TrainingRun> run = attempt.GetTraining();
    const uint32_t last = run ? run->GetIterations() : 0;
    return last == 0 ? 0 : attempt.plan.dp / run->GetIterationSeconds(last);
}

/** Adds the fault to the job. @param at its instant, from the start of the ranks */
void
AddFault(const Options& options, const Ptr<RecoveringJob>& job, Time at)
{
    const Time instant = options.launch + at;
    if (options.fails == "gpu" || options.fails == "server")
    {
        Simulator::Schedule(instant, [job, &options]() {
            options.fails == "server" ? job->LoseServer(options.server)
                                      : job->LoseGpu(options.server, 0);
        });
        return;
    }
    const bool isSwitch = options.fails == "switch";
    const uint32_t ports = isSwitch ? 1 : job->GetRails().front().GetPortsPerGpu();
    for (uint32_t port = 0; port < ports; ++port)
    {
        Fault fault;
        fault.kind = isSwitch ? FaultKind::OCS_DOWN : FaultKind::NIC_PORT_DOWN;
        fault.at = instant;
        fault.server = options.server;
        fault.port = port;
        if (options.repair.IsStrictlyPositive())
        {
            fault.duration = options.repair;
        }
        job->GetInjector()->Add(fault);
    }
}

/** Records the attempt that begins, or the copying before it, in the database of results. */
void
RecordAttempt(RunResults* results, RecoveringJob* job, RecoveringJob::State state)
{
    if (state == RecoveringJob::State::TRAINING || state == RecoveringJob::State::COPYING)
    {
        const JobAttempt& attempt = job->GetAttempts().back();
        results->AddJob(attempt.run, attempt.number - 1, attempt.servers);
    }
}

/** Records a job from its first attempt on. */
void
Record(const Ptr<RunResults>& results, const Ptr<RecoveringJob>& job)
{
    results->Add(job->GetInjector());
    results->Add(job->GetRails());
    RecordAttempt(PeekPointer(results), PeekPointer(job), job->GetState());
    job->TraceConnectWithoutContext(
        "StateChanged",
        MakeBoundCallback(&RecordAttempt, PeekPointer(results), PeekPointer(job)));
}

/**
 * Simulates a job.
 * @param fault from the start of its ranks; 0: there is none
 * @param results record it
 */
Result
Run(const Options& options,
    const std::string& reaction,
    Time fault,
    const Ptr<RunResults>& results,
    CircuitMapOption circuitMap = CircuitMapOption())
{
    const Ptr<RecoveringJob> job = MakeJob(options, reaction);
    Record(results, job);
    if (fault.IsStrictlyPositive())
    {
        AddFault(options, job, fault);
    }
    circuitMap.Record(job->GetRails().front(), "server");
    Scenario::Simulate();
    job->GetAudit().Require();
    circuitMap.Write(reaction);
    results->Finish();
    Result result;
    result.reaction = reaction;
    result.reserve = CountReserve(reaction) * GPUS;
    result.records.assign(job->GetRecoveries().begin(), job->GetRecoveries().end());
    result.outages = job->GetOutages();
    result.trains = GetTrainsOf(job->GetRails());
    result.why = job->GetWhyFailed();
    result.elapsed = job->GetElapsed();
    result.goodput = job->GetGoodput();
    result.trained = job->GetIterations();
    result.throughput = result.why.empty() ? GetThroughput(job->GetAttempts().back()) : 0;
    job->Dispose();
    Simulator::Destroy();
    return result;
}

/** @return what the failure costs with this reaction @param fault its instant */
std::string
Describe(const Result& result, const Result& calm, Time fault)
{
    std::ostringstream words;
    words << std::fixed << result.reaction << ": ";
    if (!result.why.empty())
    {
        words << result.why;
        return words.str();
    }
    const auto isServed = [](const RailOutage& outage) { return outage.goesOn.has_value(); };
    const auto outage = std::find_if(result.outages.begin(), result.outages.end(), isServed);
    if (!result.records.empty())
    {
        // the first one may have been about another GPU
        words << result.records.back().recovery.why << "; it trains again " << std::setprecision(3)
              << (result.records.back().started - fault).GetSeconds() << " s after the fault";
    }
    else if (outage != result.outages.end())
    {
        words << "traffic goes over another rail " << std::setprecision(3)
              << (*outage->goesOn - fault).ToDouble(Time::MS) << " ms after the fault; "
              << (result.elapsed - calm.elapsed).GetSeconds() << " s are lost in all";
    }
    else
    {
        words << "the fault came too late, or too early, to be found";
        return words.str();
    }
    words << std::setprecision(1) << ", " << 100 * result.throughput << " % as fast as before";
    return words.str();
}

void
PrintTimes(const std::vector<Result>& results)
{
    std::cout << "\nreaction    in reserve  sign (ms)  diagnosis  decision  stop  circuits down  "
                 "copying (waits)      launch  trains again (s)  lost work (s)  from iteration"
              << std::endl;
    const auto ms = [](Time from, Time to) { return (to - from).GetTimeStep() / 1e9; };
    for (const Result& result : results)
    {
        for (const RecoveryRecord& record : result.records)
        {
            std::cout << std::left << std::setw(10) << result.reaction << std::right << std::fixed
                      << std::setw(12) << result.reserve << std::setprecision(3) << std::setw(11)
                      << ms(record.GetBegin(), record.firstSign) << std::setw(11)
                      << ms(record.firstSign, record.diagnosed) << std::setw(10)
                      << ms(record.diagnosed, record.decided) << std::setw(6)
                      << ms(record.decided, record.stopped) << std::setw(15)
                      << ms(record.stopped, record.takenDown);
            if (record.started.IsStrictlyPositive())
            {
                std::cout << std::setw(9) << ms(record.takenDown, record.copied) << " ("
                          << std::setw(7) << ms(Time(0), record.copyWaits) << ")" << std::setw(10)
                          << ms(record.copied, record.started) << std::setw(18)
                          << record.GetTimeToGoOn().GetSeconds() << std::setw(15)
                          << record.lostWork.GetSeconds() << std::setw(16) << record.doneAfter;
            }
            std::cout << std::endl;
        }
    }
}

void
PrintOutcome(const std::vector<Result>& results)
{
    std::cout
        << "\nreaction    GPUs in reserve  iterations  elapsed (s)  goodput (%)  throughput (%)"
        << std::endl;
    for (const Result& result : results)
    {
        std::cout << std::left << std::setw(10) << result.reaction << std::right << std::fixed
                  << std::setw(17) << result.reserve << std::setw(12) << result.trained
                  << std::setprecision(3) << std::setw(13) << result.elapsed.GetSeconds()
                  << std::setprecision(1) << std::setw(13) << 100 * result.goodput << std::setw(16)
                  << 100 * result.throughput << std::endl;
    }
}

/** Draws the reactions: when the job trains again, and what it loses. */
void
Plot(Scenario& scenario, const std::vector<Result>& results, Time fault)
{
    CurvePlot& again = scenario.GetPlot(0);
    again.SetTitle("Time from the fault until the job trains again, by reaction");
    again.SetY({"time (s)", 1, PlotQuantity::NUMBERS, false, true});
    CurvePlot& share = scenario.GetPlot(1);
    share.SetTitle("Goodput of the job, and its throughput after the fault");
    share.SetY({"share (%)", 0.01, PlotQuantity::NUMBERS, false, true});
    std::vector<std::string> names;
    for (const Result& result : results)
    {
        const double place = names.size();
        names.push_back(result.reaction);
        if (result.why.empty() && !result.records.empty())
        {
            again.AddPoint("trains again",
                           place,
                           (result.records.back().started - fault).GetSeconds());
        }
        share.AddPoint("goodput", place, result.goodput);
        share.AddPoint("throughput", place, result.throughput);
    }
    for (CurvePlot* const plot : {&again, &share})
    {
        plot->SetBars();
        plot->SetXNames(names);
        plot->SetX({"reaction"});
    }
}

void
WriteResult(JsonWriter& json, const Result& result)
{
    json.Field("reaction", result.reaction);
    json.Field("reserve_gpus", result.reserve);
    json.Field("iterations", result.trained);
    json.Field("elapsed_s", result.elapsed.GetSeconds());
    json.Field("goodput", result.goodput);
    json.Field("throughput", result.throughput);
    json.Field("why_ended", result.why);
    json.BeginArray("outages");
    for (const RailOutage& outage : result.outages)
    {
        json.BeginObject();
        json.Field("what", outage.words);
        json.Field("found_s", outage.found.GetSeconds());
        json.Field("goes_on_s", outage.goesOn.value_or(Time(0)).GetSeconds());
        json.EndObject();
    }
    json.EndArray();
    json.BeginArray("failures");
    for (const RecoveryRecord& record : result.records)
    {
        json.BeginObject();
        WriteRecovery(json, record, GPUS);
        json.EndObject();
    }
    json.EndArray();
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    options.Add(scenario);
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    scenario.AddPlot();
    return scenario.Run(argc, argv, [&] {
        const std::string notHosts = options.hosts.FindMistake();
        scenario.GetOptions().Require(notHosts.empty(), "host-network", notHosts);
        scenario.GetOptions().Require(options.linkUp + options.reconfiguration < options.darkLimit,
                                      "link-up",
                                      "ports of circuits that change would be dark for longer than "
                                      "--dark-limit, so queue pairs would fail without a fault");
        circuitMap.Check(scenario.GetOptions(), options.policy != "electrical");
        circuitMap.Claim(scenario.GetOptions(), options.reactions);
        for (const std::string& reaction : options.reactions)
        {
            Scenario::Rehearse([&] { return MakeJob(options, reaction); });
        }
        scenario.Begin();
        const auto begin = [&](const std::string& name) {
            const bool isMain = name == options.reactions.front();
            return scenario.BeginRun({name, options.policy, options.reconfiguration, isMain});
        };
        const Result calm = Run(options, "stop", Time(0), begin("without a fault"));
        const Time fault = options.at * calm.elapsed / options.iterations;
        std::vector<Result> results;
        for (const std::string& reaction : options.reactions)
        {
            results.push_back(Run(options, reaction, fault, begin(reaction), circuitMap));
            Result& result = results.back();
            result.throughput /= calm.throughput;
            if (result.why.empty() && !result.records.empty())
            {
                scenario.AddFigure(
                    reaction + ": trains again after",
                    "s",
                    (result.records.back().started - options.launch - fault).GetSeconds());
            }
            scenario.AddFigure(reaction + ": goodput", "%", 100 * result.goodput);
        }
        if (scenario.PrintsTables())
        {
            std::cout << NameComponent(options) << " fails " << std::fixed << std::setprecision(3)
                      << fault.GetSeconds() << " s after the start of a job that takes "
                      << calm.elapsed.GetSeconds() << " s" << std::endl;
            for (const Result& result : results)
            {
                std::cout << Describe(result, calm, options.launch + fault) << std::endl;
            }
            if (options.fails == "gpu" || options.fails == "server")
            {
                std::cout << "published (LUMION, one GPU of a rack is replaced): about 1 s"
                          << std::endl;
            }
            PrintTimes(results);
            PrintOutcome(results);
        }
        Plot(scenario, results, options.launch + fault);
        for (const Result& result : results)
        {
            scenario.AddRow("reactions", [&](JsonWriter& json) { WriteResult(json, result); });
        }
        RailNetDevice::Trains trains = calm.trains;
        for (const Result& result : results)
        {
            trains.Add(result.trains);
        }
        scenario.Write([&](JsonWriter& json) {
            json.Field("fault_s", fault.GetSeconds());
            WriteFidelity(json, trains);
        });
    });
}
