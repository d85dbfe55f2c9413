/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-plans.h"

#include "ns3/controller-outbox.h"

namespace ns3
{

ProgramPlans::ProgramPlans(OpenPhases& phases,
                           PortLedger& ledger,
                           ControllerRecord& record,
                           ControllerOutbox& outbox)
    : m_phases(phases),
      m_ledger(ledger),
      m_record(record),
      m_outbox(outbox)
{
}

void
ProgramPlans::Add(ControllerPhase& phase, RailId rail, const CircuitPlan& plan)
{
    const auto growing = phase.alone ? m_growing.end() : m_growing.find(rail);
    uint64_t number = 0;
    if (growing != m_growing.end())
    {
        number = growing->second;
        m_ledger.Extend(number, plan);
    }
    else
    {
        number = uint64_t{m_outbox.GetTerm()} << 32 | ++m_count;
        m_ledger.Start(number, rail, plan, phase.deadline);
        m_unsent.insert(number);
        if (!phase.alone)
        {
            m_growing.emplace(rail, number);
        }
        ++m_record.counters.programs;
        ControllerNote& note = m_record.Note(ControllerNote::Kind::PROGRAM, phase.phase);
        note.plan = number;
        note.rail = rail;
    }
    phase.plans.insert(number);
    m_open[number].push_back(phase.phase);
}

void
ProgramPlans::Send()
{
    for (const uint64_t number : m_unsent)
    {
        m_outbox.SendProgram(number,
                             m_ledger.GetRail(number),
                             m_ledger.GetPlan(number),
                             m_open.at(number).front());
    }
    m_unsent.clear();
    m_growing.clear();
}

bool
ProgramPlans::IsAnswer(RailId rail, uint64_t number) const
{
    return m_ledger.IsOpen(number) && m_ledger.GetRail(number) == rail;
}

const std::vector<OpusPhase>&
ProgramPlans::GetPhases(uint64_t number) const
{
    return m_open.at(number);
}

ProgramPlans::Closed
ProgramPlans::Done(uint64_t number, const std::vector<Circuit>& dark)
{
    return {m_ledger.Done(number, dark), Close(number)};
}

ProgramPlans::Closed
ProgramPlans::Abandon(uint64_t number)
{
    return {m_ledger.Abandon(number), Close(number)};
}

std::vector<ControllerPhase*>
ProgramPlans::Close(uint64_t number)
{
    std::vector<ControllerPhase*> waiting;
    for (const OpusPhase& key : m_open.at(number))
    {
        ControllerPhase* phase = m_phases.Find(key);
        if (phase && phase->plans.erase(number) != 0)
        {
            waiting.push_back(phase);
        }
    }
    m_open.erase(number);
    return waiting;
}

uint64_t
ProgramPlans::GetCount() const
{
    return m_count;
}

} // namespace ns3
