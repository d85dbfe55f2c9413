/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/contains.h"
#include "opus-controller-bench.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** Both servers send requests. @return the messages that follow, agents' answers included */
Bench::Outbox
RequestBoth(Bench& bench, uint32_t one, uint32_t other, const OpusPhase& phase)
{
    bench.Request(one, phase, bench.Between(one, other));
    return bench.AnswerAll(bench.Request(other, phase, bench.Between(one, other)));
}

/** Both servers send releases. @return the messages that follow, agents' answers included */
Bench::Outbox
ReleaseBoth(Bench& bench, uint32_t one, uint32_t other, const OpusPhase& phase)
{
    bench.Release(one, phase, bench.Between(one, other));
    return bench.AnswerAll(bench.Release(other, phase, bench.Between(one, other)));
}

} // namespace

TEST(OpusController, AGrantNeedsTheVotesOfBothEndsAndAllRails)
{
    Bench bench(3, 2, 1);
    const OpusPhase send = Bench::Send(0, 2);
    const auto pairs = bench.Between(0, 1);
    EXPECT_TRUE(bench.Request(0, send, pairs).empty());
    const Bench::Outbox programs = bench.Request(1, send, pairs);
    ASSERT_EQ(programs.size(), 2); // one for each rail
    EXPECT_EQ(Bench::Count(programs, PROGRAM), 2);
    EXPECT_TRUE(bench.Answer(programs[1].message).empty());
    const Bench::Outbox grants = bench.Answer(programs[0].message);
    ASSERT_EQ(Bench::Count(grants, GRANT), 2);
    EXPECT_EQ(grants[0].message.GetRanks().size(), 2); // of both rails, in one message
    EXPECT_EQ(grants[0].message.Get<OpusGrant>().circuits.size(), 2);
    ReleaseBoth(bench, 0, 1, send);
    EXPECT_TRUE(bench.Core().GetPhases().empty());
}

TEST(OpusController, NothingIsProgrammedWhenTheCircuitsStand)
{
    Bench bench(3, 2, 1);
    RequestBoth(bench, 0, 1, Bench::Send(0, 2));
    bench.Request(0, Bench::Send(2, 0), bench.Between(0, 1));
    const auto outbox = bench.Request(1, Bench::Send(2, 0), bench.Between(0, 1));
    EXPECT_EQ(outbox.size(), 2) << "though the first send still goes on";
    EXPECT_EQ(Bench::Count(outbox, GRANT), 2);
    EXPECT_EQ(bench.Core().GetCounters().noOpGrants, 1);
    EXPECT_EQ(bench.Core().GetCounters().programs, 2);
}

TEST(OpusController, DisjointGroupsReconfigureAtTheSameTime)
{
    Bench bench(5, 1, 1);
    bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1));
    const auto first = bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1));
    bench.Request(2, Bench::Send(2, 3), bench.Between(2, 3));
    const auto second = bench.Request(3, Bench::Send(2, 3), bench.Between(2, 3));
    ASSERT_EQ(Bench::Count(first, PROGRAM) + Bench::Count(second, PROGRAM), 2);
    EXPECT_EQ(Bench::Count(bench.Answer(second[0].message), GRANT), 2);
    EXPECT_EQ(Bench::Count(bench.Answer(first[0].message), GRANT), 2);
}

TEST(OpusController, AnEarlierCompletePhaseKeepsItsPortsFromLaterOnes)
{
    Bench bench(6, 1, 1);
    RequestBoth(bench, 0, 1, Bench::Send(0, 1));
    RequestBoth(bench, 2, 3, Bench::Send(2, 3));
    EXPECT_TRUE(RequestBoth(bench, 1, 2, Bench::Send(1, 2)).empty()) << "1 is in use, and 2";
    EXPECT_TRUE(ReleaseBoth(bench, 2, 3, Bench::Send(2, 3)).empty()) << "1 is still";
    EXPECT_TRUE(RequestBoth(bench, 2, 4, Bench::Send(2, 4)).empty()) << "2 is reserved";
    EXPECT_EQ(Bench::Count(RequestBoth(bench, 3, 4, Bench::Send(3, 4)), GRANT), 2) << "4 is not";
    const auto outbox = ReleaseBoth(bench, 0, 1, Bench::Send(0, 1));
    EXPECT_EQ(Bench::Count(outbox, GRANT), 2) << "the first one that waits";
    EXPECT_EQ(bench.Core().GetPhases().at(Bench::Send(1, 2)).state,
              ControllerPhase::State::GRANTED);
    EXPECT_EQ(Bench::Count(ReleaseBoth(bench, 1, 2, Bench::Send(1, 2)), GRANT), 0);
    EXPECT_EQ(Bench::Count(ReleaseBoth(bench, 3, 4, Bench::Send(3, 4)), GRANT), 2);
    EXPECT_EQ(bench.Core().GetCounters().conflicts, 2);
}

TEST(OpusController, OperationsOfAGroupAreGrantedInOrder)
{
    Bench bench(4, 1, 2);
    const std::vector<RankId> ranks{bench.R(0), bench.R(1), bench.R(2)};
    for (uint32_t server = 0; server < 3; ++server)
    {
        EXPECT_TRUE(bench.Register(server, 1, ranks).empty());
    }
    const auto first = MakeRingOf(ranks);
    const auto second = bench.Between(0, 1);
    bench.Request(0, Bench::Operation(1, 5), first);
    bench.Request(0, Bench::Operation(1, 6), second);
    EXPECT_TRUE(bench.Request(1, Bench::Operation(1, 6), second).empty()) << "5 comes first";
    bench.Request(1, Bench::Operation(1, 5), first);
    const auto outbox = bench.AnswerAll(bench.Request(2, Bench::Operation(1, 5), first));
    ASSERT_EQ(Bench::Count(outbox, GRANT), 3);
    EXPECT_EQ(outbox[0].message.FindPhase()->operation, 5);
    bench.Release(0, Bench::Operation(1, 5), first);
    bench.Release(1, Bench::Operation(1, 5), first);
    const auto then = bench.AnswerAll(bench.Release(2, Bench::Operation(1, 5), first));
    EXPECT_EQ(Bench::Count(then, GRANT), 2);
}

TEST(OpusController, GroupsAreRegisteredAlikeByAll)
{
    Bench bench(4, 1, 2);
    const std::vector<RankId> ranks{bench.R(0), bench.R(1)};
    EXPECT_TRUE(bench.Register(0, 3, ranks, "dp 0").empty());
    const auto outbox = bench.Register(1, 3, {bench.R(1), bench.R(0)}, "dp 0");
    ASSERT_EQ(Bench::Count(outbox, REFUSE), 1);
    EXPECT_TRUE(Contains(outbox[0].message.Get<OpusRefuse>().reason,
                         "group 3 of job 0 (dp 0): server 1 (rank 1) registers 2 ranks with " +
                             DigestToWords(GetDigest({bench.R(1), bench.R(0)})) +
                             ", and server 0 registered 2 with " + DigestToWords(GetDigest(ranks))))
        << outbox[0].message.Get<OpusRefuse>().reason;
    const auto refused = bench.Request(1, Bench::Operation(3, 0), bench.Between(0, 1));
    EXPECT_TRUE(Contains(refused.at(0).message.Get<OpusRefuse>().reason,
                         "server 1 has not registered group 3"));
    bench.Register(0, 3, ranks, "dp 0");
    EXPECT_EQ(bench.Core().GetCounters().duplicates, 1);
}

TEST(OpusController, AJobGetsOnlyPortsThatItOwns)
{
    Bench bench(3, 1, 1); // server 2 is job 1's
    const auto outbox = bench.Request(1, Bench::Send(1, 2), bench.Between(1, 2));
    ASSERT_EQ(Bench::Count(outbox, REFUSE), 1);
    EXPECT_EQ(outbox[0].message.server, ServerId(1));
    EXPECT_TRUE(
        Contains(outbox[0].message.Get<OpusRefuse>().reason, "job 0 owns no port of rank 2"));
    EXPECT_EQ(bench.Core().GetCounters().foreign, 1);
    EXPECT_EQ(bench.Core().TakeNotes().at(0).kind, ControllerNote::Kind::FOREIGN);
    EXPECT_TRUE(bench.Core().GetPhases().empty());
}

TEST(OpusController, AMissingVoteIsNamed)
{
    Bench bench(3, 1, 1);
    bench.now = 5;
    bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1));
    const Picoseconds limit = 5 + ControllerLimits().votes;
    EXPECT_EQ(bench.Core().GetNextDeadline(), limit);
    EXPECT_TRUE(bench.Core().TimePassed(limit - 1).empty());
    const auto outbox = bench.Core().TimePassed(limit);
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 2) << "to all that take part";
    EXPECT_TRUE(Contains(outbox.at(0).message.Get<OpusRefuse>().reason,
                         "rank 1 did not request within 30000 ms"));
    const auto late = bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(late, REFUSE), 1) << "and stays refused";
    EXPECT_EQ(bench.Core().GetNextDeadline(), NEVER);
}

TEST(OpusController, AnAlarmRefusesThePhaseAndTheLedgerKeepsWhatWasDone)
{
    Bench bench(3, 2, 1);
    bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1));
    const auto programs = bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1));
    bench.Answer(programs.at(0).message);
    const auto outbox = bench.Answer(programs.at(1).message, "the mirrors are stuck");
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 2);
    EXPECT_EQ(outbox.at(0).message.Get<OpusRefuse>().reason, "rail 1: the mirrors are stuck");
    EXPECT_EQ(bench.Core().GetLedger().GetCircuits()[0].GetCircuits().size(), 1);
    EXPECT_EQ(bench.Core().GetLedger().GetCircuits()[1].GetCircuits().size(), 0);
    // the next one needs only the other rail
    bench.Request(0, Bench::Send(0, 1, 1), bench.Between(0, 1));
    const auto again = bench.Request(1, Bench::Send(0, 1, 1), bench.Between(0, 1));
    ASSERT_EQ(Bench::Count(again, PROGRAM), 1);
    EXPECT_EQ(again[0].message.rail, RailId(1));
}

TEST(OpusController, PortsOfAPlanWithoutAnswerAreUncertain)
{
    Bench bench(4, 1, 1);
    bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1));
    const auto programs = bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1));
    bench.now = ControllerLimits().program;
    const auto refusals = bench.Core().TimePassed(bench.now);
    EXPECT_EQ(Bench::Count(refusals, REFUSE), 2);
    EXPECT_TRUE(Contains(refusals.at(0).message.Get<OpusRefuse>().reason, "from rail 0"));
    EXPECT_TRUE(RequestBoth(bench, 1, 2, Bench::Send(1, 2)).empty());
    // the answer comes after all
    const auto outbox = bench.AnswerAll(bench.Answer(programs.at(0).message));
    EXPECT_EQ(Bench::Count(outbox, GRANT), 2);
    EXPECT_TRUE(bench.Answer(programs.at(0).message).empty());
    EXPECT_EQ(bench.Core().GetCounters().duplicates, 1);
}

TEST(OpusController, AGrantThatIsNotReleasedIsReportedAndNotCut)
{
    Bench bench(4, 1, 1);
    RequestBoth(bench, 0, 1, Bench::Send(0, 1));
    bench.Release(0, Bench::Send(0, 1), bench.Between(0, 1));
    RequestBoth(bench, 1, 2, Bench::Send(1, 2));
    bench.Core().TakeNotes();
    bench.now = ControllerLimits().traffic;
    const auto refusals = bench.Core().TimePassed(bench.now);
    EXPECT_EQ(bench.Core().GetCounters().notReleased, 1);
    EXPECT_TRUE(Contains(bench.Core().TakeNotes().at(0).words, "rank 1 did not release"));
    EXPECT_EQ(Bench::Count(refusals, REFUSE), 2) << "who waited as long is told why";
    EXPECT_TRUE(Contains(refusals.at(0).message.Get<OpusRefuse>().reason,
                         "has traffic of send 0 from rank 0"));
    EXPECT_EQ(bench.Core().GetLedger().GetCircuits()[0].GetCircuits().size(), 1);
}

TEST(OpusController, AGuessIsGrantedAndReleasedUnused)
{
    ControllerSettings settings;
    settings.speculation = SpeculationRule::GRANT;
    Bench bench(4, 1, 1, settings);
    const auto pairs = bench.Between(0, 1);
    bench.Request(0, Bench::Send(0, 1), pairs, true);
    EXPECT_EQ(
        Bench::Count(bench.AnswerAll(bench.Request(1, Bench::Send(0, 1), pairs, true)), GRANT),
        2);
    EXPECT_TRUE(RequestBoth(bench, 1, 2, Bench::Send(1, 2)).empty());
    bench.Release(0, Bench::Send(0, 1), pairs, true);
    EXPECT_EQ(
        Bench::Count(bench.AnswerAll(bench.Release(1, Bench::Send(0, 1), pairs, true)), GRANT),
        2);
    ReleaseBoth(bench, 1, 2, Bench::Send(1, 2));
    // a late copy of a withdrawn request, and then the valid one
    bench.Request(0, Bench::Send(0, 1), pairs, true, 1);
    const auto outbox = bench.AnswerAll(bench.Request(1, Bench::Send(0, 1), pairs, false, 1));
    EXPECT_EQ(Bench::Count(outbox, GRANT), 2);
    EXPECT_EQ(outbox.at(0).message.Get<OpusGrant>().number, 1) << "it names the ask";
}

TEST(OpusController, APreparedGuessGivesWay)
{
    ControllerSettings settings;
    settings.speculation = SpeculationRule::PREPARE;
    Bench bench(4, 1, 1, settings);
    const auto pairs = bench.Between(0, 1);
    bench.Request(0, Bench::Send(0, 1), pairs);
    const auto prepared = bench.AnswerAll(bench.Request(1, Bench::Send(0, 1), pairs, true));
    EXPECT_TRUE(prepared.empty()) << "the circuit is up, but 1 has not called it";
    EXPECT_EQ(bench.Core().GetCounters().programs, 1);
    // rank 1 has another operation first, which the guess does not delay
    EXPECT_EQ(Bench::Count(RequestBoth(bench, 1, 2, Bench::Send(1, 2)), GRANT), 2);
    EXPECT_TRUE(bench.Request(1, Bench::Send(0, 1), pairs).empty());
    EXPECT_EQ(Bench::Count(ReleaseBoth(bench, 1, 2, Bench::Send(1, 2)), GRANT), 2);
}

TEST(OpusController, WholeRailsSerialiseParallelisms)
{
    for (const bool whole : {false, true})
    {
        ControllerSettings settings;
        settings.granularity = whole ? CircuitGranularity::RAIL : CircuitGranularity::GROUP;
        Bench bench(7, 1, 1, settings);
        for (uint32_t group = 0; group < 2; ++group)
        {
            for (uint32_t server = 2 * group; server < 2 * group + 2; ++server)
            {
                bench.Register(server,
                               group,
                               {bench.R(2 * group), bench.R(2 * group + 1)},
                               "dp " + std::to_string(group));
            }
        }
        EXPECT_EQ(Bench::Count(RequestBoth(bench, 0, 1, Bench::Operation(0, 0)), GRANT), 2);
        OpusPhase send = Bench::Send(4, 5);
        send.group = GroupId(9);
        EXPECT_EQ(Bench::Count(RequestBoth(bench, 4, 5, send), GRANT), whole ? 0 : 2);
        EXPECT_EQ(Bench::Count(RequestBoth(bench, 2, 3, Bench::Operation(1, 0)), GRANT), 2)
            << "the same parallelism: the send has no use for the rail yet";
        EXPECT_TRUE(ReleaseBoth(bench, 0, 1, Bench::Operation(0, 0)).empty());
        EXPECT_EQ(Bench::Count(RequestBoth(bench, 0, 1, Bench::Operation(0, 1)), GRANT),
                  whole ? 0 : 2)
            << "the same again, but the send was complete before it";
        const auto outbox = ReleaseBoth(bench, 2, 3, Bench::Operation(1, 0));
        EXPECT_EQ(Bench::Count(outbox, GRANT), whole ? 2 : 0);
    }
}

TEST(OpusController, JobsThatStartGetTheirCircuitsOrAreRefused)
{
    ControllerSettings settings;
    settings.policy = MakePolicyFactory("static-split");
    JobDemand demand;
    demand.parallelisms = {{"dp", {{RankId(0), RankId(1)}}, 1},
                           {"pp", {{RankId(0), RankId(2)}}, 1}};
    settings.demands = {demand};
    Bench two(4, 1, 2, settings);
    const auto programs = two.Core().Start(0);
    ASSERT_EQ(Bench::Count(programs, PROGRAM), 1);
    EXPECT_TRUE(RequestBoth(two, 0, 1, Bench::Send(0, 1)).empty()) << "they are being turned";
    EXPECT_EQ(Bench::Count(two.Answer(programs[0].message), GRANT), 2);
    EXPECT_EQ(Bench::Count(RequestBoth(two, 1, 2, Bench::Send(1, 2)), REFUSE), 2);
    Bench one(4, 1, 1, settings);
    EXPECT_TRUE(one.Core().Start(0).empty());
    const auto refused = one.Request(0, Bench::Send(0, 1), one.Between(0, 1));
    EXPECT_TRUE(Contains(refused.at(0).message.Get<OpusRefuse>().reason, "2 > 1"));
}
