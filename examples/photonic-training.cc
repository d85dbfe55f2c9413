/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What an optical switch costs a training job: Llama3-8B on 16 GPUs, every layer, byte and frame.
//
//     stage 0                          stage 1
//     server 0       server 1          server 2       server 3      16 GPUs, 4 in a server: tensor
//     [g g g g]      [g g g g]         [g g g g]      [g g g g]     parallelism stays inside.
//      | | | |        | | | |           | | | |        | | | |
//      +-|-|-|--------+-|-|-|-- rail 0 -+-|-|-|--------+ | | |      Each rail is one box: a packet
//        +-|-|----------+-|-|-- rail 1 ---+-|-|----------+ | |      switch (electrical), or an
//          + ...                                                    optical circuit switch.
//
// Servers 0 and 1 share their layers' parameters (FSDP), and so do 2 and 3; stage 0 sends
// activations to stage 1 and gets gradients back (pipeline). A GPU has all its ports for one of the
// two at a time, so circuits turn at each shift from one to the other: on demand, when a rank asks,
// or provisioned, ahead of time, as the shims have learned in the first iteration. With a static
// split nothing turns, and each parallelism has half of the ports.
//
// In the table, "exposed" is what a rank waited for circuits, and "more" how much longer the
// iteration is than with switches that turn at once. The two differ where ranks wait for each
// other: what one waits, those after it in the pipeline wait too, and what is waited beside
// computing does not count. Electrical rails are packet switches, so they need an event for every
// frame: that run takes as long as all others together. It has one iteration, since
// nothing is to be learned.
//
// Try: ./rails run photonic-training
//      ./rails run photonic-training --quick --technology=mems
//      ./rails run photonic-training --policy=on-demand --reconfiguration=1s,2s,3s
//      ./rails run photonic-training --quick --print-program=0
//      ./rails run photonic-training --quick --timeline=training.json

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set, beside the job. */
struct Options
{
    TrainingOptions job;
    std::vector<std::string> policies;
    std::vector<Time> delays;
    bool quick{false};
    int32_t program{-1};
    uint32_t processes{0};
    std::string timeline;
    std::string windows;

    void Add(Scenario& scenario)
    {
        job.Add(scenario.GetOptions());
        scenario.Add("policy", "Whose circuits, with commas; none named: four", policies)
            .OneOf(CircuitPolicy::GetNames(), "policy")
            .MayHaveArgument();
        scenario.Add("reconfiguration",
                     "How long circuits take to turn, with commas; empty: none, and the "
                     "technology's; without a technology several times up to 1 s",
                     delays);
        scenario.Add("quick", "Two policies at two times, where none are named", quick);
        scenario.Add("print-program", "A rank whose program is printed; -1: none", program)
            .AtLeast(-1);
        scenario.Add("windows", "A file for the windows of each run's last iteration, CSV", windows)
            .Writes();
        scenario.Add("processes", "Runs side by side; 0: as many as there are cores", processes)
            .Between(0, 1024);
        scenario.Add("timeline", "A file for a timeline of each run, for ui.perfetto.dev", timeline)
            .Writes();
    }

    /** What is not said of policies and delays. */
    void ChooseCases()
    {
        using Names = std::vector<std::string>;
        if (policies.empty())
        {
            policies = quick ? Names{"on-demand", "provisioned"}
                             : Names{"electrical", "static-split", "on-demand", "provisioned"};
        }
        if (delays.empty())
        {
            delays = {Seconds(0), MilliSeconds(25)};
            if (!job.technology.empty())
            {
                delays[1] = PicoSeconds(OcsTechnology::Get(job.technology).reconfiguration);
            }
            else if (!quick)
            {
                delays = {Seconds(0),
                          MilliSeconds(1),
                          MilliSeconds(10),
                          MilliSeconds(25),
                          MilliSeconds(100),
                          Seconds(1)};
            }
        }
    }
};

/** One line of the table. */
struct Case
{
    std::string policy;
    std::optional<Time> delay; //!< none: it does not matter

    std::string GetName() const
    {
        std::ostringstream name;
        name << policy;
        if (delay)
        {
            name << " " << delay->GetSeconds() * 1e3 << " ms";
        }
        return name.str();
    }
};

/** What comes of a run, from the process that made it. */
struct Result
{
    TrainingFigures figures;
    uint64_t trains[4]{0, 0, 0, 0}; //!< RailNetDevice::Trains, without why
    std::string json;

    std::string Pack() const
    {
        std::string text(sizeof(figures) + sizeof(trains), '\0');
        std::memcpy(&text[0], &figures, sizeof(figures));
        std::memcpy(&text[sizeof(figures)], trains, sizeof(trains));
        return text + json;
    }

    static Result Unpack(const std::string& text)
    {
        Result result;
        std::memcpy(&result.figures, text.data(), sizeof(figures));
        std::memcpy(result.trains, text.data() + sizeof(figures), sizeof(trains));
        result.json = text.substr(sizeof(figures) + sizeof(trains));
        return result;
    }
};

/** @return whether a policy turns circuits, so that the delay matters */
bool
Turns(const std::string& policy)
{
    return policy != "electrical" && policy.rfind("static", 0) != 0;
}

std::vector<Case>
ListCases(const Options& options)
{
    std::vector<Case> cases;
    for (const std::string& policy : options.policies)
    {
        if (!Turns(policy))
        {
            cases.push_back({policy, std::nullopt});
            continue;
        }
        for (const Time& delay : options.delays)
        {
            cases.push_back({policy, delay});
        }
    }
    return cases;
}

/** @return FILE, with the name of the run in it if there are several */
std::string
FileName(const std::string& file, std::string name, bool several)
{
    std::replace(name.begin(), name.end(), ' ', '-');
    const std::size_t dot = file.rfind('.');
    return !several || file.empty()   ? file
           : dot == std::string::npos ? file + "-" + name
                                      : file.substr(0, dot) + "-" + name + file.substr(dot);
}

/** Writes a run's windows, of ranks and then of rails, and their distribution beside them. */
void
WriteWindowFiles(const std::string& name, const TrainingRun& run)
{
    std::ostringstream list;
    std::ostringstream table;
    std::vector<CommunicationWindow> windows = run.GetWindows();
    const WindowDistribution distribution(windows);
    distribution.Print(table, {1'000'000, 100'000'000});
    table << "\n  length (ms)   share of windows that are not longer\n";
    for (const WindowDistribution::Point& point : distribution.GetPoints())
    {
        table << std::setw(13) << point.length / 1e9 << std::setw(11) << point.share << "\n";
    }
    const std::vector<CommunicationWindow> ofRails = run.GetRailWindows();
    windows.insert(windows.end(), ofRails.begin(), ofRails.end());
    WriteWindows(list, windows);
    OutputFile(name).Replace(list.str());
    OutputFile(name + ".txt").Replace(table.str());
}

TrainingJobHelper
MakeHelper(const Options& options, const Case& one)
{
    TrainingJobHelper helper;
    options.job.SetUp(helper);
    helper.SetPolicy(one.policy);
    if (one.policy == "electrical")
    {
        helper.SetIterations(1); // nothing is to be learned, and nothing turns at first
    }
    if (one.delay)
    {
        helper.SetReconfigurationTime(*one.delay);
    }
    return helper;
}

std::string
RunCase(const Options& options, const Case& one, bool several, const SideBySide::Progress& progress)
{
    TrainingJobHelper helper = MakeHelper(options, one);
    const Ptr<TrainingRun> run = helper.Install();
    run->SetProgress(progress);
    std::unique_ptr<TimelineRecorder> timeline;
    if (!options.timeline.empty())
    {
        timeline =
            std::make_unique<TimelineRecorder>(FileName(options.timeline, one.GetName(), several));
        timeline->Add(run->applications);
        timeline->Add(run->rails);
        timeline->Add(run->plane);
    }
    Simulator::Run();
    run->Require();

    if (!options.windows.empty())
    {
        WriteWindowFiles(FileName(options.windows, one.GetName(), several), *run);
    }
    Result result;
    result.figures = GetFigures(*run);
    for (const Rail& rail : run->rails)
    {
        const RailNetDevice::Trains trains = GetTrainsOf(rail);
        result.trains[0] += trains.frames;
        result.trains[1] += trains.boarded;
        result.trains[2] += trains.left;
        result.trains[3] += trains.refused;
    }
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    json.Field("policy", one.policy);
    json.Field("reconfiguration_s", one.delay ? one.delay->GetSeconds() : 0.0);
    WriteTrainingRun(json, *run, result.figures);
    json.EndObject();
    result.json = text.str();
    Simulator::Destroy();
    return result.Pack();
}

/** @return the frames that a job's iteration puts on rails, as rings and sends take them */
double
CountFrames(const TrainingJob& job)
{
    constexpr double PAYLOAD = 4096;
    double bytes = 0;
    for (uint32_t rank = 0; rank < job.GetLayout().GetRanks(); ++rank)
    {
        const std::vector<uint32_t> groups = job.GetGroups().GetGroupsOf(rank);
        for (const RankOperation& one : job.GetProgram(rank)->GetOperations())
        {
            if (!one.IsTalk() || job.GetGroups().GetGroups()[groups[one.group]].inScaleUp)
            {
                continue;
            }
            const double ranks = job.GetGroups().GetGroups()[groups[one.group]].ranks.size();
            const bool isSum = one.collective == CollectiveKind::ALL_REDUCE;
            bytes += one.kind == RankOperation::Kind::SEND ? one.bytes
                     : one.kind == RankOperation::Kind::COLLECTIVE
                         ? one.bytes * (ranks - 1) / ranks * (isSum ? 2 : 1)
                         : 0;
        }
    }
    return bytes / PAYLOAD / job.GetTask().iterations;
}

/** @return seconds that all runs may take; measured on one core of a common server */
double
Estimate(const TrainingJob& job, const std::vector<Case>& cases, uint32_t processes)
{
    constexpr double BY_EVENTS = 0.8e-6; // a frame
    constexpr double BY_TRAINS = 0.04e-6;
    constexpr double SHARED_WIRES = 0.25e-6; // parallelisms take turns on a wire, frame by frame
    const double frames = CountFrames(job);
    double sum = 0;
    double longest = 0;
    for (const Case& one : cases)
    {
        const double seconds = one.policy == "electrical"
                                   ? frames * BY_EVENTS
                                   : frames * job.GetTask().iterations *
                                         (GetFidelity() == "events" ? BY_EVENTS
                                          : Turns(one.policy)       ? BY_TRAINS
                                                                    : SHARED_WIRES);
        sum += seconds;
        longest = std::max(longest, seconds);
    }
    return std::max(longest, sum / processes);
}

void
PrintHead(const Options& options,
          const TrainingTask& task,
          const std::vector<Case>& cases,
          uint32_t processes)
{
    std::cout << Describe(task.plan, task.shape, task.recipe, *FindGpuGeneration(options.job.gpu))
              << std::endl;
    const TrainingJob job(task);
    const std::vector<ProgramLine> lines = ListLastIteration(job, 0);
    std::cout << "rank 0 shifts " << CountAlternations(lines, ListInScaleUp(job))
              << " times an iteration from one parallelism to another on its rail" << std::endl;
    if (options.program >= 0)
    {
        std::cout << std::endl << "rank " << options.program << ", an iteration:" << std::endl;
        PrintProgram(std::cout, ListLastIteration(job, options.program));
    }
    std::cout << std::endl
              << cases.size() << " runs, " << processes << " side by side: about "
              << std::lround(1 + Estimate(job, cases, processes)) << " s" << std::endl;
}

/** Shows on the terminal, if it is one, how far the runs are. */
void
ShowHowFar(const std::vector<SideBySide::Outcome>& outcomes)
{
    if (!isatty(STDERR_FILENO))
    {
        return;
    }
    std::ostringstream line;
    std::size_t over = 0;
    for (const SideBySide::Outcome& one : outcomes)
    {
        over += one.isOver ? 1 : 0;
        if (!one.isOver && one.share > 0)
        {
            line << ", " << one.name << " " << std::lround(100 * one.share) << " %";
        }
    }
    std::cerr << "\r\033[K" << over << " of " << outcomes.size() << " runs" << line.str()
              << (over == outcomes.size() ? "\r\033[K" : "") << std::flush;
}

/** @return the iteration of the same policy where circuits turn at once, if it was run */
std::optional<double>
FindAtOnce(const std::vector<Case>& cases, const std::vector<Result>& results, std::size_t which)
{
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        if (cases[i].policy == cases[which].policy && cases[i].delay && cases[i].delay->IsZero() &&
            !results[i].json.empty())
        {
            return results[i].figures.iteration;
        }
    }
    return std::nullopt;
}

void
PrintTable(const std::vector<Case>& cases, const std::vector<Result>& results)
{
    std::cout << std::endl
              << "policy        circuits turn  iteration      more   exposed    hidden      idle"
                 "  turnings  windows     frames    cpu\n"
                 "                       (ms)        (s)       (s)       (s)       (s)       (s)"
                 "            > 1 ms   (million)    (s)\n";
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        if (results[i].json.empty())
        {
            continue; // it failed
        }
        const TrainingFigures& one = results[i].figures;
        const auto atOnce = cases[i].delay ? FindAtOnce(cases, results, i) : std::nullopt;
        std::cout << std::left << std::setw(13) << cases[i].policy << std::right << std::fixed;
        std::ostringstream delay;
        delay << (cases[i].delay ? cases[i].delay->GetSeconds() * 1e3 : 0.0);
        std::cout << std::setw(14) << (cases[i].delay ? delay.str() : "-") << std::setprecision(4)
                  << std::setw(11) << one.iteration;
        std::ostringstream more;
        more << std::fixed << std::setprecision(4) << one.iteration - atOnce.value_or(0);
        std::cout << std::setw(10) << (atOnce ? more.str() : "-") << std::setw(10) << one.exposed
                  << std::setw(10) << one.hidden << std::setw(10) << one.idle << std::setw(10)
                  << one.reconfigurations << std::setprecision(0) << std::setw(7)
                  << 100.0 * one.longWindows / std::max<uint64_t>(1, one.windows) << " %"
                  << std::setprecision(1) << std::setw(11) << one.frames / 1e6 << std::setw(7)
                  << one.cpu << std::endl;
    }
    std::cout
        << std::endl
        << "iteration, exposed, hidden, idle, turnings: of an iteration, the mean but for the "
           "first; frames and cpu: of the run\n"
        << "exposed: a rank waits for circuits; hidden: they turn unnoticed; idle: a GPU does "
           "not compute; the mean of ranks\n"
        << "more: than with circuits that turn at once, of the same seed. Less than exposed, as "
           "ranks wait at the same time as others; it is what they wait one after another"
        << std::endl;
}

/** Refuses what no run could do, before any begins. */
void
Check(const Scenario& scenario, const Options& options, const std::vector<Case>& cases)
{
    const auto ranks = static_cast<int64_t>(options.job.plan.GetRanks());
    scenario.Require(options.program < ranks,
                     "print-program",
                     "there are " + std::to_string(ranks) + " ranks, counted from 0");
    for (const Case& one : cases)
    {
        for (const std::string& file : {options.timeline, options.windows})
        {
            const std::string name = FileName(file, one.GetName(), cases.size() > 1);
            const std::string fault = name.empty() ? "" : OutputFile::FindFault(name);
            if (!fault.empty())
            {
                Scenario::Refuse("cannot write " + name + ": " + fault);
            }
        }
        const bool isFirst = &one == &cases.front() || (&one)[-1].policy != one.policy;
        if (isFirst && ranks <= 256) // set-up takes seconds with more
        {
            Scenario::Rehearse([&] { MakeHelper(options, one).Install(); });
        }
    }
}

/** Runs all cases; what there is of each is saved at once. @return what came of them */
std::vector<Result>
RunAll(Scenario& scenario, const Options& options, const std::vector<Case>& cases)
{
    SideBySide runs(options.processes);
    for (const Case& one : cases)
    {
        runs.Add(one.GetName(), [&](const SideBySide::Progress& progress) {
            return RunCase(options, one, cases.size() > 1, progress);
        });
    }
    std::vector<Result> results(cases.size());
    std::vector<bool> isSaved(cases.size(), false);
    std::string error;
    runs.Run([&](const std::vector<SideBySide::Outcome>& outcomes) {
        ShowHowFar(outcomes);
        for (std::size_t i = 0; i < outcomes.size(); ++i)
        {
            if (!outcomes[i].isOver || isSaved[i])
            {
                continue;
            }
            isSaved[i] = true;
            error = error.empty() ? outcomes[i].error : error;
            if (outcomes[i].error.empty())
            {
                results[i] = Result::Unpack(outcomes[i].result);
                scenario.AddRow("runs", results[i].json, i);
            }
        }
    });
    if (!error.empty())
    {
        if (scenario.IsForPeople())
        {
            PrintTable(cases, results);
        }
        throw std::runtime_error(error);
    }
    return results;
}

void
RunScenario(Scenario& scenario, Options& options)
{
    options.ChooseCases();
    options.job.Complete(scenario.GetOptions());
    const std::vector<Case> cases = ListCases(options);
    const TrainingTask task = MakeHelper(options, cases.front()).MakeTask();
    Check(scenario, options, cases);
    scenario.Begin();
    if (scenario.IsForPeople())
    {
        PrintHead(options, task, cases, SideBySide(options.processes).GetProcesses());
    }
    const std::vector<Result> results = RunAll(scenario, options, cases);
    if (scenario.IsForPeople())
    {
        PrintTable(cases, results);
    }
    scenario.Write([&](JsonWriter& json) {
        RailNetDevice::Trains trains;
        json.Field("model", task.shape.name);
        json.Field("gpus", options.job.plan.GetRanks());
        for (const Result& one : results)
        {
            trains.frames += one.trains[0];
            trains.boarded += one.trains[1];
            trains.left += one.trains[2];
            trains.refused += one.trains[3];
        }
        if (options.program >= 0)
        {
            WriteProgram(json, ListLastIteration(TrainingJob(task), options.program));
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
    return scenario.Run(argc, argv, [&] { RunScenario(scenario, options); });
}
