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
 * @brief Decides whether a request counts as votes, by the groups that are registered, the ports
 * that the job owns, and what became of the phase.
 *
 * A request that comes twice, or after its phase is over, is answered as it was answered once. One
 * that names pairs that can never be joined is refused to all ranks of its phase, which need not
 * name these pairs; but to its server alone if it is a guess, or of a server that has no part in
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

    /** A server registers its ranks of a group. */
    void TakeRegistration(const OpusMessage& message);
    /** @return the groups */
    const GroupRegister& GetGroups() const;

    /** @return whether a message is of a server and ranks on it */
    bool IsFromServer(const OpusMessage& message) const;
    /** @return whether a request is to be counted as votes; if not, it was answered */
    bool IsAdmitted(const OpusMessage& message);
    /** A server is refused what it asked for. @param isFinal it may not ask again */
    void RefuseSender(const OpusMessage& message, const std::string& reason, bool isFinal);

  private:
    /** @return whether a request is for what is over; if so, it was answered */
    bool IsOver(const OpusMessage& message);
    /** @return the words on a rank in a request's pairs that is not the job's; or nothing */
    std::string FindForeignRank(const OpusMessage& message) const;
    /** A request names pairs that can never be joined. */
    void RefuseAll(const OpusMessage& message, const std::string& reason);

    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    const RankProgress& m_progress;
    PhaseEndings& m_endings;
    const JobStarts& m_starts;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
    GroupRegister m_groups;
    CircuitPlanner m_planner; //!< for what no policy can do
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REQUEST_ADMISSION_H */
