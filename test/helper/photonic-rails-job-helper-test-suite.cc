/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A job on the cluster that JobHelper builds: rails of either kind, and the time that its ranks
// wait for circuits.

#include "ns3/job-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/span-union.h"
#include "ns3/test.h"
#include "ns3/two-stage-job.h"

#include <map>
#include <string>

using namespace ns3;

namespace
{

constexpr uint32_t RANKS = 8;
constexpr uint32_t ITERATIONS = 3;

/** Keeps the waits of each rank for circuits. */
void
Keep(std::map<RankId, SpanUnion>* waits, const ShimNote& note)
{
    (*waits)[note.rank].Add((note.answered - note.exposed).GetTimeStep(),
                            note.answered.GetTimeStep());
}

/** The same job on both kinds of rails. */
class BothKindsTestCase : public TestCase
{
  public:
    BothKindsTestCase()
        : TestCase("A job on rails of either kind, and its exposed time")
    {
    }

  private:
    /** @return the tally of the job under a policy */
    JobTally RunOne(const std::string& policy)
    {
        JobHelper helper;
        helper.SetGpusPerServer(2);
        helper.SetElectrical(policy == "electrical");
        helper.SetReconfigurationTime(MicroSeconds(100));
        helper.GetOpus().SetPolicy(policy);
        TwoStageJob job;
        job.iterations = ITERATIONS;
        job.forward = MicroSeconds(200);
        job.parameters = 1 << 18;
        job.activations = 1 << 16;
        Ptr<JobRun> run = helper.Install(job.Make(2));
        std::map<RankId, SpanUnion> waits;
        for (const Ptr<OpusShimApp>& shim : run->plane.shims)
        {
            shim->TraceConnectWithoutContext("Answered", MakeBoundCallback(&Keep, &waits));
        }
        Simulator::Run();
        run->Require();

        Picoseconds sum = 0;
        for (const auto& [rank, spans] : waits)
        {
            sum += spans.GetLength();
        }
        const JobTally all = run->GetAll();
        NS_TEST_EXPECT_MSG_EQ(all.exposed,
                              ToTime(sum / RANKS),
                              policy << ": waits of a rank at once count once");
        Time exposed(0);
        for (uint32_t i = 1; i <= ITERATIONS; ++i)
        {
            exposed += run->GetIteration(i).exposed;
        }
        NS_TEST_EXPECT_MSG_EQ(exposed, all.exposed, policy << ": each wait is in one iteration");
        NS_TEST_EXPECT_MSG_EQ(run->GetEnd(ITERATIONS), all.end, policy << ": the last end");
        run = nullptr;
        Simulator::Destroy();
        return all;
    }

    void DoRun() override
    {
        UsePicoseconds();
        const JobTally electrical = RunOne("electrical");
        const JobTally onDemand = RunOne("on-demand");
        const JobTally provisioned = RunOne("provisioned");
        NS_TEST_EXPECT_MSG_EQ(electrical.exposed, Time(0), "packet switches have no circuits");
        NS_TEST_EXPECT_MSG_EQ(onDemand.messages, electrical.messages, "the job is the same");
        // two changes of parallelism in an iteration, and in the first one the first circuits
        NS_TEST_EXPECT_MSG_GT(onDemand.exposed,
                              ToTime((2 * ITERATIONS + 1) * 100'000'000),
                              "on demand all reconfigurations are waited for");
        NS_TEST_EXPECT_MSG_LT(provisioned.exposed, onDemand.exposed, "windows hide some");
        NS_TEST_EXPECT_MSG_GT(onDemand.end, electrical.end, "circuits are no faster");
    }
};

/** The suite. */
class JobHelperTestSuite : public TestSuite
{
  public:
    JobHelperTestSuite()
        : TestSuite("photonic-rails-job-helper", TestSuite::Type::UNIT)
    {
        AddTestCase(new BothKindsTestCase);
    }
};

JobHelperTestSuite g_jobHelperTestSuite;

} // namespace
