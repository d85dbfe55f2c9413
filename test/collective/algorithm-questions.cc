/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "algorithm-questions.h"

namespace ns3
{

std::vector<RankId>
RanksOf(uint32_t n, uint32_t step, uint32_t first)
{
    std::vector<RankId> ranks;
    for (uint32_t r = first; r < n; r += step)
    {
        ranks.emplace_back(10 + r);
    }
    return ranks;
}

CollectiveParameters
Parameters(CollectiveKind kind, uint32_t ranks, uint32_t channels, bool bidirectional)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    parameters.channels = channels;
    parameters.bidirectional = bidirectional;
    return parameters;
}

} // namespace ns3
