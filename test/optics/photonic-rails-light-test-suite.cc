/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Light through fibers and circuits: exact times, exact cuts.

#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/frame-loss.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <map>
#include <utility>

using namespace ns3;

namespace
{

/** Time from a frame's first bit to its last at RATE. */
Picoseconds
TimeOnWire(uint32_t payload)
{
    return RailBench::Span(RailBench::BytesToLastBit(payload), RATE);
}

} // namespace

/** One frame takes one transmission time, two fiber delays and the switch's own delay. */
class OneFrameTest : public TestCase
{
  public:
    OneFrameTest()
        : TestCase("one frame: one transmission time, two fibers, the switch, to the picosecond")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t gigabits : {100, 200, 400, 425, 800, 1600})
        {
            for (const uint32_t payload : {46, 1000, 4178, 9000})
            {
                for (const Picoseconds fiber : {0, 1, 98'000})
                {
                    const uint64_t rate = gigabits * 1'000'000'000;
                    RailBench bench(2, rate, fiber, [](PhotonicRailHelper& helper) {
                        helper.SetSwitchAttribute("PropagationDelay", TimeValue(PicoSeconds(7)));
                    });
                    bench.Join(0, 1);
                    bench.SendAt(1000, 0, 1, 1, payload);
                    bench.Run();
                    const Picoseconds expected =
                        1000 + RailBench::Span(RailBench::BytesToLastBit(payload), rate) +
                        2 * fiber + 7;
                    NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(1), expected, gigabits << " Gb/s");
                }
            }
        }
    }
};

/** Frames that are queued together leave back to back, counted from one anchor. */
class BackToBackTest : public TestCase
{
  public:
    BackToBackTest()
        : TestCase("back to back: every last bit is counted from one anchor")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t rate = 425'000'000'000; // no frame lasts a whole number of picoseconds
        RailBench bench(2, rate, FIBER);
        bench.Join(0, 1);
        const uint32_t frames = 200;
        bench.At(5000, [&bench] {
            for (uint32_t i = 0; i < frames; ++i)
            {
                bench.Send(0, 1, i, 100 + i);
            }
        });
        bench.Run();
        uint64_t bytes = 0;
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), frames, "all came");
        for (uint32_t i = 0; i < frames; ++i)
        {
            bytes += RailBench::BytesOnWire(100 + i);
            NS_TEST_ASSERT_MSG_EQ(bench.arrivals[i].at,
                                  5000 + RailBench::Span(bytes - 12, rate) + 2 * FIBER,
                                  "frame " << i);
        }
    }
};

/** The frame whose last bit crosses a picosecond too late is lost, the one before is not. */
class CutTest : public TestCase
{
  public:
    CutTest()
        : TestCase("a cut: the last bit that crosses a picosecond too late is lost")
    {
    }

  private:
    void DoRun() override
    {
        // two frames, back to back; when the last bit of each is at the switch
        const Picoseconds one = 1000 + TimeOnWire(1000) + FIBER;
        const Picoseconds two =
            1000 +
            RailBench::Span(RailBench::BytesOnWire(1000) + RailBench::BytesToLastBit(1000), RATE) +
            FIBER;
        const Picoseconds twoFirst =
            1000 + RailBench::Span(RailBench::BytesOnWire(1000), RATE) + FIBER;

        Try(one - 1, {}, {FrameDropReason::CUT, FrameDropReason::NO_CIRCUIT});
        Try(one, {1}, {FrameDropReason::NO_CIRCUIT});
        // the first bit of the second frame comes with the cut: nothing of it passes
        Try(twoFirst, {1}, {FrameDropReason::NO_CIRCUIT});
        Try(twoFirst + 1, {1}, {FrameDropReason::CUT});
        Try(two - 1, {1}, {FrameDropReason::CUT});
        Try(two, {1, 2}, {});
    }

    /** Cuts at an instant, in an event that was scheduled before the frames' or after. */
    void Try(Picoseconds cut,
             const std::vector<uint32_t>& arrive,
             const std::vector<FrameDropReason>& lost)
    {
        for (const bool cutFirst : {true, false})
        {
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            const auto doCut = [&bench] { bench.ocs->Disconnect(PortId(0), PortId(1)); };
            if (cutFirst)
            {
                bench.At(cut, doCut);
            }
            bench.SendAt(1000, 0, 1, 1);
            bench.SendAt(1000, 0, 1, 2);
            if (!cutFirst)
            {
                // scheduled at the last moment, behind the frame's own event of that instant
                bench.At(cut - 1, [&bench, doCut] { bench.At(NowPicoseconds() + 1, doCut); });
            }
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), arrive.size(), "cut at " << cut);
            for (std::size_t i = 0; i < arrive.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(bench.arrivals[i].number, arrive[i], "cut at " << cut);
            }
            NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), lost.size(), "cut at " << cut);
            for (std::size_t i = 0; i < lost.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ((bench.losses[i].reason == lost[i]),
                                      true,
                                      "cut at " << cut << ": " << bench.losses[i].reason);
                NS_TEST_ASSERT_MSG_EQ(bench.losses[i].where, "switch", "lost there");
            }
        }
    }
};

/** Light that meets another circuit than it set out for is dropped, never delivered. */
class OtherCircuitTest : public TestCase
{
  public:
    OtherCircuitTest()
        : TestCase("light that meets another circuit in mid-frame reaches nobody")
    {
    }

  private:
    void DoRun() override
    {
        const auto noTime = [](PhotonicRailHelper& helper) {
            helper.SetReconfigurationTime(Time(0));
        };
        const Picoseconds middle = 1000 + FIBER + TimeOnWire(1000) / 2;
        {
            RailBench bench(3, RATE, FIBER, noTime);
            bench.Join(0, 1);
            bench.SendAt(1000, 0, 1, 1);
            bench.At(middle, [&bench] {
                bench.ocs->Apply(
                    CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2)));
            });
            bench.Run();
            Check(bench);
        }
        {
            // the same two ports joined anew are another circuit
            RailBench bench(3, RATE, FIBER, noTime);
            bench.Join(0, 1);
            bench.SendAt(1000, 0, 1, 1);
            bench.At(middle, [&bench] {
                bench.ocs->Apply(
                    CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(1)));
            });
            bench.Run();
            Check(bench);
        }
    }

    void Check(const RailBench& bench)
    {
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), 0, "nobody got it");
        NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 1, "it was lost once");
        NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::OTHER_CIRCUIT),
                              true,
                              bench.losses[0].reason);
        NS_TEST_ASSERT_MSG_EQ(bench.losses[0].at,
                              1000 + FIBER + TimeOnWire(1000),
                              "at its last bit");
    }
};

/** A frame that a circuit carries to another host is dropped there. */
class WrongDestinationTest : public TestCase
{
  public:
    WrongDestinationTest()
        : TestCase("a frame that reaches a stranger is dropped there")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(3, RATE, FIBER);
        bench.Join(0, 2);
        bench.SendAt(1000, 0, 1, 1);
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), 0, "the stranger's stack saw nothing");
        NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 1, "it was lost once");
        NS_TEST_ASSERT_MSG_EQ(bench.losses[0].where, "host 2", "there");
        NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::WRONG_DESTINATION),
                              true,
                              bench.losses[0].reason);
    }
};

/** Circuits that a plan does not touch keep their exact timing; a whole-switch plan darkens all. */
class UntouchedTest : public TestCase
{
  public:
    UntouchedTest()
        : TestCase("untouched circuits keep their timing; in whole-switch mode all go dark")
    {
    }

  private:
    using Arrivals = std::vector<RailBench::Arrival>;

    Arrivals Stream(bool reconfigure, const char* granularity)
    {
        RailBench bench(5, RATE, FIBER, [granularity](PhotonicRailHelper& helper) {
            helper.SetSwitchAttribute("Granularity", StringValue(granularity));
            helper.SetReconfigurationTime(NanoSeconds(700));
        });
        bench.Join(0, 1);
        bench.Join(2, 3);
        for (uint32_t i = 0; i < 100; ++i)
        {
            bench.SendAt(1000 + i * 77'777, 2, 3, i); // a frame lasts 82 ns: a queue builds up
        }
        if (reconfigure)
        {
            for (const Picoseconds at : {1'000'000, 3'000'000, 5'000'000})
            {
                bench.At(at, [&bench] {
                    const uint32_t peer = bench.ocs->GetMap().GetPeer(PortId(0))->Get();
                    bench.ocs->Apply(CircuitPlan()
                                         .Disconnect(PortId(0), PortId(peer))
                                         .Connect(PortId(0), PortId(peer == 1 ? 4 : 1)));
                });
            }
        }
        bench.Run();
        m_lost = bench.losses.size();
        return bench.arrivals;
    }

    void DoRun() override
    {
        const Arrivals quiet = Stream(false, "PerPort");
        NS_TEST_ASSERT_MSG_EQ(quiet.size(), 100, "all came");
        const Arrivals busy = Stream(true, "PerPort");
        NS_TEST_ASSERT_MSG_EQ((busy == quiet), true, "no picosecond differs");
        NS_TEST_ASSERT_MSG_EQ(m_lost, 0, "nothing was lost");

        const Arrivals whole = Stream(true, "WholeSwitch");
        NS_TEST_ASSERT_MSG_GT(m_lost, 0, "frames met the dark");
        for (const RailBench::Arrival& arrival : whole)
        {
            // when its last bit was at the switch
            const Picoseconds passed = arrival.at - FIBER;
            for (const Picoseconds dark : {1'000'000, 3'000'000, 5'000'000})
            {
                NS_TEST_ASSERT_MSG_EQ((passed > dark && passed < dark + 700'000),
                                      false,
                                      "a frame passed in the dark at " << passed);
            }
        }
    }

    std::size_t m_lost{0};
};

/** A NIC sees light a fiber delay after the circuit, and has carrier when it has locked. */
class CarrierTest : public TestCase
{
  public:
    CarrierTest()
        : TestCase("carrier: a fiber delay after the light, and the port's own link-up time")
    {
    }

  private:
    void Carrier(uint32_t host, bool carrier)
    {
        m_seen.push_back({host, {carrier, NowPicoseconds()}});
    }

    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        bench.Nic(1)->SetAttribute("LinkUpTime",
                                   StringValue("ns3::ConstantRandomVariable[Constant=3e-6]"));
        for (uint32_t h = 0; h < 2; ++h)
        {
            NS_TEST_ASSERT_MSG_EQ(bench.Nic(h)->HasCarrier(), true, "lit since before the start");
            bench.Nic(h)->TraceConnectWithoutContext(
                "Carrier",
                MakeCallback(&CarrierTest::Carrier, this).Bind(h));
        }
        // down from 1 us to 2 us; host 1 locks 3 us after it sees light
        bench.At(1'000'000, [&bench] {
            bench.ocs->Apply(
                CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(1)));
        });
        // host 0 has carrier again and sends, but host 1 has not locked yet; what comes to host 1
        // with its first bit at the instant of its lock gets in
        const Picoseconds locked = 2'000'000 + FIBER + 3'000'000;
        bench.SendAt(locked - 2 * FIBER - 1, 0, 1, 1);
        bench.SendAt(locked - 2 * FIBER + 1'000'000, 0, 1, 2);
        // held in the dark: goes when there is carrier
        bench.SendAt(1'500'000, 1, 0, 3);
        bench.Run();

        const std::vector<std::pair<uint32_t, std::pair<bool, Picoseconds>>> expected{
            {0, {false, 1'000'000 + FIBER}},
            {1, {false, 1'000'000 + FIBER}},
            {0, {true, 2'000'000 + FIBER}},
            {1, {true, locked}},
        };
        NS_TEST_ASSERT_MSG_EQ((m_seen == expected), true, "what the NICs saw, and when");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(1), -1, "came before the receiver had locked");
        NS_TEST_ASSERT_MSG_GT(bench.ArrivalOf(2), 0, "came after it");
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(3), locked + TimeOnWire(1000) + 2 * FIBER, "held");
        NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 1, "one frame lost");
        NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::NO_LOCK), true, "so");
    }

    std::vector<std::pair<uint32_t, std::pair<bool, Picoseconds>>> m_seen;
};

/** The first bit that comes with the lock is read, one that came a picosecond before is not. */
class LockTest : public TestCase
{
  public:
    LockTest()
        : TestCase("the receiver reads what begins at its lock, and not a picosecond before")
    {
    }

  private:
    void DoRun() override
    {
        for (const Picoseconds early : {0, 1})
        {
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            bench.Nic(1)->SetAttribute("LinkUpTime",
                                       StringValue("ns3::ConstantRandomVariable[Constant=3e-6]"));
            bench.At(1'000'000, [&bench] {
                bench.ocs->Apply(
                    CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(1)));
            });
            const Picoseconds locked = 2'000'000 + FIBER + 3'000'000;
            bench.SendAt(locked - 2 * FIBER - early, 0, 1, 1);
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), (early == 0 ? 1 : 0), "early " << early);
        }
    }
};

/** A fiber that breaks loses the frames that have not passed the break, and both ends go dark. */
class FiberCutTest : public TestCase
{
  public:
    FiberCutTest()
        : TestCase("a fiber cut: what has passed the break arrives, and light goes at both ends")
    {
    }

  private:
    void Carrier(uint32_t host, bool carrier)
    {
        m_carrier[host].push_back({carrier, NowPicoseconds()});
    }

    void DoRun() override
    {
        // a quarter of the way from host 0 to the switch
        const Picoseconds toBreak = FIBER / 4;
        const Picoseconds lastBitAtBreak = 1000 + TimeOnWire(1000) + toBreak;
        for (const Picoseconds late : {0, 1})
        {
            m_carrier.clear();
            RailBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            for (uint32_t h = 0; h < 2; ++h)
            {
                bench.Nic(h)->TraceConnectWithoutContext(
                    "Carrier",
                    MakeCallback(&FiberCutTest::Carrier, this).Bind(h));
            }
            bench.SendAt(1000, 0, 1, 1);
            const Picoseconds cut = lastBitAtBreak - late;
            bench.At(cut, [&bench] { bench.rail.GetFiber(0)->Cut(0.25); });
            bench.At(cut + 1'000'000, [&bench] { bench.rail.GetFiber(0)->Splice(); });
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), (late == 0 ? 1 : 0), "late by " << late);
            NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), (late == 0 ? 0 : 1), "late by " << late);
            if (late == 1)
            {
                NS_TEST_ASSERT_MSG_EQ(bench.losses[0].where, "fiber 0", "there");
                NS_TEST_ASSERT_MSG_EQ((bench.losses[0].reason == FrameDropReason::FIBER_CUT),
                                      true,
                                      bench.losses[0].reason);
            }
            // host 0 is a quarter of its fiber from the break, host 1 three quarters and a fiber
            for (uint32_t h = 0; h < 2; ++h)
            {
                const Picoseconds way = h == 0 ? toBreak : FIBER - toBreak + FIBER;
                const std::vector<std::pair<bool, Picoseconds>> expected{
                    {false, cut + way},
                    {true, cut + 1'000'000 + way},
                };
                NS_TEST_ASSERT_MSG_EQ((m_carrier[h] == expected), true, "host " << h);
            }
        }
    }

    std::map<uint32_t, std::vector<std::pair<bool, Picoseconds>>> m_carrier;
};

/** Bit errors take the frames that a function of seed, wire and ordinal names, and no others. */
class FrameLossTest : public TestCase
{
  public:
    FrameLossTest()
        : TestCase("bit errors take the frames that (seed, wire, ordinal) name")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(2, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetNicAttribute("QueueSize", StringValue("1000p"));
        });
        bench.Join(0, 1);
        bench.rail.GetFiber(0)->SetAttribute("FrameLossRate", DoubleValue(0.1));
        bench.rail.GetFiber(0)->AssignStreams(40);
        bench.At(1000, [&bench] {
            for (uint32_t i = 0; i < 500; ++i)
            {
                bench.Send(0, 1, i, 46);
            }
        });
        bench.Run();
        // seed 1 and run 1; from the fiber's end 0, its first stream
        const FrameLoss loss((uint64_t{1} << 32) ^ 1, 40, 0.1);
        std::size_t came = 0;
        for (uint32_t i = 0; i < 500; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ((bench.ArrivalOf(i) < 0), loss.IsLost(i), "frame " << i);
            came += !loss.IsLost(i);
        }
        NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), came, "and each once");
        NS_TEST_ASSERT_MSG_EQ(bench.losses.size(), 500 - came, "each loss has its trace");
    }
};

/** The suite of light through fibers and circuits. */
class LightTestSuite : public TestSuite
{
  public:
    LightTestSuite()
        : TestSuite("photonic-rails-light", TestSuite::Type::UNIT)
    {
        AddTestCase(new OneFrameTest);
        AddTestCase(new BackToBackTest);
        AddTestCase(new CutTest);
        AddTestCase(new OtherCircuitTest);
        AddTestCase(new WrongDestinationTest);
        AddTestCase(new UntouchedTest);
        AddTestCase(new CarrierTest);
        AddTestCase(new LockTest);
        AddTestCase(new FiberCutTest);
        AddTestCase(new FrameLossTest);
    }
};

static LightTestSuite g_lightTestSuite;
