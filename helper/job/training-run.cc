/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-run.h"

#include "ns3/circuit-hint-edit.h"
#include "ns3/log.h"
#include "ns3/operation-bytes.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrainingRun");

TrainingRun::TrainingRun(const TrainingJob& job, bool hints)
    : JobRun(hints ? AddCircuitHints(job.MakePrograms(), job.GetTask().plan.scaleUp)
                   : job.MakePrograms(),
             job.GetTask().plan.scaleUp),
      m_job(job)
{
    for (const JobPrograms::Group& group : GetPrograms().groups)
    {
        m_groupRanks.emplace_back(group.ranks.begin(), group.ranks.end());
    }
}

void
TrainingRun::Observe(uint32_t mostRanks)
{
    NS_LOG_FUNCTION(this << mostRanks);
    m_recordsOperations = applications.GetN() <= mostRanks;
    NS_LOG_INFO("operations of " << applications.GetN() << " ranks are "
                                 << (m_recordsOperations ? "" : "not ") << "recorded");
    for (uint32_t a = 0; a < applications.GetN() && m_recordsOperations; ++a)
    {
        applications.Get(a)->TraceConnectWithoutContext("OperationOver",
                                                        MakeCallback(&TrainingRun::Remember, this));
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
TrainingRun::StopObserving()
{
    NS_LOG_FUNCTION(this);
    std::size_t next = 0;
    for (const Rail& rail : rails)
    {
        for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
        {
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                rail.GetNic(gpu, port)->RemoveSink(m_counters[next++]);
            }
        }
    }
}

void
TrainingRun::Remember(const OperationRecord& record)
{
    if (!record.call.IsExchange())
    {
        return;
    }
    const uint32_t group = GetPrograms().ranks[record.rank.Get()].groups[record.call.group];
    NS_LOG_DEBUG("rank " << record.rank << " has ended operation " << record.operation);
    FinishedOperation operation =
        MakeFinishedOperation(record, m_groupRanks[group], GetPerServer(), IterationOf(record));
    if (operation.scaleOut)
    {
        operation.parallelism = ParallelismNameOf(operation.group);
        m_operations.push_back(operation);
    }
}

std::vector<CommunicationWindow>
TrainingRun::KeepLast(std::vector<CommunicationWindow> windows) const
{
    const uint32_t last = GetIterations() - 1;
    const auto other = [last](const CommunicationWindow& one) { return one.iteration != last; };
    windows.erase(std::remove_if(windows.begin(), windows.end(), other), windows.end());
    return windows;
}

std::vector<CommunicationPhase>
TrainingRun::GetPhases() const
{
    return FindPhases(m_operations);
}

std::vector<CommunicationPhase>
TrainingRun::GetRailPhases() const
{
    return FindRailPhases(m_operations);
}

std::vector<CommunicationWindow>
TrainingRun::GetWindows() const
{
    return KeepLast(FindWindowsBetween(GetPhases()));
}

std::vector<CommunicationWindow>
TrainingRun::GetRailWindows() const
{
    return KeepLast(FindRailWindows(m_operations));
}

const FrameCounter&
TrainingRun::GetPortCounts(uint32_t rail, uint32_t gpu, uint32_t port) const
{
    const std::size_t perRail = m_counters.size() / rails.size();
    const std::size_t first = HasFolded() ? 0 : rail * perRail;
    return *m_counters.at(first + gpu * rails[rail].GetPortsPerGpu() + port);
}

FrameCounter::Counts
TrainingRun::GetOnWire() const
{
    FrameCounter::Counts all = m_onOtherWires;
    const std::size_t perRail = m_counters.size() / rails.size();
    for (std::size_t c = 0; c < m_counters.size(); ++c)
    {
        const std::size_t counted = HasFolded() ? c % perRail : c; // one of the leader's
        const FrameCounter::Counts sent = m_counters[counted]->GetSent();
        all.frames += sent.frames;
        all.wireBytes += sent.wireBytes;
        all.payloadBytes += sent.payloadBytes;
    }
    return all;
}

void
TrainingRun::PutPart(ByteWriter& bytes) const
{
    JobRun::PutPart(bytes);
    bytes.Put(GetOnWire());
    bytes.Put<uint64_t>(m_operations.size());
    for (const FinishedOperation& operation : m_operations)
    {
        PutOperation(bytes, operation);
    }
}

void
TrainingRun::AddPart(ByteReader& bytes)
{
    JobRun::AddPart(bytes);
    const auto sent = bytes.Take<FrameCounter::Counts>();
    m_onOtherWires.frames += sent.frames;
    m_onOtherWires.wireBytes += sent.wireBytes;
    m_onOtherWires.payloadBytes += sent.payloadBytes;
    for (auto left = bytes.Take<uint64_t>(); left > 0; --left)
    {
        m_operations.push_back(TakeOperation(bytes));
    }
}

} // namespace ns3
