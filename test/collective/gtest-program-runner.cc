/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/picosecond-resolution.h"
#include "ns3/program-runner.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t ONLY = 0; //!< the stream of programs that have one

/** Rank 0 of two groups of three ranks. */
const CommunicationGroups GROUPS{
    std::make_shared<const CommunicationGroup>(
        GroupId(7),
        "a",
        std::vector<RankId>{RankId(0), RankId(1), RankId(2)}),
    std::make_shared<const CommunicationGroup>(
        GroupId(8),
        "b",
        std::vector<RankId>{RankId(2), RankId(0), RankId(4)}),
};

/** Runs a program, and notes which operations have begun. */
struct RunnerBed
{
    explicit RunnerBed(const RankProgram& what)
    {
        program.Set(RankId(0), std::make_shared<const RankProgram>(what), GROUPS);
        runner.Load();
        runner.Start();
    }

    /** @return the operations that begin now */
    std::vector<uint32_t> Proceed()
    {
        begun.clear();
        runner.Proceed();
        return begun;
    }

    NumberedProgram program;
    std::vector<uint32_t> begun;
    ProgramRunner runner{program, [this](uint32_t operation) { begun.push_back(operation); }};
};

using Numbers = std::vector<uint32_t>;

} // namespace

TEST(ProgramRunner, OperationsOfAStreamGoOneAfterAnother)
{
    RankProgram program;
    program.Compute(ONLY, ToTime(1));
    program.Compute(ONLY, ToTime(1));
    RunnerBed bed(program);
    EXPECT_EQ(bed.Proceed(), Numbers{0});
    EXPECT_EQ(bed.Proceed(), Numbers{});
    bed.runner.End(0);
    EXPECT_TRUE(bed.runner.IsDone(0));
    EXPECT_FALSE(bed.runner.IsDone(1));
    EXPECT_EQ(bed.Proceed(), Numbers{1});
}

TEST(ProgramRunner, StreamsGoSideBySideInTheOrderOfTheProgram)
{
    RankProgram program;
    program.Compute(2, ToTime(1));
    program.Compute(0, ToTime(1));
    program.Compute(1, ToTime(1));
    RunnerBed bed(program);
    EXPECT_EQ(bed.Proceed(), (Numbers{0, 1, 2}));
}

TEST(ProgramRunner, AnOperationComesAfterAllThatItDependsOn)
{
    RankProgram program;
    program.Compute(0, ToTime(1));
    program.Compute(1, ToTime(1));
    const uint32_t last = program.Compute(2, ToTime(1));
    program.After(last, 0);
    program.After(last, 1);
    RunnerBed bed(program);
    EXPECT_EQ(bed.Proceed(), (Numbers{0, 1}));
    EXPECT_EQ(bed.runner.Describe(), "stream 2 waits to start operation 2. ");
    bed.runner.End(1);
    EXPECT_EQ(bed.Proceed(), Numbers{});
    bed.runner.End(0);
    EXPECT_EQ(bed.Proceed(), Numbers{last});
    bed.runner.End(last);
    EXPECT_EQ(bed.runner.Describe(), "");
}

TEST(ProgramRunner, OperationsOfAFlowKeepTheirOrderOnWhateverStreams)
{
    RankProgram program;
    program.Collective(0, 0, CollectiveKind::ALL_REDUCE, 8);
    program.Collective(1, 0, CollectiveKind::ALL_GATHER, 8);
    program.Collective(2, 1, CollectiveKind::ALL_REDUCE, 8); // of another group
    program.Send(3, 0, 1, 8);
    program.Receive(4, 0, 1, 8); // of the other direction
    program.Send(5, 0, 1, 8);
    RunnerBed bed(program);
    EXPECT_EQ(bed.Proceed(), (Numbers{0, 2, 3, 4}));
    bed.runner.End(3);
    EXPECT_EQ(bed.Proceed(), Numbers{5});
    bed.runner.End(0);
    EXPECT_EQ(bed.Proceed(), Numbers{1});
}

TEST(ProgramRunner, WhatEndsAtOnceLetsTheNextBegin)
{
    RankProgram rank;
    rank.Compute(ONLY, ToTime(0));
    rank.Compute(ONLY, ToTime(0));
    rank.Compute(ONLY, ToTime(0));
    NumberedProgram program;
    program.Set(RankId(0), std::make_shared<const RankProgram>(rank), GROUPS);
    Numbers begun;
    ProgramRunner* self = nullptr;
    ProgramRunner runner(program, [&](uint32_t operation) {
        begun.push_back(operation);
        self->End(operation);
        self->Proceed(); // while the first call is under way
    });
    self = &runner;
    runner.Load();
    runner.Start();
    runner.Proceed();
    EXPECT_EQ(begun, (Numbers{0, 1, 2}));
}

TEST(ProgramRunner, NothingBeginsOnceItIsStopped)
{
    RankProgram program;
    program.Compute(ONLY, ToTime(1));
    RunnerBed bed(program);
    bed.runner.Stop();
    EXPECT_TRUE(bed.runner.HasStarted());
    EXPECT_TRUE(bed.runner.IsStopped());
    EXPECT_EQ(bed.Proceed(), Numbers{});
}

TEST(NumberedProgram, OperationsAreCountedInTheirFlow)
{
    RankProgram rank;
    rank.Collective(0, 0, CollectiveKind::ALL_REDUCE, 8);
    rank.Send(1, 1, 2, 8); // from place 1 of group b to place 2
    rank.Collective(1, 0, CollectiveKind::ALL_REDUCE, 8);
    rank.Receive(0, 1, 2, 8);
    rank.Send(0, 1, 2, 8);
    NumberedProgram program;
    EXPECT_FALSE(program.IsSet());
    program.Set(RankId(0), std::make_shared<const RankProgram>(rank), GROUPS);
    EXPECT_EQ(program.GetNumber(0), 0U);
    EXPECT_EQ(program.GetNumber(2), 1U);
    EXPECT_EQ(program.GetNumber(1), 0U);
    EXPECT_EQ(program.GetNumber(3), 0U);
    EXPECT_EQ(program.GetNumber(4), 1U);
    EXPECT_TRUE(program.GetFlowKey(0).IsSame(program.GetFlowKey(2)));
    EXPECT_TRUE(program.GetFlowKey(1).IsSame(program.GetFlowKey(4)));
    EXPECT_FALSE(program.GetFlowKey(1).IsSame(program.GetFlowKey(3)));
    EXPECT_EQ(program.GetRanks(0), GROUPS[0]->GetRanks());
    EXPECT_EQ(program.GetRanks(1), (std::vector<RankId>{RankId(0), RankId(4)}));
    EXPECT_EQ(program.GetRanks(3), (std::vector<RankId>{RankId(4), RankId(0)}));
    EXPECT_EQ(program.GetPlace(1), 0U); // the sender
    EXPECT_EQ(program.GetPlace(3), 1U); // the receiver
}

TEST(NumberedProgram, AMessageFindsTheFlowOfItsOperation)
{
    RankProgram rank;
    rank.Collective(0, 0, CollectiveKind::ALL_REDUCE, 8);
    rank.Send(0, 1, 2, 8);
    NumberedProgram program;
    program.Set(RankId(0), std::make_shared<const RankProgram>(rank), GROUPS);
    TransportMessage message;
    message.from = RankId(1);
    message.to = RankId(0);
    message.group = GroupId(7);
    EXPECT_TRUE(program.FindFlowKey(message).IsSame(program.GetFlowKey(0)));
    message.from = RankId(0);
    message.to = RankId(4);
    message.group = GroupId(8);
    message.channel = TransportMessage::POINT_TO_POINT;
    EXPECT_TRUE(program.FindFlowKey(message).IsSame(program.GetFlowKey(1)));
    // a clear to send goes from the receiver to the sender, and is about the sender's flow
    std::swap(message.from, message.to);
    EXPECT_FALSE(program.FindFlowKey(message).IsSame(program.GetFlowKey(1)));
    message.channel |= TransportMessage::CLEAR_TO_SEND;
    EXPECT_TRUE(program.FindFlowKey(message).IsSame(program.GetFlowKey(1)));
}

TEST(NumberedProgram, RanksOfOneProgramShareItsOrder)
{
    RankProgram what;
    what.Collective(0, 0, CollectiveKind::ALL_REDUCE, 8);
    what.Send(0, 1, 2, 8);
    what.Compute(1, ToTime(1));
    const auto program = std::make_shared<const RankProgram>(what);
    NumberedProgram one;
    NumberedProgram other;
    one.Set(RankId(0), program, GROUPS);
    other.Set(RankId(2), program, GROUPS); // at other places of both groups
    EXPECT_EQ(&one.GetOrder(), &other.GetOrder());
    EXPECT_TRUE(one.GetFlowKey(0).IsSame(other.GetFlowKey(0)));
    EXPECT_EQ(one.GetFlowKey(1).from, 1U);
    EXPECT_EQ(other.GetFlowKey(1).from, 0U);
    EXPECT_EQ(one.GetOrder().GetFlow(2), ProgramOrder::NONE);
    EXPECT_EQ(one.FindFlow(one.GetFlowKey(1)), 1U);
    EXPECT_FALSE(one.FindFlow(other.GetFlowKey(1)));
    // an equal program is another one
    NumberedProgram third;
    third.Set(RankId(0), std::make_shared<const RankProgram>(what), GROUPS);
    EXPECT_NE(&one.GetOrder(), &third.GetOrder());
}

TEST(NumberedProgram, AGroupOfTwoNumbersHasOneFlow)
{
    RankProgram what;
    what.Collective(0, 0, CollectiveKind::ALL_REDUCE, 8);
    what.Collective(0, 1, CollectiveKind::ALL_REDUCE, 8);
    what.Collective(0, 0, CollectiveKind::ALL_REDUCE, 8);
    NumberedProgram program;
    program.Set(RankId(0),
                std::make_shared<const RankProgram>(what),
                CommunicationGroups{GROUPS[0], GROUPS[0]});
    EXPECT_EQ(program.GetFlows(), 1U);
    EXPECT_EQ(program.GetNumber(1), 1U);
    EXPECT_EQ(program.GetNumber(2), 2U);
}
