/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The network of the hosts fails: every message that does not arrive is reported, with the reason.

#include "../support/time-units.h"
#include "photonic-rails-host-network-bench.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <map>
#include <string>

using namespace ns3;

namespace
{

constexpr Picoseconds TIMEOUT = 10 * MS; // MinimumTimeout, the default

/** A network that is cut in the middle of a message. */
class CutTest : public TestCase
{
  public:
    CutTest()
        : TestCase(
              "a cut network fails what is on its way within TCP's limits, and then serves again")
    {
    }

  private:
    void DoRun() override
    {
        HostNetworkBench bench(2);
        const Picoseconds cut = 1 * MS;
        bench.Send(0, 2, 1, 1000);        // is over by then
        bench.Send(0, 2, 2, 100'000'000); // takes 8 ms
        bench.Send(0, 3, 3, 10);
        HostBench::At(cut, [&bench] { bench.Cut(1, true, true); });
        // Seven timeouts, each twice the one before, of 10 ms or a bit more (the time there and
        // back is 0.1 ms at most, with full buffers).
        const Picoseconds given = 127 * TIMEOUT;
        const Picoseconds repaired = cut + 2 * given;
        HostBench::At(repaired, [&bench] {
            bench.Cut(1, true, false);
            bench.Send(0, 2, 4, 1000);
        });
        Simulator::Run();

        NS_TEST_ASSERT_MSG_EQ(bench.failed[0].size(), 2, "the one on its way, and the one behind");
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto& failed = bench.failed[0][i];
            NS_TEST_EXPECT_MSG_EQ(failed.message.tag, i + 2, "in order");
            NS_TEST_EXPECT_MSG_GT(failed.at, cut + TIMEOUT, "TCP tries again");
            NS_TEST_EXPECT_MSG_LT(failed.at, cut + given + given / 10, "and gives up");
            NS_TEST_EXPECT_MSG_NE(failed.why.find("172.16.0.5: the connection broke"),
                                  std::string::npos,
                                  "the reason: " << failed.why);
        }
        NS_TEST_ASSERT_MSG_EQ(bench.settled[0].size(), 2, "before and after");
        NS_TEST_EXPECT_MSG_EQ(bench.settled[0][0].message.tag, 1, "before");
        NS_TEST_EXPECT_MSG_EQ(bench.settled[0][1].message.tag, 4, "after");
        NS_TEST_EXPECT_MSG_EQ(bench.arrived[2].size(), 2, "and no other arrives");
        NS_TEST_EXPECT_MSG_EQ(bench.network.endpoints[0]->GetFailed(), 2, "counted");
    }
};

/** A network that is cut from the beginning. */
class NoConnectionTest : public TestCase
{
  public:
    NoConnectionTest()
        : TestCase("without a network no connection is made, and messages fail with the reason")
    {
    }

  private:
    void DoRun() override
    {
        HostNetworkBench bench(2);
        bench.Cut(1, true, true);
        bench.Send(0, 2, 1, 1000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(bench.failed[0].size(), 1, "failed");
        // the first try and six more, each timeout at most twice the one before: 100 ms to 6.4 s
        NS_TEST_EXPECT_MSG_LT(bench.failed[0][0].at, 127 * 100 * MS + 1 * MS, "within the limits");
        NS_TEST_EXPECT_MSG_NE(bench.failed[0][0].why.find("no way to connect"),
                              std::string::npos,
                              "the reason: " << bench.failed[0][0].why);
        NS_TEST_EXPECT_MSG_EQ(bench.arrived[2].size(), 0, "not arrived");
    }
};

/** Everything is acknowledged, and then the receipt is lost. */
class LostReceiptTest : public TestCase
{
  public:
    LostReceiptTest()
        : TestCase("a receipt that never comes fails its message when patience runs out")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const Picoseconds slow = 100 * MS; // from server to GPU, and so to the receipt
        const Picoseconds timeout = 4 * S;
        HostNetworkHelper helper;
        helper.SetEndpointAttribute("HostLatency", TimeValue(ToTime(slow)));
        helper.SetEndpointAttribute("Timeout", TimeValue(ToTime(timeout)));
        HostNetworkBench bench(2, helper);
        bench.Send(0, 2, 1, 1000);
        const Picoseconds cut = slow + slow / 2; // it is there, and its receipt is not due
        HostBench::At(cut, [&bench] { bench.Cut(0, true, true); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.arrived[2].size(), 1, "the receiver has it");
        NS_TEST_EXPECT_MSG_EQ(bench.settled[0].size(), 0, "the sender does not know");
        NS_TEST_ASSERT_MSG_EQ(bench.failed[0].size(), 1, "and gives it up");
        NS_TEST_EXPECT_MSG_GT(bench.failed[0][0].at, slow + timeout, "after its patience");
        NS_TEST_EXPECT_MSG_LT(bench.failed[0][0].at, cut + timeout + slow, "from the last sign");
        NS_TEST_EXPECT_MSG_NE(bench.failed[0][0].why.find("no sign of life for +4s"),
                              std::string::npos,
                              "the reason: " << bench.failed[0][0].why);
    }
};

/** Endpoints that are not there, or not for long. */
class AbsentTest : public TestCase
{
  public:
    AbsentTest()
        : TestCase("a rank that is not there, an endpoint that stops, and one that has stopped")
    {
    }

  private:
    void DoRun() override
    {
        HostNetworkBench bench(2);
        bench.transports[3] = nullptr; // no other pointer holds it
        bench.Send(0, 3, 1, 1000);
        bench.Send(0, 2, 2, 1000);
        const Picoseconds stop = 1 * MS;
        bench.network.endpoints[1]->SetStopTime(ToTime(stop));
        HostBench::At(stop - 10 * US, [&bench] { bench.Send(0, 2, 3, 100'000'000); });
        bench.network.endpoints[0]->SetStopTime(ToTime(100 * stop));
        HostBench::At(200 * stop, [&bench] { bench.Send(0, 2, 4, 10); });
        Simulator::Run();

        std::map<uint32_t, std::string> why;
        for (const auto& one : bench.failed[0])
        {
            why[one.message.tag] = one.why;
        }
        NS_TEST_EXPECT_MSG_EQ(bench.failed[0].size(), 3, "each once");
        NS_TEST_EXPECT_MSG_NE(why[1].find("172.16.0.5 has no rank 3"), std::string::npos, why[1]);
        NS_TEST_EXPECT_MSG_NE(why[3].find("172.16.0.5: "), std::string::npos, why[3]);
        NS_TEST_EXPECT_MSG_NE(why[4].find("does not run"), std::string::npos, why[4]);
        NS_TEST_ASSERT_MSG_EQ(bench.settled[0].size(), 1, "one");
        NS_TEST_EXPECT_MSG_EQ(bench.settled[0][0].message.tag, 2, "that one");
    }
};

/** The suite. */
class HostFailuresTestSuite : public TestSuite
{
  public:
    HostFailuresTestSuite()
        : TestSuite("photonic-rails-host-failures", TestSuite::Type::UNIT)
    {
        AddTestCase(new CutTest);
        AddTestCase(new NoConnectionTest);
        AddTestCase(new LostReceiptTest);
        AddTestCase(new AbsentTest);
    }
};

HostFailuresTestSuite g_hostFailuresTestSuite;

} // namespace
