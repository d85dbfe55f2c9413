/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training jobs as TrainingJobHelper builds them: that trains and packet events agree about them,
// that circuits that reconfigure at once are as good as packet switches, and what stops in words.

#include "photonic-rails-mistakes.h"
#include "photonic-rails-training-bench.h"

#include "ns3/fidelity-option.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

/** Both ways to simulate frames. */
class FidelitiesTestCase : public TestCase
{
  public:
    FidelitiesTestCase()
        : TestCase("Trains and packet events agree in every operation and message")
    {
    }

  private:
    void Compare(const std::string& name, TrainingCase one)
    {
        one.messages = true;
        std::vector<OperationRecord> records;
        std::vector<SeenMessage> messages;
        std::vector<JobTally> tallies;
        FrameCounter::Counts onWire;
        uint64_t boarded = 0;
        {
            one.fidelity = "PacketTrains";
            const TrainingBench bench(one);
            records = bench.records;
            messages = bench.messages;
            onWire = bench.run->GetOnWire();
            for (const Rail& rail : bench.run->rails)
            {
                boarded += GetTrainsOf(rail).boarded;
            }
            for (uint32_t i = 1; i <= one.iterations; ++i)
            {
                tallies.push_back(bench.run->GetIteration(i));
            }
        }
        NS_TEST_EXPECT_MSG_GT(boarded, 0, name << ": there are trains");
        NS_TEST_EXPECT_MSG_GT(messages.size(), 100, name << ": and messages");
        one.fidelity = "PacketEvents";
        const TrainingBench bench(one);
        CompareRecords(name, records, bench.records);
        NS_TEST_EXPECT_MSG_EQ((messages == bench.messages), true, name << ": all messages");
        NS_TEST_EXPECT_MSG_EQ(onWire.frames, bench.run->GetOnWire().frames, name);
        NS_TEST_EXPECT_MSG_EQ(onWire.wireBytes, bench.run->GetOnWire().wireBytes, name);
        for (uint32_t i = 1; i <= one.iterations; ++i)
        {
            const JobTally events = bench.run->GetIteration(i);
            NS_TEST_EXPECT_MSG_EQ(tallies[i - 1].end, events.end, name);
            NS_TEST_EXPECT_MSG_EQ(tallies[i - 1].exposed, events.exposed, name);
            NS_TEST_EXPECT_MSG_EQ(tallies[i - 1].reconfigurations, events.reconfigurations, name);
            NS_TEST_EXPECT_MSG_EQ(tallies[i - 1].messages, events.messages, name);
        }
    }

    void CompareRecords(const std::string& name,
                        const std::vector<OperationRecord>& trains,
                        const std::vector<OperationRecord>& events)
    {
        NS_TEST_ASSERT_MSG_EQ(trains.size(), events.size(), name << ": as many operations");
        for (std::size_t i = 0; i < trains.size(); ++i)
        {
            const OperationRecord& a = trains[i];
            const OperationRecord& b = events[i];
            const auto all = [](const OperationRecord& record) {
                return std::make_tuple(record.rank.Get(),
                                       record.operation,
                                       record.start,
                                       record.end,
                                       record.waited,
                                       record.bytesSent,
                                       record.bytesReceived,
                                       record.messagesSent,
                                       record.messagesReceived);
            };
            NS_TEST_ASSERT_MSG_EQ((all(a) == all(b)),
                                  true,
                                  name << ": rank " << a.rank.Get() << ", operation " << a.operation
                                       << ": " << a.start << " to " << a.end << ", waited "
                                       << a.waited << "; and " << b.start << " to " << b.end
                                       << ", waited " << b.waited);
        }
    }

    void DoRun() override
    {
        TrainingCase one = TrainingCase::Small();
        one.recipe.microBatches = 2;
        Compare("on demand", one);
        one.policy = "provisioned";
        Compare("provisioned", one);
        one.recipe.schedule = "zb-h1";
        Compare("zero bubble", one);
        one = TrainingCase::Small();
        one.recipe.schedule = "interleaved";
        one.recipe.chunks = 2;
        one.recipe.microBatches = 2;
        Compare("interleaved", one);
        one = TrainingCase::Small();
        one.plan.tp = 1;
        one.plan.cp = 2;
        one.plan.pp = 1;
        one.plan.dp = 4;
        one.recipe.context = ContextExchange::RING;
        one.plan.order = "tp-dp-cp-ep-pp"; // so that the ring goes over rails
        one.recipe.microBatches = 2;
        Compare("ring of contexts", one);
        one = TrainingCase::Small();
        one.plan.ep = 2;
        one.recipe.microBatches = 2;
        one.shape.experts = 8;
        one.shape.activeExperts = 2;
        one.shape.expertFeedForward = 128;
        Compare("experts", one);
    }
};

/** Circuits that turn at once, against packet switches. */
class AtOnceTestCase : public TestCase
{
  public:
    AtOnceTestCase()
        : TestCase("Circuits that turn at once are as good as packet switches")
    {
    }

  private:
    static void BeQuick(TrainingJobHelper& helper)
    {
        helper.SetManagementLatency(NanoSeconds(10));
        helper.GetOpus().SetShimAttribute("HostLatency", TimeValue(NanoSeconds(1)));
    }

    void DoRun() override
    {
        // What circuits cost beside reconfiguration: a port serves one parallelism at a time, so
        // activations that packet switches carry while the next stage computes are sent when it has
        // computed, and gradients wait for the scatter that is under way. Both are short beside
        // computing, as they are with models of real size: Llama3-8B on A100 sends for a fiftieth
        // of its time.
        TrainingCase one = TrainingCase::Small();
        one.shape.hidden = 1024;
        one.shape.heads = 16;
        one.shape.feedForward = 2560;
        one.recipe.microBatches = 2;
        one.recipe.sequence = 1024;
        one.efficiency = 0.006;
        one.reconfiguration = Seconds(0);
        one.adjust = BeQuick;
        Picoseconds optical = 0;
        double sending = 0;
        {
            const TrainingBench bench(one);
            optical = bench.GetSteady();
            for (const OperationRecord& record : bench.ListRecords(0, 2))
            {
                sending += bench.IsOnRails(record) ? record.bytesSent : 0;
            }
            sending *= 8 * 1e12 / FindGpuGeneration("A100")->nicBitsPerSecond;
        }
        // what is compared has to do with the network at all
        NS_TEST_EXPECT_MSG_GT(sending / optical, 0.01, "something is sent");
        one.policy = "electrical";
        one.fidelity = "PacketEvents";
        const TrainingBench bench(one);
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * optical / bench.GetSteady(),
                                  1.0,
                                  0.005,
                                  "optical " << optical << ", electrical " << bench.GetSteady());
        NS_TEST_EXPECT_MSG_GT(optical, bench.GetSteady(), "it is never faster");
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetSteady().reconfigurations, 0, "nothing turns");
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetSteady().exposed, 0, "nobody waits for circuits");
    }
};

/** Ports that are divided once and for all. */
class StaticSplitTestCase : public TestCase
{
  public:
    StaticSplitTestCase()
        : TestCase("With a static split nothing turns, and nobody waits for circuits")
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = TrainingCase::Small();
        one.policy = "static-split";
        one.reconfiguration = MilliSeconds(50); // at the beginning
        one.iterations = 3;
        Picoseconds split = 0;
        {
            const TrainingBench bench(one);
            for (uint32_t i = 2; i <= one.iterations; ++i)
            {
                const JobTally tally = bench.run->GetIteration(i);
                NS_TEST_EXPECT_MSG_EQ(tally.reconfigurations, 0, "iteration " << i);
                NS_TEST_EXPECT_MSG_EQ(tally.exposed, 0, "iteration " << i);
            }
            NS_TEST_EXPECT_MSG_GT(bench.run->GetIteration(1).reconfigurations, 0, "at first");
            split = bench.GetSteady();
        }
        one.policy = "electrical";
        one.fidelity = "PacketEvents";
        const TrainingBench bench(one);
        // each parallelism has half of the ports that it could have
        NS_TEST_EXPECT_MSG_GT(split, bench.GetSteady(), "it is slower");
    }
};

/** @return what users get wrong */
std::vector<Mistake>
MistakesWithTraining()
{
    const auto install = [](const std::function<void(TrainingJobHelper&)>& adjust) {
        return [adjust] {
            TrainingCase one = TrainingCase::Small();
            one.adjust = adjust;
            const TrainingBench bench(one);
        };
    };
    return {
        {"an unknown model",
         [] { TrainingJobHelper().SetModel("Llama4-9B"); },
         {"Llama4-9B", "Llama3-8B", "*.json"}},
        {"a file of a model that is not there",
         [] { TrainingJobHelper().SetModel("no-such-model.json"); },
         {"no-such-model.json"}},
        {"an unknown GPU", [] { TrainingJobHelper().SetGpu("V100", 0.4); }, {"V100", "A100"}},
        {"no efficiency", [] { TrainingJobHelper().SetGpu("A100", 0); }, {"efficiency", "0"}},
        {"too much of it", [] { TrainingJobHelper().SetGpu("A100", 1.5); }, {"1.5", "up to 1"}},
        {"an unknown policy",
         install([](TrainingJobHelper& helper) { helper.SetPolicy("on-deman"); }),
         {"on-deman", "on-demand"}},
        {"too many layers",
         [] { TrainingJobHelper().SetLayers(33); },
         {"Llama3-8B", "32 layers", "33"}},
        {"no layers", [] { TrainingJobHelper().SetLayers(0); }, {"32 layers"}},
        {"a plan that does not fit its model",
         install([](TrainingJobHelper& helper) {
             ParallelismPlan plan;
             plan.pp = 8;
             plan.scaleUp = 1;
             helper.SetParallelismPlan(plan);
         }),
         {"pp", "8"}},
        {"servers that are not whole",
         install([](TrainingJobHelper& helper) {
             ParallelismPlan plan;
             plan.dp = 4;
             plan.scaleUp = 3;
             helper.SetParallelismPlan(plan);
         }),
         {"3"}},
        {"a straggler that there is not",
         install([](TrainingJobHelper& helper) { helper.AddStraggler(8, 2); }),
         {"rank 8", "there are 8", "counted from 0"}},
        {"an unknown schedule",
         install([](TrainingJobHelper& helper) {
             TrainingRecipe recipe;
             recipe.schedule = "2f2b";
             helper.SetRecipe(recipe);
         }),
         {"2f2b", "1f1b"}},
        {"an iteration that is not over",
         install([](TrainingJobHelper& helper) {
             const Ptr<TrainingRun> run = helper.Install();
             run->GetIteration(1);
         }),
         {"iteration 1", "0 are over"}},
        {"a run that ends before",
         install([](TrainingJobHelper& helper) {
             const Ptr<TrainingRun> run = helper.Install();
             Simulator::Stop(MicroSeconds(5));
             Simulator::Run();
             run->Require();
         }),
         {"0 of 2 iterations are over"}},
    };
}

/** The suite. */
class TrainingTestSuite : public TestSuite
{
  public:
    TrainingTestSuite()
        : TestSuite("photonic-rails-training", TestSuite::Type::UNIT)
    {
        AddTestCase(new FidelitiesTestCase);
        AddTestCase(new AtOnceTestCase);
        AddTestCase(new StaticSplitTestCase);
        AddTestCase(
            new MistakesTest("Mistakes with training jobs stop in words", MistakesWithTraining()));
    }
};

static TrainingTestSuite g_trainingTestSuite;

} // namespace
