/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-timing.h"

#include "ns3/nccl-tuning.h"

#include <algorithm>

namespace ns3
{

OperationTiming::OperationTiming(const CollectiveTimes& times, CollectiveProtocol protocol)
    : m_times(times)
{
    if (AreZero())
    {
        return; // as in most jobs
    }
    for (const TransportKind kind :
         {TransportKind::RAIL, TransportKind::SCALE_UP, TransportKind::HOST})
    {
        Time& step = m_times.Edit(kind).step;
        step = ScaleNcclStep(step, protocol, kind);
    }
}

bool
OperationTiming::AreZero() const
{
    return m_times.AreZero();
}

Time
OperationTiming::GetStart(const RankSchedule& part, bool isOnHosts, const IsInside& isInside) const
{
    Time start{0};
    for (const auto* ways : {&part.waysOut, &part.waysIn})
    {
        for (const RankSchedule::Way& way : *ways)
        {
            const bool inside = way.wires == RankSchedule::Wires::SCALE_UP || isInside(way.peer);
            const TransportKind kind = inside      ? TransportKind::SCALE_UP
                                       : isOnHosts ? TransportKind::HOST
                                                   : TransportKind::RAIL;
            start = std::max(start, m_times.Get(kind).start);
        }
    }
    return start;
}

Time
OperationTiming::GetStep(TransportKind kind) const
{
    return m_times.Get(kind).step;
}

} // namespace ns3
