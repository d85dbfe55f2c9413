/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REQUEST_ADMISSION_H
#define PHOTONIC_RAILS_REQUEST_ADMISSION_H

#include "controller-outbox.h"
#include "controller-record.h"
#include "group-register.h"
#include "job-starts.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "rank-progress.h"

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/opus-message.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Decides whether a request counts as votes, by the registered groups, the ports of the job,
 * and the outcome of the phase.
 *
 * A request that comes twice, or after its phase is over, gets the same answer as before. A request
 * for pairs that can never be joined refuses the phase to all its ranks, which need not name these
 * pairs. But it is refused to its server alone if it is a guess, or if the server has no part in
 * the job.
 */
class RequestAdmission
{
  public:
    RequestAdmission(std::shared_ptr<const Cabling> cabling,
                     OpenPhases& phases,
                     const RankProgress& progress,
                     PhaseEndings& endings,
                     const JobStarts& starts,
                     ControllerRecord& record,
                     ControllerOutbox& outbox);

    /** Takes a server's registration of its ranks of a group. */
    void TakeRegistration(const OpusMessage& message);
    /** @return the groups */
    const GroupRegister& GetGroups() const;

    /** @return whether the sender of a message is a server, and the ranks are on it */
    bool IsFromServer(const OpusMessage& message) const;
    /** @return whether a request counts as votes; if not, it has been answered */
    bool IsAdmitted(const OpusMessage& message);
    /** Refuses a server's request. @param isFinal whether it may not repeat the request */
    void RefuseSender(const OpusMessage& message, const std::string& reason, bool isFinal);

  private:
    /** @return whether a request is for a phase that is over; if so, it has been answered */
    bool IsOver(const OpusMessage& message);
    /**
     * @return the reason of a refusal because a rank in a request's pairs is not the job's; empty
     * if there is no such rank
     */
    std::string FindForeignRank(const OpusMessage& message) const;
    /** Refuses a phase to all ranks after a request for pairs that can never be joined. */
    void RefuseAll(const OpusMessage& message, const std::string& reason);

    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    const RankProgress& m_progress;
    PhaseEndings& m_endings;
    const JobStarts& m_starts;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
    GroupRegister m_groups;
    CircuitPlanner m_planner; //!< detects pairs that no policy can join
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REQUEST_ADMISSION_H */
