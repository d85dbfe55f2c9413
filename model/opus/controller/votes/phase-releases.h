/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_RELEASES_H
#define PHOTONIC_RAILS_PHASE_RELEASES_H

#include "ns3/cabling.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/grant-recalls.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-outcomes.h"
#include "ns3/phase-voting.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes the releases of ranks: of used grants, of unused grants, and of guesses that are
 * withdrawn.
 *
 * A rank that releases a used grant is through with the operations that it names, and with all
 * phases of the flow up to there. The other ranks of the phase go no further than this rank
 * (GrantRecalls::Shorten).
 */
class PhaseReleases
{
  public:
    PhaseReleases(std::shared_ptr<const Cabling> cabling,
                  OpenPhases& phases,
                  PhaseVoting& voting,
                  const PhaseOutcomes& outcomes,
                  GrantRecalls& recalls,
                  ControllerRecord& record);

    /** Counts a release. @param server of the shim */
    void TakeRelease(ServerId server, const OpusRelease& release);

  private:
    /** Counts the release of each rank. @return whether any of them is new */
    bool Release(ControllerPhase& phase, const OpusRelease& release);

    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    PhaseVoting& m_voting;
    const PhaseOutcomes& m_outcomes;
    GrantRecalls& m_recalls;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_RELEASES_H */
