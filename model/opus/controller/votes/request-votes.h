/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REQUEST_VOTES_H
#define PHOTONIC_RAILS_REQUEST_VOTES_H

#include "pair-agreement.h"
#include "request-admission.h"

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-grants.h"
#include "ns3/phase-voting.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Counts requests as votes of their ranks.
 *
 * A request that is admitted (RequestAdmission), and that agrees with the phase (PairAgreement), is
 * the vote of each of its ranks. Ranks that request a granted phase join it at once.
 */
class RequestVotes
{
  public:
    RequestVotes(RequestAdmission& admission,
                 PairAgreement& agreement,
                 PhaseVoting& voting,
                 PhaseGrants& grants,
                 ControllerRecord& record);

    /** Counts a request as votes. @param server of the shim */
    void TakeRequest(ServerId server, const OpusRequest& request);

  private:
    /** Counts the votes of a request. @return whether any of them is new */
    bool Vote(ControllerPhase& phase, const OpusRequest& request);

    RequestAdmission& m_admission;
    PairAgreement& m_agreement;
    PhaseVoting& m_voting;
    PhaseGrants& m_grants;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REQUEST_VOTES_H */
