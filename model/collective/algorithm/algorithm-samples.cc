/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "algorithm-samples.h"

#include "ns3/demand-matrix.h"

#include <memory>
#include <set>

namespace ns3
{

std::vector<CollectiveParameters>
MakeSamples(CollectiveKind kind, uint32_t ranks, uint32_t mostPorts)
{
    const bool rooted = kind == CollectiveKind::BROADCAST || kind == CollectiveKind::REDUCE;
    std::vector<CollectiveParameters> samples;
    for (const bool bidirectional : {false, true})
    {
        for (const uint32_t root : std::set<uint32_t>{0, rooted ? ranks - 1 : 0})
        {
            CollectiveParameters sample;
            sample.kind = kind;
            sample.ranks = ranks;
            sample.channels = bidirectional ? 4 : 1;
            sample.bidirectional = bidirectional;
            sample.root = root;
            sample.straggler = bidirectional ? ranks / 2 : ranks - 1;
            if (kind == CollectiveKind::ALL_TO_ALL_V)
            {
                auto demand = std::make_shared<DemandMatrix>(ranks);
                for (uint32_t from = 0; from < ranks; ++from)
                {
                    for (uint32_t to = 0; to < ranks; ++to)
                    {
                        // some pairs have nothing to send
                        const uint64_t units = (from * 5 + to * 3 + root) % 7;
                        demand->Set(from, to, from == to ? 0 : units * sample.channels * 60);
                    }
                }
                sample.demand = demand;
            }
            samples.push_back(sample);
        }
    }
    // numbers of ranks in a server that divide the group
    for (uint32_t perServer = 2; perServer <= ranks; ++perServer)
    {
        if (ranks % perServer == 0)
        {
            CollectiveParameters sample = samples.front();
            sample.perServer = perServer;
            samples.push_back(sample);
        }
    }
    const std::size_t ofOnePort = samples.size();
    for (uint32_t ports = 2; ports <= mostPorts; ++ports)
    {
        for (std::size_t s = 0; s < ofOnePort; ++s)
        {
            CollectiveParameters sample = samples[s];
            sample.ports = ports;
            samples.push_back(sample);
        }
    }
    return samples;
}

} // namespace ns3
