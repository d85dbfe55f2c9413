/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A training job that several processes simulate, each the GPUs, NICs, fibers and the switch of
// some rails:
//
//     process 0            process 1            process 2            process 3
//     rail 0               rail 1               rail 2               rail 3
//     server 0:  [gpu 0] ---- fabric in server 0, messages between processes ---- [gpu 3]
//     server 1:  [gpu 4] ---- fabric in server 1 -------------------------------- [gpu 7]
//
// or, with --cut=switches on electrical rails of leaves and spines, some leaves with their servers:
//
//     process 0                                process 1
//     spine 0 --- frames between processes --- spine 1
//       |     \                              /     |
//     leaf 0, leaf 1                           leaf 2, leaf 3     on each rail
//     server 0, server 1                       server 2, server 3
//
// The results are those of one process, to the picosecond. Compare the "digest": it is of the begin
// and the end of every operation on a rail.
//
// Try, in an ns-3 tree that is configured with --enable-mpi:
//      ./ns3 run distributed-rails
//      mpirun -np 4 ./ns3 run distributed-rails
//      mpirun -np 2 ./ns3 run "distributed-rails --cut=switches --switch-radix=4"

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iostream>
#include <tuple>

using namespace ns3;

namespace
{

/** @return a number of the instants of all operations on rails: one that differs changes it */
uint64_t
MakeDigest(std::vector<FinishedOperation> operations)
{
    std::sort(operations.begin(), operations.end(), [](const auto& one, const auto& other) {
        return std::tie(one.rank, one.sequence) < std::tie(other.rank, other.sequence);
    });
    uint64_t digest = 0;
    for (const FinishedOperation& one : operations)
    {
        for (const uint64_t value : {uint64_t{one.rank.Get()},
                                     uint64_t{one.sequence},
                                     static_cast<uint64_t>(one.start.GetTimeStep()),
                                     static_cast<uint64_t>(one.end.GetTimeStep()),
                                     one.bytes})
        {
            digest = MixBits(digest ^ value);
        }
    }
    return digest;
}

/** Has all other GPUs of a rail write to its first one at once, beside the job. */
void
AddIncast(const Rail& rail, uint64_t bytes)
{
    for (uint32_t gpu = 1; gpu < rail.GetGpus(); ++gpu)
    {
        // in all processes, so that the ends have the same numbers
        const RdmaEngine::Ends ends = RdmaEngine::Connect(rail.GetGpu(gpu), rail.GetGpu(0));
        if (SimulationProcesses::IsHere(rail.GetGpu(gpu)))
        {
            ends.first->Post(RdmaVerb::WRITE, bytes);
        }
    }
}

/** Cuts a node off the management network, in all processes, or restores it. */
void
SetCut(ManagementNetwork network, Ptr<Node> node, bool isCut)
{
    isCut ? network.Cut(node) : network.Restore(node);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    DistributionOption distribution(argc, argv);
    std::string model = "Llama3-8B";
    uint32_t layers = 2;
    std::string policy = "electrical";
    std::string cut = "rails";
    PacketSwitchOptions switches;
    Time fiberDelay = NanoSeconds(98);
    std::string congestion = "none";
    uint64_t buffer = 64'000'000;
    uint64_t incast = 0;
    Time reconfiguration = MilliSeconds(1);
    Time managementLatency = MicroSeconds(10);
    double managementLoss = 0;
    ParallelismPlan plan;
    plan.scaleUp = 4; // GPUs of a server: each rail joins those of one place
    plan.tp = 0;
    plan.dp = plan.pp = 2;
    TrainingRecipe recipe;
    recipe.sequence = 512;
    recipe.microBatchSize = 1;
    recipe.microBatches = 2;
    uint32_t iterations = 2;
    Time cutAt = MilliSeconds(2);
    Time cutFor;
    scenario.Add("model", "A model by name", model);
    scenario.Add("layers", "Only so many of its layers", layers).Between(1, 1000);
    scenario.Add("rails", "GPUs of a server, each on a rail of its own", plan.scaleUp)
        .Between(1, 1024);
    scenario.Add("tp", "Ranks that divide each matrix; 0: those of a server", plan.tp)
        .Between(0, 1024);
    scenario.Add("dp", "Ranks that divide the sequences", plan.dp).Between(1, 1024);
    scenario.Add("pp", "Ranks that divide the layers", plan.pp).Between(1, 1024);
    scenario.Add("microbatches", "Of an iteration", recipe.microBatches).Between(1, 1024);
    scenario.Add("sequence", "Tokens of a sequence", recipe.sequence).Between(1, 1 << 20);
    scenario.Add("iterations", "Of training", iterations).Between(1, 1000);
    scenario.Add("policy", "Whose circuits", policy)
        .OneOf({"electrical", "on-demand", "provisioned"}, "policy");
    scenario.Add("cut", "Of the cluster into processes: rails, or switches of each", cut)
        .OneOf({"rails", "switches"}, "cut");
    switches.Add(scenario.GetOptions());
    scenario.Add("fiber-delay", "Of each fiber, and with --cut=switches the lookahead", fiberDelay)
        .Between(Time(0), Seconds(1));
    scenario.Add("congestion", "What senders do by themselves", congestion)
        .OneOf(GetCongestionControlAliases());
    scenario.Add("buffer", "Bytes of a packet switch's memory", buffer).Between(1, 1ULL << 36);
    scenario
        .Add("incast", "Bytes that each GPU of rail 0 writes to its first, at the begin", incast)
        .Between(0, 1ULL << 36);
    scenario.Add("reconfiguration", "Reconfiguration time of optical switches", reconfiguration);
    scenario.Add("management-latency", "One way, on the management network", managementLatency);
    scenario.Add("management-loss", "Share of packets that its links lose, 0 to 1", managementLoss)
        .Between(0, 1);
    scenario.Add("cut-at", "The management network loses the switch of the last rail", cutAt);
    scenario.Add("cut-for", "So long; 0s: it does not", cutFor);
    distribution.Add(scenario);
    return scenario.Run(argc, argv, [&] {
        plan.tp = plan.tp == 0 ? plan.scaleUp : plan.tp;
        scenario.Require(cutFor.IsZero() || policy != "electrical",
                         "cut-for",
                         "the policy electrical has no management network; give another policy");
        switches.Require(scenario.GetOptions());
        TrainingJobHelper helper;
        helper.SetModel(model);
        helper.SetLayers(layers);
        helper.SetParallelismPlan(plan);
        helper.SetRecipe(recipe);
        helper.SetIterations(iterations);
        helper.SetPolicy(policy);
        helper.SetCut(cut == "rails" ? ProcessCut::RAILS : ProcessCut::SWITCHES);
        helper.SetFiberDelay(fiberDelay);
        helper.GetRdma().SetCongestionControl(congestion);
        switches.SetUp(helper);
        if (policy == "electrical")
        {
            helper.GetRails().SetSwitchAttribute("BufferSize", UintegerValue(buffer));
        }
        scenario.Require(incast == 0 || policy == "electrical",
                         "incast",
                         "there may be no circuit to the first GPU; have --policy=electrical");
        distribution.Begin(scenario, [&helper](uint32_t processes) {
            return helper.FindCutMisfit(processes);
        });
        helper.SetReconfigurationTime(reconfiguration);
        helper.SetManagementLatency(managementLatency);
        helper.SetManagementLoss(managementLoss);
        const Ptr<TrainingRun> run = helper.Install();
        if (incast > 0)
        {
            AddIncast(run->rails.front(), incast);
        }
        if (cutFor.IsStrictlyPositive())
        {
            const Ptr<Node> last = run->rails.back().GetSwitchNode();
            Simulator::Schedule(cutAt, &SetCut, run->plane.network, last, true);
            Simulator::Schedule(cutAt + cutFor, &SetCut, run->plane.network, last, false);
        }
        scenario.Begin();
        Scenario::Simulate();
        run->Require(); // of each process, its own part
        run->Gather();  // process 0 has all of it
        if (run->IsWhole())
        {
            const TrainingFigures figures = GetFigures(*run);
            if (scenario.PrintsTables())
            {
                std::cout << DistributionOption::Describe(plan.scaleUp) << std::endl;
                std::cout << "an iteration takes " << figures.iteration << " s; " << figures.frames
                          << " frames on wires, " << figures.messages
                          << " messages between GPUs in an iteration" << std::endl;
            }
            scenario.AddFigure("iteration", "s", figures.iteration);
            scenario.Write([&](JsonWriter& json) {
                WriteTrainingOutcome(json, *run, figures);
                const RailAudit::Totals totals = run->GetAudit().GetTotals();
                json.Field("pauses", totals.pauses);
                json.Field("marks", totals.marks);
                json.Field("digest", MakeDigest(run->GetOperations()));
            });
        }
        Simulator::Destroy();
        distribution.End();
    });
}
