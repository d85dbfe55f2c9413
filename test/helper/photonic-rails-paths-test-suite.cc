/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The paths of a job's operations: chosen by the time of a reconfiguration on the switches and the
// networks that were built.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/job-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/reconfiguration-estimate.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"

#include <map>
#include <numeric>
#include <string>

using namespace ns3;

namespace
{

/** @return a job of experts whose router loads all alike */
TrainingCase
MakeExpertCase(Time reconfiguration)
{
    TrainingCase one = TrainingCase::Experts();
    one.reconfiguration = reconfiguration;
    return one;
}

/** @return the operations on a path */
uint64_t
On(const JobTally& tally, TrafficPath path)
{
    return tally.paths[static_cast<std::size_t>(path)].operations;
}

/** @return an attribute of the first shim of a job */
Time
GetTimeOfShim(const JobRun& run, const std::string& name)
{
    TimeValue value;
    run.plane.shims.at(0)->GetAttribute(name, value);
    return value.Get();
}

/** The time of a reconfiguration. */
class EstimateTestCase : public TestCase
{
  public:
    EstimateTestCase()
        : TestCase("Shims expect the reconfiguration time of what was built")
    {
    }

  private:
    void DoRun() override
    {
        // 25 ms of switching, 1 to 3 ms of link-up, 4 datagrams of 128 bytes or less at 1 Gb/s and
        // 10 us each, and 2 us to the shim and back
        TrainingCase one = MakeExpertCase(MilliSeconds(25));
        one.iterations = 1;
        one.adjust = [](TrainingJobHelper& helper) {
            helper.SetLinkUpTime("ns3::UniformRandomVariable[Min=0.001|Max=0.003]");
        };
        one.installed = [this](TrainingRun& run) {
            const Time without =
                MilliSeconds(25) + MilliSeconds(2) + 4 * MicroSeconds(10) + MicroSeconds(2);
            const Time expected = GetTimeOfShim(run, "ReconfigurationTime");
            NS_TEST_EXPECT_MSG_GT(expected, without, "switching, link-up, latencies");
            NS_TEST_EXPECT_MSG_LT(expected, without + 4 * MicroSeconds(2), "and serialisation");
            NS_TEST_EXPECT_MSG_EQ(
                expected,
                EstimateReconfiguration(run.rails,
                                        MicroSeconds(1),
                                        ManagementNetworkHelper().GetRoundTrip(128, 128)),
                "the sum");
        };
        TrainingBench{one};
        one.adjust = [](TrainingJobHelper& helper) {
            helper.GetOpus().SetShimAttribute("ReconfigurationTime", TimeValue(Seconds(3)));
        };
        one.installed = [this](TrainingRun& run) {
            NS_TEST_EXPECT_MSG_EQ(GetTimeOfShim(run, "ReconfigurationTime"),
                                  Seconds(3),
                                  "the user's value holds");
        };
        TrainingBench{one};
    }
};

/** All-to-alls of experts. */
class ExpertsTestCase : public TestCase
{
  public:
    ExpertsTestCase()
        : TestCase("All-to-alls go around a ring that stands, unless reconfiguration is sooner")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            TrainingCase slow = MakeExpertCase(MilliSeconds(25));
            slow.policy = policy;
            TrainingCase blind = slow;
            blind.adjust = [](TrainingJobHelper& helper) {
                helper.GetOpus().SetShimAttribute("ReconfigurationTime", TimeValue(Time(0)));
            };
            const JobTally chosen = TrainingBench(slow).run->GetSteady();
            const JobTally taken = TrainingBench(blind).run->GetSteady();
            NS_TEST_EXPECT_MSG_EQ(chosen.reconfigurations, 0, policy << ": the ring stands");
            NS_TEST_EXPECT_MSG_GT(On(chosen, TrafficPath::RING), 0, policy << ": all-to-alls");
            NS_TEST_EXPECT_MSG_GT(On(taken, TrafficPath::MATCHINGS), 0, policy << ": not weighed");
            NS_TEST_EXPECT_MSG_GT(taken.end, 10 * chosen.end, policy << ": 25 ms each");
            CheckSums(slow, policy);
        }
    }

    /** Each exchange of each rank is on one path, with its bytes. */
    void CheckSums(const TrainingCase& one, const std::string& name)
    {
        const TrainingBench bench(one);
        const JobTally all = bench.run->GetAll();
        PathTally sum;
        for (const PathTally& path : all.paths)
        {
            sum.operations += path.operations;
            sum.bytes += path.bytes;
        }
        uint64_t operations = 0;
        uint64_t bytes = 0;
        for (const OperationRecord& record : bench.records)
        {
            operations += record.call.IsExchange() ? 1 : 0;
            bytes += record.bytesSent;
        }
        NS_TEST_EXPECT_MSG_EQ(sum.operations, operations, name << ": operations");
        NS_TEST_EXPECT_MSG_EQ(sum.bytes, bytes, name << ": bytes");
    }
};

/** The network of the hosts. */
class HostsTestCase : public TestCase
{
  public:
    HostsTestCase()
        : TestCase("Short operations go over the hosts' network, long ones over circuits")
    {
    }

  private:
    /** @return the tally of two ranks that sum up a buffer once, after they sent it to others */
    JobTally RunOne(const std::string& policy, uint64_t bytes, DataRate hosts)
    {
        // pairs 0-1 and 2-3, then 0-2 and 1-3, with one port a rank: circuits never stand
        JobPrograms job;
        job.groups = {{"a", {0, 1}}, {"b", {2, 3}}, {"c", {0, 2}}, {"d", {1, 3}}};
        const auto program = std::make_shared<RankProgram>();
        for (const uint32_t group : {0, 1, 0, 1})
        {
            program->Collective(0, group, CollectiveKind::ALL_REDUCE, bytes);
        }
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            job.ranks.push_back({program, {rank / 2, 2 + rank % 2}});
        }
        JobHelper helper;
        helper.SetPorts(1, DataRate("400Gbps"));
        helper.SetElectrical(policy == "electrical");
        helper.SetReconfigurationTime(MilliSeconds(25));
        helper.SetHostNetwork(hosts);
        helper.GetOpus().SetPolicy(policy);
        Ptr<JobRun> run = helper.Install(job);
        Simulator::Run();
        run->Require();
        const JobTally all = run->GetAll();
        run = nullptr;
        Simulator::Destroy();
        return all;
    }

    void DoRun() override
    {
        UsePicoseconds();
        // over hosts 8 B / 25 Gb/s of each direction, against 25 ms: the crossover is near 80 MB
        const JobTally small = RunOne("on-demand", 8000, DataRate("25Gbps"));
        NS_TEST_EXPECT_MSG_EQ(On(small, TrafficPath::HOST_NETWORK), 4 * 4, "all");
        NS_TEST_EXPECT_MSG_EQ(small.reconfigurations, 0, "no circuit is changed");
        NS_TEST_EXPECT_MSG_LT(small.end, MilliSeconds(2), "no reconfiguration is waited for");
        const JobTally alone = RunOne("on-demand", 8000, DataRate(0));
        NS_TEST_EXPECT_MSG_EQ(On(alone, TrafficPath::CIRCUITS), 4 * 4, "there is nothing else");
        NS_TEST_EXPECT_MSG_GT(alone.end, MilliSeconds(100), "four reconfigurations");
        const JobTally large = RunOne("on-demand", 400'000'000, DataRate("25Gbps"));
        NS_TEST_EXPECT_MSG_EQ(On(large, TrafficPath::HOST_NETWORK), 0, "beyond the crossover");
        const JobTally electrical = RunOne("electrical", 8000, DataRate("25Gbps"));
        NS_TEST_EXPECT_MSG_EQ(electrical.end,
                              RunOne("electrical", 8000, DataRate(0)).end,
                              "packet switches carry everything");
    }
};

/** What circuits can't join. */
class RefusedTestCase : public TestCase
{
  public:
    RefusedTestCase()
        : TestCase("What circuits can't join goes over the hosts' network")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        // ranks 0 and 3 are on two rails, and no fabric joins the GPUs of a server
        JobPrograms job;
        job.groups = {{"pair", {0, 3}}};
        const auto sender = std::make_shared<RankProgram>();
        sender->Send(0, 0, 1, 100'000);
        sender->Collective(0, 0, CollectiveKind::ALL_REDUCE, 100'000, "ring");
        const auto receiver = std::make_shared<RankProgram>();
        receiver->Receive(0, 0, 0, 100'000);
        receiver->Collective(0, 0, CollectiveKind::ALL_REDUCE, 100'000, "ring");
        const auto idle = std::make_shared<RankProgram>();
        job.ranks = {{sender, {0}}, {idle, {}}, {idle, {}}, {receiver, {0}}};
        JobHelper helper;
        helper.SetGpusPerServer(2);
        const std::string without =
            helper.GetOpus().FindInfeasible(job, 2, 2, CollectiveSettings());
        NS_TEST_EXPECT_MSG_EQ(without.empty(), false, "without it the job is refused");
        helper.SetHostNetwork(DataRate("25Gbps"));
        const std::string why = helper.GetOpus().FindInfeasible(job, 2, 2, CollectiveSettings());
        NS_TEST_ASSERT_MSG_EQ(why, "", "with it the job can run");
        Ptr<JobRun> run = helper.Install(job);
        Simulator::Run();
        run->Require();
        NS_TEST_EXPECT_MSG_EQ(On(run->GetAll(), TrafficPath::HOST_NETWORK), 4, "all of it");
        run = nullptr;
        Simulator::Destroy();
    }
};

/** The suite. */
class PathsTestSuite : public TestSuite
{
  public:
    PathsTestSuite()
        : TestSuite("photonic-rails-paths", TestSuite::Type::UNIT)
    {
        AddTestCase(new EstimateTestCase);
        AddTestCase(new ExpertsTestCase);
        AddTestCase(new HostsTestCase);
        AddTestCase(new RefusedTestCase);
    }
};

PathsTestSuite g_pathsTestSuite;

} // namespace
