/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-plans.h"

namespace ns3
{

ProgramPlans::ProgramPlans(PortLedger& ledger, ControllerRecord& record, ControllerOutbox& outbox)
    : m_ledger(ledger),
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
ProgramPlans::IsAnswer(const OpusMessage& message) const
{
    return m_ledger.IsOpen(message.plan) && m_ledger.GetRail(message.plan) == message.rail;
}

const std::vector<OpusPhase>&
ProgramPlans::GetPhases(uint64_t number) const
{
    return m_open.at(number);
}

std::vector<OpusPhase>
ProgramPlans::Close(uint64_t number, OpenPhases& phases)
{
    std::vector<OpusPhase> waiting;
    for (const OpusPhase& key : m_open.at(number))
    {
        ControllerPhase* phase = phases.Find(key);
        if (phase && phase->plans.erase(number) != 0)
        {
            waiting.push_back(key);
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
