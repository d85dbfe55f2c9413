/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PAIR_AGREEMENT_H
#define PHOTONIC_RAILS_PAIR_AGREEMENT_H

#include "phase-ranks.h"

#include "ns3/cabling.h"
#include "ns3/controller-phase.h"
#include "ns3/grant-recalls.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-outcomes.h"
#include "ns3/phase-voting.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Opens phases for requests, combines the pairs that their ranks name, and settles
 * disagreements.
 *
 * A request names the pairs of its ranks, the number of ranks in the phase, and the digest of all
 * their pairs (NamedPairs). Two digests are a disagreement: a call replaces a guess; if both are
 * calls, the phase is refused to all ranks, or, if it is under way, only to the ranks of the
 * request. So all requests that count for a phase are for the same pairs.
 */
class PairAgreement
{
  public:
    PairAgreement(std::shared_ptr<const Cabling> cabling,
                  PhaseRanks& ranks,
                  PhaseVoting& voting,
                  PhaseEndings& endings,
                  GrantRecalls& recalls,
                  PhaseOutcomes& outcomes);

    /**
     * Adds the pairs and ranks that a request names to its phase, which may be new.
     * @return the phase; null if the request does not agree with it, and was answered
     */
    ControllerPhase* Join(ServerId server, const OpusRequest& request);

  private:
    /** @return the phase of a request, which may be new; null if the request was answered */
    ControllerPhase* FindOrOpen(ServerId server, const OpusRequest& request);
    /**
     * Adds the pairs and ranks that a request names.
     * @return the reason why they are not possible; empty if they are
     */
    std::string AddNamed(ControllerPhase& phase, ServerId server, const OpusRequest& request);
    /** Adds a request's ranks, and those that it names, to a phase. */
    void AddRanks(ControllerPhase& phase, const OpusRequest& request);
    /**
     * @return whether the named pairs agree with the number of ranks and the digest; if not, the
     * phase is refused
     */
    bool IsConsistent(ControllerPhase& phase);
    /**
     * Handles a request for other pairs than those of the phase.
     * @return whether the phase is gone, and the request may open another
     */
    bool Disagree(ControllerPhase& phase, ServerId server, const OpusRequest& request);
    /** @return a description of two servers that request different pairs for a phase */
    std::string DescribeDisagreement(const ControllerPhase& phase,
                                     ServerId server,
                                     const OpusRequest& request) const;
    /** Refuses a request to its server. @param isFinal whether it may not repeat the request */
    void RefuseSender(ServerId server,
                      const OpusRequest& request,
                      const std::string& reason,
                      bool isFinal);

    std::shared_ptr<const Cabling> m_cabling;
    PhaseRanks& m_ranks;
    PhaseVoting& m_voting;
    PhaseEndings& m_endings;
    GrantRecalls& m_recalls;
    PhaseOutcomes& m_outcomes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PAIR_AGREEMENT_H */
