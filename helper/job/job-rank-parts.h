/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_RANK_PARTS_H
#define PHOTONIC_RAILS_JOB_RANK_PARTS_H

#include "ns3/communication-group.h"
#include "ns3/job-demand.h"
#include "ns3/job-programs.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** @return the groups of a job, before any rank runs @param perServer GPUs of a server */
std::vector<std::shared_ptr<const CommunicationGroup>> MakeGroupsOf(const JobPrograms& job,
                                                                    uint32_t perServer);

/**
 * @param groups of MakeGroupsOf()
 * @return the parts of all ranks, for MakeJobDemand()
 */
std::vector<RankPart> MakeRankParts(
    const JobPrograms& job,
    const std::vector<std::shared_ptr<const CommunicationGroup>>& groups);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_RANK_PARTS_H */
