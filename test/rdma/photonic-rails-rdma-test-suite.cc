/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages over circuits: closed forms to the picosecond, striping, cuts, failures that are
// reported.

#include "../support/photonic-rails-rail-bench.h"

#include "ns3/boolean.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <random>

using namespace ns3;

namespace
{

/** Bytes on the wire of a message that is written, from the standard. */
uint64_t
WireBytesOfWrite(uint64_t bytes, uint32_t mtu)
{
    // around each payload 82; RETH 16 in the first frame; the payload padded to four bytes
    const uint64_t frames = bytes == 0 ? 1 : (bytes + mtu - 1) / mtu;
    return frames * 82 + 16 + (bytes + 3) / 4 * 4;
}

/** A bench with an RdmaEngine on each host, and a record of the reports of queue pairs. */
class RdmaBench : public RailBench
{
  public:
    RdmaBench(uint32_t hosts,
              uint64_t rate,
              Picoseconds fiber,
              const std::function<void(RdmaHelper&)>& prepare = nullptr,
              const std::function<void(PhotonicRailHelper&)>& prepareRail = nullptr)
        : RailBench(hosts, rate, fiber, prepareRail)
    {
        RdmaHelper helper;
        if (prepare)
        {
            prepare(helper);
        }
        NodeContainer nodes;
        for (uint32_t h = 0; h < hosts; ++h)
        {
            nodes.Add(rail.GetGpu(h));
        }
        helper.Install(nodes);
    }

    /** Makes a queue pair. @return the end at a */
    Ptr<RdmaQueuePair> Connect(uint32_t a,
                               uint32_t b,
                               const std::vector<RdmaEngine::PortPair>& ports = {{0, 0}})
    {
        const auto [here, there] = RdmaEngine::Connect(rail.GetGpu(a), rail.GetGpu(b), ports);
        here->SetSettledCallback(MakeCallback(&RdmaBench::Settled, this));
        here->SetFailedCallback(MakeCallback(&RdmaBench::Failed, this));
        there->SetArrivedCallback(MakeCallback(&RdmaBench::Arrived, this));
        peer = there;
        return here;
    }

    struct Seen
    {
        RdmaMessage message;
        Picoseconds at;
        std::string why;
    };

    Ptr<RdmaQueuePair> peer; //!< the other end of the latest one
    std::vector<Seen> settled;
    std::vector<Seen> arrived;
    std::vector<Seen> failed;

  private:
    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage& message)
    {
        settled.push_back({message, NowPicoseconds(), ""});
    }

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage& message)
    {
        arrived.push_back({message, NowPicoseconds(), ""});
    }

    void Failed(Ptr<RdmaQueuePair>, const RdmaMessage& message, const std::string& why)
    {
        failed.push_back({message, NowPicoseconds(), why});
    }
};

/** A message on a circuit takes the time of the formula, for any size, MTU, rate and fiber. */
class ClosedFormTest : public TestCase
{
  public:
    ClosedFormTest()
        : TestCase("a message takes its wire bytes, two fibers and the switch, to the picosecond")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(1);
        const uint64_t gigabits[]{100, 200, 400, 425, 800, 1600};
        for (int i = 0; i < 200; ++i)
        {
            const uint64_t rate = gigabits[random() % 6] * 1'000'000'000;
            const Picoseconds fiber = random() % 500'000;
            const uint32_t mtu = 256 << random() % 5;
            const uint64_t bytes = random() % 4 == 0 ? random() % 3 : random() % 300'000;
            RdmaBench bench(2, rate, fiber, [&](RdmaHelper& helper) {
                helper.SetAttribute("Mtu", UintegerValue(mtu));
                helper.SetAttribute("AckEvery", UintegerValue(1 + random() % 100));
            });
            bench.Join(0, 1);
            Ptr<RdmaQueuePair> pair = bench.Connect(0, 1);
            bench.At(1000, [&] { pair->Post(RdmaVerb::WRITE, bytes); });
            bench.Run();
            const Picoseconds expected =
                1000 + RailBench::Span(WireBytesOfWrite(bytes, mtu) - 12, rate) + 2 * fiber;
            NS_TEST_ASSERT_MSG_EQ(bench.arrived.size(), 1, "it arrived");
            NS_TEST_ASSERT_MSG_EQ(bench.arrived[0].at, expected, bytes << " bytes, MTU " << mtu);
            NS_TEST_ASSERT_MSG_EQ(bench.arrived[0].message.bytes, bytes, "whole");
            NS_TEST_ASSERT_MSG_EQ(bench.settled.size(), 1, "and was acknowledged");
            NS_TEST_ASSERT_MSG_EQ(pair->GetSenderCounters().retransmitted, 0, "once");
            NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 0, "nothing was lost");
        }
    }
};

/** A message over several ports is one contiguous piece a port, and complete when all are. */
class StripeTest : public TestCase
{
  public:
    StripeTest()
        : TestCase("a striped message takes what its longest piece takes, in order")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t rate = 200'000'000'000;
        RdmaBench bench(2, rate, 50'000, nullptr, [](PhotonicRailHelper& helper) {
            helper.SetProfile("2x200");
        });
        // the ports crossed over: 0 of one host leads to 1 of the other
        bench.ocs->Connect(bench.rail.GetSwitchPort(0, 0), bench.rail.GetSwitchPort(1, 1));
        bench.ocs->Connect(bench.rail.GetSwitchPort(0, 1), bench.rail.GetSwitchPort(1, 0));
        Ptr<RdmaQueuePair> pair = bench.Connect(0, 1, {{0, 1}, {1, 0}});
        const uint64_t sizes[]{0, 1, 4096, 4097, 8192, 1'000'000};
        bench.At(1000, [&] {
            for (const uint64_t bytes : sizes)
            {
                pair->Post(RdmaVerb::WRITE_WITH_IMMEDIATE, bytes, bytes + 7);
            }
        });
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(bench.arrived.size(), 6, "all arrived");
        NS_TEST_ASSERT_MSG_EQ(bench.settled.size(), 6, "all were acknowledged");
        uint64_t wire = 0;
        for (std::size_t i = 0; i < 6; ++i)
        {
            const RdmaMessage& message = bench.arrived[i].message;
            NS_TEST_ASSERT_MSG_EQ(message.id, i, "in order");
            NS_TEST_ASSERT_MSG_EQ(message.bytes, sizes[i], "whole");
            NS_TEST_ASSERT_MSG_EQ(message.immediate, sizes[i] + 7, "with its immediate");
            // the first port carries the larger half, in whole frames
            const uint64_t frames = (sizes[i] + 4095) / 4096;
            const uint64_t piece = std::min(sizes[i], (frames + 1) / 2 * 4096);
            wire += WireBytesOfWrite(piece, 4096) + 4; // and ImmDt
            // a piece of no bytes still has a frame with RETH and ImmDt
            NS_TEST_ASSERT_MSG_EQ(bench.arrived[i].at,
                                  1000 + RailBench::Span(wire - 12, rate) + 2 * 50'000,
                                  "message " << i);
        }
    }
};

/** A cut in mid-message is repaired; a dark port is not a loss. */
class CutMessageTest : public TestCase
{
  public:
    CutMessageTest()
        : TestCase("a cut in mid-message is repaired, and the dark is waited out")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool selective : {false, true})
        {
            const uint64_t rate = 100'000'000'000;
            RdmaBench bench(2, rate, 50'000, [&](RdmaHelper& helper) {
                helper.SetAttribute("SelectiveRepeat", BooleanValue(selective));
                helper.SetAttribute("TimeoutExponent", UintegerValue(0)); // 4.096 us
                helper.SetAttribute("RetryLimit", UintegerValue(1));
            });
            bench.Join(0, 1);
            Ptr<RdmaQueuePair> pair = bench.Connect(0, 1);
            bench.At(1000, [&] {
                pair->Post(RdmaVerb::SEND, 10'000'000);
                pair->Post(RdmaVerb::SEND, 1);
            });
            // three times dark, for many timeouts each
            for (const Picoseconds at : {100'000'000, 300'000'000, 600'000'000})
            {
                bench.At(at, [&] {
                    bench.ocs->Disconnect(PortId(0), PortId(1));
                    bench.Join(0, 1); // behind it: 2 us of dark
                });
            }
            bench.At(800'000'000, [&] { bench.ocs->Disconnect(PortId(0), PortId(1)); });
            bench.At(900'000'000, [&] { bench.Join(0, 1); });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.failed.size(), 0, "nothing was given up");
            NS_TEST_ASSERT_MSG_EQ(bench.arrived.size(), 2, "both arrived");
            NS_TEST_ASSERT_MSG_EQ(bench.settled.size(), 2, "and were acknowledged");
            NS_TEST_ASSERT_MSG_EQ(bench.arrived[0].message.bytes, 10'000'000, "whole");
            NS_TEST_ASSERT_MSG_GT(bench.losses.size(), 0, "though frames were lost");
            const auto counters = pair->GetSenderCounters();
            NS_TEST_ASSERT_MSG_EQ(counters.payload,
                                  10'000'001,
                                  "each byte for the first time once");
            NS_TEST_ASSERT_MSG_GT(counters.retransmitted, 0, "and some again");
        }
    }
};

/** Without a circuit for longer than the limit, or without an answer, every message is reported. */
class FailureTest : public TestCase
{
  public:
    FailureTest()
        : TestCase("a queue pair that fails reports every message, and refuses more")
    {
    }

  private:
    void DoRun() override
    {
        {
            RdmaBench bench(2, 100'000'000'000, 50'000, [](RdmaHelper& helper) {
                helper.SetAttribute("DarkLimit", TimeValue(MilliSeconds(1)));
            });
            Ptr<RdmaQueuePair> pair = bench.Connect(0, 1); // and no circuit, ever
            bench.At(1000, [&] {
                pair->Post(RdmaVerb::WRITE, 100);
                pair->Post(RdmaVerb::WRITE, 200);
            });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.failed.size(), 2, "both are reported");
            NS_TEST_ASSERT_MSG_EQ(bench.failed[0].at, 1000 + 1'000'000'000 + 1, "at the limit");
            NS_TEST_ASSERT_MSG_NE(bench.failed[0].why.find("no carrier"), std::string::npos, "why");
            const RdmaQueuePair::Posted more = pair->Post(RdmaVerb::WRITE, 1);
            NS_TEST_ASSERT_MSG_EQ(more.accepted, false, "it takes no more");
            NS_TEST_ASSERT_MSG_NE(more.why.find("has failed: no carrier"),
                                  std::string::npos,
                                  "why");
        }
        {
            // a circuit to a wrong destination: frames are lost there, and no host answers
            RdmaBench bench(3, 100'000'000'000, 50'000, [](RdmaHelper& helper) {
                helper.SetAttribute("TimeoutExponent", UintegerValue(4));
                helper.SetAttribute("RetryLimit", UintegerValue(2));
            });
            bench.Join(0, 2);
            Ptr<RdmaQueuePair> pair = bench.Connect(0, 1);
            bench.At(1000, [&] { pair->Post(RdmaVerb::WRITE, 100); });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.failed.size(), 1, "it is reported");
            NS_TEST_ASSERT_MSG_NE(bench.failed[0].why.find("no acknowledgement after 3 timeouts"),
                                  std::string::npos,
                                  bench.failed[0].why);
            NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 3, "sent thrice, lost thrice");
            NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::WRONG_DESTINATION),
                                  true,
                                  "by the stranger");
        }
        {
            // one of two sub queue pairs fails: the whole queue pair does, once
            RdmaBench bench(
                2,
                200'000'000'000,
                50'000,
                [](RdmaHelper& helper) {
                    helper.SetAttribute("DarkLimit", TimeValue(MilliSeconds(1)));
                },
                [](PhotonicRailHelper& helper) { helper.SetProfile("2x200"); });
            bench.ocs->Connect(bench.rail.GetSwitchPort(0, 0), bench.rail.GetSwitchPort(1, 0));
            Ptr<RdmaQueuePair> pair = bench.Connect(0, 1, {{0, 0}, {1, 1}});
            bench.At(1000, [&] { pair->Post(RdmaVerb::WRITE, 1'000'000); });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.failed.size(), 1, "reported once");
            NS_TEST_ASSERT_MSG_EQ(bench.arrived.size(), 0, "half a message is none");
        }
    }
};

/** An engine whose process ends: its messages fail at once, its peers' by their retry limits. */
class ResetTest : public TestCase
{
  public:
    ResetTest()
        : TestCase("queue pairs of a process that ends drop what comes, and new ones work")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t rate = 100'000'000'000;
        const Picoseconds wire = RailBench::Span(WireBytesOfWrite(10'000, 4096), rate);
        for (const bool isSender : {false, true})
        {
            RdmaBench bench(2, rate, 50'000, [](RdmaHelper& helper) {
                helper.SetAttribute("TimeoutExponent", UintegerValue(4)); // 65.536 us
                helper.SetAttribute("RetryLimit", UintegerValue(2));
            });
            bench.Join(0, 1);
            const Ptr<RdmaQueuePair> pair = bench.Connect(0, 1);
            const Ptr<RdmaEngine> engine =
                bench.rail.GetGpu(isSender ? 0 : 1)->GetObject<RdmaEngine>();
            const Picoseconds reset = 1000 + 10 * wire + wire / 2;
            bench.At(1000, [&] {
                for (int i = 0; i < 20; ++i)
                {
                    pair->Post(RdmaVerb::WRITE, 10'000);
                }
            });
            uint64_t answers = 0; // of the receiver, before and after
            const Ptr<RailNetDevice> nic = bench.rail.GetNic(1);
            bench.At(reset, [&] {
                engine->Reset("its process has ended");
                answers = nic->GetCounters().sent;
            });
            Ptr<RdmaQueuePair> other;
            bench.At(1'000'000'000, [&] {
                other = bench.Connect(0, 1);
                other->Post(RdmaVerb::WRITE, 10'000);
            });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.settled.size() + bench.failed.size(),
                                  21,
                                  "each ended once");
            NS_TEST_ASSERT_MSG_GT(bench.settled.back().at, 1'000'000'000, "the new pair works");
            NS_TEST_ASSERT_MSG_EQ(other->GetTotals().settled, 1, "it does");
            const std::size_t before = bench.arrived.size() - 1;
            // the light of what is sent by then takes two fibers to the receiver
            NS_TEST_ASSERT_MSG_LT_OR_EQ(before, 11, "none after it");
            NS_TEST_ASSERT_MSG_GT_OR_EQ(before, 9, "those before it");
            if (isSender)
            {
                NS_TEST_ASSERT_MSG_EQ(bench.failed.front().at, reset + 1, "its own fail at once");
                NS_TEST_ASSERT_MSG_EQ(bench.failed.back().why, "its process has ended", "why");
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(before, 10, "whole ones before it");
            NS_TEST_ASSERT_MSG_NE(bench.failed.front().why.find("no acknowledgement after 3"),
                                  std::string::npos,
                                  bench.failed.front().why);
            NS_TEST_ASSERT_MSG_GT(bench.failed.front().at,
                                  reset + 3 * 65'536'000 - 65'536'000,
                                  "later");
            NS_TEST_ASSERT_MSG_EQ(nic->GetCounters().sent - answers, 1, "one, to the new pair");
        }
    }
};

/** Random losses on the fibers, both ways, many messages: all arrive, in order, once. */
class LossTest : public TestCase
{
  public:
    LossTest()
        : TestCase("with random losses every message arrives, in order and once")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool selective : {false, true})
        {
            RdmaBench bench(2, 100'000'000'000, 50'000, [&](RdmaHelper& helper) {
                helper.SetAttribute("SelectiveRepeat", BooleanValue(selective));
                helper.SetAttribute("TimeoutExponent", UintegerValue(3));
                helper.SetAttribute("RetryLimit", UintegerValue(50));
                helper.SetAttribute("Mtu", UintegerValue(1024));
                helper.SetAttribute("AckEvery", UintegerValue(8));
            });
            bench.Join(0, 1);
            for (uint32_t h = 0; h < 2; ++h)
            {
                bench.rail.GetFiber(h)->SetAttribute("FrameLossRate", DoubleValue(0.02));
                bench.rail.GetFiber(h)->AssignStreams(10 * h);
            }
            Ptr<RdmaQueuePair> pair = bench.Connect(0, 1);
            for (int i = 0; i < 100; ++i)
            {
                bench.At(1000 + i * 100'000,
                         [&bench, &pair, i] { pair->Post(RdmaVerb::SEND, i * 500); });
            }
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.settled.size(), 100, "all acknowledged");
            NS_TEST_ASSERT_MSG_EQ(bench.arrived.size(), 100, "all arrived");
            for (uint64_t i = 0; i < 100; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(bench.arrived[i].message.bytes, i * 500, "in order, whole");
            }
            NS_TEST_ASSERT_MSG_GT(bench.losses.size(), 20, "though frames were lost");
        }
    }
};

/** Many queue pairs share a port fairly, and each message still completes exactly. */
class ShareTest : public TestCase
{
  public:
    ShareTest()
        : TestCase("queue pairs of a port take turns frame by frame")
    {
    }

  private:
    void DoRun() override
    {
        RdmaBench bench(2, 400'000'000'000, 50'000);
        bench.Join(0, 1);
        std::vector<Ptr<RdmaQueuePair>> pairs;
        for (int i = 0; i < 8; ++i)
        {
            pairs.push_back(bench.Connect(0, 1));
        }
        const uint64_t bytes = 100 * 4096;
        bench.At(1000, [&] {
            for (const auto& pair : pairs)
            {
                pair->Post(RdmaVerb::WRITE, bytes);
            }
        });
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(bench.arrived.size(), 8, "all arrived");
        // in turn: the first is complete 7 frames before the last, which ends when all bytes have
        // gone
        const uint64_t rate = 400'000'000'000;
        for (uint64_t i = 0; i < 8; ++i)
        {
            const uint64_t wire = 8 * WireBytesOfWrite(bytes, 4096) - (7 - i) * (4096 + 82);
            NS_TEST_ASSERT_MSG_EQ(bench.arrived[i].at,
                                  1000 + RailBench::Span(wire - 12, rate) + 2 * 50'000,
                                  "queue pair " << i);
        }
    }
};

/** A GPU fails as a message comes in, and is replaced. */
class ReplacedGpuTest : public TestCase
{
  public:
    ReplacedGpuTest()
        : TestCase("the GPU that replaces another does not send its acknowledgements")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t RATE = 400'000'000'000;
        constexpr Picoseconds FIBER = 50'000;
        constexpr Picoseconds POST = 1000;
        const Picoseconds comes =
            POST + RailBench::Span(WireBytesOfWrite(16'384, 4096) - 12, RATE) + 2 * FIBER;
        for (const bool failsFirst : {true, false}) // of the events of that instant
        {
            RdmaBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            const auto pair = bench.Connect(0, 1);
            const Ptr<RdmaEngine> there = bench.rail.GetGpu(1)->GetObject<RdmaEngine>();
            const auto fail = [there] { there->Silence(); };
            if (failsFirst)
            {
                bench.At(comes, fail);
            }
            else
            {
                bench.At(comes - 1, [&bench, comes, fail] { bench.At(comes, fail); });
            }
            bench.At(comes + 5'000'000, [there] { there->EndSilence(); });
            bench.At(POST, [pair] { pair->Post(RdmaVerb::WRITE, 16'384); });
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ(bench.arrived.size(), 1, "it has come in that instant");
            NS_TEST_EXPECT_MSG_EQ(bench.settled.size(), 0, "nobody knows");
            NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), 1, "after all attempts");
        }
    }
};

/** The suite of RDMA over circuits. */
class RdmaTestSuite : public TestSuite
{
  public:
    RdmaTestSuite()
        : TestSuite("photonic-rails-rdma", TestSuite::Type::UNIT)
    {
        AddTestCase(new ClosedFormTest);
        AddTestCase(new StripeTest);
        AddTestCase(new CutMessageTest);
        AddTestCase(new FailureTest);
        AddTestCase(new ResetTest);
        AddTestCase(new LossTest);
        AddTestCase(new ShareTest);
        AddTestCase(new ReplacedGpuTest);
    }
};

RdmaTestSuite g_rdmaTestSuite;

} // namespace
