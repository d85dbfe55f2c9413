/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The cost of training jobs, each as a process of its own: time, memory, events and messages.

#include "empty-event.h"
#include "log-plot.h"
#include "measure.h"

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <cstring>
#include <memory>
#include <optional>

using namespace ns3;

namespace
{

/** A job to measure. */
struct Job
{
    std::string name;
    std::string model;
    ParallelismPlan plan;
    TrainingRecipe recipe;
    std::string gpu;
    std::string policy;
    uint32_t iterations{2};
    uint32_t layers{0}; //!< of the model; 0: all
    bool folds{false};  //!< rails that do the same are simulated once
    uint64_t messageSize{1 << 20};
    bool packetEvents{false};
};

/** The cost of a process. */
struct Cost
{
    double seconds{0}; //!< of CPU, in total
    double megabytes{0};
    double events{0};
    double messages{0}; //!< of all iterations, inside servers too
    double frames{0};
    double iteration{0}; //!< simulated, seconds
    double programs{0};  //!< that the ranks share
};

std::string
RunJob(const Job& job)
{
    SetFidelity(job.packetEvents ? "events" : "trains");
    TrainingJobHelper helper;
    helper.SetModel(job.model);
    if (job.layers > 0)
    {
        helper.SetLayers(job.layers);
    }
    helper.SetFold(job.folds);
    helper.SetParallelismPlan(job.plan);
    helper.SetRecipe(job.recipe);
    helper.SetGpu(job.gpu, 0.4);
    helper.SetPolicy(job.policy);
    helper.SetIterations(job.iterations);
    helper.GetCollectives().SetAttribute("MessageSize", UintegerValue(job.messageSize));
    helper.GetCollectives().SetAttribute("PointToPointMessageSize",
                                         UintegerValue(std::max<uint64_t>(job.messageSize / 8, 1)));
    const Ptr<TrainingRun> run = helper.Install();
    Simulator::Run();
    run->Require();
    const TrainingFigures figures = GetFigures(*run);
    Cost cost;
    cost.seconds = figures.cpu;
    cost.megabytes = figures.megabytes;
    cost.events = figures.events;
    for (uint32_t i = 1; i <= job.iterations; ++i)
    {
        cost.messages += run->GetIteration(i).messages;
    }
    cost.frames = figures.frames;
    cost.iteration = figures.iteration;
    cost.programs = run->GetJob().CountPrograms();
    Simulator::Destroy();
    return std::string(reinterpret_cast<const char*>(&cost), sizeof(cost));
}

/** @return the cost of the last run; nothing if it failed */
std::optional<Cost>
Measure(const Job& job, uint32_t runs)
{
    std::vector<double> seconds;
    Cost cost;
    for (uint32_t r = 0; r < runs; ++r)
    {
        SideBySide one(1);
        one.Add(job.name, [&job](const SideBySide::Progress&) { return RunJob(job); });
        const SideBySide::Outcome outcome = one.Run().front();
        if (!outcome.error.empty())
        {
            std::cout << outcome.error << std::endl;
            return std::nullopt;
        }
        std::memcpy(&cost, outcome.result.data(), sizeof(cost));
        seconds.push_back(cost.seconds);
    }
    Report(job.name, "s of CPU", seconds);
    Report("  memory", "MB", {cost.megabytes});
    Report("  ns-3 events", "million", {cost.events / 1e6});
    Report("  messages", "million", {cost.messages / 1e6});
    Report("  frames", "million", {cost.frames / 1e6});
    Report("  rank programs", "", {cost.programs});
    Report("  an iteration, simulated", "s", {cost.iteration});
    return cost;
}

Job
MakeLlama8B(const std::string& policy, uint32_t iterations)
{
    Job job;
    job.name = "Llama3-8B, 16 A100, " + policy + ", " + std::to_string(iterations) + " iteration" +
               (iterations > 1 ? "s" : "");
    job.model = "Llama3-8B";
    job.plan.tp = job.plan.scaleUp = 4;
    job.plan.dp = job.plan.pp = 2;
    job.recipe.microBatchSize = 4;
    job.gpu = "A100";
    job.policy = policy;
    job.iterations = iterations;
    return job;
}

Job
MakeLlama405B(uint32_t tp, uint32_t pp, uint32_t dp, uint32_t microBatches)
{
    Job job;
    job.name = "Llama3.1-405B, 2,048 GPUs, TP " + std::to_string(tp) + " PP " + std::to_string(pp) +
               " DP " + std::to_string(dp) + ", Opus, " + std::to_string(microBatches) +
               " micro-batches";
    job.model = "Llama3.1-405B";
    job.plan.tp = job.plan.scaleUp = tp;
    job.plan.pp = pp;
    job.plan.dp = dp;
    job.recipe.microBatches = microBatches;
    job.recipe.reshard = false;
    job.gpu = tp > 8 ? "GB200" : "H200";
    job.policy = "provisioned";
    job.iterations = 1;
    job.messageSize = 1 << 30; // a step of a ring
    return job;
}

/**
 * @return a job of a curve: pipelines get longer, then more, with 7 layers and 16 micro-batches on
 * each GPU
 */
Job
MakeOfCurve(uint32_t pp, uint32_t dp)
{
    Job job;
    job.plan.tp = job.plan.scaleUp = 8;
    job.plan.pp = pp;
    job.plan.dp = dp;
    job.name = std::to_string(job.plan.GetRanks()) + " H200, TP 8 PP " + std::to_string(pp) +
               " DP " + std::to_string(dp);
    job.model = "Llama3.1-405B";
    job.layers = 7 * pp;
    job.recipe.microBatches = 16;
    job.recipe.reshard = false;
    job.gpu = "H200";
    job.policy = "on-demand";
    job.iterations = 2;
    job.folds = true;
    job.messageSize = 1 << 30; // a step of a ring
    return job;
}

/**
 * Measures jobs of more and more GPUs.
 * @param most GPUs
 * @param plot file for a plot; empty: none
 */
void
MeasureCurve(uint32_t most, const std::string& plot)
{
    ReportTitle("training jobs of more and more GPUs");
    std::vector<std::pair<double, double>> seconds;
    std::vector<std::pair<double, double>> memory;
    std::vector<std::pair<double, double>> events;
    std::vector<std::pair<double, double>> messages;
    for (const auto& [pp, dp] : {std::pair(2U, 1U),
                                 std::pair(4U, 2U),
                                 std::pair(8U, 4U),
                                 std::pair(16U, 8U),
                                 std::pair(16U, 16U),
                                 std::pair(16U, 32U),
                                 std::pair(16U, 128U)})
    {
        const Job job = MakeOfCurve(pp, dp);
        const uint32_t gpus = job.plan.GetRanks();
        if (gpus > most)
        {
            break;
        }
        if (const std::optional<Cost> cost = Measure(job, 1))
        {
            seconds.emplace_back(gpus, cost->seconds);
            memory.emplace_back(gpus, cost->megabytes);
            events.emplace_back(gpus, cost->events / 1e6);
            messages.emplace_back(gpus, cost->messages / 1e6);
        }
    }
    if (plot.empty() || seconds.empty())
    {
        return;
    }
    LogPlot curves("two iterations, 7 layers and 16 micro-batches on each GPU");
    curves.Add("CPU, s", "crimson", seconds);
    curves.Add("memory, MB", "royalblue", memory);
    curves.Add("events, million", "seagreen", events);
    curves.Add("messages, million", "darkorange", messages);
    curves.Write(plot);
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    uint32_t runs = 3;
    bool large = true;
    bool electrical = true;
    CommandLine cmd(__FILE__);
    cmd.AddValue("runs", "Runs of each benchmark; the large ones have one", runs);
    cmd.AddValue("large", "Whether jobs of 2,048 GPUs are run", large);
    cmd.AddValue("electrical", "Whether a job on packet switches is run", electrical);
    uint32_t curve = 0;
    std::string plot;
    cmd.AddValue("curve", "Only jobs of 16 GPUs and more, up to this number; 0: the others", curve);
    cmd.AddValue("plot", "A file for a plot of --curve, SVG", plot);
    cmd.Parse(argc, argv);
    if (curve > 0)
    {
        MeasureCurve(curve, plot);
        return 0;
    }

    ReportTitle("training jobs, as processes");
    ReportEmptyEvent(runs);
    Measure(MakeLlama8B("provisioned", 1), runs);
    Measure(MakeLlama8B("provisioned", 2), runs);
    Measure(MakeLlama8B("static-split", 1), runs); // queue pairs that take turns
    if (electrical)
    {
        Job job = MakeLlama8B("electrical", 1);
        Measure(job, runs);
        job.name += ", packet events";
        job.packetEvents = true;
        Measure(job, 1);
    }
    if (large)
    {
        Measure(MakeLlama405B(8, 16, 16, 16), 1);
        // inside a server of 32 there are 31 messages a rank and operation, so fewer micro-batches
        Measure(MakeLlama405B(32, 8, 8, 2), 1);
    }
    return 0;
}
