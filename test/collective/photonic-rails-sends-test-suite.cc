/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sends and their receives: how far a send may be ahead, how many there may be, and sends that are
// posted together.

#include "../support/photonic-rails-collective-bench.h"
#include "../support/time-units.h"

#include "ns3/collective-helper.h"
#include "ns3/instant-circuits.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>

using namespace ns3;

namespace
{

constexpr uint64_t EAGER_LIMIT = 16 << 10;
constexpr uint32_t EAGER_SENDS = 8;

/** Two ranks: the second one computes before it receives. */
struct LateReceiver
{
    CollectiveCase::RailKind railSwitch{CollectiveCase::ELECTRICAL};
    uint32_t number{1}; //!< of sends
    uint64_t bytes{8};
    Picoseconds computes{100 * US};
    std::string fidelity{"trains"};
    CollectiveKind kind{CollectiveKind::SEND_RECV}; //!< or a broadcast

    // the result
    std::vector<Picoseconds> ends{}; //!< of the sender's operations
    uint64_t received{0};            //!< bytes
    uint64_t mostEarly{0};
    std::vector<std::string> findings{};

    void Ended(const OperationRecord& record)
    {
        ends.push_back(record.end.GetTimeStep());
    }

    void Run()
    {
        CollectiveCase one;
        one.ranks = 2;
        one.railSwitch = railSwitch;
        one.fidelity = fidelity;
        const Rail rail = MakeCollectiveRail(one);
        CollectiveHelper collectives;
        if (railSwitch == CollectiveCase::RECONFIGURING)
        {
            collectives.SetBroker(CreateObject<InstantCircuits>(
                std::make_shared<const RailLinks>(std::vector<Rail>{rail})));
        }
        const Ptr<CollectiveJob> job = collectives.Install(rail);
        const ApplicationContainer& applications = job->GetApplications();
        const auto group = job->MakeGroup("pair", {0, 1});
        auto sender = std::make_shared<RankProgram>();
        auto receiver = std::make_shared<RankProgram>();
        receiver->Compute(0, ToTime(computes));
        for (uint32_t i = 0; i < number; ++i)
        {
            if (kind == CollectiveKind::SEND_RECV)
            {
                sender->Send(0, 0, 1, bytes);
                receiver->Receive(0, 0, 0, bytes);
                continue;
            }
            sender->Collective(0, 0, kind, bytes, "ring");
            receiver->Collective(0, 0, kind, bytes, "ring");
        }
        job->SetProgram(0, sender, {group});
        job->SetProgram(1, receiver, {group});
        applications.Get(0)->TraceConnectWithoutContext("OperationEnded",
                                                        MakeCallback(&LateReceiver::Ended, this));
        RailAudit audit;
        audit.Add(rail);
        audit.Add(applications);
        Simulator::Run();
        findings = audit.Check();
        received = job->Get(1)->GetCounters().bytesReceived;
        mostEarly = job->Get(1)->GetCounters().mostEarly;
        Simulator::Destroy();
    }

    /** @return sends that were over before the receiver was through with computing */
    std::size_t CountAhead() const
    {
        return std::count_if(ends.begin(), ends.end(), [this](Picoseconds end) {
            return end < computes;
        });
    }
};

/** @return the name of a switch */
std::string
NameOf(CollectiveCase::RailKind railSwitch)
{
    return railSwitch == CollectiveCase::ELECTRICAL ? "electrical"
           : railSwitch == CollectiveCase::RING     ? "standing circuits"
                                                    : "turning circuits";
}

/** More sends than a tag distinguishes. */
class ManySendsTest : public TestCase
{
  public:
    ManySendsTest()
        : TestCase("Any number of sends to a rank that computes: few are ahead, none is lost")
    {
    }

  private:
    void DoRun() override
    {
        const std::pair<CollectiveCase::RailKind, uint32_t> runs[] = {
            {CollectiveCase::ELECTRICAL, 20'000},
            {CollectiveCase::RING, 20'000},
            {CollectiveCase::RING, 100'000},
            {CollectiveCase::ELECTRICAL, 100'000},
            {CollectiveCase::RECONFIGURING, 20'000},
        };
        for (const auto& [railSwitch, number] : runs)
        {
            LateReceiver run;
            run.railSwitch = railSwitch;
            run.number = number;
            run.Run();
            const std::string name = NameOf(railSwitch) + ", " + std::to_string(number);
            NS_TEST_EXPECT_MSG_EQ(run.findings.size(), 0, name << ": the audit");
            NS_TEST_EXPECT_MSG_EQ(run.ends.size(), number, name << ": all are over");
            NS_TEST_EXPECT_MSG_EQ(run.received, 8ULL * number, name << ": and are there");
            // a broker that gives circuits to both at once lets none go ahead
            const bool waits = railSwitch == CollectiveCase::RECONFIGURING;
            NS_TEST_EXPECT_MSG_EQ(run.CountAhead(), (waits ? 0 : EAGER_SENDS), name);
            // each goes in two parts, over two ports
            NS_TEST_EXPECT_MSG_EQ(run.mostEarly, (waits ? 0 : 2 * EAGER_SENDS), name);
        }
    }
};

/** Operations of a group have no receives; the numbers of those that are ahead have no limit. */
class ManyBroadcastsTest : public TestCase
{
  public:
    ManyBroadcastsTest()
        : TestCase("Any number of broadcasts to a rank that computes")
    {
    }

  private:
    void DoRun() override
    {
        LateReceiver run;
        run.number = 20'000;
        run.computes = 1'000'000 * US;
        run.kind = CollectiveKind::BROADCAST;
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.findings.size(), 0, "the audit");
        NS_TEST_EXPECT_MSG_EQ(run.CountAhead(), 20'000, "the root need not wait");
        NS_TEST_EXPECT_MSG_EQ(run.received, 8 * 20'000, "all is there");
    }
};

/** The same rule on packet switches and on circuits. */
class RendezvousTest : public TestCase
{
  public:
    RendezvousTest()
        : TestCase("A send beyond the eager limit waits for its receive, whatever carries it")
    {
    }

  private:
    void DoRun() override
    {
        for (const CollectiveCase::RailKind railSwitch :
             {CollectiveCase::ELECTRICAL, CollectiveCase::RING, CollectiveCase::RECONFIGURING})
        {
            for (const std::string fidelity : {"trains", "events"})
            {
                LateReceiver run;
                run.railSwitch = railSwitch;
                run.fidelity = fidelity;
                const std::string name = NameOf(railSwitch) + ", " + fidelity;
                CollectiveCase path;
                path.railSwitch = railSwitch;

                run.bytes = EAGER_LIMIT;
                run.Run();
                const bool waits = railSwitch == CollectiveCase::RECONFIGURING;
                NS_TEST_EXPECT_MSG_EQ(run.CountAhead(), (waits ? 0 : 1), name << ": small");

                run.bytes = EAGER_LIMIT + 1;
                run.ends.clear();
                run.Run();
                NS_TEST_EXPECT_MSG_EQ(run.findings.size(), 0, name << ": the audit");
                NS_TEST_ASSERT_MSG_EQ(run.ends.size(), 1, name << ": over");
                NS_TEST_EXPECT_MSG_EQ(run.mostEarly, 0, name << ": nothing to keep");
                // The report goes one way, the data back; half of it on each port. Then the ACK.
                const double data = OnTheWire(run.bytes / 2.0, CollectiveCase::RATE);
                const double fibers = 200'000;
                const double least = run.computes + data + 3 * fibers;
                // a frame at the most for other traffic on the wire, and the reconfiguration of
                // circuits
                const double most = run.computes + data + 3 * PathDelay(path) +
                                    3 * OnTheWire(4096, CollectiveCase::RATE) +
                                    (waits ? path.reconfiguration.GetTimeStep() : 0);
                NS_TEST_EXPECT_MSG_GT(run.ends[0], least, name << ": not before");
                NS_TEST_EXPECT_MSG_LT(run.ends[0], most, name << ": and at once then");
            }
        }
    }
};

/** A chain: each rank sends to the next. */
class GroupedSendsTest : public TestCase
{
  public:
    GroupedSendsTest()
        : TestCase("Grouped sends of a chain ask for all of its circuits at once")
    {
    }

  private:
    static constexpr uint32_t RANKS = 6;
    static constexpr uint64_t BYTES = 1 << 20;

    /** @return reconfigurations @param ports of a rank @param grouped whether sends are grouped */
    uint64_t RunWith(uint32_t ports, bool grouped)
    {
        CollectiveCase one;
        one.ranks = RANKS;
        one.ports = ports;
        one.railSwitch = CollectiveCase::RECONFIGURING;
        const Rail rail = MakeCollectiveRail(one);
        CollectiveHelper collectives;
        const auto reconfiguration = CreateObject<InstantCircuits>(
            std::make_shared<const RailLinks>(std::vector<Rail>{rail}));
        collectives.SetBroker(reconfiguration);
        const Ptr<CollectiveJob> job = collectives.Install(rail);
        const ApplicationContainer& applications = job->GetApplications();
        const auto group = job->MakeGroup("chain", FirstRanks(RANKS));
        std::vector<GroupedSend> sends;
        for (uint32_t r = 0; r + 1 < RANKS; ++r)
        {
            sends.push_back({r, r + 1, BYTES});
        }
        for (uint32_t r = 0; r < RANKS; ++r)
        {
            auto program = std::make_shared<RankProgram>();
            if (grouped)
            {
                program->SendReceiveGroup(0, 0, RANKS, sends);
            }
            else
            {
                if (r + 1 < RANKS)
                {
                    program->Send(0, 0, r + 1, BYTES);
                }
                if (r > 0)
                {
                    program->Receive(1, 0, r - 1, BYTES);
                }
            }
            job->SetProgram(r, program, {group});
        }
        RailAudit audit;
        audit.Add(rail);
        audit.Add(applications);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit.Check().size(), 0, "the audit");
        for (uint32_t r = 0; r < RANKS; ++r)
        {
            const CollectiveApplication::Counters counters = job->Get(r)->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.bytesSent, (r + 1 < RANKS ? BYTES : 0), "rank " << r);
            NS_TEST_EXPECT_MSG_EQ(counters.bytesReceived, (r > 0 ? BYTES : 0), "rank " << r);
        }
        const uint64_t reconfigurations = reconfiguration->GetReconfigurations();
        Simulator::Destroy();
        return reconfigurations;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RunWith(2, true), 1, "a port for each partner: all at once");
        // one port: a rank in the middle has its partners one after another, and by Vizing no more
        // matchings are needed than one more than it has partners
        const uint64_t matchings = RunWith(1, true);
        NS_TEST_EXPECT_MSG_GT(matchings, 1, "matching by matching");
        NS_TEST_EXPECT_MSG_LT(matchings, 4, "two or three of them");
        NS_TEST_EXPECT_MSG_GT(RunWith(2, false), 2, "one by one: pair after pair");
    }
};

/** The suite. */
class SendsTestSuite : public TestSuite
{
  public:
    SendsTestSuite()
        : TestSuite("photonic-rails-sends", TestSuite::Type::UNIT)
    {
        AddTestCase(new ManySendsTest);
        AddTestCase(new ManyBroadcastsTest);
        AddTestCase(new RendezvousTest);
        AddTestCase(new GroupedSendsTest);
    }
};

static SendsTestSuite g_sendsTestSuite;

} // namespace
