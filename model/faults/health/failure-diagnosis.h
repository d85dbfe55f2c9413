/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAILURE_DIAGNOSIS_H
#define PHOTONIC_RAILS_FAILURE_DIAGNOSIS_H

#include "failure-sign.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3
{

/** What has failed, as far as the signs show it. */
struct FailureDiagnosis
{
    std::set<uint32_t> servers; //!< that can't be used any more, or not all of whose GPUs can
    std::set<GpuPlace> gpus;    //!< of them; none: the whole server
    std::set<GpuPlace> tied;    //!< others that the signs point to as well
    FailureSign sign{FailureSign::TIMEOUT}; //!< the strongest one, which decided
    std::string words;                      //!< why, for people

    /** @return whether a component was found: else the signs point to none */
    bool IsKnown() const
    {
        return !servers.empty();
    }
};

/**
 * @ingroup photonic-rails
 * @brief Finds what has failed from the signs of a job.
 *
 * The strongest sign decides, alone:
 * 1. a silent server is lost;
 * 2. a GPU whose process has ended has failed;
 * 3. messages that were given up (NO_CARRIER, RETRY_LIMIT): the GPU that is in most pairs of a
 *    reporter and its suspect has failed, or is cut off. If several are, as with a single pair, it
 *    is that which reported nothing itself. If the signs do not tell them apart, one that was tied
 *    in an earlier diagnosis and was left in the job; else the first by its place, and the others
 *    are tied: if one of them has failed, it is found when the job fails again.
 * 4. ranks that stalled: if all but the ranks of one server did, that server. Else nothing is
 * found.
 *
 * Plain C++: no simulator.
 * @param reports of all servers
 * @param silent servers without a heartbeat
 * @param running servers of the job
 * @param left GPUs that were tied in earlier diagnoses
 */
FailureDiagnosis Diagnose(const std::set<FailureReport>& reports,
                          const std::set<uint32_t>& silent,
                          const std::set<uint32_t>& running,
                          const std::set<GpuPlace>& left = {});

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAILURE_DIAGNOSIS_H */
