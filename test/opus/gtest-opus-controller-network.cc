/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CircuitGranularity::NETWORK: all rails are reconfigured as one, when none of them has traffic.

#include "opus-controller-bench.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

ControllerSettings
SettingsOfNetwork(Picoseconds gather = 0)
{
    ControllerSettings settings;
    settings.granularity = CircuitGranularity::NETWORK;
    settings.gather = gather;
    return settings;
}

/** Both servers are through with a phase. @return the messages that follow */
Bench::Outbox
EndBoth(Bench& bench, uint32_t one, uint32_t other, const OpusPhase& phase)
{
    const auto pairs = bench.Between(one, other);
    Bench::Outbox outbox = bench.Release(one, phase, pairs);
    const Bench::Outbox more = bench.Release(other, phase, pairs);
    outbox.insert(outbox.end(), more.begin(), more.end());
    return outbox;
}

} // namespace

TEST(OpusControllerNetwork, ItIsReconfiguredOnlyWithoutTraffic)
{
    Bench bench(7, 2, 1, SettingsOfNetwork()); // two rails
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1))), GRANT), 2);
    // other servers: with the granularity of groups they would have their circuits at once
    const auto outbox = bench.RequestBoth(2, 3, Bench::Send(2, 3));
    EXPECT_EQ(Bench::Count(outbox, PROGRAM), 0);
    EXPECT_EQ(Bench::Select<OpusRecall>(outbox).size(), 2)
        << "servers 0 and 1 have no report of the wait";
    const auto programs = EndBoth(bench, 0, 1, Bench::Send(0, 1));
    EXPECT_EQ(Bench::Count(programs, PROGRAM), 2) << "one for each rail";
    EXPECT_EQ(Bench::Count(bench.AnswerAll(programs), GRANT), 2);
}

TEST(OpusControllerNetwork, NoPhaseIsGrantedWhileItIsReconfigured)
{
    Bench bench(7, 1, 1, SettingsOfNetwork());
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    EndBoth(bench, 0, 1, Bench::Send(0, 1));
    const auto programs = bench.RequestBoth(2, 3, Bench::Send(2, 3));
    ASSERT_EQ(Bench::Count(programs, PROGRAM), 1);
    // the circuit of 0 and 1 stands, and waits for the end of the reconfiguration
    EXPECT_TRUE(bench.RequestBoth(0, 1, Bench::Send(0, 1, 1)).empty());
    EXPECT_EQ(Bench::Count(bench.Answer(programs.at(0).message), GRANT), 4);
}

TEST(OpusControllerNetwork, ItDrainsForAPhaseThatWaits)
{
    Bench bench(7, 1, 1, SettingsOfNetwork());
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(1, 0)), GRANT), 2)
        << "the circuit stands, and no phase waits for a change";
    bench.RequestBoth(2, 3, Bench::Send(2, 3));
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(0, 1, 1)), GRANT), 0)
        << "from now on none is granted before the network is reconfigured";
    EXPECT_EQ(Bench::Count(EndBoth(bench, 0, 1, Bench::Send(0, 1)), PROGRAM), 0);
    const auto programs = EndBoth(bench, 0, 1, Bench::Send(1, 0));
    ASSERT_EQ(Bench::Count(programs, PROGRAM), 1) << "the last traffic has ended";
    EXPECT_EQ(Bench::Count(bench.AnswerAll(programs), GRANT), 4) << "both phases";
}

TEST(OpusControllerNetwork, AGuessDrainsNothing)
{
    Bench bench(7, 1, 1, SettingsOfNetwork());
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    const auto pairs = bench.Between(2, 3);
    bench.Request(2, Bench::Send(2, 3), pairs, true);
    EXPECT_TRUE(bench.Request(3, Bench::Send(2, 3), pairs, true).empty()) << "there is traffic";
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(1, 0)), GRANT), 2);
    EndBoth(bench, 0, 1, Bench::Send(0, 1));
    EXPECT_EQ(Bench::Count(EndBoth(bench, 0, 1, Bench::Send(1, 0)), PROGRAM), 1)
        << "it is prepared when the network has no traffic";
}

TEST(OpusControllerNetwork, APhaseThatARankGaveBackUnusedEndsForAWaitAtOtherRanks)
{
    ControllerSettings settings = SettingsOfNetwork();
    settings.speculation = SpeculationRule::GRANT;
    Bench bench(7, 1, 1, settings);
    const auto pairs = bench.Between(0, 1);
    bench.Request(0, Bench::Send(0, 1), pairs);
    EXPECT_EQ(
        Bench::Count(bench.AnswerAll(bench.Request(1, Bench::Send(0, 1), pairs, true)), GRANT),
        2);
    EXPECT_EQ(Bench::Count(bench.RequestBoth(2, 3, Bench::Send(2, 3)), PROGRAM), 0);
    // server 1 has not called it; server 0 has, and would wait for it for ever
    const auto recalls =
        Bench::Select<OpusRecall>(bench.Release(1, Bench::Send(0, 1), pairs, true));
    ASSERT_EQ(recalls.size(), 1U);
    EXPECT_TRUE(recalls[0].isWhole);
    EXPECT_EQ(Bench::Count(bench.Release(0, Bench::Send(0, 1), pairs, true), PROGRAM), 1);
}

TEST(OpusControllerNetwork, PhasesThatGatherShareAReconfiguration)
{
    constexpr Picoseconds GATHER = 1'000'000;
    for (const bool gathers : {false, true})
    {
        Bench bench(7, 1, 1, SettingsOfNetwork(gathers ? GATHER : 0));
        Bench::Outbox outbox = bench.RequestBoth(0, 1, Bench::Send(0, 1));
        EXPECT_EQ(Bench::Count(outbox, PROGRAM), gathers ? 0 : 1);
        bench.now += GATHER / 2;
        EXPECT_EQ(Bench::Count(bench.RequestBoth(2, 3, Bench::Send(2, 3)), PROGRAM), 0);
        if (gathers)
        {
            EXPECT_EQ(bench.Core().GetNextDeadline(), GATHER) << "from the first of them";
            bench.now = GATHER;
            outbox = bench.Core().TimePassed(bench.now);
        }
        const auto programs = Bench::Select<OpusProgram>(outbox);
        ASSERT_EQ(programs.size(), 1);
        EXPECT_EQ(programs[0].up.size(), gathers ? 2 : 1) << "circuits";
        EXPECT_EQ(bench.Core().GetCounters().programs, 1);
        EXPECT_EQ(Bench::Count(bench.Answer(outbox.at(0).message), GRANT), gathers ? 4 : 2);
    }
}

TEST(OpusControllerNetwork, PhasesThatNeedOnePortTakeOneReconfigurationEach)
{
    // 0 and 1, then 1 and 2, by one port each
    Bench bench(7, 1, 1, SettingsOfNetwork(1'000'000));
    bench.RequestBoth(0, 1, Bench::Send(0, 1));
    bench.RequestBoth(1, 2, Bench::Send(1, 2));
    bench.now = 1'000'000;
    const auto first = bench.Core().TimePassed(bench.now);
    ASSERT_EQ(Bench::Count(first, PROGRAM), 1);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(first), GRANT), 2);
    Bench::Outbox second = EndBoth(bench, 0, 1, Bench::Send(0, 1));
    if (Bench::Count(second, PROGRAM) == 0)
    {
        bench.now = bench.Core().GetNextDeadline();
        second = bench.Core().TimePassed(bench.now);
    }
    ASSERT_EQ(Bench::Count(second, PROGRAM), 1);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(second), GRANT), 2);
}

TEST(OpusControllerNetwork, CircuitsThatStayKnowNoNetwork)
{
    ControllerSettings settings = SettingsOfNetwork();
    settings.policy = MakePolicyFactory("one-shot");
    Bench bench(6, 1, 1, settings);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1))), GRANT), 2);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(2, 3, Bench::Send(2, 3))), GRANT), 2);
}
