/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The three ways in which a grant ends early, and the RECALLs of each.

#include "opus-controller-parts.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

/** Ranks 0 and 1 hold operations 3 to 9. */
class GrantRecalled : public testing::Test
{
  protected:
    Parts m_parts;
    ControllerPhase& m_phase{m_parts.Grant(3, {0, 1}, 9)};
    GrantRecalls& m_recalls{m_parts.recalls};
};

} // namespace

TEST_F(GrantRecalled, AShortenedGrantGoesAsFarAsItsFirstRankAndNeverFurther)
{
    m_recalls.Shorten(m_phase, 9);
    EXPECT_TRUE(m_parts.outbox.Take().empty()) << "that is no earlier operation";
    m_recalls.Shorten(m_phase, 6);
    const auto recalls = m_parts.TakeSent<OpusRecall>();
    ASSERT_EQ(recalls.size(), 2U);
    EXPECT_EQ(recalls[0].until, 6U);
    EXPECT_FALSE(recalls[0].isWhole);
    m_recalls.Shorten(m_phase, 7);
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    EXPECT_EQ(m_phase.until, 6U);
}

TEST_F(GrantRecalled, AGrantIsCalledInOnce)
{
    m_recalls.CallIn(m_phase);
    m_recalls.CallIn(m_phase);
    const auto recalls = m_parts.TakeSent<OpusRecall>();
    ASSERT_EQ(recalls.size(), 2U) << "one to each rank";
    EXPECT_EQ(recalls[0].until, UINT64_MAX) << "when they are idle, whatever the operation";
    EXPECT_FALSE(recalls[0].isWhole);
}

TEST_F(GrantRecalled, AfterACallBackThereIsNoOtherRecall)
{
    m_recalls.CallBack(m_phase, "another needs it");
    const auto recalls = m_parts.TakeSent<OpusRecall>();
    ASSERT_EQ(recalls.size(), 2U);
    EXPECT_TRUE(recalls[0].isWhole);
    m_recalls.CallBack(m_phase, "a third too");
    m_recalls.CallIn(m_phase);
    m_recalls.Shorten(m_phase, 4);
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    EXPECT_EQ(m_parts.record.counters.recalls, 1U);
    EXPECT_EQ(m_phase.until, 4U) << "but the extent is known";
}

TEST_F(GrantRecalled, AGrantIsTornIfARankHasGivenItBackAndMayRequestItAgain)
{
    m_recalls.CallBackIfTorn(m_phase);
    EXPECT_TRUE(m_parts.outbox.Take().empty()) << "both ranks hold it";
    m_phase.votes.Release(RankId(0), true, 0);
    m_phase.isResumed = true;
    m_recalls.CallBackIfTorn(m_phase);
    EXPECT_TRUE(m_parts.outbox.Take().empty()) << "a rank that is missing may not have reported";
    m_phase.isResumed = false;
    m_recalls.CallBackIfTorn(m_phase);
    const auto recalls = m_parts.TakeSent<OpusRecall>();
    ASSERT_EQ(recalls.size(), 1U);
    EXPECT_EQ(recalls[0].ranks, std::vector<RankId>{RankId(1)});
}

TEST_F(GrantRecalled, OnlyWhatIsGrantedStillIsCalledBackAsUndelivered)
{
    m_parts.Call(4, {2, 3});
    m_recalls.CallBackUndelivered({Parts::Operation(4), Parts::Operation(5)});
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    m_recalls.CallBackUndelivered({m_phase.phase});
    EXPECT_EQ(m_parts.TakeSent<OpusRecall>().size(), 2U);
}

TEST_F(GrantRecalled, TheRecallsOfAnEarlierTermAreRepeatedAndNotCounted)
{
    m_recalls.Repeat(m_phase);
    EXPECT_TRUE(m_parts.outbox.Take().empty()) << "there was none";
    m_recalls.Shorten(m_phase, 6);
    m_recalls.CallIn(m_phase);
    m_parts.outbox.Take();
    m_recalls.Repeat(m_phase);
    EXPECT_EQ(m_parts.TakeSent<OpusRecall>().size(), 4U) << "two to each rank";
    m_recalls.CallBack(m_phase, "another needs it");
    m_parts.outbox.Take();
    m_recalls.Repeat(m_phase);
    EXPECT_EQ(m_parts.TakeSent<OpusRecall>().size(), 2U) << "it contains the others";
    EXPECT_EQ(m_parts.record.counters.recalls, 3U);
}
