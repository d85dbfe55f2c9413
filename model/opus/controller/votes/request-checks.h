/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REQUEST_CHECKS_H
#define PHOTONIC_RAILS_REQUEST_CHECKS_H

#include "group-register.h"

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"
#include "ns3/job-starts.h"
#include "ns3/opus-contents.h"

#include <memory>
#include <string>

namespace ns3
{

/** The objection to a request: the reason of a refusal, and its extent. */
struct RequestObjection
{
    std::string reason;    //!< empty: there is no objection
    bool isForeign{false}; //!< a rank in the pairs is not the job's
    bool isForAll{false};  //!< no rank of the phase can get the pairs
};

/**
 * @ingroup photonic-rails
 * @brief Checks whether a request is possible, whatever the state of its phase: by the ports of the
 * job, its start, the registered groups, and the pairs that can be joined.
 *
 * Pairs that can never be joined concern all ranks of the phase, unless the request is a guess, or
 * its server has no part in the job. Everything else concerns the server of the request alone.
 *
 * A check changes nothing.
 */
class RequestChecks
{
  public:
    RequestChecks(std::shared_ptr<const Cabling> cabling,
                  const GroupRegister& groups,
                  const JobStarts& starts);

    /** @return whether a request names pairs, and ranks of its server only */
    bool HasMeaning(ServerId server, const OpusRequest& request) const;
    /** @return the objection to a request that has a meaning, if there is one */
    RequestObjection FindObjection(ServerId server, const OpusRequest& request) const;

  private:
    /** @return a rank in a request's pairs that is not the job's, in words; empty: there is none */
    std::string FindForeignRank(const OpusRequest& request) const;
    /** @return whether pairs that cannot be joined are refused to all ranks of the phase */
    bool ConcernsAll(const OpusRequest& request) const;

    std::shared_ptr<const Cabling> m_cabling;
    const GroupRegister& m_groups;
    const JobStarts& m_starts;
    CircuitPlanner m_planner; //!< detects pairs that no policy can join
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REQUEST_CHECKS_H */
