/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>

using namespace ns3;

namespace
{

constexpr uint32_t SERVERS = 8;
constexpr uint32_t RAILS = 2;

/** Job 0 owns all. */
std::shared_ptr<const Cabling>
MakeCabling(uint32_t ports)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(SERVERS, RAILS, ports));
    for (uint32_t rank = 0; rank < SERVERS * RAILS; ++rank)
    {
        cabling->Own(JobId(0), RankId(rank));
    }
    return cabling;
}

/** @return the rank of a server on rail 0 */
RankId
R(uint32_t server)
{
    return RankId(server * RAILS);
}

JoinedRanks
Pair(uint32_t one, uint32_t other)
{
    return {R(one), R(other)};
}

void
Carry(const CircuitTarget& target, RailCircuits& circuits)
{
    for (const auto& [rail, plan] : target.changes)
    {
        ASSERT_TRUE(circuits[rail.Get()].Check(plan).IsAccepted());
        circuits[rail.Get()].Apply(plan);
    }
}

/** @return links between two ranks */
std::size_t
Links(const JoinedRanks& pair, const RailCircuits& circuits, const Cabling& cabling)
{
    return FindCircuits(pair, circuits, cabling).size();
}

bool
Contains(const std::string& words, const std::string& part)
{
    return words.find(part) != std::string::npos;
}

} // namespace

TEST(OpusPlanner, EachPairGetsThePortsDividedByThePartners)
{
    const auto cabling = MakeCabling(4);
    RailCircuits circuits = MakeDarkRails(*cabling);
    const std::vector<JoinedRanks> ring = MakeRingOf({R(0), R(1), R(2)});
    Carry(PlanCircuits(JobId(0), ring, circuits, *cabling), circuits);
    for (const JoinedRanks& pair : ring)
    {
        EXPECT_EQ(Links(pair, circuits, *cabling), 2); // 4 ports, 2 partners
    }
    Carry(PlanCircuits(JobId(0), {Pair(0, 1)}, circuits, *cabling), circuits);
    EXPECT_EQ(Links(Pair(0, 1), circuits, *cabling), 4); // a pair has them all
    // a star: the hub has 4 ports for 3 partners
    Carry(PlanCircuits(JobId(0), {Pair(4, 5), Pair(6, 4), Pair(4, 7)}, circuits, *cabling),
          circuits);
    EXPECT_EQ(Links(Pair(4, 6), circuits, *cabling), 1);
    EXPECT_EQ(circuits[1].GetCircuits().size(), 0) << "nobody asked for anything on rail 1";
}

TEST(OpusPlanner, WhatIsRightStays)
{
    const auto cabling = MakeCabling(2);
    RailCircuits circuits = MakeDarkRails(*cabling);
    const std::vector<JoinedRanks> ring = MakeRingOf({R(0), R(1), R(2), R(3)});
    Carry(PlanCircuits(JobId(0), ring, circuits, *cabling), circuits);
    const CircuitTarget again = PlanCircuits(JobId(0), ring, circuits, *cabling);
    EXPECT_TRUE(again.changes.empty());
    EXPECT_EQ(again.circuits.size(), 4);
    // rank 4 is spliced in between 3 and 0: one circuit goes, two come
    const CircuitTarget longer =
        PlanCircuits(JobId(0), MakeRingOf({R(0), R(1), R(2), R(3), R(4)}), circuits, *cabling);
    ASSERT_EQ(longer.changes.size(), 1);
    EXPECT_EQ(longer.changes.at(RailId(0)).GetDisconnects().size(), 1);
    EXPECT_EQ(longer.changes.at(RailId(0)).GetConnects().size(), 2);
}

TEST(OpusPlanner, RefusalsNameTheCause)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(SERVERS, RAILS, 4));
    for (uint32_t server = 0; server < 7; ++server)
    {
        cabling->Own(JobId(server == 6 ? 1 : 0), R(server));
    }
    cabling->Own(JobId(0), RankId(1));
    const CircuitPlanner planner(cabling);
    std::vector<JoinedRanks> star;
    for (const uint32_t other : {1, 2, 3, 4, 5})
    {
        star.push_back(Pair(0, other));
    }
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), star), "5 > 4"));
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), {{R(0), RankId(1)}}), "no circuit joins two"));
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), {{R(0), RankId(99)}}), "no rank 99"));
    EXPECT_TRUE(
        Contains(planner.GetWhyNot(JobId(0), {Pair(0, 6)}), "job 0 owns no port of rank 12"));
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), {Pair(0, 0)}), "to itself"));
    EXPECT_EQ(planner.GetWhyNot(JobId(0), {Pair(0, 1)}), "");
}

TEST(OpusPlanner, TheDegreeOfThreeRingsIsSix)
{
    const std::vector<JoinedRanks> data = MakeRingOf({R(0), R(1), R(2)});
    const std::vector<JoinedRanks> pipeline = MakeRingOf({R(0), R(3), R(4)});
    const std::vector<JoinedRanks> context = MakeRingOf({R(0), R(5), R(6)});
    EXPECT_EQ(GetDegree({data}), 2);
    EXPECT_EQ(GetDegree({data, pipeline, context}), 6);
    EXPECT_EQ(GetDegree({MakeRingOf({R(0), R(1)})}), 1);
}

TEST(OpusPlanner, QuestionsThatComeAgainAreAnsweredFromMemory)
{
    const auto cabling = MakeCabling(2);
    CircuitPlanner planner(cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    for (uint32_t i = 0; i < 20; ++i)
    {
        Carry(planner.Plan(JobId(0), {Pair(0, i % 2 + 1)}, circuits), circuits);
    }
    // the circuits repeat from the second round on
    EXPECT_EQ(planner.GetCacheHits() + planner.GetCacheMisses(), 20);
    EXPECT_LE(planner.GetCacheMisses(), 6);
    // what happens at other ranks does not matter
    const uint64_t hits = planner.GetCacheHits();
    Carry(planner.Plan(JobId(0), {Pair(6, 7)}, circuits), circuits);
    planner.Plan(JobId(0), {Pair(0, 1)}, circuits);
    EXPECT_EQ(planner.GetCacheHits(), hits + 1);
}

TEST(OpusPlanner, RandomPairsGetTheirLinksAndNothingRightIsTouched)
{
    std::mt19937 random(1);
    const auto cabling = MakeCabling(4);
    RailCircuits circuits = MakeDarkRails(*cabling);
    for (uint32_t round = 0; round < 2000 && !HasFailure(); ++round)
    {
        std::vector<JoinedRanks> pairs;
        for (uint32_t i = 0; i < 1 + random() % 8; ++i)
        {
            const uint32_t one = random() % SERVERS;
            const uint32_t rail = random() % RAILS;
            pairs.emplace_back(
                RankId(one * RAILS + rail),
                RankId((one + 1 + random() % (SERVERS - 1)) % SERVERS * RAILS + rail));
        }
        const std::vector<JoinedRanks> wanted = NormalizePairs(pairs);
        std::map<RankId, uint32_t> partners;
        uint32_t most = 0;
        for (const auto& [one, other] : wanted)
        {
            most = std::max({most, ++partners[one], ++partners[other]});
        }
        const CircuitTarget target = PlanCircuits(JobId(0), pairs, circuits, *cabling);
        ASSERT_EQ(target.IsPossible(), most <= 4) << target.refusal;
        for (const auto& [rail, plan] : target.changes)
        {
            for (const RankCircuit& circuit : target.circuits)
            {
                const auto [one, other] = GetRailPorts(circuit, *cabling);
                for (const Circuit& down : plan.GetDisconnects())
                {
                    EXPECT_FALSE(one.rail == rail && Circuit(one.port, other.port) == down);
                }
            }
        }
        Carry(target, circuits);
        for (const auto& [one, other] : target.IsPossible() ? wanted : std::vector<JoinedRanks>())
        {
            EXPECT_GE(Links({one, other}, circuits, *cabling),
                      std::min(4 / partners[one], 4 / partners[other]));
        }
    }
}

TEST(OpusPolicies, AStaticSplitNeedsPortsForAllRings)
{
    JobDemand demand;
    demand.dimensions = {{"dp", MakeRingOf({R(0), R(1), R(2)}), 300},
                         {"pp", MakeRingOf({R(0), R(3), R(4)}), 100},
                         {"cp", MakeRingOf({R(0), R(5), R(6)}), 100}};
    const auto four = MakeCabling(4);
    const auto policy = CircuitPolicy::Create("static-split", four);
    const CircuitTarget refused = policy->GetInitial(demand, MakeDarkRails(*four));
    EXPECT_TRUE(Contains(refused.refusal, "6 > 4")) << refused.refusal;
    const CircuitTarget onDemand =
        CircuitPolicy::Create("on-demand", four)
            ->GetTarget({}, demand.dimensions[0].pairs, MakeDarkRails(*four));
    EXPECT_TRUE(onDemand.IsPossible());

    demand.dimensions.pop_back();
    RailCircuits circuits = MakeDarkRails(*four);
    Carry(policy->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(Pair(0, 1), circuits, *four), 1) << "half of what a phase gets on demand";
    EXPECT_EQ(Links(Pair(0, 3), circuits, *four), 1);
    EXPECT_TRUE(policy->GetTarget({}, {Pair(0, 1)}, circuits).changes.empty());
    EXPECT_FALSE(policy->GetTarget({}, {Pair(1, 3)}, circuits).IsPossible());
}

TEST(OpusPolicies, PortsThatAreLeftGoEquallyOrByTraffic)
{
    JobDemand demand; // two chains of two ranks: one port of 8 each, 6 are left
    demand.dimensions = {{"dp", {Pair(0, 1)}, 300}, {"pp", {Pair(0, 2)}, 100}};
    const auto cabling = MakeCabling(8);
    RailCircuits equal = MakeDarkRails(*cabling);
    Carry(CircuitPolicy::Create("static-split", cabling)->GetInitial(demand, equal), equal);
    EXPECT_EQ(Links(Pair(0, 1), equal, *cabling), 4);
    EXPECT_EQ(Links(Pair(0, 2), equal, *cabling), 4);
    RailCircuits weighed = MakeDarkRails(*cabling);
    Carry(CircuitPolicy::Create("static-split-by-traffic", cabling)->GetInitial(demand, weighed),
          weighed);
    EXPECT_EQ(Links(Pair(0, 1), weighed, *cabling), 6);
    EXPECT_EQ(Links(Pair(0, 2), weighed, *cabling), 2);
}

TEST(OpusPolicies, DemandGoesByWeight)
{
    JobDemand demand;
    demand.ranks = {R(0), R(1), R(2), R(3)};
    demand.matrix = DemandMatrix(4);
    demand.matrix.Set(0, 1, 500);
    demand.matrix.Set(1, 0, 500); // 1000: two links leave 500 each
    demand.matrix.Set(0, 2, 400);
    demand.matrix.Set(2, 3, 100);
    const auto cabling = MakeCabling(2);
    RailCircuits circuits = MakeDarkRails(*cabling);
    Carry(CircuitPolicy::Create("demand", cabling)->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(Pair(0, 1), circuits, *cabling), 2);
    EXPECT_EQ(Links(Pair(0, 2), circuits, *cabling), 0);
    EXPECT_EQ(Links(Pair(2, 3), circuits, *cabling), 2);
}

TEST(OpusPolicies, OneShotKeepsTheFirstCircuits)
{
    const auto cabling = MakeCabling(2);
    const auto policy = CircuitPolicy::Create("one-shot", cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    Carry(policy->GetTarget({}, {Pair(0, 1)}, circuits), circuits);
    EXPECT_TRUE(policy->GetTarget({}, {Pair(0, 1)}, circuits).changes.empty());
    EXPECT_TRUE(policy->GetTarget({}, {Pair(2, 3)}, circuits).IsPossible());
    EXPECT_TRUE(Contains(policy->GetTarget({}, {Pair(1, 2)}, circuits).refusal,
                         "no circuit joins rank 2 and rank 4"));
    EXPECT_DEATH(CircuitPolicy::Create("no-such", cabling), "on-demand");
}
