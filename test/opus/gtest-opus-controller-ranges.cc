/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The range of a grant, and the state of ranks that do not reach its end, or go further.

#include "opus-controller-bench.h"

#include "ns3/rank-progress.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** A ring of servers 0, 1 and 2, which have all requested operations 3 to 9 of group 1. */
class OpusControllerRanges : public testing::Test
{
  protected:
    OpusControllerRanges()
    {
        for (uint32_t server = 0; server < 3; ++server)
        {
            m_bench.Register(server, 1, {m_bench.R(0), m_bench.R(1), m_bench.R(2)});
            const auto outbox = m_bench.Request(server, m_phase, m_ring, false, 0, 9 + server);
            m_grants = Bench::Select<OpusGrant>(m_bench.AnswerAll(outbox));
        }
    }

    Bench m_bench{4, 1, 2};
    OpusPhase m_phase = Bench::Operation(1, 3);
    std::vector<JoinedRanks> m_ring = MakeRingOf({m_bench.R(0), m_bench.R(1), m_bench.R(2)});
    std::vector<FlatMessage<OpusGrant>> m_grants;
};

} // namespace

TEST_F(OpusControllerRanges, TheLeastThatAnyRankWantsBindsAll)
{
    ASSERT_EQ(m_grants.size(), 3);
    for (const auto& grant : m_grants)
    {
        EXPECT_EQ(grant.until, 9);
    }
}

TEST_F(OpusControllerRanges, ARequestWithoutARangeGetsOneOperation)
{
    Bench bench(3, 1, 1);
    const auto grants =
        Bench::Select<OpusGrant>(bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1, 5))));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_EQ(grants[0].until, 5) << "0 in the requests is before it";
}

TEST_F(OpusControllerRanges, ARankThatBreaksOffIsFollowedByExactlyTheOthers)
{
    auto recalls = m_bench.ReleaseAfter(1, m_phase, m_ring, 5);
    ASSERT_EQ(recalls.size(), 2);
    for (const uint32_t server : {0, 2})
    {
        const auto recall = Bench::Select<OpusRecall>(recalls).at(server / 2);
        EXPECT_EQ(recall.server, ServerId(server));
        EXPECT_EQ(recall.ranks, std::vector<RankId>{m_bench.R(server)});
        EXPECT_EQ(recall.until, 5);
        EXPECT_FALSE(recall.isWhole);
        EXPECT_TRUE(recall.phase == m_phase);
    }
    // one of the others has not even come that far
    recalls = m_bench.ReleaseAfter(2, m_phase, m_ring, 4);
    ASSERT_EQ(recalls.size(), 1);
    EXPECT_EQ(recalls[0].message.server, ServerId(0));
    EXPECT_EQ(recalls[0].message.Get<OpusRecall>().until, 4);
    EXPECT_EQ(m_bench.Core().GetPhases().at(m_phase).until, 4);
    EXPECT_TRUE(m_bench.ReleaseAfter(0, m_phase, m_ring, 5).empty());
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
    EXPECT_EQ(m_bench.Core().GetCounters().recalls, 2);
}

TEST_F(OpusControllerRanges, ARankThatGoesToTheEndCausesNoRecall)
{
    EXPECT_TRUE(m_bench.ReleaseAfter(1, m_phase, m_ring, 9).empty());
    EXPECT_TRUE(m_bench.ReleaseAfter(1, m_phase, m_ring, 9).empty()) << "nor does a late copy";
    EXPECT_EQ(m_bench.Core().GetCounters().recalls, 0);
}

TEST_F(OpusControllerRanges, ARankThatComesBackGetsWhatWasAgreed)
{
    m_bench.now = 100;
    m_bench.Release(1, m_phase, m_ring, true);
    const auto outbox = m_bench.Request(1, m_phase, m_ring, false, 1, 4);
    ASSERT_EQ(outbox.size(), 1);
    EXPECT_EQ(outbox[0].message.Get<OpusGrant>().until, 9) << "the others may be beyond 4";
    EXPECT_EQ(outbox[0].message.Get<OpusGrant>().number, 1);
    EXPECT_EQ(outbox[0].message.Get<OpusGrant>().reconfiguration, 0);
    EXPECT_EQ(outbox[0].message.Get<OpusGrant>().others, 0);
}

TEST_F(OpusControllerRanges, WhatIsReleasedUnusedIsRecalledForWaitingRanks)
{
    // 1 needs its ports for another operation first, which 0 and 2 cannot know
    m_bench.now = ControllerLimits().votes / 2;
    EXPECT_TRUE(m_bench.Release(1, m_phase, m_ring, true).empty());
    m_bench.Request(1, Bench::Send(1, 2), m_bench.Between(1, 2));
    const auto outbox = m_bench.Request(2, Bench::Send(1, 2), m_bench.Between(1, 2));
    const auto recalls = Bench::Select<OpusRecall>(outbox);
    ASSERT_EQ(outbox.size(), 2);
    ASSERT_EQ(recalls.size(), 2);
    EXPECT_EQ(recalls[0].server, ServerId(0));
    EXPECT_TRUE(recalls[0].isWhole) << "whatever is under way";
    // 2 releases it and requests it again, in vain while it is recalled
    m_bench.Release(2, m_phase, m_ring, true);
    EXPECT_TRUE(m_bench.Request(2, m_phase, m_ring, false, 1, 9).empty());
    EXPECT_EQ(Bench::Count(m_bench.Release(0, m_phase, m_ring, true), PROGRAM), 1);
    EXPECT_EQ(m_bench.Core().GetPhases().at(m_phase).deadline,
              m_bench.now + ControllerLimits().votes)
        << "others have as long to ask as the first time";
}

TEST(OpusControllerFurther, ARankThatIsFurtherCountsAsFinished)
{
    for (const bool requestFirst : {false, true})
    {
        Bench bench(3, 1, 1);
        const auto pairs = bench.Between(0, 1);
        bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1, 2), 9));
        // the receiver stops after 3; the data that the sender sent until 5 has arrived all the
        // same
        const auto recalls = bench.ReleaseAfter(1, Bench::Send(0, 1, 2), pairs, 3);
        ASSERT_EQ(recalls.size(), 1);
        EXPECT_EQ(recalls[0].message.Get<OpusRecall>().until, 3);
        Bench::Outbox outbox;
        if (requestFirst)
        {
            EXPECT_TRUE(bench.Request(1, Bench::Send(0, 1, 4), pairs, false, 0, 9).empty());
            outbox = bench.ReleaseAfter(0, Bench::Send(0, 1, 2), pairs, 5);
        }
        else
        {
            bench.ReleaseAfter(0, Bench::Send(0, 1, 2), pairs, 5);
            outbox = bench.Request(1, Bench::Send(0, 1, 4), pairs, false, 0, 9);
        }
        ASSERT_EQ(outbox.size(), 1) << "the circuit stands, and the sender is not needed";
        EXPECT_EQ(outbox[0].message.GetType(), GRANT);
        EXPECT_EQ(outbox[0].message.server, ServerId(1));
        EXPECT_EQ(outbox[0].message.Get<OpusGrant>().until, 5)
            << "beyond that the sender has to be there";
        bench.ReleaseAfter(1, Bench::Send(0, 1, 4), pairs, 5);
        EXPECT_TRUE(bench.Core().GetPhases().empty());
        const auto next =
            Bench::Select<OpusGrant>(bench.RequestBoth(0, 1, Bench::Send(0, 1, 6), 7));
        ASSERT_EQ(next.size(), 2);
        EXPECT_EQ(next[0].until, 7);
    }
}

TEST(OpusControllerFurther, ALateCopyOfAGuessDoesNotHoldUpTheOthers)
{
    Bench bench(3, 1, 1);
    const auto pairs = bench.Between(0, 1);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1, 2), 9));
    EXPECT_TRUE(bench.Request(0, Bench::Send(0, 1, 4), pairs, true).empty())
        << "withdrawn long ago";
    bench.ReleaseAfter(1, Bench::Send(0, 1, 2), pairs, 3);
    bench.ReleaseAfter(0, Bench::Send(0, 1, 2), pairs, 5);
    const auto grants = bench.Request(1, Bench::Send(0, 1, 4), pairs, false, 0, 9);
    ASSERT_EQ(grants.size(), 1);
    EXPECT_EQ(grants[0].message.server, ServerId(1));
}

TEST(OpusControllerFurther, ALateCopyOfARequestIsNotCounted)
{
    Bench bench(3, 1, 1);
    const auto pairs = bench.Between(0, 1);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1, 2), 9));
    bench.ReleaseAfter(0, Bench::Send(0, 1, 2), pairs, 9);
    bench.ReleaseAfter(1, Bench::Send(0, 1, 2), pairs, 9);
    EXPECT_TRUE(bench.Request(0, Bench::Send(0, 1, 5), pairs).empty());
    EXPECT_TRUE(bench.Core().GetPhases().empty()) << "or 1 would be waited for";
    EXPECT_EQ(bench.Core().GetCounters().duplicates, 1);
}

TEST(OpusControllerFurther, ProgressIsTheGreatestOfAFlow)
{
    RankProgress progress;
    const OpusPhase send = Bench::Send(0, 1, 4);
    EXPECT_FALSE(progress.IsThrough(Bench::Send(0, 1, 0), RankId(0)));
    progress.Raise(send, RankId(0), 6, 0);
    progress.Raise(send, RankId(0), 5, 3);
    EXPECT_TRUE(progress.IsThrough(Bench::Send(0, 1, 6), RankId(0)));
    EXPECT_FALSE(progress.IsThrough(Bench::Send(0, 1, 7), RankId(0)));
    EXPECT_FALSE(progress.IsThrough(Bench::Send(0, 1, 6), RankId(1)));
    EXPECT_FALSE(progress.IsThrough(Bench::Send(1, 0, 6), RankId(0))) << "the other way";
    OpusPhase later = Bench::Send(0, 1, 6);
    later.stage = 1;
    EXPECT_FALSE(progress.IsThrough(later, RankId(0)));
    EXPECT_EQ(progress.GetOperation(send, RankId(0)), 6);
    EXPECT_EQ(progress.GetOperation(Bench::Send(0, 1, 8), RankId(0)), 8);
    EXPECT_NE(progress.Describe(), RankProgress().Describe());
}

TEST(OpusControllerForGood, CircuitsThatStayAreGrantedWithoutEnd)
{
    ControllerSettings settings;
    settings.policy = MakePolicyFactory("static-split");
    JobDemand demand;
    demand.parallelisms = {{"dp", {{RankId(0), RankId(1)}}, 1}};
    settings.demands = {demand};
    Bench bench(3, 1, 1, settings);
    bench.AnswerAll(bench.Core().Start(0));
    const auto grants = Bench::Select<OpusGrant>(bench.RequestBoth(0, 1, Bench::Send(0, 1), 3));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_EQ(grants[0].until, UINT64_MAX);
    EXPECT_EQ(grants[1].until, UINT64_MAX);
    EXPECT_EQ(bench.Core().GetNextDeadline(), NEVER) << "nobody is late with giving them back";
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(1, 0), 3), GRANT), 2);
}

TEST(OpusControllerForGood, PoliciesDeclareWhetherTheirCircuitsStay)
{
    const auto cabling = std::make_shared<const Cabling>(Cabling::OfRails(2, 1, 1));
    for (const std::string name : {"static-split", "static-split-by-traffic", "one-shot", "demand"})
    {
        EXPECT_TRUE(MakeCircuitPolicy(name, cabling)->IsForGood()) << name;
    }
    const auto onDemand = MakeCircuitPolicy("on-demand", cabling);
    EXPECT_FALSE(onDemand->IsForGood());
    EXPECT_TRUE(onDemand->NeedsControlPlane());
    EXPECT_TRUE(onDemand->GetSlot().IsZero());
}
