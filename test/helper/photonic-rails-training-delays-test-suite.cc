/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The time of an iteration of a training job as a function of the reconfiguration time, on demand
// and provisioned.
//
// The reason of its slope: a pipeline of two stages shifts all its ranks at the same places. When
// stages send to each other both have to reconfigure; between that, both change to their own
// parameters, at about the same time. So the shifts of a stage come one after another, those of the
// two stages in pairs, and an iteration has as many reconfigurations in a row as the stage has
// shifts that shifts most, counted around: the first call of an iteration follows the last of the
// one before. None is hidden if gradients are scattered after the last backward pass. If they are
// scattered beside it, the shift to that costs nothing until the shift and the scatter take longer
// than computing.

#include "../support/photonic-rails-training-bench.h"
#include "../support/time-units.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;

namespace
{

constexpr Picoseconds SECOND = 1'000 * MS;

/** @return the papers' job, with fewer messages of the same bytes, since there are many runs of it
 */
TrainingCase
MakePapersCase()
{
    TrainingCase one = TrainingCase::Llama();
    one.adjust = [](TrainingJobHelper& helper) {
        helper.GetCollectives().SetAttribute("MessageSize", UintegerValue(8 << 20));
        helper.GetCollectives().SetAttribute("PointToPointMessageSize", UintegerValue(4 << 20));
    };
    return one;
}

/** @return how long a steady iteration takes @param one the job */
Picoseconds
RunSteady(const TrainingCase& one)
{
    const TrainingBench bench(one);
    return bench.GetSteady();
}

/** @return how long it takes with a reconfiguration time */
Picoseconds
RunSteady(TrainingCase one, const std::string& policy, Picoseconds reconfiguration)
{
    one.policy = policy;
    one.reconfiguration = ToTime(reconfiguration);
    return RunSteady(one);
}

/** Requests ahead of time. */
class PoliciesTestCase : public TestCase
{
  public:
    PoliciesTestCase()
        : TestCase("Provisioned is never slower than on demand, and neither than no turning")
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = MakePapersCase();
        one.shape.layers = 4;
        const Picoseconds atOnce = RunSteady(one, "on-demand", 0);
        Picoseconds last = atOnce;
        for (const Picoseconds reconfiguration : {10 * MS, 300 * MS, 2 * SECOND})
        {
            const Picoseconds onDemand = RunSteady(one, "on-demand", reconfiguration);
            const Picoseconds provisioned = RunSteady(one, "provisioned", reconfiguration);
            const double ms = reconfiguration / 1e9;
            NS_TEST_EXPECT_MSG_LT(provisioned, onDemand, ms << " ms: asking early pays");
            NS_TEST_EXPECT_MSG_GT(provisioned, atOnce, ms << " ms: provisioned");
            NS_TEST_EXPECT_MSG_GT(onDemand, last, ms << " ms: longer on demand");
            last = onDemand;
        }
    }
};

/** The seconds for each second. */
class SlopeTestCase : public TestCase
{
  public:
    SlopeTestCase()
        : TestCase("On demand an iteration grows by the shifts that follow each other")
    {
    }

  private:
    /** @return the shifts of a rank, around */
    static uint32_t CountAround(const TrainingJob& job, uint32_t rank)
    {
        std::vector<ProgramLine> lines = ListLastIteration(job, rank);
        const uint32_t inside = CountAlternations(lines, ListInScaleUp(job));
        const std::vector<ProgramLine> once = lines;
        lines.insert(lines.end(), once.begin(), once.end());
        return CountAlternations(lines, ListInScaleUp(job)) - inside;
    }

    /**
     * @return how long the reconfiguration before rank 0 scatters its gradients may take without an
     * effect @param bench in which circuits were reconfigured at once
     */
    Picoseconds FindSlack(const TrainingBench& bench)
    {
        Picoseconds scattered = 0; // when the first scatter is called
        Picoseconds computed = 0;  // when the last backward pass is over
        std::vector<Picoseconds> scatters;
        for (const OperationRecord& record : bench.ListRecords(0, 2))
        {
            if (record.call.kind == RankOperation::Kind::COMPUTE &&
                record.call.label.rfind("backward", 0) == 0)
            {
                computed = std::max(computed, record.end.GetTimeStep());
            }
            else if (record.call.kind == RankOperation::Kind::COLLECTIVE &&
                     record.call.collective == CollectiveKind::REDUCE_SCATTER &&
                     bench.IsOnRails(record))
            {
                scattered = scattered == 0 ? record.start.GetTimeStep() : scattered;
                // Each of two ranks sends half, at 200 Gb/s. Frames of 4096 bytes have 82 more.
                scatters.push_back(record.call.bytes / 2 * 40 * 4178 / 4096);
            }
        }
        // the last scatter is called when computing is over, whatever was before: it hides nothing
        Picoseconds before = 0;
        for (std::size_t i = 0; i + 1 < scatters.size(); ++i)
        {
            before += scatters[i];
        }
        NS_TEST_EXPECT_MSG_EQ(scatters.size(), 17, "sixteen layers and the embedding");
        return computed - scattered - before;
    }

    void DoRun() override
    {
        UsePicoseconds(); // before the computing times of a job without a simulation
        Llama();
        LlamaPerLayer();
        for (const uint32_t microBatches : {1, 2, 3, 5})
        {
            // a small model: reconfiguration takes longer than all computing, and nothing hides
            TrainingCase one = TrainingCase::Small();
            one.recipe.microBatches = microBatches;
            const TrainingJob job = MakeJob(one);
            const uint32_t shifts = std::max(CountAround(job, 0), CountAround(job, 4));
            NS_TEST_EXPECT_MSG_EQ(shifts, 2 * (microBatches + 1), "there and back, and its own");
            const Picoseconds growth =
                RunSteady(one, "on-demand", 20 * SECOND) - RunSteady(one, "on-demand", 10 * SECOND);
            NS_TEST_EXPECT_MSG_EQ_TOL(growth / 1e12,
                                      10.0 * shifts,
                                      0.001,
                                      microBatches << " micro-batches");
        }
    }

    static TrainingJob MakeJob(const TrainingCase& one)
    {
        TrainingJobHelper helper;
        helper.SetModel(one.shape);
        helper.SetParallelismPlan(one.plan);
        helper.SetRecipe(one.recipe);
        return TrainingJob(helper.MakeTask());
    }

    /** The papers' job: every shift counts, from the first millisecond on. */
    void Llama()
    {
        const TrainingCase one = MakePapersCase();
        const uint32_t shifts = CountAround(MakeJob(one), 0);
        const Picoseconds atOnce = RunSteady(one, "on-demand", 0);
        for (const Picoseconds reconfiguration : {MS, SECOND})
        {
            const Picoseconds more = RunSteady(one, "on-demand", reconfiguration) - atOnce;
            NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * more / reconfiguration,
                                      shifts,
                                      0.01 * shifts,
                                      "reconfigurations, each of " << reconfiguration << " ps");
        }
    }

    /** The same with gradients that are scattered beside the last backward pass. */
    void LlamaPerLayer()
    {
        TrainingCase one = MakePapersCase();
        one.recipe.reduceScatter = GradientScatter::PER_LAYER;
        const TrainingJob job = MakeJob(one);
        const uint32_t shifts = CountAlternations(ListLastIteration(job, 0), ListInScaleUp(job));
        NS_TEST_EXPECT_MSG_EQ(shifts, 6, "AG, PP, AG, PP, AG, PP, RS");
        NS_TEST_EXPECT_MSG_EQ(CountAround(job, 0), shifts, "it ends with what it begins with");
        NS_TEST_EXPECT_MSG_EQ(CountAround(job, 8), shifts, "stage 1 shifts as often, around");
        Picoseconds atOnce = 0;
        Picoseconds slack = 0;
        {
            one.reconfiguration = Seconds(0);
            const TrainingBench bench(one);
            atOnce = bench.GetSteady();
            slack = FindSlack(bench);
        }
        const Picoseconds second = RunSteady(one, "on-demand", SECOND);
        const Picoseconds three = RunSteady(one, "on-demand", 3 * SECOND);
        NS_TEST_EXPECT_MSG_EQ_TOL((three - second) / 2e12,
                                  shifts,
                                  0.1 * shifts,
                                  "seconds for each second, between 1 s and 3 s");
        // exactly: up to the slack the last shift hides, then none does
        NS_TEST_EXPECT_MSG_GT(slack, SECOND, "1 s hides");
        NS_TEST_EXPECT_MSG_LT(slack, 3 * SECOND, "3 s do not");
        NS_TEST_EXPECT_MSG_EQ_TOL((second - atOnce) / 1e12, shifts - 1.0, 0.001, "one hides");
        NS_TEST_EXPECT_MSG_EQ_TOL((three - atOnce) / 1e12,
                                  3.0 * shifts - slack / 1e12,
                                  0.01,
                                  "none hides for longer than " << slack / 1e12 << " s");
    }
};

/** The suite. */
class TrainingDelaysTestSuite : public TestSuite
{
  public:
    TrainingDelaysTestSuite()
        : TestSuite("photonic-rails-training-delays", TestSuite::Type::UNIT)
    {
        AddTestCase(new SlopeTestCase);
        AddTestCase(new PoliciesTestCase);
    }
};

static TrainingDelaysTestSuite g_trainingDelaysTestSuite;

} // namespace
