/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/contains.h"
#include "opus-policy-bench.h"

#include "ns3/circuit-planner.h"
#include "ns3/policy-names.h"
#include "ns3/union-policy.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>

using namespace ns3;

namespace
{

constexpr uint32_t PLANNED_SERVERS = 8;
constexpr uint32_t PLANNED_RAILS = 2;

/** Job 0 owns all. */
std::shared_ptr<const Cabling>
MakePlannedCabling(uint32_t ports)
{
    return OpusPolicyBench::MakeCabling(PLANNED_SERVERS, PLANNED_RAILS, ports);
}

/** @return the rank of a server on rail 0 */
RankId
R(uint32_t server)
{
    return RankId(server * PLANNED_RAILS);
}

JoinedRanks
ServerPair(uint32_t one, uint32_t other)
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

/** @return circuits for pairs of job 0, whatever ports are in use */
CircuitTarget
Plan(const std::vector<JoinedRanks>& pairs, const RailCircuits& circuits, const Cabling& cabling)
{
    return PlanCircuits({OpusPhase(), pairs, 0, circuits, IdlePorts()}, cabling);
}

/** @return the answer of a policy, whatever ports are in use */
CircuitTarget
Request(CircuitPolicy& policy,
        const std::vector<JoinedRanks>& pairs,
        const RailCircuits& circuits,
        uint32_t links = 0)
{
    return policy.GetTarget({OpusPhase(), pairs, links, circuits, IdlePorts()});
}

/** @return links between two ranks */
std::size_t
Links(const JoinedRanks& pair, const RailCircuits& circuits, const Cabling& cabling)
{
    return FindCircuits(pair, circuits, cabling).size();
}

} // namespace

TEST(OpusPlanner, EachPairGetsThePortsDividedByThePartners)
{
    const auto cabling = MakePlannedCabling(4);
    RailCircuits circuits = MakeDarkRails(*cabling);
    const std::vector<JoinedRanks> ring = MakeRingOf({R(0), R(1), R(2)});
    Carry(Plan(ring, circuits, *cabling), circuits);
    for (const JoinedRanks& pair : ring)
    {
        EXPECT_EQ(Links(pair, circuits, *cabling), 2); // 4 ports, 2 partners
    }
    Carry(Plan({ServerPair(0, 1)}, circuits, *cabling), circuits);
    EXPECT_EQ(Links(ServerPair(0, 1), circuits, *cabling), 4); // a pair has them all
    // a star: the hub has 4 ports for 3 partners
    Carry(Plan({ServerPair(4, 5), ServerPair(6, 4), ServerPair(4, 7)}, circuits, *cabling),
          circuits);
    EXPECT_EQ(Links(ServerPair(4, 6), circuits, *cabling), 1);
    EXPECT_EQ(circuits[1].GetCircuits().size(), 0) << "nobody asked for anything on rail 1";
}

TEST(OpusPlanner, WhatIsRightStays)
{
    const auto cabling = MakePlannedCabling(2);
    RailCircuits circuits = MakeDarkRails(*cabling);
    const std::vector<JoinedRanks> ring = MakeRingOf({R(0), R(1), R(2), R(3)});
    Carry(Plan(ring, circuits, *cabling), circuits);
    const CircuitTarget again = Plan(ring, circuits, *cabling);
    EXPECT_TRUE(again.changes.empty());
    EXPECT_EQ(again.circuits.size(), 4);
    // rank 4 is spliced in between 3 and 0: one circuit goes, two come
    const CircuitTarget longer =
        Plan(MakeRingOf({R(0), R(1), R(2), R(3), R(4)}), circuits, *cabling);
    ASSERT_EQ(longer.changes.size(), 1);
    EXPECT_EQ(longer.changes.at(RailId(0)).GetDisconnects().size(), 1);
    EXPECT_EQ(longer.changes.at(RailId(0)).GetConnects().size(), 2);
}

TEST(OpusPlanner, RefusalsNameTheCause)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(PLANNED_SERVERS, PLANNED_RAILS, 4));
    for (uint32_t server = 0; server < 7; ++server)
    {
        cabling->Own(JobId(server == 6 ? 1 : 0), R(server));
    }
    cabling->Own(JobId(0), RankId(1));
    const CircuitPlanner planner(cabling);
    std::vector<JoinedRanks> star;
    for (const uint32_t other : {1, 2, 3, 4, 5})
    {
        star.push_back(ServerPair(0, other));
    }
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), star), "5 > 4"));
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), {{R(0), RankId(1)}}), "no circuit joins two"));
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), {{R(0), RankId(99)}}), "no rank 99"));
    EXPECT_TRUE(
        Contains(planner.GetWhyNot(JobId(0), {ServerPair(0, 6)}), "job 0 owns no port of rank 12"));
    EXPECT_TRUE(Contains(planner.GetWhyNot(JobId(0), {ServerPair(0, 0)}), "to itself"));
    EXPECT_EQ(planner.GetWhyNot(JobId(0), {ServerPair(0, 1)}), "");
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
    const auto cabling = MakePlannedCabling(2);
    CircuitPlanner planner(cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    for (uint32_t i = 0; i < 20; ++i)
    {
        Carry(planner.Plan({OpusPhase(), {ServerPair(0, i % 2 + 1)}, 0, circuits, IdlePorts()}),
              circuits);
    }
    // the circuits repeat from the second round on
    EXPECT_EQ(planner.GetCacheHits() + planner.GetCacheMisses(), 20);
    EXPECT_LE(planner.GetCacheMisses(), 6);
    // changes at other ranks do not matter
    const uint64_t hits = planner.GetCacheHits();
    Carry(planner.Plan({OpusPhase(), {ServerPair(6, 7)}, 0, circuits, IdlePorts()}), circuits);
    planner.Plan({OpusPhase(), {ServerPair(0, 1)}, 0, circuits, IdlePorts()});
    EXPECT_EQ(planner.GetCacheHits(), hits + 1);
}

TEST(OpusPlanner, RandomPairsGetTheirLinksAndNothingRightIsTouched)
{
    std::mt19937 random(1);
    const auto cabling = MakePlannedCabling(4);
    RailCircuits circuits = MakeDarkRails(*cabling);
    for (uint32_t round = 0; round < 2000 && !HasFailure(); ++round)
    {
        std::vector<JoinedRanks> pairs;
        for (uint32_t i = 0; i < 1 + random() % 8; ++i)
        {
            const uint32_t one = random() % PLANNED_SERVERS;
            const uint32_t rail = random() % PLANNED_RAILS;
            pairs.emplace_back(RankId(one * PLANNED_RAILS + rail),
                               RankId((one + 1 + random() % (PLANNED_SERVERS - 1)) %
                                          PLANNED_SERVERS * PLANNED_RAILS +
                                      rail));
        }
        const std::vector<JoinedRanks> wanted = NormalizePairs(pairs);
        std::map<RankId, uint32_t> partners;
        uint32_t most = 0;
        for (const auto& [one, other] : wanted)
        {
            most = std::max({most, ++partners[one], ++partners[other]});
        }
        const CircuitTarget target = Plan(pairs, circuits, *cabling);
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

namespace
{

/** Some ports of rail 0 are in use. */
class UsedPorts : public IdlePorts
{
  public:
    bool IsReconfiguring(const RailPort& port) const override
    {
        return reconfiguration.count(port.port) != 0;
    }

    bool IsInFlight(const RailPort& port) const override
    {
        return inFlight.count(port.port) != 0;
    }

    std::string GetWhyNot(const RailPort& port) const override
    {
        return IsReconfiguring(port) || IsInFlight(port) ? "used" : "";
    }

    std::set<PortId> reconfiguration;
    std::set<PortId> inFlight;
};

/** @return ports of a switch by those of its servers, which have two each */
PortId
P(uint32_t server, uint32_t port)
{
    return PortId(2 * server + port);
}

} // namespace

TEST(OpusPlanner, PortsInUseAreSharedOrLeftAlone)
{
    const auto cabling = MakePlannedCabling(2);
    RailCircuits circuits = MakeDarkRails(*cabling);
    circuits[0].Apply(CircuitPlan().Connect(P(0, 0), P(1, 0)).Connect(P(1, 1), P(2, 0)));
    UsedPorts use;
    use.inFlight = {P(0, 0), P(1, 0)};
    const auto plan = [&](const JoinedRanks& pair, uint32_t links) {
        return PlanCircuits({OpusPhase(), {pair}, links, circuits, use}, *cabling);
    };
    const CircuitTarget shared = plan(ServerPair(0, 1), 1);
    EXPECT_TRUE(shared.changes.empty());
    ASSERT_EQ(shared.circuits.size(), 1);
    EXPECT_EQ(shared.circuits[0].onePort, 0);
    // a second link takes the port of 1 that is not used
    const CircuitTarget both = plan(ServerPair(0, 1), 2);
    ASSERT_TRUE(both.IsPossible());
    EXPECT_EQ(both.changes.at(RailId(0)).GetDisconnects(),
              std::vector<Circuit>{Circuit(P(1, 1), P(2, 0))});
    const CircuitTarget next = plan(ServerPair(1, 3), 1);
    ASSERT_TRUE(next.IsPossible());
    EXPECT_EQ(next.circuits[0].onePort, 1);
    const CircuitTarget wide = plan(ServerPair(1, 3), 2);
    EXPECT_EQ(wide.waitsFor, "used");
    EXPECT_EQ(wide.refusal, "");
    EXPECT_FALSE(wide.IsPossible());
    // of two circuits, the one that is in use anyway
    RailCircuits two = MakeDarkRails(*cabling);
    two[0].Apply(CircuitPlan().Connect(P(0, 0), P(1, 0)).Connect(P(0, 1), P(1, 1)));
    UsedPorts second;
    second.inFlight = {P(0, 1), P(1, 1)};
    const CircuitTarget used =
        PlanCircuits({OpusPhase(), {ServerPair(0, 1)}, 1, two, second}, *cabling);
    ASSERT_EQ(used.circuits.size(), 1);
    EXPECT_EQ(used.circuits[0].onePort, 1);
    // and if it reconfigures, it does not even stand
    use.reconfiguration = use.inFlight;
    use.inFlight.clear();
    const CircuitTarget anew = plan(ServerPair(0, 1), 1);
    ASSERT_TRUE(anew.IsPossible());
    EXPECT_EQ(anew.circuits[0].onePort, 1);
    use.reconfiguration.insert(P(1, 1));
    EXPECT_EQ(plan(ServerPair(0, 1), 1).waitsFor, "used");
}

TEST(OpusPlanner, WhatIsRememberedDependsOnWhatIsInUse)
{
    const auto cabling = MakePlannedCabling(2);
    CircuitPlanner planner(cabling);
    const RailCircuits circuits = MakeDarkRails(*cabling);
    UsedPorts use;
    const std::vector<JoinedRanks> pairs{ServerPair(0, 1)};
    const auto plan = [&](uint32_t links) {
        return planner.Plan({OpusPhase(), pairs, links, circuits, use});
    };
    EXPECT_EQ(plan(0).circuits.size(), 2);
    EXPECT_EQ(plan(1).circuits.size(), 1);
    use.inFlight = {P(0, 0)};
    EXPECT_FALSE(plan(0).IsPossible());
    EXPECT_EQ(plan(1).circuits.at(0).onePort, 1);
    use.inFlight.clear();
    use.reconfiguration = {P(0, 0)};
    EXPECT_FALSE(plan(0).IsPossible());
    use.reconfiguration.clear();
    EXPECT_EQ(planner.GetCacheHits(), 0);
    EXPECT_EQ(plan(0).circuits.size(), 2);
    EXPECT_EQ(planner.GetCacheHits(), 1);
}

TEST(OpusPolicies, AStaticSplitNeedsPortsForAllRings)
{
    JobDemand demand;
    demand.parallelisms = {{"dp", MakeRingOf({R(0), R(1), R(2)}), 300},
                           {"pp", MakeRingOf({R(0), R(3), R(4)}), 100},
                           {"cp", MakeRingOf({R(0), R(5), R(6)}), 100}};
    const auto four = MakePlannedCabling(4);
    const auto policy = MakeCircuitPolicy("static-split", four);
    const CircuitTarget refused = policy->GetInitial(demand, MakeDarkRails(*four));
    EXPECT_TRUE(Contains(refused.refusal, "6 > 4")) << refused.refusal;
    const CircuitTarget onDemand = Request(*MakeCircuitPolicy("on-demand", four),
                                           demand.parallelisms[0].pairs,
                                           MakeDarkRails(*four));
    EXPECT_TRUE(onDemand.IsPossible());

    demand.parallelisms.pop_back();
    RailCircuits circuits = MakeDarkRails(*four);
    Carry(policy->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(ServerPair(0, 1), circuits, *four), 1) << "half of what a phase gets on demand";
    EXPECT_EQ(Links(ServerPair(0, 3), circuits, *four), 1);
    EXPECT_TRUE(Request(*policy, {ServerPair(0, 1)}, circuits).changes.empty());
    EXPECT_FALSE(Request(*policy, {ServerPair(1, 3)}, circuits).IsPossible());
}

TEST(OpusPolicies, PortsThatAreLeftGoEquallyOrByTraffic)
{
    JobDemand demand; // two chains of two ranks: one port of 8 each, 6 are left
    demand.parallelisms = {{"dp", {ServerPair(0, 1)}, 300}, {"pp", {ServerPair(0, 2)}, 100}};
    const auto cabling = MakePlannedCabling(8);
    RailCircuits equal = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("static-split", cabling)->GetInitial(demand, equal), equal);
    EXPECT_EQ(Links(ServerPair(0, 1), equal, *cabling), 4);
    EXPECT_EQ(Links(ServerPair(0, 2), equal, *cabling), 4);
    RailCircuits weighed = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("static-split-by-traffic", cabling)->GetInitial(demand, weighed),
          weighed);
    EXPECT_EQ(Links(ServerPair(0, 1), weighed, *cabling), 6);
    EXPECT_EQ(Links(ServerPair(0, 2), weighed, *cabling), 2);
}

TEST(OpusPolicies, LinksMayGoByTheRootOfTraffic)
{
    // b / l each, one after another: the sum 900 / l + 100 / (8 - l) is least for l = 6
    JobDemand demand;
    demand.parallelisms = {{"dp", {ServerPair(0, 1)}, 900}, {"pp", {ServerPair(0, 2)}, 100}};
    const auto cabling = MakePlannedCabling(8);
    RailCircuits byRoot = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("static-split-by-root", cabling)->GetInitial(demand, byRoot), byRoot);
    EXPECT_EQ(Links(ServerPair(0, 1), byRoot, *cabling), 6);
    EXPECT_EQ(Links(ServerPair(0, 2), byRoot, *cabling), 2);
    RailCircuits byBytes = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("static-split-by-traffic", cabling)->GetInitial(demand, byBytes),
          byBytes);
    EXPECT_EQ(Links(ServerPair(0, 1), byBytes, *cabling), 7) << "the longest of them is least";
    EXPECT_EQ(Links(ServerPair(0, 2), byBytes, *cabling), 1);
}

TEST(OpusPolicies, AUnionHasAllLinksAtTheRateThatTheyHaveAlone)
{
    // a NIC of 2 ports: a neighbour on a ring of three gets 1, on a ring of two or by sends 2
    JobDemand demand;
    const std::vector<JoinedRanks> ring = MakeRingOf({R(0), R(1), R(2)});
    demand.parallelisms = {{"cp", {ServerPair(0, 5)}, 7, {ServerPair(0, 5)}},
                           {"dp", ring, 300, ring},
                           {"pp", {ServerPair(0, 3), ServerPair(0, 4)}, 100}};
    EXPECT_EQ(CountPortsFor(ListUnionLinks(demand, 2)), 2 + 2 + 2 * 2) << "at rank 0";
    const auto cabling = MakePlannedCabling(8);
    RailCircuits circuits = MakeDarkRails(*cabling);
    const auto policy = CircuitPolicy::Create(MakePolicyFactory("ns3::UnionPolicy"), cabling);
    Carry(policy->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(ServerPair(0, 5), circuits, *cabling), 2);
    EXPECT_EQ(Links(ServerPair(0, 1), circuits, *cabling), 1);
    EXPECT_EQ(Links(ServerPair(1, 2), circuits, *cabling), 1);
    EXPECT_EQ(Links(ServerPair(0, 3), circuits, *cabling), 2);
    EXPECT_EQ(Links(ServerPair(0, 4), circuits, *cabling), 2);
    EXPECT_TRUE(Request(*policy, {ServerPair(0, 3)}, circuits).changes.empty()) << "they stay";
    const auto seven = MakePlannedCabling(7);
    const auto same = CircuitPolicy::Create(MakePolicyFactory("ns3::UnionPolicy"), seven);
    const CircuitTarget refused = same->GetInitial(demand, MakeDarkRails(*seven));
    EXPECT_TRUE(Contains(refused.refusal, "8 ports at rank 0, which has 7")) << refused.refusal;
}

TEST(OpusPolicies, DemandGoesByWeight)
{
    JobDemand demand;
    demand.ranks = {R(0), R(1), R(2), R(3)};
    demand.matrix = TrafficMatrix(4);
    demand.matrix.Set(0, 1, 500);
    demand.matrix.Set(1, 0, 500); // 1000: two links leave 500 each
    demand.matrix.Set(0, 2, 400);
    demand.matrix.Set(2, 3, 100);
    // with two ports each pair gets one link, and no pair a second one
    auto cabling = MakePlannedCabling(2);
    RailCircuits circuits = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("demand", cabling)->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(ServerPair(0, 1), circuits, *cabling), 1);
    EXPECT_EQ(Links(ServerPair(0, 2), circuits, *cabling), 1);
    EXPECT_EQ(Links(ServerPair(2, 3), circuits, *cabling), 1);
    // with three, 500 a link go before 200 a link at rank 0; rank 2 has one left for rank 3
    cabling = MakePlannedCabling(3);
    circuits = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("demand", cabling)->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(ServerPair(0, 1), circuits, *cabling), 2);
    EXPECT_EQ(Links(ServerPair(0, 2), circuits, *cabling), 1);
    EXPECT_EQ(Links(ServerPair(2, 3), circuits, *cabling), 2);
    // one port: the greatest demand has it
    cabling = MakePlannedCabling(1);
    circuits = MakeDarkRails(*cabling);
    Carry(MakeCircuitPolicy("demand", cabling)->GetInitial(demand, circuits), circuits);
    EXPECT_EQ(Links(ServerPair(0, 1), circuits, *cabling), 1);
    EXPECT_EQ(Links(ServerPair(0, 2), circuits, *cabling), 0);
    EXPECT_EQ(Links(ServerPair(2, 3), circuits, *cabling), 1);
}

TEST(OpusPolicies, OneShotKeepsTheFirstCircuits)
{
    const auto cabling = MakePlannedCabling(2);
    const auto policy = MakeCircuitPolicy("one-shot", cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    Carry(Request(*policy, {ServerPair(0, 1)}, circuits), circuits);
    EXPECT_TRUE(Request(*policy, {ServerPair(0, 1)}, circuits).changes.empty());
    EXPECT_TRUE(Request(*policy, {ServerPair(2, 3)}, circuits).IsPossible());
    EXPECT_TRUE(Contains(Request(*policy, {ServerPair(1, 2)}, circuits).refusal,
                         "no circuit joins rank 2 and rank 4"));
    EXPECT_DEATH(MakeCircuitPolicy("no-such", cabling), "on-demand");
}
