/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-crash-cases.h"

#include "photonic-rails-opus-failover.h"

#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

namespace ns3
{

SweepTestCase::SweepTestCase(const std::string& policy, uint32_t every)
    : TestCase("The controller of " + policy + " crashes at some instant"),
      m_policy(policy),
      m_every(every)
{
}

void
SweepTestCase::DoRun()
{
    const OpusCase one = WithStandby(m_policy);
    std::set<Picoseconds> instants;
    Picoseconds end = 0;
    {
        FailoverBench bench(one, {});
        NS_TEST_ASSERT_MSG_EQ(bench.RunToTheEnd(), "", "nothing fails");
        NS_TEST_EXPECT_MSG_EQ(bench.tookOver, -1, "nobody takes over when the job is over");
        NS_TEST_EXPECT_MSG_EQ((bench.plane.standby->GetRole() == OpusControllerApp::Role::STANDBY),
                              true,
                              "it stands by");
        for (const Picoseconds instant : bench.instants)
        {
            instants.insert({instant, instant + 1});
        }
        end = bench.end;
    }
    NS_TEST_ASSERT_MSG_GT(instants.size(), 100, "much happens");
    uint32_t takeovers = 0;
    uint32_t count = 0;
    for (const Picoseconds instant : instants)
    {
        if (count++ % m_every != 0)
        {
            continue;
        }
        FailoverBench bench(one, {});
        Simulator::Schedule(ToTime(instant), &OpusEndpoint::Crash, bench.plane.controller);
        NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "crash at " << instant << " ps");
        if (bench.tookOver < 0)
        {
            NS_TEST_EXPECT_MSG_LT(bench.end, instant, "the job was over at " << instant);
            continue;
        }
        ++takeovers;
        // the last message came one message later: the latency, and bits that may queue
        const Picoseconds last =
            instant + one.latency.GetTimeStep() + MicroSeconds(30).GetTimeStep();
        const Picoseconds silence = MilliSeconds(50).GetTimeStep();
        NS_TEST_EXPECT_MSG_LT(bench.lastContact, last, "crash at " << instant << " ps");
        // shims do not wait for a retransmission to find the new one
        NS_TEST_EXPECT_MSG_LT(bench.end,
                              std::max(end, last + silence) + (end - instant) +
                                  MilliSeconds(2).GetTimeStep(),
                              "crash at " << instant << " ps");
    }
    NS_TEST_EXPECT_MSG_GT(takeovers, 50 / m_every, "many of them in the midst of the job");
}

LossyCrashTestCase::LossyCrashTestCase(const std::string& policy, uint32_t runs)
    : TestCase("The controller of " + policy + " crashes while messages are lost"),
      m_policy(policy),
      m_runs(runs)
{
}

void
LossyCrashTestCase::DoRun()
{
    for (uint32_t run = 1; run <= m_runs; ++run)
    {
        RngSeedManager::SetRun(run);
        OpusCase one = WithStandby(m_policy);
        one.loss = 0.2;
        one.adjust = [](OpusHelper& opus) { // so that no message is given up
            opus.SetControllerAttribute("MostAttempts", UintegerValue(16));
            opus.SetAgentAttribute("MostAttempts", UintegerValue(16));
            opus.SetShimAttribute("MostAttempts", UintegerValue(16));
        };
        FailoverBench bench(one, {});
        // the job takes some 2 ms where nothing is lost, and each loss 1 ms or more
        const Time crash = MicroSeconds(20 + run * 7919 % 12'000);
        Simulator::Schedule(crash, &OpusEndpoint::Crash, bench.plane.controller);
        NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(),
                              "",
                              "run " << run << ", crash at " << crash.As(Time::US));
    }
    RngSeedManager::SetRun(1);
}

} // namespace ns3
