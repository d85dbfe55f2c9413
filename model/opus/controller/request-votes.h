/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REQUEST_VOTES_H
#define PHOTONIC_RAILS_REQUEST_VOTES_H

#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-grants.h"
#include "phase-voting.h"
#include "request-admission.h"

#include "ns3/cabling.h"
#include "ns3/opus-message.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Counts requests as votes: opens phases, combines the pairs that their ranks name, and
 * settles disagreements.
 *
 * A request names the pairs of its ranks, the number of ranks in the phase, and the digest of all
 * their pairs (NamedPairs). Two digests are a disagreement: a call replaces a guess; if both are
 * calls, the phase is refused to all ranks, or, if it is under way, only to the ranks of the
 * request.
 */
class RequestVotes
{
  public:
    RequestVotes(std::shared_ptr<const Cabling> cabling,
                 RequestAdmission& admission,
                 OpenPhases& phases,
                 PhaseVoting& voting,
                 PhaseEndings& endings,
                 PhaseGrants& grants,
                 ControllerRecord& record);

    void TakeRequest(const OpusMessage& message);

  private:
    /** @return the phase of a request, which may be new; null if the request was answered */
    ControllerPhase* FindOrOpen(const OpusMessage& message);
    /**
     * Adds the pairs and ranks that a request names.
     * @return the reason why they are not possible; empty if they are
     */
    std::string AddNamed(ControllerPhase& phase, const OpusMessage& message);
    /** Adds a request's ranks, and those that it names, to a phase. */
    void AddRanks(ControllerPhase& phase, const OpusMessage& message);
    /** @return whether a phase's pairs agree with the claims of its ranks; if not, it is refused */
    bool IsConsistent(ControllerPhase& phase);
    /**
     * Handles a request for other pairs than those of the phase.
     * @return whether the phase is gone, and the request may open another
     */
    bool Disagree(ControllerPhase& phase, const OpusMessage& message);
    /** @return a description of two servers that request different pairs for a phase */
    std::string DescribeDisagreement(const ControllerPhase& phase,
                                     const OpusMessage& message) const;
    /** Counts the votes of a request. @return whether any of them is new */
    bool Vote(ControllerPhase& phase, const OpusMessage& message);

    std::shared_ptr<const Cabling> m_cabling;
    RequestAdmission& m_admission;
    OpenPhases& m_phases;
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    PhaseGrants& m_grants;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REQUEST_VOTES_H */
