/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A run ends with its job: Simulator::Now() after Simulator::Run() is when the last rank's program
// was over, and the messages that follow are listed. No timer lets the simulation go on.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/photonic-rails-training-bench.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"

using namespace ns3;

namespace
{

constexpr Picoseconds MICROSECOND = 1'000'000;

/** A job, and its rails. */
struct EndCase
{
    std::string name;
    OpusCase setting;
    double frameLoss{0};             //!< share of the frames of a rail
    Picoseconds compute{30'000'000}; //!< between two operations
};

/** @return four servers on a rail with a policy */
OpusCase
FourServers(const std::string& policy, const std::string& fidelity, bool standby = false)
{
    OpusCase one;
    one.servers = 4;
    one.policy = policy;
    one.fidelity = fidelity;
    one.standby = standby;
    one.electrical = policy == "electrical";
    return one;
}

/** @return the longest time that follows the end of the last program */
Picoseconds
AfterTheEnd(const OpusCase& one)
{
    if (one.electrical)
    {
        return 0; // a rank whose sends are settled has no messages left
    }
    // The rank calls its shim, which sends the controller the releases and its leave. Guessed
    // circuits may be programmed for then: to the agent, and back. Each input of a controller goes
    // to the standby and back before the controller acts on it, and the last message of each path
    // is acknowledged. A datagram of 1500 bytes takes 12 us on each of a path's two links of 1
    // Gb/s, and finds at most one other before it.
    const Picoseconds way = one.latency.GetTimeStep() + 4 * 12 * MICROSECOND;
    const uint32_t ways = one.standby ? 8 : 4;
    return one.hostLatency.GetTimeStep() + ways * way + one.reconfiguration.GetTimeStep();
}

/** Jobs on a rail. */
class JobTestCase : public TestCase
{
  public:
    explicit JobTestCase(const EndCase& one)
        : TestCase("The run ends with the job: " + one.name),
          m_case(one)
    {
    }

  private:
    void DoRun() override
    {
        RngSeedManager::SetRun(1);
        Config::SetDefault("ns3::OpticalFiber::FrameLossRate", DoubleValue(m_case.frameLoss));
        {
            OpusBench bench(m_case.setting);
            const SquareJob job(bench);
            const auto program = FourShifts(3, m_case.compute);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                bench.SetProgram(rank, program, job.GroupsOf(rank));
                bench.applications.Get(rank)->TraceConnectWithoutContext(
                    "ProgramEnded",
                    MakeCallback(&JobTestCase::Over, this));
            }
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.IsOver(), true, "the job is over");
            NS_TEST_EXPECT_MSG_EQ((bench.audit.GetTotals().framesDropped > 0),
                                  (m_case.frameLoss > 0),
                                  "frames are lost if they are to be");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(NowPicoseconds(),
                                        m_over,
                                        "the last program ends in the run");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(NowPicoseconds() - m_over,
                                        AfterTheEnd(m_case.setting),
                                        "what goes on after " << m_over << " ps");
        }
        Config::Reset();
    }

    void Over(RankId)
    {
        m_over = NowPicoseconds();
    }

    EndCase m_case;
    Picoseconds m_over{0};
};

/** A training job as scripts make it. */
class TrainingTestCase : public TestCase
{
  public:
    explicit TrainingTestCase(const std::string& policy)
        : TestCase("The run ends with the training job: " + policy),
          m_policy(policy)
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        RngSeedManager::SetRun(1);
        const TrainingCase one = TrainingCase::Small();
        TrainingJobHelper helper;
        helper.SetModel(one.shape);
        helper.SetParallelismPlan(one.plan);
        helper.SetRecipe(one.recipe);
        helper.SetPolicy(m_policy);
        helper.SetReconfigurationTime(one.reconfiguration);
        const Ptr<TrainingRun> run = helper.Install();
        for (uint32_t rank = 0; rank < run->applications.GetN(); ++rank)
        {
            run->applications.Get(rank)->TraceConnectWithoutContext(
                "ProgramEnded",
                MakeCallback(&TrainingTestCase::Over, this));
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_ended, run->applications.GetN(), "the job is over");
        OpusCase setting = FourServers(m_policy, "PacketTrains");
        setting.reconfiguration = one.reconfiguration;
        setting.latency = MilliSeconds(1); // more than the helper's
        NS_TEST_EXPECT_MSG_LT_OR_EQ(NowPicoseconds() - m_over,
                                    AfterTheEnd(setting),
                                    "what goes on after " << m_over << " ps");
        Simulator::Destroy();
    }

    void Over(RankId)
    {
        m_over = NowPicoseconds();
        ++m_ended;
    }

    std::string m_policy;
    Picoseconds m_over{0};
    uint32_t m_ended{0};
};

/** One message between two NICs: its acknowledgement is the last event. */
class MessageTestCase : public TestCase
{
  public:
    explicit MessageTestCase(const std::string& fidelity)
        : TestCase("The run ends with the acknowledgement of a message: " + fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue(m_fidelity));
        const NodeContainer gpus(2);
        const Rail rail = PhotonicRailHelper().Install(gpus);
        RdmaHelper().Install(gpus);
        rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
        gpus.Get(0)->GetObject<RdmaEngine>()->TraceConnectWithoutContext(
            "MessageSettled",
            MakeCallback(&MessageTestCase::Settled, this));
        const RdmaEngine::Ends ends = RdmaEngine::Connect(gpus.Get(0), gpus.Get(1));
        // dark at first: the limit of carrier is lifted when light comes
        rail.GetOpticalSwitch()->Disconnect(PortId(0), PortId(1));
        Simulator::Schedule(MicroSeconds(1), &MessageTestCase::Light, this, rail);
        ends.first->Post(RdmaVerb::SEND, 1 << 20);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(m_settled, 0, "it is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(NowPicoseconds(), m_settled, "and nothing comes after");
        Simulator::Destroy();
    }

    void Light(Rail rail)
    {
        rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
    }

    void Settled(const RdmaQueuePair&, const RdmaMessage&)
    {
        m_settled = NowPicoseconds();
    }

    std::string m_fidelity;
    Picoseconds m_settled{0};
};

/** The suite. */
class EndOfRunTestSuite : public TestSuite
{
  public:
    EndOfRunTestSuite()
        : TestSuite("photonic-rails-end-of-run", TestSuite::Type::UNIT)
    {
        for (const char* fidelity : {"PacketTrains", "PacketEvents"})
        {
            AddTestCase(new MessageTestCase(fidelity));
            for (const char* policy : {"electrical", "on-demand", "provisioned"})
            {
                const std::string name = std::string(policy) + ", " + fidelity;
                AddTestCase(new JobTestCase({name, FourServers(policy, fidelity)}));
                AddTestCase(
                    new JobTestCase({name + ", lossy", FourServers(policy, fidelity), 1e-3}));
            }
        }
        for (const char* policy : {"on-demand", "provisioned"})
        {
            const std::string name = std::string(policy) + ", standby";
            AddTestCase(new JobTestCase({name, FourServers(policy, "PacketTrains", true)}));
        }
        for (const char* policy : {"electrical", "on-demand", "provisioned"})
        {
            AddTestCase(new TrainingTestCase(policy));
        }
    }
};

EndOfRunTestSuite g_endOfRunTestSuite;

} // namespace
