/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-rows.h"

#include "ns3/collective-application.h"
#include "ns3/job-groups.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3
{

OperationRows::OperationRows(std::shared_ptr<ResultWriter> writer,
                             const IterationOf& iterationOf,
                             bool inside,
                             uint32_t job)
    : ResultSource(std::move(writer), "operations"),
      m_iterationOf(iterationOf),
      m_inside(inside),
      m_job(job)
{
}

void
OperationRows::Record(const ApplicationContainer& applications,
                      const std::shared_ptr<ResultWriter>& writer,
                      const IterationOf& iterationOf,
                      bool inside,
                      uint32_t job)
{
    const auto source = Create<OperationRows>(writer, iterationOf, inside, job);
    for (uint32_t a = 0; a < applications.GetN(); ++a)
    {
        if (const auto rank = DynamicCast<CollectiveApplication>(applications.Get(a)))
        {
            Listen(*rank, "OperationEnded", MakeCallback(&OperationRows::Ended, source));
            Listen(*rank, "OperationFailed", MakeCallback(&OperationRows::Failed, source));
        }
    }
}

void
OperationRows::Ended(const OperationRecord& record)
{
    if (m_inside || (record.call.IsExchange() && record.trafficPath != TrafficPath::INSIDE))
    {
        Write(record, record.end, "");
    }
}

void
OperationRows::Failed(const OperationRecord& record)
{
    Write(record, Simulator::Now(), record.why.empty() ? "unknown" : record.why);
}

void
OperationRows::Write(const OperationRecord& record, Time end, const std::string& failure)
{
    const RankOperation& call = record.call;
    const bool isExchange = call.IsExchange();
    const auto ofExchange = [isExchange](const auto& value) {
        return isExchange ? std::make_optional(value) : std::nullopt;
    };
    Add(m_job,
        record.rank,
        record.operation,
        m_iterationOf(record) + 1,
        call.stream,
        NameOfKind(call),
        call.label,
        record.group.empty() ? "" : ParallelismNameOf(record.group),
        record.group,
        ofExchange(record.number),
        record.algorithm,
        isExchange ? ToString(record.protocol) : "",
        isExchange ? ToString(record.trafficPath) : "",
        ofExchange(call.bytes),
        record.start,
        end,
        ofExchange(record.waited),
        ofExchange(record.messagesSent),
        ofExchange(record.bytesSent),
        ofExchange(record.messagesReceived),
        ofExchange(record.bytesReceived),
        ofExchange(record.fellBack),
        failure);
}

} // namespace ns3
