/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Pairs that a planner takes without a list of routes are those that a list of routes allows, for
// random cablings, owners and pairs.

#include "ns3/circuit-planner.h"
#include "ns3/pair-routes.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>

using namespace ns3;

namespace
{

constexpr uint32_t OBJECTION_SERVERS = 3;
constexpr uint32_t OBJECTION_RAILS = 2;

/** @return a cabling whose jobs 0 and 1 own some of the ports */
std::shared_ptr<const Cabling>
DrawObjectionCabling(std::mt19937& random)
{
    auto cabling = std::make_shared<Cabling>(
        Cabling::OfRails(OBJECTION_SERVERS, OBJECTION_RAILS, 1 + random() % 3));
    for (uint32_t rail = 0; rail < OBJECTION_RAILS; ++rail)
    {
        for (uint32_t port = 0; port < cabling->GetSwitchPorts(RailId(rail)); ++port)
        {
            if (random() % 8 != 0)
            {
                cabling->Own(JobId(random() % 8 == 0 ? 1 : 0), {RailId(rail), PortId(port)});
            }
        }
    }
    if (random() % 2 == 0)
    {
        cabling->SetForwarding();
    }
    return cabling;
}

/** @return one to six pairs, of which a rank may not exist, or be joined to itself */
std::vector<JoinedRanks>
DrawObjectionPairs(std::mt19937& random)
{
    const uint32_t ranks = OBJECTION_SERVERS * OBJECTION_RAILS;
    const auto draw = [&]() { return RankId(random() % (random() % 16 == 0 ? ranks + 1 : ranks)); };
    std::vector<JoinedRanks> pairs(1 + random() % 6);
    for (auto& [one, other] : pairs)
    {
        one = draw();
        other = draw();
    }
    return pairs;
}

/** @return the objection that the ports of each rank, and then the list of routes, give */
std::string
FindObjectionByRoutes(const std::vector<JoinedRanks>& pairs, const Cabling& cabling)
{
    for (const auto& [one, other] : pairs)
    {
        for (const RankId rank : {one, other})
        {
            if (!cabling.IsKnown(rank))
            {
                return "there is no rank " + std::to_string(rank.Get()) + " on any rail";
            }
            if (cabling.GetOwnedPorts(JobId(0), rank).empty())
            {
                return "job 0 owns no port of rank " + std::to_string(rank.Get());
            }
        }
    }
    const auto portsOf = [&](RankId rank) {
        return static_cast<uint32_t>(cabling.GetOwnedPorts(JobId(0), rank).size());
    };
    return ChooseRoutes(pairs, cabling, {portsOf, {}}).why;
}

} // namespace

TEST(OpusPlannerObjections, EqualThoseOfTheListOfRoutes)
{
    std::mt19937 random(1);
    uint32_t allowed = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        const auto cabling = DrawObjectionCabling(random);
        const std::vector<JoinedRanks> pairs = DrawObjectionPairs(random);
        const std::string expected = FindObjectionByRoutes(pairs, *cabling);
        ASSERT_EQ(CircuitPlanner(cabling).GetWhyNot(JobId(0), pairs), expected) << "case " << i;
        allowed += expected.empty() ? 1 : 0;
    }
    EXPECT_GT(allowed, 1000U);
    EXPECT_LT(allowed, 19000U);
}
