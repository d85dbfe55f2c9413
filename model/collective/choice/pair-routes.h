/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PAIR_ROUTES_H
#define PHOTONIC_RAILS_PAIR_ROUTES_H

#include "rank-places.h"

#include "ns3/collective-transport.h"
#include "ns3/identifier.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A pair of ranks to be joined, or a route between two; mostly the order does not matter. */
using JoinedRanks = std::pair<RankId, RankId>;

/** @return the same pair, the lower rank first */
JoinedRanks NormalizePair(const JoinedRanks& pair);

/** @return the same pairs in order, the lower rank of each first, each pair once */
std::vector<JoinedRanks> NormalizePairs(std::vector<JoinedRanks> pairs);

/**
 * The routes between two ranks: the pairs of ranks whose NICs a link can join so that it carries
 * their messages.
 *
 * - Ranks of one rail have one route: themselves.
 * - Ranks that the fabric inside a server joins need none.
 * - Of other ranks, one of the two has a relay in its server, on the rail of the other one (PXN in
 *   NCCL). First comes the route with the relay of the first rank, then the one with the relay of
 *   the second rank.
 *
 * A route serves both directions.
 * @return the routes, each in the order of the two ranks; empty if they need none, or have none
 */
std::vector<JoinedRanks> GetRoutes(const JoinedRanks& pair, const RankPlaces& places);

/**
 * @param routes the lower rank of each first, in order
 * @return the first route between two ranks that is one of these; empty if there is none
 */
std::optional<JoinedRanks> FindRoute(RankId from,
                                     RankId to,
                                     const std::vector<JoinedRanks>& routes,
                                     const RankPlaces& places);

/** @return the relays of messages from a rank to another on a route between them */
Relays GetRelays(RankId from, RankId to, const JoinedRanks& route);

/** The routes of pairs of ranks that are to be joined at once. */
struct RoutedPairs
{
    std::vector<JoinedRanks> routes; //!< the lower rank of each first, in order, each once
    std::string why;                 //!< the reason why they cannot be joined; empty if they can
};

/** What the choice of routes depends on, beside the places of ranks. */
struct RouteInputs
{
    /** @return the ports of a rank that links may use; 0: the rank cannot have links */
    std::function<uint32_t(RankId rank)> portsOf;
    /** @return whether a link joins two ranks already; may be null */
    std::function<bool(const JoinedRanks& route)> stands;
};

/**
 * Chooses a route for each pair of ranks that are to be joined at once, so that no rank has more
 * partners than ports.
 *
 * Pairs with one route come first. Each other pair then takes a route that another pair has taken;
 * or else one that stands; or else the one whose busier end has the fewest partners, and of equal
 * ones the first. If standing links lead to more partners than ports, the choice ignores them.
 *
 * It is a heuristic where many pairs have two routes: it may find none where a search would.
 * @param pairs in any order
 */
RoutedPairs ChooseRoutes(const std::vector<JoinedRanks>& pairs,
                         const RankPlaces& places,
                         const RouteInputs& inputs);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PAIR_ROUTES_H */
