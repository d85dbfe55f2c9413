/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Circuits without light: which grants are recalled, over which rail their pairs are joined then,
// and when they are back.

#include "opus-controller-bench.h"
#include "opus-flat-message.h"

#include "ns3/giant-rings.h"
#include "ns3/granted-circuits.h"
#include "ns3/rail-detours.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

constexpr auto WATCH = OpusMessage::Type::WATCH;

ControllerSettings
WithOtherRails()
{
    ControllerSettings settings;
    settings.otherRails = true;
    return settings;
}

/** Servers 0 and 1 of three GPUs with a port each: a pair of rail 0 has its circuit. */
class OtherRailsBench : public OpusControllerBench
{
  public:
    explicit OtherRailsBench(uint32_t rails = 3)
        : OpusControllerBench(4, rails, 1, WithOtherRails())
    {
        granted = AnswerAll(RequestOf(0));
    }

    /** @return the messages that follow when both servers request the pair of a rail */
    Outbox RequestOf(uint32_t rail, uint64_t number = 0)
    {
        const auto pairs = PairOf(rail);
        Request(0, PhaseOf(rail), pairs, false, number);
        return Request(1, PhaseOf(rail), pairs, false, number);
    }

    std::vector<JoinedRanks> PairOf(uint32_t rail) const
    {
        return {{R(0, rail), R(1, rail)}};
    }

    OpusPhase PhaseOf(uint32_t rail) const
    {
        return Send(R(0, rail).Get(), R(1, rail).Get());
    }

    /** Messages of server 0 fail on the circuit of a rail, in the phase of rail 0. */
    Outbox Fail(uint32_t rail)
    {
        FlatMessage<OpusOutage> outage;
        outage.term = Core().GetTerm();
        outage.phase = PhaseOf(0);
        outage.ranks = {R(0, 0)};
        outage.circuits = {{R(0, rail), 0, R(1, rail), 0}};
        return Core().Take(outage, now);
    }

    /** A port on rail 0 has carrier. */
    Outbox Light(uint32_t server)
    {
        FlatMessage<OpusCarrier> carrier;
        carrier.term = Core().GetTerm();
        carrier.server = ServerId(server);
        carrier.circuits = {{PortId(server), PortId(1 - server)}};
        return Core().Take(carrier, now);
    }

    /** Both servers give the grant of rail 0 back, unused, and request again. */
    Outbox RequestAgain(uint64_t number = 0)
    {
        Release(0, PhaseOf(0), PairOf(0), true, number);
        Release(1, PhaseOf(0), PairOf(0), true, number);
        return RequestOf(0, number + 1);
    }

    Outbox granted;
};

} // namespace

TEST(OpusOtherRails, DetoursHaveARelayInEachServerThatIsNotOnTheRail)
{
    Cabling cabling = Cabling::OfRails(2, 3, 1);
    EXPECT_TRUE(ListDetours({RankId(0), RankId(3)}, cabling).empty()) << "no fabric";
    cabling.SetForwarding();
    const std::vector<JoinedRanks> ofOneRail{{RankId(1), RankId(4)}, {RankId(2), RankId(5)}};
    EXPECT_EQ(ListDetours({RankId(0), RankId(3)}, cabling), ofOneRail);
    const std::vector<JoinedRanks> ofTwo{{RankId(2), RankId(5)}};
    EXPECT_EQ(ListDetours({RankId(0), RankId(4)}, cabling), ofTwo) << "the others are routes";
    EXPECT_TRUE(ListDetours({RankId(0), RankId(1)}, cabling).empty()) << "of one server";
}

TEST(OpusOtherRails, MessagesTakeADetourOnlyWithoutACircuitOnTheirRail)
{
    const auto cabling = std::make_shared<Cabling>(Cabling::OfRails(2, 2, 1));
    cabling->SetForwarding();
    const RankCircuit own{RankId(0), 0, RankId(2), 0};
    const RankCircuit other{RankId(1), 0, RankId(3), 0};
    const GrantedCircuits both({own, other}, cabling);
    EXPECT_EQ(both.GetRelays(RankId(0), RankId(2)), Relays());
    const GrantedCircuits detour({other}, cabling);
    ASSERT_EQ(detour.GetLinks(RankId(0), RankId(2)).size(), 1U);
    const Relays relays = detour.GetRelays(RankId(2), RankId(0));
    EXPECT_EQ(relays.atSender, RankId(3));
    EXPECT_EQ(relays.atReceiver, RankId(1));
    EXPECT_EQ(detour.GetCircuits(RankId(0), {{RankId(0), RankId(2)}}).size(), 1U)
        << "a controller of a later term is told of it";
}

TEST(OpusOtherRails, OverRingsMessagesGoAroundAGapAndTakeNoDetour)
{
    const auto cabling = std::make_shared<Cabling>(Cabling::OfRails(3, 2, 2));
    cabling->SetForwarding();
    for (uint32_t rank = 0; rank < 6; ++rank)
    {
        cabling->Own(JobId(0), RankId(rank));
    }
    const auto rings = std::make_shared<const GiantRings>(JobId(0), cabling);
    const JoinedRanks gap{RankId(0), RankId(2)};
    std::vector<RankCircuit> circuits = rings->GetCircuits(RailId(1));
    for (const RankCircuit& circuit : rings->GetCircuits(RailId(0)))
    {
        if (NormalizePair({circuit.one, circuit.other}) != gap)
        {
            circuits.push_back(circuit);
        }
    }
    GrantedCircuits granted(circuits, cabling);
    granted.SetRings(rings, {gap});
    EXPECT_EQ(granted.GetRelays(RankId(0), RankId(2)), Relays()) << "over rank 4";
    EXPECT_FALSE(granted.GetPaths(RankId(0), RankId(2)).empty());
}

TEST(OpusOtherRails, AnOutageRecallsTheGrantAndWatchesBothEnds)
{
    OtherRailsBench bench;
    ASSERT_EQ(Bench::Count(bench.granted, GRANT), 2U);
    const auto outbox = bench.Fail(0);
    EXPECT_EQ(Bench::Count(outbox, WATCH), 2U);
    const auto recalls = Bench::Select<OpusRecall>(outbox);
    ASSERT_EQ(recalls.size(), 2U);
    EXPECT_TRUE(recalls[0].isWhole);
    EXPECT_EQ(bench.Core().GetCounters().outages, 1U);
    const auto again = bench.Fail(0); // of another rank, or of other messages
    EXPECT_EQ(again.size(), 0U) << "once";
    EXPECT_EQ(bench.Core().GetCounters().outages, 1U);
}

TEST(OpusOtherRails, ThePairIsJoinedOnTheRailThatItsNumberSelects)
{
    OtherRailsBench bench;
    bench.Fail(0);
    const auto programs = Bench::Select<OpusProgram>(bench.RequestAgain());
    ASSERT_EQ(programs.size(), 1U);
    EXPECT_EQ(programs[0].rail, RailId(1)) << "0 modulo 2 of the rails 1 and 2";
    EXPECT_TRUE(programs[0].down.empty()) << "the dark circuit stays up";
}

TEST(OpusOtherRails, ACircuitThatStandsThereIsShared)
{
    OtherRailsBench bench;
    bench.AnswerAll(bench.RequestOf(1)); // the traffic of rail 1
    bench.Fail(0);
    const auto grants = Bench::Select<OpusGrant>(bench.RequestAgain());
    ASSERT_EQ(grants.size(), 2U) << "without a PROGRAM";
    ASSERT_EQ(grants[0].circuits.size(), 1U);
    EXPECT_EQ(grants[0].circuits[0].one, bench.R(0, 1));
    EXPECT_EQ(grants[0].circuits[0].other, bench.R(1, 1));
}

TEST(OpusOtherRails, ARailThatIsDarkTooIsNotTaken)
{
    OtherRailsBench bench;
    bench.AnswerAll(bench.RequestOf(1));
    bench.Fail(1);
    bench.Fail(0);
    const auto programs = Bench::Select<OpusProgram>(bench.RequestAgain());
    ASSERT_EQ(programs.size(), 1U);
    EXPECT_EQ(programs[0].rail, RailId(2)) << "the only one that is left";
}

TEST(OpusOtherRails, WithoutAnotherRailThePhaseIsRefused)
{
    OtherRailsBench bench(1);
    bench.Fail(0);
    const auto refusals = Bench::Select<OpusRefuse>(bench.RequestAgain());
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_EQ(refusals[0].reason,
              "rank 0 and rank 1 have no ports with light on their rail, and their servers have "
              "none on another");
}

TEST(OpusOtherRails, WithCarrierAtBothEndsTheNextGrantIsOnTheOwnRail)
{
    OtherRailsBench bench;
    bench.Fail(0);
    bench.AnswerAll(bench.RequestAgain());
    EXPECT_TRUE(bench.Light(0).empty()) << "one end is not enough";
    const auto recalls = Bench::Select<OpusRecall>(bench.Light(1));
    ASSERT_EQ(recalls.size(), 2U) << "what is on the detour is called in";
    EXPECT_FALSE(recalls[0].isWhole) << "operations under way end there";
    EXPECT_EQ(bench.Core().GetCounters().repairs, 1U);
    const auto grants = Bench::Select<OpusGrant>(bench.RequestAgain(1));
    ASSERT_EQ(grants.size(), 2U) << "its circuit stands";
    ASSERT_EQ(grants[0].circuits.size(), 1U);
    EXPECT_EQ(grants[0].circuits[0].one, bench.R(0, 0));
}

TEST(OpusOtherRails, AnOutageOfACircuitThatDoesNotStandRecallsTheGrantAllTheSame)
{
    OtherRailsBench bench;
    const auto outbox = bench.Fail(2);
    EXPECT_EQ(Bench::Count(outbox, RECALL), 2U) << "its ranks wait for it";
    EXPECT_EQ(bench.Core().GetCounters().outages, 0U);
    EXPECT_EQ(Bench::Count(bench.RequestAgain(), GRANT), 2U) << "on the own rail";
}

TEST(OpusOtherRails, AnAlarmOfTheSwitchIsAnOutage)
{
    OtherRailsBench bench;
    const auto programs = Bench::Select<OpusProgram>(bench.RequestOf(2));
    ASSERT_EQ(programs.size(), 1U);
    FlatMessage<OpusAlarm> alarm;
    alarm.term = bench.Core().GetTerm();
    alarm.rail = programs[0].rail;
    alarm.plan = programs[0].plan;
    alarm.reason = "port 1 is stuck";
    alarm.isPartial = true;
    alarm.dark = programs[0].up;
    const auto outbox = bench.Core().Take(alarm, bench.now);
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 0U);
    const auto grants = Bench::Select<OpusGrant>(outbox);
    ASSERT_EQ(grants.size(), 2U);
    ASSERT_EQ(grants[0].circuits.size(), 1U);
    EXPECT_EQ(grants[0].circuits[0].one, bench.R(0, 0)) << "2 modulo 2 of the rails 0 and 1";
}

TEST(OpusOtherRails, APlanWithoutAnAnswerIsAnOutage)
{
    OtherRailsBench bench;
    bench.RequestOf(2); // no answer
    bench.now = bench.Core().GetNextDeadline();
    const auto outbox = bench.Core().TimePassed(bench.now);
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 0U);
    EXPECT_EQ(Bench::Count(outbox, GRANT), 2U) << "it shares the circuit of rail 0";
}

TEST(OpusOtherRailsDeathTest, APolicyThatKeepsItsCircuitsIsRefused)
{
    ControllerSettings settings = WithOtherRails();
    settings.policy = MakePolicyFactory("static-split");
    EXPECT_DEATH(OpusControllerBench(3, 2, 2, settings), "");
}
