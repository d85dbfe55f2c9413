/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "demand-decomposition.h"
#include "ring-exchange.h"

// In servers of g ranks all ranks communicate with each other, and rails join the equal local ranks
// of the servers in a ring. Local rank j handles the shares of all ranks with that number, one part
// in g of the buffer, and a rail carries only that part. On the ring of ranks the next on the rail
// is g places ahead.
//
// In an all-to-all each rank first sends its data inside the server to the local rank that is on
// the rail of the destination, and has all its data for the own server there in the same round.
// Then servers exchange on the rails, where the data of g ranks for one rank is together (PXN in
// NCCL): all servers at once, forwarded on a ring of the servers, or with one partner a round in a
// tournament of servers. It arrives where it is wanted, so nothing is left to scatter.

namespace ns3
{

namespace
{

using Wires = CollectiveTransfer::Wires;

/** @return the other ranks of a rank's server */
std::vector<uint32_t>
GetOthersOf(uint32_t rank, uint32_t perServer)
{
    std::vector<uint32_t> others;
    const uint32_t first = rank - rank % perServer;
    // beginning with the next, so that not all send to the first at once
    for (uint32_t step = 1; step < perServer; ++step)
    {
        others.push_back(first + (rank + step) % perServer);
    }
    return others;
}

/**
 * One round inside servers sends shares to the ranks that handle them; then rounds on the rail send
 * them to their homes.
 */
uint32_t
WriteHierarchicalReduceScatter(ScheduleChannel& channel, const std::vector<uint32_t>& shares)
{
    const uint32_t n = channel.GetRanks();
    const uint32_t g = channel.GetParameters().perServer;
    uint32_t round = 0;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (const uint32_t other : GetOthersOf(rank, g))
        {
            for (uint32_t share = other % g; share < n; share += g)
            {
                channel.Reduce(round, rank, other, shares[share], Wires::SCALE_UP);
            }
        }
    }
    for (++round; round < n / g; ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t share = channel.Back(rank, round * g);
            channel.Reduce(round, rank, channel.Ahead(rank, g), shares[share]);
        }
    }
    return round;
}

/**
 * Rounds on the rail send to the equal local ranks; these send to their servers in a last round.
 */
void
WriteHierarchicalAllGather(ScheduleChannel& channel,
                           const std::vector<uint32_t>& shares,
                           uint32_t round)
{
    const uint32_t n = channel.GetRanks();
    const uint32_t g = channel.GetParameters().perServer;
    for (uint32_t step = 0; step + 1 < n / g; ++step, ++round)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t share = channel.Back(rank, step * g);
            channel.Copy(round, rank, channel.Ahead(rank, g), shares[share]);
        }
    }
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (const uint32_t other : GetOthersOf(rank, g))
        {
            for (uint32_t share = rank % g; share < n; share += g)
            {
                channel.Copy(round, rank, other, shares[share], Wires::SCALE_UP);
            }
        }
    }
}

/** @return the reason why the group is not several servers of several ranks; empty if it is */
std::string
GetWhyNot(const CollectiveParameters& parameters)
{
    const uint32_t g = parameters.perServer;
    const uint32_t n = parameters.ranks;
    if (g < 2)
    {
        return "a server has " + std::to_string(g) +
               " ranks of the group; set perServer to 2 or more";
    }
    if (n % g != 0 || n / g < 2)
    {
        return "perServer is " + std::to_string(g) +
               "; set it to a divisor of the number of ranks, " + std::to_string(n) +
               ", that leaves 2 servers or more";
    }
    return "";
}

/** Adds the data from a rank to another, and a transfer of it; nothing if there is no demand. */
void
SendFirst(ScheduleChannel& channel, uint32_t from, uint32_t to, uint32_t relay, uint32_t& chunk)
{
    const CollectiveParameters& all = channel.GetParameters();
    if (!HasDemand(all, from, to))
    {
        return;
    }
    chunk = channel.AddChunkFor(from, to);
    if (relay != from)
    {
        channel.Copy(0, from, relay, chunk, Wires::SCALE_UP);
    }
}

/**
 * One round inside servers, then rounds on the rails.
 * @param rounds the pairs of servers that exchange in each round on the rails
 */
void
WriteHierarchicalAllToAll(ScheduleChannel& channel, const std::vector<RankMatching>& rounds)
{
    constexpr uint32_t NONE = UINT32_MAX;
    const uint32_t n = channel.GetRanks();
    const uint32_t g = channel.GetParameters().perServer;
    std::vector<uint32_t> chunks(n * n, NONE); // by sender and receiver
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        const uint32_t first = rank - rank % g;
        for (const uint32_t relay : GetOthersOf(rank, g))
        {
            for (uint32_t to = relay % g; to < n; to += g)
            {
                SendFirst(channel, rank, to, relay, chunks[rank * n + to]);
            }
        }
        for (uint32_t to = rank % g; to < n; to += g) // on its own rail
        {
            if (to != first + rank % g)
            {
                SendFirst(channel, rank, to, rank, chunks[rank * n + to]);
            }
        }
    }
    const auto exchange = [&](uint32_t round, uint32_t one, uint32_t other) {
        for (uint32_t local = 0; local < g; ++local)
        {
            for (uint32_t from = one * g; from < (one + 1) * g; ++from)
            {
                const uint32_t chunk = chunks[from * n + other * g + local];
                if (chunk != NONE)
                {
                    channel.Copy(round, one * g + local, other * g + local, chunk);
                }
            }
        }
    };
    for (uint32_t round = 0; round < rounds.size(); ++round)
    {
        for (const auto& [one, other] : rounds[round])
        {
            exchange(1 + round, one, other);
            exchange(1 + round, other, one);
        }
    }
}

/** @return one round in which all servers exchange with all, each beginning with its next */
std::vector<RankMatching>
MakeAllAtOnce(uint32_t servers)
{
    RankMatching all;
    for (uint32_t steps = 1; steps <= servers / 2; ++steps)
    {
        for (uint32_t one = 0; one < servers; ++one)
        {
            if (2 * steps < servers || one < servers / 2)
            {
                all.emplace_back(one, (one + steps) % servers);
            }
        }
    }
    return {all};
}

/**
 * Inside the server the data for ranks of other numbers, and on the rail the data of all ranks of
 * the server for the equal local ranks of other servers.
 */
uint64_t
GetBytesExchanged(const CollectiveParameters& p, uint32_t rank, uint64_t buffer)
{
    const uint32_t g = p.perServer;
    const uint32_t first = rank - rank % g;
    uint64_t bytes = 0;
    for (uint32_t to = 0; to < p.ranks; ++to)
    {
        const auto demand = [&](uint32_t from) {
            return p.demand ? p.demand->Get(from, to) : buffer / p.ranks;
        };
        bytes += to % g != rank % g ? demand(rank) : 0;
        for (uint32_t from = first; from < first + g && to % g == rank % g && to != rank; ++from)
        {
            bytes += demand(from);
        }
    }
    return bytes;
}

/** @return the algorithms for an all-to-all, with or without a demand matrix */
std::vector<CollectiveAlgorithm>
MakeHierarchicalAllToAll(CollectiveKind kind)
{
    CollectiveAlgorithm atOnce;
    atOnce.name = "hierarchical";
    atOnce.kind = kind;
    atOnce.help = "inside servers to the destination's rail, then all servers at once";
    atOnce.write = [](ScheduleChannel& channel) {
        const CollectiveParameters& all = channel.GetParameters();
        WriteHierarchicalAllToAll(channel, MakeAllAtOnce(all.ranks / all.perServer));
    };
    atOnce.bytesSent = GetBytesExchanged;
    atOnce.whyNot = [kind](const CollectiveParameters& p) {
        const std::string why = kind == CollectiveKind::ALL_TO_ALL_V ? GetWhyNoDemand(p) : "";
        return why.empty() ? GetWhyNot(p) : why;
    };
    atOnce.fallback = "hierarchical-matchings";
    CollectiveAlgorithm inTurn = atOnce;
    inTurn.name = "hierarchical-matchings";
    inTurn.help = "the same with one partner a rank at a time, in a tournament of servers";
    inTurn.write = [](ScheduleChannel& channel) {
        const CollectiveParameters& all = channel.GetParameters();
        WriteHierarchicalAllToAll(channel, MakeTournament(all.ranks / all.perServer));
    };
    inTurn.fallback = "matchings";
    CollectiveAlgorithm rings = atOnce;
    rings.name = "hierarchical-rings";
    rings.help = "the same, forwarded from server to server on the rings of the rails";
    rings.write = [](ScheduleChannel& channel) {
        WriteRingExchange(channel, channel.GetParameters().perServer);
    };
    rings.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return GetRingExchangeBytes(p, p.perServer, rank, buffer);
    };
    return {atOnce, inTurn, rings};
}

/**
 * Inside servers all but the own one of g parts of the buffer, and on the rail all but one share of
 * the own part.
 */
uint64_t
GetBytesScattered(const CollectiveParameters& parameters, uint32_t, uint64_t buffer)
{
    const uint64_t part = buffer / parameters.perServer;
    const uint64_t servers = parameters.ranks / parameters.perServer;
    return (parameters.perServer - 1) * part + (servers - 1) * (part / servers);
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeHierarchicalAlgorithms()
{
    CollectiveAlgorithm reduceScatter;
    reduceScatter.name = "hierarchical";
    reduceScatter.kind = CollectiveKind::REDUCE_SCATTER;
    reduceScatter.help = "direct inside servers, then rings on the rails";
    reduceScatter.write = [](ScheduleChannel& channel) {
        WriteHierarchicalReduceScatter(channel, channel.AddShares());
    };
    reduceScatter.bytesSent = GetBytesScattered;
    reduceScatter.whyNot = GetWhyNot;

    // the gather reverses the scatter
    CollectiveAlgorithm allGather = reduceScatter;
    allGather.kind = CollectiveKind::ALL_GATHER;
    allGather.help = "rings on the rails, then direct inside servers";
    allGather.write = [](ScheduleChannel& channel) {
        WriteHierarchicalAllGather(channel, channel.AddShares(), 0);
    };

    CollectiveAlgorithm allReduce = reduceScatter;
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "direct inside servers, rings on the rails of S/g each";
    allReduce.write = [](ScheduleChannel& channel) {
        const std::vector<uint32_t> shares = channel.AddShares();
        WriteHierarchicalAllGather(channel,
                                   shares,
                                   WriteHierarchicalReduceScatter(channel, shares));
    };
    allReduce.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return 2 * GetBytesScattered(p, rank, buffer);
    };
    std::vector<CollectiveAlgorithm> algorithms{reduceScatter, allGather, allReduce};
    for (const CollectiveKind kind : {CollectiveKind::ALL_TO_ALL, CollectiveKind::ALL_TO_ALL_V})
    {
        for (const CollectiveAlgorithm& algorithm : MakeHierarchicalAllToAll(kind))
        {
            algorithms.push_back(algorithm);
        }
    }
    return algorithms;
}

} // namespace ns3
