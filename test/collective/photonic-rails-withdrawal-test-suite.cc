/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The duties of a collective to a broker that withdraws its circuits, that answers late, or that is
// informed of the purpose of circuits.

#include "../support/photonic-rails-collective-bench.h"

#include "ns3/collective-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

/**
 * A broker of circuits that stand. It answers each rank after a random time; now and then it
 * withdraws the circuits of an operation, and gives them again some time after the last rank has
 * returned them.
 */
class RandomBroker : public CircuitBroker
{
  public:
    RandomBroker(std::shared_ptr<const RailLinks> links, uint32_t seed, Time mood)
        : m_links(links),
          m_random(seed),
          m_mood(mood)
    {
    }

    std::string GetWhyNot(const std::vector<RankId>&,
                          const std::vector<std::pair<RankId, RankId>>&) const override
    {
        return "";
    }

    void Request(const CircuitRequest& request, AnswerCallback callback) override
    {
        const uint32_t rank = request.rank.Get();
        NS_ABORT_MSG_IF(m_requests.count({rank, request.stage}) != 0, "asked twice");
        m_requests[{rank, request.stage}] = {request, callback, false};
        m_returning.erase({rank, request.stage});
        if (m_closed)
        {
            return; // it is answered when all have returned theirs
        }
        AnswerLater(rank, request.stage);
    }

    void Finished(const CircuitRequest& request) override
    {
        const std::pair<uint32_t, uint32_t> which{request.rank.Get(), request.stage};
        NS_ABORT_MSG_UNLESS(m_requests.count(which) != 0 && m_requests[which].granted,
                            "finished without circuits");
        m_requests.erase(which);
        m_returning.erase(which);
        ++finished;
        LookAtReturned();
    }

    void BeginIteration(RankId rank) override
    {
        ++iterations[rank.Get()];
    }

    void Leave(RankId rank) override
    {
        left.insert(rank.Get());
    }

    void Hint(const CircuitHint& hint, AnswerCallback callback) override
    {
        hints.push_back(hint);
        if (hint.kind == CircuitHint::Kind::ACQUIRE)
        {
            m_hinted[hint.first.rank.Get()] = callback;
            Simulator::Schedule(MicroSeconds(7),
                                &RandomBroker::AnswerHint,
                                this,
                                hint.first.rank.Get());
        }
    }

    void Start()
    {
        m_event = Simulator::Schedule(m_mood, &RandomBroker::Withdraw, this);
    }

    /** All granted circuits are withdrawn. */
    void Withdraw()
    {
        if (m_requests.empty() && left.size() == m_links->GetRanks())
        {
            return;
        }
        m_closed = true;
        for (auto& [which, pending] : m_requests)
        {
            if (pending.granted)
            {
                m_returning.insert(which);
            }
        }
        const auto returning = m_returning;
        for (const auto& which : returning)
        {
            CircuitAnswer answer;
            answer.network = CircuitAnswer::Network::WITHDRAWN;
            ++withdrawn;
            m_requests[which].callback(answer);
        }
        LookAtReturned();
    }

    std::map<uint32_t, uint32_t> iterations;
    std::set<uint32_t> left;
    std::vector<CircuitHint> hints;
    uint32_t finished{0};
    uint32_t withdrawn{0};
    uint32_t pauses{0};
    uint32_t framesInPauses{0};
    std::vector<Ptr<RailNetDevice>> nics;

  private:
    struct OpenRequest
    {
        CircuitRequest request;
        AnswerCallback callback;
        bool granted{false};
    };

    uint64_t CountFrames() const
    {
        uint64_t frames = 0;
        for (const auto& nic : nics)
        {
            frames += nic->GetCounters().sent;
        }
        return frames;
    }

    void LookAtReturned()
    {
        if (m_closed && m_returning.empty() && m_pause.IsExpired())
        {
            ++pauses;
            m_framesBefore = CountFrames();
            m_pause = Simulator::Schedule(MicroSeconds(5), &RandomBroker::Open, this);
        }
    }

    void Open()
    {
        framesInPauses += CountFrames() - m_framesBefore;
        m_closed = false;
        for (const auto& [which, pending] : m_requests)
        {
            if (!pending.granted)
            {
                AnswerLater(which.first, which.second);
            }
        }
        m_event = Simulator::Schedule(m_mood, &RandomBroker::Withdraw, this);
    }

    void AnswerLater(uint32_t rank, uint32_t stage)
    {
        const Time after = NanoSeconds(std::uniform_int_distribution<int>(0, 3000)(m_random));
        Simulator::Schedule(after, &RandomBroker::Answer, this, rank, stage);
    }

    void Answer(uint32_t rank, uint32_t stage)
    {
        const auto found = m_requests.find({rank, stage});
        if (m_closed || found == m_requests.end() || found->second.granted)
        {
            return;
        }
        found->second.granted = true;
        CircuitAnswer answer;
        answer.links = m_links;
        const AnswerCallback callback = found->second.callback;
        callback(answer);
    }

    void AnswerHint(uint32_t rank)
    {
        m_hinted[rank](CircuitAnswer());
    }

    std::shared_ptr<const RailLinks> m_links;
    std::mt19937 m_random;
    Time m_mood;
    std::map<std::pair<uint32_t, uint32_t>, OpenRequest> m_requests;
    std::set<std::pair<uint32_t, uint32_t>> m_returning;
    std::map<uint32_t, AnswerCallback> m_hinted;
    bool m_closed{false};
    uint64_t m_framesBefore{0};
    EventId m_event;
    EventId m_pause;
};

/** Ranks on an electrical rail, with a moody broker. */
struct RandomBrokerBench
{
    explicit RandomBrokerBench(const CollectiveCase& one, uint32_t seed, Time mood)
        : rail(MakeCollectiveRail(one)),
          broker(
              CreateObject<RandomBroker>(std::make_shared<const RailLinks>(std::vector<Rail>{rail}),
                                         seed,
                                         mood))
    {
        CollectiveHelper collectives;
        collectives.SetBroker(broker);
        collectives.SetAttribute("MessageSize", UintegerValue(one.messageSize));
        collectives.SetAttribute("PointToPointMessageSize", UintegerValue(one.messageSize));
        job = collectives.Install(rail);
        for (uint32_t g = 0; g < rail.GetGpus(); ++g)
        {
            for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
            {
                broker->nics.push_back(rail.GetNic(g, p));
            }
        }
    }

    std::string Run()
    {
        RailAudit audit;
        audit.Add(rail);
        audit.Add(job->GetApplications());
        Simulator::Run();
        std::string findings;
        for (const std::string& line : audit.Check())
        {
            findings += line + "\n";
        }
        return findings;
    }

    Rail rail;
    Ptr<RandomBroker> broker;
    Ptr<CollectiveJob> job;
};

/** Whatever is withdrawn and when, every operation is done once, and nothing is sent in between. */
class WithdrawalTestCase : public TestCase
{
  public:
    WithdrawalTestCase(const std::string& fidelity, const std::string& algorithm)
        : TestCase("Circuits of " + algorithm + " are withdrawn again and again, " + fidelity),
          m_fidelity(fidelity),
          m_algorithm(algorithm)
    {
    }

  private:
    void DoRun() override
    {
        uint32_t withdrawn = 0;
        uint32_t pauses = 0;
        for (uint32_t seed = 1; seed <= 12; ++seed)
        {
            CollectiveCase one;
            one.ranks = m_algorithm == "ring" ? 5 : 4;
            one.railSwitch = CollectiveCase::ELECTRICAL;
            one.fidelity = m_fidelity;
            RandomBrokerBench setup(one, seed, MicroSeconds(4 + seed));
            const auto group = setup.job->MakeGroup("all", FirstRanks(one.ranks));
            auto program = std::make_shared<RankProgram>();
            for (uint32_t i = 0; i < 3; ++i)
            {
                program->BeginIteration();
                program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 3 << 20, m_algorithm);
            }
            for (uint32_t r = 0; r < one.ranks; ++r)
            {
                setup.job->SetProgram(r, program, {group});
            }
            setup.broker->Start();
            NS_TEST_EXPECT_MSG_EQ(setup.Run(), "", "seed " << seed << ": the audit is clean");
            for (uint32_t r = 0; r < one.ranks; ++r)
            {
                NS_TEST_EXPECT_MSG_EQ(setup.job->Get(r)->IsOver(),
                                      true,
                                      "seed " << seed << ": rank " << r << " is through");
                NS_TEST_EXPECT_MSG_EQ(setup.broker->iterations[r], 3, "each iteration is told");
            }
            NS_TEST_EXPECT_MSG_EQ(setup.broker->left.size(), one.ranks, "the end is told");
            NS_TEST_EXPECT_MSG_EQ(setup.broker->framesInPauses,
                                  0,
                                  "seed " << seed << ": nothing is on a wire when all is returned");
            withdrawn += setup.broker->withdrawn;
            pauses += setup.broker->pauses;
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(withdrawn, 100, "it happened in the middle");
        NS_TEST_EXPECT_MSG_GT(pauses, 50, "and often");
    }

    std::string m_fidelity;
    std::string m_algorithm;
};

/** A rank that only receives may have everything before its broker answers. */
class LateAnswerTestCase : public TestCase
{
  public:
    LateAnswerTestCase()
        : TestCase("All has come before the answer does")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 20; ++seed)
        {
            CollectiveCase one;
            one.ranks = 2;
            one.railSwitch = CollectiveCase::ELECTRICAL;
            RandomBrokerBench setup(one, seed, Seconds(1));
            const auto group = setup.job->MakeGroup("pair", {0, 1});
            auto sender = std::make_shared<RankProgram>();
            auto receiver = std::make_shared<RankProgram>();
            for (uint32_t i = 0; i < 5; ++i)
            {
                sender->Send(0, 0, 1, 1000);
                receiver->Receive(0, 0, 0, 1000);
            }
            setup.job->SetProgram(0, sender, {group});
            setup.job->SetProgram(1, receiver, {group});
            NS_TEST_EXPECT_MSG_EQ(setup.Run(), "", "the audit is clean");
            NS_TEST_EXPECT_MSG_EQ(setup.job->Get(1)->IsOver(), true, "all is received");
            NS_TEST_EXPECT_MSG_EQ(setup.broker->finished,
                                  10,
                                  "each stage of each rank is finished");
            Simulator::Destroy();
        }
    }
};

/** A rank program gives the purpose of circuits, and waits for those that it acquires. */
class HintTestCase : public TestCase
{
  public:
    HintTestCase()
        : TestCase("Rank programs say what circuits are for")
    {
    }

  private:
    void Ended(const OperationRecord& record)
    {
        if (record.rank == RankId(0) && record.operation == 3)
        {
            m_start = record.start.GetTimeStep();
        }
    }

    void DoRun() override
    {
        CollectiveCase one;
        one.ranks = 2;
        one.railSwitch = CollectiveCase::ELECTRICAL;
        RandomBrokerBench setup(one, 1, Seconds(1));
        const auto group = setup.job->MakeGroup("dp 0", {0, 1});
        for (uint32_t r = 0; r < 2; ++r)
        {
            auto program = std::make_shared<RankProgram>();
            const uint32_t prefetch = program->Hint(0, CircuitHint::Kind::PREFETCH);
            program->Compute(0, ToTime(1'000'000));
            const uint32_t acquire = program->Hint(0, CircuitHint::Kind::ACQUIRE);
            const uint32_t first =
                program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 20, "ring");
            const uint32_t last =
                program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 20, "ring");
            const uint32_t release = program->Hint(0, CircuitHint::Kind::RELEASE);
            for (const uint32_t hint : {prefetch, acquire, release})
            {
                program->Edit(hint).first = first;
                program->Edit(hint).last = last;
            }
            setup.job->SetProgram(r, program, {group});
        }
        setup.job->GetApplications().Get(0)->TraceConnectWithoutContext(
            "OperationEnded",
            MakeCallback(&HintTestCase::Ended, this));
        NS_TEST_EXPECT_MSG_EQ(setup.Run(), "", "the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(m_start, 8'000'000, "1 us of computing, 7 us for the answer");
        NS_TEST_ASSERT_MSG_EQ(setup.broker->hints.size(), 6, "three of each rank");
        for (const CircuitHint& hint : setup.broker->hints)
        {
            NS_TEST_EXPECT_MSG_EQ(hint.first.operation, 0, "the first operation");
            NS_TEST_EXPECT_MSG_EQ(hint.until, 1, "to the last");
            NS_TEST_EXPECT_MSG_EQ(hint.first.group.Get(), group->GetId().Get(), "in its group");
            const bool isRelease = hint.kind == CircuitHint::Kind::RELEASE;
            NS_TEST_EXPECT_MSG_EQ((isRelease || !hint.first.pairs->empty()),
                                  true,
                                  "with the pairs that it joins");
        }
        Simulator::Destroy();
    }

    Picoseconds m_start{0};
};

/** The suite. */
class WithdrawalTestSuite : public TestSuite
{
  public:
    WithdrawalTestSuite()
        : TestSuite("photonic-rails-withdrawal", TestSuite::Type::UNIT)
    {
        for (const char* algorithm : {"ring", "halving-doubling"})
        {
            AddTestCase(new WithdrawalTestCase("trains", algorithm));
            AddTestCase(new WithdrawalTestCase("events", algorithm));
        }
        AddTestCase(new LateAnswerTestCase);
        AddTestCase(new HintTestCase);
    }
};

static WithdrawalTestSuite g_withdrawalTestSuite;

} // namespace
