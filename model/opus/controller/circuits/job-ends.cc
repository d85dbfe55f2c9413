/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-ends.h"

#include <cstdint>
#include <vector>

namespace ns3
{

namespace
{

/** The group of the phases that represent ends of all jobs. */
constexpr uint32_t END_GROUP = UINT32_MAX - 2;

} // namespace

JobEnds::JobEnds(const CircuitPolicy& policy,
                 OpenPhases& phases,
                 PhaseEndings& endings,
                 PortLedger& ledger,
                 CircuitSetup& setup,
                 ControllerRecord& record)
    : m_policy(policy),
      m_phases(phases),
      m_endings(endings),
      m_ledger(ledger),
      m_setup(setup),
      m_record(record)
{
}

bool
JobEnds::IsFor(const OpusPhase& phase)
{
    return phase.group == GroupId(END_GROUP);
}

void
JobEnds::AllLeft()
{
    m_isDue = true;
}

void
JobEnds::Abandon(const std::string& reason)
{
    m_abandoned = reason;
    m_isDue = true;
}

void
JobEnds::RefuseAll()
{
    std::vector<OpusPhase> open;
    for (const auto& [key, phase] : m_phases.Get())
    {
        if (phase.state == ControllerPhase::State::VOTING ||
            phase.state == ControllerPhase::State::WAITING)
        {
            open.push_back(key);
        }
    }
    for (const OpusPhase& key : open)
    {
        m_endings.Refuse(m_phases.At(key), m_abandoned, true);
    }
}

void
JobEnds::EndGrants()
{
    std::vector<OpusPhase> kept;
    for (const auto& [key, phase] : m_phases.Get())
    {
        if (phase.state == ControllerPhase::State::GRANTED ||
            phase.state == ControllerPhase::State::PREPARED)
        {
            kept.push_back(key);
        }
    }
    for (const OpusPhase& key : kept)
    {
        m_endings.FreeCircuits(m_phases.At(key));
        m_endings.Finish(m_phases.At(key));
    }
}

bool
JobEnds::IsPossible() const
{
    return m_phases.Get().empty() && !m_ledger.HasTraffic();
}

CircuitTarget
JobEnds::MakeTarget() const
{
    CircuitTarget target;
    const RailCircuits& standing = m_ledger.GetCircuits();
    for (uint32_t rail = 0; rail < standing.size(); ++rail)
    {
        CircuitPlan plan;
        for (const Circuit& circuit : standing[rail].GetCircuits())
        {
            plan.Disconnect(circuit.low, circuit.high);
        }
        if (!plan.IsEmpty())
        {
            target.changes.emplace(RailId(rail), plan);
        }
    }
    return target;
}

void
JobEnds::GoOn()
{
    if (!m_abandoned.empty())
    {
        RefuseAll();
    }
    if (m_isDue && (m_policy.IsForGood() || !m_abandoned.empty()))
    {
        EndGrants();
    }
    if (!m_isDue || !IsPossible())
    {
        return;
    }
    const CircuitTarget target = MakeTarget();
    if (!m_ledger.GetWhyNot(target).empty())
    {
        return; // a plan is not answered yet
    }
    m_isDue = false;
    OpusPhase end;
    end.group = GroupId(END_GROUP);
    if (target.changes.empty())
    {
        m_record.Note(ControllerNote::Kind::RETURNED, end);
        return;
    }
    ControllerPhase& phase = m_phases.Open(end, 0, 0).first;
    phase.alone = true;
    m_setup.Program(phase, target);
}

void
JobEnds::Programmed(ControllerPhase& end)
{
    m_record.Note(ControllerNote::Kind::RETURNED, end.phase);
    Forget(end);
}

void
JobEnds::Fail(ControllerPhase& end, const std::string& reason)
{
    m_record.Note(ControllerNote::Kind::FAILED, end.phase, reason);
    Forget(end);
}

void
JobEnds::Forget(ControllerPhase& end)
{
    m_endings.FreeCircuits(end);
    end.plans.clear();
    m_endings.Forget(end.phase);
}

} // namespace ns3
