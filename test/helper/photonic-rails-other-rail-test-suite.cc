/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Traffic of ports without light goes over another rail: when, for how long, and back.

#include "../support/photonic-rails-mistakes.h"
#include "photonic-rails-recovery-bench.h"
#include "photonic-rails-recovery-cases.h"

#include "ns3/boolean.h"
#include "ns3/controller-note.h"
#include "ns3/data-rate.h"
#include "ns3/fault-injector.h"
#include "ns3/job-helper.h"
#include "ns3/message-closed-form.h"
#include "ns3/operation-record.h"
#include "ns3/opus-controller-app.h"
#include "ns3/other-rail-settings.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** The times of a small cluster, in picoseconds, and its traffic. */
struct OtherRailSpans
{
    static constexpr int64_t NS = 1'000;
    static constexpr int64_t US = 1'000 * NS;

    static constexpr uint32_t GPUS = 2; //!< of each of two servers: ranks 1 and 3 are on rail 1
    static constexpr int64_t LATENCY = 10 * US;          //!< of the management network
    static constexpr int64_t HOST = US;                  //!< from a rank to its shim
    static constexpr int64_t RECONFIGURATION = 100 * US; //!< of a switch
    static constexpr int64_t DETECT = 40 * US;           //!< until a queue pair fails
    static constexpr int64_t RECEIPT = 7 * US;           //!< of receipts, one way
    static constexpr uint64_t RATE = 200'000'000'000;    //!< of a NIC port
    static constexpr int64_t FABRIC_BYTE = 5;            //!< inside a server, at 1.6 Tb/s
    static constexpr int64_t FABRIC_LATENCY = 500 * NS;  //!< inside a server
    static constexpr uint64_t MESSAGE = 1 << 16;         //!< bytes of a message

    /**
     * At 2 Tb/s a byte takes 8 ps on two links of the management network: all messages of a few
     * grants, with the ends of their instants, take less than this.
     */
    static constexpr int64_t MESSAGES = 100 * NS;

    /** @return the time of bytes in the fabric inside a server */
    static int64_t FabricTime(uint64_t bytes)
    {
        return bytes * FABRIC_BYTE + FABRIC_LATENCY;
    }

    /** @return the time of messages on a wire, one behind the other, without that in fibers */
    static int64_t WireTime(uint64_t messages)
    {
        MessageClosedForm one;
        one.bytes = MESSAGE;
        one.verb = RdmaVerb::WRITE_WITH_IMMEDIATE;
        const auto bytes = static_cast<int64_t>(one.GetWireBytes() * messages);
        return (bytes - 12) * 8 * 1'000'000'000'000 / static_cast<int64_t>(RATE);
    }

    /** Adds the operations of a rank. */
    using Write = std::function<void(RankProgram& program)>;

    /** @return a broadcast between the ranks of a rail @param messages number of them */
    static Write Broadcast(uint64_t messages)
    {
        return [messages](RankProgram& program) {
            program.Collective(0, 0, CollectiveKind::BROADCAST, messages * MESSAGE, "ring");
        };
    }
};

/** A job on two servers, and its observations. */
class OtherRailBench : public OtherRailSpans
{
  public:
    /**
     * @param ports of each NIC
     * @param write by rank
     */
    OtherRailBench(uint32_t ports, const std::map<uint32_t, Write>& write)
    {
        UsePicoseconds();
        JobPrograms job;
        job.groups = {{"dp 0", {0, GPUS}}, {"dp 1", {1, GPUS + 1}}};
        job.ranks.resize(2 * GPUS);
        for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
        {
            const auto program = std::make_shared<RankProgram>();
            const auto found = write.find(rank);
            if (found != write.end())
            {
                found->second(*program);
            }
            job.ranks[rank] = {program, {rank % GPUS}};
        }
        JobHelper helper;
        helper.SetGpusPerServer(GPUS);
        helper.SetScaleUp(true);
        helper.SetPorts(ports, DataRate(RATE));
        helper.SetReconfigurationTime(PicoSeconds(RECONFIGURATION));
        helper.GetScaleUp().SetAttribute("PortRate",
                                         DataRateValue(DataRate(8'000'000'000'000 / FABRIC_BYTE)));
        helper.GetScaleUp().SetAttribute("Latency", TimeValue(PicoSeconds(FABRIC_LATENCY)));
        ManagementNetworkHelper network;
        network.SetLatency(PicoSeconds(LATENCY));
        network.SetRate(DataRate(2'000'000'000'000));
        helper.GetOpus().SetManagementNetwork(network);
        helper.GetCollectives().SetAttribute("MessageSize", UintegerValue(MESSAGE));
        helper.GetCollectives().SetAttribute("Bidirectional", BooleanValue(false));
        OtherRailSettings settings;
        settings.detectAfter = PicoSeconds(DETECT);
        settings.receiptLatency = PicoSeconds(RECEIPT);
        settings.Apply(helper.GetOpus(), helper.GetRdma(), helper.GetCollectives());
        run = helper.Install(job);
        for (uint32_t rank = 0; rank < 2 * GPUS; ++rank)
        {
            run->applications.Get(rank)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&OtherRailBench::HandleEnded, this));
            GetGpu(rank)->GetObject<RdmaEngine>()->TraceConnectWithoutContext(
                "MessageFailed",
                MakeCallback(&OtherRailBench::HandleFailed, this));
            GetGpu(rank)->GetObject<RdmaEngine>()->TraceConnectWithoutContext(
                "MessageArrived",
                MakeCallback(&OtherRailBench::HandleArrived, this).Bind(rank));
        }
        run->plane.controller->TraceConnectWithoutContext(
            "Decision",
            MakeCallback(&OtherRailBench::HandleDecision, this));
        injector = CreateObject<FaultInjector>();
        injector->SetRails(run->rails);
        injector->AddControlPlane(run->plane);
    }

    ~OtherRailBench()
    {
        run = nullptr;
        Simulator::Destroy();
    }

    OtherRailBench(const OtherRailBench&) = delete;
    OtherRailBench& operator=(const OtherRailBench&) = delete;

    /** Adds a fault of a port of a rank's NIC. @param duration 0: for good */
    void FailPort(uint32_t rank, uint32_t port, int64_t at, int64_t duration = 0)
    {
        Fault fault;
        fault.kind = FaultKind::NIC_PORT_DOWN;
        fault.at = PicoSeconds(at);
        if (duration > 0)
        {
            fault.duration = PicoSeconds(duration);
        }
        fault.server = rank / GPUS;
        fault.gpu = rank % GPUS;
        fault.port = port;
        injector->Add(fault);
    }

    /** @return the end of an operation of a rank; -1: it has not ended */
    int64_t GetEnd(uint32_t rank, uint32_t operation) const
    {
        const auto found = ends.find({rank, operation});
        return found == ends.end() ? -1 : found->second;
    }

    /** @return the number of notes of a kind */
    std::size_t Count(ControllerNote::Kind kind) const
    {
        return notes.count(kind) == 0 ? 0 : notes.at(kind).size();
    }

    /** @return the time in the fibers of a circuit */
    int64_t GetFibers() const
    {
        return 2 * run->rails[0].GetFiber(0, 0)->GetDelay().GetTimeStep();
    }

    Ptr<Node> GetGpu(uint32_t rank) const
    {
        return run->rails[rank % GPUS].GetGpu(rank / GPUS);
    }

    Ptr<JobRun> run;
    Ptr<FaultInjector> injector;
    std::map<std::pair<uint32_t, uint32_t>, int64_t> ends;
    std::map<uint32_t, std::vector<int64_t>> arrivals; //!< of messages, by rank of the NIC
    std::vector<int64_t> failures;                     //!< of messages
    std::map<ControllerNote::Kind, std::vector<int64_t>> notes;

  private:
    void HandleEnded(const OperationRecord& record)
    {
        ends[{record.rank.Get(), record.operation}] = record.end.GetTimeStep();
    }

    void HandleFailed(const RdmaQueuePair&, const RdmaMessage&, const std::string&)
    {
        failures.push_back(NowPicoseconds());
    }

    void HandleArrived(uint32_t rank, const RdmaQueuePair&, const RdmaMessage&)
    {
        arrivals[rank].push_back(NowPicoseconds());
    }

    void HandleDecision(const ControllerNote& note)
    {
        notes[note.kind].push_back(note.when.GetTimeStep());
    }
};

/** Expectations of times. */
class OtherRailTestCase : public TestCase, protected OtherRailSpans
{
  public:
    using TestCase::TestCase;

  protected:
    /** Expects an instant no earlier than by latencies, and later by the bits of messages only. */
    void ExpectAt(int64_t time, int64_t expected, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(time, expected, what << ", in ps");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(time, expected + MESSAGES, what << ", in ps");
    }

    /** Expects that all has ended, and that each message has arrived once. */
    void RequireWhole(const OtherRailBench& bench)
    {
        const RailAudit audit = bench.run->GetAudit();
        for (const std::string& finding : audit.Check())
        {
            NS_TEST_EXPECT_MSG_EQ(finding, "", "the audit");
        }
        NS_TEST_EXPECT_MSG_EQ(audit.GetTotals().operationsFailed, 0, "no operation fails");
        NS_TEST_EXPECT_MSG_EQ(audit.GetTotals().operationsEnded,
                              audit.GetTotals().operationsStarted,
                              "all end");
    }
};

/** A port fails before the first operation. */
class DeadBeforeTestCase : public OtherRailTestCase
{
  public:
    DeadBeforeTestCase()
        : OtherRailTestCase("An operation of a dead port waits for circuits of another rail")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 8;
        OtherRailBench bench(1, {{1, Broadcast(N)}, {3, Broadcast(N)}});
        bench.FailPort(1, 0, 1);
        Simulator::Run();
        RequireWhole(bench);
        // request, program, done, grant
        const int64_t granted = 2 * HOST + 4 * LATENCY + RECONFIGURATION;
        const int64_t failed = granted + DETECT;
        // receipts; outage, recall, request, program, done, grant
        const int64_t again = failed + 2 * RECEIPT + 4 * HOST + 6 * LATENCY + RECONFIGURATION;
        const int64_t relayed = again + FabricTime(MESSAGE);
        const int64_t received = relayed + WireTime(N) + bench.GetFibers();
        NS_TEST_ASSERT_MSG_EQ(bench.failures.size(), N, "all fail on the dead port");
        ExpectAt(bench.failures[0], failed, "the queue pair fails");
        ExpectAt(bench.notes[ControllerNote::Kind::OUTAGE].at(0),
                 failed + 2 * RECEIPT + HOST + LATENCY,
                 "the controller has the outage");
        ExpectAt(bench.arrivals[2].back(), received, "the NIC of the other rail has all");
        ExpectAt(bench.GetEnd(3, 0), received + FabricTime(MESSAGE), "the operation ends");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.count(3), 0, "nothing comes over the dead rail");
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetAll().bytesForwarded,
                              2 * N * MESSAGE,
                              "forwarded at the sender and at the receiver");
    }
};

/** A port that dies in the middle of an operation. */
class DiesInTheMiddleTestCase : public OtherRailTestCase
{
  public:
    DiesInTheMiddleTestCase()
        : OtherRailTestCase("What was under way is sent again, and nothing twice")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 64;
        constexpr uint64_t WHOLE = 20; // and a half
        const int64_t granted = 2 * HOST + 4 * LATENCY + RECONFIGURATION;
        const int64_t dies = granted + WireTime(WHOLE) + WireTime(1) / 2;
        OtherRailBench bench(1, {{1, Broadcast(N)}, {3, Broadcast(N)}});
        bench.FailPort(1, 0, dies);
        Simulator::Run();
        RequireWhole(bench);
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[3].size(), WHOLE, "that left the port");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[2].size(), N - WHOLE, "the others, once each");
        const int64_t failed = dies + DETECT;
        NS_TEST_EXPECT_MSG_EQ(bench.failures.at(0), failed + 1, "the queue pair fails");
        const int64_t again = failed + 2 * RECEIPT + 4 * HOST + 6 * LATENCY + RECONFIGURATION;
        ExpectAt(bench.GetEnd(3, 0),
                 again + FabricTime(MESSAGE) + WireTime(N - WHOLE) + bench.GetFibers() +
                     FabricTime(MESSAGE),
                 "the operation ends");
    }
};

/** The acknowledgement of a message is lost, and not the message. */
class LostAcknowledgementTestCase : public OtherRailTestCase
{
  public:
    LostAcknowledgementTestCase()
        : OtherRailTestCase("A message whose acknowledgement is lost is settled by its receipt")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 4;
        OtherRailBench sound(1, {{1, Broadcast(N)}, {3, Broadcast(N)}});
        Simulator::Run();
        const int64_t last = sound.arrivals[3].back();
        Check(N, last + 1); // the last frame is there, and its acknowledgement has not left
    }

    void Check(uint64_t messages, int64_t dies)
    {
        Simulator::Destroy();
        OtherRailBench bench(1, {{1, Broadcast(messages)}, {3, Broadcast(messages)}});
        bench.FailPort(3, 0, dies);
        Simulator::Run();
        RequireWhole(bench);
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[3].size(), messages, "all have come");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.count(2), 0, "nothing is sent again");
        NS_TEST_EXPECT_MSG_EQ(bench.GetEnd(3, 0), dies - 1, "the receiver does not notice it");
        const int64_t dark = dies + bench.GetFibers();
        NS_TEST_EXPECT_MSG_EQ(bench.GetEnd(1, 0),
                              dark + DETECT + 1 + 2 * RECEIPT,
                              "the sender has the receipt");
        NS_TEST_EXPECT_MSG_EQ(bench.Count(ControllerNote::Kind::OUTAGE), 0, "none is reported");
    }
};

/** Two rails share a port. */
class SharedPortTestCase : public OtherRailTestCase
{
  public:
    SharedPortTestCase()
        : OtherRailTestCase("Traffic of two rails on one port takes twice the time")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 256;
        OtherRailBench bench(
            1,
            {{0, Broadcast(N)}, {2, Broadcast(N)}, {1, Broadcast(N)}, {3, Broadcast(N)}});
        bench.FailPort(1, 0, 1);
        Simulator::Run();
        RequireWhole(bench);
        const int64_t granted = 2 * HOST + 4 * LATENCY + RECONFIGURATION;
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[2].size(), 2 * N, "all of both rails");
        // the circuits of rail 0 stand: outage, recall, request, grant
        const int64_t joins =
            granted + DETECT + 2 * RECEIPT + 4 * HOST + 4 * LATENCY + FabricTime(MESSAGE);
        NS_TEST_EXPECT_MSG_LT(joins + MESSAGES,
                              granted + WireTime(N),
                              "the second rail's traffic comes in time");
        // from the first bit on the wire is never idle
        ExpectAt(bench.arrivals[2].back(),
                 granted + WireTime(2 * N) + bench.GetFibers(),
                 "the last message of both");
        // until both have traffic, rail 0 has the wire alone; then frames take turns
        const int64_t alone = joins - granted;
        ExpectNear(bench.GetEnd(2, 0),
                   joins + 2 * (WireTime(N) - alone) + bench.GetFibers(),
                   2 * WireTime(1),
                   "the messages of rail 0 have half of the wire");
        ExpectNear(bench.GetEnd(3, 0),
                   granted + WireTime(2 * N) + bench.GetFibers() + FabricTime(MESSAGE),
                   MESSAGES,
                   "those of rail 1 end last");
    }

    void ExpectNear(int64_t time, int64_t expected, int64_t tolerance, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(time - expected),
                                    tolerance,
                                    what << ": " << time << " ps, expected " << expected);
    }
};

/** A port comes back. */
class RepairTestCase : public OtherRailTestCase
{
  public:
    RepairTestCase()
        : OtherRailTestCase("After a repair the next operation is on the own rail")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 8;
        constexpr int64_t PERIOD = 1000 * US; // longer than a detour of an operation takes
        const auto write = [](RankProgram& program) {
            for (int i = 0; i < 6; ++i)
            {
                Broadcast(N)(program);
                program.Compute(0, PicoSeconds(PERIOD));
            }
        };
        OtherRailBench bench(1, {{1, write}, {3, write}});
        // from the first computation to the third
        const int64_t from = PERIOD / 2;
        const int64_t repaired = 3 * PERIOD;
        bench.FailPort(1, 0, from, repaired - from);
        Simulator::Run();
        RequireWhole(bench);
        uint64_t detours = 0;
        for (uint32_t operation = 2; operation < 12; operation += 2)
        {
            detours += bench.GetEnd(3, operation - 1) < repaired ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(detours, 0, "operations meanwhile");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[2].size(), detours * N, "go over the other rail");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[3].size(), (6 - detours) * N, "all others do not");
        NS_TEST_EXPECT_MSG_EQ(bench.Count(ControllerNote::Kind::OUTAGE), 1, "one outage");
        // circuits stand, and a grant takes no reconfiguration
        const int64_t last = bench.GetEnd(3, 10) - bench.GetEnd(1, 9);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(last,
                                    2 * HOST + 2 * LATENCY + WireTime(N) + bench.GetFibers() +
                                        MESSAGES,
                                    "the last operation takes what it takes on a sound rail");
    }
};

/** The switch of a rail has no power. */
class DarkSwitchTestCase : public OtherRailTestCase
{
  public:
    DarkSwitchTestCase()
        : OtherRailTestCase("All traffic of a rail whose switch is dark goes over another")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 128;
        const int64_t granted = 2 * HOST + 4 * LATENCY + RECONFIGURATION;
        OtherRailBench bench(
            2,
            {{0, Broadcast(N)}, {2, Broadcast(N)}, {1, Broadcast(N)}, {3, Broadcast(N)}});
        Fault fault;
        fault.kind = FaultKind::OCS_DOWN;
        fault.rail = RailId(1);
        fault.at = PicoSeconds(granted + WireTime(N / 8));
        bench.injector->Add(fault);
        Simulator::Run();
        RequireWhole(bench);
        NS_TEST_EXPECT_MSG_EQ(bench.Count(ControllerNote::Kind::OUTAGE), 2, "of both circuits");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[2].size() + bench.arrivals[3].size(),
                              2 * N,
                              "each message has come once");
        NS_TEST_EXPECT_MSG_LT(bench.arrivals[3].back(),
                              fault.at.GetTimeStep() + bench.GetFibers(),
                              "none over the dark rail");
    }
};

/** One of the two ports of a NIC fails. */
class HalfNicTestCase : public OtherRailTestCase
{
  public:
    HalfNicTestCase()
        : OtherRailTestCase("A NIC with a port left keeps its rail, at half the rate")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 32;
        OtherRailBench bench(2, {{1, Broadcast(N)}, {3, Broadcast(N)}});
        bench.FailPort(1, 0, 1);
        Simulator::Run();
        RequireWhole(bench);
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals[3].size(), N, "all on the own rail");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.count(2), 0, "none on the other");
        const int64_t granted = 2 * HOST + 4 * LATENCY + RECONFIGURATION;
        // circuits of the port that is left stand
        const int64_t again = granted + DETECT + 2 * RECEIPT + 4 * HOST + 4 * LATENCY;
        ExpectAt(bench.GetEnd(3, 0), again + WireTime(N / 2) + bench.GetFibers(), "its half");
    }
};

/** @return jobs whose policy does not choose circuits by ports, which are refused */
std::vector<Mistake>
ListRefusedPolicies()
{
    std::vector<Mistake> mistakes;
    for (const std::string policy : {"electrical", "giant-ring", "static-split"})
    {
        const auto make = [policy]() {
            RecoveryCase one = RecoveryCase::Small();
            one.reaction = "other-rail";
            one.policy = policy;
            one.Run([](RecoveringJob&) {});
        };
        mistakes.push_back({policy, make, {"RecoveringJob", "other-rail", policy, "on-demand"}});
    }
    return mistakes;
}

/** The suite. */
class OtherRailTestSuite : public TestSuite
{
  public:
    OtherRailTestSuite()
        : TestSuite("photonic-rails-other-rail", TestSuite::Type::UNIT)
    {
        AddTestCase(new DeadBeforeTestCase);
        AddTestCase(new DiesInTheMiddleTestCase);
        AddTestCase(new LostAcknowledgementTestCase);
        AddTestCase(new SharedPortTestCase);
        AddTestCase(new RepairTestCase);
        AddTestCase(new DarkSwitchTestCase);
        AddTestCase(new HalfNicTestCase);
        AddTestCase(new MistakesTest("Other policies are refused before the job starts",
                                     ListRefusedPolicies()));
        AddTestCase(new RandomOtherRailCase(1, OTHER_RAIL_SEEDS));
    }
};

OtherRailTestSuite g_otherRailTestSuite;

} // namespace
