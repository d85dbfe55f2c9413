/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sends that are posted together, as requests to a control plane: one phase with all their pairs.

#include "../support/photonic-rails-opus-bench.h"

#include "ns3/controller-core.h"
#include "ns3/test.h"

#include <numeric>

using namespace ns3;

namespace
{

/** A chain of ranks, each of which sends to the next. */
class ChainTestCase : public TestCase
{
  public:
    ChainTestCase()
        : TestCase("Grouped sends of a chain are one phase, and one reconfiguration")
    {
    }

  private:
    static constexpr uint32_t RANKS = 6;
    static constexpr uint64_t BYTES = 1 << 20;

    /** The decisions of the controller. */
    struct Outcome
    {
        uint64_t grants{0};
        uint64_t reconfigurations{0};
    };

    Outcome RunWith(bool grouped, uint32_t iterations)
    {
        OpusCase one;
        one.servers = RANKS;
        OpusBench bench(one);
        std::vector<uint32_t> ranks(RANKS);
        std::iota(ranks.begin(), ranks.end(), 0);
        const auto chain = bench.MakeGroup("pp 0", ranks);
        std::vector<GroupedSend> sends;
        for (uint32_t r = 0; r + 1 < RANKS; ++r)
        {
            sends.push_back({r, r + 1, BYTES});
        }
        for (uint32_t r = 0; r < RANKS; ++r)
        {
            auto program = std::make_shared<RankProgram>();
            for (uint32_t i = 0; i < iterations; ++i)
            {
                if (grouped)
                {
                    program->SendReceiveGroup(0, 0, RANKS, sends);
                    continue;
                }
                if (r > 0)
                {
                    program->Receive(1, 0, r - 1, BYTES);
                }
                if (r + 1 < RANKS)
                {
                    program->Send(0, 0, r + 1, BYTES);
                }
            }
            bench.SetProgram(r, program, {chain});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "all is done");
        for (uint32_t r = 0; r < RANKS; ++r)
        {
            const uint64_t out = r + 1 < RANKS ? iterations * BYTES : 0;
            const uint64_t in = r > 0 ? iterations * BYTES : 0;
            NS_TEST_EXPECT_MSG_EQ((bench.GetBytes(r) == std::make_pair(out, in)), true, r);
        }
        const ControllerCounters counters = bench.plane.controller->GetCore().GetCounters();
        return {counters.grants, counters.reconfigurations};
    }

    void DoRun() override
    {
        // two ports a rank, and no rank has more than two partners
        const Outcome once = RunWith(true, 1);
        NS_TEST_EXPECT_MSG_EQ(once.reconfigurations, 1, "all circuits at once");
        NS_TEST_EXPECT_MSG_EQ(once.grants, 1, "one phase");
        NS_TEST_EXPECT_MSG_EQ(RunWith(true, 5).reconfigurations, 1, "and they stay");
        // one by one a pair may have all ports of its ranks, and the next one has to wait
        NS_TEST_EXPECT_MSG_GT(RunWith(false, 1).reconfigurations, 1, "one by one");
    }
};

/** The suite. */
class OpusGroupedTestSuite : public TestSuite
{
  public:
    OpusGroupedTestSuite()
        : TestSuite("photonic-rails-opus-grouped", TestSuite::Type::UNIT)
    {
        AddTestCase(new ChainTestCase);
    }
};

static OpusGroupedTestSuite g_opusGroupedTestSuite;

} // namespace
