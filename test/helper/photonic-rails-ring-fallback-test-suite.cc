/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jobs whose circuits fail in mid-run: with a fallback on giant rings they go on, without one they
// end with the reason.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/controller-core.h"
#include "ns3/controller-record.h"
#include "ns3/nstime.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-shim-app.h"
#include "ns3/path-report.h"
#include "ns3/shim-core.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"

#include <random>
#include <string>

using namespace ns3;

namespace
{

/** @return a job on rails of eight GPUs with two ports each */
TrainingCase
MakeFailingCase(const std::string& policy)
{
    TrainingCase one = TrainingCase::Small();
    one.plan.dp = 4;
    one.policy = policy;
    return one;
}

/** A port of a switch is stuck from some time on. */
class StuckPortTestCase : public TestCase
{
  public:
    StuckPortTestCase(const std::string& policy, uint32_t gpu, uint32_t port)
        : TestCase("Rails fall back on rings, policy " + policy + ", port " + std::to_string(port) +
                   " of GPU " + std::to_string(gpu)),
          m_policy(policy),
          m_gpu(gpu),
          m_port(port)
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = MakeFailingCase(m_policy);
        one.adjust = [](TrainingJobHelper& helper) {
            helper.GetOpus().SetControllerAttribute("Fallback", StringValue("GiantRing"));
        };
        one.installed = [this](TrainingRun& run) {
            const Rail& rail = run.rails.at(0);
            rail.GetOpticalSwitch()->SetFault(rail.GetSwitchPort(m_gpu, m_port),
                                              PortFault::STUCK_DARK);
        };
        TrainingBench bench(one); // all has ended, and the audit has no findings
        const ControllerCounters counters = bench.run->plane.GetInCharge()->GetCore().GetCounters();
        NS_TEST_EXPECT_MSG_GT(counters.fallbacks, 0, "its rail has fallen back");
        NS_TEST_EXPECT_MSG_EQ(counters.refusals, 0, "nothing is refused");
        NS_TEST_EXPECT_MSG_GT(GetBandwidthTax(bench.run->GetAll().paths), 1, "over hops");
    }

    std::string m_policy;
    uint32_t m_gpu;
    uint32_t m_port;
};

/** The only controller crashes. */
class LostControllerTestCase : public TestCase
{
  public:
    LostControllerTestCase(const std::string& policy, uint32_t seed)
        : TestCase("Shims and agents set up rings when the controller is lost, policy " + policy +
                   ", seed " + std::to_string(seed)),
          m_policy(policy),
          m_draw(seed)
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = MakeFailingCase(m_policy);
        const bool hasStuckPort = m_draw() % 3 == 0;
        one.adjust = [](TrainingJobHelper& helper) {
            helper.GetOpus().SetShimAttribute("GiveUpAfter", TimeValue(MilliSeconds(3)));
            helper.GetOpus().SetShimAttribute("WhenGivenUp", StringValue("Ring"));
        };
        one.installed = [this, hasStuckPort](TrainingRun& run) {
            const Time crash = MicroSeconds(1 + m_draw() % 4000);
            Simulator::Schedule(crash, &OpusEndpoint::Crash, run.plane.controller);
            if (hasStuckPort) // of a ring, in its last reconfiguration
            {
                const Rail rail = run.rails.at(0);
                Simulator::Schedule(crash + MicroSeconds(2500), [rail] {
                    rail.GetOpticalSwitch()->SetFault(rail.GetSwitchPort(3, 0),
                                                      PortFault::STUCK_DARK);
                });
            }
        };
        TrainingBench bench(one); // all has ended, and the audit has no findings
        const JobTally all = bench.run->GetAll();
        NS_TEST_EXPECT_MSG_GT(GetBandwidthTax(all.paths), 1, "over hops");
        NS_TEST_EXPECT_MSG_GT(all.end, MilliSeconds(3), "after the limit");
        for (const Ptr<OpusShimApp>& shim : bench.run->plane.shims)
        {
            NS_TEST_EXPECT_MSG_EQ(shim->GetCore().HasFallenBack(), true, "all of them");
        }
    }

    std::string m_policy;
    std::mt19937 m_draw;
};

/** The suite. */
class RingFallbackTestSuite : public TestSuite
{
  public:
    RingFallbackTestSuite()
        : TestSuite("photonic-rails-ring-fallback", TestSuite::Type::UNIT)
    {
        for (const char* policy : {"on-demand", "provisioned", "co-scheduled"})
        {
            AddTestCase(new StuckPortTestCase(policy, 0, 0));
            AddTestCase(new StuckPortTestCase(policy, 5, 1));
            for (uint32_t seed = 1; seed <= 6; ++seed)
            {
                AddTestCase(new LostControllerTestCase(policy, seed));
            }
        }
    }
};

RingFallbackTestSuite g_ringFallbackTestSuite;

} // namespace
