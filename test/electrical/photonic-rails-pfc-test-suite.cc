/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The packet switch under congestion: shared memory, pauses, marks.

#include "photonic-rails-electrical-bench.h"

#include "ns3/double.h"
#include "ns3/ipv4-header.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint64_t RATE_400G = 400'000'000'000; // a byte lasts 20 ps
constexpr Picoseconds BYTE_400G = 20;
constexpr Picoseconds LONG_FIBER = 98'000;

/** Bytes of a frame that count in a buffer: without preamble (8) and gap (12). */
constexpr uint32_t
Stored(uint32_t wireBytes)
{
    return wireBytes - 8 - 12;
}

} // namespace

/** Many to one: 15 senders of 400 Gb/s for one receiver. */
class IncastTest : public TestCase
{
  public:
    /** @param cutThrough how frames are forwarded */
    explicit IncastTest(bool cutThrough)
        : TestCase(std::string("15 to 1 at 400G: pauses, and not a frame is lost, ") +
                   (cutThrough ? "cut-through" : "store and forward")),
          m_cutThrough(cutThrough)
    {
    }

  private:
    void Used(uint64_t bytes)
    {
        m_peak = std::max(m_peak, bytes);
    }

    void DoRun() override
    {
        const uint32_t frames = 300;
        const uint32_t wireBytes = 4178;
        uint64_t bufferSize = 0;
        ElectricalBench bench(16, RATE_400G, LONG_FIBER, [&](ElectricalRailHelper& helper) {
            helper.SetSwitchAttribute("BufferSize", UintegerValue(2'000'000));
            helper.SetSwitchAttribute("Forwarding",
                                      StringValue(m_cutThrough ? "CutThrough" : "StoreAndForward"));
            bufferSize = 2'000'000;
        });
        bench.UseOffloads();
        bench.railSwitch->TraceConnectWithoutContext("BufferUsed",
                                                     MakeCallback(&IncastTest::Used, this));
        for (uint32_t h = 1; h < 16; ++h)
        {
            bench.PostAt(1000 + h * 100, h, 0, frames, wireBytes, 3);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "nothing is lost");
        const auto& arrivals = bench.loads[0]->arrivals;
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 15 * frames, "every frame came");
        std::map<uint32_t, uint32_t> next;
        for (const LoadOffload::Arrival& arrival : arrivals)
        {
            NS_TEST_ASSERT_MSG_EQ(arrival.number, next[arrival.from]++, "in order, once");
        }
        // the wire to the receiver was never idle: pauses did not starve it
        const Picoseconds busy =
            RailBench::Span(15 * uint64_t{frames} * wireBytes - 12, RATE_400G) -
            RailBench::Span(wireBytes - 12, RATE_400G);
        NS_TEST_EXPECT_MSG_EQ(arrivals.back().at - arrivals.front().at, busy, "back to back");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(m_peak, bufferSize, "within the memory");
        NS_TEST_EXPECT_MSG_GT(m_peak, bufferSize / 2, "which was needed");
        std::set<uint32_t> pausedHosts(bench.nicPauses.begin(), bench.nicPauses.end());
        NS_TEST_EXPECT_MSG_EQ(pausedHosts.size(), 15, "each sender was told to pause");
        NS_TEST_EXPECT_MSG_EQ(pausedHosts.count(0), 0, "the receiver was not");
        const PacketSwitchCounters sum = ElectricalBench::Sum(bench.railSwitch);
        NS_TEST_EXPECT_MSG_EQ(sum.pausesSent, bench.pauses.size(), "each was traced");
        NS_TEST_EXPECT_MSG_EQ(sum.received, sum.forwarded, "what came in went out");
        NS_TEST_EXPECT_MSG_EQ(sum.receivedBytes, sum.forwardedBytes, "every byte");
        NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->GetBufferUsed(), 0, "none left");
        for (uint32_t p = 0; p < 16; ++p)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->HasPaused(PortId(p), 3),
                                  false,
                                  "all may go on");
            NS_TEST_EXPECT_MSG_EQ(bench.Nic(p)->IsPaused(3), false, "and know it");
        }
    }

    bool m_cutThrough;
    uint64_t m_peak{0};
};

/** The same without lossless classes. */
class LossyIncastTest : public TestCase
{
  public:
    LossyIncastTest()
        : TestCase("without lossless classes an incast overflows, and every frame is accounted for")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t frames = 300;
        ElectricalBench bench(16, RATE_400G, LONG_FIBER, [](ElectricalRailHelper& helper) {
            helper.SetSwitchAttribute("BufferSize", UintegerValue(2'000'000));
            helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
        });
        bench.UseOffloads();
        for (uint32_t h = 1; h < 16; ++h)
        {
            bench.PostAt(1000, h, 0, frames, 4178, 3);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.pauses.size(), 0, "nobody is paused");
        NS_TEST_EXPECT_MSG_GT(bench.losses.size(), 0, "it overflows");
        for (const ElectricalBench::Loss& loss : bench.losses)
        {
            NS_TEST_ASSERT_MSG_EQ(loss.reason, FrameDropReason::BUFFER_FULL, "so");
        }
        const PacketSwitchCounters sum = ElectricalBench::Sum(bench.railSwitch);
        NS_TEST_EXPECT_MSG_EQ(sum.dropped, bench.losses.size(), "each was traced");
        NS_TEST_EXPECT_MSG_EQ(sum.received, 15 * frames, "all came in");
        NS_TEST_EXPECT_MSG_EQ(sum.received, sum.forwarded + sum.dropped, "out or dropped");
        NS_TEST_EXPECT_MSG_EQ(sum.receivedBytes, sum.forwardedBytes + sum.droppedBytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(bench.loads[0]->arrivals.size(), sum.forwarded, "those came");
    }
};

/** The memory of congested lossy queues. */
class ThresholdTest : public TestCase
{
  public:
    ThresholdTest()
        : TestCase("each of n congested queues holds the share of the pool that Choudhury and "
                   "Hahne give")
    {
    }

  private:
    void Depth(PortId port, uint32_t, uint64_t bytes)
    {
        m_peak[port.Get()] = std::max(m_peak[port.Get()], bytes);
        m_depth[port.Get()] = bytes;
    }

    void DoRun() override
    {
        const uint32_t wireBytes = 1520;
        const uint64_t pool = 1'000'000;
        for (const double alpha : {0.5, 1.0, 4.0})
        {
            for (const uint32_t queues : {1, 2})
            {
                m_peak.clear();
                ElectricalBench bench(12, RATE_400G, LONG_FIBER, [&](ElectricalRailHelper& helper) {
                    helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
                    helper.SetSwitchAttribute("Alpha", DoubleValue(alpha));
                    helper.SetSwitchAttribute("BufferSize", UintegerValue(pool));
                });
                bench.UseOffloads();
                bench.railSwitch->TraceConnectWithoutContext(
                    "QueueDepth",
                    MakeCallback(&ThresholdTest::Depth, this));
                for (uint32_t h = 2; h < 12; ++h)
                {
                    bench.PostAt(1000, h, h % queues, 2000, wireBytes, 0);
                }
                // in the midst of it: all queues are as long as they get
                std::map<uint32_t, uint64_t> midway;
                bench.At(20'000'000, [&] { midway = m_depth; });
                Simulator::Run();
                const double share = alpha * pool / (1 + queues * alpha);
                for (uint32_t q = 0; q < queues; ++q)
                {
                    const auto depth = static_cast<double>(midway[q]);
                    NS_TEST_EXPECT_MSG_EQ_TOL(depth,
                                              share,
                                              (1 + alpha) * Stored(wireBytes),
                                              alpha << " x " << queues);
                }
                if (queues == 1)
                {
                    // exactly: the k-th frame still fits if k s <= alpha (P - (k - 1) s)
                    const uint64_t s = Stored(wireBytes);
                    uint64_t k = 0;
                    while ((k + 1) * s <= alpha * (pool - k * s))
                    {
                        ++k;
                    }
                    NS_TEST_EXPECT_MSG_EQ(m_peak[0], k * s, "to the byte");
                }
            }
        }
    }

    std::map<uint32_t, uint64_t> m_peak;
    std::map<uint32_t, uint64_t> m_depth;
};

/** The instants at which the peer receives pauses and their ends, and how many. */
class XoffTest : public TestCase
{
  public:
    XoffTest()
        : TestCase("a peer is paused when its share is crossed, and goes on below it")
    {
    }

  private:
    void DoRun() override
    {
        // The receiver holds class 3, so that the switch can send nothing of it. The sender has
        // more frames than the switch will take.
        const uint32_t wireBytes = 1082;
        const uint64_t pool = 60'000;
        uint64_t headroom = 0;
        ElectricalBench bench(2, RATE_400G, LONG_FIBER, [&](ElectricalRailHelper& helper) {
            helper.SetNicAttribute("Mtu", UintegerValue(1500));
            helper.SetSwitchAttribute("Mtu", UintegerValue(1500));
            // twice the delay; frames of 1538 on the wire, four; a pause frame of 84
            headroom = 2 * LONG_FIBER / BYTE_400G + 4 * 1538 + 84;
            helper.SetSwitchAttribute("BufferSize", UintegerValue(pool + 2 * headroom));
        });
        bench.UseOffloads();
        NS_TEST_ASSERT_MSG_EQ(bench.railSwitch->GetHeadroom(PortId(0)), headroom, "as worked out");
        // held from before the first frame until 1 ms, by pauses that follow each other
        for (Picoseconds t = 0; t < 1'000'000'000; t += 50'000'000)
        {
            bench.At(t, [&bench] { bench.Nic(1)->SendPause(3, 0xffff); });
        }
        const Picoseconds over = 1'000'000'000;
        bench.At(over, [&bench] { bench.Nic(1)->SendPause(3, 0); });
        bench.PostAt(1'000'000, 0, 1, 200, wireBytes, 3);
        Simulator::Run();

        // Frame k, from 1, is the first with k s > P - (k - 1) s: it goes to the headroom.
        const uint64_t s = Stored(wireBytes);
        uint64_t k = 1;
        while (k * s <= pool - (k - 1) * s)
        {
            ++k;
        }
        const Picoseconds crossed =
            1'000'000 + RailBench::Span(k * wireBytes - 12, RATE_400G) + LONG_FIBER;
        NS_TEST_ASSERT_MSG_GT(bench.pauses.size(), 3, "paused, and reminded, and let go");
        NS_TEST_EXPECT_MSG_EQ(bench.pauses[0].at, crossed + 1, "when that frame came");
        NS_TEST_EXPECT_MSG_EQ(bench.pauses[0].port, 0, "the sender");
        NS_TEST_EXPECT_MSG_EQ(bench.pauses[0].trafficClass, 3, "its class");
        NS_TEST_EXPECT_MSG_EQ(bench.pauses[0].quanta, 0xffff, "for long");
        // again at half of 65535 quanta of 512 bits, for as long as it takes
        const Picoseconds half = RailBench::Span(65535 * 64, RATE_400G) / 2;
        std::size_t i = 1;
        for (; bench.pauses[i].quanta != 0; ++i)
        {
            const auto nth = static_cast<Picoseconds>(i);
            NS_TEST_EXPECT_MSG_EQ(bench.pauses[i].at, crossed + 1 + nth * half, "again " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(static_cast<Picoseconds>(i),
                              1 + (over - crossed) / half,
                              "until the receiver takes frames");
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "the headroom was enough");

        // The pause arrives at the sender one frame of 84 bytes and a fiber later; the frame that
        // has begun then is the last to come.
        const Picoseconds paused = crossed + RailBench::Span(84 - 12, RATE_400G) + LONG_FIBER;
        const uint64_t sent =
            (paused - 1'000'000 + wireBytes * BYTE_400G - 1) / (wireBytes * BYTE_400G);
        // They leave from the instant at which the switch may send. The sender may go on when the
        // headroom is empty and the frames left in the pool are the hysteresis below its limit,
        // which is the free memory: sent - m frames are left, and (sent - m) s + 3556 <= P - (sent
        // - m) s.
        uint64_t m = 0;
        while ((sent - m) * s + 3556 > pool - (sent - m) * s)
        {
            ++m;
        }
        const Picoseconds begins = over + RailBench::Span(84 - 12, RATE_400G) + LONG_FIBER;
        const auto before = static_cast<Picoseconds>(m - 1);
        NS_TEST_EXPECT_MSG_EQ(bench.pauses[i].at,
                              begins + before * wireBytes * BYTE_400G + 1,
                              "when the m-th leaves");
        NS_TEST_EXPECT_MSG_EQ(bench.loads[1]->arrivals.size(), 200, "all came");
    }
};

/** Headroom is enough in the worst case, and hardly more than that. */
class HeadroomTest : public TestCase
{
  public:
    HeadroomTest()
        : TestCase("headroom holds what comes before a pause takes effect, in the worst case")
    {
    }

  private:
    void DoRun() override
    {
        // Two hosts send to each other's neighbours at full rate in frames of the largest size,
        // so that a pause waits for one of them, and a third is held.
        const uint32_t wireBytes = 9038;
        for (const Picoseconds fiber : {Picoseconds{1'000}, LONG_FIBER, Picoseconds{5'000'000}})
        {
            for (const Picoseconds delay : {0, 700'000})
            {
                for (uint32_t phase = 0; phase < 12; ++phase)
                {
                    ElectricalBench bench(3, RATE_400G, fiber, [&](ElectricalRailHelper& helper) {
                        helper.SetSwitchAttribute("BufferSize", UintegerValue(4'500'000));
                        helper.SetSwitchAttribute("SwitchingDelay", TimeValue(ToTime(delay)));
                        helper.SetSwitchAttribute("XoffAlpha", DoubleValue(1.0 / 16));
                    });
                    bench.UseOffloads();
                    // the receiver takes nothing of class 3
                    bench.At(0, [&bench] { bench.Nic(1)->SendPause(3, 0xffff); });
                    bench.At(50'000'000, [&bench] { bench.Nic(1)->SendPause(3, 0xffff); });
                    bench.At(90'000'000, [&bench] { bench.Nic(1)->SendPause(3, 0); });
                    bench.PostAt(20'000'000, 0, 1, 300, wireBytes, 3);
                    // the other way the wire of the pauses is full
                    bench.PostAt(19'000'000 + phase * wireBytes * BYTE_400G / 12,
                                 2,
                                 0,
                                 300,
                                 wireBytes,
                                 0);
                    uint64_t most = 0;
                    for (Picoseconds t = 21'000'000; t < 60'000'000; t += 10'000)
                    {
                        bench.At(t, [&] {
                            most =
                                std::max(most, bench.railSwitch->GetBuffer().GetInHeadroom(0, 3));
                        });
                    }
                    Simulator::Run();
                    NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "enough");
                    const uint64_t headroom = bench.railSwitch->GetHeadroom(PortId(0));
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(most, headroom, "of course");
                    m_spare = std::min(m_spare, headroom - most);
                }
            }
        }
        NS_TEST_EXPECT_MSG_LT(m_spare, 2 * wireBytes, "not much more than what is needed");
    }

    uint64_t m_spare{~uint64_t{0}};
};

/** The switch obeys pauses of a NIC. */
class HeldEgressTest : public TestCase
{
  public:
    HeldEgressTest()
        : TestCase("a class that a NIC pauses leaves when its quanta are over, others go on")
    {
    }

  private:
    void Received(PortId port, uint32_t trafficClass, Time span)
    {
        NS_TEST_EXPECT_MSG_EQ(port, PortId(1), "port");
        NS_TEST_EXPECT_MSG_EQ(trafficClass, 3, "class");
        m_spans.emplace_back(NowPicoseconds(), span.GetTimeStep());
    }

    void DoRun() override
    {
        const auto length = [](uint32_t payload) {
            return static_cast<Picoseconds>(RailBench::BytesToLastBit(payload)) * BYTE_400G;
        };
        const Picoseconds quantum = 512 * BYTE_400G / 8;
        for (const bool observed : {true, false, true, false})
        {
            const bool cutThrough = m_runs++ >= 2;
            // how much of a frame of 1000 bytes must be in
            const Picoseconds needed = cutThrough ? (8 + 14 + 20 + 8) * BYTE_400G : length(1000);
            m_spans.clear();
            ElectricalBench bench(
                3,
                RATE_400G,
                LONG_FIBER,
                [cutThrough](ElectricalRailHelper& helper) {
                    helper.SetSwitchAttribute(
                        "Forwarding",
                        StringValue(cutThrough ? "CutThrough" : "StoreAndForward"));
                },
                observed);
            if (observed)
            {
                bench.railSwitch->TraceConnectWithoutContext(
                    "PauseReceived",
                    MakeCallback(&HeldEgressTest::Received, this));
            }
            bench.At(1'000'000, [&bench] { bench.Nic(1)->SendPause(3, 500); });
            const Picoseconds held = 1'000'000 + length(46) + LONG_FIBER;
            const Picoseconds free = held + 500 * quantum;
            const auto sendToBeQueuedAt = [&](Picoseconds when, uint32_t number, uint8_t priority) {
                bench.SendAt(when - needed - LONG_FIBER, 0, 1, number, 1000, priority);
            };
            // one leaves just before the pause arrives and goes out whole, one comes with it
            sendToBeQueuedAt(held - length(1000) - 1'000, 1, 3);
            sendToBeQueuedAt(held, 2, 3);
            sendToBeQueuedAt(held + 100'000, 3, 4);
            // a second pause, which is lifted before its time
            const Picoseconds again = 10'000'000;
            bench.At(again, [&bench] { bench.Nic(1)->SendPause(3, 0xffff); });
            bench.At(again + 2'000'000, [&bench] { bench.Nic(1)->SendPause(3, 0); });
            sendToBeQueuedAt(again + 1'000'000, 4, 3);
            bench.At(held - 1, [&bench, this] {
                NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->IsPaused(PortId(1), 3), false, "not yet");
            });
            bench.At(held + 1, [&bench, this] {
                NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->IsPaused(PortId(1), 3), true, "now");
                NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->IsPaused(PortId(1), 4), false, "not this");
                NS_TEST_EXPECT_MSG_EQ(bench.railSwitch->IsPaused(PortId(0), 3), false, "nor there");
            });
            Simulator::Run();
            const Picoseconds rest = length(1000) + LONG_FIBER;
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), held - length(1000) - 1'000 + rest, "begun");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2), free + rest, "when the pause is over");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(3), held + 100'000 + rest, "another class");
            const Picoseconds lifted = again + 2'000'000 + length(46) + LONG_FIBER;
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(4), lifted + rest, "when it is lifted");
            if (observed)
            {
                NS_TEST_ASSERT_MSG_EQ(m_spans.size(), 3, "each was traced");
                NS_TEST_EXPECT_MSG_EQ(m_spans[0].first, held, "when it came");
                NS_TEST_EXPECT_MSG_EQ(m_spans[0].second, 500 * quantum, "for so long");
                NS_TEST_EXPECT_MSG_EQ(m_spans[2].second, 0, "lifted");
            }
        }
    }

    uint32_t m_runs{0};
    std::vector<std::pair<Picoseconds, Picoseconds>> m_spans;
};

/** A pause that ends exactly at a frame boundary. */
class HeldBoundaryTest : public TestCase
{
  public:
    HeldBoundaryTest()
        : TestCase("a pause that ends exactly at a boundary has not ended for that choice")
    {
    }

  private:
    void DoRun() override
    {
        const Picoseconds length =
            static_cast<Picoseconds>(RailBench::BytesToLastBit(1000)) * BYTE_400G;
        const Picoseconds slot = static_cast<Picoseconds>(RailBench::BytesOnWire(1000)) * BYTE_400G;
        const Picoseconds held =
            1'000'000 + static_cast<Picoseconds>(RailBench::BytesToLastBit(46)) * BYTE_400G +
            LONG_FIBER;
        const Picoseconds ends = held + 1000 * 512 * BYTE_400G / 8;
        for (const Picoseconds early : {0, 1})
        {
            ElectricalBench bench(3, RATE_400G, LONG_FIBER);
            bench.At(1'000'000, [&bench] { bench.Nic(1)->SendPause(3, 1000); });
            bench.SendAt(1'100'000, 0, 1, 99, 1000, 3);
            // the wire is full of frames of a lower class, and one of them ends with the pause
            for (uint32_t i = 0; i < 10; ++i)
            {
                for (const uint32_t host : {0, 2})
                {
                    bench.SendAt(ends + early - 5 * slot - length - LONG_FIBER,
                                 host,
                                 1,
                                 10 * host + i,
                                 1000,
                                 2);
                }
            }
            Simulator::Run();
            const Picoseconds leaves = early == 0 ? ends + slot : ends + early;
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(99), leaves + length + LONG_FIBER, early);
        }
    }
};

/** Which frames are marked. */
class MarkTest : public TestCase
{
  public:
    MarkTest()
        : TestCase("marks: none up to Kmin, the right share between, all beyond Kmax")
    {
    }

  private:
    void Marked(PortId, const WireFrame& frame)
    {
        NS_TEST_EXPECT_MSG_EQ((frame.roce.tos & RoceFrame::ECN_MASK),
                              RoceFrame::ECN_CONGESTION,
                              "so it is");
        ++m_marks;
    }

    void Depth(PortId port, uint32_t, uint64_t bytes)
    {
        if (port != PortId(0))
        {
            return;
        }
        if (bytes > m_depth)
        {
            // a frame was queued that found m_depth; its mark, if any, was reported before
            m_found.emplace_back(m_depth, m_marks > m_marksBefore);
            m_marksBefore = m_marks;
        }
        m_depth = bytes;
    }

    void DoRun() override
    {
        const uint64_t kmin = 100'000;
        const uint64_t kmax = 500'000;
        const double pmax = 0.4;
        ElectricalBench bench(5, RATE_400G, LONG_FIBER);
        bench.railSwitch->SetEcn(3, kmin, kmax, pmax);
        bench.UseOffloads();
        bench.railSwitch->TraceConnectWithoutContext("EcnMarked",
                                                     MakeCallback(&MarkTest::Marked, this));
        bench.railSwitch->TraceConnectWithoutContext("QueueDepth",
                                                     MakeCallback(&MarkTest::Depth, this));
        // the queue grows at the rate of one sender, to 1 MB, and then falls
        for (uint32_t h = 1; h < 3; ++h)
        {
            bench.PostAt(1000, h, 0, 1000, 1020, 3);
        }
        // another class is not marked
        bench.PostAt(200'000'000, 3, 4, 1000, 1020, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_found.size(), 2000, "each frame once");
        uint64_t between = 0;
        uint64_t markedBetween = 0;
        double expected = 0;
        double variance = 0;
        for (const auto& [found, marked] : m_found)
        {
            if (found <= kmin)
            {
                NS_TEST_EXPECT_MSG_EQ(marked, false, "none at " << found);
                continue;
            }
            if (found > kmax)
            {
                NS_TEST_EXPECT_MSG_EQ(marked, true, "all at " << found);
                continue;
            }
            const double share = pmax * (found - kmin) / (kmax - kmin);
            expected += share;
            variance += share * (1 - share);
            ++between;
            markedBetween += marked ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(between, 300, "there were some");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(markedBetween),
                                  expected,
                                  4 * std::sqrt(variance),
                                  "within four standard deviations");
        uint64_t arrived = 0;
        for (const LoadOffload::Arrival& arrival : bench.loads[0]->arrivals)
        {
            arrived += arrival.marked ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(arrived, m_marks, "they come with their marks");
        NS_TEST_EXPECT_MSG_EQ(ElectricalBench::Sum(bench.railSwitch).marked,
                              m_marks,
                              "and are counted");
    }

    uint64_t m_depth{0};
    uint64_t m_marks{0};
    uint64_t m_marksBefore{0};
    std::vector<std::pair<uint64_t, bool>> m_found;
};

/** IP packets are marked in their header. */
class MarkPacketTest : public TestCase
{
  public:
    MarkPacketTest()
        : TestCase("IPv4 packets of ECN-capable senders are marked, and nothing else is changed")
    {
    }

  private:
    bool Receive(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address&)
    {
        Ipv4Header header;
        Ptr<Packet> copy = packet->Copy();
        if (protocol == 0x0800)
        {
            copy->RemoveHeader(header);
        }
        m_came.push_back(protocol == 0x0800 ? header.GetEcn() : 99);
        m_sizes.push_back(copy->GetSize());
        m_uids.insert(packet->GetUid());
        return true;
    }

    void DoRun() override
    {
        ElectricalBench bench(2, RATE_400G, LONG_FIBER);
        bench.railSwitch->SetEcn(0, 500, 500, 1); // a frame that finds another there is marked
        bench.Nic(1)->SetReceiveCallback(MakeCallback(&MarkPacketTest::Receive, this));
        std::vector<Ptr<Packet>> sent;
        bench.At(1000, [&] {
            // held, so that all but the first find a queue
            bench.Nic(1)->SendPause(0, 1000);
        });
        bench.At(1'000'000, [&] {
            for (const Ipv4Header::EcnType ecn : {Ipv4Header::ECN_ECT0,
                                                  Ipv4Header::ECN_NotECT,
                                                  Ipv4Header::ECN_ECT0,
                                                  Ipv4Header::ECN_ECT1,
                                                  Ipv4Header::ECN_CE})
            {
                Ipv4Header header;
                header.SetPayloadSize(1000);
                header.SetProtocol(17);
                header.SetEcn(ecn);
                Ptr<Packet> packet = Create<Packet>(1000);
                packet->AddHeader(header);
                sent.push_back(packet);
                bench.Nic(0)->Send(packet, bench.Nic(1)->GetAddress(), 0x0800);
            }
            bench.Nic(0)->Send(Create<Packet>(1000), bench.Nic(1)->GetAddress(), 0x88b5);
        });
        Simulator::Run();
        const std::vector<uint32_t> expected{Ipv4Header::ECN_ECT0,
                                             Ipv4Header::ECN_NotECT,
                                             Ipv4Header::ECN_CE,
                                             Ipv4Header::ECN_CE,
                                             Ipv4Header::ECN_CE,
                                             99};
        NS_TEST_EXPECT_MSG_EQ((m_came == expected), true, "those that may be, but the first");
        for (const uint32_t size : m_sizes)
        {
            NS_TEST_EXPECT_MSG_EQ(size, 1000, "whole");
        }
        for (const Ptr<Packet>& packet : sent)
        {
            NS_TEST_EXPECT_MSG_EQ(m_uids.count(packet->GetUid()), 1, "still the same packet");
        }
        NS_TEST_EXPECT_MSG_EQ(ElectricalBench::Sum(bench.railSwitch).marked, 2, "two changed");
    }

    std::vector<uint32_t> m_came;
    std::vector<uint32_t> m_sizes;
    std::set<uint64_t> m_uids;
};

/** The suite. */
class PfcTestSuite : public TestSuite
{
  public:
    PfcTestSuite()
        : TestSuite("photonic-rails-pfc", TestSuite::Type::UNIT)
    {
        AddTestCase(new IncastTest(false));
        AddTestCase(new IncastTest(true));
        AddTestCase(new LossyIncastTest);
        AddTestCase(new ThresholdTest);
        AddTestCase(new XoffTest);
        AddTestCase(new HeadroomTest);
        AddTestCase(new HeldEgressTest);
        AddTestCase(new HeldBoundaryTest);
        AddTestCase(new MarkTest);
        AddTestCase(new MarkPacketTest);
    }
};

static PfcTestSuite g_pfcTestSuite;
