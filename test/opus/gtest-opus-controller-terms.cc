/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A controller that begins a term, and receives the circuits that stand and the grants that are
// held.

#include "opus-controller-bench.h"

#include <gtest/gtest.h>
#include <utility>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** Four servers of job 0 with one port on each of two rails; one of job 1. */
class OpusControllerTerms : public testing::Test
{
  protected:
    OpusControllerTerms()
        : m_bench(5, 2, 1)
    {
        m_bench.Core().BeginTerm(3, 0);
    }

    /** @return the messages that follow when an agent reports that servers are joined */
    Bench::Outbox Accept(uint32_t rail, const std::vector<std::pair<uint32_t, uint32_t>>& servers)
    {
        FlatMessage<OpusAccept> accept;
        accept.term = m_bench.Core().GetTerm();
        accept.rail = RailId(rail);
        for (const auto& [one, other] : servers)
        {
            accept.circuits.push_back({PortOf(one, rail), PortOf(other, rail)});
        }
        return m_bench.Core().Take(accept, m_bench.now);
    }

    PortId PortOf(uint32_t server, uint32_t rail) const
    {
        return m_bench.GetCabling().GetPorts(m_bench.R(server, rail)).at(0);
    }

    /** @return the messages that follow when the ranks of a server report that they hold a phase */
    Bench::Outbox Hold(uint32_t server,
                       uint32_t one,
                       uint32_t other,
                       const OpusPhase& phase,
                       uint64_t until = 0)
    {
        const auto pairs = m_bench.Between(one, other);
        auto hold = m_bench.Of<OpusHold>(server, phase, pairs);
        hold.pairs = pairs;
        hold.whole = PhaseVotes(pairs).CountWhole();
        hold.digest = GetDigest(pairs);
        hold.until = until;
        for (const auto& [low, high] : pairs)
        {
            hold.circuits.push_back({low, 0, high, 0});
        }
        return m_bench.Core().Take(hold, m_bench.now);
    }

    /** @return the messages that follow when a server reports that this was all */
    Bench::Outbox ReportOf(uint32_t server, uint32_t job = 0)
    {
        FlatMessage<OpusTerm> all;
        all.term = m_bench.Core().GetTerm();
        all.server = ServerId(server);
        all.job = JobId(job);
        return m_bench.Core().Take(all, m_bench.now);
    }

    /** @return the messages that follow when both agents and all servers but some have reported */
    Bench::Outbox ReportAllBut(const std::set<uint32_t>& silent)
    {
        Bench::Outbox last;
        for (uint32_t server = 0; server < 5; ++server)
        {
            if (silent.count(server) == 0)
            {
                last = ReportOf(server, server == 4 ? 1 : 0);
            }
        }
        return last;
    }

    Bench m_bench;
};

} // namespace

TEST_F(OpusControllerTerms, NothingIsTouchedOnARailWhoseAgentHasNotAccepted)
{
    ReportAllBut({});
    Accept(0, {});
    EXPECT_TRUE(m_bench.RequestBoth(0, 1, Bench::Send(0, 2)).empty()) << "both rails are wanted";
    const auto outbox = Accept(1, {});
    EXPECT_EQ(Bench::Count(outbox, PROGRAM), 2);
    EXPECT_EQ(outbox.at(0).message.term, 3);
    EXPECT_EQ(outbox.at(0).message.Get<OpusProgram>().plan >> 32, 3)
        << "numbers that no other term has";
    EXPECT_EQ(Bench::Count(m_bench.AnswerAll(outbox), GRANT), 2);
}

TEST_F(OpusControllerTerms, WhatStandsIsGrantedAndNotProgrammed)
{
    Accept(0, {{0, 1}});
    Accept(1, {{0, 1}});
    ReportAllBut({});
    const auto outbox = m_bench.RequestBoth(0, 1, Bench::Send(0, 2));
    EXPECT_EQ(Bench::Count(outbox, PROGRAM), 0);
    EXPECT_EQ(Bench::Count(outbox, GRANT), 2);
}

TEST_F(OpusControllerTerms, ACircuitStaysUntilBothOfItsEndsHaveReported)
{
    for (const uint32_t silent : {0U, 1U})
    {
        m_bench = Bench(5, 2, 1);
        m_bench.Core().BeginTerm(3, 0);
        Accept(0, {{0, 1}});
        Accept(1, {{0, 1}});
        ReportAllBut({silent});
        const uint32_t other = 1 - silent;
        EXPECT_TRUE(m_bench.RequestBoth(other, 2, Bench::Send(2 * other, 4)).empty())
            << "server " << silent << " may use what server " << other << " wants to lose";
        EXPECT_EQ(Bench::Count(ReportOf(silent), PROGRAM), 2);
    }
}

TEST_F(OpusControllerTerms, DarkPortsHaveNoOwner)
{
    Accept(0, {{0, 1}});
    Accept(1, {});
    ReportAllBut({0, 1});
    EXPECT_EQ(Bench::Count(m_bench.RequestBoth(2, 3, Bench::Send(4, 6)), PROGRAM), 2);
}

TEST_F(OpusControllerTerms, WhatIsHeldIsNotTaken)
{
    Accept(0, {{0, 1}});
    Accept(1, {{0, 1}});
    Hold(0, 0, 1, Bench::Send(0, 2), 5);
    Hold(1, 0, 1, Bench::Send(0, 2), 5);
    const auto again = ReportAllBut({});
    EXPECT_EQ(m_bench.Core().GetPhases().at(Bench::Send(0, 2)).until, 5);
    EXPECT_EQ(Bench::Count(again, PROGRAM), 0);
    EXPECT_TRUE(m_bench.RequestBoth(0, 2, Bench::Send(0, 4)).empty());
    m_bench.ReleaseAfter(0, Bench::Send(0, 2), m_bench.Between(0, 1), 5);
    const auto outbox = m_bench.ReleaseAfter(1, Bench::Send(0, 2), m_bench.Between(0, 1), 5);
    EXPECT_EQ(Bench::Count(outbox, PROGRAM), 2);
}

TEST_F(OpusControllerTerms, ARankThatMissedAGrantGetsItWhenAllHaveAnswered)
{
    Accept(0, {{0, 1}});
    Hold(0, 0, 1, Bench::Send(0, 2), 5);
    EXPECT_TRUE(m_bench.Request(1, Bench::Send(0, 2), m_bench.Between(0, 1)).empty());
    ReportAllBut({1});
    EXPECT_EQ(Bench::Count(ReportOf(1), GRANT), 0) << "an agent has not spoken";
    const auto outbox = Bench::Select<OpusGrant>(Accept(1, {{0, 1}}));
    ASSERT_EQ(outbox.size(), 2) << "who holds it is told how far it goes";
    EXPECT_EQ(outbox[1].server, ServerId(1));
    EXPECT_EQ(outbox[1].until, 5);
    EXPECT_EQ(outbox[1].circuits.size(), 2);
}

TEST_F(OpusControllerTerms, AGrantGoesNoFurtherThanItsFirstRankThatIsThrough)
{
    Accept(0, {{0, 1}});
    Accept(1, {{0, 1}});
    Hold(0, 0, 1, Bench::Send(0, 2), 9);
    auto through = m_bench.Of<OpusHold>(1, Bench::Send(0, 2, 6), m_bench.Between(0, 1));
    m_bench.Core().Take(through, m_bench.now);
    ReportAllBut({1});
    const auto outbox = Bench::Select<OpusGrant>(ReportOf(1));
    ASSERT_EQ(outbox.size(), 1) << "1 gave it back after 6, which 0 may not have heard";
    EXPECT_EQ(outbox[0].server, ServerId(0));
    EXPECT_EQ(outbox[0].until, 6);
}

TEST_F(OpusControllerTerms, WhatIsNotThereAnyMoreIsCalledBack)
{
    Accept(0, {{0, 1}});
    Accept(1, {{0, 1}});
    // a ring that 0 and 1 know, and whose other circuits are gone
    std::vector<JoinedRanks> ring;
    for (uint32_t server = 0; server < 4; ++server)
    {
        ring.emplace_back(m_bench.R(server), m_bench.R((server + 1) % 4));
    }
    auto hold = m_bench.Of<OpusHold>(0, Bench::Send(0, 6), ring);
    hold.pairs = ring;
    hold.whole = 4;
    hold.digest = GetDigest(ring);
    hold.circuits.push_back({m_bench.R(0), 0, m_bench.R(1), 0});
    m_bench.Core().Take(hold, 0);
    ReportAllBut({3});
    const auto outbox = Bench::Select<OpusRecall>(ReportOf(3));
    ASSERT_EQ(outbox.size(), 1);
    EXPECT_TRUE(outbox[0].isWhole);
}

TEST_F(OpusControllerTerms, MessagesOfEarlierTermsDoNotCount)
{
    FlatMessage<OpusAccept> accept;
    accept.term = 2;
    m_bench.Core().Take(accept, 0);
    EXPECT_EQ(m_bench.Core().GetCounters().stale, 1);
    EXPECT_FALSE(m_bench.Core().GetLedger().IsKnown(RailId(0)));
    ReportAllBut({});
    Accept(0, {});
    Accept(1, {});
    Hold(0, 0, 1, Bench::Send(0, 2));
    EXPECT_EQ(m_bench.Core().GetCounters().unknown, 1) << "it has said that this was all";
    EXPECT_TRUE(m_bench.Core().GetLedger().IsAllKnown());
}

TEST(OpusControllerTerm, JobsWhoseCircuitsAreForGoodWaitUntilAllIsKnown)
{
    ControllerSettings settings;
    settings.policy = MakePolicyFactory("static-split");
    JobDemand demand;
    demand.parallelisms = {{"dp", {{RankId(0), RankId(1)}}, 1}};
    settings.demands = {demand};
    Bench bench(3, 1, 1, settings);
    bench.Core().BeginTerm(1, 0);
    FlatMessage<OpusAccept> accept;
    accept.term = 1;
    bench.Core().Take(accept, 0);
    EXPECT_TRUE(bench.RequestBoth(0, 1, Bench::Send(0, 1)).empty());
    FlatMessage<OpusTerm> report;
    report.term = 1;
    for (uint32_t server = 0; server < 2; ++server)
    {
        report.server = ServerId(server);
        EXPECT_TRUE(bench.Core().Take(report, 0).empty());
    }
    report.server = ServerId(2);
    report.job = JobId(1);
    const auto outbox = bench.Core().Take(report, 0);
    EXPECT_EQ(Bench::Count(outbox, PROGRAM), 1);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(outbox), GRANT), 2);
}
