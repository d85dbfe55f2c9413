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
 * Which circuits to set up for a round, when each rank has one port and a circuit between two of
 * them is worth so much, is this question.
 *
 * It is the blossom algorithm (Edmonds), with dual variables and slacks kept so that it takes
 * O(n^3) (Gabow; Galil, "Efficient algorithms for finding maximum matching in graphs", 1986).
 * Vertices left alone are right if that is worth more. Among equal matchings it takes the same one
 * every time.
 *
 * @param weights row by row, symmetric; by vertex and vertex, what it is worth to match them. 0 or
 * less, and the diagonal, mean that they can't be matched. At most 2^60
 * @return by vertex the one that it is matched with, or itself if it is alone
 */
std::vector<uint32_t> GetMaximumWeightMatching(const std::vector<std::vector<int64_t>>& weights);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WEIGHTED_MATCHING_H */
