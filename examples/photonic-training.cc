/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What an optical switch costs a training job: Llama3-8B on 16 GPUs, every layer, byte and frame.
//
//     stage 0                          stage 1
//     server 0       server 1          server 2       server 3      16 GPUs, 4 in a server: tensor
//     [g g g g]      [g g g g]         [g g g g]      [g g g g]     parallelism stays inside.
//      | | | |        | | | |           | | | |        | | | |
//      +-|-|-|--------+-|-|-|-- rail 0 -+-|-|-|--------+ | | |      A rail is one switch: a packet
//        +-|-|----------+-|-|-- rail 1 ---+-|-|----------+ | |      switch (electrical), or an
//          + ...                                                    optical circuit switch.
//
// Servers 0 and 1 share their layers' parameters (FSDP), and so do 2 and 3; stage 0 sends
// activations to stage 1 and gets gradients back (pipeline). A GPU has all its ports for one of the
// two at a time, so circuits reconfigure at each shift from one to the other: on demand, when a
// rank asks, or provisioned, ahead of time, as the shims have learned in the first iteration. With
// a static split nothing is reconfigured, and each parallelism has half of the ports.
//
// In the table, "exposed" is what a rank waited for circuits, and "more" how much longer the
// iteration is than with switches that reconfigure at once. The two differ where ranks wait for
// each other: what one waits, those after it in the pipeline wait too, and what is waited beside
// computing does not count. The electrical run has one iteration, since nothing is to be learned.
//
// Try: ./rails run photonic-training
//      ./rails run photonic-training --quick --technology=mems
//      ./rails run photonic-training --policy=on-demand --reconfiguration=1s,2s,3s
//      ./rails run photonic-training --quick --print-program=0
//      ./rails run photonic-training --quick --timeline=training.json --plot=iteration.svg
//      ./rails run photonic-training --quick --circuit-map=circuits.svg --circuit-map-at=10s
//      ./rails run photonic-training --quick --plan=auto --gpus=32 --print-table
//      ./rails run photonic-training --quick --change-at=3 --change=microbatches:4
//      ./rails run photonic-training --quick --export=goal --export-to=training.goal

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    TrainingOptions job;
    TrainingVariants variants;
    int32_t program{-1};
    bool table{false};
    std::string windows;
    uint32_t processes{0};
    std::string timeline;
    AnimationOption animation;
    TraceExport traces;
    FaultOption faults;
    RecordOptions record;
    CircuitMapOption circuitMap;

    void Add(Scenario& scenario)
    {
        job.Add(scenario.GetOptions());
        variants.Add(scenario.GetOptions());
        scenario.Add("print-program", "A rank whose program is printed; -1: none", program)
            .AtLeast(-1);
        scenario.Add("print-table",
                     "Whether each parallelism's share of memory, work and traffic is printed",
                     table);
        scenario.Add("windows", "A file for the windows of each run's last iteration, CSV", windows)
            .Writes();
        scenario.Add("processes", "Runs side by side; 0: as many as there are cores", processes)
            .Between(0, 1024);
        scenario.Add("timeline", "A file for a timeline of each run, for ui.perfetto.dev", timeline)
            .Writes();
        animation.Add(scenario.GetOptions());
        traces.Add(scenario);
        faults.Add(scenario.GetOptions());
        record.Add(scenario.GetOptions());
        circuitMap.Add(scenario.GetOptions());
    }
};

/** @return the name of a run's own file, if there are several runs @param file for all */
std::string
FileName(const std::string& file, const TrainingVariant& variant, bool several)
{
    return several ? OutputFile::GetNameOf(file, variant.GetName()) : file;
}

/** @return the builder of the job and of its network */
TrainingJobHelper
MakeHelper(const Options& options, const TrainingVariant& variant)
{
    TrainingJobHelper helper;
    options.job.SetUp(helper);
    helper.SetPolicy(variant.policy);
    helper.SetMostRecorded(options.record.ranks);
    if (variant.policy == "electrical" && options.job.changeAt == 0 && !options.job.stragglerAware)
    {
        helper.SetIterations(1); // nothing is to be learned, and no circuits come up at first
    }
    if (variant.delay)
    {
        helper.SetReconfigurationTime(*variant.delay);
    }
    return helper;
}

/** @return the programs that are written as a trace: of all iterations; none without --export */
JobPrograms
MakeExported(const Options& options)
{
    if (!options.traces.IsOn())
    {
        return {};
    }
    TrainingJobHelper helper;
    options.job.SetUp(helper);
    return TrainingJob(helper.MakeTask()).MakePrograms();
}

/**
 * Simulates the job once.
 * @param progress gets the completed share
 * @param database that its results go to; empty: none
 * @param number of the run in it
 */
TrainingOutcome
RunOnce(const Options& options,
        const TrainingVariant& variant,
        bool several,
        const SideBySide::Progress& progress,
        const std::string& database,
        uint32_t number)
{
    std::unique_ptr<TimelineRecorder> timeline;
    std::unique_ptr<RailAnimation> animation;
    Ptr<RunResults> results;
    CircuitMapOption circuitMap = options.circuitMap;
    const auto installed = [&](const Ptr<TrainingRun>& run) {
        run->SetProgress(progress);
        const Ptr<FaultInjector> injector = options.faults.Install(*run);
        timeline.reset();
        if (!options.timeline.empty())
        {
            const std::string file = FileName(options.timeline, variant, several);
            timeline = std::make_unique<TimelineRecorder>(file);
            timeline->Add(run->applications);
            timeline->Add(run->rails);
            timeline->Add(run->plane);
            timeline->Add(injector);
        }
        circuitMap.Record(*run);
        animation.reset();
        animation = options.animation.Make(several ? variant.GetName() : "");
        if (animation)
        {
            animation->Add(run->rails);
            animation->Add(run->applications);
            animation->Add(run->plane);
            animation->Add(injector);
        }
        results = nullptr; // of an earlier attempt
        results = Create<RunResults>(database, number, variant.GetLabel(), options.record);
        if (options.faults.IsAny())
        {
            results->Add(injector);
        }
        results->AddJob(run);
    };
    const Ptr<TrainingRun> run = options.job.fold.Run(MakeHelper(options, variant), installed);
    run->Require();

    if (!options.windows.empty())
    {
        WriteWindowFiles(FileName(options.windows, variant, several),
                         run->GetWindows(),
                         run->GetRailWindows());
    }
    const TrainingOutcome outcome = TrainingOutcome::Of(*run, variant);
    results->Finish(outcome.figures);
    circuitMap.Write(several ? variant.GetName() : "");
    Simulator::Destroy();
    return outcome;
}

/** Refuses a picture of circuits that are not there; registers its files. */
void
CheckCircuitMap(Scenario& scenario,
                CircuitMapOption& circuitMap,
                const std::vector<TrainingVariant>& variants)
{
    std::vector<std::string> runs; // with circuits
    for (const TrainingVariant& one : variants)
    {
        if (one.policy != "electrical") // electrical-union is circuits that all stand
        {
            runs.push_back(one.GetName());
        }
    }
    circuitMap.Check(scenario.GetOptions(), !runs.empty());
    if (variants.size() > 1)
    {
        circuitMap.Claim(scenario.GetOptions(), runs);
    }
}

/** Refuses what no run could do, before any begins. */
void
Check(Scenario& scenario, const Options& options, const std::vector<TrainingVariant>& variants)
{
    const bool several = variants.size() > 1;
    const auto ranks = static_cast<int64_t>(options.job.plan.GetRanks());
    scenario.Require(options.program < ranks,
                     "print-program",
                     "there are " + std::to_string(ranks) + " ranks, counted from 0");
    const uint32_t perServer = options.job.plan.scaleUp;
    options.animation.Check(scenario.GetOptions(),
                            perServer,
                            ranks / perServer,
                            options.job.ports == 0 ? 2 : options.job.ports);
    std::vector<std::string> names;
    std::string checked; // a policy
    for (const TrainingVariant& one : variants)
    {
        if (!options.timeline.empty())
        {
            scenario.Claim("timeline", {FileName(options.timeline, one, several)});
        }
        if (!options.windows.empty())
        {
            scenario.Claim("windows", ListWindowFiles(FileName(options.windows, one, several)));
        }
        if (one.policy != checked && ranks <= 256) // set-up takes seconds with more
        {
            Scenario::Rehearse([&] {
                const Ptr<TrainingRun> run = MakeHelper(options, one).Install();
                run->plane.AbortOnRefusal("--policy=" + one.policy + ": ");
                return run;
            });
        }
        checked = one.policy;
        names.push_back(one.GetName());
    }
    options.animation.Claim(scenario.GetOptions(), names);
}

/** Prints what is trained. @param runs the number of runs @param processes runs at a time */
void
PrintJob(const Options& options, const TrainingTask& task, std::size_t runs, uint32_t processes)
{
    std::cout << Describe(task.plan, task.shape, task.recipe, options.job.GetGpu()) << std::endl;
    const TrainingJob job(task);
    const std::vector<ProgramLine> lines = ListLastIteration(job, 0);
    const bool changes = task.change.iteration > 0;
    const uint32_t shifts = CountAlternations(ListIteration(job, 0, 1), ListInScaleUp(job));
    std::cout << "rank 0 shifts " << shifts
              << " times an iteration from one parallelism to another on its rail";
    if (changes)
    {
        std::cout << ", and " << CountAlternations(lines, ListInScaleUp(job))
                  << " times from iteration " << task.change.iteration << " on";
    }
    std::cout << std::endl;
    const std::string routing = DescribeRouting(job);
    if (!routing.empty())
    {
        std::cout << routing << std::endl;
    }
    if (options.table)
    {
        PrintSummary(std::cout, Summarize(job, 0));
    }
    if (options.program >= 0)
    {
        std::cout << std::endl << "rank " << options.program << ", an iteration:" << std::endl;
        PrintProgram(std::cout, ListLastIteration(job, options.program));
    }
    std::cout << std::endl << runs << (runs == 1 ? " run" : " runs, ");
    if (runs > 1)
    {
        std::cout << std::min<std::size_t>(processes, runs) << " side by side";
    }
    std::cout << std::endl;
}

/** Reports the figures of a run. */
void
AddFigures(Scenario& scenario,
           const std::vector<TrainingVariant>& variants,
           const std::vector<TrainingOutcome>& outcomes)
{
    for (std::size_t v = 0; v < variants.size(); ++v)
    {
        const std::string name = variants[v].GetName();
        scenario.AddFigure("iteration, " + name, "s", outcomes[v].figures.iteration);
        scenario.AddFigure("exposed, " + name, "s", outcomes[v].figures.exposed);
    }
}

/** Adds the iteration time of a run to the plot. */
void
Plot(CurvePlot& plot, const TrainingVariant& variant, const TrainingFigures& figures)
{
    if (variant.delay)
    {
        const Time& delay = *variant.delay;
        plot.AddPoint(variant.policy, delay.GetSeconds(), figures.iteration);
    }
    else
    {
        plot.AddLevel(variant.policy, figures.iteration);
    }
}

/** @return the efforts of variants, in order */
std::vector<double>
EstimateEfforts(const TrainingTask& task, const std::vector<TrainingVariant>& variants)
{
    const TrainingJob job(task); // gone before runs begin, which have their own
    std::vector<double> efforts;
    for (const TrainingVariant& one : variants)
    {
        efforts.push_back(EstimateTrainingEffort(job, one));
    }
    return efforts;
}

/** Runs all variants; each result is printed and saved at once. @return the results */
std::vector<TrainingOutcome>
RunAll(Scenario& scenario,
       const Options& options,
       const std::vector<TrainingVariant>& variants,
       const TrainingTask& task)
{
    SideBySide runs(options.processes);
    const std::string database = scenario.GetDatabase();
    if (!database.empty())
    {
        RunResults::List(database, ListLabels(variants));
        const std::string limit = options.record.DescribeLimit(options.job.plan.GetRanks());
        if (!limit.empty())
        {
            std::cerr << "photonic-training: " << limit << std::endl;
        }
    }
    for (uint32_t v = 0; v < variants.size(); ++v)
    {
        runs.Add(variants[v].GetName(), [&, v](const SideBySide::Progress& progress) {
            return RunOnce(options, variants[v], variants.size() > 1, progress, database, v).Pack();
        });
    }
    const RunForecast forecast(EstimateEfforts(task, variants), runs.GetProcesses());
    TrainingTable table(std::cout, variants);
    if (scenario.PrintsTables())
    {
        PrintJob(options, task, variants.size(), runs.GetProcesses());
        table.PrintHead();
    }
    for (const TrainingVariant& one : variants)
    {
        scenario.GetPlot().AddCurve(one.policy); // runs do not end in their order
    }
    std::vector<TrainingOutcome> outcomes(variants.size());
    std::string error;
    const auto take = [&](std::size_t which, const SideBySide::Outcome& one) {
        std::optional<TrainingFigures> figures;
        if (one.error.empty())
        {
            outcomes[which] = TrainingOutcome::Unpack(one.result);
            figures = outcomes[which].figures;
            Plot(scenario.GetPlot(), variants[which], *figures);
            scenario.AddRow("runs", outcomes[which].json, which);
        }
        else if (!database.empty())
        {
            RunResults::SetFailed(database, which, one.error);
        }
        error = error.empty() ? one.error : error;
        if (scenario.PrintsTables())
        {
            table.Add(which, figures);
        }
    };
    runs.Run([&forecast](const auto& all) { forecast.Report(all); }, take);
    if (!error.empty())
    {
        throw std::runtime_error(error);
    }
    AddFigures(scenario, variants, outcomes);
    if (scenario.PrintsTables())
    {
        table.PrintFoot();
        if (task.change.iteration > 0)
        {
            PrintChange(std::cout, task, variants, outcomes);
        }
    }
    return outcomes;
}

/** Completes the results with those of all runs together. */
void
WriteResults(Scenario& scenario,
             const Options& options,
             const TrainingTask& task,
             const std::vector<TrainingOutcome>& outcomes)
{
    scenario.Write([&](JsonWriter& json) {
        json.Field("model", task.shape.name);
        json.Field("gpus", options.job.plan.GetRanks());
        if (options.table)
        {
            WriteParallelisms(json, Summarize(TrainingJob(task), 0));
        }
        if (options.program >= 0)
        {
            WriteProgram(json, ListLastIteration(TrainingJob(task), options.program));
        }
        RailNetDevice::Trains trains;
        for (const TrainingOutcome& one : outcomes)
        {
            trains.Add(one.trains);
        }
        WriteFidelity(json, trains);
    });
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
    scenario.GetPlot() = MakeIterationPlot();
    return scenario.Run(argc, argv, [&] {
        options.job.Complete(scenario.GetOptions());
        options.variants.Complete(options.job.technology);
        options.faults.Check(scenario.GetOptions());
        options.record.Check(scenario.GetOptions());
        if (options.faults.IsAny())
        {
            options.job.fold.mode = "off"; // rails with different faults differ
        }
        const std::vector<TrainingVariant> variants = options.variants.List();
        CheckCircuitMap(scenario, options.circuitMap, variants);
        const TrainingTask task = MakeHelper(options, variants.front()).MakeTask();
        Check(scenario, options, variants);
        const JobPrograms programs = MakeExported(options);
        options.traces.Check(scenario, programs);
        scenario.Begin();
        if (options.record.timeline && scenario.GetFolder() && options.timeline.empty())
        {
            options.timeline = scenario.GetFolder()->GetFile("timeline.json");
        }
        options.traces.Write(programs);
        const auto outcomes = RunAll(scenario, options, variants, task);
        WriteResults(scenario, options, task, outcomes);
    });
}
