/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_WORK_H
#define PHOTONIC_RAILS_JOB_WORK_H

#include "job-programs.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** @return the compute time of the rank that computes longest, in its whole program */
Time FindMostComputing(const JobPrograms& job);

/**
 * @ingroup photonic-rails
 * @brief An estimate of the cost of the simulation of a job's operations: the messages of 1 MiB
 * that a rank sends in each, if collectives are rings.
 *
 * A message inside a server counts one, a message over a rail counts sixteen because it has frames.
 */
class JobWork
{
  public:
    /** @param perServer GPUs of a server */
    JobWork(const JobPrograms& job, uint32_t perServer);

    /** @return the estimate for an operation of a rank's program; 0 if it sends nothing */
    uint64_t GetWork(uint32_t rank, const RankOperation& operation) const;

    /** @return the sum over all operations of all ranks */
    uint64_t GetAll() const
    {
        return m_all;
    }

  private:
    /** A group of the job. */
    struct Group
    {
        uint64_t ranks;
        uint64_t weight; //!< of a message
    };

    std::vector<Group> m_groups;
    std::vector<std::vector<uint32_t>> m_groupsOf; //!< by rank and the program's number
    uint64_t m_all{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_WORK_H */
