/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "term-takeover.h"

#include <vector>

namespace ns3
{

TermTakeover::TermTakeover(PortLedger& ledger,
                           ResumedPhases& resumed,
                           UnnamedRanks& unnamed,
                           JobStarts& starts,
                           PhaseTurns& turns,
                           ControllerRecord& record)
    : m_ledger(ledger),
      m_resumed(resumed),
      m_unnamed(unnamed),
      m_starts(starts),
      m_turns(turns),
      m_record(record)
{
}

void
TermTakeover::Begin()
{
    m_starts.Postpone();
    m_ledger.BeginTerm();
    GoOn();
}

void
TermTakeover::GoOn()
{
    m_resumed.GoOn();
    m_unnamed.Find();
    if (m_starts.IsPostponed() && m_ledger.IsAllKnown())
    {
        m_starts.Start();
    }
    m_turns.LookAtAll();
}

void
TermTakeover::TakeAccept(RailId rail, const OpusAccept& accept)
{
    if (rail.Get() >= m_ledger.GetCircuits().size() || m_ledger.IsKnown(rail))
    {
        ++m_record.counters.duplicates;
        return;
    }
    std::vector<Circuit> circuits;
    for (const SwitchCircuit& circuit : accept.circuits)
    {
        circuits.emplace_back(circuit.one, circuit.other);
    }
    m_ledger.Learn(rail, circuits);
    GoOn();
}

void
TermTakeover::TakeTerm(ServerId server, const OpusTerm& end)
{
    m_ledger.Learn(end.job, server);
    GoOn();
}

} // namespace ns3
