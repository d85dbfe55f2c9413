/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-results.h"

#include "process-usage.h"

#include "ns3/communication-window.h"
#include "ns3/cost-rows.h"
#include "ns3/fault-injector.h"
#include "ns3/parallelism-plan.h"
#include "ns3/result-database.h"
#include "ns3/result-schema.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** @return a time in seconds, as in JSON; none: there is none */
std::optional<double>
GetSeconds(const std::optional<Time>& time)
{
    return time ? std::make_optional(time->GetSeconds()) : std::nullopt;
}

double
ToSeconds(Time span)
{
    return span.GetTimeStep() / 1e12;
}

} // namespace

void
RunResults::LastEnd::Take(const OperationRecord& record)
{
    at = std::max(at, record.end);
}

RunResults::Activity::Activity(uint32_t ranks)
    : time(ranks)
{
}

void
RunResults::Activity::Take(const OperationRecord& record)
{
    if (record.call.IsExchange())
    {
        time.AddExchange(record.rank.Get(), record.start, record.end);
    }
    else
    {
        time.AddComputing(record.rank.Get(), record.start, record.end);
    }
}

void
RunResults::List(const std::string& database, const std::vector<RunLabel>& runs)
{
    ResultRows rows{FindResultTable("runs"), {}};
    const std::size_t columns = GetResultTables()[rows.table].columns.size();
    for (const RunLabel& one : runs)
    {
        rows.values.push_back(MakeResultValue(rows.values.size() / columns));
        rows.values.push_back(MakeResultValue(one.name));
        rows.values.push_back(MakeResultValue(one.policy));
        rows.values.push_back(MakeResultValue(GetSeconds(one.reconfiguration)));
        rows.values.push_back(MakeResultValue("waiting"));
        rows.values.resize((rows.values.size() / columns + 1) * columns);
    }
    ResultDatabase(database).Insert({rows});
}

void
RunResults::SetFailed(const std::string& database, uint32_t number, const std::string& error)
{
    ResultDatabase(database).Execute("UPDATE runs SET status='failed', error=? WHERE run=?",
                                     {MakeResultValue(error), MakeResultValue(number)});
}

RunResults::RunResults(const std::string& database,
                       uint32_t number,
                       RunLabel label,
                       const RecordOptions& what)
    : m_database(database),
      m_number(number),
      m_label(std::move(label)),
      m_what(what),
      m_cpuBefore(ProcessUsage::Get().cpuSeconds)
{
    Restart();
}

RunResults::~RunResults()
{
    RemoveJobs();
}

void
RunResults::Restart()
{
    if (m_database.empty())
    {
        return;
    }
    RemoveJobs();
    m_rails.clear();
    m_counters.clear();
    m_lastEnd = Create<LastEnd>();
    m_recorder.reset(); // it writes its last rows, which go with the others
    Begin();
    m_recorder = std::make_unique<ResultRecorder>(m_database, m_number);
}

void
RunResults::RemoveJobs()
{
    for (const Job& job : m_jobs)
    {
        job.run->SetIteratedCallback({}); // which refers to this
    }
    m_jobs.clear();
}

void
RunResults::Begin() const
{
    ResultDatabase results(m_database);
    const std::string run = std::to_string(m_number);
    std::string status;
    results.Select("SELECT status FROM runs WHERE run=" + run,
                   [&status](const auto& row) { status = std::get<std::string>(row.front()); });
    if (status == "running") // it has begun before
    {
        results.RemoveRun(m_number);
    }
    results.Execute("INSERT OR REPLACE INTO runs (run, name, policy, reconfiguration_s, status) "
                    "VALUES (?,?,?,?,'running')",
                    {MakeResultValue(m_number),
                     MakeResultValue(m_label.name),
                     MakeResultValue(m_label.policy),
                     MakeResultValue(GetSeconds(m_label.reconfiguration))});
}

bool
RunResults::IsOn() const
{
    return m_recorder != nullptr;
}

void
RunResults::Add(const Ptr<FaultInjector>& injector)
{
    if (IsOn())
    {
        m_recorder->Add(injector);
    }
}

void
RunResults::Add(const std::vector<Rail>& rails)
{
    if (!IsOn())
    {
        return;
    }
    m_recorder->Add(rails);
    m_rails.insert(m_rails.end(), rails.begin(), rails.end());
    for (const Rail& rail : rails)
    {
        Counters counters;
        for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
        {
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                counters.push_back(std::make_shared<FrameCounter>());
                rail.GetNic(gpu, port)->AddSink(counters.back());
            }
        }
        m_counters.push_back(std::move(counters));
    }
    if (m_what.messages)
    {
        m_recorder->AddMessages(rails);
    }
}

void
RunResults::Add(const Rail& rail)
{
    Add(std::vector<Rail>{rail});
}

void
RunResults::Add(const ApplicationContainer& ranks, uint32_t job)
{
    if (!IsOn())
    {
        return;
    }
    m_recorder->Add(
        ranks,
        [](const OperationRecord&) { return 0; },
        m_what.inside,
        job);
    for (uint32_t a = 0; a < ranks.GetN(); ++a)
    {
        ranks.Get(a)->TraceConnectWithoutContext("OperationOver",
                                                 MakeCallback(&LastEnd::Take, m_lastEnd));
    }
}

void
RunResults::Add(const OpusControlPlane& plane, uint32_t job)
{
    if (IsOn())
    {
        m_recorder->Add(plane, job);
    }
}

void
RunResults::AddJob(const Ptr<JobRun>& run)
{
    if (!IsOn())
    {
        return;
    }
    if (!DynamicCast<TrainingRun>(run))
    {
        Add(run->rails);
    }
    else // it counts frames itself, and a rail that follows has no others
    {
        m_recorder->Add(run->rails);
        m_rails = run->rails;
        if (m_what.messages)
        {
            m_recorder->AddMessages(run->rails);
        }
    }
    AddJob(run, 0);
}

void
RunResults::AddJob(const Ptr<JobRun>& run, uint32_t number, const std::vector<uint32_t>& servers)
{
    if (!IsOn())
    {
        return;
    }
    run->collectives->TraceConnect("OperationOver", MakeCallback(&LastEnd::Take, m_lastEnd));
    m_jobs.push_back({number, run, DynamicCast<TrainingRun>(run)});
    Job& job = m_jobs.back();
    AddRanks(job, servers);
    if (!job.training || job.training->RecordsOperations())
    {
        const JobRun* const of = PeekPointer(run);
        m_recorder->Add(
            run->applications,
            [of](const OperationRecord& record) { return of->IterationOf(record); },
            m_what.inside,
            number);
        job.activity = Create<Activity>(run->applications.GetN());
        run->collectives->TraceConnect("OperationEnded",
                                       MakeCallback(&Activity::Take, job.activity));
    }
    m_recorder->Add(run->plane, number);
    run->SetIteratedCallback([this, &job] { AddIterations(job); });
}

void
RunResults::AddRanks(const Job& job, const std::vector<uint32_t>& servers)
{
    ResultWriter& writer = m_recorder->GetWriter();
    const ResultWriter::Table jobs = writer.GetTable("jobs");
    const std::optional<uint32_t> none;
    const uint32_t ranks = job.run->applications.GetN();
    const auto perServer = static_cast<uint32_t>(job.run->rails.size());
    const auto serverOf = [&servers](uint32_t own) {
        return own < servers.size() ? servers[own] : own;
    };
    const uint32_t used = (ranks + perServer - 1) / perServer;
    const ResultWriter::Table table = writer.GetTable("ranks");
    if (!job.training)
    {
        writer.Add(jobs,
                   job.number,
                   "",
                   ranks,
                   used,
                   perServer,
                   none,
                   none,
                   none,
                   none,
                   none,
                   none,
                   1);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            writer.Add(table,
                       job.number,
                       rank,
                       serverOf(rank / perServer),
                       rank % perServer,
                       none,
                       none,
                       none,
                       none,
                       none,
                       none);
        }
        return;
    }
    const TrainingTask& task = job.training->GetJob().GetTask();
    const ParallelismPlan& plan = task.plan;
    writer.Add(jobs,
               job.number,
               task.shape.name,
               ranks,
               used,
               perServer,
               plan.tp,
               plan.cp,
               plan.dp,
               plan.pp,
               plan.ep,
               plan.replicas,
               job.training->RecordsOperations());
    const RankLayout& layout = job.training->GetJob().GetLayout();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        writer.Add(table,
                   job.number,
                   rank,
                   serverOf(layout.GetServer(rank)),
                   layout.GetRail(rank),
                   layout.GetPlace(rank, Parallelism::TENSOR),
                   layout.GetPlace(rank, Parallelism::CONTEXT),
                   layout.GetPlace(rank, Parallelism::EXPERT),
                   layout.GetPlace(rank, Parallelism::SHARD),
                   layout.GetPlace(rank, Parallelism::REPLICA),
                   layout.GetPlace(rank, Parallelism::PIPELINE));
    }
}

void
RunResults::AddIterations(Job& job)
{
    ResultWriter& writer = m_recorder->GetWriter();
    const ResultWriter::Table table = writer.GetTable("iterations");
    for (; job.iterations < job.run->GetIterations(); ++job.iterations)
    {
        const uint32_t iteration = job.iterations + 1;
        const JobTally one = job.run->GetIteration(iteration);
        writer.Add(table,
                   job.number,
                   iteration,
                   job.run->GetBegin(iteration),
                   job.run->GetEnd(iteration),
                   ToSeconds(one.end),
                   ToSeconds(one.computed),
                   ToSeconds(one.exposed),
                   ToSeconds(one.hidden),
                   one.reconfigurations,
                   one.controlMessages,
                   one.wrongPredictions,
                   one.messages);
    }
}

void
RunResults::AddPhases(uint32_t job, const std::vector<CommunicationPhase>& phases)
{
    ResultWriter& writer = m_recorder->GetWriter();
    const ResultWriter::Table table = writer.GetTable("phases");
    for (const CommunicationPhase& phase : phases)
    {
        writer.Add(table,
                   job,
                   phase.rank,
                   phase.rail,
                   phase.iteration + 1,
                   phase.parallelism,
                   phase.start,
                   phase.end,
                   phase.operations,
                   phase.bytes);
    }
    const ResultWriter::Table between = writer.GetTable("windows");
    for (const CommunicationWindow& window : FindWindowsBetween(phases))
    {
        writer.Add(between,
                   job,
                   window.rank,
                   window.rail,
                   window.iteration + 1,
                   window.start,
                   window.length,
                   window.from,
                   window.to,
                   window.nextBytes,
                   window.nextOperations);
    }
}

std::optional<double>
RunResults::GetCommunicating(const Job& job)
{
    const uint32_t iterations = job.run->GetIterations();
    if (!job.activity || iterations == 0)
    {
        return std::nullopt;
    }
    const uint32_t first = std::min(iterations, 2U); // the steady ones
    const Time time =
        job.activity->time.GetMean(job.run->GetBegin(first), job.run->GetEnd(iterations));
    return ToSeconds(time) / (iterations - first + 1);
}

void
RunResults::AddPorts(Time end)
{
    for (uint32_t rail = 0; rail < m_rails.size(); ++rail)
    {
        const Ptr<TrainingRun> training = m_counters.empty() ? m_jobs.front().training : nullptr;
        const uint32_t ports = m_rails[rail].GetPortsPerGpu();
        m_recorder->AddPorts(
            rail,
            end,
            [&](uint32_t gpu, uint32_t port) -> const FrameCounter& {
                return training ? training->GetPortCounts(rail, gpu, port)
                                : *m_counters[rail][gpu * ports + port];
            },
            training && training->HasFolded() && rail > 0);
    }
}

void
RunResults::AddRun(Time end, const TrainingFigures* figures)
{
    const bool isSingle = m_jobs.size() == 1 && m_jobs.front().run->GetIterations() > 0;
    const Ptr<JobRun> run = isSingle ? m_jobs.front().run : nullptr;
    const JobTally steady = run ? run->GetSteady() : JobTally();
    const auto ofJob = [&run](auto value) {
        return run ? std::make_optional(value) : std::nullopt;
    };
    const auto ofTraining = [figures](auto TrainingFigures::*member) {
        return figures ? std::make_optional(figures->*member) : std::nullopt;
    };
    FrameCounter::Counts sent;
    for (const Counters& counters : m_counters)
    {
        for (const std::shared_ptr<FrameCounter>& counter : counters)
        {
            sent.frames += counter->GetSent().frames;
            sent.wireBytes += counter->GetSent().wireBytes;
        }
    }
    if (figures)
    {
        sent = m_jobs.front().training->GetOnWire();
    }
    const ProcessUsage used = ProcessUsage::Get();
    ResultWriter& writer = m_recorder->GetWriter();
    writer.Add(writer.GetTable("runs"),
               m_label.name,
               m_label.policy,
               GetSeconds(m_label.reconfiguration),
               "complete",
               "",
               ofJob(run ? run->GetIterations() : 0),
               ofJob(ToSeconds(steady.end)),
               ofJob(ToSeconds(steady.computed)),
               ofJob(run ? run->GetIdleSeconds() : 0),
               run ? GetCommunicating(m_jobs.front()) : std::nullopt,
               ofJob(ToSeconds(steady.exposed)),
               ofJob(ToSeconds(steady.exposedLinkUp)),
               ofJob(ToSeconds(steady.hidden)),
               ofJob(ToSeconds(steady.hiddenLinkUp)),
               ofJob(steady.reconfigurations),
               ofJob(steady.controlMessages),
               ofJob(steady.wrongPredictions),
               ofJob(steady.messages),
               ofTraining(&TrainingFigures::windows),
               ofTraining(&TrainingFigures::longWindows),
               sent.frames,
               sent.wireBytes,
               m_rails.size(),
               ofTraining(&TrainingFigures::followed),
               ofTraining(&TrainingFigures::notFollowed),
               Simulator::GetEventCount(),
               end,
               figures ? figures->cpu : used.cpuSeconds - m_cpuBefore,
               figures ? figures->megabytes : used.peakMegabytes,
               m_label.isMain);
}

void
RunResults::Finish()
{
    Finish(Time(0), nullptr);
}

void
RunResults::Finish(Time end)
{
    Finish(end, nullptr);
}

void
RunResults::Finish(const TrainingFigures& figures)
{
    Finish(Time(0), &figures);
}

void
RunResults::Finish(Time given, const TrainingFigures* figures)
{
    if (!IsOn())
    {
        return;
    }
    Time end = std::max(given, m_lastEnd->at);
    for (Job& job : m_jobs)
    {
        AddIterations(job);
        if (job.training)
        {
            AddPhases(job.number, job.training->GetPhases());
            AddPhases(job.number, job.training->GetRailPhases());
        }
        if (job.iterations > 0)
        {
            end = std::max(end, job.run->GetEnd(job.iterations));
        }
    }
    end = end.IsZero() ? Simulator::Now() : end;
    AddPorts(end);
    if (!m_jobs.empty())
    {
        WriteCostRows(m_recorder->GetWriter(), m_rails);
    }
    m_recorder->Finish();
    AddRun(end, figures); // last: a run that is complete has all its rows
    m_recorder->GetWriter().Close();
}

} // namespace ns3
