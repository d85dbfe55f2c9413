/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "effort-estimate.h"

#include "fidelity-option.h"

#include <cstdint>
#include <vector>

namespace ns3
{

double
EstimateTrainingFrames(const TrainingJob& job)
{
    constexpr double PAYLOAD = 4096;
    double bytes = 0;
    for (uint32_t rank = 0; rank < job.GetLayout().GetRanks(); ++rank)
    {
        const std::vector<uint32_t> groups = job.GetGroups().GetGroupsOf(rank);
        for (const RankOperation& one : job.GetProgram(rank)->GetOperations())
        {
            if (!one.IsExchange() || job.GetGroups().GetGroups()[groups[one.group]].inScaleUp)
            {
                continue;
            }
            const double ranks = job.GetGroups().GetGroups()[groups[one.group]].ranks.size();
            const bool isSum = one.collective == CollectiveKind::ALL_REDUCE;
            bytes += one.kind == RankOperation::Kind::SEND ? one.bytes
                     : one.kind == RankOperation::Kind::COLLECTIVE
                         ? one.bytes * (ranks - 1) / ranks * (isSum ? 2 : 1)
                         : 0;
        }
    }
    return bytes / PAYLOAD / job.GetTask().iterations;
}

double
EstimateTrainingEffort(const TrainingJob& job, const TrainingVariant& variant)
{
    constexpr double BY_EVENTS = 0.8e-6; // seconds a frame
    constexpr double BY_TRAINS = 0.035e-6;
    constexpr double SWITCHED = 0.05e-6; // where frames do not meet in a switch
    const double frames = EstimateTrainingFrames(job);
    return variant.policy == "electrical"
               ? frames * (GetFidelity() == "events" ? BY_EVENTS : SWITCHED)
               : frames * job.GetTask().iterations *
                     (GetFidelity() == "events" ? BY_EVENTS : BY_TRAINS);
}

} // namespace ns3
