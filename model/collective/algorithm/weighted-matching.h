/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WEIGHTED_MATCHING_H
#define PHOTONIC_RAILS_WEIGHTED_MATCHING_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Finds the matching of greatest weight in a general graph, exactly.
 *
 * It chooses the circuits of a round: each rank has one port, and a circuit between two ranks has a
 * worth.
 *
 * The blossom algorithm (Edmonds) keeps dual variables and slacks so that it takes O(n^3) (Gabow;
 * Galil, "Efficient algorithms for finding maximum matching in graphs", 1986). A vertex stays alone
 * if that is worth more. Among equal matchings the result is always the same.
 *
 * @param weights a symmetric matrix, row by row: the worth of a match of two vertices, at most
 * 2^60. 0 or less means that they can't be matched, and so does the diagonal
 * @return by vertex the one that it is matched to, or itself if it is alone
 */
std::vector<uint32_t> GetMaximumWeightMatching(const std::vector<std::vector<int64_t>>& weights);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WEIGHTED_MATCHING_H */
