/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Circuit hints that are added to the programs of a job.

#include "ns3/circuit-hint-edit.h"
#include "ns3/job-dry-run.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/two-stage-job.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/** A job of two stages; its computing alone takes time. */
class CircuitHintEdit : public testing::Test
{
  protected:
    CircuitHintEdit()
    {
        UsePicoseconds();
        m_job.iterations = ITERATIONS;
        m_job.forward = MicroSeconds(200);
        m_programs = m_job.Make(1);
        m_hinted = AddCircuitHints(m_programs, 1);
    }

    /** @return the hints of a rank */
    std::vector<RankOperation> HintsOf(uint32_t rank) const
    {
        std::vector<RankOperation> hints;
        for (const RankOperation& one : m_hinted.ranks[rank].program->GetOperations())
        {
            if (one.kind == RankOperation::Kind::CIRCUITS)
            {
                hints.push_back(one);
            }
        }
        return hints;
    }

    static constexpr uint32_t ITERATIONS = 3;
    TwoStageJob m_job;
    JobPrograms m_programs;
    JobPrograms m_hinted;
};

TEST_F(CircuitHintEdit, ARunOfAParallelismHasAHintForEachFlow)
{
    // dp, then pp and dp in each iteration: the gather of one follows the scatter of the last
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        const std::vector<RankOperation> hints = HintsOf(rank);
        EXPECT_EQ(hints.size(), 1 + ITERATIONS * (2 + 1)) << "pp has sends and receives";
        const auto& operations = m_hinted.ranks[rank].program->GetOperations();
        for (const RankOperation& hint : hints)
        {
            ASSERT_LT(hint.last, operations.size());
            EXPECT_LE(hint.first, hint.last);
            EXPECT_TRUE(operations[hint.first].IsExchange());
            EXPECT_EQ(operations[hint.first].kind, operations[hint.last].kind);
            EXPECT_EQ(operations[hint.first].group, operations[hint.last].group);
        }
    }
    EXPECT_EQ(m_hinted.ranks[0].program, m_hinted.ranks[1].program) << "equal work is shared";
}

TEST_F(CircuitHintEdit, CircuitsAreDueWhenTheirFirstOperationIsCalled)
{
    const Time forward = m_job.forward;
    const std::vector<RankOperation> first = HintsOf(0);
    EXPECT_EQ(first[0].due, Time(0)) << "the gather is called at once";
    EXPECT_EQ(first[1].due, forward) << "then a micro-batch goes forward, and is sent";
    EXPECT_EQ(first[2].due, forward) << "all of a run is due when its first operation is";
    EXPECT_EQ(first[3].due, 2 * forward) << "behind the last gradient there is a backward";
    const std::vector<RankOperation> second = HintsOf(2);
    EXPECT_EQ(second[1].due, Time(0)) << "stage 1 waits for activations at once";
    EXPECT_EQ(second[3].due, Time(0)) << "its backward is over when it sends the last gradient";
}

TEST_F(CircuitHintEdit, AHintComesWhenTheCircuitsBeforeItAreFree)
{
    const auto& operations = m_hinted.ranks[0].program->GetOperations();
    const std::vector<RankOperation> hints = HintsOf(0);
    EXPECT_TRUE(hints[0].after.empty());
    ASSERT_EQ(hints[1].after.size(), 1);
    EXPECT_EQ(operations[hints[1].after[0]].collective, CollectiveKind::ALL_GATHER);
    std::multiset<RankOperation::Kind> before;
    for (const uint32_t operation : hints[3].after)
    {
        before.insert(operations[operation].kind);
    }
    EXPECT_EQ(before,
              (std::multiset<RankOperation::Kind>{RankOperation::Kind::SEND,
                                                  RankOperation::Kind::RECEIVE}))
        << "the last of each stream of pp";
}

TEST_F(CircuitHintEdit, OperationsStayAsTheyAre)
{
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        const auto& before = m_programs.ranks[rank].program->GetOperations();
        const auto& after = m_hinted.ranks[rank].program->GetOperations();
        std::vector<uint32_t> numbers;
        for (uint32_t o = 0; o < after.size(); ++o)
        {
            if (after[o].kind != RankOperation::Kind::CIRCUITS)
            {
                numbers.push_back(o);
            }
        }
        ASSERT_EQ(numbers.size(), before.size());
        for (uint32_t o = 0; o < before.size(); ++o)
        {
            const RankOperation& one = after[numbers[o]];
            EXPECT_EQ(one.kind, before[o].kind);
            EXPECT_EQ(one.stream, before[o].stream);
            EXPECT_EQ(one.bytes, before[o].bytes);
            std::set<uint32_t> expected;
            for (const uint32_t earlier : before[o].after)
            {
                expected.insert(numbers[earlier]);
            }
            EXPECT_EQ(std::set<uint32_t>(one.after.begin(), one.after.end()), expected);
        }
    }
}

TEST_F(CircuitHintEdit, JobsWithHintsOrADeadlockDoNotChange)
{
    const JobPrograms again = AddCircuitHints(m_hinted, 1);
    EXPECT_EQ(again.ranks[0].program, m_hinted.ranks[0].program);
    JobPrograms stuck;
    stuck.groups.push_back({"pp", {0, 1}});
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        auto program = std::make_shared<RankProgram>();
        program->Send(0, 0, 1 - rank, 1000); // each waits for the other to receive
        program->Receive(0, 0, 1 - rank, 1000);
        stuck.ranks.push_back({program, {0}});
    }
    EXPECT_EQ(AddCircuitHints(stuck, 1).ranks[0].program, stuck.ranks[0].program);
}

TEST_F(CircuitHintEdit, OperationsInsideServersHaveNoHints)
{
    m_hinted = AddCircuitHints(m_programs, 4); // one server with all
    EXPECT_TRUE(HintsOf(0).empty());
}

TEST_F(CircuitHintEdit, TheDryRunHasTheTimesOfComputingAlone)
{
    const JobDryRun times(m_programs, true);
    const auto& operations = m_programs.ranks[0].program->GetOperations();
    // F0 and F1 of stage 0, and stage 1 behind it: F0 B0 F1 B1; then B1 of stage 0
    const int64_t forward = m_job.forward.GetTimeStep();
    const int64_t iteration = (1 + (1 + 2) * 2 + 2) * forward;
    for (uint32_t o = 0; o + 1 < operations.size(); ++o)
    {
        if (operations[o + 1].kind == RankOperation::Kind::ITERATION)
        {
            EXPECT_EQ(times.GetEnd(0, o) % iteration, 0);
        }
    }
    EXPECT_EQ(times.GetEnd(0, operations.size() - 1), ITERATIONS * iteration);
}

} // namespace
