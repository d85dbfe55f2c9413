/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_PROGRAMS_H
#define PHOTONIC_RAILS_JOB_PROGRAMS_H

#include "ns3/rank-program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A job that can be run: groups of ranks, and a program for each rank.
 *
 * TrainingJob::MakePrograms() makes one of a parallelism plan, ReadTraceJob() of a trace, and
 * JobRun runs it.
 */
struct JobPrograms
{
    /** A group of ranks: CollectiveHelper::MakeGroup() takes it. */
    struct Group
    {
        std::string name;            //!< for people
        std::vector<uint32_t> ranks; //!< of the job, in order; two or more
    };

    /** The work of a rank: CollectiveHelper::SetProgram() takes it. */
    struct Rank
    {
        std::shared_ptr<const RankProgram> program; //!< ranks that do the same may share one
        std::vector<uint32_t> groups;               //!< by the program's number: one of the job's
    };

    std::vector<Group> groups;
    std::vector<Rank> ranks; //!< by rank
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_PROGRAMS_H */
