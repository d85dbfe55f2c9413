/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults of fibers, NIC ports and optical switches: when light and carrier go and come back, and
// which frames are lost, to the picosecond.

#include "../support/photonic-rails-rail-bench.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fault-injector.h"
#include "ns3/fault.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 100'000'000'000; // 80 ps a byte
constexpr Picoseconds FIBER = 100'000;
constexpr Picoseconds RECONFIGURATION = 3'000'000;
constexpr Picoseconds AT = 10'000'000;    // of the fault
constexpr Picoseconds LASTS = 20'000'000; // until the repair

/** A change of carrier: the host, when, and whether there is carrier. */
using Change = std::tuple<uint32_t, Picoseconds, bool>;

/** Hosts on a rail, with faults. */
class LightBench : public RailBench
{
  public:
    explicit LightBench(uint32_t hosts, bool isLatching = true, Picoseconds linkUp = 0)
        : RailBench(hosts, RATE, FIBER, [&](PhotonicRailHelper& helper) {
              helper.SetReconfigurationTime(ToTime(RECONFIGURATION));
              helper.SetSwitchAttribute("Latching", BooleanValue(isLatching));
              if (linkUp > 0)
              {
                  helper.SetNicAttribute("LinkUpTime",
                                         StringValue("ns3::ConstantRandomVariable[Constant=" +
                                                     std::to_string(linkUp * 1e-12) + "]"));
              }
          })
    {
        injector = CreateObject<FaultInjector>();
        injector->SetRails({rail});
        for (uint32_t host = 0; host < hosts; ++host)
        {
            Nic(host)->TraceConnectWithoutContext(
                "Carrier",
                MakeCallback(&LightBench::Carrier, this).Bind(host));
        }
    }

    ~LightBench()
    {
        injector->Dispose();
    }

    /** @return the changes of a host's carrier, in order */
    std::vector<std::pair<Picoseconds, bool>> ChangesOf(uint32_t host) const
    {
        std::vector<std::pair<Picoseconds, bool>> its;
        for (const auto& [which, at, carrier] : changes)
        {
            if (which == host)
            {
                its.emplace_back(at, carrier);
            }
        }
        return its;
    }

    /** @return the reasons of losses, by place */
    std::map<std::pair<std::string, FrameDropReason>, uint32_t> CountLosses() const
    {
        std::map<std::pair<std::string, FrameDropReason>, uint32_t> counts;
        for (const Loss& loss : losses)
        {
            ++counts[{loss.where, loss.reason}];
        }
        return counts;
    }

    Ptr<FaultInjector> injector;
    std::vector<Change> changes;

  private:
    void Carrier(uint32_t host, bool carrier)
    {
        changes.emplace_back(host, NowPicoseconds(), carrier);
    }
};

/** @return a fault of the tests' instant and duration */
Fault
MakeFault(FaultKind kind)
{
    UsePicoseconds(); // no bench may have been there yet
    Fault fault;
    fault.kind = kind;
    fault.at = ToTime(AT);
    fault.duration = ToTime(LASTS);
    return fault;
}

using Changes = std::vector<std::pair<Picoseconds, bool>>;

/** Carrier goes and comes with the light, which needs the time of the fibers. */
class CarrierTestCase : public TestCase
{
  public:
    CarrierTestCase()
        : TestCase("Carrier goes and comes back with each kind of fault")
    {
    }

  private:
    /** Runs a fault. @param gone delays to the loss at hosts 0 and 1 @param back to the return */
    void Expect(const Fault& fault,
                std::pair<Picoseconds, Picoseconds> gone,
                std::pair<Picoseconds, Picoseconds> back)
    {
        LightBench bench(2);
        bench.Join(0, 1);
        bench.injector->Add(fault);
        bench.Run();
        const Picoseconds end = AT + LASTS;
        const std::string& name = ToString(fault.kind);
        const Changes zero{{AT + gone.first, false}, {end + back.first, true}};
        const Changes one{{AT + gone.second, false}, {end + back.second, true}};
        NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(0) == zero), true, name << " at host 0");
        NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(1) == one), true, name << " at host 1");
        NS_TEST_EXPECT_MSG_EQ(bench.injector->GetCounters().begun, 1, name);
        NS_TEST_EXPECT_MSG_EQ(bench.injector->GetCounters().ended, 1, name);
        NS_TEST_EXPECT_MSG_EQ(bench.injector->GetActive().size(), 0, name);
    }

    void DoRun() override
    {
        Fault cut = MakeFault(FaultKind::FIBER_CUT);
        cut.position = 0.25; // of the way from the NIC of host 0
        const Picoseconds near = FIBER / 4;
        const Picoseconds far = FIBER * 3 / 4 + FIBER;
        Expect(cut, {near, far}, {near, far});

        // the NIC's own light and its receiver end at once
        Expect(MakeFault(FaultKind::NIC_PORT_DOWN), {0, 2 * FIBER}, {0, 2 * FIBER});

        const auto isSwitch = std::pair(FIBER, FIBER);
        const auto isAfter = std::pair(RECONFIGURATION + FIBER, RECONFIGURATION + FIBER);
        Expect(MakeFault(FaultKind::OCS_PORT_STUCK), isSwitch, isAfter);
        Expect(MakeFault(FaultKind::OCS_DOWN), isSwitch, isSwitch);
    }
};

/** A port that is on again locks anew. */
class LinkUpTestCase : public TestCase
{
  public:
    LinkUpTestCase()
        : TestCase("After a fault the receiver locks anew")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Picoseconds LINK_UP = 5'000'000;
        LightBench bench(2, true, LINK_UP);
        bench.Join(0, 1);
        bench.injector->Add(MakeFault(FaultKind::NIC_PORT_DOWN));
        bench.Run();
        const Picoseconds end = AT + LASTS;
        const Changes zero{{AT, false}, {end + LINK_UP, true}};
        const Changes one{{AT + 2 * FIBER, false}, {end + 2 * FIBER + LINK_UP, true}};
        NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(0) == zero), true, "its own");
        NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(1) == one), true, "its peer's");
    }
};

/** Faults of one component that overlap. */
class NestedTestCase : public TestCase
{
  public:
    NestedTestCase()
        : TestCase("A component is repaired when its last fault ends")
    {
    }

  private:
    void DoRun() override
    {
        for (const FaultKind kind :
             {FaultKind::FIBER_CUT, FaultKind::NIC_PORT_DOWN, FaultKind::OCS_DOWN})
        {
            LightBench bench(2);
            bench.Join(0, 1);
            Fault first = MakeFault(kind);
            first.position = 0;
            Fault second = first; // begins before the end of the first
            second.at = ToTime(AT + LASTS / 2);
            Fault third = first; // begins at the end of the second
            third.at = second.GetEnd();
            bench.injector->Add(third);
            bench.injector->Add(second);
            bench.injector->Add(first);
            bench.Run();
            const Picoseconds after = kind == FaultKind::OCS_DOWN ? FIBER : 0;
            const Changes zero{{AT + after, false}, {third.GetEnd().GetTimeStep() + after, true}};
            NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(0) == zero), true, ToString(kind));
            NS_TEST_EXPECT_MSG_EQ(bench.injector->GetBegun(kind), 3, ToString(kind));
        }
        // a port that flaps and is down
        LightBench bench(2);
        bench.Join(0, 1);
        Fault flapping = MakeFault(FaultKind::NIC_PORT_FLAPPING);
        flapping.period = ToTime(8'000'000);
        flapping.duty = 0.25;
        Fault down = MakeFault(FaultKind::NIC_PORT_DOWN);
        down.at = ToTime(AT + 9'000'000);
        down.duration = ToTime(2'000'000);
        bench.injector->Add(flapping);
        bench.injector->Add(down);
        bench.Run();
        const Changes zero{{AT, false},
                           {AT + 2'000'000, true},
                           {AT + 8'000'000, false},
                           {AT + 11'000'000, true}, // the other fault outlasts the second time
                           {AT + 16'000'000, false},
                           {AT + 18'000'000, true}};
        NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(0) == zero), true, "flapping");
    }
};

/** Frames around the instant at which a port is switched off. */
class CutShortTestCase : public TestCase
{
  public:
    CutShortTestCase()
        : TestCase("A frame is lost if its port goes down in the middle of it")
    {
    }

  private:
    void DoRun() override
    {
        const Picoseconds frame = RailBench::Span(RailBench::BytesToLastBit(1000), RATE);
        const auto run = [](uint32_t from, Picoseconds at) {
            LightBench bench(2);
            bench.Join(0, 1);
            bench.injector->Add(MakeFault(FaultKind::NIC_PORT_DOWN));
            bench.SendAt(at, from, 1 - from, 1);
            bench.Run();
            return std::pair(bench.ArrivalOf(1), bench.CountLosses());
        };
        // the last bit leaves at the instant itself, or a picosecond later
        NS_TEST_EXPECT_MSG_EQ(run(0, AT - frame).first, AT + 2 * FIBER, "it has left");
        const auto [sent, lost] = run(0, AT - frame + 1);
        NS_TEST_EXPECT_MSG_EQ(sent, -1, "it has not");
        NS_TEST_EXPECT_MSG_EQ(
            (lost.size() == 1 && lost.begin()->first.second == FrameDropReason::TRANSMISSION_ERROR),
            true,
            "the check sequence is missing");
        // the last bit comes in at the instant itself, or a picosecond later
        NS_TEST_EXPECT_MSG_EQ(run(1, AT - 2 * FIBER - frame).first, AT, "it is in");
        const auto [came, dropped] = run(1, AT - 2 * FIBER - frame + 1);
        NS_TEST_EXPECT_MSG_EQ(came, -1, "it is not");
        NS_TEST_EXPECT_MSG_EQ(
            (dropped.size() == 1 && dropped.begin()->first.second == FrameDropReason::NO_LOCK),
            true,
            "there is no receiver");
        // a frame of a port that is down waits, and leaves when the port is on again
        NS_TEST_EXPECT_MSG_EQ(run(0, AT).first, AT + LASTS + frame + 2 * FIBER, "held at once");
        NS_TEST_EXPECT_MSG_EQ(run(0, AT + 5).first, AT + LASTS + frame + 2 * FIBER, "held");
    }
};

/** Light takes the fiber of another port. */
class MisconnectedTestCase : public TestCase
{
  public:
    MisconnectedTestCase()
        : TestCase("Frames through swapped fibers come to the wrong NIC")
    {
    }

  private:
    void DoRun() override
    {
        const Picoseconds frame = RailBench::Span(RailBench::BytesToLastBit(1000), RATE);
        LightBench bench(4);
        bench.Join(0, 1);
        bench.Join(2, 3);
        Fault fault = MakeFault(FaultKind::OCS_PORT_MISCONNECTED);
        fault.port = 1;
        fault.other = 3;
        bench.injector->Add(fault);
        const Picoseconds later = AT + LASTS + 1'000'000;
        bench.SendAt(AT + 1'000'000, 0, 1, 1);
        bench.SendAt(AT + 1'000'000, 0, 3, 2); // the wrong destination is the right one
        bench.SendAt(later, 0, 1, 3);
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), -1, "it came to host 3");
        const std::map<std::pair<std::string, FrameDropReason>, uint32_t> lost{
            {{"host 3", FrameDropReason::WRONG_DESTINATION}, 1}};
        NS_TEST_EXPECT_MSG_EQ((bench.CountLosses() == lost), true, "which dropped it");
        NS_TEST_EXPECT_MSG_GT(bench.ArrivalOf(2), 0, "host 0 is joined to host 3");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(3), later + frame + 2 * FIBER, "and no more");
        const Changes change{{AT + FIBER, false},
                             {AT + FIBER, true},
                             {AT + LASTS + FIBER, false},
                             {AT + LASTS + FIBER, true}};
        for (uint32_t host = 0; host < 4; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(host) == change), true, "other light " << host);
        }
    }
};

/** A switch without power, and after it. */
class PowerTestCase : public TestCase
{
  public:
    PowerTestCase()
        : TestCase("A switch without power refuses plans; a latching one keeps its circuits")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isLatching : {true, false})
        {
            LightBench bench(6, isLatching);
            bench.Join(0, 1);
            std::vector<CircuitPlanReport> ended;
            bench.ocs->TraceConnectWithoutContext("PlanEnded",
                                                  MakeCallback(&PowerTestCase::Ended, this));
            m_ended.clear();
            bench.injector->Add(MakeFault(FaultKind::OCS_DOWN));
            CircuitPlanReport late;
            bench.At(AT - RECONFIGURATION, [&] { bench.Join(4, 5); }); // up at the very instant
            bench.At(AT - RECONFIGURATION + 1, [&] { bench.Join(2, 3); });
            bench.At(AT + 1, [&] { late = bench.Join(2, 3); });
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ((late.refusal == CircuitPlanRefusal::NO_POWER), true, "refused");
            const std::vector<CircuitPlanStatus> expected{CircuitPlanStatus::DONE,
                                                          CircuitPlanStatus::FAILED};
            NS_TEST_EXPECT_MSG_EQ((m_ended == expected), true, "the one in the middle fails");
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetOpenPlans(), 0, "none is open");
            const std::size_t circuits = isLatching ? 2 : 0;
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetMap().GetCircuits().size(), circuits, "the map");
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(PortId(0)), isLatching, "its light");
            NS_TEST_EXPECT_MSG_EQ(bench.Nic(1)->HasCarrier(), isLatching, "its carrier");
        }
    }

    void Ended(const CircuitPlanReport& report)
    {
        m_ended.push_back(report.status);
    }

    std::vector<CircuitPlanStatus> m_ended;
};

/** A port that settles slowly. */
class SlowTestCase : public TestCase
{
  public:
    SlowTestCase()
        : TestCase("A slow port settles later, and the slowest fault counts")
    {
    }

  private:
    void DoRun() override
    {
        LightBench bench(2);
        Fault fault = MakeFault(FaultKind::OCS_PORT_SLOW);
        fault.extra = ToTime(4'000'000);
        bench.injector->Add(fault);
        fault.extra = ToTime(7'000'000);
        bench.injector->Add(fault);
        bench.At(AT + 1, [&] { bench.Join(0, 1); });
        const Picoseconds later = AT + LASTS;
        bench.At(later, [&] { bench.ocs->Disconnect(PortId(0), PortId(1)); });
        bench.At(later + 1, [&] { bench.Join(0, 1); });
        bench.Run();
        const Changes expected{{AT + 1 + RECONFIGURATION + 7'000'000 + FIBER, true},
                               {later + FIBER, false},
                               {later + 1 + RECONFIGURATION + FIBER, true}};
        NS_TEST_EXPECT_MSG_EQ((bench.ChangesOf(0) == expected), true, "carrier");
    }
};

/** A loss rate holds for the frames that begin after its change. */
class BitErrorsTestCase : public TestCase
{
  public:
    BitErrorsTestCase()
        : TestCase("Bit errors hit the frames that begin after the instant of the fault")
    {
    }

  private:
    void DoRun() override
    {
        const auto arrives = [](uint32_t from, Picoseconds at, double loss) {
            LightBench bench(2);
            bench.Join(0, 1);
            Fault fault = MakeFault(FaultKind::BIT_ERRORS);
            fault.loss = loss;
            bench.injector->Add(fault);
            bench.SendAt(at, from, 1 - from, 1);
            bench.Run();
            return bench.ArrivalOf(1) >= 0;
        };
        // into the fiber of host 0, from its NIC and, a fiber later, from the switch
        for (const auto& [from, later] : {std::pair(0, Picoseconds{0}), std::pair(1, FIBER)})
        {
            NS_TEST_EXPECT_MSG_EQ(arrives(from, AT - later, 1), true, "it begins at the fault");
            NS_TEST_EXPECT_MSG_EQ(arrives(from, AT - later + 1, 1), false, "after it");
            NS_TEST_EXPECT_MSG_EQ(arrives(from, AT + LASTS - later, 1), false, "at the repair");
            NS_TEST_EXPECT_MSG_EQ(arrives(from, AT + LASTS - later + 1, 1), true, "after it");
            NS_TEST_EXPECT_MSG_EQ(arrives(from, AT - later + 1, 0), true, "no loss");
        }
        // two faults: a frame passes with the product of the probabilities that it passes
        LightBench bench(2);
        bench.Join(0, 1);
        Fault fault = MakeFault(FaultKind::BIT_ERRORS);
        fault.loss = 0.2;
        bench.injector->Add(fault);
        fault.loss = 0.3;
        bench.injector->Add(fault);
        constexpr uint32_t FRAMES = 200;
        for (uint32_t f = 0; f < FRAMES; ++f)
        {
            bench.SendAt(AT + 1 + f * 90'000, 0, 1, f); // 83,040 ps each
        }
        bench.Run();
        // 200 draws of 0.44: five deviations are 35
        NS_TEST_EXPECT_MSG_EQ_TOL(bench.losses.size(), FRAMES * (1 - 0.8 * 0.7), 35.0, "losses");
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size() + bench.arrivals.size(), FRAMES, "all frames");
        DoubleValue rate;
        bench.rail.GetFiber(0)->GetAttribute("FrameLossRate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), 0, "and none any more");
    }
};

/** Pending faults do not prolong a run that has ended. */
class StopTestCase : public TestCase
{
  public:
    StopTestCase()
        : TestCase("Stop() drops what has not come")
    {
    }

  private:
    void DoRun() override
    {
        LightBench bench(2);
        bench.Join(0, 1);
        bench.injector->Add(MakeFault(FaultKind::NIC_PORT_DOWN));
        Fault late = MakeFault(FaultKind::FIBER_CUT);
        late.at = Hours(1);
        bench.injector->Add(late);
        Fault flapping = MakeFault(FaultKind::NIC_PORT_FLAPPING);
        flapping.port = 0;
        flapping.server = 1;
        flapping.period = MicroSeconds(1);
        bench.injector->Add(flapping);
        const Picoseconds stop = AT + LASTS / 2;
        bench.At(stop, [&] { bench.injector->Stop(); });
        bench.Run();
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1), "the last event");
        const FaultInjector::Counters& counters = bench.injector->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.added, 3, "faults");
        NS_TEST_EXPECT_MSG_EQ(counters.begun, 2, "that began");
        NS_TEST_EXPECT_MSG_EQ(counters.ended, 0, "none has ended");
        NS_TEST_EXPECT_MSG_EQ(counters.dropped, 4, "a fault with its repair, and two repairs");
        NS_TEST_EXPECT_MSG_EQ(bench.injector->GetActive().size(), 2, "which hold");
    }
};

/** The suite. */
class FaultsLightTestSuite : public TestSuite
{
  public:
    FaultsLightTestSuite()
        : TestSuite("photonic-rails-faults-light", TestSuite::Type::UNIT)
    {
        AddTestCase(new CarrierTestCase());
        AddTestCase(new LinkUpTestCase());
        AddTestCase(new NestedTestCase());
        AddTestCase(new CutShortTestCase());
        AddTestCase(new MisconnectedTestCase());
        AddTestCase(new PowerTestCase());
        AddTestCase(new SlowTestCase());
        AddTestCase(new BitErrorsTestCase());
        AddTestCase(new StopTestCase());
    }
};

FaultsLightTestSuite g_faultsLightTestSuite;

} // namespace
