/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-rows.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3
{

FaultRows::FaultRows(std::shared_ptr<ResultWriter> writer)
    : ResultSource(std::move(writer), "faults")
{
}

Ptr<FaultRows>
FaultRows::Record(FaultInjector& injector, const std::shared_ptr<ResultWriter>& writer)
{
    const auto source = Create<FaultRows>(writer);
    for (const Fault& fault : injector.GetActive())
    {
        source->Began(fault, "it was there before");
    }
    Listen(injector, "FaultBegan", MakeCallback(&FaultRows::Began, source));
    Listen(injector, "FaultEnded", MakeCallback(&FaultRows::Ended, source));
    return source;
}

void
FaultRows::Began(const Fault& fault, const std::string& outcome)
{
    m_holding.push_back({fault, Simulator::Now(), outcome});
}

void
FaultRows::Ended(const Fault& fault, const std::string&)
{
    const auto found = std::find_if(m_holding.begin(), m_holding.end(), [&fault](const auto& one) {
        return one.fault == fault;
    });
    if (found != m_holding.end())
    {
        Add(ToString(fault.kind),
            DescribeTarget(fault),
            found->start,
            Simulator::Now(),
            found->outcome);
        m_holding.erase(found);
    }
}

void
FaultRows::Close()
{
    for (const Holding& one : m_holding)
    {
        Add(ToString(one.fault.kind),
            DescribeTarget(one.fault),
            one.start,
            std::optional<Time>(),
            one.outcome);
    }
    m_holding.clear();
}

} // namespace ns3
