/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which rank called last: what shims report, and what they and the controller make of it.

#include "opus-controller-bench.h"
#include "opus-shim-bench.h"

#include "ns3/shim-core.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

/** @return a report of a rank of a server, in group 7 of job 0 */
OpusMessage
MakeCalled(uint32_t server, RankId rank, uint64_t operation, Picoseconds at, bool chooses)
{
    OpusCalled called;
    called.phase.group = GroupId(7);
    called.phase.operation = operation;
    called.ranks = {rank};
    called.whole = 3;
    called.slot = 2;
    called.at = at;
    called.chooses = chooses;
    return {0, ServerId(server), RailId(), called};
}

/** @return a rank's notice of a call of operation 5 of a group of 2 */
CallNotice
MakeNotice(RankId rank, Picoseconds at, bool isInServer)
{
    CallNotice notice;
    notice.call = {rank, 2, 5, 1, at};
    notice.group = GroupId(7);
    notice.isInServer = isInServer;
    notice.chooses = rank == RankId(0);
    return notice;
}

} // namespace

TEST(OpusLateness, TheControllerInformsTheRankThatChoosesWhenAllHaveCalled)
{
    OpusControllerBench bench(4, 1, 2);
    ControllerCore& core = bench.Core();
    // reports come in another order than the calls
    EXPECT_TRUE(core.Take(MakeCalled(2, bench.R(2), 10, 5'000, false), 9'000).empty());
    EXPECT_TRUE(core.Take(MakeCalled(0, bench.R(0), 10, 1'000, true), 9'100).empty());
    const auto outbox = core.Take(MakeCalled(1, bench.R(1), 10, 3'000, false), 9'200);
    ASSERT_EQ(outbox.size(), 1U);
    EXPECT_FALSE(outbox[0].toAgent);
    EXPECT_EQ(outbox[0].message.server, ServerId(0));
    ASSERT_TRUE(outbox[0].message.Is<OpusLateness>());
    const OpusLateness& lateness = outbox[0].message.Get<OpusLateness>();
    EXPECT_EQ(lateness.phase.group, GroupId(7));
    EXPECT_EQ(lateness.phase.operation, 10U);
    EXPECT_EQ(lateness.ranks, std::vector<RankId>{bench.R(0)});
    EXPECT_EQ(lateness.slot, 2U);
    EXPECT_EQ(RankId(lateness.last), bench.R(2));
    EXPECT_EQ(lateness.lateness, 2'000);
}

TEST(OpusLateness, TheControllerIgnoresRanksOfOtherServersAndOtherTerms)
{
    OpusControllerBench bench(4, 1, 2);
    ControllerCore& core = bench.Core();
    core.Take(MakeCalled(0, bench.R(0), 10, 1'000, true), 9'000);
    core.Take(MakeCalled(1, bench.R(1), 10, 3'000, false), 9'000);
    EXPECT_TRUE(core.Take(MakeCalled(3, bench.R(2), 10, 5'000, false), 9'000).empty());
    OpusMessage old = MakeCalled(2, bench.R(2), 10, 5'000, false);
    old.term = 1;
    EXPECT_TRUE(core.Take(old, 9'000).empty());
    EXPECT_EQ(core.GetCounters().unknown, 1U);
    EXPECT_EQ(core.GetCounters().stale, 1U);
    EXPECT_EQ(core.Take(MakeCalled(2, bench.R(2), 10, 5'000, false), 9'000).size(), 1U);
}

TEST(OpusLateness, AShimComparesTheCallsOfAGroupInItsServer)
{
    ShimCore shim(OpusShimBench::Settings());
    EXPECT_TRUE(shim.Called(MakeNotice(RankId(0), 1'000, true), 2'000).samples.empty());
    const ShimOutcome outcome = shim.Called(MakeNotice(RankId(1), 4'000, true), 5'000);
    ASSERT_EQ(outcome.samples.size(), 1U);
    EXPECT_EQ(outcome.samples[0].to, RankId(0)) << "the rank that chooses";
    EXPECT_EQ(outcome.samples[0].group, GroupId(7));
    EXPECT_EQ(outcome.samples[0].operation, 5U);
    EXPECT_EQ(outcome.samples[0].sample, (LatenessSample{RankId(1), 3'000}));
    EXPECT_TRUE(shim.Flush(5'000).outbox.empty()) << "the controller needs not know";
}

TEST(OpusLateness, AShimReportsOtherCallsAndTakesTheAnswer)
{
    const ShimSettings settings = OpusShimBench::Settings();
    ShimCore shim(settings);
    EXPECT_TRUE(shim.Called(MakeNotice(RankId(0), 1'000, false), 2'000).samples.empty());
    EXPECT_TRUE(shim.HasOutgoing());
    const std::vector<OpusMessage> outbox = shim.Flush(2'000).outbox;
    ASSERT_EQ(outbox.size(), 1U);
    ASSERT_TRUE(outbox[0].Is<OpusCalled>());
    const OpusCalled& called = outbox[0].Get<OpusCalled>();
    EXPECT_EQ(called.phase.group, GroupId(7));
    EXPECT_EQ(called.phase.operation, 5U);
    EXPECT_EQ(called.ranks, std::vector<RankId>{RankId(0)});
    EXPECT_EQ(called.whole, 2U);
    EXPECT_EQ(called.slot, 1U);
    EXPECT_EQ(called.at, 1'000) << "the rank's instant, and not the shim's";
    EXPECT_TRUE(called.chooses);
    EXPECT_TRUE(shim.Flush(3'000).outbox.empty()) << "once";

    OpusLateness lateness;
    lateness.phase = called.phase;
    lateness.ranks = {RankId(0)};
    lateness.slot = 1;
    lateness.last = 9;
    lateness.lateness = 70;
    const ShimOutcome outcome = shim.Take({0, settings.server, RailId(), lateness}, 4'000);
    ASSERT_EQ(outcome.samples.size(), 1U);
    EXPECT_EQ(outcome.samples[0].to, RankId(0));
    EXPECT_EQ(outcome.samples[0].sample, (LatenessSample{RankId(9), 70}));
    const ServerId another(settings.server.Get() + 1);
    EXPECT_TRUE(shim.Take({0, another, RailId(), lateness}, 4'000).samples.empty());
}
