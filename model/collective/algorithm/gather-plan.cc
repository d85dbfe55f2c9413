/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gather-plan.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** A run of numbers. */
struct Block
{
    uint32_t first{0};
    uint32_t last{0};
};

/** @return a run, cut into so many blocks that are equal up to one */
std::vector<Block>
CutRun(uint32_t first, uint32_t count, uint32_t blocks)
{
    std::vector<Block> cut;
    for (uint32_t b = 0; b < blocks; ++b)
    {
        const uint64_t begin = uint64_t{count} * b / blocks;
        const uint64_t end = uint64_t{count} * (b + 1) / blocks;
        cut.push_back(
            {first + static_cast<uint32_t>(begin), first + static_cast<uint32_t>(end) - 1});
    }
    return cut;
}

/**
 * Each rank has the shares of all ranks up to a reach away, on both sides. With 2 a ports the reach
 * r becomes r + a (2 r + 1): from each of a ranks ahead and a back come the shares around it.
 */
GatherPlan
PlanCirculant(uint32_t ranks, uint32_t sides)
{
    GatherPlan plan;
    plan.isCirculant = true;
    for (uint32_t reach = 0; reach < ranks / 2; ++plan.rounds)
    {
        const uint32_t missing =
            std::min<uint64_t>(ranks / 2 - reach, uint64_t{sides} * (2 * reach + 1));
        for (const Block& block : CutRun(reach + 1, missing, std::min(sides, missing)))
        {
            const uint32_t distance = block.first + (block.last - block.first) / 2;
            for (uint32_t away = block.first; away <= block.last; ++away)
            {
                for (uint32_t to = 0; to < ranks; ++to)
                {
                    plan.steps.push_back(
                        {plan.rounds, (to + distance) % ranks, to, (to + away) % ranks});
                    if (2 * away != ranks) // that rank is as far on the other side
                    {
                        plan.steps.push_back({plan.rounds,
                                              (to + ranks - distance) % ranks,
                                              to,
                                              (to + ranks - away) % ranks});
                    }
                }
            }
        }
        reach += missing;
    }
    return plan;
}

/**
 * Knoedel's matchings, for any number of ports. Sets of f ranks, f even, first exchange all with
 * all. From then on the upper half of a set has the shares of the sets from its own on, the lower
 * half those up to its own; a rank of an upper half exchanges with ranks of lower halves further
 * on, so each gets a run of sets that it lacks.
 */
GatherPlan
PlanBySets(uint32_t ranks, uint32_t ports, uint32_t size)
{
    const uint32_t sets = ranks / size;
    GatherPlan plan;
    for (uint32_t to = 0; to < ranks; ++to)
    {
        for (uint32_t step = 1; step < size; ++step)
        {
            const uint32_t from = to - to % size + (to + step) % size;
            plan.steps.push_back({0, from, to, from});
        }
    }
    plan.rounds = 1;
    for (uint32_t run = 1; run < sets; ++plan.rounds)
    {
        const uint32_t missing = std::min<uint64_t>(sets - run, uint64_t{ports} * run);
        for (const Block& block : CutRun(run, missing, std::min(ports, missing)))
        {
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                if (rank % size >= size / 2)
                {
                    continue; // it is the other one of a pair
                }
                const uint32_t set = rank / size;
                const uint32_t behind = (set + block.last) % sets;
                const uint32_t other = behind * size + rank % size + size / 2;
                for (uint32_t away = block.first; away <= block.last; ++away)
                {
                    for (uint32_t member = 0; member < size; ++member)
                    {
                        plan.steps.push_back(
                            {plan.rounds, other, rank, (set + away) % sets * size + member});
                        plan.steps.push_back({plan.rounds,
                                              rank,
                                              other,
                                              (behind + sets - away) % sets * size + member});
                    }
                }
            }
        }
        run += missing;
    }
    return plan;
}

/**
 * Ranks of the core, a power of two of them, exchange with the rank whose number differs in one
 * bit, the highest first: a rank has the shares that agree with its number in all lower bits.
 */
GatherPlan
PlanFolded(uint32_t ranks, uint32_t core)
{
    GatherPlan plan;
    for (uint32_t rank = core; rank < ranks; ++rank)
    {
        plan.steps.push_back({0, rank, rank - core, rank});
        plan.steps.push_back({0, rank - core, rank, rank - core});
        plan.rounds = 1;
    }
    for (uint32_t distance = core / 2; distance > 0; distance /= 2, ++plan.rounds)
    {
        for (uint32_t rank = 0; rank < core; ++rank)
        {
            for (uint32_t share = rank % (2 * distance); share < ranks; share += 2 * distance)
            {
                plan.steps.push_back({plan.rounds, rank, rank ^ distance, share});
            }
        }
    }
    for (uint32_t rank = core; rank < ranks; ++rank)
    {
        for (uint32_t share = 0; share < ranks; ++share)
        {
            if (share != rank && share != rank - core)
            {
                plan.steps.push_back({plan.rounds, rank - core, rank, share});
            }
        }
    }
    plan.rounds += core < ranks ? 1 : 0;
    return plan;
}

} // namespace

GatherPlan
MakeDoublingPlan(uint32_t ranks)
{
    NS_ASSERT_MSG(ranks >= 2, "no plan for " << ranks << " ranks");
    uint32_t core = 1;
    while (core <= ranks / 2)
    {
        core *= 2;
    }
    return core == ranks || ranks % 2 != 0 ? PlanFolded(ranks, core) : PlanBySets(ranks, 1, 2);
}

GatherPlan
MakeMultiplyingPlan(uint32_t ranks, uint32_t ports)
{
    NS_ASSERT_MSG(ports >= 1, "no plan for " << ports << " ports");
    if (ports == 1)
    {
        return MakeDoublingPlan(ranks);
    }
    if (ports % 2 == 0 || ranks % 2 != 0)
    {
        return PlanCirculant(ranks, ports / 2);
    }
    uint32_t size = std::min(ports + 1, ranks);
    while (size % 2 != 0 || ranks % size != 0)
    {
        --size;
    }
    return PlanBySets(ranks, ports, size);
}

} // namespace ns3
