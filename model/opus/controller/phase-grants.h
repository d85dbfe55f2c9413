/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_GRANTS_H
#define PHOTONIC_RAILS_PHASE_GRANTS_H

#include "controller-outbox.h"
#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-turns.h"
#include "rank-progress.h"

#include "ns3/circuit-policy.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The extent of a grant, and its early end: the RECALLs to its ranks.
 *
 * A grant serves the operations up to ControllerPhase::until, which never grows. It is recalled in
 * one of three ways, each at most once:
 *
 * - shortened: a rank released it after an earlier operation, and the others go equally far;
 * - called in: its ranks release it when they are idle, because others wait for its rails;
 * - called back: its ranks release it at once, unused. After that there is no other recall.
 *
 * Where circuits are for good (CircuitPolicy::IsForGood), a grant has neither a last operation nor
 * a time limit.
 */
class PhaseGrants
{
  public:
    /** @param limit in picoseconds from a grant to its release; a longer use is reported */
    PhaseGrants(Picoseconds limit,
                const CircuitPolicy& policy,
                const RankProgress& progress,
                OpenPhases& phases,
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
    /** Limits a phase of an earlier term, whose votes are all known now: it goes no further. */
    void AgreeAgain(ControllerPhase& phase);
    /**
     * Continues a phase of an earlier term, whose state is complete now: its ranks get the grant
     * again.
     */
    void Resume(ControllerPhase& phase);

    /** Shortens a granted phase that a rank has released: others go only as far as this rank. */
    void Shorten(ControllerPhase& phase, uint64_t until);
    /** Calls back a granted phase. */
    void CallBack(ControllerPhase& phase, const std::string& why);
    /** Calls back phases from all ranks, because one of them could not be informed of the grant. */
    void CallBackUntold(const std::set<OpusPhase>& untold);
    /** Calls back a granted phase in which a rank is missing, so that it may never end. */
    void CallBackIfTorn(ControllerPhase& phase);
    /** Calls in a granted phase. */
    void CallIn(ControllerPhase& phase);
    /** Reports a grant that is in use beyond its limit. */
    void Expire(ControllerPhase& phase);

  private:
    /** @return the last operation that a phase will serve */
    uint64_t AgreeOn(const ControllerPhase& phase) const;
    /** Starts the time limit of a grant. */
    void LimitUse(ControllerPhase& phase);
    /** Sends the ranks of a phase a RECALL, see ControllerOutbox. */
    void Recall(const ControllerPhase& phase, const std::string& why, uint64_t until, bool all);

    Picoseconds m_limit;
    const CircuitPolicy& m_policy;
    const RankProgress& m_progress;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_GRANTS_H */
