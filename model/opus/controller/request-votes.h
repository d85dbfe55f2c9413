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
 * @brief Counts requests as votes: opens phases, puts together what their ranks name, and settles
 * disagreements.
 *
 * A request names the pairs that its ranks are in, how many ranks take part in the phase, and the
 * digest of all their pairs (NamedPairs). Two digests are a disagreement: a guess gives way to what
 * is called; if both are called, no rank gets anything, but for what is under way.
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
    /** @return the phase of a request, which may be new; null if it was answered */
    ControllerPhase* FindOrOpen(const OpusMessage& message);
    /** Takes the pairs and ranks that a request names. @return why they can't be, or nothing */
    std::string AddNamed(ControllerPhase& phase, const OpusMessage& message);
    /** A request's ranks, and those that it names, take part in a phase. */
    void AddRanks(ControllerPhase& phase, const OpusMessage& message);
    /** @return whether a phase's pairs can be what its ranks say of them; if not, it is refused */
    bool IsConsistent(ControllerPhase& phase);
    /**
     * A request is for other pairs than those that a phase has.
     * @return whether the phase is gone, and the request may open another
     */
    bool Disagree(ControllerPhase& phase, const OpusMessage& message);
    /** @return the words on two servers that want other pairs joined for a phase */
    std::string DescribeDisagreement(const ControllerPhase& phase,
                                     const OpusMessage& message) const;
    /** Counts the votes of a request. @return whether it says anything new */
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
