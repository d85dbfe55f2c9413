/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_ENDINGS_H
#define PHOTONIC_RAILS_PHASE_ENDINGS_H

#include "controller-outbox.h"
#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-turns.h"
#include "port-ledger.h"
#include "rail-traffic.h"

#include "ns3/opus-message.h"
#include "ns3/phase-history.h"

#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ways in which a phase ends, and the outcomes of the phases that have ended.
 *
 * A phase is over when all its ranks are through with it. It is refused when something fails. It is
 * forgotten, without an outcome, when no rank wants it any more. After each of these ends it holds
 * no place in the queues, no port and no rail.
 */
class PhaseEndings
{
  public:
    PhaseEndings(OpenPhases& phases,
                 PhaseTurns& turns,
                 PortLedger& ledger,
                 RailTraffic& traffic,
                 ControllerRecord& record,
                 ControllerOutbox& outbox);

    /** Releases the circuits of a phase that is under way. */
    void FreeCircuits(ControllerPhase& phase);
    /** Refuses a phase; for good, unless it has guesses only. */
    void Refuse(ControllerPhase& phase, const std::string& reason);
    /** Refuses a phase. @param isFinal for good */
    void Refuse(ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** Refuses a phase, which is not open, for good. */
    void RefuseUnopened(const OpusPhase& phase, const std::string& reason);
    /** Ends a phase that all ranks are through with. */
    void Finish(ControllerPhase& phase);
    /** Forgets an open phase. */
    void Forget(const OpusPhase& phase);

    /** @return of a phase that has ended: its refusal, or empty words; else nothing */
    std::optional<std::string> FindOver(const OpusPhase& phase) const;
    /** @return the outcomes of phases in words; equal outcomes have equal words */
    std::string Describe() const;

  private:
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PortLedger& m_ledger;
    RailTraffic& m_traffic;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
    PhaseHistory m_history;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_ENDINGS_H */
