/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pair-routes.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/** Takes routes one after another. */
class RouteTaker
{
  public:
    RouteTaker(const RankPlaces& places, const RouteInputs& inputs, bool prefersStanding)
        : m_places(places),
          m_inputs(inputs),
          m_prefersStanding(prefersStanding && inputs.stands)
    {
    }

    /** @return the routes of all pairs */
    RoutedPairs TakeAll(const std::vector<JoinedRanks>& pairs)
    {
        std::vector<std::vector<JoinedRanks>> open; // of pairs that have a choice
        for (const JoinedRanks& pair : pairs)
        {
            if (pair.first == pair.second)
            {
                std::ostringstream why;
                why << "rank " << pair.first << " is to be joined to itself";
                return {{}, why.str()};
            }
            std::vector<JoinedRanks> routes = ListRoutes(pair);
            if (routes.empty() && !m_places.AreIntraNode(pair.first, pair.second))
            {
                return {{}, DescribeGap(pair)};
            }
            if (routes.size() == 1)
            {
                Take(routes.front());
            }
            else if (!routes.empty())
            {
                open.push_back(std::move(routes));
            }
        }
        for (const std::vector<JoinedRanks>& routes : open)
        {
            Take(FindBest(routes));
        }
        return {{m_taken.begin(), m_taken.end()}, DescribeExcess()};
    }

  private:
    /** @return the routes of a pair whose ends have ports; all of them if none has */
    std::vector<JoinedRanks> ListRoutes(const JoinedRanks& pair) const
    {
        std::vector<JoinedRanks> all = GetRoutes(pair, m_places);
        if (all.size() < 2)
        {
            return all; // there is no choice
        }
        std::vector<JoinedRanks> possible;
        std::copy_if(all.begin(), all.end(), std::back_inserter(possible), [this](const auto& one) {
            return m_inputs.portsOf(one.first) > 0 && m_inputs.portsOf(one.second) > 0;
        });
        return possible.empty() ? std::vector<JoinedRanks>{all.front()} : possible;
    }

    void Take(const JoinedRanks& route)
    {
        if (m_taken.insert(NormalizePair(route)).second)
        {
            ++m_partners[route.first];
            ++m_partners[route.second];
        }
    }

    /** @return the partners of a rank so far */
    uint32_t CountPartners(RankId rank) const
    {
        const auto found = m_partners.find(rank);
        return found == m_partners.end() ? 0 : found->second;
    }

    /** @return the partners in excess of the ports at the busier end, if the route is taken */
    int64_t GetLoad(const JoinedRanks& route) const
    {
        const auto load = [this](RankId rank) {
            return int64_t{CountPartners(rank)} - m_inputs.portsOf(rank);
        };
        return std::max(load(route.first), load(route.second));
    }

    JoinedRanks FindBest(const std::vector<JoinedRanks>& routes) const
    {
        for (const JoinedRanks& route : routes)
        {
            if (m_taken.count(NormalizePair(route)) != 0)
            {
                return route;
            }
        }
        for (const JoinedRanks& route : routes)
        {
            if (m_prefersStanding && GetLoad(route) < 0 && m_inputs.stands(route))
            {
                return route;
            }
        }
        return *std::min_element(
            routes.begin(),
            routes.end(),
            [this](const auto& a, const auto& b) { return GetLoad(a) < GetLoad(b); });
    }

    std::string DescribeGap(const JoinedRanks& pair) const
    {
        std::ostringstream why;
        why << "rank " << pair.first << " is on rail " << m_places.GetRail(pair.first)
            << " and rank " << pair.second << " on rail " << m_places.GetRail(pair.second)
            << ": no circuit joins two rails, and no fabric inside a server leads to a relay";
        return why.str();
    }

    std::string DescribeExcess() const
    {
        for (const auto& [rank, partners] : m_partners)
        {
            const uint32_t ports = m_inputs.portsOf(rank);
            if (partners > ports)
            {
                std::ostringstream why;
                why << "rank " << rank << " is to be joined to " << partners
                    << " others at once, and has " << ports << " ports: " << partners << " > "
                    << ports;
                return why.str();
            }
        }
        return "";
    }

    const RankPlaces& m_places;
    const RouteInputs& m_inputs;
    bool m_prefersStanding;
    std::set<JoinedRanks> m_taken;
    std::map<RankId, uint32_t> m_partners;
};

} // namespace

JoinedRanks
NormalizePair(const JoinedRanks& pair)
{
    return {std::min(pair.first, pair.second), std::max(pair.first, pair.second)};
}

std::vector<JoinedRanks>
NormalizePairs(std::vector<JoinedRanks> pairs)
{
    for (JoinedRanks& pair : pairs)
    {
        pair = NormalizePair(pair);
    }
    if (!std::is_sorted(pairs.begin(), pairs.end()))
    {
        std::sort(pairs.begin(), pairs.end());
    }
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

std::vector<JoinedRanks>
GetRoutes(const JoinedRanks& pair, const RankPlaces& places)
{
    const auto& [one, other] = pair;
    if (places.AreIntraNode(one, other))
    {
        return {};
    }
    if (places.GetRail(one) == places.GetRail(other))
    {
        return {pair};
    }
    std::vector<JoinedRanks> routes;
    if (const std::optional<RankId> relay = places.FindRelay(one, other))
    {
        routes.emplace_back(*relay, other);
    }
    if (const std::optional<RankId> relay = places.FindRelay(other, one))
    {
        routes.emplace_back(one, *relay);
    }
    return routes;
}

Relays
GetRelays(RankId from, RankId to, const JoinedRanks& route)
{
    Relays relays;
    if (route.first != from)
    {
        relays.atSender = route.first;
    }
    if (route.second != to)
    {
        relays.atReceiver = route.second;
    }
    return relays;
}

std::optional<JoinedRanks>
FindRoute(RankId from, RankId to, const std::vector<JoinedRanks>& routes, const RankPlaces& places)
{
    for (const JoinedRanks& route : GetRoutes({from, to}, places))
    {
        if (std::binary_search(routes.begin(), routes.end(), NormalizePair(route)))
        {
            return route;
        }
    }
    return std::nullopt;
}

RoutedPairs
ChooseRoutes(const std::vector<JoinedRanks>& pairs,
             const RankPlaces& places,
             const RouteInputs& inputs)
{
    const std::vector<JoinedRanks> normalized = NormalizePairs(pairs);
    RoutedPairs routed = RouteTaker(places, inputs, true).TakeAll(normalized);
    return routed.why.empty() || !inputs.stands
               ? routed
               : RouteTaker(places, inputs, false).TakeAll(normalized);
}

} // namespace ns3
