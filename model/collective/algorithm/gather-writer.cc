/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gather-writer.h"

namespace ns3
{

namespace
{

/** @return the rank that a number of a plan stands for on a channel */
uint32_t
GetRankOnChannel(const ScheduleChannel& channel, const GatherPlan& plan, uint32_t number)
{
    return plan.isCirculant ? channel.Ahead(0, number) : number;
}

} // namespace

void
WriteGather(ScheduleChannel& channel,
            const GatherPlan& plan,
            const std::vector<uint32_t>& shares,
            uint32_t firstRound)
{
    for (const GatherStep& step : plan.steps)
    {
        channel.Copy(firstRound + step.round,
                     GetRankOnChannel(channel, plan, step.from),
                     GetRankOnChannel(channel, plan, step.to),
                     shares[GetRankOnChannel(channel, plan, step.share)]);
    }
}

void
WriteScatter(ScheduleChannel& channel, const GatherPlan& plan, const std::vector<uint32_t>& shares)
{
    for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step)
    {
        channel.Reduce(plan.rounds - 1 - step->round,
                       GetRankOnChannel(channel, plan, step->to),
                       GetRankOnChannel(channel, plan, step->from),
                       shares[GetRankOnChannel(channel, plan, step->share)]);
    }
}

void
WriteScatterAndGather(ScheduleChannel& channel,
                      const GatherPlan& plan,
                      const std::vector<uint32_t>& shares)
{
    WriteScatter(channel, plan, shares);
    WriteGather(channel, plan, shares, plan.rounds);
}

} // namespace ns3
