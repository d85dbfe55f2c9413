/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jobs whose ranks announce their circuits in advance, and jobs whose shims have to learn them.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/circuit-broker.h"
#include "ns3/job-helper.h"
#include "ns3/job-programs.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"
#include "ns3/recipe-change.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"
#include "ns3/two-stage-job.h"

#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** The first iteration, which shims have not seen. */
class FirstIterationTestCase : public TestCase
{
  public:
    FirstIterationTestCase()
        : TestCase("Hints hide reconfigurations in the first iteration already")
    {
    }

  private:
    std::vector<JobTally> RunWith(const std::string& policy)
    {
        JobHelper helper;
        helper.SetReconfigurationTime(MicroSeconds(100));
        helper.GetOpus().SetPolicy(policy);
        TwoStageJob job;
        job.iterations = 3;
        job.forward = MicroSeconds(200);
        job.parameters = 1 << 18;
        job.activations = 1 << 16;
        Ptr<JobRun> run = helper.Install(job.Make(1));
        Simulator::Run();
        run->Require();
        std::vector<JobTally> tallies;
        for (uint32_t i = 1; i <= job.iterations; ++i)
        {
            tallies.push_back(run->GetIteration(i));
        }
        run = nullptr;
        Simulator::Destroy();
        return tallies;
    }

    void DoRun() override
    {
        UsePicoseconds();
        const Time reconfiguration = MicroSeconds(100);
        const std::vector<JobTally> provisioned = RunWith("provisioned");
        const std::vector<JobTally> scheduled = RunWith("co-scheduled");
        // stage 0 goes forward for 200 us before its first send, and backward for 400 us before it
        // scatters: both windows are longer than a reconfiguration and its messages
        NS_TEST_EXPECT_MSG_LT_OR_EQ(scheduled[0].end + reconfiguration + reconfiguration,
                                    provisioned[0].end,
                                    "two shifts of the first iteration are hidden");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(scheduled[0].hidden,
                                    reconfiguration,
                                    "the mean of ranks: both shifts, at the two of stage 0");
        NS_TEST_EXPECT_MSG_EQ(provisioned[0].hidden, Time(0), "no shim foresees them");
        for (uint32_t i = 1; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(scheduled[i].end,
                                        provisioned[i].end,
                                        "learned calls are no better than announced ones");
            NS_TEST_EXPECT_MSG_EQ(scheduled[i].messages, provisioned[i].messages, "same job");
        }
    }
};

/** A program that changes. */
class ChangedProgramTestCase : public TestCase
{
  public:
    ChangedProgramTestCase()
        : TestCase("A change of the program costs no misprediction with hints")
    {
    }

  private:
    JobTally RunWith(const std::string& policy, const std::string& fidelity)
    {
        TrainingCase one = TrainingCase::Small();
        one.policy = policy;
        one.fidelity = fidelity;
        one.iterations = 5;
        one.adjust = [](TrainingJobHelper& helper) {
            RecipeChange change;
            change.iteration = 3;
            change.microBatches = 6;
            helper.SetChange(change);
        };
        return TrainingBench(one).run->GetAll(); // its audit is clean, else it aborts
    }

    void DoRun() override
    {
        const std::string trains = "PacketTrains";
        const JobTally provisioned = RunWith("provisioned", trains);
        const JobTally scheduled = RunWith("co-scheduled", trains);
        NS_TEST_EXPECT_MSG_GT(provisioned.wrongPredictions, 0, "shims have learned other calls");
        NS_TEST_EXPECT_MSG_EQ(scheduled.wrongPredictions, 0, "nothing is predicted");
        NS_TEST_EXPECT_MSG_LT(scheduled.end, provisioned.end, "which is faster");
        NS_TEST_EXPECT_MSG_EQ(scheduled.messages, provisioned.messages, "nothing is lost");
        const JobTally events = RunWith("co-scheduled", "PacketEvents");
        NS_TEST_EXPECT_MSG_EQ(events.end, scheduled.end, "in both fidelities");
        NS_TEST_EXPECT_MSG_EQ(events.exposed, scheduled.exposed, "in both fidelities");
    }
};

/** Hints that come after the operations that they are for. */
class LateHintsTestCase : public TestCase
{
  public:
    LateHintsTestCase()
        : TestCase("A hint for an operation that is over holds no program up")
    {
    }

  private:
    void DoRun() override
    {
        using Kind = CircuitHint::Kind;
        for (const Kind kind : {Kind::PREFETCH, Kind::ACQUIRE, Kind::RELEASE})
        {
            UsePicoseconds();
            const auto program = std::make_shared<RankProgram>();
            const uint32_t call = program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20);
            const uint32_t hint = program->Hint(1, kind);
            program->Edit(hint).first = call;
            program->Edit(hint).last = call;
            program->After(hint, call);
            const uint32_t next = program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20);
            program->After(next, hint);
            JobPrograms job;
            job.groups.push_back({"dp 0", {0, 1, 2, 3}});
            job.ranks.assign(4, {program, {0}}); // rank 0 chooses the paths, for all
            JobHelper helper;
            helper.SetReconfigurationTime(MicroSeconds(100));
            helper.GetOpus().SetPolicy("co-scheduled");
            Ptr<JobRun> run = helper.Install(job);
            Simulator::Run();
            run->Require(); // all programs have ended
            NS_TEST_EXPECT_MSG_LT(run->GetAll().end, MilliSeconds(10), "without any time limit");
            run = nullptr;
            Simulator::Destroy();
        }
    }
};

/** The suite. */
class HintsTestSuite : public TestSuite
{
  public:
    HintsTestSuite()
        : TestSuite("photonic-rails-hints", TestSuite::Type::UNIT)
    {
        AddTestCase(new FirstIterationTestCase);
        AddTestCase(new ChangedProgramTestCase);
        AddTestCase(new LateHintsTestCase);
    }
};

HintsTestSuite g_hintsTestSuite;

} // namespace
