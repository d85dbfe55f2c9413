/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-rows.h"

#include "ns3/optical-circuit-switch.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{

PlanRows::PlanRows(std::shared_ptr<ResultWriter> writer, RailId rail)
    : ResultSource(std::move(writer), "plans"),
      m_rail(rail)
{
}

void
PlanRows::Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer)
{
    if (const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch())
    {
        const auto source = Create<PlanRows>(writer, rail.GetId());
        Listen(*middle, "PlanAccepted", MakeCallback(&PlanRows::Accepted, source));
        Listen(*middle, "PlanQueued", MakeCallback(&PlanRows::Queued, source));
        Listen(*middle, "PlanRefused", MakeCallback(&PlanRows::Ended, source));
        Listen(*middle, "PlanEnded", MakeCallback(&PlanRows::Ended, source));
    }
}

void
PlanRows::Queued(uint64_t plan, const CircuitPlan& what)
{
    std::ostringstream circuits;
    circuits << what;
    m_open[plan].circuits = circuits.str();
}

void
PlanRows::Accepted(uint64_t plan, const CircuitPlan& what)
{
    Queued(plan, what);
    m_open[plan].start = Simulator::Now();
}

void
PlanRows::Ended(const CircuitPlanReport& report)
{
    const Open plan = m_open[report.plan]; // one that is refused at once has no circuits here
    m_open.erase(report.plan);
    Add(m_rail,
        report.plan,
        plan.start,
        Simulator::Now(),
        ToString(report.status),
        plan.circuits,
        report.message);
}

} // namespace ns3
