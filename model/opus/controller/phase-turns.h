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
#include "ns3/opus-message.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The turns of phases whose votes are complete, and which of these phases stand in the
 * queues of their ranks.
 *
 * Phases whose votes become complete at one instant get their turns at its end, in the order in
 * which the messages of the instant complete them. A phase with a turn stands in the queues
 * (WaitingPhases) while no earlier phase of its flow has to be granted first.
 */
class PhaseTurns
{
  public:
    /** @param phases that are open @param traffic on rails @param waiting the queues, empty */
    PhaseTurns(OpenPhases& phases, const RailTraffic& traffic, WaitingPhases waiting);

    /** The votes of a phase are complete: it waits for a turn. @param isGuess it is not firm */
    void Complete(ControllerPhase& phase, bool isGuess);
    /** A phase leaves the queues, if it stands in them. */
    void Leave(ControllerPhase& phase);
    /** The phases of a flow join or leave the queues, as an earlier one has changed. */
    void Review(const OpusPhase& flowKey);
    /** The phases that wait for a turn get it. */
    void Assign();

    /** @return whether no phase before one in the queues keeps its ports from it */
    bool MayGo(const ControllerPhase& phase) const;
    /** @return whether no phase is before one in the queues */
    bool IsFirst(const ControllerPhase& phase) const;
    /** @return whether a phase stands in the queues and keeps its ports from later ones */
    bool IsReserving(const ControllerPhase& phase) const;
    /** @return how many turns there were */
    uint64_t GetCount() const;

    /** Phases that wait at some ranks are to be looked at. */
    void LookAt(const std::set<RankId>& ranks);
    /** Phases that may wait for some rails as wholes are to be looked at. */
    void LookAtRails(const std::set<RailId>& rails);
    /** Phases at the ranks of another, and on its whole rails, are to be looked at. */
    void LookAround(const ControllerPhase& phase);
    /** All phases in the queues are to be looked at. */
    void LookAtAll();
    /** A phase that is under way ends: those that wait for it reserve from now on. */
    void Reserve(const ControllerPhase& ending);
    /** @return the first phase that is to be looked at, which then is not any more; or null */
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
