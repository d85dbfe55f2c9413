/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Computations of a rank. Each case is a process of its own: ns-3's resolution and simulator are
// the process's.

#include "ns3/picosecond-resolution.h"
#include "ns3/rank-computations.h"
#include "ns3/simulator.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/** The end of a computation: its operation, its begin and its end. */
using End = std::tuple<uint32_t, Time, Time>;

/** Runs computations in a process, and expects their ends, and the time of the last event. */
void
ExpectEnds(const std::function<void(RankComputations&)>& prepare,
           const std::function<std::vector<End>()>& makeEnds,
           Picoseconds last)
{
    EXPECT_EXIT(
        {
            UsePicoseconds();
            std::vector<End> ends;
            RankComputations computations([&ends](uint32_t operation, Time start) {
                ends.emplace_back(operation, start, Simulator::Now());
            });
            prepare(computations);
            Simulator::Run();
            const bool good = ends == makeEnds() && Simulator::Now() == ToTime(last);
            Simulator::Destroy();
            std::_Exit(good && !computations.IsAny() ? 0 : 1);
        },
        testing::ExitedWithCode(0),
        "");
}

} // namespace

TEST(RankComputationsDeathTest, ThoseOfSeveralStreamsDoNotSlowEachOtherDown)
{
    ExpectEnds(
        [](RankComputations& computations) {
            computations.Begin(4, ToTime(100));
            Simulator::Schedule(ToTime(30),
                                &RankComputations::Begin,
                                &computations,
                                5U,
                                ToTime(50));
        },
        [] {
            return std::vector<End>{{5, ToTime(30), ToTime(30 + 50)}, {4, ToTime(0), ToTime(100)}};
        },
        100);
}

TEST(RankComputationsDeathTest, NoneEndsAfterTheyAreStopped)
{
    ExpectEnds(
        [](RankComputations& computations) {
            computations.Begin(0, ToTime(10));
            computations.Begin(1, ToTime(1'000));
            Simulator::Schedule(ToTime(20), &RankComputations::Stop, &computations);
        },
        [] {
            return std::vector<End>{{0, ToTime(0), ToTime(10)}};
        },
        20);
}
