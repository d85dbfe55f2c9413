/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A pipeline of three stages, each of two servers that share parameters, on one rail: whether
// parallelisms share the rail or use it one after the other.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"

#include "ns3/controller-core.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdlib>

using namespace ns3;

namespace
{

/** Stage s has ranks 2s and 2s + 1: "dp" joins these, "pp" the even ranks and the odd ones. */
struct PipelineBench : public OpusBench
{
    static OpusCase MakeCase(const std::string& policy, const std::string& granularity)
    {
        OpusCase one;
        one.servers = 6;
        one.policy = policy;
        one.granularity = granularity;
        return one;
    }

    PipelineBench(const std::string& policy, const std::string& granularity)
        : OpusBench(MakeCase(policy, granularity))
    {
        for (uint32_t stage = 0; stage < 3; ++stage)
        {
            dp.push_back(MakeGroup("dp " + std::to_string(stage), {2 * stage, 2 * stage + 1}));
        }
        pp.push_back(MakeGroup("pp 0", {0, 2, 4}));
        pp.push_back(MakeGroup("pp 1", {1, 3, 5}));
    }

    /** Gives both ranks of each stage its program. @param programs by stage */
    void SetPrograms(const std::vector<RankProgram>& programs)
    {
        for (uint32_t rank = 0; rank < 6; ++rank)
        {
            SetProgram(rank,
                       std::make_shared<RankProgram>(programs[rank / 2]),
                       {dp[rank / 2], pp[rank % 2]});
        }
    }

    std::vector<std::shared_ptr<const CommunicationGroup>> dp;
    std::vector<std::shared_ptr<const CommunicationGroup>> pp;
};

/** The last stage gathers for long; the others send to each other. */
class OverlapTestCase : public TestCase
{
  public:
    OverlapTestCase()
        : TestCase("Gathers of one stage and sends of others: side by side, or in turns")
    {
    }

  private:
    static constexpr uint64_t LONG = 64 << 20;
    static constexpr uint64_t SEND = 4 << 20;

    /** The results of a run. */
    struct Outcome
    {
        Picoseconds gathered{0}; //!< the last stage has its parameters
        Picoseconds begun{0};    //!< the first send of stage 0 had circuits
        Picoseconds sent{0};     //!< the last one was over
        Picoseconds end{0};
        uint64_t conflicts{0};
    };

    Outcome RunWith(const std::string& granularity)
    {
        PipelineBench bench("on-demand", granularity);
        std::vector<RankProgram> programs(3);
        for (uint32_t stage = 0; stage < 3; ++stage)
        {
            programs[stage].Collective(0,
                                       DP,
                                       CollectiveKind::ALL_GATHER,
                                       stage == 2 ? LONG : 1 << 18,
                                       "ring");
        }
        for (uint32_t k = 0; k < 2; ++k)
        {
            programs[0].Send(0, PP, 1, SEND);
            programs[1].Receive(0, PP, 0, SEND);
        }
        programs[1].Send(0, PP, 2, SEND);
        programs[2].Receive(0, PP, 1, SEND);
        bench.SetPrograms(programs);
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", granularity << ": the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, granularity << ": all is done");
        Outcome outcome;
        outcome.end = bench.end;
        outcome.conflicts = bench.plane.controller->GetCore().GetCounters().conflicts;
        outcome.begun = NEVER;
        for (const uint32_t rank : {0, 1})
        {
            outcome.gathered = std::max(outcome.gathered, bench.EndOf(4 + rank, 0));
            const OperationRecord& first = *bench.Find(rank, 1);
            outcome.begun = std::min(outcome.begun, (first.start + first.waited).GetTimeStep());
            outcome.sent = std::max(outcome.sent, bench.EndOf(rank, 2));
        }
        return outcome;
    }

    void DoRun() override
    {
        const Outcome group = RunWith("Group");
        const Outcome rail = RunWith("Rail");
        // half of 64 MiB at 2 x 200 Gb/s is 671 us: longer than two sends of 4 MiB and a
        // reconfiguration
        NS_TEST_EXPECT_MSG_LT(group.sent, group.gathered, "side by side");
        NS_TEST_EXPECT_MSG_GT(rail.begun, rail.gathered, "in turns");
        NS_TEST_EXPECT_MSG_GT(rail.conflicts, group.conflicts, "and the controller knows why");
        NS_TEST_EXPECT_MSG_LT(std::abs(rail.gathered - group.gathered),
                              US,
                              "the gather is the same");
        // Overlapped operations come after it: both sends, even if they had both ports. The last
        // stage then waits for a shift and a send, as before.
        const Picoseconds both = 2 * SEND * 8 * 5 / 2; // at 400 Gb/s a bit takes 2.5 ps
        NS_TEST_EXPECT_MSG_GT(rail.end - group.end, both, "so much longer at least");
        // and not more than these and one shift: with one port each, 5 ps a bit, and headers of 2 %
        const Picoseconds most = 2 * both + both / 10 + 160 * US;
        NS_TEST_EXPECT_MSG_LT(rail.end - group.end, most, "and so much at most");
    }
};

/** One forward, one backward. */
class OneForwardOneBackwardTestCase : public TestCase
{
  public:
    OneForwardOneBackwardTestCase()
        : TestCase("1F1B with warm-up, steady state and cool-down")
    {
    }

  private:
    /** @return when it was over */
    Picoseconds RunWith(const PipelineIteration& shape,
                        const std::string& policy,
                        const std::string& granularity)
    {
        constexpr uint32_t ITERATIONS = 4;
        const std::string name = policy + ", " + granularity + ", " +
                                 std::to_string(shape.microBatches) + " micro-batches";
        PipelineBench bench(policy, granularity);
        std::vector<RankProgram> programs(3);
        for (uint32_t stage = 0; stage < 3; ++stage)
        {
            for (uint32_t i = 0; i < ITERATIONS; ++i)
            {
                shape.Add(programs[stage], stage, stage * 60 * US);
            }
        }
        bench.SetPrograms(programs);
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", name << ": the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, name << ": all iterations");
        NS_TEST_EXPECT_MSG_EQ(bench.audit.GetTotals().framesDropped, 0, name << ": none is cut");
        NS_TEST_EXPECT_MSG_EQ(bench.plane.GetTimes().wrongPredictions, 0, name);
        for (uint32_t rank = 0; rank < 6; ++rank)
        {
            // half of what is gathered and of what is scattered, and a micro-batch to each
            // neighbour, of which the middle has two
            const uint64_t neighbours = rank / 2 == 1 ? 2 : 1;
            const uint64_t bytes =
                ITERATIONS *
                (shape.parameters + neighbours * shape.microBatches * shape.activations);
            NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(rank).first, bytes, name << ": rank " << rank);
            NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(rank).second, bytes, name << ": rank " << rank);
        }
        return bench.end;
    }

    void DoRun() override
    {
        for (const uint32_t microBatches : {1, 2, 4, 5})
        {
            PipelineIteration shape;
            shape.microBatches = microBatches;
            shape.parameters = 4 << 20;
            const Picoseconds onDemand = RunWith(shape, "on-demand", "Group");
            const Picoseconds railOnDemand = RunWith(shape, "on-demand", "Rail");
            const Picoseconds provisioned = RunWith(shape, "provisioned", "Group");
            const Picoseconds railProvisioned = RunWith(shape, "provisioned", "Rail");
            NS_TEST_EXPECT_MSG_LT(onDemand, railOnDemand, microBatches << ": Rail is slower");
            NS_TEST_EXPECT_MSG_LT(provisioned,
                                  railProvisioned + 1,
                                  microBatches << ": or not faster");
            NS_TEST_EXPECT_MSG_LT(provisioned, onDemand + 1, microBatches << ": asking early pays");
            NS_TEST_EXPECT_MSG_LT(railProvisioned, railOnDemand + 1, microBatches << ": Rail, too");
            // a pipeline cannot be faster than its last stage: parameters late by 120 us, and each
            // micro-batch forward and backward, 50 + 100 us; and the way there and back
            const Picoseconds least = 4 * (120 + microBatches * 150 + 2 * 150) * US;
            NS_TEST_EXPECT_MSG_GT(provisioned, least, microBatches << ": nothing is skipped");
        }
    }
};

/** The suite. */
class OpusPipelineTestSuite : public TestSuite
{
  public:
    OpusPipelineTestSuite()
        : TestSuite("photonic-rails-opus-pipeline", TestSuite::Type::UNIT)
    {
        AddTestCase(new OverlapTestCase);
        AddTestCase(new OneForwardOneBackwardTestCase);
    }
};

static OpusPipelineTestSuite g_opusPipelineTestSuite;

} // namespace
