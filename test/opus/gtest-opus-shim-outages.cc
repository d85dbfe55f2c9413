/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Circuits of a grant on which messages failed: each controller receives them until it has recalled
// the grant.

#include "opus-shim-bench.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using ShimBench = OpusShimBench;

const RankCircuit FIRST{RankId(0), 0, RankId(2), 1};
const RankCircuit SECOND{RankId(0), 1, RankId(4), 0};

/** @return the messages of a shim when a controller begins a term */
std::vector<OpusMessage>
BeginTerm(ShimBench& bench, uint32_t term)
{
    FlatMessage<OpusTerm> begin;
    begin.term = term;
    EXPECT_TRUE(bench.Take(begin).empty());
    return bench.Flush();
}

/** @return the number of outages in messages */
std::size_t
CountOutages(const std::vector<OpusMessage>& messages)
{
    return std::count_if(messages.begin(), messages.end(), [](const OpusMessage& message) {
        return message.Is<OpusOutage>();
    });
}

} // namespace

TEST(OpusShimOutages, TheCircuitsOfAGrantAreReportedTogether)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 2);
    bench.Flush();
    bench.Core().LinkFailed(ShimBench::Dp(0), SECOND);
    bench.Core().LinkFailed(ShimBench::Dp(0), FIRST);
    bench.Core().LinkFailed(ShimBench::Dp(0), SECOND);
    const auto outage = bench.FlushOne<OpusOutage>();
    EXPECT_TRUE(outage.phase == ShimBench::PhaseOf(ShimBench::Dp(0)));
    EXPECT_EQ(outage.ranks, std::vector<RankId>{RankId(0)});
    EXPECT_EQ(outage.circuits, (std::vector<RankCircuit>{FIRST, SECOND}));
    EXPECT_TRUE(bench.Flush().empty()) << "once";
}

TEST(OpusShimOutages, AGrantHasTheNameOfItsFirstOperation)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 2);
    bench.Finish(ShimBench::Dp(0));
    EXPECT_EQ(bench.Request(ShimBench::Dp(1)).size(), 1U) << "on the circuits at hand";
    bench.Flush();
    bench.Core().LinkFailed(ShimBench::Dp(1), FIRST);
    EXPECT_TRUE(bench.FlushOne<OpusOutage>().phase == ShimBench::PhaseOf(ShimBench::Dp(0)));
}

TEST(OpusShimOutages, WhatIsNotHeldIsNotReported)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 0);
    bench.Flush();
    bench.Core().LinkFailed(ShimBench::Tp(0), FIRST);
    bench.Core().LinkFailed(ShimBench::Dp(0, 8), FIRST);
    EXPECT_TRUE(bench.Flush().empty());
}

TEST(OpusShimOutages, TheNextControllerReceivesItUnlessTheGrantWasRecalled)
{
    ShimBench bench;
    bench.RequestAndGrant(ShimBench::Dp(0), 0);
    bench.Flush();
    bench.Core().LinkFailed(ShimBench::Dp(0), FIRST);
    EXPECT_EQ(CountOutages(bench.Flush()), 1U);
    EXPECT_EQ(CountOutages(BeginTerm(bench, 1)), 1U);
    auto recall = bench.Recall(ShimBench::Dp(0), 0);
    recall.isWhole = true;
    EXPECT_EQ(bench.Take(recall).size(), 1U) << "the call is withdrawn";
    bench.Finish(ShimBench::Dp(0));
    bench.Request(ShimBench::Dp(0)); // again
    bench.Flush();
    EXPECT_EQ(CountOutages(BeginTerm(bench, 2)), 0U);
}
