/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SERVER_ADMISSION_H
#define PHOTONIC_RAILS_SERVER_ADMISSION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The servers that a job needs. */
struct ServerRequest
{
    std::string name;              //!< of the job, for reasons
    uint32_t servers{1};           //!< number of servers
    std::vector<uint32_t> named{}; //!< these servers, in order of its ranks; empty: any
};

/** The servers that a job has. */
struct ServerGrant
{
    uint32_t job{0};                 //!< by order of arrival, from 0
    std::vector<uint32_t> servers{}; //!< in order of its ranks
};

/**
 * @ingroup photonic-rails
 * @brief Gives the servers of a cluster to jobs: all that a job needs, or none, and each server to
 * one job at a time.
 *
 * Jobs are admitted in order of arrival. A job that has to wait holds up the later ones, unless
 * `overtaking` lets those go first that fit into the free servers. A job that names no servers gets
 * the free ones of the lowest numbers.
 *
 * Plain C++: no simulator.
 */
class ServerAdmission
{
  public:
    /**
     * @param servers of the cluster, counted from 0
     * @param overtaking whether a later job may go first
     */
    explicit ServerAdmission(uint32_t servers, bool overtaking = false);

    /** @return the reason why a job could never be admitted; empty if it can */
    std::string FindMistake(const ServerRequest& request) const;

    /** A job arrives, which can be admitted some time. @return its number */
    uint32_t Arrive(const ServerRequest& request);
    /** Gives servers to all jobs that can have them now. @return these jobs, in order of arrival */
    std::vector<ServerGrant> Admit();
    /** A job gives its servers back. */
    void Return(uint32_t job);

    /** @return the reason why a job that has arrived waits; empty if it does not */
    std::string GetWhyNot(uint32_t job) const;
    /** @return the number of free servers */
    uint32_t CountFree() const;

  private:
    /** A job that has arrived. */
    struct Job
    {
        ServerRequest request;
        bool isWaiting{true};
    };

    /** @return the servers that a job could have now; fewer than it needs if it can't */
    std::vector<uint32_t> FindServers(const ServerRequest& request) const;
    /** @return which jobs have servers, in words */
    std::string DescribeOwners() const;

    static constexpr uint32_t FREE = UINT32_MAX;

    bool m_overtaking;
    std::vector<uint32_t> m_owners; //!< by server: a job, or FREE
    std::vector<Job> m_jobs;        //!< in order of arrival
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SERVER_ADMISSION_H */
