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
// computing does not count. Electrical rails are packet switches, so they need an event for
// every frame: that run takes as long as all others together. It has one iteration, since
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
            .OneOf(GetPolicyNames(), "policy")
            .MayHaveArgument();
        scenario.Add("reconfiguration",
                     "Reconfiguration times, with commas; empty: none, and the "
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
        return policy + (delay ? " " + ToOption(*delay) : "");
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

/** @return whether a policy reconfigures circuits, so that the delay matters */
bool
Reconfigures(const std::string& policy)
{
    return policy != "electrical" && policy.rfind("static", 0) != 0;
}

std::vector<Case>
ListCases(const Options& options)
{
    std::vector<Case> cases;
    for (const std::string& policy : options.policies)
    {
        if (!Reconfigures(policy))
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

/** @return the name of a run's own file, if there are several runs @param file for all */
std::string
FileName(const std::string& file, const std::string& run, bool several)
{
    return several ? OutputFile::GetNameOf(file, run) : file;
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
        helper.SetIterations(1); // nothing is to be learned, and no circuits come up at first
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
    const RailNetDevice::Trains trains = GetTrainsOf(run->rails);
    result.trains[0] = trains.frames;
    result.trains[1] = trains.boarded;
    result.trains[2] = trains.left;
    result.trains[3] = trains.refused;
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
            if (!one.IsExchange() || job.GetGroups().GetGroups()[groups[one.group]].inScaleUp)
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

/** @return how long a run takes, in seconds on some computer: only ratios matter */
double
GetWeight(const TrainingJob& job, const Case& one)
{
    constexpr double BY_EVENTS = 0.8e-6; // a frame
    constexpr double BY_TRAINS = 0.04e-6;
    constexpr double SHARED_WIRES = 0.25e-6; // parallelisms share a wire, frame by frame
    const double frames = CountFrames(job);
    return one.policy == "electrical" ? frames * BY_EVENTS
                                      : frames * job.GetTask().iterations *
                                            (GetFidelity() == "events"  ? BY_EVENTS
                                             : Reconfigures(one.policy) ? BY_TRAINS
                                                                        : SHARED_WIRES);
}

/** How long the runs that are not over still take, by those that have come some way. */
class Forecast
{
  public:
    Forecast(const TrainingJob& job, const std::vector<Case>& cases, uint32_t processes)
        : m_processes(processes)
    {
        for (const Case& one : cases)
        {
            m_weights.push_back(GetWeight(job, one));
        }
    }

    /** Brings the line of progress up to date. */
    void Report(const std::vector<SideBySide::Outcome>& outcomes) const
    {
        double weight = 0;
        double whole = 0; // seconds that runs of that weight take
        double done = 0;
        for (std::size_t i = 0; i < outcomes.size(); ++i)
        {
            done += outcomes[i].seconds;
            if (outcomes[i].share >= ENOUGH)
            {
                weight += m_weights[i];
                whole += outcomes[i].seconds / outcomes[i].share;
            }
        }
        double left = 0;
        double longest = 0;
        for (std::size_t i = 0; i < outcomes.size(); ++i)
        {
            const SideBySide::Outcome& one = outcomes[i];
            const double all = one.share >= ENOUGH ? one.seconds / one.share
                                                   : m_weights[i] * whole / std::max(1e-12, weight);
            const double rest = one.isOver ? 0 : std::max(0.0, all - one.seconds);
            left += rest;
            longest = std::max(longest, rest);
        }
        if (weight > 0)
        {
            ProgressLine::SetShare(done / (done + left), std::max(longest, left / m_processes));
        }
        ProgressLine::Say(Describe(outcomes));
    }

  private:
    static std::string Describe(const std::vector<SideBySide::Outcome>& outcomes)
    {
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
        return std::to_string(over) + " of " + std::to_string(outcomes.size()) + " runs" +
               line.str();
    }

    static constexpr double ENOUGH = 0.05; //!< of a run, to know how long it takes

    std::vector<double> m_weights;
    uint32_t m_processes;
};

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
    std::cout << std::endl << cases.size() << (cases.size() == 1 ? " run" : " runs, ");
    if (cases.size() > 1)
    {
        std::cout << std::min<std::size_t>(processes, cases.size()) << " side by side";
    }
    std::cout << std::endl;
}

/** The table: a row of a run is printed when the run is over. */
class Table
{
  public:
    explicit Table(const std::vector<Case>& cases)
        : m_cases(cases),
          m_state(cases.size(), State::RUNS),
          m_figures(cases.size())
    {
        std::cout << "\npolicy        reconfiguration  iteration      more   exposed    hidden     "
                     " idle  reconfigurations  windows     frames    cpu\n"
                     "                                     (s)       (s)       (s)       (s)     "
                     "  (s)                     > 1 ms  (million)    (s)"
                  << std::endl;
    }

    /** A run is over. @param which @param figures of it; none: it failed */
    void Add(std::size_t which, const std::optional<TrainingFigures>& figures)
    {
        m_state[which] = figures ? State::WAITS : State::PRINTED;
        m_figures[which] = figures;
        for (std::size_t i = 0; i < m_cases.size(); ++i)
        {
            const std::size_t base = FindBase(i);
            if (m_state[i] == State::WAITS && m_state[base] != State::RUNS)
            {
                Print(i, base);
                m_state[i] = State::PRINTED;
            }
        }
    }

    static void PrintFoot()
    {
        std::cout
            << "\nof an iteration, the mean of all but the first; frames, cpu: of the run\n"
               "more: than with circuits that reconfigure at once; exposed: a rank waits for "
               "circuits; hidden: they reconfigure unnoticed;\nidle: a GPU does not compute; the "
               "mean of ranks"
            << std::endl;
    }

  private:
    enum class State
    {
        RUNS,
        WAITS, //!< for the run that it is compared with
        PRINTED,
    };

    /** @return the run of the same policy where circuits reconfigure at once; itself: there is none
     */
    std::size_t FindBase(std::size_t which) const
    {
        for (std::size_t i = 0; i < m_cases.size(); ++i)
        {
            if (m_cases[i].policy == m_cases[which].policy && m_cases[i].delay &&
                m_cases[i].delay->IsZero())
            {
                return i;
            }
        }
        return which;
    }

    void Print(std::size_t which, std::size_t base) const
    {
        const Case& run = m_cases[which];
        const TrainingFigures& one = *m_figures[which];
        const bool hasBase = run.delay && m_figures[base] && m_cases[base].delay->IsZero();
        std::ostringstream more;
        more << std::fixed << std::setprecision(4)
             << one.iteration - (hasBase ? m_figures[base]->iteration : 0);
        std::cout << std::left << std::setw(13) << run.policy << std::right << std::fixed
                  << std::setw(16) << (run.delay ? ToOption(*run.delay) : "-")
                  << std::setprecision(4) << std::setw(11) << one.iteration << std::setw(10)
                  << (hasBase ? more.str() : "-") << std::setw(10) << one.exposed << std::setw(10)
                  << one.hidden << std::setw(10) << one.idle << std::setw(18)
                  << one.reconfigurations << std::setprecision(0) << std::setw(7)
                  << 100.0 * one.longWindows / std::max<uint64_t>(1, one.windows) << " %"
                  << std::setprecision(1) << std::setw(11) << one.frames / 1e6 << std::setw(7)
                  << one.cpu << std::endl;
    }

    const std::vector<Case>& m_cases;
    std::vector<State> m_state;
    std::vector<std::optional<TrainingFigures>> m_figures;
};

/** Refuses what no run could do, before any begins. */
void
Check(Scenario& scenario, const Options& options, const std::vector<Case>& cases)
{
    const auto ranks = static_cast<int64_t>(options.job.plan.GetRanks());
    scenario.Require(options.program < ranks,
                     "print-program",
                     "there are " + std::to_string(ranks) + " ranks, counted from 0");
    for (const Case& one : cases)
    {
        const std::string name = one.GetName();
        if (!options.timeline.empty())
        {
            scenario.Claim("timeline", {FileName(options.timeline, name, cases.size() > 1)});
        }
        if (!options.windows.empty())
        {
            const std::string file = FileName(options.windows, name, cases.size() > 1);
            scenario.Claim("windows", {file, file + ".txt"});
        }
        const bool isFirst = &one == &cases.front() || (&one)[-1].policy != one.policy;
        if (isFirst && ranks <= 256) // set-up takes seconds with more
        {
            Scenario::Rehearse([&] {
                const Ptr<TrainingRun> run = MakeHelper(options, one).Install();
                run->plane.AbortOnRefusal("--policy=" + one.policy + ": ");
                return run;
            });
        }
    }
}

/** Runs all cases; what there is of each is printed and saved at once. @return what came of them */
std::vector<Result>
RunAll(Scenario& scenario,
       const Options& options,
       const std::vector<Case>& cases,
       const TrainingTask& task)
{
    SideBySide runs(options.processes);
    for (const Case& one : cases)
    {
        runs.Add(one.GetName(), [&](const SideBySide::Progress& progress) {
            return RunCase(options, one, cases.size() > 1, progress);
        });
    }
    const Forecast forecast(TrainingJob(task), cases, runs.GetProcesses());
    std::optional<Table> table;
    if (scenario.PrintsTables())
    {
        PrintHead(options, task, cases, runs.GetProcesses());
        table.emplace(cases);
    }
    std::vector<Result> results(cases.size());
    std::vector<bool> isTaken(cases.size(), false);
    std::string error;
    runs.Run([&](const std::vector<SideBySide::Outcome>& outcomes) {
        forecast.Report(outcomes);
        for (std::size_t i = 0; i < outcomes.size(); ++i)
        {
            if (!outcomes[i].isOver || isTaken[i])
            {
                continue;
            }
            isTaken[i] = true;
            error = error.empty() ? outcomes[i].error : error;
            std::optional<TrainingFigures> figures;
            if (outcomes[i].error.empty())
            {
                results[i] = Result::Unpack(outcomes[i].result);
                figures = results[i].figures;
                scenario.AddRow("runs", results[i].json, i);
            }
            if (table)
            {
                table->Add(i, figures);
            }
        }
    });
    if (!error.empty())
    {
        throw std::runtime_error(error);
    }
    if (table)
    {
        Table::PrintFoot();
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
    const std::vector<Result> results = RunAll(scenario, options, cases, task);
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
