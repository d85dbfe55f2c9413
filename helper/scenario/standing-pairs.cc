/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "standing-pairs.h"

#include "ns3/collective-algorithm.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/pair-ports.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

std::vector<PairPorts::Pair>
GetRankIds(const std::vector<RankPair>& pairs)
{
    std::vector<PairPorts::Pair> ids;
    for (const auto& [one, other] : pairs)
    {
        ids.emplace_back(one, other);
    }
    return ids;
}

/** @return the pairs of an algorithm, if they stay and each rank has ports for all its partners */
std::vector<RankPair>
GetPairsThatStay(const CollectiveParameters& parameters, const std::string& algorithm)
{
    const CollectiveAlgorithm& named = CollectiveAlgorithm::Get(parameters.kind, algorithm);
    if (!named.GetWhyNot(parameters).empty())
    {
        return {};
    }
    const auto schedule = CollectiveAlgorithm::GetSchedule(algorithm, parameters);
    if (schedule->GetStages().size() != 1)
    {
        return {};
    }
    const std::vector<RankPair>& pairs = schedule->GetStages()[0].pairs;
    const auto partners = PairPorts::CountPartners(GetRankIds(pairs));
    const bool fits = std::all_of(partners.begin(), partners.end(), [&parameters](const auto& its) {
        return its.second <= parameters.ports;
    });
    return fits ? pairs : std::vector<RankPair>();
}

} // namespace

std::vector<RankPair>
ChooseStandingPairs(const CollectiveParameters& parameters, const std::string& algorithm)
{
    if (!algorithm.empty())
    {
        const std::vector<RankPair> own = GetPairsThatStay(parameters, algorithm);
        if (!own.empty())
        {
            return own;
        }
    }
    std::set<RankPair> ring;
    for (uint32_t rank = 0; rank < parameters.ranks; ++rank)
    {
        if (parameters.ports > 1 || parameters.ranks == 2)
        {
            ring.insert(std::minmax(rank, (rank + 1) % parameters.ranks));
        }
    }
    return std::vector<RankPair>(ring.begin(), ring.end());
}

void
JoinPairs(const Rail& rail, const std::vector<RankPair>& pairs)
{
    const std::vector<PairPorts::Pair> ids = GetRankIds(pairs);
    PairPorts ports(ids, [&rail](RankId) {
        std::vector<uint32_t> all(rail.GetPortsPerGpu());
        std::iota(all.begin(), all.end(), 0);
        return all;
    });
    const auto loss = [](RankId, uint32_t) { return uint32_t{0}; }; // all are free
    for (std::size_t pair = 0; pair < ids.size(); ++pair)
    {
        const auto& [one, other] = ids[pair];
        while (ports.CountDue(pair) > 0)
        {
            const RailLink link = ports.Join(pair, loss).value();
            rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(one.Get(), link.here),
                                             rail.GetSwitchPort(other.Get(), link.there));
        }
    }
}

} // namespace ns3
