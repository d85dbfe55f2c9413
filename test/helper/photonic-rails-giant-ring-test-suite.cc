/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jobs under the policy giant-ring: the bytes that GPUs forward, by first principles, whole
// training jobs beside electrical rails, and a controller that fails.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/boolean.h"
#include "ns3/job-helper.h"
#include "ns3/opus-controller-app.h"
#include "ns3/path-report.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t BUFFER = 12 << 16;  // divides by all numbers of ranks and channels
constexpr uint64_t CLEAR_TO_SEND = 64; // a receiver's clear-to-send
constexpr uint64_t EAGER = 16384;      // the largest send without one

/** @return a job of ranks without any operation */
JobPrograms
MakeRingJob(uint32_t ranks)
{
    JobPrograms job;
    job.ranks.resize(ranks);
    for (auto& rank : job.ranks)
    {
        rank.program = std::make_shared<RankProgram>();
    }
    return job;
}

/** @return a helper of giant rings */
JobHelper
MakeRingHelper(uint32_t perServer)
{
    JobHelper helper;
    helper.SetGpusPerServer(perServer);
    helper.SetScaleUp(perServer > 1);
    helper.SetReconfigurationTime(MicroSeconds(100));
    helper.GetOpus().SetPolicy("giant-ring");
    helper.GetCollectives().SetAttribute("Bidirectional", BooleanValue(false));
    return helper;
}

/** @return the bytes that GPUs of rails forward in a job, counted at each */
uint64_t
GetMultiHop(const Ptr<JobRun>& run)
{
    return run->GetAll().paths[static_cast<std::size_t>(TrafficPath::MULTI_HOP)].forwarded;
}

/** A collective whose neighbours are apart on the ring. */
class RingOfAFewTestCase : public TestCase
{
  public:
    RingOfAFewTestCase()
        : TestCase("A ring of every k-th GPU has a bandwidth tax of k")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t stride : {1U, 2U, 3U, 4U})
        {
            UsePicoseconds();
            JobPrograms job = MakeRingJob(12);
            std::vector<uint32_t> ranks;
            for (uint32_t rank = 0; rank < 12; rank += stride)
            {
                const auto program = std::make_shared<RankProgram>();
                program->Collective(0, 0, CollectiveKind::ALL_REDUCE, BUFFER, "ring");
                job.ranks[rank] = {program, {0}};
                ranks.push_back(rank);
            }
            job.groups.push_back({"group 0", ranks});
            Ptr<JobRun> run = MakeRingHelper(1).Install(job);
            Simulator::Run();
            run->Require();
            NS_TEST_EXPECT_MSG_EQ(GetBandwidthTax(run->GetAll().paths), stride, "hops a neighbour");
            NS_TEST_EXPECT_MSG_EQ(GetMultiHop(run),
                                  (stride - 1) * 2 * (ranks.size() - 1) * BUFFER,
                                  "each sends its buffer twice but for one part");
            run = nullptr;
            Simulator::Destroy();
        }
    }
};

/** Sends between random ranks. */
class RandomSendsTestCase : public TestCase
{
  public:
    RandomSendsTestCase()
        : TestCase("Sends between random ranks: each hop but the last is forwarded once")
    {
    }

  private:
    /** @return the links on the shorter way between two ranks, or their relays */
    static uint32_t CountHops(uint32_t one, uint32_t other, uint32_t perServer, uint32_t servers)
    {
        const uint32_t apart =
            std::abs(static_cast<int>(one / perServer) - static_cast<int>(other / perServer));
        return std::min(apart, servers - apart);
    }

    void DoRun() override
    {
        std::mt19937 draw(11);
        for (int round = 0; round < 20; ++round)
        {
            UsePicoseconds();
            const uint32_t perServer = 1 + draw() % 3;
            const uint32_t servers = 2 + draw() % 9;
            JobPrograms job = MakeRingJob(perServer * servers);
            std::vector<uint32_t> ranks(job.ranks.size());
            std::iota(ranks.begin(), ranks.end(), 0);
            std::shuffle(ranks.begin(), ranks.end(), draw);
            uint64_t expected = 0;
            for (uint32_t i = 0; i + 1 < ranks.size(); i += 2)
            {
                const uint32_t from = ranks[i];
                const uint32_t to = ranks[i + 1];
                const uint64_t bytes = EAGER + 1 + draw() % BUFFER;
                job.groups.push_back({"group " + std::to_string(i), {from, to}});
                const auto sender = std::make_shared<RankProgram>();
                sender->Send(0, 0, 1, bytes);
                job.ranks[from] = {sender, {i / 2}};
                const auto receiver = std::make_shared<RankProgram>();
                receiver->Receive(0, 0, 0, bytes);
                job.ranks[to] = {receiver, {i / 2}};
                const uint32_t hops = CountHops(from, to, perServer, servers);
                expected += hops > 1 ? (hops - 1) * (bytes + CLEAR_TO_SEND) : 0;
            }
            Ptr<JobRun> run = MakeRingHelper(perServer).Install(job);
            Simulator::Run();
            run->Require();
            NS_TEST_EXPECT_MSG_EQ(GetMultiHop(run),
                                  expected,
                                  servers << " servers of " << perServer);
            run = nullptr;
            Simulator::Destroy();
        }
    }
};

/** A whole training job. */
class RingTrainingTestCase : public TestCase
{
  public:
    RingTrainingTestCase()
        : TestCase("A training job delivers the same as over electrical rails, by fidelity too")
    {
    }

  private:
    static TrainingCase MakeCase(const std::string& policy, const std::string& fidelity)
    {
        TrainingCase one = TrainingCase::Small();
        one.plan.dp = 4; // on rails of 8
        one.policy = policy;
        one.fidelity = fidelity;
        return one;
    }

    void DoRun() override
    {
        JobTally electrical;
        {
            TrainingBench bench(MakeCase("electrical", "PacketTrains"));
            electrical = bench.run->GetAll();
        }
        Time end;
        for (const char* fidelity : {"PacketTrains", "PacketEvents"})
        {
            TrainingBench bench(MakeCase("giant-ring", fidelity));
            const JobTally ring = bench.run->GetAll();
            NS_TEST_EXPECT_MSG_EQ(ring.messages, electrical.messages, fidelity);
            NS_TEST_EXPECT_MSG_GT(GetBandwidthTax(ring.paths), 1, "not all are neighbours");
            NS_TEST_EXPECT_MSG_EQ(ring.reconfigurations, 1, "before the start");
            NS_TEST_EXPECT_MSG_GT(ring.end, electrical.end, "links carry it several times");
            NS_TEST_EXPECT_MSG_EQ((end.IsZero() || end == ring.end), true, "fidelities are equal");
            end = ring.end;
        }
    }
};

/** The controller fails, and a standby takes over what the rings carry. */
class RingTakeoverTestCase : public TestCase
{
  public:
    RingTakeoverTestCase()
        : TestCase("A standby takes grants over rings over")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t after : {300U, 1000U, 2000U})
        {
            TrainingCase one = TrainingCase::Small();
            one.plan.dp = 4;
            one.policy = "giant-ring";
            one.adjust = [](TrainingJobHelper& helper) { helper.GetOpus().SetStandby(true); };
            one.installed = [after](TrainingRun& run) {
                Simulator::Schedule(MicroSeconds(after),
                                    &OpusEndpoint::Crash,
                                    run.plane.controller);
            };
            TrainingBench bench(one);
            NS_TEST_EXPECT_MSG_EQ(bench.run->GetIterations(), 2, "it goes on");
        }
    }
};

/** One port at each GPU. */
class OnePortRingTestCase : public TestCase
{
  public:
    OnePortRingTestCase()
        : TestCase("NICs of one port are refused before anything is built")
    {
    }

  private:
    void DoRun() override
    {
        JobPrograms job = MakeRingJob(4);
        const auto program = std::make_shared<RankProgram>();
        program->Collective(0, 0, CollectiveKind::ALL_REDUCE, BUFFER, "ring");
        for (auto& rank : job.ranks)
        {
            rank = {program, {0}};
        }
        job.groups.push_back({"group 0", {0, 1, 2, 3}});
        OpusHelper opus;
        opus.SetPolicy("giant-ring");
        const CollectiveSettings settings = CollectiveHelper().MakeSettings(1);
        NS_TEST_EXPECT_MSG_EQ(opus.FindInfeasible(job, 1, 1, settings),
                              "a giant ring over 4 GPUs of rail 0 takes 2 ports of each, and the "
                              "job has 1 of one; give each NIC 2 ports or more",
                              "what to do");
        NS_TEST_EXPECT_MSG_EQ(opus.FindInfeasible(job, 1, 2, CollectiveHelper().MakeSettings(2)),
                              "",
                              "two will do");
    }
};

/** The suite. */
class GiantRingTestSuite : public TestSuite
{
  public:
    GiantRingTestSuite()
        : TestSuite("photonic-rails-giant-ring", TestSuite::Type::UNIT)
    {
        AddTestCase(new RingOfAFewTestCase);
        AddTestCase(new RandomSendsTestCase);
        AddTestCase(new RingTrainingTestCase);
        AddTestCase(new RingTakeoverTestCase);
        AddTestCase(new OnePortRingTestCase);
    }
};

GiantRingTestSuite g_giantRingTestSuite;

} // namespace
