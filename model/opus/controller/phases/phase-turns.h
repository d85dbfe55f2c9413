/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_TURNS_H
#define PHOTONIC_RAILS_PHASE_TURNS_H

#include "controller-phase.h"
#include "open-phases.h"
#include "rail-traffic.h"
#include "waiting-phases.h"

#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The turns of phases whose votes are complete, and their places in the queues of their
 * ranks.
 *
 * Phases whose votes become complete at one instant get their turns at its end, in the order in
 * which the messages of the instant complete them. A turn is the place of a phase in the order of
 * all. A phase with a turn is in the queues (WaitingPhases) while no earlier phase of its flow has
 * to be granted first.
 */
class PhaseTurns
{
  public:
    /** @param waiting the queues, which must be empty */
    PhaseTurns(OpenPhases& phases, const RailTraffic& traffic, WaitingPhases waiting);

    /**
     * Gives a phase with complete votes a turn at the end of the instant.
     * @param isGuess it is not firm
     */
    void Complete(ControllerPhase& phase, bool isGuess);
    /** Removes a phase from the queues, if it is in them. */
    void Leave(ControllerPhase& phase);
    /**
     * Lets the phases of a flow join or leave the queues, after an earlier one has changed.
     * @param ofFlow any phase of it
     */
    void Review(const OpusPhase& ofFlow);
    /** Assigns the turns of the instant. */
    void Assign();

    /** @return whether no earlier phase in the queues keeps its ports from it */
    bool MayGo(const ControllerPhase& phase) const;
    /** @return whether no earlier phase is in the queues */
    bool IsFirst(const ControllerPhase& phase) const;
    /** @return whether a phase is in the queues and keeps its ports from later ones */
    bool IsReserving(const ControllerPhase& phase) const;
    /** @return the number of turns so far */
    uint64_t GetCount() const;

    /** Marks the phases that wait at some ranks for another try. */
    void LookAt(const std::vector<RankId>& ranks);
    /** Marks the phases that may wait for some rails as wholes for another try. */
    void LookAtRails(const std::set<RailId>& rails);
    /** Marks the phases at the ranks of another, and on its whole rails, for another try. */
    void LookAround(const ControllerPhase& phase);
    /** Marks all phases in the queues for another try. */
    void LookAtAll();
    /** Makes the phases that wait for an ending one reserve their ports from now on. */
    void Reserve(const ControllerPhase& ending);
    /** Removes the mark of the first phase that is marked for a try. @return the phase, or null */
    ControllerPhase* TakeCandidate();

  private:
    OpenPhases& m_phases;
    const RailTraffic& m_traffic;
    WaitingPhases m_waiting;
    std::vector<OpusPhase> m_completed; //!< without a turn yet, in order
    uint64_t m_count{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_TURNS_H */
