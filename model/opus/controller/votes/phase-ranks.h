/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_RANKS_H
#define PHOTONIC_RAILS_PHASE_RANKS_H

#include "group-register.h"

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/controller-phase.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/other-rails.h"
#include "ns3/ring-fallback.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ranks and rails that take part in a phase, and its parallelism.
 *
 * The ranks of a phase are known from two sources: the pairs that ranks name, and the group of the
 * phase as soon as all its servers have registered their ranks. Each rank in a named pair takes
 * part, and so does the rail of each pair. The parallelism is that of the group at the time at
 * which the phase is opened.
 */
class PhaseRanks
{
  public:
    /**
     * @param fallback adds ranks of rails that have fallen back; null: none does
     * @param otherRails adds relays on other rails; null: there are none
     */
    PhaseRanks(std::shared_ptr<const Cabling> cabling,
               const GroupRegister& groups,
               OpenPhases& phases,
               const RingFallback* fallback = nullptr,
               const OtherRails* otherRails = nullptr);

    /** Opens a phase with its parallelism, or finds it, see OpenPhases::Open(). */
    std::pair<ControllerPhase&, bool> Open(const OpusPhase& phase, uint32_t whole, uint64_t digest);
    /**
     * Adds the pairs that some ranks name, and their ranks and rails.
     * @return the ranks that were not known before
     */
    std::vector<RankId> Name(ControllerPhase& phase,
                             const std::vector<RankId>& ranks,
                             const std::vector<JoinedRanks>& pairs);
    /**
     * Adds the ranks of a phase's group if ranks are missing, and the group has them all.
     * @return the ranks that were not known before
     */
    std::vector<RankId> AddGroup(ControllerPhase& phase) const;

  private:
    /** Adds the rails and the relays of the routes of a pair. */
    void AddRoutes(ControllerPhase& phase, const JoinedRanks& pair) const;

    std::shared_ptr<const Cabling> m_cabling;
    const GroupRegister& m_groups;
    OpenPhases& m_phases;
    const RingFallback* m_fallback;
    const OtherRails* m_otherRails;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_RANKS_H */
