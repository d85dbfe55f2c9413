/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ranks with several ports: the ports of a phase while others use or reconfigure the rest, and
// switches that reconfigure as a whole.

#include "opus-controller-bench.h"

#include <gtest/gtest.h>
#include <utility>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** @return links between two servers on rail 0 */
std::size_t
Links(Bench& bench, uint32_t one, uint32_t other)
{
    return FindCircuits({bench.R(one), bench.R(other)},
                        bench.Core().GetLedger().GetCircuits(),
                        bench.GetCabling())
        .size();
}

/** A policy that ignores which ports are in use. */
class Careless : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::Careless").SetParent<CircuitPolicy>().AddConstructor<Careless>();
        return tid;
    }

    CircuitTarget GetTarget(const CircuitQuestion& question) override
    {
        return PlanCircuits({question.phase, question.pairs, 0, question.circuits, IdlePorts()},
                            GetCabling());
    }
};

NS_OBJECT_ENSURE_REGISTERED(Careless);

/** @return settings with it */
ControllerSettings
CarelessSettings()
{
    ControllerSettings settings;
    settings.policy = MakePolicyFactory("ns3::Careless");
    return settings;
}

} // namespace

TEST(OpusControllerPorts, AMiddleRankReconfiguresItsPortsAtTheSameTime)
{
    Bench bench(4, 1, 2);
    const auto previous = bench.RequestBoth(0, 1, Bench::Send(0, 1), 5, 1);
    const auto next = bench.RequestBoth(1, 2, Bench::Send(1, 2), 5, 1);
    ASSERT_EQ(Bench::Count(previous, PROGRAM), 1);
    ASSERT_EQ(Bench::Count(next, PROGRAM), 1) << "its other port turns";
    EXPECT_EQ(previous[0].message.Get<OpusProgram>().up.size(), 1);
    EXPECT_EQ(Bench::Count(bench.Answer(next[0].message), GRANT), 2);
    EXPECT_EQ(Bench::Count(bench.Answer(previous[0].message), GRANT), 2);
    EXPECT_EQ(bench.Core().GetPhases().size(), 2) << "and it holds both";
    EXPECT_EQ(Links(bench, 0, 1), 1);
    EXPECT_EQ(Links(bench, 1, 2), 1);
}

TEST(OpusControllerPorts, AMiddleRankGetsTheNextWhileThePreviousIsInFlight)
{
    Bench bench(4, 1, 2);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1), 5, 1));
    EXPECT_EQ(
        Bench::Count(bench.AnswerAll(bench.RequestBoth(1, 2, Bench::Send(1, 2), 5, 1)), GRANT),
        2);
    // a third neighbour has to wait for a port, which is no refusal
    EXPECT_TRUE(bench.RequestBoth(0, 2, Bench::Send(0, 2), 5, 2).empty());
    EXPECT_EQ(bench.Core().GetCounters().refusals, 0);
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    EXPECT_TRUE(bench.Release(1, Bench::Send(0, 1), bench.Between(0, 1)).empty())
        << "it wants two links, and 2 has one port";
    bench.Release(1, Bench::Send(1, 2), bench.Between(1, 2));
    EXPECT_EQ(Bench::Count(bench.Release(2, Bench::Send(1, 2), bench.Between(1, 2)), PROGRAM), 1);
}

TEST(OpusControllerPorts, LinksAreTheFewestThatAnyRankGives)
{
    const auto links = [](uint32_t one, uint32_t other) {
        Bench bench(3, 1, 4);
        bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1), false, 0, 0, one);
        bench.AnswerAll(
            bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1), false, 0, 0, other));
        return Links(bench, 0, 1);
    };
    EXPECT_EQ(links(0, 0), 4);
    EXPECT_EQ(links(0, 3), 3);
    EXPECT_EQ(links(2, 0), 2);
    EXPECT_EQ(links(2, 3), 2);
    EXPECT_EQ(links(9, 9), 4);
}

TEST(OpusControllerPorts, ACircuitUnderTrafficIsShared)
{
    Bench bench(4, 1, 2);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1), 5, 1));
    const auto back = bench.RequestBoth(0, 1, Bench::Send(1, 0), 5, 1);
    EXPECT_EQ(Bench::Count(back, PROGRAM), 0);
    ASSERT_EQ(Bench::Count(back, GRANT), 2);
    EXPECT_EQ(Links(bench, 0, 1), 1);
    // the first is over, but the circuit is still in use
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    bench.Release(1, Bench::Send(0, 1), bench.Between(0, 1));
    const auto wide = bench.RequestBoth(1, 2, Bench::Send(1, 2), 5, 2);
    EXPECT_TRUE(wide.empty()) << "two links would take the port of the circuit";
}

TEST(OpusControllerPorts, ACircuitOnItsWayIsWaitedFor)
{
    Bench bench(4, 1, 2);
    const auto forth = bench.RequestBoth(0, 1, Bench::Send(0, 1), 5, 1);
    const auto back = bench.RequestBoth(0, 1, Bench::Send(1, 0), 5, 1);
    EXPECT_TRUE(back.empty()) << "a second circuit would take the port for the next neighbour";
    EXPECT_EQ(Bench::Count(bench.Answer(forth.at(0).message), GRANT), 4);
    EXPECT_EQ(Links(bench, 0, 1), 1);
}

TEST(OpusControllerPorts, ACircuitThatReconfiguresDoesNotStand)
{
    Bench bench(4, 1, 1);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    bench.Release(1, Bench::Send(0, 1), bench.Between(0, 1));
    const auto away = bench.RequestBoth(1, 2, Bench::Send(1, 2));
    ASSERT_EQ(Bench::Count(away, PROGRAM), 1);
    EXPECT_EQ(Links(bench, 0, 1), 0) << "it went dark at once";
    EXPECT_TRUE(bench.RequestBoth(0, 1, Bench::Send(0, 1, 1)).empty());
    EXPECT_EQ(Bench::Count(bench.Answer(away[0].message), GRANT), 2);
    bench.Release(1, Bench::Send(1, 2), bench.Between(1, 2));
    EXPECT_EQ(Bench::Count(bench.Release(2, Bench::Send(1, 2), bench.Between(1, 2)), PROGRAM), 1);
}

TEST(OpusControllerPorts, APolicyThatForgetsWhatIsInUseDoesNoHarm)
{
    Bench bench(4, 1, 1, CarelessSettings());
    const auto first = bench.RequestBoth(0, 1, Bench::Send(0, 1));
    EXPECT_TRUE(bench.RequestBoth(1, 2, Bench::Send(1, 2)).empty()) << "1 turns";
    EXPECT_EQ(Bench::Count(bench.Answer(first.at(0).message), GRANT), 2);
    EXPECT_TRUE(bench.RequestBoth(0, 2, Bench::Send(0, 2)).empty()) << "0 is in use";
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(bench.Release(1, Bench::Send(0, 1), bench.Between(0, 1)), PROGRAM), 1);
}

TEST(OpusControllerPorts, ACircuitThatIsTakenDownIsNotGrantedWhateverThePolicy)
{
    Bench bench(4, 1, 1, CarelessSettings());
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    bench.Release(1, Bench::Send(0, 1), bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(bench.RequestBoth(1, 2, Bench::Send(1, 2)), PROGRAM), 1);
    EXPECT_TRUE(bench.RequestBoth(0, 1, Bench::Send(0, 1, 1)).empty());
}

TEST(OpusControllerPorts, WhatWasPreparedIsChangedLast)
{
    Bench bench(5, 1, 2);
    bench.AnswerAll(bench.RequestBoth(1, 3, Bench::Send(1, 3), 0, 2));
    bench.Release(1, Bench::Send(1, 3), bench.Between(1, 3));
    bench.Release(3, Bench::Send(1, 3), bench.Between(1, 3));
    // both neighbours of 1 in advance, one after the other
    for (const auto& [one, other] : {std::make_pair(0, 1), std::make_pair(1, 2)})
    {
        const OpusPhase send = Bench::Send(one, other);
        const auto pairs = bench.Between(one, other);
        bench.Request(one, send, pairs, true, 0, 0, 1);
        bench.AnswerAll(bench.Request(other, send, pairs, true, 0, 0, 1));
    }
    EXPECT_EQ(Links(bench, 0, 1), 1) << "the second did not take the port of the first";
    EXPECT_EQ(Links(bench, 1, 2), 1);
    EXPECT_EQ(bench.RequestBoth(0, 1, Bench::Send(0, 1), 0, 1).size(), 2) << "granted at once";
    EXPECT_EQ(bench.RequestBoth(1, 2, Bench::Send(1, 2), 0, 1).size(), 2);
}

TEST(OpusControllerPorts, WhatWasPreparedIsChangedForWhatIsCalled)
{
    Bench bench(5, 1, 1);
    bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1), true);
    bench.AnswerAll(bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1), true));
    EXPECT_TRUE(bench.Core().GetLedger().IsPrepared({RailId(0), PortId(0)}));
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(1, 2, Bench::Send(1, 2))), GRANT), 2);
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1), true);
    EXPECT_FALSE(bench.Core().GetLedger().IsPrepared({RailId(0), PortId(0)}))
        << "it came to naught";
}

TEST(OpusControllerPorts, CircuitsThatStayDoNotWaitForTheRail)
{
    ControllerSettings settings;
    settings.granularity = CircuitGranularity::RAIL;
    settings.policy = MakePolicyFactory("one-shot");
    Bench bench(5, 1, 1, settings);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1))), GRANT), 2);
    bench.Register(2, 1, {bench.R(2), bench.R(3)}, "dp 0");
    bench.Register(3, 1, {bench.R(2), bench.R(3)}, "dp 0");
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(2, 3, Bench::Operation(1, 0))), GRANT),
              2);
}

TEST(OpusControllerPorts, AWholeSwitchReconfiguresOnlyWithoutTraffic)
{
    for (const bool whole : {false, true})
    {
        ControllerSettings settings;
        settings.wholeSwitch = {RailId(whole ? 0 : 1)};
        Bench bench(6, 1, 1, settings);
        bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1), 7));
        const auto outbox = bench.RequestBoth(2, 3, Bench::Send(2, 3), 7);
        EXPECT_EQ(Bench::Count(outbox, PROGRAM), whole ? 0 : 1);
        const auto recalls = Bench::Select<OpusRecall>(outbox);
        ASSERT_EQ(recalls.size(), whole ? 2 : 0) << "0 and 1 cannot know that somebody waits";
        if (!whole)
        {
            continue;
        }
        EXPECT_EQ(recalls[0].server, ServerId(0));
        EXPECT_EQ(recalls[1].server, ServerId(1));
        EXPECT_EQ(recalls[0].until, UINT64_MAX) << "when it is idle";
        EXPECT_FALSE(recalls[0].isWhole);
        bench.ReleaseAfter(0, Bench::Send(0, 1), bench.Between(0, 1), 4);
        const auto programs = bench.ReleaseAfter(1, Bench::Send(0, 1), bench.Between(0, 1), 4);
        ASSERT_EQ(Bench::Count(programs, PROGRAM), 1);
        EXPECT_TRUE(bench.RequestBoth(0, 1, Bench::Send(0, 1, 5), 7).empty()) << "it is dark too";
        EXPECT_EQ(Bench::Count(bench.Answer(programs.at(0).message), GRANT), 4);
    }
}

TEST(OpusControllerPorts, WhatCannotEndIsCalledBackForAWholeSwitch)
{
    ControllerSettings settings;
    settings.wholeSwitch = {RailId(0)};
    Bench bench(6, 1, 1, settings);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    bench.RequestBoth(2, 3, Bench::Send(2, 3));
    const auto outbox = bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1), true);
    ASSERT_EQ(outbox.size(), 1) << "1 waits for 0, and would not give it back";
    EXPECT_EQ(outbox[0].message.GetType(), RECALL);
    EXPECT_EQ(outbox[0].message.server, ServerId(1));
    EXPECT_TRUE(outbox[0].message.Get<OpusRecall>().isWhole);
}

TEST(OpusControllerPorts, AStandingCircuitOfAWholeSwitchIsGrantedBesideOthers)
{
    ControllerSettings settings;
    settings.wholeSwitch = {RailId(0)};
    Bench bench(6, 1, 1, settings);
    bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1)));
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(1, 0)), GRANT), 2);
    // a phase that waits for the rail has no need of it, but when an operation has ended it comes
    // first
    EXPECT_EQ(Bench::Count(bench.RequestBoth(2, 3, Bench::Send(2, 3)), GRANT), 0);
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(1, 0, 1)), GRANT), 2);
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    bench.Release(1, Bench::Send(0, 1), bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 1, Bench::Send(0, 1, 1)), GRANT), 0);
}

TEST(OpusControllerPorts, SendsBelongToTheParallelismOfTheirGroup)
{
    ControllerSettings settings;
    settings.granularity = CircuitGranularity::RAIL;
    Bench bench(7, 1, 1, settings);
    for (uint32_t server = 0; server < 6; ++server)
    {
        std::vector<RankId> ranks;
        for (uint32_t rank = 0; rank < 6; ++rank)
        {
            ranks.push_back(bench.R(rank));
        }
        bench.Register(server, 0, ranks, "pp 0");
        bench.Register(server, 1, ranks, "pp 1");
        bench.Register(server, 2, ranks, "dp 0");
    }
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(0, 1, Bench::Send(0, 1))), GRANT), 2);
    OpusPhase alike = Bench::Send(2, 3);
    alike.group = GroupId(1);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.RequestBoth(2, 3, alike)), GRANT), 2);
    OpusPhase other = Bench::Send(4, 5);
    other.group = GroupId(2);
    EXPECT_EQ(Bench::Count(bench.RequestBoth(4, 5, other), PROGRAM), 0);
    EXPECT_EQ(bench.Core().GetPhases().at(other).parallelism, "dp of job 0");
    EXPECT_EQ(bench.Core().GetCounters().refusals, 0);
}

TEST(OpusControllerPorts, StandingCircuitsThatMayStillComeAreWaitedFor)
{
    ControllerSettings settings;
    settings.policy = MakePolicyFactory("one-shot");
    Bench bench(4, 1, 1, settings);
    const auto first = bench.RequestBoth(0, 1, Bench::Send(0, 1));
    EXPECT_TRUE(bench.RequestBoth(0, 1, Bench::Send(1, 0)).empty());
    EXPECT_EQ(Bench::Count(bench.Answer(first.at(0).message), GRANT), 4);
    EXPECT_EQ(Bench::Count(bench.RequestBoth(1, 2, Bench::Send(1, 2)), REFUSE), 2);
}
