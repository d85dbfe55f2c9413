/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_RELEASES_H
#define PHOTONIC_RAILS_PHASE_RELEASES_H

#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-grants.h"
#include "phase-voting.h"
#include "request-admission.h"

#include "ns3/opus-message.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes the releases of ranks: of used grants, of unused grants, and of guesses that are
 * withdrawn.
 *
 * A rank that releases a used grant is through with the operations that it names, and with all
 * phases of the flow up to there. The other ranks of the phase go no further than this rank
 * (PhaseGrants::Shorten).
 */
class PhaseReleases
{
  public:
    PhaseReleases(const RequestAdmission& admission,
                  OpenPhases& phases,
                  PhaseVoting& voting,
                  const PhaseEndings& endings,
                  PhaseGrants& grants,
                  ControllerRecord& record);

    void TakeRelease(const OpusMessage& message);

  private:
    /** Counts the releases of a message. @return whether any of them is new */
    bool Release(ControllerPhase& phase, const OpusMessage& message);

    const RequestAdmission& m_admission;
    OpenPhases& m_phases;
    PhaseVoting& m_voting;
    const PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_RELEASES_H */
