/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the simulations of Opus have, and this module has as options: the network that is
// reconfigured as a whole, the union of all links, and GPUs with another peak and other rates.

#include "../support/photonic-rails-training-bench.h"
#include "../support/time-units.h"

#include "ns3/controller-record.h"
#include "ns3/gpu-generation.h"
#include "ns3/opus-controller-app.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr Picoseconds ONE_SECOND = 1'000 * MS;

/** @return a job whose network is reconfigured as a whole @param policy of its circuits */
TrainingCase
OfNetwork(TrainingCase one, const std::string& policy)
{
    one.policy = policy;
    one.adjust = [](TrainingJobHelper& helper) {
        helper.GetOpus().SetControllerAttribute("Granularity", StringValue("Network"));
    };
    return one;
}

/** The seconds for each second of delay. */
class NetworkSlopeTestCase : public TestCase
{
  public:
    NetworkSlopeTestCase()
        : TestCase("With delays beyond all windows an iteration has the shifts of a rank, and no "
                   "more than the network")
    {
    }

  private:
    /** @return an iteration, and the reconfigurations of the network in it */
    static std::pair<Picoseconds, uint64_t> Run(TrainingCase one, Picoseconds reconfiguration)
    {
        one.reconfiguration = ToTime(reconfiguration);
        const TrainingBench bench(one);
        const uint64_t switches = bench.run->rails.size();
        const uint64_t all = bench.run->GetSteady().reconfigurations;
        return {bench.GetSteady(), all / switches};
    }

    /** @return the shifts of a rank in an iteration, around */
    static uint32_t CountAround(const TrainingCase& one, uint32_t rank)
    {
        TrainingJobHelper helper;
        helper.SetModel(one.shape);
        helper.SetParallelismPlan(one.plan);
        helper.SetRecipe(one.recipe);
        const TrainingJob job(helper.MakeTask());
        std::vector<ProgramLine> lines = ListLastIteration(job, rank);
        const uint32_t inside = CountAlternations(lines, ListInScaleUp(job));
        const std::vector<ProgramLine> once = lines;
        lines.insert(lines.end(), once.begin(), once.end());
        return CountAlternations(lines, ListInScaleUp(job)) - inside;
    }

    void DoRun() override
    {
        UsePicoseconds(); // before the computing times of a job without a simulation
        for (const uint32_t stages : {2, 4, 8})
        {
            for (const std::string policy : {"on-demand", "provisioned"})
            {
                TrainingCase one = OfNetwork(TrainingCase::Small(), policy);
                one.plan.pp = stages;
                one.shape.layers = 8;
                one.recipe.microBatches = 1;
                one.plan.sharding = ParameterSharding::NONE;
                one.recipe.reduction = GradientReduction::PER_MODEL;
                const auto [shorter, some] = Run(one, 10 * ONE_SECOND);
                const auto [longer, others] = Run(one, 20 * ONE_SECOND);
                const std::string name = policy + ", " + std::to_string(stages) + " stages";
                NS_TEST_EXPECT_MSG_EQ(some, others, name);
                uint32_t shifts = 0;
                for (uint32_t rank = 0; rank < one.plan.GetRanks(); ++rank)
                {
                    shifts = std::max(shifts, CountAround(one, rank));
                }
                // a rank waits for each of its shifts, one after another; and one reconfiguration
                // is under way at a time, while all else takes much less
                const double slope = 1.0 * (longer - shorter) / (10 * ONE_SECOND);
                NS_TEST_EXPECT_MSG_GT(slope, shifts - 0.001, name << ": shifts of a rank");
                NS_TEST_EXPECT_MSG_LT(slope, some + 0.001, name << ": of the network");
            }
        }
    }
};

/** Delays that are shorter than computing a layer. */
class ShortDelaysTestCase : public TestCase
{
  public:
    ShortDelaysTestCase()
        : TestCase("Short delays are exposed before sends alone, on a network and on groups")
    {
    }

  private:
    /** @return an iteration whose layers compute for much longer than circuits are reconfigured */
    static Picoseconds Run(TrainingCase one, uint32_t stages, Picoseconds reconfiguration)
    {
        one.plan.pp = stages;
        one.shape.layers = 2 * stages;
        one.recipe.microBatches = 1;
        one.plan.sharding = ParameterSharding::NONE;
        one.reconfiguration = ToTime(reconfiguration);
        const auto inner = one.adjust;
        one.adjust = [inner](TrainingJobHelper& helper) {
            auto times = std::make_shared<KindTimes>();
            times->layer.forward = MilliSeconds(50);
            times->layer.backwardInput = MilliSeconds(50);
            times->layer.backwardWeight = MilliSeconds(50);
            helper.SetComputeTimes(times);
            if (inner)
            {
                inner(helper);
            }
        };
        return TrainingBench(one).GetSteady();
    }

    void DoRun() override
    {
        for (const uint32_t stages : {2, 4})
        {
            for (const bool network : {false, true})
            {
                for (const std::string policy : {"on-demand", "provisioned"})
                {
                    TrainingCase one = TrainingCase::Small();
                    one.policy = policy;
                    one = network ? OfNetwork(one, policy) : one;
                    const Picoseconds more = Run(one, stages, 4 * MS) - Run(one, stages, 2 * MS);
                    // an activation crosses all pairs of neighbours, one after another, and a
                    // gradient returns, whose circuits are ready if they are known in advance
                    const uint32_t crossings = stages - 1;
                    const uint32_t slope = policy == "on-demand" ? 2 * crossings : crossings;
                    NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * more / (2 * MS),
                                              slope,
                                              0.05,
                                              policy << ", " << stages << " stages"
                                                     << (network ? ", network" : ", groups"));
                }
            }
        }
    }
};

/** A network that has no traffic when it is reconfigured. */
class NetworkDrainsTestCase : public TestCase
{
  public:
    NetworkDrainsTestCase()
        : TestCase("Nothing is sent on any rail while the network is reconfigured")
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = OfNetwork(TrainingCase::Small(), "on-demand");
        one.recipe.microBatches = 2;
        one.reconfiguration = MilliSeconds(5);
        std::vector<std::pair<Picoseconds, Picoseconds>> dark;
        one.installed = [&dark](const TrainingRun& run) {
            run.plane.controller->TraceConnectWithoutContext(
                "Decision",
                MakeBoundCallback(&NetworkDrainsTestCase::Note, &dark));
        };
        const TrainingBench bench(one);
        NS_TEST_EXPECT_MSG_GT(dark.size(), 4, "it is reconfigured");
        uint32_t compared = 0;
        for (const OperationRecord& record : bench.records)
        {
            if (!bench.IsOnRails(record))
            {
                continue;
            }
            // its messages are sent between the end of its wait and its end
            const Picoseconds begin = (record.start + record.waited).GetTimeStep();
            const Picoseconds end = record.end.GetTimeStep();
            for (const auto& [from, to] : dark)
            {
                ++compared;
                NS_TEST_EXPECT_MSG_EQ((end <= from || begin >= to),
                                      true,
                                      "rank " << record.rank << ", operation " << record.operation
                                              << " from " << begin << " to " << end
                                              << ", dark from " << from << " to " << to);
            }
        }
        NS_TEST_EXPECT_MSG_GT(compared, 100, "operations");
    }

    static void Note(std::vector<std::pair<Picoseconds, Picoseconds>>* dark,
                     const ControllerNote& note)
    {
        if (note.kind == ControllerNote::Kind::RECONFIGURED)
        {
            const Picoseconds now = Simulator::Now().GetTimeStep();
            dark->emplace_back(now - note.dark.GetTimeStep(), now);
        }
    }
};

/** The electrical network of the study. */
class UnionTestCase : public TestCase
{
  public:
    UnionTestCase()
        : TestCase("In the union of all links each parallelism has the rate of a whole NIC")
    {
    }

  private:
    void DoRun() override
    {
        // the first gathers of a pass go beside the send before, and share a NIC with it
        TrainingCase one = TrainingCase::Small();
        one.recipe.microBatches = 2;
        one.recipe.sequence = 4096;
        one.policy = "electrical-union";
        Picoseconds ofUnion = 0;
        uint32_t ports = 0;
        {
            const TrainingBench bench(one);
            ofUnion = bench.GetSteady();
            ports = bench.run->rails[0].GetPortsPerGpu();
            NS_TEST_EXPECT_MSG_EQ(bench.run->GetSteady().reconfigurations, 0, "all stands");
        }
        // two ranks of dp: both ports of the NIC to one neighbour; and two ports to the other stage
        NS_TEST_EXPECT_MSG_EQ(ports, 2 + 2, "ports of a GPU");
        one.policy = "electrical";
        one.fidelity = "PacketEvents";
        const TrainingBench bench(one);
        NS_TEST_EXPECT_MSG_LT(ofUnion, bench.GetSteady(), "one NIC has less");
    }
};

/** GPUs of a script. */
class OwnGpuTestCase : public TestCase
{
  public:
    OwnGpuTestCase()
        : TestCase("A GPU of half the peak computes twice as long")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        GpuGeneration gpu = *FindGpuGeneration("H200");
        TrainingJobHelper helper;
        ParallelismPlan plan;
        plan.tp = plan.scaleUp = 8; // one GPU has too little memory
        helper.SetParallelismPlan(plan);
        helper.SetGpu(gpu, 0.5);
        const UnitTimes one = helper.MakeTask().times->GetUnit({ModelUnit::Kind::LAYER, 0});
        const Time optimizer = helper.MakeTask().times->GetOptimizer(1'000'000'000);
        gpu.flopsPerSecond /= 2;
        gpu.memoryBytesPerSecond /= 4;
        helper.SetGpu(gpu, 0.5);
        const UnitTimes other = helper.MakeTask().times->GetUnit({ModelUnit::Kind::LAYER, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(other.forward.GetTimeStep(),
                                  2 * one.forward.GetTimeStep(),
                                  1,
                                  "forward");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            helper.MakeTask().times->GetOptimizer(1'000'000'000).GetTimeStep(),
            4 * optimizer.GetTimeStep(),
            4,
            "the optimizer's step is bound by memory");
    }
};

/** The suite. */
class StudyTestSuite : public TestSuite
{
  public:
    StudyTestSuite()
        : TestSuite("photonic-rails-study", TestSuite::Type::UNIT)
    {
        AddTestCase(new NetworkSlopeTestCase);
        AddTestCase(new ShortDelaysTestCase);
        AddTestCase(new NetworkDrainsTestCase);
        AddTestCase(new UnionTestCase);
        AddTestCase(new OwnGpuTestCase);
    }
};

static StudyTestSuite g_studyTestSuite;

} // namespace
