/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The prediction of a rank's calls.

#include "ns3/call-profile.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

CallPairs
Join(std::vector<std::pair<uint32_t, uint32_t>> pairs)
{
    std::vector<std::pair<RankId, RankId>> ranks;
    for (const auto& [one, other] : pairs)
    {
        ranks.emplace_back(one, other);
    }
    return std::make_shared<const std::vector<std::pair<RankId, RankId>>>(ranks);
}

ProfiledCall
Dp(uint64_t operation, uint32_t group = 1)
{
    ProfiledCall call;
    call.phase.group = GroupId(group);
    call.phase.operation = operation;
    call.pairs = Join({{1, 3 + group}});
    call.parallelism = "dp";
    return call;
}

ProfiledCall
Send(uint32_t from, uint32_t to, uint64_t operation)
{
    ProfiledCall call;
    call.phase.group = GroupId(9);
    call.phase.pointToPoint = true;
    call.phase.from = RankId(from);
    call.phase.to = RankId(to);
    call.phase.operation = operation;
    call.pairs = Join({{from, to}});
    call.parallelism = "pp";
    return call;
}

/** A profile of rank 1, with two ports. */
class Profile : public CallProfile
{
  public:
    explicit Profile(uint32_t iterations = 1, uint32_t ports = 2)
        : CallProfile(RankId(1), iterations, ports)
    {
    }

    /** Calls are made and over, one after the other. */
    void Make(const std::vector<ProfiledCall>& calls)
    {
        for (const ProfiledCall& call : calls)
        {
            Called(call);
            Finish(call.phase);
        }
    }
};

/** An iteration of rank 1 between ranks 0 and 2: two micro-batches pass by, then two buckets. */
std::vector<ProfiledCall>
Iteration(uint64_t number)
{
    const uint64_t n = 2 * number;
    return {Send(0, 1, n), Send(1, 2, n), Send(0, 1, n + 1), Send(1, 2, n + 1), Dp(n), Dp(n + 1)};
}

} // namespace

TEST(OpusProfile, WithoutMarkersNothingIsForeseen)
{
    Profile profile;
    for (uint64_t i = 0; i < 5; ++i)
    {
        for (const ProfiledCall& call : Iteration(i))
        {
            const CallForecast forecast = profile.Called(call);
            EXPECT_FALSE(forecast.hit || forecast.misprediction);
            EXPECT_EQ(forecast.until, call.phase.operation);
            EXPECT_EQ(forecast.run, 0U);
            EXPECT_TRUE(profile.Finish(call.phase).empty());
        }
    }
    EXPECT_FALSE(profile.End());
}

TEST(OpusProfile, ARunReachesToTheLastOperationOfItsParallelism)
{
    for (const uint32_t iterations : {1U, 3U})
    {
        Profile profile(iterations);
        for (uint64_t i = 0; i < iterations; ++i)
        {
            EXPECT_FALSE(profile.BeginIteration());
            EXPECT_FALSE(profile.IsPredicting());
            profile.Make(Iteration(i));
        }
        for (uint64_t i = iterations; i < iterations + 2; ++i)
        {
            EXPECT_FALSE(profile.BeginIteration());
            EXPECT_TRUE(profile.IsPredicting());
            std::set<uint64_t> runs;
            for (const ProfiledCall& call : Iteration(i))
            {
                const CallForecast forecast = profile.Called(call);
                EXPECT_TRUE(forecast.hit);
                EXPECT_EQ(forecast.until, 2 * i + 1); // of two in a row, the second
                EXPECT_NE(forecast.run, 0U);
                runs.insert(forecast.run);
            }
            EXPECT_EQ(runs.size(), 2U);
        }
    }
}

TEST(OpusProfile, ARunThatIsOverForetellsTheNext)
{
    Profile profile;
    profile.BeginIteration();
    EXPECT_TRUE(profile.ForeseeFirst().empty());
    profile.Make(Iteration(0));
    profile.BeginIteration();
    const std::vector<ForeseenCall> first = profile.ForeseeFirst();
    ASSERT_EQ(first.size(), 2U); // the first of each flow
    EXPECT_TRUE(first[0].call.phase == Send(0, 1, 2).phase);
    EXPECT_TRUE(first[1].call.phase == Send(1, 2, 2).phase);
    EXPECT_EQ(first[1].until, 3U);
    const std::vector<ProfiledCall> calls = Iteration(1);
    for (std::size_t i = 0; i < calls.size(); ++i)
    {
        EXPECT_EQ(profile.Called(calls[i]).run, i < 4 ? first[0].run : first[0].run + 1);
        const std::vector<ForeseenCall> next = profile.Finish(calls[i].phase);
        if (i == 3)
        {
            ASSERT_EQ(next.size(), 1U);
            EXPECT_TRUE(next[0].call.phase == Dp(2).phase);
            EXPECT_EQ(next[0].until, 3U);
        }
        else if (i == 5) // across the end of the iteration
        {
            ASSERT_EQ(next.size(), 2U);
            EXPECT_TRUE(next[0].call.phase == Send(0, 1, 4).phase);
            EXPECT_TRUE(next[1].call.phase == Send(1, 2, 4).phase);
            EXPECT_EQ(next[0].until, 5U);
            profile.BeginIteration();
            EXPECT_EQ(profile.Called(Send(0, 1, 4)).run, next[0].run);
        }
        else
        {
            EXPECT_TRUE(next.empty());
        }
    }
}

TEST(OpusProfile, ARunIsOverWhenAllOfItIsInWhateverOrder)
{
    Profile profile;
    profile.BeginIteration();
    profile.Make(Iteration(0));
    profile.BeginIteration();
    const std::vector<ProfiledCall> calls = Iteration(1);
    for (const std::size_t i : {1, 0, 3, 4, 2}) // streams overtake each other
    {
        EXPECT_TRUE(profile.Called(calls[i]).hit);
    }
    for (const std::size_t i : {2, 1, 3})
    {
        EXPECT_TRUE(profile.Finish(calls[i].phase).empty());
    }
    // dp has been called already
    EXPECT_TRUE(profile.Finish(calls[0].phase).empty());
    EXPECT_TRUE(profile.IsPredicting());
}

TEST(OpusProfile, ACallOfTheRunAfterTheNextIsAMisprediction)
{
    Profile profile;
    const auto iteration = [](uint64_t n) {
        ProfiledCall last = Dp(n, 2);
        last.parallelism = "tp";
        return std::vector<ProfiledCall>{Dp(n), Send(0, 1, n), last};
    };
    profile.BeginIteration();
    profile.Make(iteration(0));
    profile.BeginIteration();
    const CallForecast forecast = profile.Called(iteration(1)[2]);
    EXPECT_TRUE(forecast.misprediction);
    EXPECT_FALSE(forecast.hit);
}

TEST(OpusProfile, AMispredictionEndsPredictionUntilTheNextIterationWhichFollowsTheNewOne)
{
    Profile profile;
    profile.BeginIteration();
    profile.Make(Iteration(0));
    profile.BeginIteration();
    EXPECT_TRUE(profile.Called(Dp(2)).misprediction == false); // dp is in the next run
    EXPECT_TRUE(profile.Called(Dp(3)).hit);
    EXPECT_TRUE(profile.Called(Dp(4)).misprediction); // one too many
    EXPECT_FALSE(profile.IsPredicting());
    const CallForecast later = profile.Called(Send(0, 1, 2));
    EXPECT_FALSE(later.hit || later.misprediction); // reported once
    EXPECT_EQ(later.until, 2U);
    EXPECT_FALSE(profile.BeginIteration()); // and not again
    EXPECT_TRUE(profile.IsPredicting());
    const CallForecast forecast = profile.Called(Dp(5));
    EXPECT_TRUE(forecast.hit);
    EXPECT_EQ(forecast.until, 7U); // three in a row, as in the new profile
}

TEST(OpusProfile, AnIterationThatEndsEarlyIsAMispredictionToo)
{
    Profile profile;
    profile.BeginIteration();
    profile.Make(Iteration(0));
    profile.BeginIteration();
    profile.Make({Send(0, 1, 2), Send(1, 2, 2)});
    EXPECT_TRUE(profile.BeginIteration());
    EXPECT_EQ(profile.Called(Send(0, 1, 3)).until,
              4U); // one of each, again and again, by the present profile
    EXPECT_TRUE(profile.End());
    Profile whole;
    whole.BeginIteration();
    whole.Make(Iteration(0));
    whole.BeginIteration();
    whole.Make(Iteration(1));
    whole.BeginIteration();
    EXPECT_FALSE(whole.End()); // none has begun
}

TEST(OpusProfile, OtherPairsStagesOrParallelismsAreMispredictions)
{
    for (int what = 0; what < 4; ++what)
    {
        Profile profile;
        profile.BeginIteration();
        profile.Make({Dp(0), Dp(1)});
        profile.BeginIteration();
        ProfiledCall call = Dp(2);
        call.pairs = what == 1 ? Join({{1, 7}}) : call.pairs;
        call.stages = what == 2 ? 2 : call.stages;
        call.parallelism = what == 3 ? "ep" : call.parallelism;
        EXPECT_EQ(profile.Called(call).misprediction, what != 0) << what;
    }
}

TEST(OpusProfile, WhatDoesNotFitBetweenEndsARange)
{
    // of two groups in turn each takes all ports; so does each stage, and other pairs
    ProfiledCall other = Dp(2);
    other.pairs = Join({{1, 8}});
    ProfiledCall staged = Dp(3);
    staged.stages = 2;
    ProfiledCall second = staged;
    second.phase.stage = 1;
    std::vector<ProfiledCall> iteration{Dp(0), Dp(0, 2), Dp(1), other, staged, second, Dp(4)};
    ProfiledCall last = Dp(0, 3);
    last.parallelism = "ep";
    iteration.push_back(last);
    Profile profile;
    profile.BeginIteration();
    profile.Make(iteration);
    profile.BeginIteration();
    for (ProfiledCall call : iteration)
    {
        call.phase.operation += call.phase.group == GroupId(1) ? 5 : 1;
        const CallForecast forecast = profile.Called(call);
        EXPECT_TRUE(forecast.hit);
        EXPECT_EQ(forecast.until, call.phase.operation);
    }
    // nor are both requested in advance
    profile.BeginIteration();
    EXPECT_EQ(profile.ForeseeFirst().size(), 1U);
}

TEST(OpusProfile, SendsShareThePortsThereAre)
{
    for (const uint32_t ports : {1U, 2U, 5U})
    {
        Profile profile(1, ports);
        profile.BeginIteration();
        EXPECT_EQ(profile.GetLinks(GroupId(9)), ports); // no rank to share with is known
        profile.Make(Iteration(0));
        EXPECT_EQ(profile.GetLinks(GroupId(9)), std::max(1U, ports / 2));
        profile.BeginIteration();
        // with one port, circuits to both sides take turns
        EXPECT_EQ(profile.Called(Send(0, 1, 2)).until, ports == 1 ? 2U : 3U);
    }
}

TEST(OpusProfile, ARangeEndsWithItsRunAndBeforeAnOperationOfSeveralStages)
{
    ProfiledCall other = Dp(0, 2); // with the same pairs, but of another parallelism
    other.pairs = Dp(0).pairs;
    other.parallelism = "ep";
    ProfiledCall staged = Dp(2);
    staged.stages = 2;
    Profile profile;
    profile.BeginIteration();
    profile.Make({Dp(0), other, Dp(1), staged});
    profile.BeginIteration();
    EXPECT_EQ(profile.Called(Dp(3)).until, 3U);
    other.phase.operation = 1;
    EXPECT_TRUE(profile.Called(other).hit);
    EXPECT_EQ(profile.Called(Dp(4)).until, 4U);
}

TEST(OpusProfile, SendsBothWaysShareCircuits)
{
    Profile profile(1, 1);
    profile.BeginIteration();
    profile.Make({Send(0, 1, 0), Send(1, 0, 0), Send(1, 2, 0), Send(0, 1, 1), Send(1, 0, 1)});
    profile.BeginIteration();
    EXPECT_EQ(profile.Called(Send(0, 1, 2)).until,
              2U); // with one port, there is one to rank 2 between
    Profile alone(1, 1);
    alone.BeginIteration();
    alone.Make({Send(0, 1, 0), Send(1, 0, 0), Send(0, 1, 1), Send(1, 0, 1), Send(1, 2, 0)});
    alone.BeginIteration();
    EXPECT_EQ(alone.Called(Send(0, 1, 2)).until, 3U);
}

TEST(OpusProfile, ARunGoesOnWhereTheNextIterationBeginsLikeThisOneEnds)
{
    // gathered, passed on, scattered: the pairs of the last are those of the first
    const auto iteration = [](uint64_t n) {
        return std::vector<ProfiledCall>{Dp(4 * n),
                                         Dp(4 * n + 1),
                                         Send(0, 1, n),
                                         Dp(4 * n + 2),
                                         Dp(4 * n + 3)};
    };
    Profile profile;
    profile.BeginIteration();
    profile.Make(iteration(0));
    profile.BeginIteration();
    uint64_t last = 0;
    for (uint64_t n = 1; n < 4; ++n)
    {
        const std::vector<ProfiledCall> calls = iteration(n);
        std::vector<uint64_t> runs;
        for (std::size_t i = 0; i < calls.size(); ++i)
        {
            const CallForecast forecast = profile.Called(calls[i]);
            EXPECT_TRUE(forecast.hit);
            runs.push_back(forecast.run);
            const uint64_t end = i < 2 ? 4 * n + 1 : i == 2 ? n : 4 * n + 5;
            EXPECT_EQ(forecast.until, end) << n << " " << i;
            const std::vector<ForeseenCall> next = profile.Finish(calls[i].phase);
            ASSERT_EQ(next.size(), i == 0 || i == 3 ? 0U : 1U);
            if (i == 4) // it is of the same run, and a rank that holds the circuits need not
                        // request them
            {
                EXPECT_TRUE(next[0].call.phase == Dp(4 * n + 4).phase);
                EXPECT_EQ(next[0].until, 4 * n + 5);
                EXPECT_EQ(next[0].run, forecast.run);
            }
        }
        EXPECT_EQ(runs[0], runs[1]);
        EXPECT_EQ(runs[3], runs[4]);
        EXPECT_TRUE(runs[0] < runs[2] && runs[2] < runs[3]);
        EXPECT_TRUE(n == 1 || runs[0] == last) << "the same as at the end of the one before";
        last = runs[4];
        EXPECT_FALSE(profile.BeginIteration());
    }
    EXPECT_FALSE(profile.End());
}

TEST(OpusProfile, AnIterationOfOneParallelismReachesToTheEndOfTheNext)
{
    Profile profile;
    profile.BeginIteration();
    profile.Make({Dp(0), Dp(1), Dp(2)});
    std::set<uint64_t> runs;
    for (uint64_t n = 1; n < 4; ++n)
    {
        EXPECT_FALSE(profile.BeginIteration());
        for (uint64_t i = 0; i < 3; ++i)
        {
            const CallForecast forecast = profile.Called(Dp(3 * n + i));
            EXPECT_EQ(forecast.until, 3 * n + 5);
            runs.insert(forecast.run);
            profile.Finish(Dp(3 * n + i).phase);
        }
    }
    EXPECT_EQ(runs.size(), 1U) << "it never ends";
}

TEST(OpusProfile, ARunDoesNotGoOnBeyondWhatDoesNotFit)
{
    // what the iteration begins or ends with, around pp and with Dp(0) and Dp(1) at the ends
    ProfiledCall apart = Dp(1);
    apart.pairs = Join({{1, 8}});
    ProfiledCall staged = Dp(1);
    staged.stages = 2;
    ProfiledCall other = Dp(1);
    other.parallelism = "ep";
    const std::vector<std::vector<ProfiledCall>> iterations{
        {Dp(0), Send(0, 1, 0), Dp(1)},
        {Dp(0, 2), Dp(0), Send(0, 1, 0), Dp(1)},
        {Dp(0), Send(0, 1, 0), Dp(1), Dp(0, 2)},
        {Dp(0), Send(0, 1, 0), apart},
        {Dp(0), Send(0, 1, 0), staged},
        {Dp(0), Send(0, 1, 0), other},
    };
    for (std::size_t which = 0; which < iterations.size(); ++which)
    {
        Profile profile;
        profile.BeginIteration();
        profile.Make(iterations[which]);
        profile.BeginIteration();
        for (ProfiledCall call : iterations[which])
        {
            call.phase.operation += call.phase.group == GroupId(1) ? 2 : 1;
            const CallForecast forecast = profile.Called(call);
            EXPECT_TRUE(forecast.hit);
            const bool goesOn = which == 0 && call.phase.operation == 3;
            EXPECT_EQ(forecast.until, call.phase.operation + (goesOn ? 1 : 0)) << which;
        }
    }
}

TEST(OpusProfile, ARunThatGoesOnEndsWithTheFirstRunOfTheIteration)
{
    // of group 2 there is nothing before another parallelism, which has the same pairs
    const auto iteration = [](uint64_t n) {
        std::vector<ProfiledCall> calls{Dp(n), Dp(n, 3), Dp(n, 2)};
        calls[1].parallelism = "ep";
        calls[1].pairs = calls[0].pairs;
        calls[2].pairs = calls[0].pairs;
        return calls;
    };
    Profile profile;
    profile.BeginIteration();
    profile.Make(iteration(0));
    profile.BeginIteration();
    for (const ProfiledCall& call : iteration(1))
    {
        EXPECT_EQ(profile.Called(call).until, 1U);
    }
}

TEST(OpusProfile, ARangeEndsBeforeAnOperationThatOthersHaveAmongThemselves)
{
    Profile profile;
    profile.BeginIteration();
    profile.Make({Dp(0), Dp(2), Dp(3), Send(0, 1, 0)}); // the rank takes no part in 1
    profile.BeginIteration();
    EXPECT_EQ(profile.Called(Dp(4)).until, 4U);
    EXPECT_EQ(profile.Called(Dp(6)).until, 7U);
}

TEST(OpusProfile, AnotherProfileIsAnotherRun)
{
    Profile profile;
    profile.BeginIteration();
    profile.Make({Dp(0)});
    profile.BeginIteration();
    const uint64_t run = profile.Called(Dp(1)).run;
    EXPECT_TRUE(profile.Called(Dp(2)).misprediction);
    profile.BeginIteration();
    EXPECT_NE(profile.Called(Dp(3)).run, run);
}

TEST(OpusProfileDeathTest, LimitsAreNamed)
{
    EXPECT_DEATH(CallProfile(RankId(3), 0, 2), "record 1 or more");
    EXPECT_DEATH(CallProfile(RankId(3), 1, 0), "rank 3 has 0 ports");
}

TEST(OpusProfile, CallsThatWereThoseOfTheProfileAreAmongTheNextOne)
{
    // a profile does not record again what it has, unless the iteration turns out to be another
    const auto dpFirst = [](uint64_t number) {
        std::vector<ProfiledCall> calls = Iteration(number);
        std::rotate(calls.begin() + 2, calls.end() - 1, calls.end()); // a bucket overtakes
        return calls;
    };
    for (const bool isAlike : {false, true})
    {
        Profile profile;
        profile.BeginIteration();
        profile.Make(isAlike ? dpFirst(0) : Iteration(0));
        EXPECT_FALSE(profile.BeginIteration());
        profile.Make(dpFirst(1)); // the first two calls are alike in any case
        profile.BeginIteration();
        for (const ProfiledCall& call : dpFirst(2))
        {
            EXPECT_TRUE(profile.Called(call).hit) << "alike " << isAlike;
            profile.Finish(call.phase);
        }
        EXPECT_TRUE(profile.IsPredicting());
        EXPECT_EQ(profile.Describe().substr(0, 28), "rank 1: 2 whole iterations, ");
    }
}

TEST(OpusProfile, TheNextProfileHasTheBytesOfItsIteration)
{
    Profile profile;
    uint64_t bytes = 100;
    for (uint64_t i = 0; i < 4; ++i)
    {
        profile.BeginIteration();
        // from the third iteration on the second call has other bytes, and the end comes early
        std::vector<ProfiledCall> calls = Iteration(i);
        calls.resize(i < 2 ? 6 : 5);
        calls[1].bytes = i < 2 ? bytes : 2 * bytes;
        profile.Make(calls);
    }
    profile.BeginIteration();
    for (const ForeseenCall& next : profile.ForeseeFirst())
    {
        EXPECT_EQ(next.call.bytes, next.call.phase.from == RankId(1) ? 2 * bytes : 0);
    }
}
