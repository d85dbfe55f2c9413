/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/nstime.h"
#include "ns3/program-order.h"
#include "ns3/program-stretches.h"
#include "ns3/rank-program.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

/** A program of computations and all-gathers, one by one. */
class ProgramStretchesTest : public testing::Test
{
  protected:
    uint32_t Compute(uint32_t stream = 0, int64_t ps = 1000)
    {
        return program.Compute(stream, TimeStep(ps));
    }

    uint32_t Gather(uint32_t stream = 0, uint32_t group = 0)
    {
        return program.Collective(stream, group, CollectiveKind::ALL_GATHER, 1000);
    }

    /** @return the operations of each stretch */
    std::vector<std::vector<uint32_t>> Find() const
    {
        std::vector<std::vector<uint32_t>> found;
        const ProgramOrder order(program);
        for (const ProgramStretch& one : order.GetStretches().GetAll())
        {
            found.push_back(one.operations);
        }
        return found;
    }

    RankProgram program;
};

using Stretches = std::vector<std::vector<uint32_t>>;

} // namespace

TEST_F(ProgramStretchesTest, HasWhatFollowsOnOneStream)
{
    Compute();
    Gather();
    Compute();
    Gather();
    EXPECT_EQ(Find(), (Stretches{{0, 1, 2, 3}}));
    const ProgramOrder order(program);
    const ProgramStretch* const stretch = order.GetStretches().FindAt(0);
    ASSERT_NE(stretch, nullptr);
    EXPECT_EQ(stretch->GetFirstCollective(), 1U);
    EXPECT_EQ(order.GetStretches().FindAt(1), nullptr);
}

TEST_F(ProgramStretchesTest, HasTwoCollectiveOperationsOrMore)
{
    Compute();
    Gather();
    Compute();
    EXPECT_EQ(Find(), Stretches());
}

TEST_F(ProgramStretchesTest, HasOneGroup)
{
    Gather();
    Gather();
    Gather(0, 1);
    Gather(0, 1);
    EXPECT_EQ(Find(), (Stretches{{0, 1}, {2, 3}}));
}

TEST_F(ProgramStretchesTest, EndsWhereAnotherStreamWaits)
{
    Gather();
    Gather();
    Gather();
    Gather();
    program.After(Compute(1), 1);
    EXPECT_EQ(Find(), (Stretches{{0, 1}, {2, 3}}));
}

TEST_F(ProgramStretchesTest, BeginsWhereItWaitsForAnotherStream)
{
    Compute(1);
    Gather();
    Gather();
    program.After(Gather(), 0);
    Gather();
    EXPECT_EQ(Find(), (Stretches{{1, 2}, {3, 4}}));
}

TEST_F(ProgramStretchesTest, EndsWhereTheFlowGoesOnOnAnotherStream)
{
    Gather();
    Gather();
    Compute();
    Gather(1); // begins when operation 1 is over, before 2 is
    Gather();
    Gather();
    EXPECT_EQ(Find(), (Stretches{{0, 1}, {2, 4, 5}})); // entered only when operation 3 is over
}

TEST_F(ProgramStretchesTest, HaveOneShapeIfTheyDoTheSame)
{
    for (const int64_t duration : {1000, 1000, 2000})
    {
        Compute(0, duration);
        Gather();
        Gather();
        program.BeginIteration();
    }
    const ProgramOrder order(program);
    const std::vector<ProgramStretch>& all = order.GetStretches().GetAll();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].shape, all[1].shape);
    EXPECT_NE(all[0].shape, all[2].shape);
    EXPECT_EQ(order.GetStretches().GetShapes(), 2U);
}
