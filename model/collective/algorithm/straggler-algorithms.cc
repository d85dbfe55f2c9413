/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "gather-plan.h"
#include "straggler-plan.h"
#include "straggler-search.h"

#include <utility>

// All-reduces for a group in which one rank is expected to be late.

namespace ns3
{

namespace
{

/**
 * @return the rank of a role: the straggler has role n - 1, and the others follow it on the ring
 */
uint32_t
GetRankOf(const ScheduleChannel& channel, uint32_t role)
{
    return channel.Ahead(channel.GetParameters().straggler, role + 1);
}

/**
 * All ranks but the straggler reduce and scatter on a separate ring.
 * @return the number of rounds
 */
uint32_t
WriteReduceScatterWithoutIt(ScheduleChannel& channel, const std::vector<uint32_t>& chunks)
{
    const uint32_t others = channel.GetRanks() - 1;
    for (uint32_t round = 0; round + 1 < others; ++round)
    {
        for (uint32_t role = 0; role < others; ++role)
        {
            // chunk c starts at the role after c, and is summed on its way home
            const uint32_t chunk = chunks[(role + 2 * others - round - 1) % others];
            channel.Reduce(round,
                           GetRankOf(channel, role),
                           GetRankOf(channel, (role + 1) % others),
                           chunk);
        }
    }
    return others - 1;
}

/**
 * The same by recursive halving: the gather of a plan backwards, so one port a rank is enough.
 * @return the number of rounds
 */
uint32_t
WriteHalvingWithoutIt(ScheduleChannel& channel, const std::vector<uint32_t>& chunks)
{
    const GatherPlan plan = MakeDoublingPlan(channel.GetRanks() - 1);
    for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step)
    {
        channel.Reduce(plan.rounds - 1 - step->round,
                       GetRankOf(channel, step->to),
                       GetRankOf(channel, step->from),
                       chunks[step->share]);
    }
    return plan.rounds;
}

/** @param scatter writes the reduce-scatter of the others, and returns the number of its rounds */
void
WriteStragglAr(ScheduleChannel& channel,
               uint32_t (*scatter)(ScheduleChannel& channel, const std::vector<uint32_t>& chunks))
{
    channel.KeepRounds();
    const uint32_t others = channel.GetRanks() - 1;
    std::vector<uint32_t> chunks;
    for (uint32_t role = 0; role < others; ++role)
    {
        chunks.push_back(channel.AddChunk(GetRankOf(channel, role), role, others));
    }
    const uint32_t first = scatter(channel, chunks);
    for (const StragglerTransfer& it : GetStragglerPlan(channel.GetRanks()).transfers)
    {
        const uint32_t from = GetRankOf(channel, it.from);
        const uint32_t to = GetRankOf(channel, it.to);
        if (it.exchange)
        {
            channel.Reduce(first + it.round, from, to, chunks[it.chunk]);
        }
        else
        {
            channel.Copy(first + it.round, from, to, chunks[it.chunk]);
        }
    }
}

/**
 * By either reduce-scatter, all but the straggler send n - 2 chunks of n - 1; the number of later
 * chunks depends on a rank's role in the plan, and the role depends on the channel's direction. All
 * bytes together are 2 S (n-1), as many as a ring's.
 */
uint64_t
GetStragglArBytes(const CollectiveParameters& p, uint32_t rank, uint64_t buffer)
{
    const uint32_t up = (rank + p.ranks - p.straggler) % p.ranks;
    const uint32_t upper = p.bidirectional ? p.channels / 2 : 0;
    uint64_t partsOfChunk = 0;
    for (const auto& [distance, channels] :
         {std::pair(up, p.channels - upper), std::pair((p.ranks - up) % p.ranks, upper)})
    {
        const uint32_t role = (distance + p.ranks - 1) % p.ranks;
        uint64_t sent = distance == 0 ? 0 : p.ranks - 2;
        for (const StragglerTransfer& it : GetStragglerPlan(p.ranks).transfers)
        {
            sent += it.from == role ? 1 : 0;
        }
        partsOfChunk += sent * channels;
    }
    return buffer / (p.ranks - 1) / p.channels * partsOfChunk;
}

std::string
GetWhyNoStragglAr(const CollectiveParameters& p)
{
    if (p.ranks < 3)
    {
        return "with fewer than 3 ranks the straggler has no others that could do without it";
    }
    if (p.ranks > StragglerSearch::MOST_RANKS && (p.ranks & (p.ranks - 1)) != 0)
    {
        return "plans are searched for up to " + std::to_string(StragglerSearch::MOST_RANKS) +
               " ranks, and " + std::to_string(p.ranks) + " are no power of two";
    }
    return p.straggler < p.ranks ? "" : "the straggler is none of the ranks";
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeStragglerAlgorithms()
{
    CollectiveAlgorithm stragglAr;
    stragglAr.name = "straggl-ar";
    stragglAr.kind = CollectiveKind::ALL_REDUCE;
    stragglAr.help = "the others begin without the straggler, which then meets each of them once";
    stragglAr.write = [](ScheduleChannel& channel) {
        WriteStragglAr(channel, WriteReduceScatterWithoutIt);
    };
    stragglAr.bytesSent = GetStragglArBytes;
    stragglAr.whyNot = GetWhyNoStragglAr;
    stragglAr.fallback = "straggl-ar-halving";
    stragglAr.isReserve = true; // it pays if a rank is late, which the estimate does not know

    CollectiveAlgorithm halving = stragglAr;
    halving.name = "straggl-ar-halving";
    halving.help = "the same with one port a rank: the others begin by recursive halving";
    halving.write = [](ScheduleChannel& channel) {
        WriteStragglAr(channel, WriteHalvingWithoutIt);
    };
    halving.fallback = "ring";
    return {stragglAr, halving};
}

} // namespace ns3
