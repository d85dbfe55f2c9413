/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The controller in charge: controllers that crash and are restarted, that were cut off, and that
// have no majority.

#include "photonic-rails-opus-failover.h"

#include "ns3/opus-controller-app.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Role = OpusControllerApp::Role;

/** A job that takes some 200 ms, and roles as they were taken. */
class RejoinBench : public FailoverBench
{
  public:
    explicit RejoinBench(const OpusCase& one, Time compute = MilliSeconds(100))
        : FailoverBench(one, {2, compute, 1 << 18})
    {
        isOnlySilence = false;
        plane.controller->TraceConnectWithoutContext(
            "RoleChanged",
            MakeCallback(&RejoinBench::Changed, this).Bind(uint32_t{0}));
        if (plane.standby)
        {
            plane.standby->TraceConnectWithoutContext(
                "RoleChanged",
                MakeCallback(&RejoinBench::Changed, this).Bind(uint32_t{1}));
        }
    }

    /** @return how often a controller had a role @param which controller @param role its role */
    std::size_t Count(uint32_t which, Role role) const
    {
        return std::count(roles[which].begin(), roles[which].end(), role);
    }

    std::vector<Role> roles[2];
    std::vector<uint32_t> terms; //!< in which a controller was in charge

  private:
    void Changed(uint32_t which, Role role, uint32_t term)
    {
        roles[which].push_back(role);
        if (role == Role::IN_CHARGE)
        {
            terms.push_back(term);
        }
    }
};

/** One after the other crashes, and is restarted. */
class TakeTurnsTestCase : public TestCase
{
  public:
    TakeTurnsTestCase()
        : TestCase("A controller that crashed joins again, and takes over again")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            for (uint32_t run = 0; run < 8; ++run)
            {
                RejoinBench bench(WithStandby(policy));
                const Time first = MicroSeconds(run < 4 ? 150 + 61 * run : 100'100 + 97 * run);
                Simulator::Schedule(first, &OpusEndpoint::Crash, bench.plane.controller);
                Simulator::Schedule(first + MilliSeconds(run % 2 == 0 ? 20 : 70),
                                    &OpusControllerApp::Restart,
                                    bench.plane.controller);
                Simulator::Schedule(first + MilliSeconds(100),
                                    &OpusEndpoint::Crash,
                                    bench.plane.standby);
                const std::string name = policy + ", run " + std::to_string(run);
                NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", name);
                NS_TEST_EXPECT_MSG_EQ(bench.Count(1, Role::IN_CHARGE), 1, name);
                NS_TEST_EXPECT_MSG_EQ(bench.Count(0, Role::STANDBY), 1, name << ": it joins");
                NS_TEST_EXPECT_MSG_EQ(bench.Count(0, Role::IN_CHARGE), 1, name);
                NS_TEST_EXPECT_MSG_EQ((bench.terms == std::vector<uint32_t>{1, 2}), true, name);
                NS_TEST_EXPECT_MSG_EQ((bench.plane.GetInCharge() == bench.plane.controller),
                                      true,
                                      name);
            }
        }
    }
};

/** A controller without a standby finds the circuits that stand and the grants that are held. */
class AloneTestCase : public TestCase
{
  public:
    AloneTestCase()
        : TestCase("A controller that is alone goes on after a restart")
    {
    }

  private:
    void DoRun() override
    {
        for (const int64_t crash : {150, 260, 330, 100'300})
        {
            OpusCase one = WithStandby("on-demand");
            one.standby = false;
            RejoinBench bench(one);
            Simulator::Schedule(MicroSeconds(crash), &OpusEndpoint::Crash, bench.plane.controller);
            Simulator::Schedule(MicroSeconds(crash) + MilliSeconds(5),
                                &OpusControllerApp::Restart,
                                bench.plane.controller);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "crash at " << crash << " us");
            NS_TEST_EXPECT_MSG_EQ((bench.terms == std::vector<uint32_t>{2}), true, crash);
        }
    }
};

/** One that was cut off stands by for the other one, and takes over from it. */
class RetiredTestCase : public TestCase
{
  public:
    RetiredTestCase()
        : TestCase("A controller that was replaced stands by")
    {
    }

  private:
    void DoRun() override
    {
        RejoinBench bench(WithStandby("on-demand"));
        bench.CutOff(MilliSeconds(1), MilliSeconds(75));
        Simulator::Schedule(MilliSeconds(110), &OpusEndpoint::Crash, bench.plane.standby);
        NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "all is done");
        const std::vector<Role> first{Role::RETIRED,
                                      Role::STANDBY,
                                      Role::CANDIDATE,
                                      Role::IN_CHARGE};
        NS_TEST_EXPECT_MSG_EQ((bench.roles[0] == first), true, "one after the other");
        NS_TEST_EXPECT_MSG_EQ((bench.terms == std::vector<uint32_t>{1, 2}), true, "two terms");
    }
};

/** A standby that is cut off does no harm. */
class NoMajorityTestCase : public TestCase
{
  public:
    NoMajorityTestCase()
        : TestCase("Without a majority of the agents nobody is in charge")
    {
    }

  private:
    void DoRun() override
    {
        Picoseconds end = 0;
        {
            RejoinBench bench(WithStandby("on-demand"));
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "nothing fails");
            end = bench.end;
        }
        {
            // the standby is cut off: it is a candidate that no agent can reach
            RejoinBench bench(WithStandby("on-demand"));
            bench.Cut(bench.plane.standby->GetNode());
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "the job does not notice");
            NS_TEST_EXPECT_MSG_EQ(bench.end, end, "at all");
            NS_TEST_EXPECT_MSG_EQ(bench.Count(1, Role::CANDIDATE), 1, "it hears nobody");
            NS_TEST_EXPECT_MSG_EQ(bench.terms.size(), 0, "and is not in charge");
        }
        {
            // the only agent is cut off when the controller crashes, and mended later
            RejoinBench bench(WithStandby("on-demand"), MilliSeconds(5));
            const Ptr<Node> agent = bench.rails[0].GetSwitchNode();
            Simulator::Schedule(MilliSeconds(3), &FailoverBench::Cut, &bench, agent);
            Simulator::Schedule(MilliSeconds(3), &OpusEndpoint::Crash, bench.plane.controller);
            Simulator::Schedule(MilliSeconds(300), &FailoverBench::Mend, &bench, agent);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "it goes on");
            NS_TEST_EXPECT_MSG_GT(bench.tookOver, MilliSeconds(300).GetTimeStep(), "when mended");
        }
    }
};

/** The suite. */
class OpusRejoinTestSuite : public TestSuite
{
  public:
    OpusRejoinTestSuite()
        : TestSuite("photonic-rails-opus-rejoin", TestSuite::Type::UNIT)
    {
        AddTestCase(new TakeTurnsTestCase);
        AddTestCase(new AloneTestCase);
        AddTestCase(new RetiredTestCase);
        AddTestCase(new NoMajorityTestCase);
    }
};

static OpusRejoinTestSuite g_opusRejoinTestSuite;

} // namespace
