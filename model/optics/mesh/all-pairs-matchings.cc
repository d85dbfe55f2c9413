/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "all-pairs-matchings.h"

#include "ns3/mix-bits.h"
#include "ns3/tournament.h"

#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** @return by rank its port, at a try; at try 0 each rank is at the port of its number */
std::vector<uint32_t>
PlaceRanks(uint32_t ranks, uint32_t attempt)
{
    std::vector<uint32_t> ports(ranks);
    std::iota(ports.begin(), ports.end(), 0);
    if (attempt < ranks)
    {
        const uint32_t last = ranks - 1 - attempt; // the port of the last rank
        for (uint32_t rank = last; rank + 1 < ranks; ++rank)
        {
            ports[rank] = rank + 1; // the others keep their order
        }
        ports[ranks - 1] = last;
        return ports;
    }
    for (uint32_t rank = ranks - 1; rank > 0; --rank)
    {
        std::swap(ports[rank], ports[MixBits(MixBits(attempt) + rank) % (rank + 1)]);
    }
    return ports;
}

} // namespace

AllPairsMatchings
FindAllPairsMatchings(const FabricDescription& fabric, uint32_t most)
{
    const uint32_t ranks = fabric.GetPorts();
    const auto rounds = MakeTournament(ranks);
    AllPairsMatchings best;
    uint64_t steps = 0;
    for (uint32_t attempt = 0; attempt < most; ++attempt)
    {
        AllPairsMatchings now;
        now.ports = PlaceRanks(ranks, attempt);
        for (const auto& round : rounds)
        {
            std::vector<Circuit>& matching = now.matchings.emplace_back();
            for (const auto& [one, other] : round)
            {
                matching.emplace_back(PortId(now.ports[one]), PortId(now.ports[other]));
            }
            const FabricAnswer answer = fabric.FindRoutes({}, matching);
            now.steps += answer.steps;
            now.settable += answer.why.empty() ? 1 : 0;
            now.routes.push_back(answer.routes);
        }
        steps += now.steps;
        if (attempt == 0 || now.settable > best.settable)
        {
            best = std::move(now);
        }
        best.tries = attempt + 1;
        best.steps = steps;
        if (best.AreComplete())
        {
            break;
        }
    }
    return best;
}

} // namespace ns3
