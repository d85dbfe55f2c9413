/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DEMAND_DECOMPOSITION_H
#define PHOTONIC_RAILS_DEMAND_DECOMPOSITION_H

#include "ns3/collective-schedule.h"
#include "ns3/demand-matrix.h"
#include "ns3/tournament.h"

#include <cstdint>
#include <vector>

namespace ns3
{

// Circuits join few ranks at a time, so an all-to-all goes in rounds in which each rank has one
// partner. These functions find the rounds. They are pure: equal arguments give equal rounds.

/** Pairs of ranks of which no two have a rank in common. */
using RankMatching = std::vector<RankPair>;

/**
 * Finds few matchings that hold each pair with demand in either direction once: it colours the
 * edges of the graph of these pairs.
 * @param demand the diagonal does not count
 * @return at most D + 1 matchings if no rank has more than D partners (Vizing), and at most as many
 * as MakeTournament() gives
 */
std::vector<RankMatching> ColourIntoMatchings(const DemandMatrix& demand);

/** Each rank sends to one rank, and each receives from one, for a number of bytes. */
struct WeightedPermutation
{
    uint64_t bytes{0};
    std::vector<uint32_t> to; //!< by rank; a rank that it maps to itself is idle
};

/**
 * Adds padding to a demand until all sums of rows and columns equal the largest of them. Padding is
 * on the diagonal where it can be: time in which a rank neither sends nor receives.
 * @return the padded demand
 */
DemandMatrix PadToEqualSums(const DemandMatrix& demand);

/**
 * The decomposition of Birkhoff and von Neumann: its permutations serve the demand in the time of
 * as many bytes as the largest sum of a row or column has, which is the least for one-way
 * permutations.
 * @return at most n^2 - 2n + 2 permutations whose sum is PadToEqualSums(demand), to the byte
 */
std::vector<WeightedPermutation> DecomposeIntoPermutations(const DemandMatrix& demand);

} // namespace ns3

#endif /* PHOTONIC_RAILS_DEMAND_DECOMPOSITION_H */
