/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Wrong schedules, algorithms and parameters are refused, with messages that help.

#include "ns3/collective-algorithm.h"
#include "ns3/collective-verifier.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;
using Action = CollectiveTransfer::Action;
using Wires = CollectiveTransfer::Wires;

/** A schedule made by hand: of one chunk, the whole buffer, of rank 0. */
CollectiveSchedule
MakeByHand(Kind kind, uint32_t ranks, const std::vector<CollectiveTransfer>& transfers)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    CollectiveSchedule schedule(parameters);
    schedule.Add(CollectiveChunk{});
    for (const CollectiveTransfer& transfer : transfers)
    {
        schedule.Add(transfer);
    }
    return schedule;
}

CollectiveTransfer
Copy(uint32_t from, uint32_t to, uint32_t needs = 0, uint32_t round = 0)
{
    return {from, to, 0, needs, round, 0, Action::COPY, Wires::RAIL};
}

CollectiveTransfer
Reduce(uint32_t from, uint32_t to, uint32_t needs = 0, uint32_t round = 0)
{
    return {from, to, 0, needs, round, 0, Action::REDUCE, Wires::RAIL};
}

void
ExpectWords(const std::string& mistake, const std::string& words)
{
    EXPECT_NE(mistake.find(words), std::string::npos) << "\"" << mistake << "\" without " << words;
}

/** The algorithm of the manual, or a wrong one. */
CollectiveAlgorithm
MakeStar(const std::string& name, uint32_t copies, uint64_t bytesToEach)
{
    CollectiveAlgorithm star;
    star.name = name;
    star.kind = Kind::BROADCAST;
    star.help = "from the root to each";
    star.write = [copies](ScheduleChannel& channel) {
        const uint32_t root = channel.GetParameters().root;
        const uint32_t all = channel.AddChunk(root, 0, 1);
        for (uint32_t step = 1; step < channel.GetRanks(); ++step)
        {
            for (uint32_t copy = 0; copy < copies; ++copy)
            {
                channel.Copy(0, root, channel.Ahead(root, step), all);
            }
        }
    };
    star.bytesSent = [bytesToEach](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
        return rank == p.root ? (p.ranks - 1) * buffer * bytesToEach : 0;
    };
    return star;
}

} // namespace

TEST(CollectiveRefusals, AnAlgorithmRefusesWhatItIsNotMadeFor)
{
    CollectiveParameters parameters;
    parameters.ranks = 12;
    const CollectiveAlgorithm& hierarchical =
        CollectiveAlgorithm::Get(Kind::ALL_REDUCE, "hierarchical");
    ExpectWords(hierarchical.GetWhyNot(parameters), "set perServer to 2 or more");
    for (const uint32_t perServer : {5, 12, 24})
    {
        parameters.perServer = perServer;
        ExpectWords(hierarchical.GetWhyNot(parameters), "set it to a divisor");
    }
    parameters.perServer = 6;
    EXPECT_EQ(hierarchical.GetWhyNot(parameters), "");
    parameters.kind = Kind::SEND_RECV;
    ExpectWords(CollectiveAlgorithm::Get(Kind::SEND_RECV, "direct").GetWhyNot(parameters),
                "2 ranks, and not 12");
}

TEST(CollectiveRefusals, WrongSchedulesMadeByHandAreRefusedWithWhatIsWrong)
{
    const auto mistake = [](Kind kind, uint32_t ranks, const std::vector<CollectiveTransfer>& all) {
        return GetMistakeOf(MakeByHand(kind, ranks, all));
    };
    EXPECT_EQ(mistake(Kind::ALL_REDUCE, 2, {Reduce(0, 1), Copy(1, 0, 1, 1)}), "");
    ExpectWords(mistake(Kind::ALL_REDUCE, 2, {Reduce(0, 1), Copy(1, 0, 1, 0)}),
                "rank 1 needs what comes in round 0");
    ExpectWords(
        mistake(Kind::ALL_REDUCE, 2, {Reduce(0, 1), Copy(1, 0, 0, 1)}),
        "in round 1 rank 1 sends chunk 0 (of rank 0) to rank 0 (transfer 1, channel 0): the "
        "receiver loses the contribution of rank 0");
    ExpectWords(mistake(Kind::ALL_REDUCE, 2, {Copy(1, 0, 1, 1), Reduce(0, 1)}),
                "only 0 come before");
    ExpectWords(mistake(Kind::ALL_REDUCE, 2, {Reduce(0, 1), Reduce(1, 0, 1, 1)}),
                "to be added (transfer 1, channel 0): it adds the contribution of rank 0 again");
    ExpectWords(mistake(Kind::ALL_REDUCE, 2, {Reduce(0, 1)}),
                "in the end, after round 0, rank 0 lacks of chunk 0 (of rank 0) the contribution "
                "of rank 1");
    ExpectWords(mistake(Kind::BROADCAST, 3, {Copy(2, 1), Copy(0, 1)}),
                "in round 0 rank 2 sends chunk 0 (of rank 0) to rank 1 (transfer 0, channel 0): "
                "rank 2 does "
                "not have it");
    ExpectWords(mistake(Kind::BROADCAST, 2, {Copy(0, 1), Copy(0, 1)}),
                "the receiver has all of it already");
    ExpectWords(mistake(Kind::BROADCAST, 2, {Reduce(0, 1)}),
                "the receiver has nothing to add it to");
    ExpectWords(mistake(Kind::ALL_GATHER, 2, {Copy(0, 1)}), "is not an equal one");
    EXPECT_EQ(mistake(Kind::SEND_RECV, 2, {Copy(0, 1)}), "");
    ExpectWords(mistake(Kind::SEND_RECV, 2, {}),
                "rank 1 lacks of chunk 0 (of rank 0) the contribution of rank 0");
    EXPECT_EQ(mistake(Kind::BARRIER, 2, {Reduce(0, 1), Reduce(1, 0)}), "");
    ExpectWords(mistake(Kind::BARRIER, 2, {Reduce(0, 1), Reduce(1, 0), Reduce(1, 0)}),
                "the receiver has all of it already");
    CollectiveTransfer inside = Copy(0, 1);
    inside.wires = Wires::SCALE_UP;
    ExpectWords(mistake(Kind::BROADCAST, 2, {inside}), "the ranks are on servers 0 and 1");
    CollectiveTransfer beyond = Copy(0, 1);
    beyond.channel = 1;
    ExpectWords(mistake(Kind::BROADCAST, 2, {beyond}), "there are 1 channels");
}

TEST(CollectiveRefusals, ChunksThatAreNotTheBufferAreRefused)
{
    for (const Kind kind : GetCollectiveKinds())
    {
        CollectiveParameters parameters;
        parameters.kind = kind;
        const CollectiveSchedule without(parameters);
        EXPECT_NE(GetMistakeOf(without), "") << ToString(kind); // and a schedule of nothing at all
    }
    CollectiveParameters parameters;
    CollectiveChunk elsewhere;
    elsewhere.ofBuffer = false;
    CollectiveSchedule other(parameters);
    other.Add(elsewhere);
    ExpectWords(GetMistakeOf(other), "chunk 0 is not of the buffer");
    for (const uint64_t second : {0, 2})
    {
        CollectiveSchedule schedule(parameters);
        for (const uint64_t place : {uint64_t{0}, second})
        {
            CollectiveChunk chunk;
            chunk.place = place;
            chunk.parts = 3;
            schedule.Add(chunk);
        }
        ExpectWords(GetMistakeOf(schedule), "the chunks are not the buffer");
    }
}

TEST(CollectiveRefusals, AUsersAlgorithmOfADozenLinesRegisters)
{
    const std::string name = "star-of-a-user";
    if (CollectiveAlgorithm::Find(Kind::BROADCAST, name) == nullptr)
    {
        CollectiveAlgorithm::Register(MakeStar(name, 1, 1));
    }
    CollectiveParameters parameters;
    parameters.kind = Kind::BROADCAST;
    parameters.ranks = 9;
    EXPECT_EQ(CollectiveAlgorithm::GetSchedule(name, parameters)->GetTransfers().size(), 8U);
    EXPECT_DEATH(CollectiveAlgorithm::Register(MakeStar(name, 1, 1)), "there is already a");
}

TEST(CollectiveRefusals, AUsersAlgorithmWithAMistakeIsRefusedWithTheReason)
{
    EXPECT_DEATH(CollectiveAlgorithm::Register(MakeStar("twice", 2, 2)),
                 "\"twice\" for broadcast 2 .*the receiver has all of it already");
    EXPECT_DEATH(CollectiveAlgorithm::Register(MakeStar("never", 0, 0)),
                 "rank 1 lacks of chunk 0 .of rank 0. the contribution of rank 0");
    EXPECT_DEATH(CollectiveAlgorithm::Register(MakeStar("miscounted", 1, 2)),
                 "rank 0 sends 1, and the closed form says 2");
    EXPECT_DEATH(CollectiveAlgorithm::Register(CollectiveAlgorithm()), "needs a name, write");
}
