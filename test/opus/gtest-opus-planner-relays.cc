/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/circuit-planner.h"
#include "ns3/granted-circuits.h"
#include "ns3/job-demand.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

/** Three servers of two GPUs with a port each, which forward: ranks 0, 2 and 4 are on rail 0. */
class PlannerRelays : public testing::Test
{
  protected:
    PlannerRelays()
    {
        for (uint32_t rank = 0; rank < 6; ++rank)
        {
            m_cabling->Own(JobId(0), RankId(rank));
        }
        m_cabling->SetForwarding();
    }

    CircuitTarget Plan(uint32_t one, uint32_t other, const RailCircuits& circuits) const
    {
        const std::vector<JoinedRanks> pairs{{RankId(one), RankId(other)}};
        return PlanCircuits({OpusPhase(), pairs, 0, circuits, IdlePorts()}, *m_cabling);
    }

    /** Carries out the changes of a target. */
    static void Apply(const CircuitTarget& target, RailCircuits& circuits)
    {
        for (const auto& [rail, plan] : target.changes)
        {
            circuits[rail.Get()].Apply(plan);
        }
    }

    std::shared_ptr<Cabling> m_cabling{std::make_shared<Cabling>(Cabling::OfRails(3, 2, 1))};
};

} // namespace

TEST_F(PlannerRelays, APairOnTwoRailsGetsACircuitOfOneRail)
{
    RailCircuits circuits = MakeDarkRails(*m_cabling);
    const CircuitTarget target = Plan(1, 2, circuits);
    ASSERT_TRUE(target.IsPossible()) << target.refusal;
    ASSERT_EQ(target.circuits.size(), 1U);
    EXPECT_EQ(target.circuits[0].one, RankId(0)); // the relay of rank 1
    EXPECT_EQ(target.circuits[0].other, RankId(2));
    ASSERT_EQ(target.changes.size(), 1U);
    EXPECT_EQ(target.changes.begin()->first, RailId(0));
}

TEST_F(PlannerRelays, ACircuitThatStandsOnTheOtherRouteServesThePair)
{
    RailCircuits circuits = MakeDarkRails(*m_cabling);
    Apply(Plan(1, 3, circuits), circuits); // rail 1, from rank 1 to the relay of rank 2
    const CircuitTarget target = Plan(1, 2, circuits);
    ASSERT_TRUE(target.IsPossible()) << target.refusal;
    EXPECT_TRUE(target.changes.empty());
    ASSERT_EQ(target.circuits.size(), 1U);
    EXPECT_EQ(target.circuits[0].one, RankId(1));
    EXPECT_EQ(target.circuits[0].other, RankId(3));
    EXPECT_EQ(FindCircuits({RankId(1), RankId(2)}, circuits, *m_cabling).size(), 1U);
}

TEST_F(PlannerRelays, TheCacheKnowsTheRelaysPorts)
{
    CircuitPlanner planner(m_cabling);
    RailCircuits circuits = MakeDarkRails(*m_cabling);
    const std::vector<JoinedRanks> pairs{{RankId(1), RankId(2)}};
    const IdlePorts idle;
    planner.Plan({OpusPhase(), pairs, 0, circuits, idle});
    Apply(Plan(1, 3, circuits), circuits);
    const CircuitTarget& after = planner.Plan({OpusPhase(), pairs, 0, circuits, idle});
    EXPECT_TRUE(after.changes.empty()) << "the state of rank 3 counts, which is not in the pair";
    EXPECT_EQ(planner.GetCacheHits(), 0U);
}

TEST_F(PlannerRelays, WithoutAFabricTwoRailsAreNotJoined)
{
    const Cabling plain = Cabling::OfRails(3, 2, 1);
    Cabling owned = plain;
    for (uint32_t rank = 0; rank < 6; ++rank)
    {
        owned.Own(JobId(0), RankId(rank));
    }
    const std::vector<JoinedRanks> pairs{{RankId(1), RankId(2)}};
    const RailCircuits circuits = MakeDarkRails(owned);
    const CircuitTarget target =
        PlanCircuits({OpusPhase(), pairs, 0, circuits, IdlePorts()}, owned);
    EXPECT_NE(target.refusal.find("rank 1 is on rail 1 and rank 2 on rail 0"), std::string::npos);
}

TEST_F(PlannerRelays, AGrantHasTheRelaysOfBothDirections)
{
    const GrantedCircuits granted({{RankId(0), 0, RankId(2), 0}}, m_cabling);
    EXPECT_EQ(granted.GetLinks(RankId(1), RankId(2)).size(), 1U);
    EXPECT_EQ(granted.GetRelays(RankId(1), RankId(2)).atSender, RankId(0));
    EXPECT_EQ(granted.GetLinks(RankId(2), RankId(1)).size(), 1U);
    EXPECT_EQ(granted.GetRelays(RankId(2), RankId(1)).atReceiver, RankId(0));
    EXPECT_TRUE(granted.GetLinks(RankId(1), RankId(4)).empty());
    // what a rank reports after a takeover: the circuits of its pairs, though not at its ports
    EXPECT_EQ(granted.GetCircuits(RankId(1), {{RankId(1), RankId(2)}}).size(), 1U);
    EXPECT_TRUE(granted.GetCircuits(RankId(1), {{RankId(1), RankId(4)}}).empty());
}

TEST_F(PlannerRelays, DemandIsThatOfNics)
{
    auto program = std::make_shared<RankProgram>();
    program->Send(0, 0, 1, 1000);
    const auto group =
        std::make_shared<const CommunicationGroup>(GroupId(0),
                                                   "pp 0",
                                                   std::vector<RankId>{RankId(1), RankId(2)});
    const JobDemand demand = MakeJobDemand(JobId(0), {{RankId(1), program, {group}}}, *m_cabling);
    ASSERT_EQ(demand.parallelisms.size(), 1U);
    const std::vector<JoinedRanks> pairs{{RankId(0), RankId(2)}};
    EXPECT_EQ(demand.parallelisms[0].pairs, pairs);
    ASSERT_EQ(demand.ranks, (std::vector<RankId>{RankId(0), RankId(1), RankId(2), RankId(3)}));
    EXPECT_EQ(demand.matrix.Get(0, 2), 1000U);
    EXPECT_EQ(demand.matrix.Get(1, 2), 0U);
}
