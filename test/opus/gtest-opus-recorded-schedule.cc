/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-test-phases.h"

#include "ns3/recorded-schedule.h"

#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/** @return the result of reading: an error, or nothing */
std::string
Read(const std::string& text, RecordedSchedule& plan)
{
    std::istringstream in(text);
    return RecordedSchedule::Read(in, "plan.txt", plan);
}

std::string
Write(const RecordedSchedule& plan)
{
    std::ostringstream out;
    plan.Write(out);
    return out.str();
}

RankCircuit
Join(uint32_t one, uint32_t onePort, uint32_t other, uint32_t otherPort)
{
    return {RankId(one), onePort, RankId(other), otherPort};
}

OpusPhase
SendPhase(uint32_t from, uint32_t to, uint64_t operation)
{
    OpusPhase phase = Operation(3, operation);
    phase.pointToPoint = true;
    phase.from = RankId(from);
    phase.to = RankId(to);
    return phase;
}

const std::string EXAMPLE = "# circuits are rank.port-rank.port\n"
                            "start : 0.1-4.1 8.1-12.1\r\n"
                            "\n"
                            "job 0 group 2 operation 17 stage 0 : 0.0-4.1 8.0-0.1  # a star\r\n"
                            "\tjob 0  send 0 4 group 3 operation 5 stage 0: 4.0-0.0";

/** @return circuits at random, of which no two have a port in common */
std::vector<RankCircuit>
MakeCircuits(std::mt19937& random)
{
    std::vector<uint32_t> ranks(2 * (random() % 5));
    for (uint32_t i = 0; i < ranks.size(); ++i)
    {
        ranks[i] = i; // in an order at random, so each is on one circuit
        std::swap(ranks[i], ranks[random() % (i + 1)]);
    }
    std::vector<RankCircuit> circuits;
    for (uint32_t i = 0; i < ranks.size(); i += 2)
    {
        circuits.push_back(Join(ranks[i], random() % 3, ranks[i + 1], random() % 3));
    }
    return circuits;
}

OpusPhase
MakePhase(std::mt19937& random)
{
    OpusPhase phase = Operation(random() % 3,
                                random() % 9 == 0 ? UINT64_MAX : random() % 5,
                                random() % 9 == 0 ? UINT32_MAX : random() % 2);
    phase.job = JobId(random() % 2);
    phase.pointToPoint = random() % 2 == 0;
    phase.from = RankId(random() % 3);
    phase.to = RankId(random() % 3);
    return phase;
}

RecordedSchedule
MakePlan(std::mt19937& random)
{
    RecordedSchedule plan;
    for (uint32_t i = random() % 3; i > 0; --i)
    {
        plan.AddStart(MakeCircuits(random));
    }
    for (uint32_t i = random() % 20; i > 0; --i)
    {
        plan.Add(MakePhase(random), MakeCircuits(random));
    }
    return plan;
}

} // namespace

TEST(OpusRecordedSchedule, IsReadAsItIsWritten)
{
    RecordedSchedule expected;
    expected.AddStart({Join(0, 1, 4, 1), Join(8, 1, 12, 1)});
    expected.Add(Operation(2, 17), {Join(0, 0, 4, 1), Join(0, 1, 8, 0)});
    expected.Add(SendPhase(0, 4, 5), {Join(0, 0, 4, 0)});
    RecordedSchedule plan;
    EXPECT_EQ(Read(EXAMPLE, plan), "");
    EXPECT_TRUE(plan == expected) << Write(plan);
    // the order in which circuits were named, and of their ends, is not kept
    EXPECT_NE(Write(plan).find("job 0 group 2 operation 17 stage 0 : 0.0-4.1 0.1-8.0\n"),
              std::string::npos);
    expected.Add(Operation(2, 18), {});
    EXPECT_FALSE(plan == expected);
}

TEST(OpusRecordedSchedule, ErrorsNameTheLineAndWhatWasExpectedAndLeaveNothingBehind)
{
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"group 2 operation 1 stage 0 :", "expected \"job\" or \"start\", found \"group\""},
        {"start", "expected \":\", found the end of the line"},
        {"start : 0.0-1.0 :", "expected a circuit such as 0.0-4.1"},
        {"job 0", "expected \"send\" or \"group\", found the end"},
        {"job -1 group 2", "expected a job, a number up to 4294967295, found \"-1\""},
        {"job 4294967296 group 2", "expected a job"},
        {"job 0 send 0 group 2", "expected the rank that receives"},
        {"job 0 send 0 1 operation 2", "expected \"group\", found \"operation\""},
        {"job 0 group 2 stage 0", "expected \"operation\", found \"stage\""},
        {"job 0 group 2 operation 18446744073709551616 stage 0 :", "expected an operation"},
        {"job 0 group 2 operation 1 stage 0x1 :", "expected a stage"},
        {"job 0 group 2 operation 1 stage 0 0.0-1.0", "expected \":\""},
        {"start : 0-1", "expected a circuit"},
        {"start : 0.0-1", "expected a circuit"},
        {"start : 0.0-1.", "expected a circuit"},
        {"start : 0.0-1.0x", "expected a circuit"},
        {"start : 0.0-1.4294967296", "expected a circuit"},
        {"start : 0.0-0.1", "expected a circuit between two ranks"},
        {"start : 0.0-1.0 2.0-1.0", "expected a circuit on ports that no other"},
        {"start : \x1b[31m", "found \"?[31m\""},
        {"job 0 group 9 operation 0 stage 0 :", "expected each phase once"},
    };
    for (const auto& [line, expected] : wrong)
    {
        RecordedSchedule plan;
        ASSERT_EQ(Read(EXAMPLE, plan), "");
        const RecordedSchedule before = plan;
        const std::string error =
            Read("# a comment\njob 0 group 9 operation 0 stage 0 : 0.0-1.0\n" + line + "\n", plan);
        EXPECT_EQ(error.rfind("plan.txt:3: expected ", 0), 0) << line << ": " << error;
        EXPECT_NE(error.find(expected), std::string::npos) << line << ": " << error;
        EXPECT_TRUE(plan == before) << line;
    }
    RecordedSchedule plan;
    EXPECT_NE(Read("start : 0.0-1.0\nstart : 2.0-3.0\n", plan), "");
    EXPECT_NE(RecordedSchedule::ReadFile("/no/such/plan.txt", plan).find("can't be opened"),
              std::string::npos);
    EXPECT_NE(RecordedSchedule::ReadFile("/", plan), "") << "a folder";
}

TEST(OpusRecordedSchedule, PiecesOfAPhaseAddUpAndTheLastWordOnAPortCounts)
{
    RecordedSchedule pieces;
    pieces.Add(Operation(0, 0), {Join(0, 0, 1, 0)});
    pieces.Add(Operation(0, 0), {Join(3, 0, 2, 0), Join(1, 0, 0, 0)}); // named twice
    RecordedSchedule whole;
    whole.Add(Operation(0, 0), {Join(0, 0, 1, 0), Join(2, 0, 3, 0)});
    EXPECT_TRUE(pieces == whole);
    pieces.Add(Operation(0, 0), {Join(1, 0, 2, 0)}); // takes a port of each of the two
    RecordedSchedule later;
    later.Add(Operation(0, 0), {Join(1, 0, 2, 0)});
    EXPECT_TRUE(pieces == later) << Write(pieces);
}

TEST(OpusRecordedSchedule, ALineHoldsForLaterOperationsUntilAnother)
{
    RecordedSchedule plan;
    plan.Add(Operation(1, 3), {Join(0, 0, 1, 0)});
    plan.Add(Operation(1, 3, 1), {Join(0, 0, 2, 0)});
    plan.Add(Operation(1, 7), {Join(0, 0, 3, 0)});
    plan.Add(SendPhase(0, 1, 0), {Join(0, 1, 1, 1)});
    const auto partnerOf = [&plan](const OpusPhase& phase) {
        const std::vector<RankCircuit>* circuits = plan.Find(phase);
        return circuits ? circuits->at(0).other.Get() : 0;
    };
    EXPECT_EQ(partnerOf(Operation(1, 2)), 0) << "no line yet";
    EXPECT_EQ(partnerOf(Operation(1, 3)), 1);
    EXPECT_EQ(partnerOf(Operation(1, 6)), 1);
    EXPECT_EQ(partnerOf(Operation(1, 7)), 3);
    EXPECT_EQ(partnerOf(Operation(1, 6, 1)), 2) << "a line of the same stage";
    EXPECT_EQ(partnerOf(Operation(1, 8, 1)), 2);
    EXPECT_EQ(partnerOf(Operation(1, 8, 2)), 0);
    EXPECT_EQ(partnerOf(Operation(2, 9)), 0) << "another group";
    EXPECT_EQ(partnerOf(SendPhase(0, 1, 9)), 1);
    EXPECT_EQ(partnerOf(SendPhase(1, 0, 9)), 0) << "the other direction";
    OpusPhase other = Operation(1, 3);
    other.job = JobId(1);
    EXPECT_EQ(partnerOf(other), 0);
}

TEST(OpusRecordedSchedule, WhatIsWrittenIsReadBackEqual)
{
    std::mt19937 random(1);
    for (uint32_t round = 0; round < 2000; ++round)
    {
        const RecordedSchedule plan = MakePlan(random);
        RecordedSchedule again;
        ASSERT_EQ(Read(Write(plan), again), "") << Write(plan);
        ASSERT_TRUE(again == plan) << Write(plan) << "\nbecame\n" << Write(again);
    }
}

TEST(OpusRecordedSchedule, WhateverIsReadIsAnErrorOrAPlan)
{
    std::mt19937 random(2);
    const std::string outbox = "0123456789.-: \t\r\n#jobsendgroupoperationstagestart";
    uint32_t errors = 0;
    uint32_t plans = 0;
    for (uint32_t round = 0; round < 20000; ++round)
    {
        std::string text = round % 4 == 0 ? std::string() : Write(MakePlan(random));
        const bool isNoise = text.empty();
        for (uint32_t i = 1 + random() % (isNoise ? 60 : 3); i > 0; --i)
        {
            const char outgoing =
                random() % 2 == 0 ? static_cast<char>(random()) : outbox[random() % outbox.size()];
            const std::size_t place = text.empty() ? 0 : random() % text.size();
            switch (isNoise ? 0 : random() % 4)
            {
            case 0:
                text.insert(place, 1, outgoing);
                break;
            case 1:
                text.erase(place, random() % 8);
                break;
            case 2:
                text[place] = outgoing;
                break;
            default:
                text.insert(place, text.substr(random() % text.size(), random() % 40));
            }
        }
        RecordedSchedule plan;
        const std::string error = Read(text, plan);
        if (error.empty())
        {
            ++plans;
            RecordedSchedule again;
            ASSERT_EQ(Read(Write(plan), again), "") << text;
            ASSERT_TRUE(again == plan) << text;
        }
        else
        {
            ++errors;
            ASSERT_EQ(error.rfind("plan.txt:", 0), 0) << error;
            ASSERT_TRUE(plan == RecordedSchedule()) << "half loaded: " << text;
        }
    }
    EXPECT_GT(errors, 2000) << "mistakes are found";
    EXPECT_GT(plans, 500) << "and not everything is one";
}
