/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRAGGLER_PLAN_H
#define PHOTONIC_RAILS_STRAGGLER_PLAN_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** A transfer of a chunk between two ranks, in the numbers of a StragglerPlan. */
struct StragglerTransfer
{
    uint32_t round{0};
    uint32_t from{0};
    uint32_t to{0};
    uint32_t chunk{0};
    bool exchange{false}; //!< a half of an exchange with the straggler: the receiver adds it; else
                          //!< it copies it
};

/**
 * @ingroup photonic-rails
 * @brief The end of an AllReduce that began without one rank, the straggler.
 *
 * n - 1 ranks have reduced and scattered n - 1 chunks among themselves: rank r has the sum of chunk
 * r, without the contribution of the straggler, rank n - 1. In round r the straggler and rank r
 * exchange chunk r, after which both have the full sum; the others spread finished chunks in pairs.
 * In every round no rank has more than one partner, so one port for each rank is enough.
 *
 * A chunk has two holders when it is finished, and at most twice as many after each round. The last
 * one is finished in round n - 2, so there are at least n - 2 + ceil(log2 n) rounds. For powers of
 * two the plan is the same in every round and reaches this bound. For other even n each round takes
 * the matching of greatest weight, in O(n^4); the tests find at most one round more.
 *
 * (StragglAR, arXiv 2505.23523.)
 */
struct StragglerPlan
{
    uint32_t rounds{0};
    std::vector<StragglerTransfer> transfers; //!< by round
};

/**
 * @param ranks an even number of them, 4 or more
 * @return the plan, which is made once and kept
 */
const StragglerPlan& GetStragglerPlan(uint32_t ranks);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRAGGLER_PLAN_H */
