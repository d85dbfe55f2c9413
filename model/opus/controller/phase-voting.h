/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_VOTING_H
#define PHOTONIC_RAILS_PHASE_VOTING_H

#include "controller-phase.h"
#include "controller-record.h"
#include "controller-settings.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-turns.h"
#include "port-ledger.h"
#include "rank-progress.h"

#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Where the votes of a phase lead it, and how far its ranks have come.
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

    /** @return whether a phase may be granted as its votes are */
    bool IsFirm(const ControllerPhase& phase) const;
    /** Puts a phase into the state that its votes lead to, and its flow in order. */
    void Update(ControllerPhase& phase);
    /** The wait of a phase for votes, or for firm ones, begins or goes on. */
    void AwaitVotes(ControllerPhase& phase);
    /** A phase is refused, as not all ranks have asked for it in time. */
    void Expire(ControllerPhase& phase);

    /** A rank is through with a stage of an operation, and with all operations before that. */
    void Raise(const OpusPhase& phase, RankId rank, uint64_t operation);
    /** Ranks that are further than a phase are through with it. @return whether that is new */
    bool CountFurther(ControllerPhase& phase, const std::vector<RankId>& ranks) const;
    /** Ranks that are further than the open phases of a flow are through with them. */
    void CountFurther(const OpusPhase& flowKey, const std::vector<RankId>& ranks);
    /** @return how far each rank has come */
    const RankProgress& GetProgress() const;

  private:
    /** Notes when a phase's votes are complete and firm. */
    void NoteFirm(ControllerPhase& phase);
    /** The votes of a phase are complete. */
    void Complete(ControllerPhase& phase);
    /** A phase that is granted has other votes. @return whether a rank still holds it */
    bool IsStillHeld(ControllerPhase& phase);
    /** @return the end of the wait for votes, in picoseconds */
    Picoseconds GetVoteDeadline(const ControllerPhase& phase) const;
    /** @return the words on votes that are missing */
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
