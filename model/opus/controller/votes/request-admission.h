/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REQUEST_ADMISSION_H
#define PHOTONIC_RAILS_REQUEST_ADMISSION_H

#include "request-checks.h"

#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-outcomes.h"
#include "ns3/rank-progress.h"

namespace ns3
{

class ControllerOutbox;

/**
 * @ingroup photonic-rails
 * @brief Decides whether a request counts as votes, by the outcome of the phase and by what is
 * possible (RequestChecks), and answers the requests that do not count.
 *
 * A request that comes twice, or after its phase is over, gets the same answer as before. A request
 * for pairs that can never be joined refuses the phase to all its ranks, which need not name these
 * pairs. But it is refused to its server alone if it is a guess, if the server has no part in the
 * job, or if the phase is open with other pairs, or is under way.
 */
class RequestAdmission
{
  public:
    RequestAdmission(const RequestChecks& checks,
                     OpenPhases& phases,
                     const RankProgress& progress,
                     PhaseEndings& endings,
                     PhaseOutcomes& outcomes,
                     ControllerRecord& record);

    /** @return whether a request counts as votes; if not, it has been answered */
    bool IsAdmitted(ServerId server, const OpusRequest& request);

  private:
    /** @return whether a request is for a phase that is over; if so, it has been answered */
    bool IsOver(ServerId server, const OpusRequest& request);
    /** Refuses a phase to all ranks after a request for pairs that can never be joined. */
    void RefuseAll(ServerId server, const OpusRequest& request, const std::string& reason);
    /** Refuses a request to its server. */
    void RefuseSender(ServerId server, const OpusRequest& request, const std::string& reason);

    const RequestChecks& m_checks;
    OpenPhases& m_phases;
    const RankProgress& m_progress;
    PhaseEndings& m_endings;
    PhaseOutcomes& m_outcomes;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REQUEST_ADMISSION_H */
