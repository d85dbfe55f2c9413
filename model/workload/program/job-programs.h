/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_PROGRAMS_H
#define PHOTONIC_RAILS_JOB_PROGRAMS_H

#include "ns3/rank-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A job that can be run: groups of ranks, and a program for each rank.
 *
 * TrainingJob::MakePrograms() makes one from a parallelism plan, ReadTraceJob() from a trace.
 * JobRun runs it.
 */
struct JobPrograms
{
    /** A group of ranks: the argument of CollectiveJob::MakeGroup(). */
    struct Group
    {
        std::string name;            //!< shown in reports
        std::vector<uint32_t> ranks; //!< of the job, in order; two or more
    };

    /** The work of a rank: the argument of CollectiveJob::SetProgram(). */
    struct Rank
    {
        std::shared_ptr<const RankProgram> program; //!< ranks with equal work may share one
        std::vector<uint32_t> groups; //!< by the program's number: index of the job's group
    };

    std::vector<Group> groups;
    std::vector<Rank> ranks;                 //!< by rank
    std::map<std::string, uint64_t> skipped; //!< of a trace: parts that are left out, by reason
    bool isWhole{false}; //!< of a trace: it has the programs of a job that was exported
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_PROGRAMS_H */
