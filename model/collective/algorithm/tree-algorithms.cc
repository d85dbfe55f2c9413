/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

#include <utility>

// The double binary tree of NCCL 2.4 (Sanders, Speck, Traeff 2009): two trees, each of which sums
// and spreads half of the buffer. A rank with children in one tree is a leaf of the other, so all
// wires are busy in both directions although half of a tree's ranks only send upwards.

/*
 * Places in a tree count from its root, 0, which has a single child. For 14 ranks:
 *
 *     0---------------8
 *              ______/ \______
 *             4               12
 *           /   \            /  \
 *         2       6       10    13
 *        / \     / \     /  \
 *       1   3   5   7   9   11
 */

namespace ns3
{

namespace
{

constexpr uint32_t TREES = 2;

/** @return how often 2 divides a place except the root's: its height above the lowest leaves */
uint32_t
GetLevel(uint32_t place)
{
    uint32_t level = 0;
    while ((place >> level & 1) == 0)
    {
        ++level;
    }
    return level;
}

/** @return the least number of levels under a root for a number of places in all */
uint32_t
GetLevels(uint32_t places)
{
    uint32_t levels = 0;
    while (uint64_t{1} << levels < places)
    {
        ++levels;
    }
    return levels;
}

/** @return the place above one that is not the root */
uint32_t
GetParent(uint32_t place, uint32_t places)
{
    const uint32_t bit = 1U << GetLevel(place);
    const uint32_t parent = (place ^ bit) | bit << 1;
    return parent < places ? parent : place ^ bit;
}

/**
 * @return the rank at a place: the second tree is the first one reversed, or shifted if n is odd
 */
uint32_t
GetRankAt(uint32_t tree, uint32_t place, uint32_t n)
{
    if (tree == 0)
    {
        return place;
    }
    return n % 2 == 0 ? n - 1 - place : (place + 1) % n;
}

/** Writes a round of a tree: sums go up from level to level, then the sum comes down. */
void
WriteRound(ScheduleChannel& channel, uint32_t round, uint32_t tree, uint32_t chunk)
{
    const uint32_t n = channel.GetRanks();
    const uint32_t levels = GetLevels(n);
    const bool up = round < levels;
    const uint32_t level = up ? round : 2 * levels - 1 - round;
    for (uint32_t place = 1U << level; place < n; place += 2U << level)
    {
        const uint32_t child = GetRankAt(tree, place, n);
        const uint32_t parent = GetRankAt(tree, GetParent(place, n), n);
        if (up)
        {
            channel.Reduce(round, child, parent, chunk);
        }
        else
        {
            channel.Copy(round, parent, child, chunk);
        }
    }
}

/**
 * Channels alternate between the trees; if their number is odd, each channel has a half for both.
 */
void
WriteTreeAllReduce(ScheduleChannel& channel)
{
    const bool both = channel.GetParameters().channels % TREES != 0;
    std::vector<std::pair<uint32_t, uint32_t>> trees; // and the chunk of each
    for (uint32_t tree = 0; tree < TREES; ++tree)
    {
        const uint32_t root = GetRankAt(tree, 0, channel.GetRanks());
        if (both)
        {
            trees.emplace_back(tree, channel.AddChunk(root, tree, TREES));
        }
        else if (channel.GetChannel() % TREES == tree)
        {
            trees.emplace_back(tree, channel.AddChunk(root, 0, 1));
        }
    }
    for (uint32_t round = 0; round < 2 * GetLevels(channel.GetRanks()); ++round)
    {
        for (const auto& [tree, chunk] : trees)
        {
            WriteRound(channel, round, tree, chunk);
        }
    }
    channel.JoinStages();
}

/**
 * A rank sends its half to its parent upwards, and to each child downwards: as many halves as it
 * has neighbours. An even place has three and an odd one has one, except that the root has one, and
 * the last place has two if it is even. A rank's two places are an even and an odd one, so it sends
 * four halves, or two if the even one is a root's. If n is odd, rank 0 has the root's place and the
 * last one, and rank n - 1 the last and an odd one: three.
 */
uint64_t
GetTreeBytesSent(const CollectiveParameters& parameters, uint32_t rank, uint64_t buffer)
{
    const uint32_t n = parameters.ranks;
    const uint64_t half = buffer / TREES;
    if (n % 2 == 0)
    {
        return rank == 0 || rank == n - 1 ? 2 * half : 4 * half;
    }
    if (rank == 0 || rank == n - 1)
    {
        return 3 * half;
    }
    return rank == 1 ? 2 * half : 4 * half;
}

} // namespace

std::vector<CollectiveAlgorithm>
MakeTreeAlgorithms()
{
    CollectiveAlgorithm allReduce;
    allReduce.name = "tree";
    allReduce.kind = CollectiveKind::ALL_REDUCE;
    allReduce.help = "up and down two binary trees, half of the buffer on each";
    allReduce.write = WriteTreeAllReduce;
    allReduce.bytesSent = GetTreeBytesSent;
    allReduce.fallback = "ring";
    return {allReduce};
}

} // namespace ns3
