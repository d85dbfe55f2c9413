/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "straggler-rounds.h"

#include <algorithm>

namespace ns3
{

void
StragglerPlan::AddExchange(uint32_t round, uint32_t straggler)
{
    transfers.push_back({round, straggler, round, round, true});
    transfers.push_back({round, round, straggler, round, true});
}

uint32_t
GetLeastStragglerRounds(uint32_t ranks)
{
    const uint64_t chunks = ranks - 1;
    // the last chunk has two holders after round n - 2, and at most twice as many after each
    uint64_t byLast = chunks;
    for (uint64_t holders = 2; holders < ranks; holders *= 2)
    {
        ++byLast;
    }
    // n - 2 ranks lack each chunk when it is finished; while the straggler meets one rank, the
    // other n - 2 go in pairs, and only ranks that hold something send
    uint64_t lacks = chunks * (ranks - 2);
    uint64_t senders = 0; // at most, besides the straggler
    for (uint64_t round = 0; round < chunks; ++round)
    {
        const uint64_t receive = std::min<uint64_t>((ranks - 2) / 2 * 2, senders);
        lacks -= std::min(lacks, receive);
        senders = std::min<uint64_t>(chunks, senders + receive + 1);
    }
    // afterwards the straggler, which lacks nothing, takes part or is the odd one
    const uint64_t byCount = chunks + (lacks + chunks - 1) / chunks;
    return std::max(byLast, byCount);
}

} // namespace ns3
