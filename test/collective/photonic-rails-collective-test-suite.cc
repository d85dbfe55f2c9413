/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives on rails, against closed forms. Payload of 4096 bytes takes 4178 on the wire, so a
// port of rate B carries B * 4096 / 4178 of it.

#include "../support/photonic-rails-collective-bench.h"

#include "ns3/boolean.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <map>
#include <sstream>

using namespace ns3;

namespace
{

/** Twice the ports take half the time, if both directions are used. */
class BidirectionalTest : public TestCase
{
  public:
    BidirectionalTest()
        : TestCase("two directions on two ports are twice as fast as one")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto kind : {CollectiveKind::ALL_GATHER, CollectiveKind::ALL_REDUCE})
        {
            CollectiveCase one;
            one.kind = kind;
            one.bytes = 64 << 20;
            const Picoseconds both = RunCollective(one).GetTime();
            one.bidirectional = false; // both channels to the next rank, which one port leads to
            const Picoseconds forward = RunCollective(one).GetTime();
            const double ratio = static_cast<double>(forward) / both;
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 2.0, 0.01, NameOf(one) << ": forward only / both");
        }
    }
};

/** All algorithms run on an electrical rail, with the same results in both fidelities. */
class EveryAlgorithmTest : public TestCase
{
  public:
    EveryAlgorithmTest()
        : TestCase(
              "every algorithm runs, moves the bytes of its schedule, alike in both fidelities")
    {
    }

  private:
    void DoRun() override
    {
        for (const CollectiveKind kind : GetCollectiveKinds())
        {
            for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
            {
                for (const uint32_t ranks : {2, 5, 8})
                {
                    for (const auto railSwitch :
                         {CollectiveCase::ELECTRICAL, CollectiveCase::RECONFIGURING})
                    {
                        Check(*algorithm, ranks, railSwitch);
                    }
                }
            }
        }
    }

    void Check(const CollectiveAlgorithm& algorithm,
               uint32_t ranks,
               CollectiveCase::RailKind railSwitch)
    {
        CollectiveCase one;
        one.kind = algorithm.kind;
        one.algorithm = algorithm.name;
        one.ranks = ranks;
        one.railSwitch = railSwitch;
        one.reconfiguration = MicroSeconds(1);
        one.bytes = algorithm.kind == CollectiveKind::BARRIER ? 0 : 1'000'003;
        CollectiveParameters parameters;
        parameters.kind = one.kind;
        parameters.ranks = ranks;
        parameters.channels = 2;
        parameters.bidirectional = true;
        parameters.straggler = ranks - 1;
        if (one.kind == CollectiveKind::ALL_TO_ALL_V)
        {
            auto demand = std::make_shared<DemandMatrix>(ranks);
            for (uint32_t f = 0; f < ranks; ++f)
            {
                for (uint32_t t = 0; t < ranks; ++t)
                {
                    demand->Set(f, t, f == t ? 0 : 10'000 * ((f * 3 + t) % 5));
                }
            }
            one.demand = demand;
            parameters.demand = demand;
        }
        if (!algorithm.GetWhyNot(parameters).empty())
        {
            return;
        }
        const CollectiveSchedule schedule = algorithm.Make(parameters);
        if (railSwitch == CollectiveCase::RECONFIGURING && !FitsOnTwoPorts(schedule))
        {
            return;
        }
        const CollectiveOutcome trains = RunCollective(one);
        one.fidelity = "events";
        const CollectiveOutcome events = RunCollective(one);
        NS_TEST_EXPECT_MSG_EQ(trains.findings.size(), 0, NameOf(one) << ": audit");
        NS_TEST_EXPECT_MSG_EQ(trains.records.size(), ranks, NameOf(one) << ": ends");
        NS_TEST_EXPECT_MSG_EQ(trains.lastEnd, events.lastEnd, NameOf(one) << ": both fidelities");
        NS_TEST_EXPECT_MSG_EQ(trains.frames, events.frames, NameOf(one) << ": both fidelities");
        for (const OperationRecord& record : trains.records)
        {
            const uint32_t rank = record.rank.Get();
            NS_TEST_EXPECT_MSG_EQ(record.algorithm, one.algorithm, NameOf(one) << ": what ran");
            NS_TEST_EXPECT_MSG_EQ(record.bytesSent,
                                  schedule.GetBytesSent(rank, one.bytes),
                                  NameOf(one) << ": bytes of rank " << rank);
        }
    }

    /** No rank meets more than two others in a stage. */
    static bool FitsOnTwoPorts(const CollectiveSchedule& schedule)
    {
        for (const CollectiveSchedule::Stage& stage : schedule.GetStages())
        {
            std::map<uint32_t, uint32_t> degrees;
            for (const auto& [one, other] : stage.pairs)
            {
                if (++degrees[one] > 2 || ++degrees[other] > 2)
                {
                    return false;
                }
            }
        }
        return true;
    }
};

/** All-to-all by matchings: in each round other circuits. */
class MatchingsTest : public TestCase
{
  public:
    MatchingsTest()
        : TestCase("all-to-all by matchings turns circuits between rounds")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t ranks : {4, 8})
        {
            for (const Time& turn : {MicroSeconds(10), MilliSeconds(1)})
            {
                CollectiveCase one;
                one.kind = CollectiveKind::ALL_TO_ALL;
                one.algorithm = "matchings";
                one.railSwitch = CollectiveCase::RECONFIGURING;
                one.ranks = ranks;
                one.reconfiguration = turn;
                one.bytes = uint64_t{ranks} << 20;
                const CollectiveOutcome outcome = RunCollective(one);
                // (N - 1)(d + a + S / (N B)): both ports of a rank go to its partner
                const double round =
                    OnTheWire(static_cast<double>(one.bytes) / ranks, 2.0 * CollectiveCase::RATE);
                const double hop = PathDelay(one) + OnTheWire(4096, CollectiveCase::RATE);
                const double turns = static_cast<double>(turn.GetTimeStep()) * (ranks - 1);
                // the first circuits are set up before anything is sent, as all others
                const double least = turns + (ranks - 1) * round;
                NS_TEST_EXPECT_MSG_EQ(outcome.findings.size(), 0, NameOf(one) << ": audit");
                NS_TEST_EXPECT_MSG_EQ(outcome.reconfigurations,
                                      ranks - 1,
                                      NameOf(one) << ": times that circuits turned");
                NS_TEST_EXPECT_MSG_GT(outcome.GetTime(), least, NameOf(one) << ": too fast");
                // a message settles an acknowledgement later than it arrives
                NS_TEST_EXPECT_MSG_LT(outcome.GetTime(),
                                      turns + (ranks - 1) * (1.004 * round + 4 * hop),
                                      NameOf(one) << ": too slow");
            }
        }
    }
};

/** Rank n - 1 is late: the work that is left when it comes. */
class StragglerTest : public TestCase
{
  public:
    StragglerTest()
        : TestCase("with a persistent straggler, straggl-ar has less left to do than a ring")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RANKS = 8;
        CollectiveCase one;
        one.ranks = RANKS;
        one.railSwitch = CollectiveCase::ELECTRICAL;
        one.ports = 1;
        one.bidirectional = false;
        one.bytes = 56 * one.messageSize * 4; // divided by 7 and by 8
        one.late = MilliSeconds(10);          // the others have done all possible work by then
        one.repeats = 3;
        const CollectiveOutcome ring = RunCollective(one);
        one.algorithm = "straggl-ar";
        const CollectiveOutcome straggl = RunCollective(one);
        NS_TEST_EXPECT_MSG_EQ(ring.findings.size() + straggl.findings.size(), 0, "audit");
        const Picoseconds late = one.repeats * one.late.GetTimeStep();
        const double ringTime = static_cast<double>(ring.lastEnd - late) / one.repeats;
        const double stragglTime = static_cast<double>(straggl.lastEnd - late) / one.repeats;
        // the straggler meets 7 others, one after another, with a seventh of the buffer each; its
        // data spreads meanwhile, and 3 rounds more: at most n - 2 + log2 n in all
        const double chunk = OnTheWire(one.bytes / 7.0, CollectiveCase::RATE);
        const double hop = PathDelay(one) + OnTheWire(one.messageSize, CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_GT(stragglTime, 7 * chunk, "all that the straggler has");
        NS_TEST_EXPECT_MSG_LT(stragglTime, 9 * (chunk + hop), "9 rounds of StragglAR");
        // the ring sends shards of an eighth: in each of its first 7 rounds the straggler has a
        // part
        const double shard = OnTheWire(one.bytes / 8.0, CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_GT(ringTime, 7 * shard, "the straggler's first half at least");
        NS_TEST_EXPECT_MSG_LT(ringTime, 14 * (shard + hop), "14 rounds of a ring");
        NS_TEST_EXPECT_MSG_LT(stragglTime, ringTime, "straggl-ar is faster");
    }
};

/** Streams, dependencies and sends. */
class ProgramTest : public TestCase
{
  public:
    ProgramTest()
        : TestCase("a rank program: streams side by side, dependencies, sends and receives")
    {
    }

  private:
    void DoRun() override
    {
        CollectiveCase one;
        one.ranks = 2;
        const Rail rail = MakeCollectiveRail(one);
        CollectiveHelper collectives;
        const Ptr<CollectiveJob> job = collectives.Install(rail);
        const ApplicationContainer& applications = job->GetApplications();
        const auto group = job->MakeGroup("pair", {0, 1});
        auto sender = std::make_shared<RankProgram>();
        const uint32_t early = sender->Compute(0, ToTime(5'000'000'000), "5 ms");
        const uint32_t beside = sender->Compute(1, ToTime(2'000'000'000), "2 ms beside it");
        const uint32_t send = sender->Send(1, 0, 1, 4 << 20);
        const uint32_t back = sender->Receive(0, 0, 1, 1000);
        sender->After(send, early);
        auto receiver = std::make_shared<RankProgram>();
        receiver->Receive(0, 0, 0, 4 << 20);
        receiver->Compute(0, ToTime(1'000'000'000), "1 ms");
        receiver->Send(0, 0, 0, 1000);
        job->SetProgram(0, sender, {group});
        job->SetProgram(1, receiver, {group});
        applications.Get(0)->TraceConnectWithoutContext("OperationEnded",
                                                        MakeCallback(&ProgramTest::Ended, this));
        RailAudit audit;
        audit.Add(rail);
        audit.Add(applications);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit.Check().size(), 0, "audit");
        NS_TEST_ASSERT_MSG_EQ(m_ends.size(), 4, "operations of rank 0");
        NS_TEST_EXPECT_MSG_EQ(m_ends[beside], 2'000'000'000, "beside the other stream");
        NS_TEST_EXPECT_MSG_EQ(m_ends[early], 5'000'000'000, "computing takes its time");
        const double wire = OnTheWire(4 << 20, 2.0 * CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_GT(m_ends[send], 5e9 + wire, "the send comes after both");
        NS_TEST_EXPECT_MSG_LT(m_ends[send], 5e9 + wire * 1.004 + 2e6, "and takes its bytes");
        NS_TEST_EXPECT_MSG_GT(m_ends[back], 6e9 + wire, "the answer, a millisecond later");
        Simulator::Destroy();
    }

    void Ended(const OperationRecord& record)
    {
        m_ends[record.operation] = record.end.GetTimeStep();
    }

    std::map<uint32_t, Picoseconds> m_ends;
};

/** Published figures of a ring all-reduce of 8 ranks: 14 sends and 14 receives of 131,072 bytes. */
class OthersScheduleTest : public TestCase
{
  public:
    OthersScheduleTest()
        : TestCase(
              "a ring all-reduce of 1 MiB on 8 ranks sends 14 messages of 131,072 bytes a rank")
    {
    }

  private:
    void DoRun() override
    {
        CollectiveCase one;
        one.ranks = 8;
        one.ports = 1;
        one.bidirectional = false;
        one.railSwitch = CollectiveCase::ELECTRICAL;
        one.messageSize = 1 << 20;
        const CollectiveOutcome outcome = RunCollective(one);
        NS_TEST_ASSERT_MSG_EQ(outcome.records.size(), 8, "ranks");
        for (const OperationRecord& record : outcome.records)
        {
            NS_TEST_EXPECT_MSG_EQ(record.messagesSent, 14, "sends");
            NS_TEST_EXPECT_MSG_EQ(record.messagesReceived, 14, "receives");
            NS_TEST_EXPECT_MSG_EQ(record.bytesSent, 14 * 131'072, "of 131,072 bytes");
            NS_TEST_EXPECT_MSG_EQ(record.bytesReceived, 14 * 131'072, "of 131,072 bytes");
        }
    }
};

/** An algorithm whose pairs are not joined gives way to its fallback. */
class FallbackTest : public TestCase
{
  public:
    FallbackTest()
        : TestCase("a log-distance algorithm on a ring of circuits runs its fallback, and says why")
    {
    }

  private:
    void DoRun() override
    {
        CollectiveCase one;
        one.ranks = 8;
        one.algorithm = "halving-doubling";
        const CollectiveOutcome outcome = RunCollective(one);
        NS_TEST_ASSERT_MSG_EQ(outcome.records.size(), 8, "ranks");
        NS_TEST_EXPECT_MSG_EQ(outcome.records[0].algorithm, "ring", "the fallback");
        NS_TEST_EXPECT_MSG_EQ(outcome.records[0].fellBack, true, "it is one");
        NS_TEST_EXPECT_MSG_NE(outcome.records[0].why.find("no circuit joins"),
                              std::string::npos,
                              "why: " << outcome.records[0].why);
        one.algorithm = ""; // whatever the circuits allow
        NS_TEST_EXPECT_MSG_EQ(RunCollective(one).records.at(0).algorithm, "ring", "the choice");
    }
};

/** The suite. */
class CollectiveTestSuite : public TestSuite
{
  public:
    CollectiveTestSuite()
        : TestSuite("photonic-rails-collective", TestSuite::Type::UNIT)
    {
        AddTestCase(new BidirectionalTest);
        AddTestCase(new EveryAlgorithmTest);
        AddTestCase(new MatchingsTest);
        AddTestCase(new StragglerTest);
        AddTestCase(new ProgramTest);
        AddTestCase(new OthersScheduleTest);
        AddTestCase(new FallbackTest);
    }
};

static CollectiveTestSuite g_collectiveTestSuite;

} // namespace
