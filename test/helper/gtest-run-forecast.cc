/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/run-forecast.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

// How long runs that are not over still take, by those that have made progress.

using namespace ns3;

namespace
{

/** @return a run with some progress @param share of it @param seconds that it took so far */
SideBySide::Outcome
MakeRun(const std::string& name, double share, double seconds)
{
    SideBySide::Outcome run;
    run.name = name;
    run.share = share;
    run.seconds = seconds;
    run.isOver = share == 1;
    return run;
}

} // namespace

TEST(RunForecast, WithoutProgressThereIsNoEstimate)
{
    const RunForecast forecast({1, 1}, 2);
    EXPECT_FALSE(forecast.GetEstimate({MakeRun("a", 0, 3), MakeRun("b", 0.01, 3)}));
}

TEST(RunForecast, ARunThatIsHalfOverTakesAsLongAgain)
{
    const auto estimate = RunForecast({1}, 1).GetEstimate({MakeRun("a", 0.5, 6)});
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(estimate->secondsLeft, 6);
    EXPECT_DOUBLE_EQ(estimate->share, 0.5);
}

TEST(RunForecast, ARunThatHasNotBegunTakesTimeByItsWeight)
{
    // 4 s for a weight of 2, so 12 s for one of 6, one after the other
    const auto estimate =
        RunForecast({2, 6}, 1).GetEstimate({MakeRun("a", 1, 4), MakeRun("b", 0, 0)});
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(estimate->secondsLeft, 12);
    EXPECT_DOUBLE_EQ(estimate->share, 4.0 / 16);
}

TEST(RunForecast, ProcessesShareTheWorkButNotTheLongestRun)
{
    const std::vector<SideBySide::Outcome> runs{MakeRun("a", 0.5, 4),
                                                MakeRun("b", 0, 0),
                                                MakeRun("c", 0, 0)};
    // 4 s, 8 s and 8 s are left: 20 s of work on two cores, but 8 s at least on any number
    EXPECT_DOUBLE_EQ(RunForecast({1, 1, 1}, 2).GetEstimate(runs)->secondsLeft, 10);
    EXPECT_DOUBLE_EQ(RunForecast({1, 1, 1}, 16).GetEstimate(runs)->secondsLeft, 8);
}

TEST(RunForecast, TheDescriptionHasTheRunsThatAreUnderWay)
{
    EXPECT_EQ(RunForecast::Describe(
                  {MakeRun("a", 1, 4), MakeRun("b 25ms", 0.404, 1), MakeRun("c", 0, 0)}),
              "1 of 3 runs, b 25ms 40 %");
}
