/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/call-comparison.h"
#include "ns3/lateness-estimator.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/straggler-costs.h"
#include "ns3/straggler-plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

using namespace ns3;

namespace
{

/** @return the calls of an operation, of ranks from 0 on */
std::vector<RankCall>
MakeCalls(uint64_t operation, uint32_t slot, const std::vector<Picoseconds>& instants)
{
    std::vector<RankCall> calls;
    for (uint32_t rank = 0; rank < instants.size(); ++rank)
    {
        calls.push_back({RankId(rank),
                         static_cast<uint32_t>(instants.size()),
                         operation,
                         slot,
                         instants[rank]});
    }
    return calls;
}

/** @return the sample that the last of some calls gives; none of the others may give one */
std::optional<LatenessSample>
TakeAll(CallComparison& comparison, const std::vector<RankCall>& calls)
{
    std::optional<LatenessSample> sample;
    for (const RankCall& call : calls)
    {
        EXPECT_FALSE(sample) << "before the last call";
        sample = comparison.Take(call);
    }
    return sample;
}

/** @return what is expected when all samples of a slot are known */
std::optional<LatenessSample>
Expect(uint32_t window, const std::vector<LatenessSample>& samples)
{
    LatenessEstimator estimator(window);
    for (const LatenessSample& sample : samples)
    {
        estimator.Add(0, sample, 1);
    }
    return estimator.Get(0, 2);
}

LatenessSample
Late(uint32_t rank, Picoseconds lateness)
{
    return {RankId(rank), lateness};
}

} // namespace

TEST(CallComparison, TheLastRankIsAsLateAsTheLastButOneIsEarlier)
{
    std::vector<RankCall> calls = MakeCalls(4, 0, {100, 900, 250, 100});
    std::sort(calls.begin(), calls.end(), [](const RankCall& one, const RankCall& other) {
        return one.rank < other.rank;
    });
    do // in whatever order the reports come
    {
        CallComparison comparison;
        EXPECT_EQ(TakeAll(comparison, calls), Late(1, 900 - 250));
    } while (std::next_permutation(
        calls.begin(),
        calls.end(),
        [](const RankCall& one, const RankCall& other) { return one.rank < other.rank; }));
}

TEST(CallComparison, OfTwoThatAreLastAtOnceNoneIsLate)
{
    CallComparison comparison;
    const auto sample = TakeAll(comparison, MakeCalls(0, 0, {5, 900, 900}));
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->lateness, 0);
}

TEST(CallComparison, SlotsAndOperationsAreApart)
{
    CallComparison comparison;
    const auto first = MakeCalls(0, 0, {10, 30});
    const auto second = MakeCalls(1, 1, {50, 40});
    EXPECT_FALSE(comparison.Take(first[0]));
    EXPECT_FALSE(comparison.Take(second[1]));
    EXPECT_EQ(comparison.Take(second[0]), Late(0, 10));
    EXPECT_EQ(comparison.Take(first[1]), Late(1, 20));
    EXPECT_FALSE(comparison.Take(first[1])) << "a report that comes twice";
}

TEST(CallComparison, AnOperationThatNotAllReportIsDropped)
{
    CallComparison comparison;
    const auto lost = MakeCalls(2, 0, {10, 500, 20});
    EXPECT_FALSE(comparison.Take(lost[0]));
    EXPECT_FALSE(comparison.Take(lost[2]));
    const auto next = MakeCalls(8, 0, {1010, 1020, 1500});
    EXPECT_FALSE(comparison.Take(next[0]));
    EXPECT_FALSE(comparison.Take(lost[1])) << "comes after a call of the next";
    EXPECT_FALSE(comparison.Take(next[1]));
    EXPECT_EQ(comparison.Take(next[2]), Late(2, 480));
}

TEST(LatenessEstimator, ExpectsTheMedianOfTheLastSamples)
{
    EXPECT_FALSE(Expect(3, {}));
    EXPECT_EQ(Expect(3, {Late(2, 70)}), Late(2, 70));
    EXPECT_EQ(Expect(3, {Late(2, 70), Late(2, 50)}), Late(2, 50)) << "the lower one of two";
    EXPECT_EQ(Expect(3, {Late(2, 70), Late(2, 50), Late(2, 60)}), Late(2, 60));
    EXPECT_EQ(Expect(3, {Late(2, 90), Late(2, 70), Late(2, 50), Late(2, 60)}), Late(2, 60))
        << "the oldest does not count";
}

TEST(LatenessEstimator, IgnoresARankThatIsLateOnce)
{
    EXPECT_EQ(Expect(3, {Late(2, 70), Late(5, 1000), Late(2, 60)}), Late(2, 60));
    EXPECT_FALSE(Expect(3, {Late(1, 70), Late(2, 70), Late(3, 70)})) << "another one each time";
    EXPECT_FALSE(Expect(3, {Late(1, 0), Late(1, 0), Late(1, 70)}));
}

TEST(LatenessEstimator, ForgetsAStragglerThatRecovers)
{
    std::vector<LatenessSample> samples(5, Late(2, 70));
    samples.insert(samples.end(), 2, Late(2, 0));
    EXPECT_TRUE(Expect(5, samples));
    samples.push_back(Late(2, 0));
    EXPECT_FALSE(Expect(5, samples));
    samples.insert(samples.end(), 3, Late(4, 30));
    EXPECT_EQ(Expect(5, samples), Late(4, 30)) << "another one takes its place";
}

TEST(LatenessEstimator, DoesNotKnowASampleOfTheSameInstant)
{
    LatenessEstimator estimator(3);
    estimator.Add(7, Late(2, 70), 1000);
    EXPECT_FALSE(estimator.Get(7, 1000));
    EXPECT_EQ(estimator.Get(7, 1001), Late(2, 70));
    EXPECT_FALSE(estimator.Get(6, 1001)) << "of another slot";
    estimator.Add(7, Late(2, 50), 2000);
    estimator.Add(7, Late(2, 10), 2000);
    EXPECT_EQ(estimator.Get(7, 2000), Late(2, 70)) << "whichever event of 2000 comes first";
}

TEST(StragglerCosts, AreTheClosedForms)
{
    UsePicoseconds();
    // 8 ranks of 1 GB/s reduce 56 MB: parts of 7 MB for a ring, of 8 MB for StragglAR
    const StragglerCosts costs =
        StragglerCosts::OfFabric(8, 56'000'000, 1'000'000'000, MicroSeconds(10));
    EXPECT_EQ(costs.GetRing(), 14 * (MicroSeconds(10) + MilliSeconds(7)));
    EXPECT_EQ(costs.GetScatter(), 6 * (MicroSeconds(10) + MilliSeconds(8)));
    EXPECT_EQ(costs.GetRounds(), 9 * (MicroSeconds(10) + MilliSeconds(8)));
    EXPECT_EQ(costs.GetStragglAr(Time(0)), costs.GetScatter() + costs.GetRounds());
    EXPECT_EQ(costs.GetStragglAr(Seconds(1)), Seconds(1) + costs.GetRounds());
    // 15 x 8.01 - 14 x 7.01 ms
    EXPECT_EQ(costs.GetCrossover(), MicroSeconds(15 * 8010 - 14 * 7010));
}

TEST(StragglerCosts, BothAreEqualAtTheCrossoverAndStragglArPaysBeyond)
{
    UsePicoseconds();
    for (const uint32_t n : {4U, 8U, 16U, 24U, 64U, 255U})
    {
        const StragglerCosts costs =
            StragglerCosts::OfFabric(n, 1 << 30, 450'000'000'000, MicroSeconds(1));
        const Time crossover = costs.GetCrossover();
        ASSERT_LT(crossover, costs.GetScatter()) << "some of the scatter need not be hidden";
        EXPECT_EQ(costs.GetStragglAr(crossover), crossover + costs.GetRing()) << n;
        EXPECT_LT(costs.GetStragglAr(2 * crossover), 2 * crossover + costs.GetRing()) << n;
        EXPECT_GT(costs.GetStragglAr(crossover - NanoSeconds(1)),
                  crossover - NanoSeconds(1) + costs.GetRing());
    }
}

TEST(StragglerCosts, ItIsSureToPayWhenTheScatterIsHidden)
{
    UsePicoseconds();
    const StragglerCosts costs =
        StragglerCosts::OfFabric(8, 56'000'000, 1'000'000'000, MicroSeconds(10));
    EXPECT_FALSE(costs.IsSureToPay(costs.GetScatter() - NanoSeconds(1)));
    EXPECT_TRUE(costs.IsSureToPay(costs.GetScatter()));
    const StragglerCosts three =
        StragglerCosts::OfFabric(3, 56'000'000, 1'000'000'000, NanoSeconds(10));
    EXPECT_FALSE(three.IsSureToPay(Seconds(1))) << "three rounds of a half, four steps of a third";
}

TEST(StragglerCosts, ReconfigurationsMayTakeAllThatIsGained)
{
    UsePicoseconds();
    StragglerCosts costs = StragglerCosts::OfFabric(8, 1 << 30, 50'000'000'000, MicroSeconds(1));
    costs.changes = costs.rounds;
    costs.scatterChanges = 1;
    // the gain of a late straggler, which 9 reconfigurations take if each is a ninth of it
    const Time gain = costs.GetRing() - costs.GetRounds();
    ASSERT_TRUE(gain.IsStrictlyPositive());
    costs.reconfiguration = PicoSeconds(gain.GetTimeStep() / 9 - 1);
    EXPECT_LT(costs.GetCrossover(), Time::Max());
    costs.reconfiguration = PicoSeconds(gain.GetTimeStep() / 9 + 1);
    EXPECT_EQ(costs.GetCrossover(), Time::Max()) << "however late the straggler is";
}

TEST(StragglerCosts, OfThreeRanksARingIsNeverWorse)
{
    UsePicoseconds();
    // 3 rounds of a half, and 4 steps of a third: 1.5 and 1.33 buffers
    const StragglerCosts costs =
        StragglerCosts::OfFabric(3, 1 << 30, 450'000'000'000, NanoSeconds(10));
    EXPECT_EQ(costs.GetCrossover(), Time::Max());
}

TEST(StragglerCosts, AReduceScatterCannotGain)
{
    UsePicoseconds();
    // Once it has come, the straggler has (n-1) / n of the buffer to send, whatever the others have
    // done: what a ring takes after the last call, and more than none less. An all-gather has it
    // receive as much. What StragglAR gains is that finished chunks go on while others are reduced.
    for (const uint32_t n : {4U, 8U, 16U, 64U})
    {
        // n parts of 1 ms each
        const StragglerCosts costs =
            StragglerCosts::OfFabric(n, n * 1'000'000, 1'000'000'000, Time(0));
        const Time leastOfStraggler = MilliSeconds(n - 1);
        EXPECT_EQ(costs.GetRing(), 2 * leastOfStraggler) << "reduce-scatter, then all-gather";
        EXPECT_GE(costs.GetRounds(), leastOfStraggler);
        EXPECT_LT(costs.GetRounds(), 2 * leastOfStraggler) << "both parts overlap";
    }
}
