/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The NIC port: the frames on the wire, when, and in which order, whatever the order of events that
// have equal times; pauses; the queue; traffic in the dark.

#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/boolean.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

using namespace ns3;

namespace
{

/** Time from a frame's first bit to the first bit of the next. */
Picoseconds
Slot(uint32_t payload)
{
    return RailBench::BytesOnWire(payload) * BYTE;
}

/** Time from a frame's first bit to its last, at the other end of a circuit. */
Picoseconds
Way(uint32_t payload)
{
    return RailBench::BytesToLastBit(payload) * BYTE + 2 * FIBER;
}

/** An offload that sends runs of frames of queue pairs, and notes the frames that come. */
class FakeOffload : public NicOffload
{
  public:
    struct Pair
    {
        uint32_t id;
        uint8_t trafficClass;
        FrameRun run;
        Picoseconds ready;
    };

    FakeOffload(Ptr<RailNetDevice> nic, Mac48Address peer)
        : m_nic(nic),
          m_peer(peer)
    {
        nic->SetOffload(this);
    }

    /** A queue pair gets frames to send, now. */
    void Post(uint32_t id, uint64_t frames, uint32_t wireBytes, uint8_t trafficClass = 0)
    {
        m_pairs.push_back(
            {id, trafficClass, {id, 0, frames, wireBytes, wireBytes}, NowPicoseconds()});
        m_nic->NotifyOffloadReady();
    }

    uint32_t GetReadyClasses() const override
    {
        uint32_t classes = 0;
        for (const Pair& pair : m_pairs)
        {
            classes |= pair.run.count > 0 ? 1U << pair.trafficClass : 0;
        }
        return classes;
    }

    bool PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run) override
    {
        const Pair* next = nullptr;
        const auto distance = [after](const Pair& pair) {
            // above the one served last first, then from the lowest
            return pair.id > after ? uint64_t{pair.id}
                                   : uint64_t{pair.id} + std::numeric_limits<uint32_t>::max();
        };
        for (const Pair& pair : m_pairs)
        {
            if (pair.run.count > 0 && pair.trafficClass == trafficClass && pair.ready <= seen &&
                (next == nullptr || distance(pair) < distance(*next)))
            {
                next = &pair;
            }
        }
        if (next != nullptr)
        {
            run = next->run;
            run.wrapped = next->id <= after;
        }
        return next != nullptr;
    }

    void CommitRun(const FrameRun& taken,
                   Picoseconds,
                   const RunClock&,
                   WireFrame& frame,
                   RoceFrame*) override
    {
        frame.destination = m_peer;
        for (Pair& pair : m_pairs)
        {
            if (pair.id == taken.id && pair.run.count > 0)
            {
                pair.run.first += taken.count;
                pair.run.count -= taken.count;
                return;
            }
        }
    }

    bool ReceiveFrame(const WireFrame& frame) override
    {
        received.emplace_back(frame.run.id, frame.last);
        return true;
    }

    bool ReceiveRun(const WireFrame&, const RoceFrame&, const RunClock&) override
    {
        return false; // this NIC sends frame by frame
    }

    void NotifyCarrier(bool carrier) override
    {
        carrierTimes.push_back(carrier);
    }

    std::vector<std::pair<uint32_t, Picoseconds>> received; //!< queue pair and last bit
    std::vector<bool> carrierTimes;

  private:
    Ptr<RailNetDevice> m_nic;
    Mac48Address m_peer;
    std::vector<Pair> m_pairs;
};

Mac48Address
AddressOf(const RailBench& bench, uint32_t host)
{
    return Mac48Address::ConvertFrom(bench.Nic(host)->GetAddress());
}

/** The numbers of the frames that came, in order. */
std::vector<uint32_t>
Order(const RailBench& bench)
{
    std::vector<uint32_t> order;
    for (const RailBench::Arrival& arrival : bench.arrivals)
    {
        order.push_back(arrival.number);
    }
    return order;
}

/** Frames that become ready on an idle wire at one instant: by class, not by order of events. */
class IdleWireTest : public TestCase
{
  public:
    IdleWireTest()
        : TestCase("an idle wire: what is ready at one instant goes by class, not by event order")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<uint8_t> classes{3, 7, 0, 5};
        std::sort(classes.begin(), classes.end());
        do
        {
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            for (const uint8_t c : classes)
            {
                bench.SendAt(1000, 0, 1, c, 1000, c);
            }
            bench.Run();
            const std::vector<uint32_t> expected{7, 5, 3, 0};
            NS_TEST_ASSERT_MSG_EQ((Order(bench) == expected), true, "highest class first");
            NS_TEST_ASSERT_MSG_EQ(bench.arrivals[0].at, 1000 + Way(1000), "starts at the instant");
        } while (std::next_permutation(classes.begin(), classes.end()));
    }
};

/** An event of the same instant that comes after all others, even one made by them, still counts.
 */
class LateEventTest : public TestCase
{
  public:
    LateEventTest()
        : TestCase("an idle wire: an event made by the last event of the instant still counts")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        bench.At(1000, [&bench] {
            bench.Send(0, 1, 1, 1000, 1);
            // a chain of events of the same instant
            bench.At(1000,
                     [&bench] { bench.At(1000, [&bench] { bench.Send(0, 1, 6, 1000, 6); }); });
        });
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals[0].number, 6, "the higher class goes first");
    }
};

/** At a frame boundary only what was ready before it is eligible. */
class BoundaryTest : public TestCase
{
  public:
    BoundaryTest()
        : TestCase("a busy wire: what gets ready at the very boundary comes after what was there")
    {
    }

  private:
    void DoRun() override
    {
        const Picoseconds boundary = 1000 + Slot(1000);
        for (const bool early : {true, false})
        {
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            const auto urgent = [&bench] { bench.Send(0, 1, 9, 1000, 7); };
            if (early)
            {
                bench.At(boundary, urgent); // runs before the NIC's own event of that instant
            }
            bench.SendAt(1000, 0, 1, 1);
            bench.SendAt(1001, 0, 1, 2);
            if (!early)
            {
                bench.At(boundary - 1, [&bench, urgent, boundary] { bench.At(boundary, urgent); });
            }
            bench.Run();
            const std::vector<uint32_t> expected{1, 2, 9};
            NS_TEST_ASSERT_MSG_EQ((Order(bench) == expected), true, "2 was ready, 9 was not");
        }
        // a picosecond earlier it is eligible
        RailBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        bench.SendAt(1000, 0, 1, 1);
        bench.SendAt(1001, 0, 1, 2);
        bench.SendAt(boundary - 1, 0, 1, 9, 1000, 7);
        bench.Run();
        const std::vector<uint32_t> expected{1, 9, 2};
        NS_TEST_ASSERT_MSG_EQ((Order(bench) == expected), true, "9 was ready");
    }
};

/** A frame that gets ready exactly when the wire falls idle starts there, from a new anchor. */
class NewAnchorTest : public TestCase
{
  public:
    NewAnchorTest()
        : TestCase("a frame that gets ready as the wire falls idle starts then, from a new anchor")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t rate = 425'000'000'000;
        const uint64_t bytes = RailBench::BytesOnWire(46);
        // two frames from one anchor end at ceil(2 x), from two anchors at 2 ceil(x)
        const Picoseconds slot = RailBench::Span(bytes, rate);
        NS_TEST_ASSERT_MSG_NE(2 * slot, RailBench::Span(2 * bytes, rate), "so it can be seen");
        for (const Picoseconds second : {slot - 1, slot})
        {
            RailBench bench(2, rate, FIBER);
            bench.Join(0, 1);
            bench.SendAt(1000, 0, 1, 1, 46);
            bench.SendAt(1000 + second, 0, 1, 2, 46);
            bench.Run();
            const Picoseconds last = RailBench::Span(RailBench::BytesToLastBit(46), rate);
            const Picoseconds expected =
                second == slot ? slot + last
                               : RailBench::Span(bytes + RailBench::BytesToLastBit(46), rate);
            NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(2), 1000 + expected + 2 * FIBER, second);
        }
    }
};

/** Queue pairs and the host stack take turns by number; a wire that was idle begins at the lowest.
 */
class TurnsTest : public TestCase
{
  public:
    TurnsTest()
        : TestCase("queue pairs and the host stack take turns by number, from the lowest")
    {
    }

  private:
    void Sent(const WireFrame& frame)
    {
        m_order.push_back(frame.packet ? 0 : frame.run.id);
    }

    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        FakeOffload sender(bench.Nic(0), AddressOf(bench, 1));
        FakeOffload receiver(bench.Nic(1), AddressOf(bench, 0));
        bench.Nic(0)->TraceConnectWithoutContext("FrameSent", MakeCallback(&TurnsTest::Sent, this));
        bench.At(1000, [&] {
            sender.Post(9, 3, 1000);
            sender.Post(4, 3, 1000);
            bench.Send(0, 1, 1);
            bench.Send(0, 1, 2);
        });
        // later, on an idle wire: from the lowest again, and a higher class before all
        bench.At(10'000'000, [&] {
            sender.Post(2, 1, 1000);
            sender.Post(1, 2, 1000);
            sender.Post(30, 1, 1000, 5);
        });
        bench.Run();
        const std::vector<uint32_t> expected{0, 4, 9, 0, 4, 9, 4, 9, 30, 1, 2, 1};
        NS_TEST_ASSERT_MSG_EQ((m_order == expected), true, "0 is the host stack");
        NS_TEST_ASSERT_MSG_EQ(receiver.received.size(), 10, "the peer's offload got its own");
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), 2, "the peer's stack got its own");
    }

    std::vector<uint32_t> m_order;
};

/** Offload frames have exact times, and are dropped where there is no offload. */
class OffloadTest : public TestCase
{
  public:
    OffloadTest()
        : TestCase("an offload's frames: exact times, carrier, and nobody to take them")
    {
    }

  private:
    void DoRun() override
    {
        ToItsPeer();
        ToNone();
    }

    void ToItsPeer()
    {
        RailBench bench(3, RATE, FIBER);
        bench.Join(0, 1);
        FakeOffload sender(bench.Nic(0), AddressOf(bench, 1));
        FakeOffload receiver(bench.Nic(1), AddressOf(bench, 0));
        bench.At(1000, [&] { sender.Post(1, 100, 4178); });
        // a plan that takes the circuit elsewhere
        const Picoseconds later = 100'000'000;
        bench.At(later, [&] {
            bench.ocs->Apply(
                CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2)));
        });
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(receiver.received.size(), 100, "all came");
        for (uint64_t i = 0; i < 100; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(
                receiver.received[i].second,
                static_cast<Picoseconds>(1000 + ((i + 1) * 4178 - 12) * BYTE + 2 * FIBER),
                "frame " << i);
        }
        const std::vector<bool> carrierTimes{true, false, true};
        NS_TEST_ASSERT_MSG_EQ((sender.carrierTimes == carrierTimes), true, "told of carrier");
    }

    void ToNone()
    {
        RailBench alone(2, RATE, FIBER);
        alone.Join(0, 1);
        FakeOffload again(alone.Nic(0), AddressOf(alone, 1));
        alone.At(1000, [&] { again.Post(1, 1, 1000); });
        // an observer of all bytes, at a port that has no use for them
        alone.Nic(1)->TraceConnectWithoutContext("PhyRxEnd",
                                                 MakeCallback(&OffloadTest::Received, this));
        alone.Run();
        NS_TEST_ASSERT_MSG_EQ(alone.losses.size(), 1, "nobody took it");
        NS_TEST_ASSERT_MSG_EQ((alone.losses[0].reason == FrameDropReason::NO_RECEIVER), true, "so");
        const uint32_t headers = RoceFrame().Serialize(Mac48Address(), Mac48Address()).size();
        NS_TEST_ASSERT_MSG_EQ((m_sizes == std::vector<uint32_t>{headers}), true, "its bytes");
    }

    void Received(Ptr<const Packet> bytes)
    {
        m_sizes.push_back(bytes->GetSize());
    }

    std::vector<uint32_t> m_sizes; //!< of the frames that came to a port without an offload
};

/** A paused class waits until its quanta are over, to the picosecond; other classes go on. */
class PauseTest : public TestCase
{
  public:
    PauseTest()
        : TestCase("a paused class waits for quanta of 512 bit times, others go on")
    {
    }

  private:
    void DoRun() override
    {
        const Picoseconds quantum = 512 * 10; // a bit lasts 10 ps at 100 Gb/s
        {
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            bench.At(1000, [&] { bench.Nic(1)->SendPause(3, 100); });
            const Picoseconds paused = 1000 + Way(46); // a pause frame has the minimum size
            const Picoseconds free = paused + 100 * quantum;
            bench.SendAt(paused, 0, 1, 1, 1000, 3); // at the very instant: held
            bench.SendAt(paused + 5, 0, 1, 2, 1000, 4);
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(2), paused + 5 + Way(1000), "another class");
            NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(1), free + Way(1000), "when the pause was over");
        }
        {
            // let go on early, by 0 quanta; and a frame that began before the pause goes out whole
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            const Picoseconds paused = 1000 + Way(46);
            bench.At(1000, [&] { bench.Nic(1)->SendPause(3, 65535); });
            bench.SendAt(paused - 1, 0, 1, 1, 1000, 3);
            bench.SendAt(paused - 1, 0, 1, 2, 1000, 3);
            bench.At(2'000'000, [&] { bench.Nic(1)->SendPause(3, 0); });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(1), paused - 1 + Way(1000), "had begun");
            NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(2), 2'000'000 + Way(46) + Way(1000), "let go");
        }
        {
            // pause frames go ahead of all queued traffic
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            for (uint32_t i = 0; i < 5; ++i)
            {
                bench.SendAt(1000, 0, 1, i, 9000, 7);
            }
            bench.At(1001, [&] { bench.Nic(0)->SendPause(0, 10); });
            // behind the one frame that had begun
            const Picoseconds paused = 1000 + Slot(9000) + Way(46);
            bench.At(paused - 1,
                     [&] { NS_TEST_EXPECT_MSG_EQ(bench.Nic(1)->IsPaused(0), false, "not yet"); });
            bench.At(paused + 1,
                     [&] { NS_TEST_EXPECT_MSG_EQ(bench.Nic(1)->IsPaused(0), true, "now"); });
            bench.Run();
        }
    }
};

/**
 * Packets that the host stack sends without carrier wait, or are dropped, as the attribute sets.
 */
class DarkTest : public TestCase
{
  public:
    DarkTest()
        : TestCase("in the dark the NIC holds traffic, or drops it, as it is told")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* policy : {"Hold", "Drop"})
        {
            RailBench bench(2, RATE, FIBER, [policy](PhotonicRailHelper& helper) {
                helper.SetNicAttribute("NoCarrierAction", StringValue(policy));
                helper.SetNicAttribute("QueueSize", StringValue("3p"));
            });
            // no circuit from the start until 1 us and a reconfiguration later
            bench.At(1'000'000, [&] { bench.Join(0, 1); });
            bench.At(500'000, [&] {
                for (uint32_t i = 0; i < 4; ++i)
                {
                    const bool taken = bench.Send(0, 1, i);
                    NS_TEST_EXPECT_MSG_EQ(taken,
                                          (std::string(policy) == "Hold" && i < 3),
                                          "packet " << i);
                }
            });
            bench.Run();
            if (std::string(policy) == "Hold")
            {
                NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), 3, "what the queue held");
                const Picoseconds carrier = 1'000'000 + 1'000'000 + FIBER;
                NS_TEST_ASSERT_MSG_EQ(bench.arrivals[0].at, carrier + Way(1000), "with the light");
                NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 1, "one too many");
                NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::QUEUE_FULL),
                                      true,
                                      "so");
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 4, "all dropped");
            NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::NO_CARRIER),
                                  true,
                                  "so");
        }
    }
};

/** Queued packets are dropped too when the light goes, if the NIC does not hold traffic. */
class DarkQueueTest : public TestCase
{
  public:
    DarkQueueTest()
        : TestCase("with NoCarrierAction=Drop the queue is emptied when carrier goes")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetNicAttribute("NoCarrierAction", StringValue("Drop"));
        });
        bench.Join(0, 1);
        // ten frames of 720 ns at 1 us, and dark at the NIC from 2 us: two have begun before that
        for (uint32_t i = 0; i < 10; ++i)
        {
            bench.SendAt(1'000'000, 0, 1, i, 8962); // 9000 bytes on the wire
        }
        bench.At(2'000'000 - FIBER, [&] { bench.ocs->Disconnect(PortId(0), PortId(1)); });
        bench.Run();
        std::map<FrameDropReason, int> reasons;
        for (const RailBench::Loss& loss : bench.losses)
        {
            ++reasons[loss.reason];
        }
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), 1, "the first was through");
        NS_TEST_ASSERT_MSG_EQ(reasons[FrameDropReason::CUT], 1, "the second was cut");
        NS_TEST_ASSERT_MSG_EQ(reasons[FrameDropReason::NO_CARRIER], 8, "the rest was given up");
    }
};

/** Carrier is not link state, unless the attribute sets it. */
class NotifyStackTest : public TestCase
{
  public:
    NotifyStackTest()
        : TestCase("link state follows carrier only if NotifyStack is set")
    {
    }

  private:
    void Changed()
    {
        ++m_changes;
    }

    void DoRun() override
    {
        for (const bool notify : {false, true})
        {
            m_changes = 0;
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            bench.Nic(0)->SetAttribute("NotifyStack", BooleanValue(notify));
            bench.Nic(0)->AddLinkChangeCallback(MakeCallback(&NotifyStackTest::Changed, this));
            bench.At(1000, [&] { bench.ocs->Disconnect(PortId(0), PortId(1)); });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.Nic(0)->HasCarrier(), false, "dark in any case");
            NS_TEST_ASSERT_MSG_EQ(bench.Nic(0)->IsLinkUp(), !notify, "link state");
            NS_TEST_ASSERT_MSG_EQ(m_changes, (notify ? 1 : 0), "and its callback");
        }
    }

    int m_changes{0};
};

/** Short payloads are padded, long ones refused, group addresses accepted, rates changed. */
class FramesTest : public TestCase
{
  public:
    FramesTest()
        : TestCase("frames: the minimum size, the MTU, group addresses, a change of rate")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetNicAttribute("Mtu", UintegerValue(2000));
        });
        bench.Join(0, 1);
        bench.SendAt(1000, 0, 1, 1, 20); // as long as one of 46
        bench.At(1'000'000, [&] {
            NS_TEST_EXPECT_MSG_EQ(bench.Send(0, 1, 2, 2001), false, "beyond the MTU");
            NS_TEST_EXPECT_MSG_EQ(bench.Send(0, 1, 3, 2000), true, "the MTU");
        });
        bench.At(2'000'000, [&] { bench.SendTo(0, Mac48Address::GetBroadcast(), 4, 100); });
        // half the rate, from the next frame on: it is in the middle of one
        bench.At(3'000'000, [&] {
            bench.Send(0, 1, 5, 1000);
            bench.Send(0, 1, 6, 1000);
        });
        bench.At(3'000'010, [&] { bench.Nic(0)->SetAttribute("DataRate", StringValue("50Gbps")); });
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(1), 1000 + Way(46), "padded to 46 bytes");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(2), -1, "refused");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(3), 1'000'000 + Way(2000), "sent");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(4), 2'000'000 + Way(100), "for everybody");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(5), 3'000'000 + Way(1000), "at the old rate");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(6),
                              3'000'000 + Slot(1000) +
                                  RailBench::Span(RailBench::BytesToLastBit(1000), RATE / 2) +
                                  2 * FIBER,
                              "at the new one");
        NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::OVERSIZED),
                              true,
                              "said so");
    }
};

/** A port that sends nothing costs nothing: no event but those of building and lighting it. */
class SilenceTest : public TestCase
{
  public:
    SilenceTest()
        : TestCase("a silent rail has no events")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(64, RATE, FIBER);
        for (uint32_t h = 0; h < 64; h += 2)
        {
            bench.Join(h, h + 1);
        }
        bench.At(1, [] {});
        const auto count = [] { return Simulator::GetEventCount(); };
        uint64_t before = 0;
        bench.At(2, [&] { before = count(); });
        bench.At(1'000'000'000'000, [&] {
            NS_TEST_EXPECT_MSG_EQ(count() - before, 1, "this event alone, in a second");
        });
        bench.Run();
    }
};

/** The suite of the NIC port. */
class NicTestSuite : public TestSuite
{
  public:
    NicTestSuite()
        : TestSuite("photonic-rails-nic", TestSuite::Type::UNIT)
    {
        AddTestCase(new IdleWireTest);
        AddTestCase(new LateEventTest);
        AddTestCase(new BoundaryTest);
        AddTestCase(new NewAnchorTest);
        AddTestCase(new TurnsTest);
        AddTestCase(new OffloadTest);
        AddTestCase(new PauseTest);
        AddTestCase(new DarkTest);
        AddTestCase(new DarkQueueTest);
        AddTestCase(new NotifyStackTest);
        AddTestCase(new FramesTest);
        AddTestCase(new SilenceTest);
    }
};

NicTestSuite g_nicTestSuite;

} // namespace
