/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lab 10: an algorithm to begin with, an all-reduce over rank 0. Copy it, compile it, and change
// it.

#include "ns3/collective-algorithm.h"
#include "ns3/rails-extension.h"

namespace ns3
{

namespace
{

/** Adds the algorithm "my-star": all send to rank 0, which sends the sum to all. */
bool
RegisterStarAllReduce()
{
    CollectiveAlgorithm star;
    star.name = "my-star";
    star.kind = CollectiveKind::ALL_REDUCE;
    star.help = "to rank 0, and back";
    star.fallback = "ring"; // where circuits do not join rank 0 to all
    star.write = [](ScheduleChannel& channel) {
        const uint32_t all = channel.AddChunk(0, 0, 1);
        for (uint32_t rank = 1; rank < channel.GetRanks(); ++rank)
        {
            channel.Reduce(0, rank, 0, all);
        }
        for (uint32_t rank = 1; rank < channel.GetRanks(); ++rank)
        {
            channel.Copy(1, 0, rank, all);
        }
    };
    star.bytesSent = [](const CollectiveParameters& parameters, uint32_t rank, uint64_t buffer) {
        return rank == 0 ? (parameters.ranks - 1) * buffer : buffer;
    };
    CollectiveAlgorithm::Register(star); // proves it, or stops with the mistake
    return true;
}

const bool g_starIsRegistered = RegisterStarAllReduce(); // when the file is loaded

} // namespace

} // namespace ns3
