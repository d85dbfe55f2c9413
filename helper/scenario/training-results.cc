/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-results.h"

#include "ns3/communication-phase.h"
#include "ns3/communication-window.h"
#include "ns3/cost-rows.h"
#include "ns3/fault-injector.h"
#include "ns3/parallelism-plan.h"
#include "ns3/result-database.h"
#include "ns3/result-schema.h"

#include <optional>

namespace ns3
{

namespace
{

/** @return the reconfiguration time in seconds, as in JSON; none: it does not matter */
std::optional<double>
GetSeconds(const std::optional<Time>& delay)
{
    return delay ? std::make_optional(delay->GetSeconds()) : std::nullopt;
}

double
ToSeconds(Time span)
{
    return span.GetTimeStep() / 1e12;
}

} // namespace

void
TrainingResults::List(const std::string& path, const std::vector<TrainingVariant>& variants)
{
    ResultRows rows{FindResultTable("runs"), {}};
    const std::size_t columns = GetResultTables()[rows.table].columns.size();
    for (const TrainingVariant& one : variants)
    {
        rows.values.push_back(MakeResultValue(rows.values.size() / columns));
        rows.values.push_back(MakeResultValue(one.GetName()));
        rows.values.push_back(MakeResultValue(one.policy));
        rows.values.push_back(MakeResultValue(GetSeconds(one.delay)));
        rows.values.push_back(MakeResultValue("waiting"));
        rows.values.resize((rows.values.size() / columns + 1) * columns);
    }
    ResultDatabase(path).Insert({rows});
}

void
TrainingResults::SetFailed(const std::string& path, uint32_t number, const std::string& error)
{
    ResultDatabase(path).Execute("UPDATE runs SET status='failed', error=? WHERE run=?",
                                 {MakeResultValue(error), MakeResultValue(number)});
}

TrainingResults::TrainingResults(const std::string& path,
                                 uint32_t number,
                                 const TrainingVariant& variant,
                                 const TrainingRun& run,
                                 const Ptr<FaultInjector>& injector,
                                 const RecordOptions& what)
    : m_run(run),
      m_variant(variant),
      m_recorder(path, number)
{
    Begin(path, number);
    AddJob();
    if (run.RecordsOperations())
    {
        m_recorder.Add(
            run.applications,
            [&run](const OperationRecord& record) { return run.IterationOf(record); },
            what.inside);
    }
    if (what.messages)
    {
        m_recorder.AddMessages(run.rails);
    }
    m_recorder.Add(injector);
    m_recorder.Add(run.rails);
    m_recorder.Add(run.plane);
}

void
TrainingResults::Begin(const std::string& path, uint32_t number)
{
    ResultDatabase database(path);
    const std::string run = std::to_string(number);
    bool isAgain = false;
    database.Select("SELECT run FROM runs WHERE status='running' AND run=" + run,
                    [&isAgain](const auto&) { isAgain = true; });
    if (isAgain)
    {
        database.RemoveRun(number);
    }
    database.Execute("UPDATE runs SET status='running' WHERE run=" + run);
}

void
TrainingResults::AddJob()
{
    ResultWriter& writer = m_recorder.GetWriter();
    const TrainingTask& task = m_run.GetJob().GetTask();
    const ParallelismPlan& plan = task.plan;
    const uint32_t ranks = plan.GetRanks();
    const RankLayout& layout = m_run.GetJob().GetLayout();
    writer.Add(writer.GetTable("jobs"),
               0,
               task.shape.name,
               ranks,
               (ranks + plan.scaleUp - 1) / plan.scaleUp,
               plan.scaleUp,
               plan.tp,
               plan.cp,
               plan.dp,
               plan.pp,
               plan.ep,
               plan.replicas,
               m_run.RecordsOperations());
    const ResultWriter::Table table = writer.GetTable("ranks");
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        writer.Add(table,
                   0,
                   rank,
                   layout.GetServer(rank),
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
TrainingResults::AddIterations()
{
    ResultWriter& writer = m_recorder.GetWriter();
    const ResultWriter::Table table = writer.GetTable("iterations");
    for (uint32_t i = 1; i <= m_run.GetIterations(); ++i)
    {
        const JobTally one = m_run.GetIteration(i);
        writer.Add(table,
                   i,
                   m_run.GetBegin(i),
                   m_run.GetEnd(i),
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
TrainingResults::AddPhases(const std::vector<CommunicationPhase>& phases)
{
    ResultWriter& writer = m_recorder.GetWriter();
    const ResultWriter::Table table = writer.GetTable("phases");
    for (const CommunicationPhase& phase : phases)
    {
        writer.Add(table,
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

void
TrainingResults::AddPorts()
{
    const Time end = m_run.GetEnd(m_run.GetIterations());
    for (uint32_t rail = 0; rail < m_run.rails.size(); ++rail)
    {
        m_recorder.AddPorts(
            rail,
            end,
            [this, rail](uint32_t gpu, uint32_t port) -> const FrameCounter& {
                return m_run.GetPortCounts(rail, gpu, port);
            },
            m_run.HasFolded() && rail > 0);
    }
}

void
TrainingResults::AddRun(const TrainingFigures& figures)
{
    const JobTally steady = m_run.GetSteady();
    ResultWriter& writer = m_recorder.GetWriter();
    writer.Add(writer.GetTable("runs"),
               m_variant.GetName(),
               m_variant.policy,
               GetSeconds(m_variant.delay),
               "complete",
               "",
               m_run.GetIterations(),
               figures.iteration,
               ToSeconds(steady.computed),
               figures.idle,
               figures.exposed,
               figures.exposedLinkUp,
               figures.hidden,
               figures.hiddenLinkUp,
               figures.reconfigurations,
               steady.controlMessages,
               steady.wrongPredictions,
               figures.messages,
               figures.windows,
               figures.longWindows,
               figures.frames,
               m_run.GetOnWire().wireBytes,
               figures.rails,
               figures.followed,
               figures.notFollowed,
               figures.events,
               m_run.GetEnd(m_run.GetIterations()),
               figures.cpu,
               figures.megabytes);
}

void
TrainingResults::Finish(const TrainingFigures& figures)
{
    AddIterations();
    AddPhases(m_run.GetPhases());
    AddPhases(m_run.GetRailPhases());
    AddPorts();
    WriteCostRows(m_recorder.GetWriter(), m_run.rails);
    m_recorder.Finish();
    AddRun(figures); // last: a run that is complete has all its rows
    m_recorder.GetWriter().Close();
}

} // namespace ns3
