/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jobs that are written as traces: what is read again is the same job, and what other tools read is
// the same traffic.

#include "../support/random-programs.h"
#include "trace-test-tools.h"

#include "ns3/chakra-trace-reader.h"
#include "ns3/chakra-trace-writer.h"
#include "ns3/goal-trace-reader.h"
#include "ns3/goal-trace-writer.h"
#include "ns3/optional-headers.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/trace-programs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

/** @return the text of a job */
std::string
WriteGoal(const JobPrograms& job)
{
    const GoalTraceWriter writer(job);
    EXPECT_EQ(writer.FindWhyNot(), "");
    std::string text;
    writer.Write([&text](const std::string& piece) { text += piece; });
    return text;
}

TraceResult
ReadGoal(const std::string& text, JobPrograms& job)
{
    std::istringstream in(text);
    TraceCollection collection;
    const TraceResult error = ReadGoalTrace(in, "given", collection);
    return error ? error : MakeTracePrograms(collection, job);
}

/** @return the file of a rank */
std::string
WriteChakra(const JobPrograms& job, uint32_t rank)
{
    std::string bytes;
    ChakraTraceWriter(job).Write(rank, [&bytes](const std::string& piece) { bytes += piece; });
    return bytes;
}

TraceResult
ReadChakra(const JobPrograms& written, JobPrograms& job)
{
    EXPECT_EQ(ChakraTraceWriter(written).FindWhyNot(), "");
    TraceCollection collection;
    EXPECT_EQ(collection.Ranks(written.ranks.size()), "");
    TraceResult error;
    for (uint32_t rank = 0; !error && rank < written.ranks.size(); ++rank)
    {
        std::istringstream in(WriteChakra(written, rank));
        error = ReadChakraTrace(in, "given", rank, collection);
    }
    return error ? error : MakeTracePrograms(collection, job);
}

/** @return the dependencies of an operation: its own, and the one before it on its stream */
std::set<uint32_t>
FindEarlier(const std::vector<RankOperation>& operations, uint32_t number)
{
    std::set<uint32_t> earlier(operations[number].after.begin(), operations[number].after.end());
    for (uint32_t before = number; before-- > 0;)
    {
        if (operations[before].stream == operations[number].stream)
        {
            earlier.insert(before);
            break;
        }
    }
    return earlier;
}

/** @return the groups that any rank has, in order: others are not written to every format */
std::vector<std::pair<std::string, std::vector<uint32_t>>>
ListGroups(const JobPrograms& job)
{
    std::set<uint32_t> used;
    for (const JobPrograms::Rank& rank : job.ranks)
    {
        used.insert(rank.groups.begin(), rank.groups.end());
    }
    std::vector<std::pair<std::string, std::vector<uint32_t>>> groups;
    for (const uint32_t number : used)
    {
        groups.emplace_back(job.groups[number].name, job.groups[number].ranks);
    }
    return groups;
}

/** Expects two operations to be the same. */
void
ExpectSame(const RankOperation& one, const RankOperation& other, const std::string& which)
{
    EXPECT_EQ(one.kind, other.kind) << which;
    EXPECT_EQ(one.stream, other.stream) << which;
    EXPECT_EQ(one.label, other.label) << which;
    EXPECT_EQ(one.duration, other.duration) << which;
    EXPECT_EQ(one.bytes, other.bytes) << which;
    EXPECT_EQ(one.group, other.group) << which;
    EXPECT_EQ(one.collective, other.collective) << which;
    EXPECT_EQ(one.algorithm, other.algorithm) << which;
    EXPECT_EQ(one.place, other.place) << which;
    EXPECT_EQ(one.straggler, other.straggler) << which;
    EXPECT_EQ(one.demand ? one.demand->GetKey() : "", other.demand ? other.demand->GetKey() : "");
}

/** Expects two jobs to be the same, but for dependencies that streams have anyway. */
void
ExpectSame(const JobPrograms& one, const JobPrograms& other)
{
    EXPECT_EQ(ListGroups(one), ListGroups(other));
    ASSERT_EQ(one.ranks.size(), other.ranks.size());
    for (uint32_t rank = 0; rank < one.ranks.size(); ++rank)
    {
        const auto& ours = one.ranks[rank].program->GetOperations();
        const auto& theirs = other.ranks[rank].program->GetOperations();
        ASSERT_EQ(ours.size(), theirs.size()) << rank;
        ASSERT_EQ(one.ranks[rank].groups.size(), other.ranks[rank].groups.size()) << rank;
        for (std::size_t k = 0; k < one.ranks[rank].groups.size(); ++k)
        {
            EXPECT_EQ(one.groups[one.ranks[rank].groups[k]].ranks,
                      other.groups[other.ranks[rank].groups[k]].ranks);
        }
        for (uint32_t number = 0; number < ours.size(); ++number)
        {
            ExpectSame(ours[number],
                       theirs[number],
                       "rank " + std::to_string(rank) + ", operation " + std::to_string(number));
            EXPECT_EQ(FindEarlier(ours, number), FindEarlier(theirs, number)) << number;
        }
    }
}

/** @return a text without its directives: what other tools read of it */
std::string
WithoutDirectives(const std::string& text)
{
    std::istringstream lines(text);
    std::string rest;
    for (std::string line; std::getline(lines, line);)
    {
        rest += line.compare(0, 3, "//!") == 0 ? "" : line + "\n";
    }
    return rest;
}

/** @return bytes by sender and receiver, of sends */
std::map<std::pair<uint32_t, uint32_t>, uint64_t>
CountBytes(const JobPrograms& job)
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        for (const RankOperation& one : job.ranks[rank].program->GetOperations())
        {
            if (one.kind == RankOperation::Kind::SEND)
            {
                const uint32_t group = job.ranks[rank].groups[one.group];
                bytes[{rank, job.groups[group].ranks[one.place]}] += one.bytes;
            }
        }
    }
    return bytes;
}

/** @return a job of one operation of all ranks */
JobPrograms
MakeJob(uint32_t ranks, const RankOperation& operation)
{
    JobPrograms job;
    job.groups.push_back({"all", {}});
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const auto program = std::make_shared<RankProgram>();
        program->Add(operation);
        job.groups[0].ranks.push_back(rank);
        job.ranks.push_back({program, {0}});
    }
    return job;
}

RankOperation
Collective(CollectiveKind kind, uint64_t bytes, const std::string& algorithm = "")
{
    RankOperation operation;
    operation.kind = RankOperation::Kind::COLLECTIVE;
    operation.collective = kind;
    operation.bytes = bytes;
    operation.algorithm = algorithm;
    return operation;
}

} // namespace

TEST(TraceWriters, GoalIsReadAgainAsTheSameJob)
{
    for (uint32_t number = 0; number < 200; ++number)
    {
        const JobPrograms job = RandomPrograms(number).Draw(2 + number % 6);
        JobPrograms read;
        const TraceResult error = ReadGoal(WriteGoal(job), read);
        ASSERT_FALSE(error) << number << ": " << error->ToString();
        EXPECT_TRUE(read.isWhole);
        ExpectSame(job, read);
        ASSERT_FALSE(HasFailure()) << number;
    }
}

TEST(TraceWriters, OtherToolsReadTheSendsOfCollectives)
{
    for (uint32_t number = 0; number < 100; ++number)
    {
        const JobPrograms job = RandomPrograms(number).Draw(2 + number % 6);
        const std::string text = WithoutDirectives(WriteGoal(job));
        EXPECT_EQ(text.find("//"), std::string::npos);
        JobPrograms read;
        const TraceResult error = ReadGoal(text, read);
        ASSERT_FALSE(error) << number << ": " << error->ToString();
        EXPECT_FALSE(read.isWhole);
        EXPECT_TRUE(JobPlayer(read).Play()) << number;
    }
}

TEST(TraceWriters, ARingIsWrittenAsItsSends)
{
    // an all-reduce of n ranks: each sends 2 (n - 1) shares to the next one
    JobPrograms read;
    const JobPrograms job = MakeJob(4, Collective(CollectiveKind::ALL_REDUCE, 4096, "ring"));
    ASSERT_FALSE(ReadGoal(WithoutDirectives(WriteGoal(job)), read));
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> expected;
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        expected[{rank, (rank + 1) % 4}] = uint64_t{2} * 3 * 1024;
    }
    EXPECT_EQ(CountBytes(read), expected);
    // an all-to-all by a matrix: its bytes
    RankOperation exchange = Collective(CollectiveKind::ALL_TO_ALL_V, 0);
    const auto demand = std::make_shared<DemandMatrix>(3);
    demand->Set(0, 1, 10);
    demand->Set(2, 0, 70);
    exchange.demand = demand;
    ASSERT_FALSE(ReadGoal(WithoutDirectives(WriteGoal(MakeJob(3, exchange))), read));
    uint64_t sum = 0;
    for (const auto& [pair, bytes] : CountBytes(read))
    {
        sum += bytes;
    }
    EXPECT_GE(sum, 80U);
}

TEST(TraceWriters, WhatComesAfterACollectiveWaitsForIt)
{
    UsePicoseconds();
    JobPrograms job = MakeJob(2, Collective(CollectiveKind::BROADCAST, 4096, "ring"));
    for (JobPrograms::Rank& rank : job.ranks)
    {
        auto program = std::make_shared<RankProgram>(*rank.program);
        program->Compute(0, NanoSeconds(7));
        rank.program = program;
    }
    const std::string text = WriteGoal(job);
    EXPECT_NE(text.find("o1: calc 7 cpu 0\no1 requires o0e\n"), std::string::npos) << text;
    EXPECT_NE(text.find("o0e requires o0r0\n"), std::string::npos) << text;
}

TEST(TraceWriters, WhatGoalCantCarryIsRefused)
{
    RankOperation hint;
    hint.kind = RankOperation::Kind::CIRCUITS;
    EXPECT_NE(GoalTraceWriter(MakeJob(2, hint)).FindWhyNot().find("rank 0, operation 0: a circuit"),
              std::string::npos);
    EXPECT_NE(ChakraTraceWriter(MakeJob(2, hint)).FindWhyNot().find("a circuit hint"),
              std::string::npos);
    const JobPrograms pair = MakeJob(2, Collective(CollectiveKind::SEND_RECV, 8));
    EXPECT_NE(ChakraTraceWriter(pair).FindWhyNot().find("send-recv"), std::string::npos);
}

TEST(TraceWriters, DamagedDirectivesAreNamedWithTheirLine)
{
    const std::string head =
        "//! photonic-rails 1\nnum_ranks 2\n//! group 0 dp 0\n//! ranks 0 0 1\n";
    const std::string other = "rank 1 {\n//! groups 0\n}\n";
    const auto expect = [&](const std::string& body, uint64_t line, const std::string& words) {
        JobPrograms job;
        const TraceResult error = ReadGoal(head + "rank 0 {\n" + body + "}\n" + other, job);
        ASSERT_TRUE(error) << body;
        EXPECT_EQ(error->line, line) << error->ToString();
        EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
    };
    expect("//! speed 3\n", 6, "found \"speed\"");
    expect("//! next ps\n", 6, "picoseconds, found the end of the line");
    expect("//! next ps x\na: calc 1\n", 6, "picoseconds");
    expect("//! end\n", 6, "groups, matrix");
    expect("//! collective\n", 6, "a collective, found");
    expect("//! collective sort\n", 6, "a collective such as");
    expect("//! collective all-reduce group 0 bytes 8\na: calc 0\n", 8, "//! end");
    expect("//! collective all-reduce group 0 bytes 8 matrix 1\n", 6, "a matrix that is above");
    expect("//! matrix 1 2\n//! matrix 1 0 1 2 3 4\n", 7, "4 numbers of a matrix");
    expect("//! groups 0\n//! collective all-reduce group 0 bytes 8\na: calc 0\n//! end\n",
           7,
           "all 2 ranks of the group");
    expect("//! groups 0\n//! collective all-reduce group 5 bytes 8\na: calc 0\n//! end\n",
           7,
           "a group of the rank's program");
    expect("//! groups 0\n//! next group 0\na: send 8b to 1\n", 8, "rank 1 to receive this");
    expect("//! groups 0\na: send 8b to 1\n", 7, "a group of the rank's program");
    expect("a: calc 1\nb: calc 1\na requires b\n", 6, "to follow those that they depend on");
    expect("a: calc 1\nb: calc 1\nb irequires a\n", 7, "beginning of a node");
}

TEST(TraceWriters, OtherCommentsOfThatKindAreComments)
{
    UsePicoseconds();
    JobPrograms job;
    const TraceResult error = ReadGoal("//! a note\nnum_ranks 1\nrank 0 {\n//! next ps 5\n"
                                       "a: calc 7 cpu 3 //! of a kernel\n}\n",
                                       job);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(job.ranks[0].program->GetOperations()[0].duration, NanoSeconds(7));
}

#ifdef PHOTONIC_RAILS_HAS_PROTOZERO
#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

TEST(TraceWriters, ChakraIsReadAgainAsTheSameJob)
{
    for (uint32_t number = 0; number < 200; ++number)
    {
        const JobPrograms job = RandomPrograms(number).Draw(2 + number % 6);
        JobPrograms read;
        const TraceResult error = ReadChakra(job, read);
        ASSERT_FALSE(error) << number << ": " << error->ToString();
        EXPECT_TRUE(read.isWhole);
        ExpectSame(job, read);
        ASSERT_FALSE(HasFailure()) << number;
    }
}

TEST(TraceWriters, AWholeJobNeedsTheFilesOfAllRanks)
{
    const JobPrograms job = MakeJob(3, Collective(CollectiveKind::ALL_GATHER, 10));
    TraceCollection collection;
    ASSERT_EQ(collection.Ranks(3), "");
    for (const uint32_t rank : {0, 1})
    {
        std::istringstream in(WriteChakra(job, rank));
        ASSERT_FALSE(ReadChakraTrace(in, "given", rank, collection));
    }
    JobPrograms read;
    EXPECT_TRUE(MakeTracePrograms(collection, read)) << "rank 2 does not call it";
}

TEST(TraceWriters, ProcessGroupsAreWrittenAsPyTorchHasThem)
{
    const std::string bytes = WriteChakra(MakeJob(2, Collective(CollectiveKind::ALL_REDUCE, 8)), 0);
    EXPECT_NE(bytes.find("## process_group:init ##"), std::string::npos);
    EXPECT_NE(bytes.find("['[{\"pg_name\": \"0\", \"pg_desc\": \"all\", \"ranks\": [0, 1], "
                         "\"group_size\": 2}]']"),
              std::string::npos);
}

#endif
#endif
