/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lab 10: a solution. In round k each rank exchanges all it has with the rank whose number differs
// in bit k.

#include "ns3/collective-algorithm.h"
#include "ns3/rails-extension.h"

namespace ns3
{

namespace
{

/** @return the number of rounds for a power of two */
uint32_t
GetRounds(uint32_t ranks)
{
    uint32_t rounds = 0;
    while ((1U << rounds) < ranks)
    {
        ++rounds;
    }
    return rounds;
}

/** Adds the algorithm "my-doubling". */
bool
RegisterDoubling()
{
    CollectiveAlgorithm doubling;
    doubling.name = "my-doubling";
    doubling.kind = CollectiveKind::ALL_REDUCE;
    doubling.help = "all of the buffer with another partner in each round";
    doubling.fallback = "ring"; // where circuits do not join the partners
    doubling.whyNot = [](const CollectiveParameters& parameters) -> std::string {
        const bool isPower = 1U << GetRounds(parameters.ranks) == parameters.ranks;
        return isPower ? "" : "my-doubling takes a power of two of ranks";
    };
    doubling.write = [](ScheduleChannel& channel) {
        const uint32_t all = channel.AddChunk(0, 0, 1);
        for (uint32_t round = 0; round < GetRounds(channel.GetRanks()); ++round)
        {
            for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
            {
                channel.Reduce(round, rank, rank ^ (1U << round), all);
            }
        }
    };
    doubling.bytesSent = [](const CollectiveParameters& parameters, uint32_t, uint64_t buffer) {
        return GetRounds(parameters.ranks) * buffer;
    };
    CollectiveAlgorithm::Register(doubling); // proves it, or stops with the mistake
    return true;
}

const bool g_doublingIsRegistered = RegisterDoubling(); // when the file is loaded

} // namespace

} // namespace ns3
