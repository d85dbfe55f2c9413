/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The optical circuit switch as a machine that carries out plans: the dark times of circuits, and
// the plans that are refused, wait or fail.

#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

using namespace ns3;

namespace
{

constexpr Picoseconds TURN = 1'000'000; // the bench's reconfiguration time

PortId
P(uint32_t number)
{
    return PortId(number);
}

/** Records the traces of a switch. */
class Recorder
{
  public:
    explicit Recorder(Ptr<OpticalCircuitSwitch> ocs)
    {
        ocs->TraceConnectWithoutContext("CircuitUp", MakeCallback(&Recorder::Up, this));
        ocs->TraceConnectWithoutContext("CircuitDown", MakeCallback(&Recorder::Down, this));
        ocs->TraceConnectWithoutContext("PlanAccepted", MakeCallback(&Recorder::Accepted, this));
        ocs->TraceConnectWithoutContext("PlanQueued", MakeCallback(&Recorder::Queued, this));
        ocs->TraceConnectWithoutContext("PlanRefused", MakeCallback(&Recorder::Refused, this));
        ocs->TraceConnectWithoutContext("PlanEnded", MakeCallback(&Recorder::Ended, this));
        ocs->TraceConnectWithoutContext("Alarm", MakeCallback(&Recorder::Alarm, this));
    }

    /** A line for an event: "1000 up 0-1". */
    std::vector<std::string> lines;
    std::set<Circuit> lit;     //!< now
    bool portWithTwo{false};   //!< a port had two circuits that carry light, ever
    CircuitPlanReport ended;   //!< the latest
    CircuitPlanReport refused; //!< the latest

  private:
    template <typename... Parts>
    void Line(const Parts&... parts)
    {
        std::ostringstream line;
        line << NowPicoseconds();
        ((line << " " << parts), ...);
        lines.push_back(line.str());
    }

    void Up(PortId low, PortId high, uint64_t)
    {
        Line("up", Circuit(low, high));
        for (const Circuit& other : lit)
        {
            portWithTwo = portWithTwo || other.low == low || other.low == high ||
                          other.high == low || other.high == high;
        }
        lit.insert(Circuit(low, high));
    }

    void Down(PortId low, PortId high, uint64_t)
    {
        Line("down", Circuit(low, high));
        lit.erase(Circuit(low, high));
    }

    void Accepted(uint64_t plan, const CircuitPlan&)
    {
        Line("accepted", plan);
    }

    void Queued(uint64_t plan, const CircuitPlan&)
    {
        Line("queued", plan);
    }

    void Refused(const CircuitPlanReport& report)
    {
        Line("refused", report.plan, ToString(report.refusal));
        refused = report;
    }

    void Ended(const CircuitPlanReport& report)
    {
        Line("ended", report.plan, ToString(report.status));
        ended = report;
    }

    void Alarm(PortId port, PortFault fault)
    {
        Line("alarm", port, ToString(fault));
    }
};

/** Ports whose circuit changes are dark for the reconfiguration time; then the plan is done. */
class TurnTest : public TestCase
{
  public:
    TurnTest()
        : TestCase("a plan: dark for the reconfiguration time, then light, then done")
    {
    }

  private:
    void PlanIsOver(const CircuitPlanReport& report)
    {
        m_over = {report.plan, NowPicoseconds()};
    }

    void DoRun() override
    {
        RailBench bench(4, RATE, FIBER);
        const CircuitPlanReport before = bench.Join(0, 1);
        NS_TEST_ASSERT_MSG_EQ(std::string(ToString(before.status)),
                              "done",
                              "before the start: at once");
        NS_TEST_ASSERT_MSG_EQ(bench.ocs->IsUp(P(0)), true, "lit");
        Recorder recorder(bench.ocs);
        bench.At(5000, [&] {
            const CircuitPlanReport report =
                bench.ocs->Apply(CircuitPlan().Disconnect(P(0), P(1)).Connect(P(0), P(2)),
                                 MakeCallback(&TurnTest::PlanIsOver, this));
            NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.status)),
                                  "reconfiguring",
                                  "takes time");
            for (uint32_t p = 0; p < 4; ++p)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsReconfiguring(P(p)),
                                      (p == 0 || p == 2),
                                      "port " << p);
                NS_TEST_EXPECT_MSG_EQ(bench.ocs->IsUp(P(p)), false, "port " << p);
            }
        });
        bench.Run();
        const std::vector<std::string> expected{
            "5000 accepted 2",
            "5000 down 0-1",
            std::to_string(5000 + TURN) + " up 0-2",
            std::to_string(5000 + TURN) + " ended 2 done",
        };
        NS_TEST_ASSERT_MSG_EQ((recorder.lines == expected), true, "in this order, at these times");
        NS_TEST_ASSERT_MSG_EQ((m_over == std::make_pair(uint64_t{2}, 5000 + TURN)), true, "told");
        NS_TEST_ASSERT_MSG_EQ(bench.ocs->IsReconfiguring(P(1)), false, "the bare port rests");
    }

    std::pair<uint64_t, Picoseconds> m_over;
};

/** The reconfiguration time is drawn once a plan. */
class RandomTurnTest : public TestCase
{
  public:
    RandomTurnTest()
        : TestCase("a random reconfiguration time is drawn once a plan")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(4, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetSwitchAttribute(
                "ReconfigurationTime",
                StringValue("ns3::UniformRandomVariable[Min=0.001|Max=0.002|Stream=3]"));
        });
        Ptr<UniformRandomVariable> same = CreateObject<UniformRandomVariable>();
        same->SetAttribute("Min", DoubleValue(0.001));
        same->SetAttribute("Max", DoubleValue(0.002));
        same->SetStream(3);
        Recorder recorder(bench.ocs);
        bench.At(0,
                 [&] { bench.ocs->Apply(CircuitPlan().Connect(P(0), P(1)).Connect(P(2), P(3))); });
        bench.Run();
        const auto draw = static_cast<Picoseconds>(std::llround(same->GetValue() * 1e12));
        const std::string at = std::to_string(draw);
        const std::vector<std::string> expected{"0 accepted 1",
                                                at + " up 0-1",
                                                at + " up 2-3",
                                                at + " ended 1 done"};
        NS_TEST_ASSERT_MSG_EQ((recorder.lines == expected), true, "both circuits at one draw");
    }
};

/** A plan whose ports are reconfiguring waits its turn; one on other ports does not. */
class QueueTest : public TestCase
{
  public:
    QueueTest()
        : TestCase("a plan on turning ports waits, others do not, and none is lost")
    {
    }

  private:
    void PlanIsOver(const CircuitPlanReport& report)
    {
        m_over.push_back(std::to_string(report.plan) + ToString(report.status));
    }

    void DoRun() override
    {
        RailBench bench(6, RATE, FIBER);
        Recorder recorder(bench.ocs);
        const auto apply = [&](const CircuitPlan& plan) {
            bench.ocs->Apply(plan, MakeCallback(&QueueTest::PlanIsOver, this));
        };
        bench.At(0, [&] {
            apply(CircuitPlan().Connect(P(0), P(1)));                        // 1
            apply(CircuitPlan().Disconnect(P(0), P(1)).Connect(P(0), P(2))); // 2: waits for 1
            apply(CircuitPlan().Connect(P(2), P(3)));                        // 3: behind 2
            apply(CircuitPlan().Connect(P(4), P(5)));                        // 4: on its own
        });
        bench.Run();
        const std::string one = std::to_string(TURN);
        const std::string two = std::to_string(2 * TURN);
        const std::vector<std::string> expected{
            "0 accepted 1",
            "0 queued 2",
            "0 queued 3",
            "0 accepted 4",
            one + " up 0-1",
            one + " ended 1 done",
            one + " up 4-5", // all that settles at an instant does, before another plan begins
            one + " ended 4 done",
            one + " accepted 2",
            one + " down 0-1",
            two + " up 0-2",
            two + " ended 2 done",
            two + " refused 3 port-in-use", // by then plan 2 has taken port 2
        };
        NS_TEST_ASSERT_MSG_EQ((recorder.lines == expected), true, "in this order, at these times");
        const std::vector<std::string> over{"1done", "4done", "2done", "3refused"};
        NS_TEST_ASSERT_MSG_EQ((m_over == over), true, "each was told once how it ended");
    }

    std::vector<std::string> m_over;
};

/** With WhenReconfiguring=Refuse the same plan is refused, and nothing changes. */
class RefuseTest : public TestCase
{
  public:
    RefuseTest()
        : TestCase("a switch that does not queue refuses a plan on turning ports")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(4, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetSwitchAttribute("WhenReconfiguring", StringValue("Refuse"));
        });
        Recorder recorder(bench.ocs);
        bench.At(0, [&] { bench.Join(0, 1); });
        bench.At(TURN - 1, [&] {
            const CircuitPlanReport report = bench.ocs->Disconnect(P(0), P(1));
            NS_TEST_EXPECT_MSG_EQ(std::string(ToString(report.refusal)),
                                  "port-reconfiguring",
                                  "too early");
            NS_TEST_EXPECT_MSG_NE(report.message.find("WhenReconfiguring"),
                                  std::string::npos,
                                  "remedy");
        });
        bench.At(TURN + 1, [&] {
            NS_TEST_EXPECT_MSG_EQ(std::string(ToString(bench.ocs->Disconnect(P(0), P(1)).status)),
                                  "reconfiguring",
                                  "the port rests again");
        });
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(recorder.lit.empty(), true, "down at the end");
    }
};

/** Random plans at random times, against a model that has only the rules. */
class RandomPlansTest : public TestCase
{
  public:
    RandomPlansTest()
        : TestCase("10,000 random plans: at most one circuit a port, refusals change nothing")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t ports = 8;
        RailBench bench(ports, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetSwitchAttribute("WhenReconfiguring", StringValue("Refuse"));
        });
        Recorder recorder(bench.ocs);
        std::mt19937_64 random(11);

        // the model: circuits as they are set, and until when each port reconfigures
        std::set<Circuit> circuits;
        std::vector<Picoseconds> reconfiguringUntil(ports, 0);
        int accepted = 0;
        Picoseconds when = 0;
        for (int i = 0; i < 10'000; ++i)
        {
            // in steps of a quarter reconfiguration: often at the very instant at which ports have
            // finished
            when += random() % 3 * (TURN / 4);
            bench.At(when, [&] {
                CircuitPlan plan;
                std::vector<Circuit> there(circuits.begin(), circuits.end());
                std::set<Circuit> next = circuits;
                if (!there.empty() && random() % 2 == 0)
                {
                    const Circuit& circuit = there[random() % there.size()];
                    plan.Disconnect(circuit.low, circuit.high);
                    next.erase(circuit);
                }
                const Circuit wanted(P(random() % ports), P(random() % ports));
                plan.Connect(wanted.low, wanted.high);

                bool good = wanted.low != wanted.high;
                for (const Circuit& other : next)
                {
                    good = good && (other == wanted ||
                                    (other.low != wanted.low && other.low != wanted.high &&
                                     other.high != wanted.low && other.high != wanted.high));
                }
                for (const PortId port : plan.GetPorts())
                {
                    good = good && reconfiguringUntil[port.Get()] <= NowPicoseconds();
                }
                const auto mapBefore = bench.ocs->GetMap().GetCircuits();
                const auto litBefore = recorder.lit;
                const CircuitPlanReport report = bench.ocs->Apply(plan);
                NS_TEST_EXPECT_MSG_EQ((report.status != CircuitPlanStatus::REFUSED),
                                      good,
                                      plan << ": " << report.message);
                if (!good)
                {
                    NS_TEST_EXPECT_MSG_EQ((bench.ocs->GetMap().GetCircuits() == mapBefore),
                                          true,
                                          "a refusal changed the map");
                    // others may have finished at this very instant
                    NS_TEST_EXPECT_MSG_EQ(std::includes(recorder.lit.begin(),
                                                        recorder.lit.end(),
                                                        litBefore.begin(),
                                                        litBefore.end()),
                                          true,
                                          "a refusal darkened a circuit");
                    return;
                }
                ++accepted;
                if (next.insert(wanted).second) // a circuit that is only taken down is dark, and
                                                // its ports are not reconfigured
                {
                    reconfiguringUntil[wanted.low.Get()] = NowPicoseconds() + TURN;
                    reconfiguringUntil[wanted.high.Get()] = NowPicoseconds() + TURN;
                }
                circuits = next;
                NS_TEST_EXPECT_MSG_EQ((bench.ocs->GetMap().GetCircuits() ==
                                       std::vector<Circuit>(circuits.begin(), circuits.end())),
                                      true,
                                      "the map is the model's");
            });
        }
        bench.Run();
        NS_TEST_ASSERT_MSG_EQ(recorder.portWithTwo, false, "at most one lit circuit a port");
        NS_TEST_ASSERT_MSG_EQ((recorder.lit == circuits), true, "at rest, what is set is lit");
        NS_TEST_ASSERT_MSG_GT(accepted, 500, "the test has tried both sides");
        NS_TEST_ASSERT_MSG_LT(accepted, 9500, "the test has tried both sides");
    }
};

/** A whole-switch plan gives every circuit a new epoch; plans that come meanwhile wait. */
class WholeSwitchTest : public TestCase
{
  public:
    WholeSwitchTest()
        : TestCase("whole switch: all go dark together, and every other plan waits")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(6, RATE, FIBER, [](PhotonicRailHelper& helper) {
            helper.SetTechnology("rotornet"); // a rotor reconfigures as a whole
        });
        bench.Join(0, 1);
        Recorder recorder(bench.ocs);
        const uint64_t epoch = bench.ocs->GetMap().GetEpoch(P(0));
        bench.At(0, [&] {
            bench.Join(2, 3);
            bench.Join(4, 5);
        });
        bench.Run();
        const std::string one = std::to_string(TURN);
        const std::string two = std::to_string(2 * TURN);
        const std::vector<std::string> expected{
            "0 accepted 2",
            "0 down 0-1",
            "0 queued 3",
            one + " up 0-1",
            one + " up 2-3",
            one + " ended 2 done",
            one + " accepted 3",
            one + " down 0-1",
            one + " down 2-3",
            two + " up 0-1",
            two + " up 2-3",
            two + " up 4-5",
            two + " ended 3 done",
        };
        NS_TEST_ASSERT_MSG_EQ((recorder.lines == expected), true, "in this order, at these times");
        NS_TEST_ASSERT_MSG_GT(bench.ocs->GetMap().GetEpoch(P(0)), epoch, "another circuit");
    }
};

/** Ports that are stuck dark or slow: alarms, failed plans, mending. */
class FaultTest : public TestCase
{
  public:
    FaultTest()
        : TestCase("a stuck port raises its alarm and fails its plan; mended, it gets light")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(6, RATE, FIBER);
        bench.Join(0, 1);
        Recorder recorder(bench.ocs);
        // goes dark in service: noticed at once
        bench.At(1000, [&] { bench.ocs->SetFault(P(1), PortFault::STUCK_DARK); });
        // found when it should have settled; the other circuit of the plan is not held up
        bench.At(2000, [&] {
            bench.ocs->SetFault(P(2), PortFault::STUCK_DARK);
            bench.ocs->SetFault(P(4), PortFault::SLOW, PicoSeconds(300));
            bench.ocs->Apply(CircuitPlan().Connect(P(2), P(3)).Connect(P(4), P(5)));
        });
        bench.At(5'000'000, [&] { bench.ocs->ClearFault(P(1)); });
        bench.Run();
        const std::vector<std::string> expected{
            "1000 down 0-1",
            "1000 alarm 1 stuck-dark",
            "2000 accepted 2",
            std::to_string(2000 + TURN) + " alarm 2 stuck-dark",
            std::to_string(2000 + TURN + 300) + " alarm 4 slow",
            std::to_string(2000 + TURN + 300) + " up 4-5",
            std::to_string(2000 + TURN + 300) + " ended 2 failed",
            std::to_string(5'000'000 + TURN) + " up 0-1", // mended
            std::to_string(5'000'000 + TURN) + " ended 3 done",
        };
        for (const std::string& line : recorder.lines)
        {
            m_all += line + "; ";
        }
        NS_TEST_ASSERT_MSG_EQ((recorder.lines == expected), true, m_all);
        NS_TEST_ASSERT_MSG_EQ(std::string(ToString(bench.ocs->GetFault(P(2)))),
                              "stuck-dark",
                              "still");
        NS_TEST_ASSERT_MSG_EQ(bench.ocs->IsUp(P(2)), false, "and dark");
    }

    std::string m_all;
};

/** A stuck circuit can be given up for another port. */
class RouteAroundTest : public TestCase
{
  public:
    RouteAroundTest()
        : TestCase("a plan can leave a stuck port for another")
    {
    }

  private:
    void DoRun() override
    {
        RailBench bench(3, RATE, FIBER);
        bench.Join(0, 1);
        bench.At(1000, [&] { bench.ocs->SetFault(P(1), PortFault::STUCK_DARK); });
        bench.At(2000, [&] {
            bench.ocs->Apply(CircuitPlan().Disconnect(P(0), P(1)).Connect(P(0), P(2)));
        });
        bench.SendAt(1000 + FIBER, 0, 2, 1); // when its NIC sees that it is dark
        bench.Run();
        // carrier at the host a fiber delay after the circuit, and the frame waited for it
        NS_TEST_ASSERT_MSG_EQ(bench.ArrivalOf(1),
                              2000 + TURN + FIBER +
                                  RailBench::Span(RailBench::BytesToLastBit(1000), RATE) +
                                  2 * FIBER,
                              "held until there was light");
    }
};

/** The suite of the switch. */
class SwitchTestSuite : public TestSuite
{
  public:
    SwitchTestSuite()
        : TestSuite("photonic-rails-switch", TestSuite::Type::UNIT)
    {
        AddTestCase(new TurnTest);
        AddTestCase(new RandomTurnTest);
        AddTestCase(new QueueTest);
        AddTestCase(new RefuseTest);
        AddTestCase(new RandomPlansTest);
        AddTestCase(new WholeSwitchTest);
        AddTestCase(new FaultTest);
        AddTestCase(new RouteAroundTest);
    }
};

SwitchTestSuite g_switchTestSuite;

} // namespace
