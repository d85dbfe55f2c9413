/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-starts.h"

#include <cstdint>
#include <utility>

namespace ns3
{

namespace
{

/** The group of the phases for which the circuits of starts are set up. */
constexpr uint32_t START_GROUP = UINT32_MAX;

} // namespace

JobStarts::JobStarts(std::vector<JobDemand> demands,
                     CircuitPolicy& policy,
                     OpenPhases& phases,
                     PortLedger& ledger,
                     CircuitSetup& setup,
                     ControllerRecord& record)
    : m_demands(std::move(demands)),
      m_policy(policy),
      m_phases(phases),
      m_ledger(ledger),
      m_setup(setup),
      m_record(record)
{
}

bool
JobStarts::IsFor(const OpusPhase& phase)
{
    return phase.group == GroupId(START_GROUP);
}

void
JobStarts::Start()
{
    m_isPostponed = false;
    for (const JobDemand& demand : m_demands)
    {
        OpusPhase start;
        start.job = demand.job;
        start.group = GroupId(START_GROUP);
        const CircuitTarget target = m_policy.GetInitial(demand, m_ledger.GetCircuits());
        std::string whyNot = target.refusal;
        whyNot = whyNot.empty() ? m_ledger.FindForeignPort(start.job, target) : whyNot;
        whyNot = whyNot.empty() ? m_ledger.GetWhyNot(target) : whyNot;
        if (!whyNot.empty())
        {
            m_refused[demand.job] = whyNot;
            m_record.Note(ControllerNote::Kind::REFUSED, start, whyNot);
        }
        else if (!target.changes.empty())
        {
            ControllerPhase& phase = m_phases.Open(start, 0, 0).first;
            phase.alone = true; // no rank would request it again
            m_setup.Program(phase, target);
        }
    }
}

void
JobStarts::Postpone()
{
    m_isPostponed = true;
}

bool
JobStarts::IsPostponed() const
{
    return m_isPostponed;
}

bool
JobStarts::IsInTheWay() const
{
    return m_isPostponed && m_policy.IsForGood();
}

std::string
JobStarts::GetWhyNot(JobId job) const
{
    const auto refused = m_refused.find(job);
    return refused == m_refused.end() ? "" : refused->second;
}

} // namespace ns3
