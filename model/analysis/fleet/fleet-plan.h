/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_PLAN_H
#define PHOTONIC_RAILS_FLEET_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A cluster of servers, its training jobs, and the servers that are held in reserve.
 *
 * Jobs are admitted in the order of the list, as long as a job fits beside the spares; one that
 * does not fit is left out. What no job has is a spare too: so all servers are of a job or spares.
 * Jobs have consecutive servers, from the first on; the spares are the last servers.
 *
 * A job has data-parallel replicas of equal numbers of servers, which are its stages.
 *
 * Plain C++: no simulator.
 */
struct FleetPlan
{
    uint32_t servers{400};
    uint32_t serversPerRack{8};   //!< consecutive servers
    uint32_t gpus{8};             //!< of each server
    uint32_t replicaServers{2};   //!< of each replica of each job
    std::vector<uint32_t> jobs{}; //!< the servers of each, in order of admission
    uint32_t spares{0};           //!< least number of servers in reserve

    /** @return the mistake: the value, the limit and the remedy; empty: none */
    std::string FindMistake() const;
    /** @return the mistake in the jobs alone; empty: none */
    std::string FindMistakeOfJobs() const;
    /** @return the servers of each job that is admitted */
    std::vector<uint32_t> ListAdmitted() const;
    /** @return the number of servers in reserve: `spares`, and those that no job fits into */
    uint32_t CountPool() const;
    /** @return those of some numbers of spares with which other jobs are admitted than before */
    std::vector<uint32_t> ListDistinctSpares(const std::vector<uint32_t>& numbers) const;

    /** @return the rack of a server */
    uint32_t GetRack(uint32_t server) const
    {
        return server / serversPerRack;
    }
};

/**
 * Reads a job mix.
 * @param words each COUNTxSERVERS, such as "8x16"
 * @param [out] jobs the servers of each job; as it is if there is a mistake
 * @return the mistake; empty: none
 */
std::string ReadJobMix(const std::vector<std::string>& words, std::vector<uint32_t>& jobs);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_PLAN_H */
