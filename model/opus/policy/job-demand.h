/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_DEMAND_H
#define PHOTONIC_RAILS_JOB_DEMAND_H

#include "circuit-policy.h"

#include "ns3/cabling.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/rank-program.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** A rank's part in a job: its program, and the groups of the numbers in the program. */
struct RankPart
{
    RankId rank;
    std::shared_ptr<const RankProgram> program;
    std::vector<std::shared_ptr<const CommunicationGroup>> groups;
};

/**
 * @ingroup photonic-rails
 * @brief Computes the traffic of a job on its rails, from its ranks' programs, before the job
 * starts.
 *
 * A parallelism is all groups whose names have the first word in common: "dp 0" and "dp 1" are dp,
 * as at shims and controllers. Its pairs are the neighbours on the rings of those groups that have
 * collective operations, and the senders and receivers of sends. Bytes are those of the default
 * ring schedules, from each rank to the next, rounded down where the number of ranks does not
 * divide a buffer; in an all-to-all, the bytes from each rank to each other. A group with several
 * ranks in each server has a ring on each rail, and each ring carries its part of the buffer.
 *
 * Only traffic over a rail counts: a parallelism whose groups are inside servers has no pairs.
 * Pairs and bytes are those of NICs: where ranks of different rails communicate over a relay, the
 * relay of the lower rank takes its place.
 * Bytes are the sum over all iterations of a program.
 *
 * @param parts of all ranks of the job
 * @param cabling that has the rail of each rank
 * @return pairs, bytes and the matrix; parallelisms by name, ranks in order
 */
JobDemand MakeJobDemand(JobId job, const std::vector<RankPart>& parts, const Cabling& cabling);

/**
 * A report on the demand of a job and the available ports: the degree that circuits for all
 * parallelisms at once need (6 for the rings of three parallelisms), the ports that its ranks have,
 * and for each parallelism its pairs, the bytes that its busiest rank sends, the partners of a
 * rank, and the links of each pair if the parallelism has all ports.
 * @param demand of the job
 * @return text of some lines
 */
std::string GetDemandReport(const JobDemand& demand, const Cabling& cabling);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_DEMAND_H */
