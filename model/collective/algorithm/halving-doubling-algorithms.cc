/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"
#include "gather-writer.h"

#include <algorithm>
#include <cstddef>
#include <vector>

// Rabenseifner's all-reduce (Thakur, Rabenseifner, Gropp 2005): a reduce-scatter by recursive
// vector halving and distance doubling, then the reverse all-gather. Each round is a matching, and
// the rounds with the most bytes have the shortest distance. For even numbers that are no power of
// two the matchings are those of a GatherPlan, with as few bytes; odd numbers are folded, which
// takes up to S more.

namespace ns3
{

namespace
{

/** @return the greatest power of two that is not above n */
uint32_t
GetCore(uint32_t n)
{
    uint32_t core = 1;
    while (core <= n / 2)
    {
        core *= 2;
    }
    return core;
}

/** @return the numbers below a power of two, by their bits in reverse: 0, 4, 2, 6, 1, 5, 3, 7 */
std::vector<uint32_t>
ListBitReversed(uint32_t count)
{
    std::vector<uint32_t> numbers{0};
    for (uint32_t bit = count / 2; bit > 0; bit /= 2)
    {
        const std::size_t without = numbers.size();
        for (std::size_t n = 0; n < without; ++n)
        {
            numbers.push_back(numbers[n] + bit);
        }
    }
    return numbers;
}

/**
 * In the round of a distance each rank of the core exchanges with the rank whose number differs in
 * that bit. Share c ends at rank c: of the shares that agree with a rank in all lower bits, it
 * sends those that differ in this bit.
 *
 * First come the shares that go farthest afterwards, and in the all-gather those that came first.
 * This order is the same for all ranks, relative to their numbers: they do the same at the same
 * instants.
 * @param gather whether it is the reverse: the rank has the shares that agree in this bit too, and
 * sends them
 */
void
WriteExchange(ScheduleChannel& channel,
              uint32_t round,
              uint32_t distance,
              bool gather,
              const std::vector<uint32_t>& shares)
{
    const uint32_t core = shares.size();
    std::vector<uint32_t> order = ListBitReversed(core / (2 * distance));
    if (!gather)
    {
        std::reverse(order.begin(), order.end());
    }
    for (uint32_t rank = 0; rank < core; ++rank)
    {
        const uint32_t partner = rank ^ distance;
        for (const uint32_t place : order)
        {
            const uint32_t share = (gather ? rank : partner) ^ (place * 2 * distance);
            if (gather)
            {
                channel.Copy(round, rank, partner, shares[share]);
            }
            else
            {
                channel.Reduce(round, rank, partner, shares[share]);
            }
        }
    }
}

/** @return whether there are ranks beyond the core, which a rank of the core represents */
bool
IsFolded(uint32_t n)
{
    return n % 2 != 0;
}

/** Each rank beyond the core has a rank of the core that represents it. */
void
WriteHalvingDoublingAllReduce(ScheduleChannel& channel)
{
    const uint32_t core = GetCore(channel.GetRanks());
    if (core < channel.GetRanks() && !IsFolded(channel.GetRanks()))
    {
        WriteScatterAndGather(channel, MakeDoublingPlan(channel.GetRanks()), channel.AddShares());
        return;
    }
    const bool folds = core < channel.GetRanks();
    std::vector<uint32_t> shares;
    for (uint32_t rank = 0; rank < core; ++rank)
    {
        shares.push_back(channel.AddChunk(rank, rank, core));
    }
    uint32_t round = folds ? 1 : 0;
    for (uint32_t rank = core; rank < channel.GetRanks(); ++rank)
    {
        for (const uint32_t share : shares)
        {
            channel.Reduce(0, rank, rank - core, share);
        }
    }
    for (uint32_t distance = 1; distance < core; distance *= 2)
    {
        WriteExchange(channel, round++, distance, false, shares);
    }
    for (uint32_t distance = core / 2; distance > 0; distance /= 2)
    {
        WriteExchange(channel, round++, distance, true, shares);
    }
    for (uint32_t rank = core; rank < channel.GetRanks(); ++rank)
    {
        for (const uint32_t share : shares)
        {
            channel.Copy(round, rank - core, rank, share);
        }
    }
}

/**
 * If the number of ranks is even, all but one share in each half. Else a rank of the core sends
 * half of the buffer, then a quarter, and so on, which is all but one share of the core, and the
 * same again in the all-gather. A rank beyond the core sends the buffer to its representative, and
 * receives the sum.
 */
uint64_t
GetHalvingDoublingBytesSent(const CollectiveParameters& parameters, uint32_t rank, uint64_t buffer)
{
    if (!IsFolded(parameters.ranks))
    {
        return 2 * (buffer - buffer / parameters.ranks);
    }
    const uint32_t core = GetCore(parameters.ranks);
    if (rank >= core)
    {
        return buffer;
    }
    const bool takesPart = rank + core < parameters.ranks;
    return 2 * (buffer - buffer / core) + (takesPart ? buffer : 0);
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeHalvingDoublingAlgorithms()
{
    CollectiveAlgorithm allReduce;
    allReduce.name = "halving-doubling";
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "halves of the buffer to partners 1, 2, 4, ... away, and back";
    allReduce.write = WriteHalvingDoublingAllReduce;
    allReduce.bytesSent = GetHalvingDoublingBytesSent;
    allReduce.fallback = "ring";
    return {allReduce};
}

} // namespace ns3
