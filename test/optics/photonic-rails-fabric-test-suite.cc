/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Photonic meshes as the inside of an optical circuit switch, behind real fibers and NICs: the
// delay of routes, plans without routes, circuits that move, and the link budget.

#include "../support/contains.h"
#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/mesh-description.h"
#include "ns3/nstime.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr Picoseconds DARK = 1'000'000; // the bench's reconfiguration time

PortId
FabricPort(uint32_t number)
{
    return PortId(number);
}

/** @return the bench with a fabric in its switch */
std::function<void(PhotonicRailHelper&)>
Use(const std::string& fabric)
{
    return [fabric](PhotonicRailHelper& helper) { helper.SetFabric(fabric); };
}

/** @return the delay of a route: 3461.7 um, and 811.41 um a cell, at 1 / 4.157 of the speed of
 * light
 */
Picoseconds
DelayOf(uint32_t cells)
{
    return std::llround((3461.7 + cells * 811.41) * 1e-6 * 4.157 / 299792458.0 * 1e12);
}

/** Which circuits have light, and when that changed. */
class LightRecord
{
  public:
    explicit LightRecord(Ptr<OpticalCircuitSwitch> ocs)
    {
        ocs->TraceConnectWithoutContext("CircuitUp", MakeCallback(&LightRecord::Up, this));
        ocs->TraceConnectWithoutContext("CircuitDown", MakeCallback(&LightRecord::Down, this));
        ocs->TraceConnectWithoutContext("PlanEnded", MakeCallback(&LightRecord::Ended, this));
    }

    std::map<Circuit, std::vector<Picoseconds>> ups;
    std::map<Circuit, std::vector<Picoseconds>> downs;
    CircuitPlanReport ended; //!< the latest

  private:
    void Up(PortId low, PortId high, uint64_t)
    {
        ups[Circuit(low, high)].push_back(NowPicoseconds());
    }

    void Down(PortId low, PortId high, uint64_t)
    {
        downs[Circuit(low, high)].push_back(NowPicoseconds());
    }

    void Ended(const CircuitPlanReport& report)
    {
        ended = report;
    }
};

/** A frame takes the time of its circuit's route, in either direction. */
class RouteDelayTest : public TestCase
{
  public:
    explicit RouteDelayTest(const std::string& fabric)
        : TestCase("a frame takes the delay of its route: " + fabric),
          m_fabric(fabric)
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(8, RATE, FIBER, Use(m_fabric));
        bench.Join(0, 5);
        bench.Join(1, 4);
        bench.SendAt(1000, 0, 5, 1);
        bench.SendAt(1000, 4, 1, 2);
        bench.SendAt(1000, 5, 0, 3);
        const auto fabric = bench.ocs->FetchFabric();
        bench.Run();
        const Picoseconds base =
            1000 + RailBench::Span(RailBench::BytesToLastBit(1000), RATE) + 2 * FIBER;
        const FabricPath path = bench.ocs->GetPath(FabricPort(0));
        if (m_fabric == "crossbar")
        {
            NS_TEST_EXPECT_MSG_EQ((fabric == nullptr), true, "it needs no description");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), base, "two fibers, and nothing else");
            NS_TEST_EXPECT_MSG_EQ(path.lossDb, 0, "no loss");
            return;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(path.lossDb, path.cells * 0.48 + 3.6, 1e-9, "cells and ports");
        if (m_fabric == "crossbar-mesh")
        {
            // from i to j: 8 - i + j cells
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), base + DelayOf(13), "from 0 to 5");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(3), base + DelayOf(3), "from 5 to 0");
            NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2), base + DelayOf(5), "from 4 to 1");
            return;
        }
        const uint32_t cells = m_fabric == "benes" ? 5 : path.cells; // 2 log2 8 - 1
        NS_TEST_EXPECT_MSG_EQ(path.cells, cells, "cells");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1), base + DelayOf(cells), "there");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(3), base + DelayOf(cells), "back");
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(2),
                              base + DelayOf(bench.ocs->GetPath(FabricPort(1)).cells),
                              "another route");
    }

    std::string m_fabric;
};

/** A plan without routes is refused with circuits and remedy, and disturbs nothing. */
class BlockedTest : public TestCase
{
  public:
    BlockedTest()
        : TestCase("a plan that the mesh cannot set is refused, and disturbs no circuit")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(10, RATE, FIBER, Use("ns3::HexagonalMeshFabric[Rows=2|Columns=2]"));
        bench.Join(0, 5);
        LightRecord record(bench.ocs);
        bench.SendAt(4990, 0, 5, 1);
        CircuitPlanReport report;
        bench.At(5000, [&] {
            // four circuits that all cross 0-5 and each other: proved impossible in 19 cells
            report = bench.ocs->Apply(CircuitPlan()
                                          .Connect(FabricPort(1), FabricPort(6))
                                          .Connect(FabricPort(2), FabricPort(7))
                                          .Connect(FabricPort(3), FabricPort(8))
                                          .Connect(FabricPort(4), FabricPort(9)));
        });
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)), "refused", "its state");
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.refusal)), "blocked", "its reason");
        for (const char* words : {"hexagonal mesh of 19 cells",
                                  "1-6, 2-7, 3-8, 4-9",
                                  "beside those of 0-5",
                                  "take circuits down"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(report.message, words), true, report.message);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetMap().GetCircuits().size(), 1, "nothing changed");
        NS_TEST_EXPECT_MSG_EQ(record.downs.size(), 0, "no circuit was dark");
        NS_TEST_EXPECT_MSG_GT(bench.ArrivalOf(1), 0, "the frame that was on its way came through");
    }
};

/**
 * Random plans on a mesh: without Rearrange no other circuit loses its light; with it those that
 * move are dark for the reconfiguration time, and all others stay lit.
 */
class RearrangeTest : public TestCase
{
  public:
    RearrangeTest()
        : TestCase("circuits stay as they are, or move and are dark for the reconfiguration time")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(16, RATE, FIBER, Use("ns3::HexagonalMeshFabric[Rows=4|Columns=4]"));
        LightRecord record(bench.ocs);
        std::mt19937 draw(7);
        uint32_t refused = 0;
        uint32_t movedForPlans = 0;
        for (uint32_t i = 1; i <= 300; ++i)
        {
            const Picoseconds at = i * 4 * DARK;
            bench.At(at, [this, &bench, &record, &draw, &refused, &movedForPlans, at] {
                const std::vector<Circuit> before = bench.ocs->GetMap().GetCircuits();
                CircuitPlan plan;
                std::set<PortId> free;
                for (uint32_t port = 0; port < 16; ++port)
                {
                    free.insert(FabricPort(port));
                }
                std::vector<Circuit> others;
                for (const Circuit& circuit : before)
                {
                    if (draw() % 3 == 0)
                    {
                        plan.Disconnect(circuit.low, circuit.high);
                        continue;
                    }
                    others.push_back(circuit);
                    free.erase(circuit.low);
                    free.erase(circuit.high);
                }
                std::vector<PortId> ports(free.begin(), free.end());
                std::shuffle(ports.begin(), ports.end(), draw);
                for (std::size_t p = 0; p + 1 < ports.size() && p < 6; p += 2)
                {
                    plan.Connect(ports[p], ports[p + 1]);
                }
                bench.ocs->SetAttribute("Rearrange", BooleanValue(false));
                CircuitPlanReport report = bench.ocs->Apply(plan);
                const bool isRefused = report.status == CircuitPlanStatus::REFUSED;
                const auto isDark = [&record, at](const Circuit& circuit) {
                    const auto& downs = record.downs[circuit];
                    return !downs.empty() && downs.back() == at;
                };
                NS_TEST_EXPECT_MSG_EQ(std::any_of(others.begin(), others.end(), isDark),
                                      false,
                                      "without Rearrange no other circuit is dark");
                if (!isRefused)
                {
                    return;
                }
                ++refused;
                NS_TEST_EXPECT_MSG_EQ((bench.ocs->GetMap().GetCircuits() == before),
                                      true,
                                      "a refusal changes nothing");
                bench.ocs->SetAttribute("Rearrange", BooleanValue(true));
                report = bench.ocs->Apply(plan);
                if (report.status == CircuitPlanStatus::REFUSED)
                {
                    return;
                }
                for (const Circuit& circuit : others)
                {
                    if (!isDark(circuit))
                    {
                        continue;
                    }
                    ++movedForPlans;
                    bench.At(at + DARK, [this, &record, circuit, at] {
                        const auto& ups = record.ups[circuit];
                        NS_TEST_EXPECT_MSG_EQ((!ups.empty() && ups.back() == at + DARK),
                                              true,
                                              "it has light again");
                    });
                }
            });
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_GT(refused, 20, "plans were refused");
        NS_TEST_EXPECT_MSG_GT(movedForPlans, 5, "circuits moved");
    }
};

/** A circuit whose loss is too high gets no light, and its plan fails. */
class LinkBudgetTest : public TestCase
{
  public:
    LinkBudgetTest()
        : TestCase("a circuit gets light if its loss leaves the receiver enough, and not else")
    {
    }

  private:
    /** Joins two hosts in the course of the simulation. @return the report of the end */
    CircuitPlanReport Join(double launch, double sensitivity, bool& carrier, double& loss)
    {
        RailBench bench(8, RATE, FIBER, [&](PhotonicRailHelper& helper) {
            helper.SetFabric("hexagonal");
            helper.SetNicAttribute("LaunchPower", DoubleValue(launch));
            helper.SetNicAttribute("ReceiverSensitivity", DoubleValue(sensitivity));
        });
        LightRecord record(bench.ocs);
        bench.At(5000, [&bench] { bench.ocs->Connect(FabricPort(0), FabricPort(5)); });
        bench.At(5000 + 2 * DARK, [&] {
            carrier = bench.Nic(0)->HasCarrier() && bench.Nic(5)->HasCarrier();
            loss = bench.ocs->GetPath(FabricPort(0)).lossDb;
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(0)), carrier, "light and carrier");
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->GetWhyDark(FabricPort(5)).empty(),
                                  carrier,
                                  "the reason");
        });
        bench.Run();
        return record.ended;
    }

    void DoRun() override
    {
        bool carrier = false;
        double loss = 0;
        CircuitPlanReport report = Join(0, -1000, carrier, loss);
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)), "done", "no limit");
        NS_TEST_EXPECT_MSG_EQ(carrier, true, "carrier");
        const double lost = loss;
        NS_TEST_ASSERT_MSG_GT(lost, 3.6, "two ports of 1.8 dB, and cells");
        // a hundredth of a dB to spare, and a hundredth too little
        report = Join(1, 1 - lost - 0.01, carrier, loss);
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)), "done", "it is enough");
        NS_TEST_EXPECT_MSG_EQ(carrier, true, "carrier");
        report = Join(1, 1 - lost + 0.01, carrier, loss);
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)), "failed", "it is too weak");
        NS_TEST_EXPECT_MSG_EQ(carrier, false, "no carrier");
        NS_TEST_EXPECT_MSG_EQ((report.stuck == std::vector<PortId>{FabricPort(0), FabricPort(5)}),
                              true,
                              "ports");
        for (const char* words : {"circuit 0-5 loses", "the transceivers bear", "larger budget"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(report.message, words), true, report.message);
        }
    }
};

/** Before the simulation begins, a circuit that is too weak stays dark as well. */
class BudgetBeforeTest : public TestCase
{
  public:
    BudgetBeforeTest()
        : TestCase("before the start, a circuit that is too weak stays dark")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(8, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetFabric("hexagonal");
            helper.SetTransceiver("dr4"); // it bears 3 dB
        });
        const CircuitPlanReport report = bench.Join(0, 5);
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)), "failed", "3.6 dB and more");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(0)), false, "dark");
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Nic(0)->HasCarrier(), false, "no carrier");
    }
};

/** Circuits that get no light, in whichever way they would get it. */
class NoLightTest : public TestCase
{
  public:
    NoLightTest()
        : TestCase("a port that is stuck and a budget that is too small keep any circuit dark")
    {
    }

  private:
    void DoRun() override
    {
        StartStuck();
        ClearBeforeTheStart();
        SwapFibers();
    }

    /** A circuit that is set before the start. */
    void StartStuck()
    {
        RailBench bench(8, RATE, FIBER);
        bench.ocs->SetFault(FabricPort(0), PortFault::STUCK_DARK);
        const CircuitPlanReport report = bench.Join(0, 5);
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)), "failed", "its state");
        NS_TEST_EXPECT_MSG_EQ((report.stuck == std::vector<PortId>{FabricPort(0)}), true, "port");
        NS_TEST_EXPECT_MSG_EQ(report.message, bench.ocs->GetWhyDark(FabricPort(5)), "its reason");
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(5)), false, "no light passes");
        bench.ocs->ClearFault(FabricPort(0));
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(5)), true, "the fault is cleared");
    }

    /** A fault that is cleared before the start. */
    void ClearBeforeTheStart()
    {
        RailBench bench(8, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetFabric("hexagonal");
            helper.SetTransceiver("dr4"); // it bears 3 dB, and two ports take 3.6
        });
        bench.ocs->SetFault(FabricPort(0), PortFault::STUCK_DARK);
        bench.Join(0, 5);
        bench.ocs->ClearFault(FabricPort(0));
        NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(0)), false, "the loss is as it was");
        NS_TEST_EXPECT_MSG_EQ(Contains(bench.ocs->GetWhyDark(FabricPort(0)), "larger budget"),
                              true,
                              "the reason");
    }

    /** Fibers that are swapped: the transceivers are those that the circuit leads to. */
    void SwapFibers()
    {
        RailBench bench(8, RATE, FIBER, Use("hexagonal"));
        for (const uint32_t nic : {0, 5})
        {
            bench.Nic(nic)->SetAttribute("LaunchPower", DoubleValue(0));
            bench.Nic(nic)->SetAttribute("ReceiverSensitivity", DoubleValue(-100));
        }
        bench.Nic(6)->SetAttribute("LaunchPower", DoubleValue(0));
        bench.Nic(6)->SetAttribute("ReceiverSensitivity", DoubleValue(0)); // it bears no loss
        bench.Join(0, 5);
        bench.At(5000, [this, &bench] {
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(0)), true, "100 dB are enough");
            bench.ocs->Misconnect({{FabricPort(5), FabricPort(6)}});
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(0)), false, "it leads to NIC 6");
            const std::string why = bench.ocs->GetWhyDark(FabricPort(0));
            NS_TEST_EXPECT_MSG_EQ(Contains(why, "0 dBm needed at port 6"), true, why);
        });
        bench.At(9000, [this, &bench] {
            bench.ocs->Misconnect({});
            NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(FabricPort(0)), true, "and to NIC 5 again");
        });
        bench.Run();
    }
};

/** Light of a longer route leaves a port before that of a shorter one that replaces it. */
class ClearTest : public TestCase
{
  public:
    ClearTest()
        : TestCase("a shorter route waits until the light of the longer one before it has left")
    {
    }

  private:
    void DoRun() override
    {
        // 1 cm a cell: 138.7 ps; from i to j of the crossbar 8 - i + j cells
        RailBench bench(8, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetFabric("crossbar-mesh", "CellLength", DoubleValue(10000));
            helper.SetReconfigurationTime(Time(0));
        });
        const auto delayOf = [](uint32_t cells) {
            return std::llround((3461.7e-6 + cells * 0.01) * 4.157 / 299792458.0 * 1e12);
        };
        bench.Join(0, 7); // to 7: 15 cells
        LightRecord record(bench.ocs);
        bench.At(5000, [&bench] {
            bench.ocs->Apply(CircuitPlan()
                                 .Disconnect(FabricPort(0), FabricPort(7))
                                 .Connect(FabricPort(6), FabricPort(7)));
        });
        bench.At(9'000'000, [&bench] {
            bench.ocs->Apply(CircuitPlan()
                                 .Disconnect(FabricPort(6), FabricPort(7))
                                 .Connect(FabricPort(0), FabricPort(7)));
        });
        bench.Run();
        // light of 0 reaches 7 after 15 cells, and that of 6 after 9; to 6 it is another port
        const Picoseconds up = record.ups[Circuit(FabricPort(6), FabricPort(7))].back();
        NS_TEST_EXPECT_MSG_EQ(up, 5000 + delayOf(15) - delayOf(9), "later by the difference");
        NS_TEST_EXPECT_MSG_EQ(record.ups[Circuit(FabricPort(0), FabricPort(7))].back(),
                              9'000'000,
                              "a longer route need not wait");
    }
};

/** A mesh takes the time of its phase shifters, unless the switch has a time of its own. */
class TuningTest : public TestCase
{
  public:
    TuningTest()
        : TestCase("phase shifters take their tuning time")
    {
    }

  private:
    void DoRun() override
    {
        PhotonicRailHelper helper;
        helper.SetFabric("hexagonal", "TuningTime", TimeValue(MicroSeconds(12)));
        Rail rail = helper.Install(NodeContainer(4));
        const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        NS_TEST_EXPECT_MSG_EQ(ocs->GetUsualReconfigurationTime(), MicroSeconds(12), "the mesh's");
        PhotonicRailHelper other;
        other.SetTechnology("mems");
        NS_TEST_EXPECT_MSG_EQ(
            other.Install(NodeContainer(4)).GetOpticalSwitch()->GetUsualReconfigurationTime(),
            MilliSeconds(15),
            "the technology's");
        Simulator::Destroy();
    }
};

/** What a user's fabric sets: circuits of the ports 2k and 2k + 1, each 7 ns long. */
class NeighbourDescription : public FabricDescription
{
  public:
    std::string GetName() const override
    {
        return "row of pairs";
    }

    uint32_t GetPorts() const override
    {
        return 6;
    }

    uint32_t GetCells() const override
    {
        return 3;
    }

    bool IsNonBlocking() const override
    {
        return false;
    }

    FabricAnswer FindRoutes(const std::vector<FabricRoute>&,
                            const std::vector<Circuit>& added) const override
    {
        FabricAnswer answer;
        for (const Circuit& circuit : added)
        {
            answer.routes.push_back({circuit, {}});
            if (circuit.low.Get() % 2 != 0 || circuit.high.Get() != circuit.low.Get() + 1)
            {
                answer.why = "only neighbours are joined";
            }
        }
        return answer;
    }

    FabricPath GetPath(const FabricRoute& route, const std::vector<FabricRoute>&) const override
    {
        FabricPath path;
        path.cells = 1;
        path.delay = GetDelay(route, 0);
        return path;
    }

    Picoseconds GetDelay(const FabricRoute&, uint32_t) const override
    {
        return 7000;
    }
};

/** A user's fabric. */
class NeighbourFabric : public SwitchFabric
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NeighbourFabric")
                                .SetParent<SwitchFabric>()
                                .AddConstructor<NeighbourFabric>();
        return tid;
    }

    std::shared_ptr<const FabricDescription> Describe(uint32_t) const override
    {
        return std::make_shared<NeighbourDescription>();
    }
};

NS_OBJECT_ENSURE_REGISTERED(NeighbourFabric);

/** A fabric of a user's own file is known by its type. */
class OwnFabricTest : public TestCase
{
  public:
    OwnFabricTest()
        : TestCase("a fabric of one's own is set by the name of its type")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(6, RATE, FIBER, Use("ns3::NeighbourFabric"));
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(bench.Join(0, 1).status)), "done", "neighbours");
        const CircuitPlanReport report = bench.Join(2, 4);
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.refusal)), "blocked", "others");
        NS_TEST_EXPECT_MSG_EQ(Contains(report.message, "only neighbours"), true, report.message);
        bench.SendAt(1000, 0, 1, 1);
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.ArrivalOf(1),
                              1000 + RailBench::Span(RailBench::BytesToLastBit(1000), RATE) +
                                  2 * FIBER + 7000,
                              "by its route");
        const Ptr<OpticalCircuitSwitch> ocs = bench.ocs;
        NS_TEST_EXPECT_MSG_EQ(ocs->GetUsualReconfigurationTime(),
                              ocs->GetTechnology().reconfiguration,
                              "it has no time of its own");
    }
};

/** The suite. */
class FabricTestSuite : public TestSuite
{
  public:
    FabricTestSuite()
        : TestSuite("photonic-rails-fabric", TestSuite::Type::UNIT)
    {
        for (const char* fabric : {"crossbar", "hexagonal", "benes", "crossbar-mesh"})
        {
            AddTestCase(new RouteDelayTest(fabric));
        }
        AddTestCase(new BlockedTest);
        AddTestCase(new RearrangeTest);
        AddTestCase(new LinkBudgetTest);
        AddTestCase(new NoLightTest);
        AddTestCase(new BudgetBeforeTest);
        AddTestCase(new ClearTest);
        AddTestCase(new TuningTest);
        AddTestCase(new OwnFabricTest);
    }
};

FabricTestSuite g_fabricTestSuite;

} // namespace
