/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-outcomes.h"

#include "ns3/controller-outbox.h"

namespace ns3
{

PhaseOutcomes::PhaseOutcomes(ControllerRecord& record, ControllerOutbox& outbox)
    : m_record(record),
      m_outbox(outbox)
{
}

void
PhaseOutcomes::Refuse(const ControllerPhase& phase, const std::string& reason, bool isFinal)
{
    ++m_record.counters.refusals;
    m_record.Note(ControllerNote::Kind::REFUSED, phase.phase, reason);
    m_outbox.SendRefusal(phase, reason, isFinal);
    if (isFinal)
    {
        m_history.Add(phase.phase, reason);
    }
}

void
PhaseOutcomes::Refuse(ServerId server,
                      const OpusPhase& phase,
                      const std::vector<RankId>& ranks,
                      const std::string& reason,
                      bool isFinal)
{
    ++m_record.counters.refusals;
    m_record.Note(ControllerNote::Kind::REFUSED, phase, reason);
    m_outbox.SendRefusal(server, phase, ranks, reason, isFinal);
}

void
PhaseOutcomes::RefuseUnopened(const OpusPhase& phase, const std::string& reason)
{
    m_history.Add(phase, reason);
}

void
PhaseOutcomes::Finish(const OpusPhase& phase)
{
    m_record.Note(ControllerNote::Kind::OVER, phase);
    m_history.Add(phase, "");
}

std::optional<std::string>
PhaseOutcomes::Find(const OpusPhase& phase) const
{
    return m_history.Find(phase);
}

void
PhaseOutcomes::Repeat(ServerId server, const OpusPhase& phase, const std::vector<RankId>& ranks)
{
    const std::optional<std::string> outcome = Find(phase);
    if (outcome && !outcome->empty())
    {
        m_outbox.SendRefusal(server, phase, ranks, *outcome, true);
    }
}

std::string
PhaseOutcomes::Describe() const
{
    return m_history.Describe();
}

} // namespace ns3
