/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Link-up of NICs: ranks with circuits and no carrier wait, and that wait is exposed.

#include "../support/photonic-rails-opus-bench.h"
#include "../support/photonic-rails-opus-jobs.h"
#include "../support/photonic-rails-timeline-file.h"
#include "../support/time-units.h"
#include "opus-flat-message.h"
#include "photonic-rails-opus-other-controller.h"

#include "ns3/double.h"
#include "ns3/optical-fiber.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/rail-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shim-core.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/timeline-recorder.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Sets the link-up time of all NIC ports. */
void
SetLinkUp(const OpusBench& bench, Picoseconds linkUp)
{
    const Ptr<ConstantRandomVariable> constant = CreateObject<ConstantRandomVariable>();
    constant->SetAttribute("Constant", DoubleValue(linkUp / 1e12));
    for (const Rail& rail : bench.rails)
    {
        for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
        {
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                rail.GetNic(gpu, port)->SetAttribute("LinkUpTime", PointerValue(constant));
            }
        }
    }
}

/** Two ranks request circuits once. */
class OneGrantTest : public TestCase
{
  public:
    OneGrantTest()
        : TestCase("A rank waits for circuits until its ports have carrier, to the picosecond")
    {
    }

  private:
    static constexpr Picoseconds LINK_UP = 5 * MS;

    void DoRun() override
    {
        const OpusCase one;
        const std::string name = CreateTempDirFilename("link-up.json");
        {
            OpusBench bench(one);
            SetLinkUp(bench, LINK_UP);
            const auto group = bench.MakeGroup("dp 0", {0, 1});
            for (const uint32_t rank : {0, 1})
            {
                bench.SetProgram(rank, OneCollective(CollectiveKind::ALL_GATHER, 1 << 20), {group});
            }
            TimelineRecorder timeline(name);
            timeline.Add(bench.plane);
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            NS_TEST_ASSERT_MSG_EQ(bench.answers.size(), 2, "an answer for each");
            Check(bench, one);
        } // which destroys the simulation, and completes the file
        const ReadFile file(name);
        for (const int rank : {0, 1})
        {
            const std::string server = "server " + std::to_string(rank) + " shim";
            const auto& waits = file.slices.at({server, "rank " + std::to_string(rank)});
            NS_TEST_ASSERT_MSG_EQ(waits.size(), 2, "for circuits, and for the link");
            NS_TEST_EXPECT_MSG_EQ(waits[1].name, "waits for link-up, dp, operation 0", "the link");
            NS_TEST_EXPECT_MSG_EQ(waits[1].start, waits[0].end, "one after the other");
            NS_TEST_EXPECT_MSG_EQ(waits[1].end, m_carrier[rank], "until there is carrier");
        }
    }

    void Check(const OpusBench& bench, const OpusCase& one)
    {
        Picoseconds up = 0; // the last circuit
        for (const LightChange& change : bench.changes)
        {
            up = std::max(up, change.when);
        }
        for (const ShimNote& note : bench.answers)
        {
            const uint32_t rank = note.rank.Get();
            // light is at the NIC a fiber later, and the answer at the rank HostLatency later
            const Picoseconds fiber = bench.rails[0].GetFiber(rank)->GetDelay().GetTimeStep();
            const Picoseconds carrier = up + fiber + LINK_UP;
            m_carrier[rank] = carrier - one.hostLatency.GetTimeStep();
            const ShimCore& core = bench.plane.shims[rank]->GetCore();
            NS_TEST_EXPECT_MSG_EQ(core.GetExposed().GetTimeStep(),
                                  m_carrier[rank] - (note.requested + note.others).GetTimeStep(),
                                  "rank " << rank << " waits until then");
            NS_TEST_EXPECT_MSG_EQ(core.GetExposedLinkUp().GetTimeStep(),
                                  LINK_UP,
                                  "rank " << rank << " waits all the time");
            NS_TEST_EXPECT_MSG_EQ(core.GetCounters().parallelisms.at("dp").hidden,
                                  Time(0),
                                  "nothing is hidden from rank " << rank);
            const OperationRecord* record = bench.Find(rank, 0);
            NS_TEST_ASSERT_MSG_EQ((record != nullptr), true, "it is over");
            NS_TEST_EXPECT_MSG_GT(record->end.GetTimeStep(), carrier, "after carrier");
        }
    }

    Picoseconds m_carrier[2]{}; //!< by the shim's clock
};

/** Has agents answer when NICs have carrier. */
void
AwaitCarrier(OpusHelper& opus)
{
    opus.SetAgentAttribute("DoneWhen", StringValue("Carrier"));
}

/** The same, with agents that await carrier. */
class GrantWithCarrierTest : public TestCase
{
  public:
    GrantWithCarrierTest()
        : TestCase("An agent that awaits carrier answers when the servers have reported it")
    {
    }

  private:
    static constexpr Picoseconds LINK_UP = 5 * MS;
    static constexpr Picoseconds EVENT = 300 * US; // from carrier to the port event

    void DoRun() override
    {
        OpusCase one;
        one.adjust = AwaitCarrier;
        OpusBench bench(one);
        SetLinkUp(bench, LINK_UP);
        const auto event = CreateObject<ConstantRandomVariable>();
        event->SetAttribute("Constant", DoubleValue(EVENT / 1e12));
        for (const uint32_t port : {0, 1})
        {
            bench.rails[0].GetNic(1, port)->SetAttribute("ProcessingTime", PointerValue(event));
        }
        const auto group = bench.MakeGroup("dp 0", {0, 1});
        for (const uint32_t rank : {0, 1})
        {
            bench.SetProgram(rank, OneCollective(CollectiveKind::ALL_GATHER, 1 << 20), {group});
        }
        bench.plane.agents[0]->TraceConnectWithoutContext(
            "MessageSent",
            MakeCallback(&GrantWithCarrierTest::Sent, this));
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        Picoseconds up = 0;
        Picoseconds bits = 0; // of a report
        for (const LightChange& change : bench.changes)
        {
            up = std::max(up, change.when);
        }
        for (const SentMessage& sent : bench.sent)
        {
            bits = sent.message.Is<OpusCarrier>() ? OpusBench::BitsOf(sent.message) : bits;
        }
        NS_TEST_ASSERT_MSG_GT(bits, 0, "servers report");
        const Picoseconds fiber = bench.rails[0].GetFiber(0)->GetDelay().GetTimeStep();
        const Picoseconds carrier = up + fiber + LINK_UP;
        // the later report is that of server 1; it passes two links
        const Picoseconds reported =
            carrier + EVENT + (one.hostLatency + one.latency).GetTimeStep() + 2 * bits;
        NS_TEST_ASSERT_MSG_EQ(m_done.size(), 1, "one plan");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_done[0], reported, "done");
        NS_TEST_EXPECT_MSG_LT(m_done[0], reported + 10, "at once, when the instant is over");
        NS_TEST_EXPECT_MSG_EQ(m_watches, 2, "one for each server");
        NS_TEST_EXPECT_MSG_EQ(bench.plane.agents[0]->GetCounters().linkUp.GetTimeStep(),
                              m_done[0] - up,
                              "which it counts from the light on");
        NS_TEST_ASSERT_MSG_EQ(bench.answers.size(), 2, "an answer for each");
        for (const ShimNote& note : bench.answers)
        {
            const ShimCore& core = bench.plane.shims[note.rank.Get()]->GetCore();
            NS_TEST_EXPECT_MSG_EQ(core.GetExposed(), note.exposed, "no wait after the answer");
            NS_TEST_EXPECT_MSG_EQ(core.GetExposedLinkUp().GetTimeStep(), LINK_UP, "in the wait");
            NS_TEST_EXPECT_MSG_EQ(core.GetCounters().parallelisms.at("dp").hidden,
                                  Time(0),
                                  "nothing is hidden");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(note.linkUp.GetTimeStep(), m_done[0] - up, "the grant");
            NS_TEST_EXPECT_MSG_LT(note.linkUp.GetTimeStep(), m_done[0] - up + 10, "has it");
            NS_TEST_EXPECT_MSG_GT(note.reconfiguration, note.linkUp, "beside the switch");
        }
    }

    void Sent(const OpusMessage& message, const OpusPeer&)
    {
        m_watches += message.Is<OpusWatch>() ? 1 : 0;
        if (message.Is<OpusDone>())
        {
            m_done.push_back(NowPicoseconds());
        }
    }

    std::vector<Picoseconds> m_done;
    uint32_t m_watches{0};
};

/** Plans whose circuits get no carrier. */
class NoCarrierTest : public TestCase
{
  public:
    /**
     * @param crash whether the shim at one end crashes
     * @param down whether the circuit is taken down while it is awaited
     */
    NoCarrierTest(bool crash, bool down)
        : TestCase(crash ? "A server that is silent is not awaited for ever"
                         : (down ? "A circuit that is taken down is not awaited any more"
                                 : "A circuit is awaited for as long as its link-up takes")),
          m_crash(crash),
          m_down(down)
    {
    }

  private:
    static constexpr Picoseconds LINK_UP = 5 * MS;
    static constexpr Picoseconds RETRY_FOR = 40 * MS;

    void DoRun() override
    {
        OpusCase one;
        one.adjust = [](OpusHelper& opus) {
            AwaitCarrier(opus);
            opus.SetAgentAttribute("RetryFor", TimeValue(ToTime(RETRY_FOR)));
            opus.SetAgentAttribute("MostAttempts", UintegerValue(3));
        };
        OpusBench bench(one);
        SetLinkUp(bench, LINK_UP);
        const Ptr<OcsAgent> agent = bench.plane.agents[0];
        agent->TraceConnectWithoutContext("PlanEnded", MakeCallback(&NoCarrierTest::Ended, this));
        if (m_crash)
        {
            Simulator::Schedule(MicroSeconds(50), &OpusEndpoint::Crash, bench.plane.shims[1]);
        }
        OtherController other(bench.plane.servers.Get(0));
        FlatMessage<OpusProgram> plan;
        plan.term = 1;
        plan.plan = 1;
        plan.up = {{PortId(0), PortId(2)}};
        Send(other, bench, plan, 1, 0);
        if (m_down)
        {
            plan.plan = 2;
            plan.up.clear();
            plan.down = {{PortId(0), PortId(2)}};
            Send(other, bench, plan, 2, 2 * MS);
        }
        bench.Run(Seconds(1));
        NS_TEST_ASSERT_MSG_EQ(m_ended.size(), (m_down ? 2 : 1), "each is answered once");
        const Picoseconds settled = 100 * US + one.reconfiguration.GetTimeStep();
        const Picoseconds from = settled + (m_crash ? RETRY_FOR : m_down ? 0 : LINK_UP);
        NS_TEST_EXPECT_MSG_GT(m_ended[0], from, "not before");
        if (m_down)
        {
            NS_TEST_EXPECT_MSG_LT(m_ended[0], settled + LINK_UP, "before there is carrier");
            NS_TEST_EXPECT_MSG_GT(m_ended[0], 2 * MS, "when the other plan comes");
        }
        NS_TEST_EXPECT_MSG_LT(m_ended[0], from + 2 * RETRY_FOR, "and not much later");
        NS_TEST_EXPECT_MSG_EQ(agent->GetCounters().done, (m_down ? 2 : 1), "they count as done");
    }

    void Send(OtherController& other,
              const OpusBench& bench,
              const OpusMessage& plan,
              uint64_t sequence,
              Picoseconds later)
    {
        const Ptr<Node> railSwitch = bench.rails[0].GetSwitchNode();
        Simulator::Schedule(MicroSeconds(100) + ToTime(later),
                            &OtherController::Send,
                            &other,
                            MakeDatagram(plan, sequence),
                            OpusPeer{bench.plane.network.GetAddress(railSwitch), OPUS_PORT});
    }

    void Ended(const OpusMessage&, const OpusMessage&)
    {
        m_ended.push_back(NowPicoseconds());
    }

    bool m_crash;
    bool m_down;
    std::vector<Picoseconds> m_ended;
};

/** The times of a job of four ranks, with a link-up time. */
struct SquareTimes
{
    static constexpr uint32_t ITERATIONS = 4;
    static constexpr uint32_t SHIFTS = 4; //!< of an iteration, each of all circuits

    SquareTimes(const std::string& policy,
                Picoseconds compute,
                Picoseconds linkUp,
                bool awaits = false)
    {
        OpusCase one;
        if (awaits)
        {
            one.adjust = AwaitCarrier;
        }
        one.servers = 4;
        one.policy = policy;
        one.reconfiguration = MilliSeconds(25);
        OpusBench bench(one);
        if (linkUp >= 0)
        {
            SetLinkUp(bench, linkUp);
        }
        const SquareJob job(bench);
        const auto program = FourShifts(ITERATIONS, compute);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bench.SetProgram(rank, program, job.GroupsOf(rank));
        }
        findings = bench.Run();
        isOver = bench.IsOver();
        for (const OperationRecord& record : bench.ended)
        {
            end = std::max(end, record.end.GetTimeStep());
        }
        times = bench.plane.GetTimes();
    }

    std::string findings;
    bool isOver{false};
    Picoseconds end{0}; //!< of the last operation
    OpusTimes times;
};

/** A reconfiguration in the critical path costs the switch and the link. */
class CriticalPathTest : public TestCase
{
  public:
    /** @param awaits whether agents await carrier */
    explicit CriticalPathTest(bool awaits)
        : TestCase(std::string("25 ms and 200 ms: each shift is exposed for both") +
                   (awaits ? ", with agents that await carrier" : "")),
          m_awaits(awaits)
    {
    }

  private:
    void DoRun() override
    {
        constexpr Picoseconds SWITCHING = 25 * MS;
        constexpr Picoseconds LINK_UP = 200 * MS;
        constexpr int64_t SHIFTS = SquareTimes::SHIFTS * SquareTimes::ITERATIONS;
        // each rank waits in each shift, and messages take less than 200 us
        const SquareTimes once("on-demand", MS, LINK_UP, m_awaits);
        NS_TEST_EXPECT_MSG_EQ(once.findings, "", "the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(once.isOver, true, "it is over");
        const OpusTimes& times = once.times;
        NS_TEST_EXPECT_MSG_EQ(times.exposedLinkUp.GetTimeStep(), SHIFTS * LINK_UP, "the links");
        const Picoseconds switching = (times.exposed - times.exposedLinkUp).GetTimeStep();
        NS_TEST_EXPECT_MSG_GT(switching, SHIFTS * SWITCHING, "the switch, and messages");
        NS_TEST_EXPECT_MSG_LT(switching, SHIFTS * (SWITCHING + 200 * US), "which are short");
        NS_TEST_EXPECT_MSG_EQ(times.hidden, Time(0), "nothing is hidden");
        NS_TEST_EXPECT_MSG_EQ(times.hiddenLinkUp, Time(0), "nothing is hidden");
        const SquareTimes twice("on-demand", MS, 2 * LINK_UP, m_awaits);
        NS_TEST_EXPECT_MSG_EQ(twice.end - once.end, SHIFTS * LINK_UP, "the job is as much longer");
        NS_TEST_EXPECT_MSG_EQ((twice.times.exposed - times.exposed).GetTimeStep(),
                              SHIFTS * LINK_UP,
                              "and exposed grows by that");
    }

    bool m_awaits;
};

/** Windows hide both. */
class HiddenLinkUpTest : public TestCase
{
  public:
    HiddenLinkUpTest()
        : TestCase("A long window hides the switch and the link, a short one a part of them")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Picoseconds LINK_UP = 200 * MS;
        constexpr int64_t ALL = SquareTimes::SHIFTS * SquareTimes::ITERATIONS;
        for (const Picoseconds window : {300 * MS, 100 * MS, 10 * MS})
        {
            const SquareTimes run("provisioned", window, LINK_UP);
            const OpusTimes& times = run.times;
            const std::string what = std::to_string(window / MS) + " ms";
            NS_TEST_EXPECT_MSG_EQ(run.isOver, true, what);
            // the first iteration is the profile; shifts of the others are requested a window ahead
            NS_TEST_EXPECT_MSG_EQ((times.exposedLinkUp + times.hiddenLinkUp).GetTimeStep(),
                                  ALL * LINK_UP,
                                  what << ": each link-up is exposed or hidden");
            const Picoseconds hidden = times.hiddenLinkUp.GetTimeStep();
            constexpr int64_t LEARNED = ALL - SquareTimes::SHIFTS;
            const Picoseconds least = std::clamp<Picoseconds>(window - 26 * MS, 0, LINK_UP);
            const Picoseconds most = std::clamp<Picoseconds>(window - 25 * MS, 0, LINK_UP);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(hidden, (LEARNED - 1) * least, what);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(hidden, LEARNED * most, what);
        }
    }
};

/** No link-up. */
class NoLinkUpTest : public TestCase
{
  public:
    NoLinkUpTest()
        : TestCase("A link-up time of 0 is that of a port without one")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* policy : {"on-demand", "provisioned"})
        {
            const SquareTimes none(policy, 10 * MS, -1);
            const SquareTimes zero(policy, 10 * MS, 0);
            NS_TEST_EXPECT_MSG_EQ(none.isOver, true, policy);
            NS_TEST_EXPECT_MSG_EQ(zero.end, none.end, policy);
            NS_TEST_EXPECT_MSG_EQ(zero.times.exposed, none.times.exposed, policy);
            NS_TEST_EXPECT_MSG_EQ(zero.times.hidden, none.times.hidden, policy);
            NS_TEST_EXPECT_MSG_EQ(zero.times.exposedLinkUp, Time(0), policy);
            NS_TEST_EXPECT_MSG_EQ(zero.times.hiddenLinkUp, Time(0), policy);
        }
    }
};

/** The suite. */
class OpusLinkUpTestSuite : public TestSuite
{
  public:
    OpusLinkUpTestSuite()
        : TestSuite("photonic-rails-opus-link-up", TestSuite::Type::UNIT)
    {
        AddTestCase(new OneGrantTest);
        AddTestCase(new GrantWithCarrierTest);
        AddTestCase(new NoCarrierTest(false, false));
        AddTestCase(new NoCarrierTest(true, false));
        AddTestCase(new NoCarrierTest(false, true));
        AddTestCase(new CriticalPathTest(false));
        AddTestCase(new CriticalPathTest(true));
        AddTestCase(new HiddenLinkUpTest);
        AddTestCase(new NoLinkUpTest);
    }
};

OpusLinkUpTestSuite g_opusLinkUpTestSuite;

} // namespace
