/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_DEMAND_H
#define PHOTONIC_RAILS_JOB_DEMAND_H

#include "circuit-policy.h"

#include "ns3/cabling.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/rank-program.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** A rank's part in a job: what it does, and which groups the numbers in its program are. */
struct RankPart
{
    RankId rank;
    std::shared_ptr<const RankProgram> program;
    std::vector<std::shared_ptr<const CommunicationGroup>> groups;
};

/**
 * @ingroup photonic-rails
 * @brief What a job will want of its rails, worked out from its ranks' programs before it starts.
 *
 * A parallelism is all groups whose names have the first word in common: "dp 0" and "dp 1" are dp,
 * as they are to shims and controllers. Its pairs are the neighbours on the rings of those groups
 * that do anything together, and whoever sends to whom. Bytes are those of the default ring
 * schedules, from each rank to the next, which round down where ranks do not divide a buffer; in an
 * all-to-all, what each has for each other. A group with several ranks a server has a ring on each
 * rail, and each of them carries its part of the buffer.
 *
 * Only what goes over a rail counts: a group inside a server leaves a parallelism with no pairs.
 * Bytes of all iterations that a program has are counted together.
 *
 * @param job whose ranks they are
 * @param parts of all its ranks
 * @param cabling which rail each is on
 * @return pairs, bytes and the matrix; parallelisms by name, ranks in order
 */
JobDemand MakeJobDemand(JobId job, const std::vector<RankPart>& parts, const Cabling& cabling);

/**
 * What a job needs and what there is, for people: the degree that circuits for all parallelisms at
 * once take (6 for the rings of three parallelisms), the ports that its ranks have, and for each
 * parallelism its pairs, the bytes that its busiest rank sends, the partners of a rank, and the
 * links of each pair while the parallelism has all ports to itself.
 * @param demand of the job
 * @param cabling it
 * @return some lines
 */
std::string GetDemandReport(const JobDemand& demand, const Cabling& cabling);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_DEMAND_H */
