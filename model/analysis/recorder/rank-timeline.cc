/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-timeline.h"

#include "operation-name.h"

#include "ns3/collective-kind.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3
{

namespace
{

TimelineArguments
ArgumentsOf(const OperationRecord& record)
{
    TimelineArguments arguments;
    arguments.Add("operation", record.operation);
    if (record.call.kind == RankOperation::Kind::COMPUTE)
    {
        return arguments;
    }
    if (record.call.kind == RankOperation::Kind::COLLECTIVE)
    {
        arguments.Add("kind", ToString(record.call.collective));
        arguments.Add("algorithm", record.algorithm);
    }
    else
    {
        arguments.Add("place", record.call.place);
    }
    arguments.Add("group", record.group);
    arguments.Add("number", record.number);
    arguments.Add("bytes", record.call.bytes);
    arguments.Add("messages_sent", record.messagesSent);
    arguments.Add("bytes_sent", record.bytesSent);
    arguments.Add("messages_come", record.messagesReceived);
    arguments.Add("bytes_come", record.bytesReceived);
    arguments.Add("waited_ps", record.waited.GetTimeStep());
    if (record.fellBack)
    {
        arguments.Add("fallback", record.why);
    }
    return arguments;
}

} // namespace

RankTimeline::RankTimeline(std::shared_ptr<Timeline> timeline, RankId rank)
    : m_timeline(std::move(timeline)),
      m_process(m_timeline->AddProcess("rank " + std::to_string(rank.Get())))
{
}

void
RankTimeline::Record(Ptr<CollectiveApplication> application, TimelineRecording& recording)
{
    const auto source = Create<RankTimeline>(recording.Share(), application->GetRank());
    Listen(*application, "OperationStarted", MakeCallback(&RankTimeline::Started, source));
    Listen(*application, "OperationEnded", MakeCallback(&RankTimeline::Ended, source));
    Listen(*application, "OperationFailed", MakeCallback(&RankTimeline::Failed, source));
    recording.AddSource(TimelineRecording::Layer::RANKS, source);
}

TimelineTrack
RankTimeline::TrackOf(uint32_t stream)
{
    const auto found = m_streams.find(stream);
    if (found != m_streams.end())
    {
        return found->second;
    }
    const TimelineTrack track =
        m_timeline->AddTrack(m_process, "stream " + std::to_string(stream), stream);
    m_streams.emplace(stream, track);
    return track;
}

void
RankTimeline::Started(const OperationRecord& record)
{
    m_open[record.operation] = record;
}

void
RankTimeline::Ended(const OperationRecord& record)
{
    m_open.erase(record.operation);
    m_timeline->Slice(TrackOf(record.call.stream),
                      GetOperationName(record.call),
                      record.start,
                      record.end,
                      ArgumentsOf(record));
}

void
RankTimeline::Failed(const OperationRecord& record)
{
    m_open.erase(record.operation);
    m_timeline->Slice(TrackOf(record.call.stream),
                      GetOperationName(record.call) + " failed",
                      record.start,
                      Simulator::Now(),
                      ArgumentsOf(record).Add("why", record.why));
}

void
RankTimeline::Close(Time end)
{
    for (const auto& [operation, record] : m_open)
    {
        m_timeline->Slice(TrackOf(record.call.stream),
                          GetOperationName(record.call),
                          record.start,
                          end,
                          ArgumentsOf(record).Add("unfinished", true));
    }
    m_open.clear();
}

bool
RankTimeline::IsIdle() const
{
    return m_open.empty();
}

} // namespace ns3
