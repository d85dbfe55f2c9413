/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_STARTS_H
#define PHOTONIC_RAILS_JOB_STARTS_H

#include "circuit-setup.h"

#include "ns3/circuit-policy.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/port-ledger.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits that jobs start with, and the jobs that a policy cannot run.
 *
 * In a new term the start is postponed until the circuits and the held grants are known, because it
 * may have happened in an earlier term. The circuits of a start are set up for a phase of a
 * separate group, which no rank requests.
 */
class JobStarts
{
  public:
    JobStarts(std::vector<JobDemand> demands,
              CircuitPolicy& policy,
              OpenPhases& phases,
              PortLedger& ledger,
              CircuitSetup& setup,
              ControllerRecord& record);

    /** @return whether a phase represents the start of a job */
    static bool IsFor(const OpusPhase& phase);

    /** Sets up the circuits that jobs start with. */
    void Start();
    /** Postpones the start until the state that it needs is known. */
    void Postpone();
    /** @return whether the start is postponed */
    bool IsPostponed() const;
    /** @return whether no phase may go before the start: circuits are for good */
    bool IsInTheWay() const;
    /** @return the reason why a job cannot run; empty if it can */
    std::string GetWhyNot(JobId job) const;

  private:
    std::vector<JobDemand> m_demands;
    CircuitPolicy& m_policy;
    OpenPhases& m_phases;
    PortLedger& m_ledger;
    CircuitSetup& m_setup;
    ControllerRecord& m_record;
    std::map<JobId, std::string> m_refused;
    bool m_isPostponed{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_STARTS_H */
