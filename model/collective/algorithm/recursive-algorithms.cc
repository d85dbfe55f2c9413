/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "gather-writer.h"

#include <set>
#include <utility>

// Recursive doubling and halving: matchings, so one port a rank is enough, for any number of ranks.
// Recursive multiplying (Ruefenacht, Bull, Booth 2017): the same with as many partners at once as a
// rank has ports, and fewer rounds.

namespace ns3
{

namespace
{

/** @return the plan for the ports of a rank */
GatherPlan
MakePlanForPorts(const ScheduleChannel& channel)
{
    return MakeMultiplyingPlan(channel.GetRanks(), channel.GetParameters().ports);
}

/**
 * In each round partners exchange word of all ranks that they have heard of. A rank beyond the core
 * needs no word before that of the last round.
 */
void
WriteDoublingBarrier(ScheduleChannel& channel)
{
    const uint32_t word = channel.AddChunk(0, 0, 1);
    uint32_t round = 0;
    std::set<std::pair<uint32_t, uint32_t>> sent;
    for (const GatherStep& step : MakeDoublingPlan(channel.GetRanks()).steps)
    {
        if (step.round != round)
        {
            sent.clear();
            round = step.round;
        }
        const bool isBeyondCore = channel.GetRanks() % 2 != 0 && step.to > step.from;
        if (round == 0 && isBeyondCore)
        {
            continue;
        }
        if (sent.emplace(step.from, step.to).second)
        {
            channel.Reduce(round, step.from, step.to, word);
        }
    }
}

/** @return the bytes of n - 1 shares */
uint64_t
GetAllButOneShare(const CollectiveParameters& p, uint32_t, uint64_t buffer)
{
    return buffer / p.ranks * (p.ranks - 1);
}

/**
 * Without ranks beyond the core: n - 1 shares. Else a rank of the core sends, at a distance d, all
 * shares whose numbers equal its own modulo 2 d; to the rank that it represents, its own share in
 * the beginning and n - 2 in the end. A rank beyond the core sends its own share.
 */
uint64_t
GetDoublingBytesSent(const CollectiveParameters& p, uint32_t rank, uint64_t buffer)
{
    if (p.ranks % 2 == 0)
    {
        return GetAllButOneShare(p, rank, buffer);
    }
    uint64_t shares = 0;
    uint32_t core = 1;
    for (; core <= p.ranks / 2; core *= 2)
    {
        shares += (p.ranks - 1 - rank % (2 * core)) / (2 * core) + 1;
    }
    shares += rank + core < p.ranks ? p.ranks - 1 : 0;
    return buffer / p.ranks * (rank < core ? shares : 1);
}

std::string
GetWhyNoSeveralPartners(const CollectiveParameters& p)
{
    return p.ports > 1 ? ""
                       : "a rank with 1 port exchanges with 1 other at a time, which is recursive "
                         "doubling";
}

CollectiveAlgorithm
MakeDoubling(CollectiveKind kind, const std::string& name, const std::string& help)
{
    CollectiveAlgorithm algorithm;
    algorithm.name = name;
    algorithm.kind = kind;
    algorithm.help = help;
    algorithm.fallback = "ring";
    algorithm.isReserve = true;
    return algorithm;
}

CollectiveAlgorithm
MakeMultiplying(CollectiveKind kind, const std::string& help)
{
    CollectiveAlgorithm algorithm = MakeDoubling(kind, "recursive-multiplying", help);
    algorithm.usesPorts = true;
    algorithm.bytesSent = GetAllButOneShare;
    algorithm.whyNot = GetWhyNoSeveralPartners;
    return algorithm;
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeRecursiveAlgorithms()
{
    CollectiveAlgorithm gather = MakeDoubling(CollectiveKind::ALL_GATHER,
                                              "recursive-doubling",
                                              "pairs exchange all shares that they have");
    gather.write = [](ScheduleChannel& channel) {
        const GatherPlan plan = MakeDoublingPlan(channel.GetRanks());
        WriteGather(channel, plan, channel.AddShares(), 0);
    };
    gather.bytesSent = GetDoublingBytesSent;

    CollectiveAlgorithm scatter = MakeDoubling(CollectiveKind::REDUCE_SCATTER,
                                               "recursive-halving",
                                               "pairs exchange sums for the shares of others");
    scatter.write = [](ScheduleChannel& channel) {
        const GatherPlan plan = MakeDoublingPlan(channel.GetRanks());
        WriteScatter(channel, plan, channel.AddShares());
    };
    // as much as a rank receives in the gather: each share of the others once
    scatter.bytesSent = GetAllButOneShare;

    CollectiveAlgorithm barrier = MakeDoubling(CollectiveKind::BARRIER,
                                               "recursive-doubling",
                                               "pairs exchange word of all that have come");
    barrier.write = WriteDoublingBarrier;
    barrier.isReserve = false; // a ring runs on one port too, and takes more rounds
    barrier.bytesSent = [](const CollectiveParameters&, uint32_t, uint64_t) { return 0; };

    CollectiveAlgorithm wideGather =
        MakeMultiplying(CollectiveKind::ALL_GATHER, "exchanges with a rank on each port at once");
    wideGather.write = [](ScheduleChannel& channel) {
        WriteGather(channel, MakePlanForPorts(channel), channel.AddShares(), 0);
    };

    CollectiveAlgorithm wideScatter =
        MakeMultiplying(CollectiveKind::REDUCE_SCATTER, "the same, with sums, in reverse order");
    wideScatter.write = [](ScheduleChannel& channel) {
        WriteScatter(channel, MakePlanForPorts(channel), channel.AddShares());
    };

    CollectiveAlgorithm wideSum =
        MakeMultiplying(CollectiveKind::ALL_REDUCE, "reduce-scatter, then all-gather");
    wideSum.write = [](ScheduleChannel& channel) {
        WriteScatterAndGather(channel, MakePlanForPorts(channel), channel.AddShares());
    };
    wideSum.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return 2 * GetAllButOneShare(p, rank, buffer);
    };
    return {gather, scatter, barrier, wideGather, wideScatter, wideSum};
}

} // namespace ns3
