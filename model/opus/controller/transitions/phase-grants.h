/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_GRANTS_H
#define PHOTONIC_RAILS_PHASE_GRANTS_H

#include "grant-extent.h"
#include "grant-recalls.h"

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/phase-turns.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class ControllerOutbox;

/**
 * @ingroup photonic-rails
 * @brief Grants phases: the GRANTs to their ranks.
 *
 * A phase is granted to all ranks that want it. A rank that returns to a granted phase joins it,
 * unless the phase has been called back. A phase that was granted in an earlier term is granted to
 * no other rank until its state is complete (ControllerPhase::isResumed).
 */
class PhaseGrants
{
  public:
    PhaseGrants(GrantExtent& extent,
                GrantRecalls& recalls,
                PhaseTurns& turns,
                ControllerRecord& record,
                ControllerOutbox& outbox);

    /** Grants a phase whose circuits are up, and whose votes are complete and firm. */
    void Grant(ControllerPhase& phase);
    /** Grants an open phase to ranks that return to it, or did not get the grant. */
    void Join(ControllerPhase& phase, const std::vector<RankId>& ranks);
    /**
     * Takes over a phase that was granted in an earlier term.
     * @param until its last operation, by one rank
     */
    void TakeOver(ControllerPhase& phase, uint64_t until);
    /**
     * Continues a phase of an earlier term, whose state is complete now: its ranks get the grant
     * and its recalls again.
     */
    void Resume(ControllerPhase& phase);

  private:
    GrantExtent& m_extent;
    GrantRecalls& m_recalls;
    PhaseTurns& m_turns;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_GRANTS_H */
