/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-grants.h"

#include "ns3/controller-outbox.h"

namespace ns3
{

PhaseGrants::PhaseGrants(GrantExtent& extent,
                         GrantRecalls& recalls,
                         PhaseTurns& turns,
                         ControllerRecord& record,
                         ControllerOutbox& outbox)
    : m_extent(extent),
      m_recalls(recalls),
      m_turns(turns),
      m_record(record),
      m_outbox(outbox)
{
}

void
PhaseGrants::Grant(ControllerPhase& phase)
{
    phase.state = ControllerPhase::State::GRANTED;
    phase.alone = false;
    phase.recalled = false;
    phase.calledIn = false;
    m_extent.Begin(phase);
    ++m_record.counters.grants;
    m_record.Note(ControllerNote::Kind::GRANTED, phase.phase);
    m_outbox.SendGrant(phase, phase.votes.GetRanks(), false);
    m_turns.Review(phase.phase);
}

void
PhaseGrants::Join(ControllerPhase& phase, const std::vector<RankId>& ranks)
{
    if (phase.state == ControllerPhase::State::GRANTED && !phase.recalled && !phase.isResumed)
    {
        m_outbox.SendGrant(phase, ranks, true);
    }
}

void
PhaseGrants::TakeOver(ControllerPhase& phase, uint64_t until)
{
    m_turns.Leave(phase);
    phase.state = ControllerPhase::State::GRANTED;
    phase.isResumed = true;
    phase.firm = m_record.GetTime();
    m_extent.TakeOver(phase, until);
}

void
PhaseGrants::Resume(ControllerPhase& phase)
{
    if (!phase.recalled)
    {
        m_outbox.SendGrant(phase, phase.votes.GetRanks(), true);
    }
    m_recalls.Repeat(phase);
}

} // namespace ns3
