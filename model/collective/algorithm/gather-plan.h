/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GATHER_PLAN_H
#define PHOTONIC_RAILS_GATHER_PLAN_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** A transfer of a rank's share to another rank. */
struct GatherStep
{
    uint32_t round{0};
    uint32_t from{0};
    uint32_t to{0};
    uint32_t share{0}; //!< the rank whose share it is
};

/**
 * @ingroup photonic-rails
 * @brief The rounds in which each of n ranks gets the shares of all others, over few circuits.
 *
 * In a round a rank exchanges with at most as many others as it has ports, both ways, and each
 * partner sends shares that the rank lacks: every rank receives each of n - 1 shares once. So the
 * plan is an all-gather, the reverse of it a reduce-scatter, and the partners alone are a barrier.
 *
 * | ports p  | ranks n          | rounds                                               |
 * |----------|------------------|------------------------------------------------------|
 * | 1        | even             | lg n, rounded up                                     |
 * | 1        | odd              | lg n, rounded up, and 1                              |
 * | even     | any              | log n to the base p + 1, rounded up                  |
 * | odd      | even             | 1 + log (n / f) to the base p + 1, rounded up; f is  |
 * |          |                  | the greatest even divisor of n up to p + 1           |
 * | odd      | odd              | as with p - 1 ports: a port is idle, as n p ends of  |
 * |          |                  | circuits are an odd number                           |
 *
 * p + 1 times as many shares a round is the most that p partners can bring, and for one port the
 * rounds are the fewest of all (Knoedel, New gossips and telephones, 1975). A rank sends n - 1
 * shares too, except for one port and n odd: see MakeDoublingPlan().
 */
struct GatherPlan
{
    uint32_t rounds{0};
    /**
     * Whether the pairs of each round are all ranks of some distances. Then the plan holds with
     * ranks in descending order too, over the same pairs.
     */
    bool isCirculant{false};
    std::vector<GatherStep> steps; //!< by round
};

/**
 * Recursive doubling: each round is a matching.
 *
 * For powers of two a rank's partner differs in one bit of its number. For other even numbers the
 * matchings are those of Knoedel. For odd numbers ranks beyond the greatest power of two are
 * folded: each first exchanges its share with a rank of the core, which sends it n - 2 shares in
 * the end.
 * @param ranks of the group, 2 or more
 */
GatherPlan MakeDoublingPlan(uint32_t ranks);

/**
 * Recursive multiplying: in each round a rank has up to as many partners as ports.
 * @param ranks of the group, 2 or more
 * @param ports of a rank, 1 or more; for 1 it is MakeDoublingPlan()
 */
GatherPlan MakeMultiplyingPlan(uint32_t ranks, uint32_t ports);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GATHER_PLAN_H */
