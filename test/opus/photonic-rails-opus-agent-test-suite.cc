/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The agent of a switch, with a test in place of the controller.

#include "../support/contains.h"
#include "../support/photonic-rails-opus-bench.h"
#include "opus-flat-message.h"
#include "photonic-rails-opus-other-controller.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/opus-channel.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstddef>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** A plan is answered once, whether or not it changes anything. */
class AnswerTestCase : public TestCase
{
  public:
    AnswerTestCase()
        : TestCase("A plan is answered once, whether or not it changes anything")
    {
    }

  private:
    void DoRun() override
    {
        OpusBench bench(OpusCase{});
        const Ptr<OcsAgent> agent = bench.plane.agents[0];
        agent->TraceConnectWithoutContext("PlanEnded", MakeCallback(&AnswerTestCase::Ended, this));
        agent->TraceConnectWithoutContext("MessageSent", MakeCallback(&AnswerTestCase::Sent, this));
        OtherController otherController(bench.plane.servers.Get(0));
        FlatMessage<OpusProgram> plan;
        plan.term = 1;
        plan.plan = 1;
        plan.up = {{PortId(0), PortId(2)}};
        Send(otherController, bench, plan, 1);
        plan.plan = 2;
        plan.up.clear(); // nothing to change
        Send(otherController, bench, plan, 2);
        bench.Run(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(m_ended.size(), 2, "each ends once");
        NS_TEST_EXPECT_MSG_EQ((m_ended == m_sent), true, "and is answered once");
        const std::vector<uint64_t> both{2, 1}; // the first takes a reconfiguration
        NS_TEST_EXPECT_MSG_EQ((m_sent == both), true, "both");
        NS_TEST_EXPECT_MSG_EQ(agent->GetCounters().programs, 2, "plans begun");
        NS_TEST_EXPECT_MSG_EQ(agent->GetCounters().done, 2, "plans done");
        NS_TEST_EXPECT_MSG_EQ(agent->GetCounters().reconfiguration,
                              OpusCase{}.reconfiguration,
                              "what changes nothing takes no time");
    }

    void Send(OtherController& otherController,
              OpusBench& bench,
              const OpusMessage& plan,
              uint64_t sequence)
    {
        const Ptr<Node> railSwitch = bench.rails[0].GetSwitchNode();
        Simulator::Schedule(MicroSeconds(100),
                            &OtherController::Send,
                            &otherController,
                            MakeDatagram(plan, sequence),
                            OpusPeer{bench.plane.network.GetAddress(railSwitch), OPUS_PORT});
    }

    void Ended(const OpusMessage& program, const OpusMessage&)
    {
        m_ended.push_back(program.Get<OpusProgram>().plan);
    }

    void Sent(const OpusMessage& message, const OpusPeer&)
    {
        if (const OpusDone* done = message.Find<OpusDone>())
        {
            m_sent.push_back(done->plan);
        }
    }

    std::vector<uint64_t> m_ended; //!< plans
    std::vector<uint64_t> m_sent;  //!< answers, by plan
};

/** Plans of a controller that knows other ports. */
class ForeignPortTestCase : public TestCase
{
  public:
    ForeignPortTestCase()
        : TestCase("An agent refuses plans with ports of others")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.servers = 4;
        one.jobs = {{0, 1}}; // no job has servers 2 and 3
        OpusBench bench(one);
        const Rail& rail = bench.rails[0];
        bench.plane.agents[0]->TraceConnectWithoutContext(
            "PlanEnded",
            MakeCallback(&ForeignPortTestCase::Ended, this));
        OtherController otherController(bench.plane.servers.Get(0));
        FlatMessage<OpusProgram> plan;
        plan.term = 1;
        plan.plan = 1;
        plan.up = {{rail.GetSwitchPort(0), rail.GetSwitchPort(1)},
                   {rail.GetSwitchPort(0, 1), rail.GetSwitchPort(2)}};
        const OpusPeer agent{bench.plane.network.GetAddress(rail.GetSwitchNode()), OPUS_PORT};
        Simulator::Schedule(MicroSeconds(100),
                            &OtherController::Send,
                            &otherController,
                            MakeDatagram(plan, 1),
                            agent);
        bench.Run(MilliSeconds(1));
        const std::string port = std::to_string(rail.GetSwitchPort(2).Get());
        NS_TEST_EXPECT_MSG_EQ(m_reason, "port " + port + " is of no server of this agent", "");
        NS_TEST_EXPECT_MSG_EQ(rail.GetOpticalSwitch()->GetMap().GetCircuits().size(),
                              0,
                              "nothing of the plan is carried out");
    }

    void Ended(const OpusMessage&, const OpusMessage& answer)
    {
        m_reason = answer.Get<OpusAlarm>().reason;
    }

    std::string m_reason;
};

/** Plans that the fabric of the switch cannot set, and circuits whose loss is too high. */
class FabricAnswerTestCase : public TestCase
{
  public:
    FabricAnswerTestCase()
        : TestCase(
              "An agent answers plans without routes, and circuits without light, with the reason")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::OpticalCircuitSwitch::Fabric",
                           StringValue("ns3::HexagonalMeshFabric[Rows=2|Columns=2]"));
        // circuits that cross each other, in 19 cells: no setting joins them all
        Run({{PortId(0), PortId(5)},
             {PortId(1), PortId(6)},
             {PortId(2), PortId(7)},
             {PortId(3), PortId(8)},
             {PortId(4), PortId(9)}});
        NS_TEST_EXPECT_MSG_EQ(Contains(m_alarm.reason, "no setting of its cells"),
                              true,
                              m_alarm.reason);
        NS_TEST_EXPECT_MSG_EQ(m_alarm.isPartial, false, "nothing has changed");
        NS_TEST_EXPECT_MSG_EQ(m_circuits, 0, "nothing of the plan is carried out");
        // two ports lose 3.6 dB alone, and a launch of 0 dBm leaves 3
        Config::SetDefault("ns3::RailNetDevice::ReceiverSensitivity", DoubleValue(-3));
        Run({{PortId(0), PortId(5)}});
        NS_TEST_EXPECT_MSG_EQ(Contains(m_alarm.reason, "circuit 0-5 loses"), true, m_alarm.reason);
        NS_TEST_EXPECT_MSG_EQ(m_alarm.isPartial, true, "it was carried out");
        NS_TEST_EXPECT_MSG_EQ(m_alarm.dark.size(), 1, "the circuit without light");
        NS_TEST_EXPECT_MSG_EQ(m_circuits, 0, "the agent has taken it down");
        Config::Reset();
    }

    /** Has an agent set up circuits. */
    void Run(const std::vector<SwitchCircuit>& up)
    {
        OpusCase one;
        one.servers = 5;
        OpusBench bench(one);
        const Rail& rail = bench.rails[0];
        bench.plane.agents[0]->TraceConnectWithoutContext(
            "PlanEnded",
            MakeCallback(&FabricAnswerTestCase::Ended, this));
        OtherController otherController(bench.plane.servers.Get(0));
        FlatMessage<OpusProgram> plan;
        plan.term = 1;
        plan.plan = 1;
        plan.up = up;
        Simulator::Schedule(
            MicroSeconds(100),
            &OtherController::Send,
            &otherController,
            MakeDatagram(plan, 1),
            OpusPeer{bench.plane.network.GetAddress(rail.GetSwitchNode()), OPUS_PORT});
        bench.Run(MilliSeconds(1));
        m_circuits = rail.GetOpticalSwitch()->GetMap().GetCircuits().size();
    }

    void Ended(const OpusMessage&, const OpusMessage& answer)
    {
        m_alarm = answer.Get<OpusAlarm>();
    }

    OpusAlarm m_alarm;
    std::size_t m_circuits{0};
};

/** The suite. */
class OpusAgentTestSuite : public TestSuite
{
  public:
    OpusAgentTestSuite()
        : TestSuite("photonic-rails-opus-agent", TestSuite::Type::UNIT)
    {
        AddTestCase(new AnswerTestCase);
        AddTestCase(new ForeignPortTestCase);
        AddTestCase(new FabricAnswerTestCase);
    }
};

OpusAgentTestSuite g_opusAgentTestSuite;

} // namespace
