/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_VOTING_H
#define PHOTONIC_RAILS_PHASE_VOTING_H

#include "controller-settings.h"
#include "phase-endings.h"

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-turns.h"
#include "ns3/picoseconds.h"
#include "ns3/port-ledger.h"
#include "ns3/rank-progress.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The state of a phase that follows from its votes, and the progress of its ranks.
 *
 * A phase waits for votes, then for its ports, and ends when its ranks do not want it any more:
 * after each change of its votes, Update() puts it into the state that follows from them. Its votes
 * are firm if all ranks have called the operation, or if guesses count like calls
 * (SpeculationRule::GRANT). A rank that has come further than a phase (RankProgress) counts as
 * through with it.
 */
class PhaseVoting
{
  public:
    PhaseVoting(const ControllerSettings& settings,
                OpenPhases& phases,
                PhaseTurns& turns,
                PhaseEndings& endings,
                PortLedger& ledger,
                ControllerRecord& record);

    /** @return whether the present votes allow a grant of a phase */
    bool IsFirm(const ControllerPhase& phase) const;
    /** Puts a phase into the state that follows from its votes, and orders its flow. */
    void Update(ControllerPhase& phase);
    /** Begins or continues the wait of a phase for votes, or for firm ones. */
    void AwaitVotes(ControllerPhase& phase);
    /** Refuses a phase that not all ranks have requested in time. */
    void Expire(ControllerPhase& phase);

    /**
     * Notes that a rank is through with a stage of an operation, and with all operations before it.
     */
    void Raise(const OpusPhase& phase, RankId rank, uint64_t operation);
    /**
     * Counts ranks that are further than a phase as through with it.
     * @return whether any of them is new
     */
    bool CountFurther(ControllerPhase& phase, const std::vector<RankId>& ranks) const;
    /**
     * Counts ranks that are further than the open phases of a flow as through with them.
     * @param ofFlow any phase of it
     */
    void CountFurther(const OpusPhase& ofFlow, const std::vector<RankId>& ranks);
    /**
     * Counts the requests of ranks that hold a phase of an earlier term, and orders its flow.
     * @param ranks those that do not take part are ignored
     * @param request of each; it arrives now
     */
    void CountHolding(ControllerPhase& phase,
                      const std::vector<RankId>& ranks,
                      PhaseRequest request);
    /** @return the progress of each rank */
    const RankProgress& GetProgress() const;

  private:
    /** Notes the time at which a phase's votes are complete and firm. */
    void NoteFirm(ControllerPhase& phase);
    /** Continues with a phase whose votes are complete. */
    void Complete(ControllerPhase& phase);
    /**
     * Continues with a granted phase whose votes have changed.
     * @return whether a rank still holds it
     */
    bool IsStillHeld(ControllerPhase& phase);
    /** @return the end of the wait for votes, in picoseconds */
    Picoseconds GetVoteDeadline(const ControllerPhase& phase) const;
    /** @return the missing votes, in words */
    std::string DescribeMissing(const ControllerPhase& phase) const;

    SpeculationRule m_speculation;
    ControllerLimits m_limits;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    PhaseEndings& m_endings;
    PortLedger& m_ledger;
    ControllerRecord& m_record;
    RankProgress m_progress;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_VOTING_H */
