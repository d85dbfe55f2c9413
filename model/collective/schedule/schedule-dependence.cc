/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "schedule-dependence.h"

#include "contributions.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** @return places in the list of transfers, chunk by chunk, those of each in its order */
std::vector<uint32_t>
SortByChunk(const std::vector<CollectiveTransfer>& transfers)
{
    std::vector<uint32_t> places(transfers.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&transfers](uint32_t one, uint32_t other) {
        return transfers[one].chunk < transfers[other].chunk;
    });
    return places;
}

} // namespace

bool
DependsOnAll(const std::vector<CollectiveTransfer>& transfers, uint32_t ranks)
{
    std::vector<Contributions> ends(ranks, Contributions(ranks));
    Contributions all(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        ends[rank].Add(rank);
        all.Add(rank);
    }
    // of one chunk: on whose begin each version of it depends, by rank
    std::vector<std::vector<Contributions>> versions(ranks);
    std::vector<uint32_t> have; // versions
    uint32_t chunk = 0;
    for (const uint32_t place : SortByChunk(transfers))
    {
        const CollectiveTransfer& transfer = transfers[place];
        if (transfer.chunk != chunk)
        {
            chunk = transfer.chunk;
            for (const uint32_t rank : have)
            {
                versions[rank].clear();
            }
            have.clear();
        }
        for (const uint32_t rank : {transfer.from, transfer.to})
        {
            if (versions[rank].empty())
            {
                versions[rank].emplace_back(ranks).Add(rank);
                have.push_back(rank);
            }
        }
        if (transfer.needs >= versions[transfer.from].size())
        {
            return false;
        }
        const Contributions& sent = versions[transfer.from][transfer.needs];
        Contributions next = versions[transfer.to].back();
        next.Add(sent);
        ends[transfer.to].Add(next);
        versions[transfer.to].push_back(std::move(next));
    }
    return std::all_of(ends.begin(), ends.end(), [&all](const Contributions& its) {
        return its == all;
    });
}

} // namespace ns3
