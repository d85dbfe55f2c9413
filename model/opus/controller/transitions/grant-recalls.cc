/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "grant-recalls.h"

#include "ns3/controller-outbox.h"

#include <limits>

namespace ns3
{

GrantRecalls::GrantRecalls(OpenPhases& phases, ControllerRecord& record, ControllerOutbox& outbox)
    : m_phases(phases),
      m_record(record),
      m_outbox(outbox)
{
}

void
GrantRecalls::Recall(const ControllerPhase& phase, const std::string& why, uint64_t until, bool all)
{
    ++m_record.counters.recalls;
    m_record.Note(ControllerNote::Kind::RECALLED, phase.phase, why);
    m_outbox.SendRecall(phase, until, all);
}

void
GrantRecalls::Shorten(ControllerPhase& phase, uint64_t until)
{
    if (until >= phase.until)
    {
        return;
    }
    phase.until = until;
    phase.shortened = true;
    if (!phase.recalled && !phase.votes.GetHolding().empty())
    {
        Recall(phase, "a rank gave it back after operation " + std::to_string(until), until, false);
    }
}

void
GrantRecalls::CallBack(ControllerPhase& phase, const std::string& why)
{
    if (!phase.recalled)
    {
        phase.recalled = true;
        Recall(phase, why, 0, true);
    }
}

void
GrantRecalls::CallBackUndelivered(const std::set<OpusPhase>& undelivered)
{
    for (const OpusPhase& key : undelivered)
    {
        ControllerPhase* phase = m_phases.Find(key);
        if (phase && phase->state == ControllerPhase::State::GRANTED)
        {
            CallBack(*phase, "a server of its ranks can't be told of the grant");
        }
    }
}

void
GrantRecalls::CallBackIfTorn(ControllerPhase& phase)
{
    if (phase.state == ControllerPhase::State::GRANTED && !phase.isResumed &&
        phase.votes.Count(PhaseVote::NONE) > 0)
    {
        CallBack(phase, "a rank gave it back unused, and others wait for its ports");
    }
}

void
GrantRecalls::CallIn(ControllerPhase& phase)
{
    if (!phase.recalled && !phase.calledIn)
    {
        phase.calledIn = true;
        Recall(phase, "others wait for its rails", std::numeric_limits<uint64_t>::max(), false);
    }
}

void
GrantRecalls::Repeat(const ControllerPhase& phase)
{
    if (phase.recalled)
    {
        m_outbox.SendRecall(phase, 0, true);
        return;
    }
    if (phase.shortened)
    {
        m_outbox.SendRecall(phase, phase.until, false);
    }
    if (phase.calledIn)
    {
        m_outbox.SendRecall(phase, std::numeric_limits<uint64_t>::max(), false);
    }
}

} // namespace ns3
