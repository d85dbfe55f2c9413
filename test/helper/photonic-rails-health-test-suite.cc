/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Agents and the monitor by themselves, without a job: what datagrams that are lost lead to.

#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/server-health.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

/** A server that is silent, comes back, and is silent again before the order to stop reaches it. */
class SilentTwiceTestCase : public TestCase
{
  public:
    SilentTwiceTestCase()
        : TestCase("An order to stop ends though a server is silent for a second time")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        PhotonicRailHelper photonic;
        const std::vector<Rail> rails = photonic.InstallRails(NodeContainer(2), 1);
        ObjectFactory agents;
        agents.SetTypeId(HealthAgent::GetTypeId());
        ObjectFactory monitors;
        monitors.SetTypeId(HealthMonitor::GetTypeId());
        const ServerHealth health = ServerHealth::Make(rails, MicroSeconds(10), agents, monitors);
        for (const Ptr<HealthAgent>& agent : health.agents)
        {
            agent->Watch(1, {});
        }
        const Ptr<Node> lost = health.servers.Get(0);
        health.monitor->Watch(1, {0}, {}, [this](const FailureDiagnosis& found) {
            m_diagnosed = Simulator::Now();
            NS_TEST_EXPECT_MSG_EQ(found.servers.count(0), 1, found.words);
        });
        const auto at = [](int64_t ms, auto action) {
            Simulator::Schedule(MilliSeconds(ms), action);
        };
        at(10, [&]() { health.network.Cut(lost); });
        at(410, [&]() { health.network.Restore(lost); }); // a heartbeat comes at 500 ms
        at(510, [&]() { health.network.Cut(lost); });
        at(520, [&]() { health.monitor->Stop([this]() { m_stopped = Simulator::Now(); }); });
        at(2000, [&]() { health.Stop(); });
        Simulator::Run();
        // the last heartbeats are those of 0 and 500 ms; three are missing after 300 ms
        NS_TEST_EXPECT_MSG_EQ((m_diagnosed > MilliSeconds(350) && m_diagnosed < MilliSeconds(351)),
                              true,
                              "it is silent at 300 ms, and diagnosed 50 ms later");
        NS_TEST_EXPECT_MSG_EQ((m_stopped > MilliSeconds(800) && m_stopped < MilliSeconds(801)),
                              true,
                              "it is silent again, and not awaited: " << m_stopped.As(Time::MS));
        Simulator::Destroy();
    }

    Time m_diagnosed{0};
    Time m_stopped{0};
};

/** The suite. */
class HealthTestSuite : public TestSuite
{
  public:
    HealthTestSuite()
        : TestSuite("photonic-rails-health", TestSuite::Type::UNIT)
    {
        AddTestCase(new SilentTwiceTestCase);
    }
};

HealthTestSuite g_healthTestSuite;

} // namespace
