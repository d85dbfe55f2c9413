/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A year of faults of a cluster, in minutes: what each reaction and each spare brings.
//
//     400 servers of 8 GPUs      | job 0, 64 servers | job 1 | job 2 | ... | spares |
//     584 faults in 349 days       ^ a fault: the job goes on with a spare, over a detour, in
//                                    another rack, without a replica; or it waits for the repair
//
// Between faults a job's time is counted by the rule of FleetReplay: whole iterations, each as long
// as a simulated one, and checkpoints. Each distinct kind of transition, from a fault to the steady
// state, is simulated in full once by RecoveringJob, and replayed where it comes again.
//
// Goodput is the useful time of GPUs over the time of all GPUs, spares too; "of jobs" over that of
// the GPUs of jobs. Where the rest went stands in the other columns.
//
// Without --trace the faults are drawn at random, at the rates of the public trace of InfiniteHBD
// (SIGCOMM 2025); --RngRun=N draws another year, --runs=N averages over N years.
//
// Try: ./rails run fault-year
//      ./rails run fault-year --plot=goodput.svg
//      ./rails run fault-year --trace=fault_trace.json          (of stepfun-ai/InfiniteHBD-Trace)
//      ./rails run fault-year --jobs=50x8 --on-failure=splice,move --spares=0,8,16,24,32
//      ./rails run fault-year --launch=10min --checkpoint-interval=1000 --sharding=none

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    FleetPlan plan;
    FleetTraining training;
    std::vector<std::string> reactions{"splice", "detour", "move", "shrink", "stop"};
    std::vector<uint32_t> spares{0, 2, 4, 8, 16, 32};
    std::vector<std::string> jobs{"1x64", "8x16", "16x8", "40x2"};
    std::string trace;
    uint32_t days{349};
    uint32_t interval{100};
    uint32_t mostReplicas{2};
    std::string sharding{"full"};
    bool printsTable{false};

    void Add(Scenario& scenario)
    {
        training.recipe.microBatchSize = 4;
        scenario.Add("on-failure", "Reactions, with commas", reactions)
            .OneOf(GetFleetReactionNames(), "reaction");
        scenario.Add("spares", "Servers in reserve, with commas", spares);
        scenario.Add("servers", "Of the cluster", plan.servers).Between(2, 100000);
        scenario.Add("rack", "Servers of a rack", plan.serversPerRack).Between(1, 1000);
        scenario.Add("gpus", "Of a server", training.gpus).Between(1, 72);
        scenario.Add("jobs", "COUNTxSERVERS, as many as fit beside the spares", jobs).MayRepeat();
        scenario.Add("trace", "A file of faults; nothing: they are drawn", trace).Reads();
        scenario.Add("days", "That are replayed", days).Between(1, 36500);
        scenario.Add("checkpoint-interval", "Iterations between checkpoints", interval)
            .Between(1, 1000000);
        scenario.Add("sharding", "Parameters and optimizer: full (FSDP), none", sharding)
            .OneOf({"full", "none"}, "sharding");
        scenario.Add("model", "By name, or a JSON file of its shape", training.model)
            .OneOf(GetNamesOf(GetModelShapes()), "model")
            .OrFile(".json");
        scenario.Add("layers", "That are trained", training.layers).Between(2, 1000);
        scenario.Add("sequence", "Tokens of a sequence", training.recipe.sequence)
            .Between(1, 1 << 20);
        scenario.Add("microbatch-size", "Sequences", training.recipe.microBatchSize)
            .Between(1, 1 << 16);
        scenario.Add("stages", "Servers of a replica", training.stages).Between(1, 64);
        scenario.Add("policy", "Whose circuits", training.policy)
            .OneOf({"on-demand", "provisioned", "electrical"}, "policy");
        scenario.Add("reconfiguration", "Of the switches", training.reconfiguration);
        scenario.Add("link-up", "Time from light to a NIC port that works", training.linkUp);
        scenario.Add("launch", "What programs and libraries take to start", training.launch)
            .Between(MicroSeconds(1), Hours(1));
        scenario.Add("dark-limit", "From no light to a failed queue pair", training.darkLimit)
            .Between(MilliSeconds(1), Hours(1));
        scenario.Add("print-table", "Whether simulated transitions are printed", printsTable);
        scenario.Add("replicas", "Of a simulated transition, at most", mostReplicas)
            .Between(2, 1024);
    }

    /** Checks, and completes what follows from other options. */
    void Complete(Scenario& scenario)
    {
        training.sharding = sharding == "none" ? ParameterSharding::NONE : ParameterSharding::FULL;
        plan.gpus = training.gpus;
        plan.replicaServers = training.stages;
        scenario.Require(training.policy != "electrical" ||
                             std::count(reactions.begin(), reactions.end(), "detour") == 0,
                         "on-failure",
                         "a detour is a ring of circuits, which the policy electrical does not "
                         "have; leave it out");
        const std::string why = ReadJobMix(jobs, plan.jobs);
        scenario.Require(why.empty(), "jobs", why);
        const std::string ofJobs = plan.FindMistakeOfJobs();
        scenario.Require(ofJobs.empty(), "jobs", ofJobs);
        for (const uint32_t number : spares)
        {
            const std::string mistake = WithSpares(number).FindMistake();
            scenario.Require(mistake.empty(), "spares", mistake);
        }
    }

    FleetPlan WithSpares(uint32_t number) const
    {
        FleetPlan with = plan;
        with.spares = number;
        return with;
    }
};

/** Reads the faults of the year, or draws them. */
FleetFaults
MakeFaults(const Scenario& scenario, const Options& options)
{
    const uint64_t run = RngSeedManager::GetRun();
    if (options.trace.empty())
    {
        const FaultSchedule drawn = DrawFleetFaults(FleetRates(),
                                                    options.plan.servers,
                                                    options.training.gpus,
                                                    options.days,
                                                    run);
        return FleetFaults::Of(drawn, options.plan.servers, 0);
    }
    FaultTraceSettings settings;
    settings.servers = options.plan.servers;
    settings.gpus = options.training.gpus;
    settings.day = GetFleetDay();
    settings.others = FaultKind::SERVER_LOSS;
    FaultTrace trace;
    const TraceResult result = ReadFaultTraceFile(options.trace, settings, trace);
    scenario.Require(!result, "trace", result ? result->ToString() : "");
    return FleetFaults::Of(trace.schedule, options.plan.servers, run);
}

/** What came of a reaction with a number of spares. */
struct Row
{
    std::string reaction;
    uint32_t spares{0}; //!< all servers that no job has
    FleetTally tally;
};

/** @return what the faults do, whatever the jobs */
std::string
Describe(const FleetFaultSummary& faults, const Options& options)
{
    std::ostringstream words;
    words << std::fixed << faults.faults << " faults of " << faults.servers << " of "
          << options.plan.servers << " servers in " << options.days << " days, repaired after "
          << std::setprecision(2) << faults.repairDays << " days: " << std::setprecision(1)
          << faults.meanOut << " servers are out of use on average, " << faults.mostOut
          << " at most";
    return words.str();
}

/** @return the answer to: how many spares does the cluster need, and what does one bring? */
std::string
Describe(const std::vector<Row>& rows, const std::string& reaction)
{
    const Row* best = nullptr;
    const Row* former = nullptr;
    std::ostringstream each;
    each << std::fixed << std::setprecision(2) << std::showpos;
    for (const Row& row : rows)
    {
        if (row.reaction != reaction)
        {
            continue;
        }
        if (former != nullptr && row.spares > former->spares)
        {
            each << (each.str().empty() ? "; each spare brings " : ", ")
                 << 100 * (row.tally.GetGoodput() - former->tally.GetGoodput()) /
                        (row.spares - former->spares)
                 << " up to " << std::noshowpos << row.spares << std::showpos;
        }
        const double goodput = row.tally.GetGoodput();
        best = best != nullptr && best->tally.GetGoodput() >= goodput ? best : &row;
        former = &row;
    }
    std::ostringstream words;
    words << std::fixed << std::setprecision(1) << reaction << ": the largest goodput, "
          << 100 * best->tally.GetGoodput() << " %, is with " << best->spares << " spares"
          << each.str();
    return words.str();
}

void
PrintRows(const std::vector<Row>& rows, const Options& options)
{
    std::cout << "\nreaction  spares  goodput  of jobs     in use      lost, in thousands of "
                 "GPU-hours, by                                  transitions  waits  "
                 "reconfigurations\n"
                 "                      (%)      (%)   mean most  waiting  transitions  work  "
                 "checkpoints  smaller  reserve  repair                           (million)"
              << std::endl;
    const auto hours = [&options](FleetTime time) {
        return options.plan.gpus * ToHours(time) / 1000;
    };
    for (const Row& row : rows)
    {
        const FleetTally& tally = row.tally;
        std::cout << std::left << std::setw(8) << row.reaction << std::right << std::fixed
                  << std::setw(8) << row.spares << std::setprecision(2) << std::setw(9)
                  << 100 * tally.GetGoodput() << std::setw(9) << 100 * tally.GetGoodputOfJobs()
                  << std::setprecision(1) << std::setw(7) << ToDays(tally.inUse) / options.days
                  << std::setw(5) << tally.mostInUse << std::setw(9) << hours(tally.waiting)
                  << std::setw(13) << hours(tally.transitions) << std::setw(6)
                  << hours(tally.lostWork) << std::setw(13) << hours(tally.checkpoints)
                  << std::setw(9) << hours(tally.smaller) << std::setw(9) << hours(tally.reserve)
                  << std::setw(8) << hours(tally.repair) << std::setw(13) << tally.steps
                  << std::setw(7) << tally.waits << std::setw(18) << tally.reconfigurations / 1e6
                  << std::endl;
    }
}

/** Prints what was simulated. */
void
PrintTable(const TransitionTable& table)
{
    std::cout << "\nreplicas          iteration (s)  checkpoint (s)" << std::endl;
    for (const auto& [form, times] : table.GetIterations())
    {
        std::cout << std::left << std::setw(10) << form.replicas << std::setw(8)
                  << (form.isDetoured ? "detour" : "") << std::right << std::fixed
                  << std::setprecision(3) << std::setw(13) << times.iteration / 1e12
                  << std::setw(16) << times.checkpoint / 1e12 << std::endl;
    }
    std::cout << "\nstep    replicas  stage  fault          down (s)  up (s)  goes on from the last"
              << std::endl;
    for (const auto& [key, times] : table.GetTransitions())
    {
        std::cout << std::left << std::setw(8) << ToString(key.step) << std::right << std::setw(8)
                  << key.replicas << std::setw(7) << key.stage << "  " << std::left << std::setw(13)
                  << ToString(key.kind) << std::right << std::fixed << std::setprecision(3)
                  << std::setw(10) << times.down / 1e12 << std::setw(8) << times.up / 1e12
                  << (times.keepsIterations ? "  iteration" : "  checkpoint") << std::endl;
    }
}

void
WriteTable(JsonWriter& json, const TransitionTable& table)
{
    json.BeginArray("simulated_iterations");
    for (const auto& [form, times] : table.GetIterations())
    {
        json.BeginObject();
        json.Field("replicas", form.replicas);
        json.Field("detour", form.isDetoured);
        json.Field("iteration_ps", times.iteration);
        json.Field("checkpoint_ps", times.checkpoint);
        json.EndObject();
    }
    json.EndArray();
    json.BeginArray("simulated_transitions");
    for (const auto& [key, times] : table.GetTransitions())
    {
        json.BeginObject();
        json.Field("step", ToString(key.step));
        json.Field("replicas", key.replicas);
        json.Field("stage", key.stage);
        json.Field("fault", ToString(key.kind));
        json.Field("down_ps", times.down);
        json.Field("up_ps", times.up);
        json.Field("keeps_iterations", times.keepsIterations);
        json.EndObject();
    }
    json.EndArray();
}

/** Prints the answer, and what it comes from. */
void
Print(const std::vector<Row>& rows,
      const Options& options,
      const FleetFaultSummary& faults,
      const TransitionTable& table)
{
    std::cout << Describe(faults, options) << std::endl
              << "published (the trace of InfiniteHBD): 584 faults in 349 days, 5.54 days each: "
                 "9.3 servers by Little's law, 35 at most"
              << std::endl;
    for (const std::string& reaction : options.reactions)
    {
        std::cout << Describe(rows, reaction) << std::endl;
    }
    uint64_t replayed = 0;
    for (const Row& row : rows)
    {
        replayed += row.tally.steps;
    }
    std::cout << replayed << " transitions are replayed, " << table.GetTransitions().size()
              << " distinct ones are simulated, and the iterations of "
              << table.GetIterations().size() << " jobs" << std::endl;
    PrintRows(rows, options);
    if (rows.size() < options.reactions.size() * options.spares.size())
    {
        std::cout << "\nsome numbers of spares leave the same jobs, and have one row" << std::endl;
    }
    if (options.printsTable)
    {
        PrintTable(table);
    }
}

/** Sets the quantities of the plot. */
void
SetUpPlot(CurvePlot& plot, const Options& options)
{
    plot.SetTitle("Goodput of " + std::to_string(options.plan.servers) + " servers in " +
                  std::to_string(options.days) + " days with faults, by reaction");
    plot.SetX({"spare servers"});
    plot.SetY({"goodput (% of all GPUs)", 0.01});
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    options.Add(scenario);
    scenario.AddPlot();
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario);
        const FleetFaults faults = MakeFaults(scenario, options);
        Scenario::Rehearse([&] { return options.training.MakeHelper({2, false}).Install(); });
        scenario.Begin();
        const FleetTime horizon = options.days * FLEET_DAY;
        TransitionTable table(options.training, options.mostReplicas);
        SetUpPlot(scenario.GetPlot(), options);
        std::vector<Row> rows;
        const std::vector<uint32_t> distinct = options.plan.ListDistinctSpares(options.spares);
        for (const std::string& reaction : options.reactions)
        {
            for (const uint32_t spares : distinct)
            {
                const FleetPlan plan = options.WithSpares(spares);
                FleetReplay replay(plan, GetFleetReaction(reaction), options.interval, table);
                rows.push_back({reaction, plan.CountPool(), replay.Run(faults, horizon)});
                const Row& row = rows.back();
                scenario.AddFigure(reaction + ": goodput with " + std::to_string(spares) +
                                       " spares",
                                   "%",
                                   100 * row.tally.GetGoodput());
                scenario.GetPlot().AddPoint(reaction, row.spares, row.tally.GetGoodput());
                scenario.AddRow("rows", [&](JsonWriter& json) {
                    json.Field("reaction", row.reaction);
                    json.Field("spares", row.spares);
                    WriteFleetTally(json, row.tally, options.plan.gpus, horizon);
                });
            }
        }
        const FleetFaultSummary summary = faults.Summarize(horizon);
        if (scenario.PrintsTables())
        {
            Print(rows, options, summary, table);
        }
        scenario.Write([&](JsonWriter& json) {
            json.Field("faults", summary.faults);
            json.Field("faulty_servers", summary.servers);
            json.Field("repair_days", summary.repairDays);
            json.Field("servers_out_mean", summary.meanOut);
            json.Field("servers_out_by_rates", summary.littleOut);
            json.Field("servers_out_most", summary.mostOut);
            WriteTable(json, table);
            WriteFidelity(json, table.GetTrains());
        });
    });
}
