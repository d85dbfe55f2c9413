/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The control plane in the simulation: the cost of a grant, and the receivers of each message.

#include "../support/photonic-rails-opus-bench.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"

#include <map>

using namespace ns3;

namespace
{

/** @return how long the first collective of two servers waits for circuits */
Picoseconds
WaitOfFirst(const OpusCase& one, std::string& findings)
{
    OpusBench bench(one);
    const auto group = bench.MakeGroup("dp 0", {0, 1});
    const auto program = OneCollective(CollectiveKind::ALL_GATHER, 1 << 20);
    bench.SetProgram(0, program, {group});
    bench.SetProgram(1, program, {group});
    findings += bench.Run();
    return bench.ended.empty() ? -1 : bench.ended[0].waited.GetTimeStep();
}

/** A grant on demand takes four messages, and two calls inside the server. */
class GrantDelayTestCase : public TestCase
{
  public:
    GrantDelayTestCase()
        : TestCase("What an on-demand grant waits for")
    {
    }

  private:
    void DoRun() override
    {
        std::string findings;
        OpusCase one;
        const Picoseconds first = WaitOfFirst(one, findings);
        // request, program, done and grant: four messages one after another, and the switch; the
        // rest is the time of their bits at 1 Gb/s, some us each
        const Picoseconds known = 4 * one.latency.GetTimeStep() +
                                  2 * one.hostLatency.GetTimeStep() +
                                  one.reconfiguration.GetTimeStep();
        NS_TEST_EXPECT_MSG_GT(first, known, "bits take time");
        NS_TEST_EXPECT_MSG_LT(first, known + MicroSeconds(20).GetTimeStep(), "and not much");
        for (const Time& more : {NanoSeconds(2), MicroSeconds(3), MilliSeconds(1)})
        {
            OpusCase slower = one;
            slower.latency = one.latency + more;
            NS_TEST_EXPECT_MSG_EQ(WaitOfFirst(slower, findings) - first,
                                  4 * more.GetTimeStep(),
                                  "the management network counts four times");
            slower = one;
            slower.hostLatency = one.hostLatency + more;
            NS_TEST_EXPECT_MSG_EQ(WaitOfFirst(slower, findings) - first,
                                  2 * more.GetTimeStep(),
                                  "the way from a rank to its shim counts twice");
            slower = one;
            slower.reconfiguration = one.reconfiguration + more;
            NS_TEST_EXPECT_MSG_EQ(WaitOfFirst(slower, findings) - first,
                                  more.GetTimeStep(),
                                  "turning counts once");
        }
        NS_TEST_EXPECT_MSG_EQ(findings, "", "the audits are clean");
    }
};

/** The same, with all bits counted. */
class ExactGrantDelayTestCase : public TestCase
{
  public:
    ExactGrantDelayTestCase()
        : TestCase("What an on-demand grant waits for, to the picosecond")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string fidelity : {"PacketTrains", "PacketEvents"})
        {
            OpusCase one;
            one.fidelity = fidelity;
            OpusBench bench(one);
            const auto group = bench.MakeGroup("dp 0", {0, 1});
            for (uint32_t rank = 0; rank < 2; ++rank)
            {
                auto program = std::make_shared<RankProgram>();
                // long after groups are registered; rank 1 is late, so no outgoing message queues
                program->Compute(0, ToTime((100 + 50 * rank) * 1'000'000));
                program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 20, "ring");
                bench.SetProgram(rank, program, {group});
            }
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            std::map<OpusMessage::Type, Picoseconds> bits;
            for (const SentMessage& sent : bench.sent)
            {
                bits[sent.message.GetType()] = OpusBench::BitsOf(sent.message);
            }
            OpusMessage done; // only a few numbers
            done.content = OpusDone();
            // a call to the shim and back; four outgoing messages one after another, each over two
            // links; the reconfiguration. The grant of rank 1 is behind that of rank 0 on the
            // controller's link. The inputs of controller, agent and shim are taken a picosecond
            // later: four messages, and the end of the reconfiguration.
            const Picoseconds known =
                2 * one.hostLatency.GetTimeStep() + 4 * one.latency.GetTimeStep() +
                one.reconfiguration.GetTimeStep() + 2 * bits[OpusMessage::Type::REQUEST] +
                2 * bits[OpusMessage::Type::PROGRAM] + 2 * OpusBench::BitsOf(done) +
                3 * bits[OpusMessage::Type::GRANT] + 5;
            const OperationRecord* record = bench.Find(1, 1);
            NS_TEST_ASSERT_MSG_EQ((record != nullptr), true, "it is over");
            NS_TEST_EXPECT_MSG_EQ(record->waited.GetTimeStep(), known, fidelity);
        }
    }
};

/** The suite. */
class OpusTestSuite : public TestSuite
{
  public:
    OpusTestSuite()
        : TestSuite("photonic-rails-opus", TestSuite::Type::UNIT)
    {
        AddTestCase(new GrantDelayTestCase);
        AddTestCase(new ExactGrantDelayTestCase);
    }
};

static OpusTestSuite g_opusTestSuite;

} // namespace
