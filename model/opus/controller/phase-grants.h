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
 * @brief How far a grant goes, and how it ends before that: the RECALLs that its ranks are sent.
 *
 * A grant serves the operations up to ControllerPhase::until, which only gets less. It is recalled
 * in one of three ways, each at most once:
 *
 * - shortened: a rank gave it back after an earlier operation, and the others go as far;
 * - called in: its ranks give it back when they are idle, as others wait for its rails;
 * - called back: its ranks give it back at once, unused. After that nothing else is recalled.
 *
 * Where circuits are for good (CircuitPolicy::IsForGood), a grant has neither a last operation nor
 * a time limit.
 */
class PhaseGrants
{
  public:
    /** @param limit from a grant to its release, in picoseconds; a longer one is reported */
    PhaseGrants(Picoseconds limit,
                const CircuitPolicy& policy,
                const RankProgress& progress,
                OpenPhases& phases,
                PhaseTurns& turns,
                ControllerRecord& record,
                ControllerOutbox& outbox);

    /** The circuits of a phase are up, and its votes are complete and firm. */
    void Grant(ControllerPhase& phase);
    /** Ranks come back to a phase that may be granted, or have not heard of it. */
    void Join(ControllerPhase& phase, const std::vector<RankId>& ranks);
    /** A phase was granted in an earlier term. @param until its last operation, by one rank */
    void TakeOver(ControllerPhase& phase, uint64_t until);
    /** All votes are known of a phase that was granted in an earlier term: it goes no further. */
    void AgreeAgain(ControllerPhase& phase);
    /** All is known of a phase that was granted in an earlier term: its ranks are told again. */
    void Resume(ControllerPhase& phase);

    /** A rank has given back a phase that is granted: others go only as far as it did. */
    void Shorten(ControllerPhase& phase, uint64_t until);
    /** A phase that is granted is called back. */
    void CallBack(ControllerPhase& phase, const std::string& why);
    /** Phases of which a rank could not be told are called back from the others. */
    void CallBackUntold(const std::set<OpusPhase>& untold);
    /** A phase is called back if it is granted and a rank is missing, so that it may never end. */
    void CallBackIfTorn(ControllerPhase& phase);
    /** A phase that is granted is called in. */
    void CallIn(ControllerPhase& phase);
    /** A grant is in use beyond its limit, which is reported. */
    void Expire(ControllerPhase& phase);

  private:
    /** @return the last operation that a phase is to serve */
    uint64_t AgreeOn(const ControllerPhase& phase) const;
    /** The time limit of a grant begins. */
    void LimitUse(ControllerPhase& phase);
    /** The ranks of a phase are told to give it back, see ControllerOutbox. */
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
