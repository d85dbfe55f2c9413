/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "demand-decomposition.h"
#include "ring-exchange.h"

#include <algorithm>

// All-to-all: every rank has separate bytes for every other rank. The direct algorithm needs a
// circuit between any two ranks; the ring algorithm forwards; the others change circuits from round
// to round.

namespace ns3
{

namespace
{

/** Sends a pair's data in one transfer, if there is any. */
void
SendDirect(ScheduleChannel& channel, uint32_t round, uint32_t from, uint32_t to)
{
    if (HasDemand(channel.GetParameters(), from, to))
    {
        channel.Copy(round, from, to, channel.AddChunkFor(from, to));
    }
}

/**
 * Sends all pairs' data at once. Each rank begins with its next, so that no rank receives from all
 * at the same time.
 */
void
WriteDirect(ScheduleChannel& channel)
{
    for (uint32_t steps = 1; steps < channel.GetRanks(); ++steps)
    {
        for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
        {
            SendDirect(channel, 0, rank, channel.Ahead(rank, steps));
        }
    }
}

/** Adds a round for each so many matchings in a row, in which each pair exchanges its data. */
void
WriteMatchings(ScheduleChannel& channel, uint32_t atOnce)
{
    const CollectiveParameters& all = channel.GetParameters();
    const std::vector<RankMatching> rounds =
        all.demand ? ColourIntoMatchings(*all.demand) : MakeTournament(all.ranks);
    for (uint32_t matching = 0; matching < rounds.size(); ++matching)
    {
        for (const auto& [low, high] : rounds[matching])
        {
            SendDirect(channel, matching / atOnce, low, high);
            SendDirect(channel, matching / atOnce, high, low);
        }
    }
}

/** Adds a round for each pair of ranks, in which it exchanges its data. */
void
WritePairs(ScheduleChannel& channel)
{
    uint32_t round = 0;
    for (uint32_t low = 0; low < channel.GetRanks(); ++low)
    {
        for (uint32_t high = low + 1; high < channel.GetRanks(); ++high)
        {
            const CollectiveParameters& all = channel.GetParameters();
            SendDirect(channel, round, low, high);
            SendDirect(channel, round, high, low);
            round += HasDemand(all, low, high) || HasDemand(all, high, low) ? 1 : 0;
        }
    }
}

/** Adds a round for each permutation of the decomposition, which serves a range of each demand. */
void
WriteBirkhoff(ScheduleChannel& channel)
{
    const CollectiveParameters& all = channel.GetParameters();
    DemandMatrix served(all.ranks);
    uint32_t round = 0;
    for (const WeightedPermutation& term : DecomposeIntoPermutations(*all.demand))
    {
        bool used = false;
        for (uint32_t from = 0; from < all.ranks; ++from)
        {
            const uint32_t to = term.to[from];
            const uint64_t begin = served.Get(from, to);
            const uint64_t demand = all.demand->Get(from, to);
            // bytes beyond the demand are padding, for which nothing is sent
            const uint64_t bytes = std::min(term.bytes, demand - begin);
            if (from == to || bytes == 0)
            {
                continue;
            }
            served.Set(from, to, begin + bytes);
            const uint32_t chunk =
                channel.AddPartFor(from,
                                   to,
                                   begin * all.channels + channel.GetChannel() * bytes,
                                   demand * all.channels,
                                   bytes);
            channel.Copy(round, from, to, chunk);
            used = true;
        }
        round += used ? 1 : 0;
    }
}

/** @return the bytes that a rank has for others: the buffer without its own share, or its demand */
uint64_t
GetOwnBytes(const CollectiveParameters& p, uint32_t rank, uint64_t buffer)
{
    if (!p.demand)
    {
        return buffer / p.ranks * (p.ranks - 1);
    }
    uint64_t bytes = 0;
    for (uint32_t to = 0; to < p.ranks; ++to)
    {
        bytes += to == rank ? 0 : p.demand->Get(rank, to);
    }
    return bytes;
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeAllToAllAlgorithms()
{
    CollectiveAlgorithm direct;
    direct.name = "direct";
    direct.kind = CollectiveKind::ALL_TO_ALL;
    direct.help = "all messages at once, each straight to its rank";
    direct.write = WriteDirect;
    direct.bytesSent = GetOwnBytes;
    direct.fallback = "ring";

    CollectiveAlgorithm ring;
    ring.name = "ring";
    ring.kind = CollectiveKind::ALL_TO_ALL;
    ring.help = "forwarded from rank to rank, the shorter way if there are two";
    ring.write = [](ScheduleChannel& channel) { WriteRingExchange(channel, 1); };
    ring.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return GetRingExchangeBytes(p, 1, rank, buffer);
    };
    ring.fallback = "matchings";

    CollectiveAlgorithm matchings = direct;
    matchings.name = "matchings";
    matchings.help = "a tournament: in each round everybody has another partner";
    matchings.write = [](ScheduleChannel& channel) { WriteMatchings(channel, 1); };

    CollectiveAlgorithm several = direct;
    several.name = "multi-matching";
    several.help = "a tournament with as many matchings at once as a rank has ports";
    several.write = [](ScheduleChannel& channel) {
        WriteMatchings(channel, channel.GetParameters().ports);
    };
    several.fallback = "matchings";
    several.usesPorts = true;
    several.isReserve = true;

    CollectiveAlgorithm pairs = direct;
    pairs.name = "pairs";
    pairs.help = "one pair at a time, where messages between rails take the ports of relays";
    pairs.write = WritePairs;
    pairs.fallback = "";
    pairs.isReserve = true;

    std::vector<CollectiveAlgorithm> all{direct, ring, matchings, several};
    for (CollectiveAlgorithm algorithm : {direct, ring, matchings, several, pairs})
    {
        algorithm.kind = CollectiveKind::ALL_TO_ALL_V;
        algorithm.whyNot = GetWhyNoDemand;
        all.push_back(algorithm);
    }
    all[6].help = "few matchings that hold each pair with demand once";
    all[7].help = "the same with as many matchings at once as a rank has ports";

    CollectiveAlgorithm birkhoff = all[6];
    birkhoff.name = "birkhoff";
    birkhoff.help = "one-way permutations, each for as long as all its pairs have demand";
    birkhoff.write = WriteBirkhoff;
    all.push_back(birkhoff);

    CollectiveAlgorithm grouped = all[4];
    grouped.name = "grouped-sends";
    grouped.help = "direct, and by matchings where a rank has more partners than ports";
    grouped.fallback = "matchings"; // no rank forwards in it
    all.push_back(grouped);
    all.push_back(pairs);
    return all;
}

} // namespace ns3
