/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training jobs as TrainingJobHelper builds them: trains and packet events agree about them,
// circuits that reconfigure at once are as good as packet switches, and mistakes stop with a
// message.

#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-training-bench.h"

#include "ns3/fidelity-option.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"
#include "ns3/uinteger.h"

#include <map>
#include <sstream>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

/** @return the first difference of two runs in times and bytes of operations; empty: none */
std::string
FindDifference(const std::vector<OperationRecord>& one, const std::vector<OperationRecord>& other)
{
    std::ostringstream words;
    if (one.size() != other.size())
    {
        words << one.size() << " operations, and " << other.size();
    }
    for (std::size_t i = 0; i < one.size() && words.str().empty(); ++i)
    {
        const OperationRecord& a = one[i];
        const OperationRecord& b = other[i];
        const auto all = [](const OperationRecord& record) {
            return std::make_tuple(record.rank.Get(),
                                   record.operation,
                                   record.start.GetTimeStep(),
                                   record.end.GetTimeStep(),
                                   record.waited.GetTimeStep(),
                                   record.bytesSent,
                                   record.bytesReceived,
                                   record.messagesSent,
                                   record.messagesReceived);
        };
        if (all(a) != all(b))
        {
            words << "rank " << a.rank << ", operation " << a.operation << ": "
                  << a.start.GetTimeStep() << " to " << a.end.GetTimeStep() << ", waited "
                  << a.waited.GetTimeStep() << "; and " << b.start.GetTimeStep() << " to "
                  << b.end.GetTimeStep() << ", waited " << b.waited.GetTimeStep();
        }
    }
    return words.str();
}

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
        uint64_t entered = 0;
        {
            one.fidelity = "PacketTrains";
            const TrainingBench bench(one);
            records = bench.records;
            messages = bench.messages;
            onWire = bench.run->GetOnWire();
            for (const Rail& rail : bench.run->rails)
            {
                entered += GetTrainsOf(rail).entered;
            }
            for (uint32_t i = 1; i <= one.iterations; ++i)
            {
                tallies.push_back(bench.run->GetIteration(i));
            }
        }
        NS_TEST_EXPECT_MSG_GT(entered, 0, name << ": there are trains");
        NS_TEST_EXPECT_MSG_GT(messages.size(), 100, name << ": and messages");
        one.fidelity = "PacketEvents";
        const TrainingBench bench(one);
        NS_TEST_EXPECT_MSG_EQ(FindDifference(records, bench.records), "", name);
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
        one.plan.dp = 3;
        one.plan.pp = 1;
        one.recipe.microBatches = 2;
        one.adjust = [](TrainingJobHelper& helper) { helper.SetPorts(1, DataRate("400Gbps")); };
        Compare("one port", one);
        one = TrainingCase::Small();
        one.plan.ep = 2;
        one.recipe.microBatches = 2;
        one.shape.experts = 8;
        one.shape.activeExperts = 2;
        one.shape.expertFeedForward = 128;
        Compare("experts", one);
    }
};

/** Nodes and rails that a script builds, against those that the helper builds. */
class OwnNodesTestCase : public TestCase
{
  public:
    OwnNodesTestCase()
        : TestCase("A job on nodes or rails of a script has the times of one that is built whole")
    {
    }

  private:
    /** @return the rails that TrainingJobHelper builds by default, as a script builds them */
    static std::vector<Rail> BuildRails(const TrainingCase& one, const NodeContainer& gpus)
    {
        const uint32_t servers = one.plan.GetRanks() / one.plan.scaleUp;
        const DataRate rate(FindGpuGeneration("A100")->nicBitsPerSecond / 2);
        if (one.policy == "electrical")
        {
            ElectricalRailHelper electrical;
            electrical.SetPorts(2, rate);
            return electrical.InstallRails(gpus, one.plan.scaleUp);
        }
        PhotonicRailHelper photonic;
        photonic.SetPorts(2, rate);
        photonic.SetSwitchAttribute("Radix", UintegerValue(2 * servers));
        photonic.SetReconfigurationTime(one.reconfiguration);
        return photonic.InstallRails(gpus, one.plan.scaleUp);
    }

    /** @return the operations of a run, on what a function installs */
    static std::vector<OperationRecord> Run(
        TrainingCase one,
        const std::function<Ptr<TrainingRun>(const TrainingJobHelper&)>& install)
    {
        one.install = install;
        return TrainingBench(one).records;
    }

    void DoRun() override
    {
        TrainingCase one = TrainingCase::Small();
        one.recipe.microBatches = 2;
        for (const char* policy : {"provisioned", "electrical"})
        {
            one.policy = policy;
            const auto built = Run(one, {});
            NS_TEST_EXPECT_MSG_GT(built.size(), 0, "there are operations");
            const auto onNodes = Run(one, [&one](const TrainingJobHelper& helper) {
                return helper.Install(NodeContainer(one.plan.GetRanks()));
            });
            NS_TEST_EXPECT_MSG_EQ(FindDifference(built, onNodes), "", policy << ": own nodes");
            const auto onRails = Run(one, [&one](const TrainingJobHelper& helper) {
                const NodeContainer gpus(one.plan.GetRanks());
                const std::vector<Rail> rails = BuildRails(one, gpus);
                RdmaHelper().Install(gpus.Get(0)); // the helper installs the other engines
                const NodeContainer servers(gpus.GetN() / one.plan.scaleUp);
                return helper.Install(rails, servers);
            });
            NS_TEST_EXPECT_MSG_EQ(FindDifference(built, onRails), "", policy << ": own rails");
        }
    }
};

/** The management network, which a job has from the helper of its control plane. */
class ManagementNetworkTestCase : public TestCase
{
  public:
    ManagementNetworkTestCase()
        : TestCase("A job has the management network of its control plane's helper")
    {
    }

  private:
    /** @return an iteration @param rate of the links */
    static Picoseconds GetSteady(const std::string& rate)
    {
        TrainingCase one = TrainingCase::Small();
        one.adjust = [&rate](TrainingJobHelper& helper) {
            ManagementNetworkHelper network;
            network.SetRate(DataRate(rate));
            helper.GetOpus().SetManagementNetwork(network);
            helper.SetManagementLatency(MicroSeconds(10)); // the rate stays
        };
        return TrainingBench(one).GetSteady();
    }

    void DoRun() override
    {
        // the first request of a rank alone takes 216 bytes, on two links: 3.456 ms at 1 Mb/s
        const Picoseconds fast = GetSteady("1Gbps");
        const Picoseconds slow = GetSteady("1Mbps");
        NS_TEST_EXPECT_MSG_GT(slow, fast + 3'000'000'000, "requests take longer");
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
        // The costs of circuits beside reconfiguration: a port serves one parallelism at a time, so
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
        // the compared times depend on the network at all
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
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetSteady().exposed, Time(0), "nobody waits for circuits");
    }
};

/** One port joins a GPU with one other: shards are gathered and scattered in pairs. */
class OnePortTestCase : public TestCase
{
  public:
    OnePortTestCase()
        : TestCase("With one port a GPU, sharded data parallelism goes in pairs, of any number")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t dp : {2, 3, 6})
        {
            TrainingCase one = TrainingCase::Small();
            one.plan.dp = dp;
            one.plan.pp = 1;
            one.adjust = [](TrainingJobHelper& helper) { helper.SetPorts(1, DataRate("400Gbps")); };
            const TrainingBench bench(one);
            std::map<std::pair<CollectiveKind, std::string>, uint32_t> ran;
            for (const OperationRecord& record : bench.records)
            {
                if (bench.IsOnRails(record) && record.call.kind == RankOperation::Kind::COLLECTIVE)
                {
                    ++ran[{record.call.collective, record.algorithm}];
                    NS_TEST_EXPECT_MSG_EQ(record.fellBack, (dp > 2), "a ring is of 3 or more");
                }
            }
            const auto count = [&ran](CollectiveKind kind, const std::string& name) {
                return ran[{kind, name}];
            };
            const bool isRing = dp == 2; // two ranks are a ring, and a pair
            NS_TEST_EXPECT_MSG_GT(
                count(CollectiveKind::ALL_GATHER, isRing ? "ring" : "recursive-doubling"),
                0,
                dp << " ranks: all-gather");
            NS_TEST_EXPECT_MSG_GT(
                count(CollectiveKind::REDUCE_SCATTER, isRing ? "ring" : "recursive-halving"),
                0,
                dp << " ranks: reduce-scatter");
            NS_TEST_EXPECT_MSG_GT(
                count(CollectiveKind::ALL_REDUCE, isRing ? "ring" : "halving-doubling"),
                0,
                dp << " ranks: the norm of the gradient");
            NS_TEST_EXPECT_MSG_EQ((bench.run->GetIteration(2).reconfigurations > 0),
                                  !isRing,
                                  dp << " ranks: more than a pair takes other circuits each round");
        }
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
                NS_TEST_EXPECT_MSG_EQ(tally.exposed, Time(0), "iteration " << i);
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

/** @return mistakes of users */
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
        {"nodes of another number than ranks",
         install([](TrainingJobHelper& helper) { helper.Install(NodeContainer(3)); }),
         {"has 8 ranks", "3 nodes"}},
        {"rails of another number than GPUs of a server",
         install([](TrainingJobHelper& helper) {
             PhotonicRailHelper photonic;
             photonic.SetPorts(2, DataRate("100Gbps"));
             helper.Install(photonic.InstallRails(NodeContainer(8), 1));
         }),
         {"8 ranks on 4 servers", "1 rails are given", "give 2 rails, each of 4 GPUs"}},
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
        AddTestCase(new OwnNodesTestCase);
        AddTestCase(new ManagementNetworkTestCase);
        AddTestCase(new AtOnceTestCase);
        AddTestCase(new OnePortTestCase);
        AddTestCase(new StaticSplitTestCase);
        AddTestCase(
            new MistakesTest("Mistakes with training jobs stop in words", MistakesWithTraining()));
    }
};

static TrainingTestSuite g_trainingTestSuite;

} // namespace
