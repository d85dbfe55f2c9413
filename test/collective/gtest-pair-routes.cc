/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pair-routes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

/** Servers of equal size: GPU g of each is on rail g. */
class EqualServers : public RankPlaces
{
  public:
    EqualServers(uint32_t perServer, bool forwards)
        : m_perServer(perServer),
          m_forwards(forwards)
    {
    }

    RailId GetRail(RankId rank) const override
    {
        return RailId(rank.Get() % m_perServer);
    }

    bool AreIntraNode(RankId one, RankId other) const override
    {
        return m_forwards && ServerOf(one) == ServerOf(other);
    }

    std::optional<RankId> FindRelay(RankId here, RankId there) const override
    {
        const RankId relay(ServerOf(here) * m_perServer + there.Get() % m_perServer);
        return m_forwards || relay == here ? std::optional<RankId>(relay) : std::nullopt;
    }

    uint32_t ServerOf(RankId rank) const
    {
        return rank.Get() / m_perServer;
    }

  private:
    uint32_t m_perServer;
    bool m_forwards;
};

JoinedRanks
Routed(uint32_t one, uint32_t other)
{
    return {RankId(one), RankId(other)};
}

RouteInputs
EqualInputs(uint32_t ports)
{
    RouteInputs inputs;
    inputs.portsOf = [ports](RankId) { return ports; };
    return inputs;
}

using Routes = std::vector<JoinedRanks>;

} // namespace

TEST(PairRoutes, RanksOfOneRailHaveThemselvesAndRanksOfOneServerNeedNone)
{
    const EqualServers places(4, true); // ranks 0 to 3 are a server
    EXPECT_EQ(GetRoutes(Routed(1, 5), places), Routes{Routed(1, 5)});
    EXPECT_TRUE(GetRoutes(Routed(1, 2), places).empty());
}

TEST(PairRoutes, RanksOfTwoRailsHaveARelayAtEitherEnd)
{
    const EqualServers places(4, true);
    // rank 0 stands for rank 1 on rail 0, rank 5 stands for rank 4 on rail 1
    EXPECT_EQ(GetRoutes(Routed(1, 4), places), (Routes{Routed(0, 4), Routed(1, 5)}));
    // the other way round, the same two, by sender and receiver
    EXPECT_EQ(GetRoutes(Routed(4, 1), places), (Routes{Routed(5, 1), Routed(4, 0)}));
    EXPECT_TRUE(GetRoutes(Routed(1, 4), EqualServers(4, false)).empty());
}

TEST(PairRoutes, RelaysAreTheEndsOfARouteThatAreNotThoseOfTheMessage)
{
    const Relays sender = GetRelays(RankId(1), RankId(4), Routed(0, 4));
    EXPECT_EQ(sender.atSender, RankId(0));
    EXPECT_FALSE(sender.atReceiver);
    const Relays receiver = GetRelays(RankId(1), RankId(4), Routed(1, 5));
    EXPECT_FALSE(receiver.atSender);
    EXPECT_EQ(receiver.atReceiver, RankId(5));
    EXPECT_TRUE(GetRelays(RankId(1), RankId(5), Routed(1, 5)) == Relays());
}

TEST(PairRoutes, AStandingRouteIsTakenInsteadOfTheFirst)
{
    const EqualServers places(4, true);
    RouteInputs inputs = EqualInputs(1);
    EXPECT_EQ(ChooseRoutes({Routed(1, 4)}, places, inputs).routes, Routes{Routed(0, 4)});
    inputs.stands = [](const JoinedRanks& route) { return route == Routed(1, 5); };
    EXPECT_EQ(ChooseRoutes({Routed(1, 4)}, places, inputs).routes, Routes{Routed(1, 5)});
}

TEST(PairRoutes, PairsShareARoute)
{
    const EqualServers places(4, true);
    // the pair 0, 4 has one route, which carries 1, 4 too: one port of rank 4 is enough
    const RoutedPairs routed = ChooseRoutes({Routed(1, 4), Routed(0, 4)}, places, EqualInputs(1));
    EXPECT_EQ(routed.why, "");
    EXPECT_EQ(routed.routes, Routes{Routed(0, 4)});
}

TEST(PairRoutes, APairAvoidsARankWhosePortsAreTaken)
{
    const EqualServers places(2, true); // servers 0 1, 2 3, 4 5
    // 0, 4 takes the port of rank 4; so 3, 4 must not use rail 0
    const RoutedPairs routed = ChooseRoutes({Routed(0, 4), Routed(3, 4)}, places, EqualInputs(1));
    EXPECT_EQ(routed.why, "");
    EXPECT_EQ(routed.routes, (Routes{Routed(0, 4), Routed(3, 5)}));
}

TEST(PairRoutes, StandingRoutesThatLeadToTooManyPartnersAreIgnored)
{
    const EqualServers places(2, true);
    RouteInputs inputs = EqualInputs(1);
    // both pairs could use rank 2, which has one port: 1, 2 over 0 and 3, 4 over 2
    inputs.stands = [](const JoinedRanks& route) {
        return route == Routed(0, 2) || route == Routed(2, 4);
    };
    const RoutedPairs routed = ChooseRoutes({Routed(1, 2), Routed(3, 4)}, places, inputs);
    EXPECT_EQ(routed.why, "");
    EXPECT_EQ(routed.routes.size(), 2U);
}

TEST(PairRoutes, WhatCannotBeJoinedIsReportedWithNumbers)
{
    const EqualServers places(4, true);
    EXPECT_EQ(ChooseRoutes({Routed(0, 4), Routed(0, 8)}, places, EqualInputs(1)).why,
              "rank 0 is to be joined to 2 others at once, and has 1 ports: 2 > 1");
    EXPECT_EQ(ChooseRoutes({Routed(3, 3)}, places, EqualInputs(1)).why,
              "rank 3 is to be joined to itself");
    EXPECT_EQ(ChooseRoutes({Routed(1, 4)}, EqualServers(4, false), EqualInputs(1)).why,
              "rank 1 is on rail 1 and rank 4 on rail 0: no circuit joins two rails, and no "
              "fabric inside a server leads to a relay");
}

TEST(PairRoutes, ARelayWithoutPortsDoesNotForward)
{
    const EqualServers places(4, true);
    RouteInputs inputs;
    inputs.portsOf = [](RankId rank) { return rank == RankId(0) ? 0U : 2U; }; // another job's
    EXPECT_EQ(ChooseRoutes({Routed(1, 4)}, places, inputs).routes, Routes{Routed(1, 5)});
}

// any pairs: each is joined, inside a server or on a route of its own, and no rank has more
// partners than ports; the order of the pairs has no effect
TEST(PairRoutes, RandomPairsAreAllJoinedWithinThePorts)
{
    uint32_t joined = 0;
    for (uint32_t seed = 0; seed < 5000; ++seed)
    {
        std::mt19937 random(seed);
        const uint32_t perServer = 1 + random() % 4;
        const uint32_t ranks = perServer * (2 + random() % 4);
        const uint32_t ports = 1 + random() % 4;
        const EqualServers places(perServer, true);
        Routes pairs;
        for (uint32_t i = 0; i < 1 + random() % 8; ++i)
        {
            const uint32_t one = random() % ranks;
            pairs.push_back(Routed(one, (one + 1 + random() % (ranks - 1)) % ranks));
        }
        std::set<uint64_t> standing; // ranks that are joined to each other
        standing.insert(random() % ranks);
        standing.insert(random() % ranks);
        RouteInputs inputs = EqualInputs(ports);
        inputs.stands = [&standing](const JoinedRanks& route) {
            return standing.count(route.first.Get()) + standing.count(route.second.Get()) == 2;
        };
        const RoutedPairs routed = ChooseRoutes(pairs, places, inputs);
        std::shuffle(pairs.begin(), pairs.end(), random);
        ASSERT_EQ(ChooseRoutes(pairs, places, inputs).routes, routed.routes) << seed;
        if (!routed.why.empty())
        {
            continue;
        }
        ++joined;
        std::map<RankId, uint32_t> partners;
        for (const auto& [one, other] : routed.routes)
        {
            ASSERT_EQ(places.GetRail(one), places.GetRail(other)) << seed;
            ASSERT_NE(places.ServerOf(one), places.ServerOf(other)) << seed;
            ASSERT_LE(++partners[one], ports) << seed;
            ASSERT_LE(++partners[other], ports) << seed;
        }
        for (const auto& [one, other] : pairs)
        {
            const bool isRouted = FindRoute(one, other, routed.routes, places).has_value();
            ASSERT_NE(isRouted, places.AreIntraNode(one, other)) << seed;
        }
    }
    EXPECT_GT(joined, 2500U); // most of them have enough ports
}
