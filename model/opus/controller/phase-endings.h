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
 * @brief The ways in which a phase ends, and what became of the phases that are over.
 *
 * A phase is over when all its ranks are through with it, and refused when something fails. It is
 * forgotten, without either, when no rank wants it any more. Whatever way it ends, it holds no
 * place in the queues, no port and no rail after that.
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

    /** The circuits of a phase that is under way are not its own any more. */
    void FreeCircuits(ControllerPhase& phase);
    /** A phase is refused; for good, unless all of it was a guess. */
    void Refuse(ControllerPhase& phase, const std::string& reason);
    /** A phase is refused. @param isFinal for good */
    void Refuse(ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** A phase, which is not open, is refused for good. */
    void RefuseUnopened(const OpusPhase& phase, const std::string& reason);
    /** All ranks are through with a phase. */
    void Finish(ControllerPhase& phase);
    /** A phase that is open is forgotten. */
    void Forget(const OpusPhase& phase);

    /** @return the refusal, or empty words, of a phase that is over */
    std::optional<std::string> FindOver(const OpusPhase& phase) const;
    /** @return what became of phases in words, the same for equal ones */
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
