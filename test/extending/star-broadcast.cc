/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A user's own algorithm: a broadcast from the root to each of the others.

#include "ns3/collective-algorithm.h"

namespace ns3
{

/** Adds the algorithm "my-star"; to be called once, before collectives are called. */
inline void
RegisterMyStar()
{
    CollectiveAlgorithm star;
    star.name = "my-star";
    star.kind = CollectiveKind::BROADCAST;
    star.help = "from the root to each of the others";
    star.fallback = "ring"; // where circuits do not join the root to all
    star.write = [](ScheduleChannel& channel) {
        const uint32_t root = channel.GetParameters().root;
        const uint32_t all = channel.AddChunk(root, 0, 1);
        for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
        {
            if (rank != root)
            {
                channel.Copy(0, root, rank, all);
            }
        }
    };
    star.bytesSent = [](const CollectiveParameters& parameters, uint32_t rank, uint64_t buffer) {
        return rank == parameters.root ? (parameters.ranks - 1) * buffer : 0;
    };
    CollectiveAlgorithm::Register(star); // proves it for small groups, or stops with what is wrong
}

} // namespace ns3
