/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-run.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Ranks up to which all operations are remembered: some hundred bytes each. */
constexpr uint32_t RANKS_REMEMBERED = 256;

bool
IsBegin(const RankOperation& operation)
{
    return operation.kind == RankOperation::Kind::ITERATION;
}

/** @return messages of 1 MiB that a rank sends in an operation, by a ring @param ranks in it */
uint64_t
CountMessages(const RankOperation& operation, uint64_t ranks)
{
    constexpr uint64_t MESSAGE = 1 << 20;
    const auto split = [](uint64_t bytes) { return (bytes + MESSAGE - 1) / MESSAGE; };
    switch (operation.kind)
    {
    case RankOperation::Kind::SEND:
        return split(operation.bytes);
    case RankOperation::Kind::COLLECTIVE:
        return (operation.collective == CollectiveKind::ALL_REDUCE ? 2 : 1) * (ranks - 1) *
               std::max<uint64_t>(1, split(operation.bytes / ranks));
    default:
        return 0;
    }
}

} // namespace

TrainingRun::TrainingRun(const TrainingTask& task, const std::string& policy)
    : m_job(task),
      m_policy(policy),
      m_keep(m_job.GetLayout().GetRanks() <= RANKS_REMEMBERED),
      m_left(task.iterations),
      m_tallies(task.iterations)
{
    for (const JobGroup& group : m_job.GetGroups().GetGroups())
    {
        m_groupRanks.emplace_back(group.ranks.begin(), group.ranks.end());
    }
    for (uint32_t rank = 0; rank < m_job.GetLayout().GetRanks(); ++rank)
    {
        m_groupsOf.push_back(m_job.GetGroups().GetGroupsOf(rank));
        const auto program = m_job.GetProgram(rank);
        const auto& operations = program->GetOperations();
        std::vector<uint32_t>& begins = m_begins[program.get()];
        const bool isNew = begins.empty();
        std::size_t iteration = 0;
        for (std::size_t o = 0; o < operations.size(); ++o)
        {
            if (IsBegin(operations[o]))
            {
                isNew ? begins.push_back(o) : void();
                ++iteration;
            }
            else
            {
                ++m_left[iteration - 1];
                m_workInAll += GetWork(rank, operations[o]);
            }
        }
    }
}

void
TrainingRun::Listen()
{
    for (uint32_t a = 0; a < applications.GetN(); ++a)
    {
        const bool connected = applications.Get(a)->TraceConnectWithoutContext(
            "OperationEnded",
            MakeCallback(&TrainingRun::Ended, this));
        NS_ABORT_MSG_UNLESS(connected, "TrainingRun: rank " << a << " is no rank's application");
    }
    m_waits.resize(applications.GetN());
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        shim->TraceConnectWithoutContext("Answered", MakeCallback(&TrainingRun::Answered, this));
    }
    for (const Rail& rail : rails)
    {
        for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
        {
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                m_counters.push_back(std::make_shared<FrameCounter>());
                rail.GetNic(gpu, port)->AddSink(m_counters.back());
            }
        }
    }
}

void
TrainingRun::Answered(const ShimNote& note)
{
    if (note.exposed > 0)
    {
        m_waits[note.rank.Get()].push_back({note.answered - note.exposed, note.answered});
    }
}

Picoseconds
TrainingRun::SumWaits() const
{
    Picoseconds sum = 0;
    for (std::vector<std::pair<Picoseconds, Picoseconds>> waits : m_waits)
    {
        std::sort(waits.begin(), waits.end());
        Picoseconds until = 0;
        for (const auto& [begin, end] : waits)
        {
            sum += std::max<Picoseconds>(0, end - std::max(begin, until));
            until = std::max(until, end);
        }
    }
    return sum;
}

void
TrainingRun::KeepOperations(bool keep)
{
    m_keep = keep;
}

uint32_t
TrainingRun::IterationOf(const OperationRecord& record) const
{
    const auto& begins = m_begins.at(m_job.GetProgram(record.rank.Get()).get());
    const auto after = std::upper_bound(begins.begin(), begins.end(), record.operation);
    return after - begins.begin() - 1;
}

void
TrainingRun::Ended(const OperationRecord& record)
{
    const uint32_t iteration = IterationOf(record);
    m_workOver += GetWork(record.rank.Get(), record.call);
    if (record.call.IsExchange())
    {
        Remember(record, iteration);
    }
    else
    {
        m_computed += record.end - record.start;
    }
    Report();
    if (--m_left[iteration] == 0)
    {
        m_tallies[iteration] = Count();
    }
}

uint64_t
TrainingRun::GetWork(uint32_t rank, const RankOperation& operation) const
{
    if (!operation.IsExchange())
    {
        return 0;
    }
    const JobGroup& group = m_job.GetGroups().GetGroups()[m_groupsOf[rank][operation.group]];
    constexpr uint64_t RAIL = 16; // messages inside servers are few, and have no frames
    return CountMessages(operation, group.ranks.size()) * (group.inScaleUp ? 1 : RAIL);
}

void
TrainingRun::SetProgress(const std::function<void(double)>& progress)
{
    m_progress = progress;
}

void
TrainingRun::Report()
{
    const auto now = std::chrono::steady_clock::now();
    if (m_progress && now - m_reported > std::chrono::milliseconds(250))
    {
        m_reported = now;
        m_progress(GetProgress());
    }
}

void
TrainingRun::Remember(const OperationRecord& record, uint32_t iteration)
{
    if (!m_keep)
    {
        return;
    }
    const uint32_t group = m_groupsOf[record.rank.Get()][record.call.group];
    FinishedOperation operation =
        MakeFinishedOperation(record, m_groupRanks[group], m_job.GetTask().plan.scaleUp, iteration);
    if (operation.scaleOut)
    {
        operation.parallelism = ParallelismNameOf(operation.group);
        m_operations.push_back(operation);
    }
}

TrainingTally
TrainingRun::Count() const
{
    TrainingTally tally;
    tally.end = NowPicoseconds();
    tally.computed = m_computed / std::max<int64_t>(1, applications.GetN());
    for (uint32_t a = 0; a < applications.GetN(); ++a)
    {
        tally.messages +=
            DynamicCast<CollectiveApplication>(applications.Get(a))->GetCounters().messagesReceived;
    }
    tally.bytesForwarded = collectives.GetForwardedBytes();
    if (plane.controller)
    {
        const OpusTimes times = plane.GetTimes();
        tally.exposed = SumWaits() / std::max<int64_t>(1, applications.GetN());
        tally.hidden = times.hidden;
        tally.wrongPredictions = times.wrongPredictions;
        tally.reconfigurations = plane.GetInCharge()->GetCore().GetCounters().reconfigurations;
        tally.controlMessages = plane.GetMessages();
    }
    return tally;
}

uint32_t
TrainingRun::GetIterations() const
{
    uint32_t over = 0;
    while (over < m_left.size() && m_left[over] == 0)
    {
        ++over;
    }
    return over;
}

double
TrainingRun::GetProgress() const
{
    return m_workInAll == 0 ? 1 : static_cast<double>(m_workOver) / m_workInAll;
}

TrainingTally
TrainingRun::GetIteration(uint32_t iteration) const
{
    NS_ABORT_MSG_UNLESS(iteration >= 1 && iteration <= GetIterations(),
                        "TrainingRun: iteration " << iteration << " is asked for, and "
                                                  << GetIterations()
                                                  << " are over, counted from 1");
    TrainingTally tally = m_tallies[iteration - 1];
    if (iteration > 1)
    {
        const TrainingTally& before = m_tallies[iteration - 2];
        tally.end -= before.end;
        tally.exposed -= before.exposed;
        tally.hidden -= before.hidden;
        tally.computed -= before.computed;
        tally.reconfigurations -= before.reconfigurations;
        tally.controlMessages -= before.controlMessages;
        tally.wrongPredictions -= before.wrongPredictions;
        tally.messages -= before.messages;
        tally.bytesForwarded -= before.bytesForwarded;
    }
    return tally;
}

double
TrainingRun::GetIterationSeconds(uint32_t iteration) const
{
    return GetIteration(iteration).end / 1e12;
}

TrainingTally
TrainingRun::GetSteady() const
{
    const uint32_t over = GetIterations();
    if (over < 2)
    {
        return GetIteration(1);
    }
    TrainingTally steady = m_tallies[over - 1];
    const TrainingTally& first = m_tallies[0];
    const int64_t many = over - 1;
    steady.end = (steady.end - first.end) / many;
    steady.exposed = (steady.exposed - first.exposed) / many;
    steady.hidden = (steady.hidden - first.hidden) / many;
    steady.computed = (steady.computed - first.computed) / many;
    steady.reconfigurations = (steady.reconfigurations - first.reconfigurations) / many;
    steady.controlMessages = (steady.controlMessages - first.controlMessages) / many;
    steady.wrongPredictions = (steady.wrongPredictions - first.wrongPredictions) / many;
    steady.messages = (steady.messages - first.messages) / many;
    steady.bytesForwarded = (steady.bytesForwarded - first.bytesForwarded) / many;
    return steady;
}

double
TrainingRun::GetIdleSeconds() const
{
    const TrainingTally steady = GetSteady();
    return (steady.end - steady.computed) / 1e12;
}

std::vector<CommunicationWindow>
TrainingRun::GetWindows() const
{
    std::vector<CommunicationWindow> windows = FindWindows(m_operations);
    const uint32_t last = GetIterations() - 1;
    const auto other = [last](const CommunicationWindow& one) { return one.iteration != last; };
    windows.erase(std::remove_if(windows.begin(), windows.end(), other), windows.end());
    return windows;
}

std::vector<CommunicationWindow>
TrainingRun::GetRailWindows() const
{
    std::vector<CommunicationWindow> windows = FindRailWindows(m_operations);
    const uint32_t last = GetIterations() - 1;
    const auto other = [last](const CommunicationWindow& one) { return one.iteration != last; };
    windows.erase(std::remove_if(windows.begin(), windows.end(), other), windows.end());
    return windows;
}

FrameCounter::Counts
TrainingRun::GetOnWire() const
{
    FrameCounter::Counts all;
    for (const auto& counter : m_counters)
    {
        const FrameCounter::Counts sent = counter->GetSent();
        all.frames += sent.frames;
        all.wireBytes += sent.wireBytes;
        all.payloadBytes += sent.payloadBytes;
    }
    return all;
}

void
TrainingRun::Require() const
{
    NS_ABORT_MSG_UNLESS(GetIterations() == m_left.size(),
                        "TrainingRun: " << GetIterations() << " of " << m_left.size()
                                        << " iterations are over: the run ended before");
    RailAudit audit;
    for (const Rail& rail : rails)
    {
        audit.Add(rail);
    }
    audit.Add(applications);
    audit.Require();
}

} // namespace ns3
