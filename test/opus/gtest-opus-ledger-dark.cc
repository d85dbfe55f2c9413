/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ports that lose their circuit while a plan is open: the pairs 0-1 and 2-3 of six ranks, a port
// each, give way to 0-2 and others before it is known whether the switch made the change.

#include "ns3/port-ledger.h"

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr RailId RAIL{0};

/** The first plan, 1, takes 0-1 and 2-3 down for 0-2, and is open. */
class OpusLedgerDark : public testing::Test
{
  protected:
    OpusLedgerDark()
    {
        m_ledger.Start(8, RAIL, CircuitPlan().Connect(PortId(0), PortId(1)), 100);
        m_ledger.Start(9, RAIL, CircuitPlan().Connect(PortId(2), PortId(3)), 100);
        m_ledger.Done(8);
        m_ledger.Done(9);
        m_ledger.Start(1,
                       RAIL,
                       CircuitPlan()
                           .Disconnect(PortId(0), PortId(1))
                           .Disconnect(PortId(2), PortId(3))
                           .Connect(PortId(0), PortId(2)),
                       500);
    }

    static CircuitPlan Up(uint32_t one, uint32_t other)
    {
        return CircuitPlan().Connect(PortId(one), PortId(other));
    }

    static std::vector<RankId> Ranks(const std::vector<uint32_t>& ranks)
    {
        return {ranks.begin(), ranks.end()};
    }

    /** @return the port that a port is joined to; itself if it may not be used */
    int At(uint32_t port) const
    {
        const std::optional<PortId> peer = m_ledger.GetCircuits()[0].GetPeer(PortId(port));
        const bool isKept = m_ledger.IsReconfiguring({RAIL, PortId(port)});
        EXPECT_FALSE(isKept && peer) << port;
        EXPECT_EQ(isKept, !m_ledger.GetWhyNot({RAIL, PortId(port)}).empty()) << port;
        return isKept ? static_cast<int>(port) : peer ? static_cast<int>(peer->Get()) : -1;
    }

    /** @return the peers of ports 0 to 5 */
    std::vector<int> All() const
    {
        return {At(0), At(1), At(2), At(3), At(4), At(5)};
    }

    using Ports = std::vector<int>;

    static std::shared_ptr<const Cabling> MakeCabling()
    {
        return std::make_shared<Cabling>(Cabling::OfRails(6, 1, 1));
    }

    PortLedger m_ledger{MakeCabling()};
};

} // namespace

TEST_F(OpusLedgerDark, WhatOnlyLosesItsCircuitIsFreeAtOnce)
{
    EXPECT_EQ(All(), (Ports{0, -1, 2, -1, -1, -1}));
    EXPECT_EQ(m_ledger.GetWhyNot(RAIL, Up(1, 3)), "");
    EXPECT_FALSE(m_ledger.FindBusyUntil({RAIL, PortId(1)}));
    EXPECT_FALSE(m_ledger.FindComing({RAIL, PortId(1)}));
    m_ledger.Start(2, RAIL, Up(1, 3), 500);
    EXPECT_EQ(m_ledger.Done(1), Ranks({0, 1, 2, 3}));
    EXPECT_EQ(All(), (Ports{2, 1, 0, 3, -1, -1}));
    m_ledger.Done(2);
    EXPECT_EQ(All(), (Ports{2, 3, 0, 1, -1, -1}));
}

TEST_F(OpusLedgerDark, WhatWasNotTakenDownStandsAgain)
{
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{1, 0, 3, 2, -1, -1}));
}

TEST_F(OpusLedgerDark, UnlessAnotherPlanMayHaveItsPorts)
{
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{0, 1, 3, 2, 4, -1})) << "0-1 is there, but not for sure";
    EXPECT_NE(m_ledger.GetWhyNot(RAIL, Up(0, 5)), "");
    EXPECT_EQ(m_ledger.GetWhyNot({RAIL, PortId(0)}),
              "port 0 of rail 0 may still have circuit 0-1, which was to be taken down");
    const std::string before = m_ledger.Describe();
    EXPECT_EQ(m_ledger.Abandon(2), Ranks({0, 1, 4})) << "0 becomes free too";
    EXPECT_EQ(All(), (Ports{1, 0, 3, 2, -1, -1}));
    EXPECT_NE(m_ledger.Describe(), before);
}

TEST_F(OpusLedgerDark, WhatComesAfterItAndIsMadeShowsThatItIsGone)
{
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.Abandon(1);
    EXPECT_EQ(m_ledger.Done(2), Ranks({0, 1, 4}));
    EXPECT_EQ(All(), (Ports{-1, 4, 3, 2, 1, -1}));
}

TEST_F(OpusLedgerDark, TheAnswersMayComeTheOtherWayRound)
{
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.Abandon(2);
    EXPECT_EQ(All(), (Ports{0, -1, 2, -1, -1, -1}));
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{1, 0, 3, 2, -1, -1}));
}

TEST_F(OpusLedgerDark, WhatWasJoinedSinceIsNotForgotten)
{
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.Done(2);
    m_ledger.Start(3,
                   RAIL,
                   CircuitPlan().Disconnect(PortId(1), PortId(4)).Connect(PortId(4), PortId(5)),
                   500);
    m_ledger.Done(3);
    EXPECT_EQ(All(), (Ports{0, -1, 2, -1, 5, 4}));
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{-1, -1, 3, 2, 5, 4})) << "1 has had another circuit since";
}

TEST_F(OpusLedgerDark, OnBothSides)
{
    m_ledger.Start(2, RAIL, Up(1, 3), 500);
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{0, 1, 2, 3, -1, -1}));
    m_ledger.Abandon(2);
    EXPECT_EQ(All(), (Ports{1, 0, 3, 2, -1, -1}));
}

TEST_F(OpusLedgerDark, WhatGetsNoLightIsNotThereAndNothingElseIsLost)
{
    const Circuit elsewhere(PortId(1), PortId(4));
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.Done(2);
    EXPECT_EQ(m_ledger.Done(1, {Circuit(PortId(2), PortId(0)), elsewhere}), Ranks({0, 1, 2, 3}));
    EXPECT_EQ(All(), (Ports{-1, 4, -1, -1, 1, -1})) << "1-4 is not of the plan";
}

TEST_F(OpusLedgerDark, WhatGetsNoLightShowsThatWhatWasThereIsGone)
{
    m_ledger.Start(2, RAIL, Up(1, 3), 500);
    m_ledger.Abandon(1);
    m_ledger.Done(2, {Circuit(PortId(1), PortId(3))});
    EXPECT_EQ(All(), (Ports{-1, -1, -1, -1, -1, -1}));
}

TEST_F(OpusLedgerDark, AnUncertainPlanKeepsAllItsPorts)
{
    m_ledger.MarkUncertain(1);
    EXPECT_EQ(All(), (Ports{0, 1, 2, 3, -1, -1}));
    m_ledger.Done(1);
    EXPECT_EQ(All(), (Ports{2, -1, 0, -1, -1, -1}));
}

TEST_F(OpusLedgerDark, ButForWhatOthersHaveThemFor)
{
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.MarkUncertain(1);
    EXPECT_EQ(All(), (Ports{0, 1, 2, 3, 4, -1}));
    EXPECT_TRUE(m_ledger.FindComing({RAIL, PortId(1)}) == PortId(4));
    m_ledger.Done(2);
    EXPECT_EQ(All(), (Ports{0, 4, 2, 3, 1, -1}));
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{-1, 4, 3, 2, 1, -1}));
}

TEST_F(OpusLedgerDark, AndHasThemWhenThoseDoNotGetThem)
{
    m_ledger.Start(2, RAIL, Up(1, 4), 500);
    m_ledger.MarkUncertain(1);
    m_ledger.Abandon(2);
    EXPECT_EQ(All(), (Ports{0, 1, 2, 3, -1, -1}));
    m_ledger.Abandon(1);
    EXPECT_EQ(All(), (Ports{1, 0, 3, 2, -1, -1}));
}

TEST_F(OpusLedgerDark, BothMayBeUncertain)
{
    for (const bool isFirstDone : {true, false})
    {
        OpusLedgerDark::m_ledger = PortLedger(MakeCabling());
        m_ledger.Start(1, RAIL, Up(0, 1), 500);
        m_ledger.Done(1);
        m_ledger.Start(2,
                       RAIL,
                       CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2)),
                       500);
        m_ledger.Start(3, RAIL, Up(1, 3), 500);
        m_ledger.MarkUncertain(2);
        m_ledger.MarkUncertain(3);
        EXPECT_EQ(All(), (Ports{0, 1, 2, 3, -1, -1}));
        if (isFirstDone)
        {
            m_ledger.Done(2);
            EXPECT_EQ(All(), (Ports{2, 1, 0, 3, -1, -1}));
            m_ledger.Abandon(3);
            EXPECT_EQ(All(), (Ports{2, -1, 0, -1, -1, -1}));
        }
        else
        {
            m_ledger.Abandon(2);
            EXPECT_EQ(All(), (Ports{0, 1, -1, 3, -1, -1}));
            m_ledger.Abandon(3);
            EXPECT_EQ(All(), (Ports{1, 0, -1, -1, -1, -1}));
        }
    }
}

TEST(OpusLedgerDarkWhole, AWholeSwitchIsFreeWhenItHasTurned)
{
    PortLedger ledger(std::make_shared<Cabling>(Cabling::OfRails(6, 1, 1)), {RAIL});
    ledger.Start(1, RAIL, CircuitPlan().Connect(PortId(0), PortId(1)), 100);
    ledger.Done(1);
    const CircuitPlan down = CircuitPlan().Disconnect(PortId(0), PortId(1));
    ledger.Start(2, RAIL, down, 100);
    EXPECT_TRUE(ledger.IsReconfiguring({RAIL, PortId(5)})) << "though no port gets a circuit";
    ledger.MarkUncertain(2);
    EXPECT_NE(ledger.GetWhyNot({RAIL, PortId(5)}), "");
    ledger.Abandon(2);
    EXPECT_FALSE(ledger.IsReconfiguring({RAIL, PortId(5)}));
    EXPECT_TRUE(ledger.GetCircuits()[0].GetPeer(PortId(0)) == PortId(1));
}

TEST(OpusLedgerDarkRails, WhatHappensOnARailDoesNotConcernAnother)
{
    PortLedger ledger(std::make_shared<Cabling>(Cabling::OfRails(6, 2, 1)));
    uint64_t number = 0;
    for (const RailId rail : {RailId(0), RailId(1)})
    {
        ledger.Start(++number, rail, CircuitPlan().Connect(PortId(0), PortId(1)), 100);
        ledger.Done(number);
    }
    const CircuitPlan turn =
        CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2));
    ledger.Start(3, RailId(0), turn, 100);
    ledger.Start(4, RailId(0), CircuitPlan().Connect(PortId(1), PortId(3)), 100);
    ledger.Abandon(3);
    EXPECT_TRUE(ledger.IsReconfiguring({RailId(0), PortId(0)})) << "0-1 may be there";
    EXPECT_FALSE(ledger.IsReconfiguring({RailId(1), PortId(0)}));
    EXPECT_EQ(ledger.GetWhyNot(RailId(1), turn), "");
    // the circuits of rail 1 do not concern rail 0
    ledger.Start(5, RailId(0), CircuitPlan().Connect(PortId(4), PortId(5)), 100);
    ledger.Done(5);
    ledger.Start(6,
                 RailId(0),
                 CircuitPlan().Disconnect(PortId(4), PortId(5)).Connect(PortId(4), PortId(2)),
                 100);
    ledger.Start(7, RailId(1), CircuitPlan().Connect(PortId(4), PortId(5)), 100);
    ledger.Done(7);
    ledger.Abandon(6);
    EXPECT_TRUE(ledger.GetCircuits()[0].GetPeer(PortId(4)) == PortId(5));
}

TEST(OpusLedgerDarkRails, EitherEndOfACircuitMayBeTakenByAnother)
{
    for (const bool isMirrored : {false, true})
    {
        const auto at = [isMirrored](uint32_t port) {
            return PortId(isMirrored ? 5 - port : port);
        };
        const auto makeLedger = [&at] {
            PortLedger ledger(std::make_shared<Cabling>(Cabling::OfRails(6, 1, 1)));
            ledger.Start(1, RAIL, CircuitPlan().Connect(at(0), at(1)), 100);
            ledger.Done(1);
            ledger.Start(2,
                         RAIL,
                         CircuitPlan().Disconnect(at(0), at(1)).Connect(at(0), at(2)),
                         100);
            return ledger;
        };
        PortLedger uncertain = makeLedger();
        uncertain.MarkUncertain(2);
        EXPECT_TRUE(uncertain.IsReconfiguring({RAIL, at(1)}));
        PortLedger failed = makeLedger();
        failed.Start(3, RAIL, CircuitPlan().Connect(at(1), at(3)), 100);
        failed.Abandon(2);
        EXPECT_FALSE(failed.GetCircuits()[0].GetPeer(at(0)));
        EXPECT_TRUE(failed.IsReconfiguring({RAIL, at(0)}));
        failed.Abandon(3);
        EXPECT_TRUE(failed.GetCircuits()[0].GetPeer(at(0)) == at(1));
        PortLedger made = makeLedger();
        made.Start(3, RAIL, CircuitPlan().Connect(at(1), at(3)), 100);
        made.Abandon(2);
        made.Done(3);
        EXPECT_TRUE(made.GetCircuits()[0].GetPeer(at(1)) == at(3));
        EXPECT_FALSE(made.IsReconfiguring({RAIL, at(0)}));
    }
}

TEST(OpusLedgerDarkRails, OnlyWhatGetsNoLightIsTakenDownAgain)
{
    PortLedger ledger(std::make_shared<Cabling>(Cabling::OfRails(6, 1, 1)));
    ledger.Start(1,
                 RAIL,
                 CircuitPlan().Connect(PortId(0), PortId(1)).Connect(PortId(2), PortId(3)),
                 100);
    ledger.Done(1, {Circuit(PortId(2), PortId(3))});
    EXPECT_TRUE(ledger.GetCircuits()[0].GetPeer(PortId(0)) == PortId(1));
    EXPECT_FALSE(ledger.GetCircuits()[0].GetPeer(PortId(2)));
}

TEST(OpusLedgerDarkRails, LedgersThatKnowOtherThingsOfTheSameCircuitsAreNotAlike)
{
    const auto makeLedger = [] {
        return PortLedger(std::make_shared<Cabling>(Cabling::OfRails(6, 1, 1)));
    };
    const CircuitPlan away =
        CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2));
    const CircuitPlan other = CircuitPlan().Connect(PortId(1), PortId(3));
    const auto begin = [&](PortLedger& ledger) {
        ledger.Start(1, RAIL, CircuitPlan().Connect(PortId(0), PortId(1)), 100);
        ledger.Done(1);
        ledger.Start(2, RAIL, away, 100);
    };
    PortLedger lost = makeLedger();
    begin(lost);
    lost.Start(3, RAIL, other, 100);
    lost.Abandon(2);
    PortLedger dark = makeLedger();
    dark.Start(3, RAIL, other, 100);
    EXPECT_NE(lost.Describe(), dark.Describe());
    PortLedger open = makeLedger();
    begin(open);
    PortLedger sure = makeLedger();
    begin(sure);
    EXPECT_EQ(sure.Describe(), open.Describe());
    sure.Start(3, RAIL, other, 100);
    sure.Done(3, {Circuit(PortId(1), PortId(3))}); // 0-1 is gone, whatever the result of plan 2
    EXPECT_NE(sure.Describe(), open.Describe());
}
