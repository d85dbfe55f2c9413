/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRAGGLER_ROUNDS_H
#define PHOTONIC_RAILS_STRAGGLER_ROUNDS_H

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
 * two the plan is the same in every round and reaches this bound. Plans of other n are searched for
 * (StragglerSearch). For 3 to 256 ranks they take at most one round more than
 * GetLeastStragglerRounds(), which the tests prove; so do the published ones for up to 24 ranks,
 * and those for 48, 96 and 192 ranks take 5, 7 and 10 more.
 *
 * The paper has even n. If n is odd, one rank is idle in each round while the straggler meets
 * another.
 *
 * (StragglAR, arXiv 2505.23523.)
 */
struct StragglerPlan
{
    uint32_t rounds{0};
    std::vector<StragglerTransfer> transfers; //!< by round

    /** Adds the exchange of a round. */
    void AddExchange(uint32_t round, uint32_t straggler);
};

/**
 * @param ranks 3 or more
 * @return a number of rounds below which no plan is: of the doubling of the last chunk's holders,
 * and of the number of chunks that ranks receive in pairs
 */
uint32_t GetLeastStragglerRounds(uint32_t ranks);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRAGGLER_ROUNDS_H */
