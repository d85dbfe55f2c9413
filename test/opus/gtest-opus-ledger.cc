/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/port-ledger.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

/** One rail, three ranks on servers of their own, a port each: rank k is at port k. */
class OpusLedger : public testing::Test
{
  protected:
    static std::shared_ptr<const Cabling> MakeCabling()
    {
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(3, 1, 1));
        cabling->Own(JobId(7), RankId(0));
        return cabling;
    }

    static CircuitPlan Up(uint32_t one, uint32_t other)
    {
        return CircuitPlan().Connect(PortId(one), PortId(other));
    }

    static CircuitPlan Down(uint32_t one, uint32_t other)
    {
        return CircuitPlan().Disconnect(PortId(one), PortId(other));
    }

    static RailPort At(uint32_t port)
    {
        return {RailId(0), PortId(port)};
    }

    PortLedger m_ledger{MakeCabling()};
    OpusPhase m_phase;
};

} // namespace

TEST_F(OpusLedger, ACircuitStandsFromDoneOn)
{
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    EXPECT_FALSE(m_ledger.GetCircuits()[0].GetPeer(PortId(0)));
    EXPECT_EQ(m_ledger.FindBusyUntil(At(1)), 500);
    EXPECT_TRUE(m_ledger.IsReconfiguring(At(1)));
    EXPECT_FALSE(m_ledger.IsReconfiguring(At(2)));
    EXPECT_EQ(m_ledger.Done(1), (std::vector<RankId>{RankId(0), RankId(1)}));
    EXPECT_EQ(m_ledger.GetCircuits()[0].GetPeer(PortId(0)), PortId(1));
    EXPECT_FALSE(m_ledger.FindBusyUntil(At(1)));
    EXPECT_EQ(m_ledger.FindOwner(At(0)), JobId(7));
    EXPECT_FALSE(m_ledger.FindOwner(At(1)));
}

TEST_F(OpusLedger, NeverTwoCircuitsOnAPort)
{
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    EXPECT_NE(m_ledger.GetWhyNot(RailId(0), Up(1, 2)), "") << "while it turns";
    m_ledger.Done(1);
    EXPECT_NE(m_ledger.GetWhyNot(RailId(0), Up(1, 2)), "") << "when it stands";
    EXPECT_EQ(m_ledger.GetWhyNot(RailId(0), Down(0, 1).Connect(PortId(1), PortId(2))), "");
    EXPECT_DEATH(m_ledger.Start(2, RailId(0), Up(1, 2), 500), "port 1 is in use");
}

TEST_F(OpusLedger, NeverAChangeUnderTraffic)
{
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    m_ledger.Done(1);
    OpusPhase second;
    second.operation = 1;
    for (const OpusPhase& phase : {m_phase, second})
    {
        m_ledger.Begin(phase, {{RankId(0), 0, RankId(1), 0}});
    }
    EXPECT_EQ(m_ledger.GetPhases(At(0)).size(), 2);
    EXPECT_NE(m_ledger.GetWhyNot(RailId(0), Down(0, 1)), "");
    EXPECT_DEATH(m_ledger.Start(2, RailId(0), Down(0, 1), 500), "has traffic of operation 0");
    m_ledger.End(m_phase);
    EXPECT_NE(m_ledger.GetWhyNot(RailId(0), Down(0, 1)), "") << "the other one goes on";
    EXPECT_EQ(m_ledger.End(second).size(), 2);
    EXPECT_EQ(m_ledger.GetWhyNot(RailId(0), Down(0, 1)), "");
    EXPECT_TRUE(m_ledger.End(second).empty());
}

TEST_F(OpusLedger, APlanThatFailedChangesNothing)
{
    const std::string before = m_ledger.Describe();
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    EXPECT_NE(m_ledger.Describe(), before);
    m_ledger.Abandon(1);
    EXPECT_EQ(m_ledger.Describe(), before);
    EXPECT_FALSE(m_ledger.IsOpen(1));
}

TEST_F(OpusLedger, PortsThatReconfigureNameTheirNextPeer)
{
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    EXPECT_EQ(m_ledger.FindComing(At(0)), PortId(1));
    EXPECT_EQ(m_ledger.FindComing(At(1)), PortId(0));
    EXPECT_FALSE(m_ledger.FindComing(At(2)));
    const std::string before = m_ledger.Describe();
    m_ledger.MarkUncertain(1);
    EXPECT_FALSE(m_ledger.FindComing(At(0))) << "it may never come";
    EXPECT_TRUE(m_ledger.IsReconfiguring(At(0)));
    EXPECT_NE(m_ledger.Describe(), before);
    m_ledger.Done(1);
    m_ledger.Start(2, RailId(0), Down(0, 1), 500);
    EXPECT_FALSE(m_ledger.FindComing(At(0))) << "it goes dark";
}

TEST_F(OpusLedger, APortGivesTheReasonForWhichItMayNotBeChanged)
{
    EXPECT_EQ(m_ledger.GetWhyNot(At(0)), "");
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    EXPECT_EQ(m_ledger.GetWhyNot(At(0)), "port 0 of rail 0 is reconfigured by plan 1");
    m_ledger.Done(1);
    EXPECT_FALSE(m_ledger.HasTraffic());
    m_ledger.Begin(m_phase, {{RankId(0), 0, RankId(1), 0}});
    EXPECT_TRUE(m_ledger.HasTraffic());
    EXPECT_TRUE(m_ledger.IsInFlight(At(1)));
    EXPECT_FALSE(m_ledger.IsInFlight(At(2)));
    EXPECT_EQ(m_ledger.GetWhyNot(At(1)).substr(0, 43),
              "port 1 of rail 0 has traffic of operation 0");
    m_ledger.End(m_phase);
    EXPECT_FALSE(m_ledger.HasTraffic());
}

TEST_F(OpusLedger, AWholeSwitchIsInUseAsAWhole)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(4, 2, 1));
    PortLedger ledger(cabling, {RailId(1)});
    for (const uint32_t rail : {0, 1})
    {
        const RailPort far{RailId(rail), PortId(3)};
        const RankId one(rail);
        const RankId other(2 + rail);
        ledger.Start(rail, RailId(rail), Up(0, 1), 500);
        EXPECT_EQ(ledger.IsReconfiguring(far), rail == 1);
        EXPECT_EQ(ledger.GetWhyNot(RailId(rail), Up(2, 3)).empty(), rail == 0);
        ledger.Done(rail);
        EXPECT_FALSE(ledger.IsReconfiguring(far));
        EXPECT_EQ(ledger.GetWhyNot(RailId(rail), Up(2, 3)), "");
        ledger.Begin(m_phase, {{one, 0, other, 0}});
        EXPECT_FALSE(ledger.IsInFlight(far)) << "its circuit may be shared";
        EXPECT_EQ(ledger.GetWhyNot(RailId(rail), Up(2, 3)).empty(), rail == 0);
        ledger.End(m_phase);
    }
}

TEST_F(OpusLedger, TheCircuitsOfTwoRanksAreThoseThatStandBetweenThem)
{
    const JoinedRanks pair{RankId(1), RankId(0)};
    m_ledger.Start(1, RailId(0), Up(0, 1), 500);
    EXPECT_TRUE(m_ledger.FindCircuits(pair).empty()) << "it does not stand yet";
    m_ledger.Done(1);
    const auto circuits = m_ledger.FindCircuits(pair);
    ASSERT_EQ(circuits.size(), 1U);
    EXPECT_EQ(circuits[0].one, RankId(1));
    EXPECT_EQ(circuits[0].other, RankId(0));
    EXPECT_TRUE(m_ledger.FindCircuits({RankId(1), RankId(2)}).empty());
}

TEST_F(OpusLedger, TheGrantsOfRanksAreKnownWhenAllTheirShimsHaveReported)
{
    const std::vector<RankId> ranks{RankId(0), RankId(1)};
    m_ledger.BeginTerm();
    EXPECT_FALSE(m_ledger.IsKnown(JobId(7), ranks));
    m_ledger.Learn(JobId(7), ServerId(0));
    EXPECT_TRUE(m_ledger.IsKnown(JobId(7), ranks)) << "job 7 owns nothing on server 1";
}
