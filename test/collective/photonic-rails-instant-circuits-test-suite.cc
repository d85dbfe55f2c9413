/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// InstantCircuits, which has the requests of all ranks at once: which rank waits for which, and
// that no circuit is ever cut under traffic.

#include "../support/photonic-rails-collective-bench.h"
#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/instant-circuits.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

using namespace ns3;

namespace
{

/** The operations of a job's ranks, one after another. */
struct Step
{
    uint32_t group;
    CollectiveKind kind;
    uint64_t bytes;
    std::string algorithm;
    std::vector<Picoseconds> compute; //!< before it, by place in the group
};

/** Groups on one rail, and their operations in order. */
struct GroupJob
{
    CollectiveCase one;
    std::vector<std::vector<uint32_t>> groups;
    std::vector<Step> steps;
    uint32_t streams{1};
};

/** The results of a run. */
struct GroupOutcome
{
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> ends; //!< by rank and operation
    std::map<std::string, Picoseconds> starts;              //!< by group: of the first
    std::map<std::string, Picoseconds> lastEnds;            //!< by group
    std::map<std::string, Picoseconds> waited;              //!< by group: the longest
    Picoseconds end{0};
    uint64_t operations{0};
    uint64_t dropped{0};
    uint64_t reconfigurations{0};
    std::string findings;

    void Ended(const OperationRecord& record)
    {
        ++ends[{record.rank.Get(), record.operation}];
        end = std::max(end, record.end.GetTimeStep());
        if (record.call.kind == RankOperation::Kind::COLLECTIVE)
        {
            ++operations;
            Picoseconds& last = lastEnds[record.group];
            last = std::max(last, record.end.GetTimeStep());
            Picoseconds& longest = waited[record.group];
            longest = std::max(longest, record.waited.GetTimeStep());
        }
    }
};

/** Runs it. */
GroupOutcome
RunGroups(const GroupJob& job)
{
    const HostBench::Case self;
    const Rail rail = MakeCollectiveRail(job.one);
    const auto broker =
        CreateObject<InstantCircuits>(std::make_shared<const RailLinks>(std::vector<Rail>{rail}));
    CollectiveHelper helper;
    helper.SetBroker(broker);
    helper.SetAttribute("MessageSize", UintegerValue(job.one.messageSize));
    const Ptr<CollectiveJob> collectives = helper.Install(rail);
    const ApplicationContainer& applications = collectives->GetApplications();
    CollectiveApplication::Groups groups;
    for (const auto& ranks : job.groups)
    {
        groups.push_back(collectives->MakeGroup("group " + std::to_string(groups.size()), ranks));
    }
    GroupOutcome outcome;
    for (uint32_t r = 0; r < job.one.ranks; ++r)
    {
        auto program = std::make_shared<RankProgram>();
        CollectiveApplication::Groups own;
        std::map<uint32_t, uint32_t> number;
        for (const Step& step : job.steps)
        {
            const auto& ranks = job.groups[step.group];
            const auto place = std::find(ranks.begin(), ranks.end(), r);
            if (place == ranks.end())
            {
                continue;
            }
            const auto isNew = number.try_emplace(step.group, own.size());
            if (isNew.second)
            {
                own.push_back(groups[step.group]);
            }
            const uint32_t stream = step.group % job.streams;
            if (!step.compute.empty())
            {
                program->Compute(stream, ToTime(step.compute[place - ranks.begin()]));
            }
            program->Collective(stream, isNew.first->second, step.kind, step.bytes, step.algorithm);
        }
        if (!own.empty())
        {
            collectives->SetProgram(r, program, own);
        }
        applications.Get(r)->TraceConnectWithoutContext(
            "OperationEnded",
            MakeCallback(&GroupOutcome::Ended, &outcome));
    }
    RailAudit audit;
    audit.Add(rail);
    audit.Add(applications);
    Simulator::Run();
    for (const std::string& line : audit.Check())
    {
        outcome.findings += line + "\n";
    }
    outcome.dropped = audit.GetTotals().framesDropped;
    outcome.reconfigurations = broker->GetReconfigurations();
    return outcome;
}

CollectiveCase
Reconfiguration(uint32_t ranks, uint32_t ports = 2)
{
    CollectiveCase one;
    one.ranks = ranks;
    one.ports = ports;
    one.railSwitch = CollectiveCase::RECONFIGURING;
    return one;
}

/** Two groups, each with one operation. */
class TwoGroupsTest : public TestCase
{
  protected:
    using TestCase::TestCase;

    /** @return the job */
    static GroupJob MakeJob(uint32_t ranks, const std::vector<std::vector<uint32_t>>& groups)
    {
        UsePicoseconds();
        GroupJob job{Reconfiguration(ranks), groups, {}};
        job.steps = {{0, CollectiveKind::ALL_GATHER, 1 << 20, "ring", {}},
                     {1, CollectiveKind::ALL_GATHER, 1 << 20, "ring", {}}};
        return job;
    }

    /** Both reconfigure at once. @return the outcome */
    GroupOutcome ExpectSideBySide(const GroupJob& job, uint32_t operations)
    {
        const Picoseconds time = job.one.reconfiguration.GetTimeStep();
        const GroupOutcome side = RunGroups(job);
        NS_TEST_EXPECT_MSG_EQ(side.operations, operations, "all of them");
        NS_TEST_EXPECT_MSG_EQ(side.reconfigurations, 2, "each its own");
        NS_TEST_EXPECT_MSG_EQ(side.waited.at("group 0"), time, "a reconfiguration time");
        NS_TEST_EXPECT_MSG_EQ(side.waited.at("group 1"), time, "at the same time");
        NS_TEST_EXPECT_MSG_EQ(side.findings, "", "audit");
        return side;
    }

    /** The second reconfigures when the first is over. */
    void ExpectTurns(const GroupJob& job, uint32_t operations)
    {
        const Picoseconds time = job.one.reconfiguration.GetTimeStep();
        const GroupOutcome turns = RunGroups(job);
        NS_TEST_EXPECT_MSG_EQ(turns.operations, operations, "all of them");
        NS_TEST_EXPECT_MSG_EQ(turns.reconfigurations, 2, "each its own");
        NS_TEST_EXPECT_MSG_EQ(turns.waited.at("group 0"), time, "the first goes first");
        NS_TEST_EXPECT_MSG_EQ(turns.waited.at("group 1"),
                              turns.lastEnds.at("group 0") + time,
                              "the second reconfigures when the first is over");
        NS_TEST_EXPECT_MSG_EQ(turns.dropped, 0, "nothing is cut");
        NS_TEST_EXPECT_MSG_EQ(turns.findings, "", "audit");
    }
};

/** Which rank waits for which. */
class TurnsTest : public TwoGroupsTest
{
  public:
    TurnsTest()
        : TwoGroupsTest("groups that share ranks take turns, others turn at the same time")
    {
    }

  private:
    void DoRun() override
    {
        const GroupOutcome side = ExpectSideBySide(MakeJob(4, {{0, 1}, {2, 3}}), 4);
        NS_TEST_EXPECT_MSG_EQ(side.lastEnds.at("group 0"), side.lastEnds.at("group 1"), "alike");
        GroupJob shared = MakeJob(5, {{0, 1, 2}, {2, 3, 4}});
        shared.streams = 2; // rank 2 calls both at once
        ExpectTurns(shared, 6);
    }
};

/** Which stage waits for which on a fabric that cannot set all circuits together. */
class FabricTurnsTest : public TwoGroupsTest
{
  public:
    FabricTurnsTest()
        : TwoGroupsTest(
              "groups without common ranks take turns on a mesh that has no routes for both")
    {
    }

  private:
    void DoRun() override
    {
        // ports 0 and 1 to 4 and 5, and 2 and 3 to 6 and 7: each circuit crosses those of the other
        // group, once round the mesh, whose 19 cells have routes for either group
        GroupJob job = MakeJob(4, {{0, 2}, {1, 3}});
        job.one.fabric = "ns3::HexagonalMeshFabric[Rows=2|Columns=2]";
        ExpectTurns(job, 4);
        job.one.fabric = "hexagonal"; // with room for both
        ExpectSideBySide(job, 4);
    }
};

/** Circuits that stand are kept. */
class StayingTest : public TestCase
{
  public:
    StayingTest()
        : TestCase("circuits that are there already are no reconfiguration")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t ranks : {2, 4})
        {
            for (const uint32_t ports : {2, 4})
            {
                GroupJob job{Reconfiguration(ranks, ports), {FirstRanks(ranks)}, {}};
                for (int i = 0; i < 3; ++i)
                {
                    job.steps.push_back({0, CollectiveKind::ALL_REDUCE, 1 << 20, "ring", {}});
                }
                const GroupOutcome outcome = RunGroups(job);
                NS_TEST_EXPECT_MSG_EQ(outcome.operations, 3 * ranks, "all of them");
                NS_TEST_EXPECT_MSG_EQ(outcome.reconfigurations, 1, "the first finds nothing");
                job.one.railSwitch = CollectiveCase::RING; // the same circuits, before it begins
                const GroupOutcome ring = RunGroups(job);
                NS_TEST_EXPECT_MSG_EQ(ring.operations, 3 * ranks, "all of them");
                NS_TEST_EXPECT_MSG_EQ(ring.reconfigurations, 0, "the first finds all");
                NS_TEST_EXPECT_MSG_EQ(ring.waited.at("group 0"), 0, "and waits for nothing");
            }
        }
    }
};

/** Circuits that can never be. */
class WhyNotTest : public TestCase
{
  public:
    WhyNotTest()
        : TestCase("what can never be joined is refused with the reason")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        PhotonicRailHelper helper;
        helper.SetPorts(2, DataRate("200Gbps"));
        const auto rails = helper.InstallRails(NodeContainer(8), 2); // ranks 0, 2, 4, 6 on rail 0
        const auto broker = CreateObject<InstantCircuits>(std::make_shared<const RailLinks>(rails));
        const auto why = [&broker](const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
            std::vector<std::pair<RankId, RankId>> ids;
            for (const auto& [one, other] : pairs)
            {
                ids.emplace_back(one, other);
            }
            return broker->GetWhyNot({}, ids);
        };
        NS_TEST_EXPECT_MSG_EQ(why({}), "", "nothing");
        NS_TEST_EXPECT_MSG_EQ(why({{0, 2}, {2, 4}, {4, 6}, {0, 6}}), "", "a ring on one rail");
        NS_TEST_EXPECT_MSG_EQ(why({{0, 2}, {1, 3}}), "", "pairs on both rails");
        NS_TEST_EXPECT_MSG_EQ(
            why({{0, 2}, {2, 3}}),
            "rank 2 is on rail 0 and rank 3 on rail 1: no circuit joins two rails, and "
            "no fabric inside a server leads to a relay",
            "from rail to rail");
        NS_TEST_EXPECT_MSG_EQ(why({{0, 2}, {0, 4}, {0, 6}}),
                              "rank 0 is to be joined to 3 others at once, and has 2 ports: 3 > 2",
                              "a star");
    }
};

/** A stage in which ranks exchange over circuits and over the fabric of a server. */
class IntraNodeTest : public TestCase
{
  public:
    IntraNodeTest()
        : TestCase("circuits wait for a rank that needs none, and is joined by the fabric")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        PhotonicRailHelper helper;
        helper.SetPorts(1, DataRate("200Gbps"));
        const auto rails = helper.InstallRails(NodeContainer(4), 2); // servers 0 1 and 2 3
        const auto broker = CreateObject<InstantCircuits>(std::make_shared<const RailLinks>(rails));
        Request(broker, 0);
        Request(broker, 2);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(broker->GetReconfigurations(), 0, "rank 1 has not requested");
        NS_TEST_EXPECT_MSG_EQ(m_answers, 0, "no answer");
        Request(broker, 1);
        NS_TEST_EXPECT_MSG_EQ(m_answers, 1, "it needs no circuit");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_answers, 3, "the others have theirs");
        for (const uint32_t rank : {0, 1, 2})
        {
            broker->Finished(MakeRequest(rank));
        }
        Simulator::Destroy();
    }

    static CircuitRequest MakeRequest(uint32_t rank)
    {
        using Pairs = std::vector<std::pair<RankId, RankId>>;
        CircuitRequest request;
        request.rank = RankId(rank);
        request.group = GroupId(0);
        request.pairs = std::make_shared<Pairs>(Pairs{{RankId(0), RankId(2)}});
        request.intraNode = std::make_shared<Pairs>(Pairs{{RankId(0), RankId(1)}});
        return request;
    }

    void Request(Ptr<InstantCircuits> broker, uint32_t rank)
    {
        broker->Request(MakeRequest(rank), MakeCallback(&IntraNodeTest::Answered, this));
    }

    void Answered(const CircuitAnswer&)
    {
        ++m_answers;
    }

    uint32_t m_answers{0};
};

/** A port that lets no light pass. */
class StuckTest : public TestCase
{
  public:
    StuckTest()
        : TestCase("a stuck port ends in a refusal with the switch's words, now and later")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const Ending ending = RunInChild([this] { Run(true); });
        NS_TEST_EXPECT_MSG_EQ(ending.aborted, true, "it stops the run");
        NS_TEST_EXPECT_MSG_EQ(
            ending.HasLineWith({"circuits are refused", "no light through port", "stuck dark"}),
            true,
            ending.output);
        Run(false);
        NS_TEST_EXPECT_MSG_EQ(m_failed.size(), 2, "both ranks are told");
        for (const OperationRecord& record : m_failed)
        {
            NS_TEST_EXPECT_MSG_LT(record.rank.Get(), 2, "whose port it is");
            NS_TEST_EXPECT_MSG_EQ((record.why.find("stuck dark") != std::string::npos),
                                  true,
                                  record.why);
        }
        NS_TEST_EXPECT_MSG_EQ(m_ended.size(), 2, "the others go on");
        // a later request for the same circuits is refused too
        NS_TEST_EXPECT_MSG_EQ(m_answers.size(), 2, "answers");
        for (const CircuitAnswer& answer : m_answers)
        {
            NS_TEST_EXPECT_MSG_EQ((answer.network == CircuitAnswer::Network::NONE),
                                  true,
                                  "refused");
            NS_TEST_EXPECT_MSG_EQ((answer.why.find("stuck dark") != std::string::npos),
                                  true,
                                  answer.why);
        }
    }

    void Run(bool abort)
    {
        const CollectiveCase one = Reconfiguration(4);
        const Rail rail = MakeCollectiveRail(one);
        const auto broker = CreateObject<InstantCircuits>(
            std::make_shared<const RailLinks>(std::vector<Rail>{rail}));
        CollectiveHelper helper;
        helper.SetBroker(broker);
        helper.SetAttribute("AbortOnFailure", BooleanValue(abort));
        const Ptr<CollectiveJob> collectives = helper.Install(rail);
        const ApplicationContainer& applications = collectives->GetApplications();
        rail.GetOpticalSwitch()->SetFault(rail.GetSwitchPort(1, 1), PortFault::STUCK_DARK);
        collectives->Call(collectives->MakeGroup("stuck", {0, 1}),
                          CollectiveKind::ALL_REDUCE,
                          1 << 20,
                          "ring");
        collectives->Call(collectives->MakeGroup("well", {2, 3}),
                          CollectiveKind::ALL_REDUCE,
                          1 << 20,
                          "ring");
        for (uint32_t r = 0; r < 4; ++r)
        {
            applications.Get(r)->TraceConnectWithoutContext("OperationFailed",
                                                            MakeCallback(&StuckTest::Failed, this));
            applications.Get(r)->TraceConnectWithoutContext("OperationEnded",
                                                            MakeCallback(&StuckTest::Ended, this));
        }
        Simulator::Schedule(MilliSeconds(1), &StuckTest::RequestAgain, this, PeekPointer(broker));
        Simulator::Run();
        Simulator::Destroy();
    }

    void RequestAgain(InstantCircuits* broker)
    {
        CircuitRequest request;
        request.group = GroupId(7);
        request.pairs = std::make_shared<const std::vector<std::pair<RankId, RankId>>>(
            1,
            std::make_pair(RankId(0), RankId(1)));
        for (const uint32_t rank : {0, 1})
        {
            request.rank = RankId(rank);
            broker->Request(request, MakeCallback(&StuckTest::Answered, this));
        }
    }

    void Answered(const CircuitAnswer& answer)
    {
        m_answers.push_back(answer);
    }

    void Failed(const OperationRecord& record)
    {
        m_failed.push_back(record);
    }

    void Ended(const OperationRecord& record)
    {
        m_ended.push_back(record);
    }

    std::vector<OperationRecord> m_failed;
    std::vector<OperationRecord> m_ended;
    std::vector<CircuitAnswer> m_answers;
};

/** Any operations of ranks, in an order that they agree on. */
class RandomJobsTest : public TestCase
{
  public:
    RandomJobsTest()
        : TestCase("random jobs: every operation ends once, nothing is cut, both fidelities agree")
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t seed = 1; seed <= JOBS; ++seed)
        {
            std::mt19937_64 random(seed);
            GroupJob job = Draw(random);
            const GroupOutcome trains = RunGroups(job);
            job.one.fidelity = "events";
            const GroupOutcome events = RunGroups(job);
            uint64_t operations = 0;
            for (const Step& step : job.steps)
            {
                operations += job.groups[step.group].size();
            }
            NS_TEST_EXPECT_MSG_EQ(trains.operations, operations, "job " << seed << ": all end");
            for (const auto& [operation, ends] : trains.ends)
            {
                NS_TEST_EXPECT_MSG_EQ(ends, 1, "job " << seed << ": each ends once");
            }
            NS_TEST_EXPECT_MSG_EQ(trains.findings, "", "job " << seed << ": audit");
            NS_TEST_EXPECT_MSG_EQ(events.findings, "", "job " << seed << ": audit");
            NS_TEST_EXPECT_MSG_EQ(trains.dropped, 0, "job " << seed << ": nothing is cut");
            NS_TEST_EXPECT_MSG_EQ(events.dropped, 0, "job " << seed << ": nothing is cut");
            NS_TEST_EXPECT_MSG_EQ(trains.end, events.end, "job " << seed << ": both fidelities");
            NS_TEST_EXPECT_MSG_EQ(trains.reconfigurations,
                                  events.reconfigurations,
                                  "job " << seed << ": both fidelities");
            NS_TEST_EXPECT_MSG_EQ((trains.lastEnds == events.lastEnds),
                                  true,
                                  "job " << seed << ": group by group");
            m_reconfigurations += trains.reconfigurations;
        }
        NS_TEST_EXPECT_MSG_GT(m_reconfigurations, 3 * JOBS, "circuits do turn");
    }

    /** @return a job */
    GroupJob Draw(std::mt19937_64& random) const
    {
        GroupJob job;
        job.one = Reconfiguration(3 + random() % 6, 2 << random() % 2);
        job.one.messageSize = 1 << (12 + random() % 5);
        job.one.reconfiguration = MicroSeconds(1 + random() % 100);
        job.streams = 1 + random() % 3;
        for (uint64_t g = 2 + random() % 4; g > 0; --g)
        {
            std::vector<uint32_t> ranks = FirstRanks(job.one.ranks);
            std::shuffle(ranks.begin(), ranks.end(), random);
            ranks.resize(2 + random() % (job.one.ranks - 1));
            job.groups.push_back(ranks);
        }
        static const CollectiveKind KINDS[] = {CollectiveKind::ALL_REDUCE,
                                               CollectiveKind::ALL_GATHER,
                                               CollectiveKind::REDUCE_SCATTER,
                                               CollectiveKind::BROADCAST,
                                               CollectiveKind::REDUCE,
                                               CollectiveKind::ALL_TO_ALL};
        for (uint64_t s = 2 + random() % 6; s > 0; --s)
        {
            Step step;
            step.group = random() % job.groups.size();
            step.kind = KINDS[random() % std::size(KINDS)];
            // by rounds of other pairs each, or by one ring; or whatever is fastest
            const bool rounds = step.kind == CollectiveKind::ALL_TO_ALL;
            step.algorithm = random() % 2 == 0 ? "" : rounds ? "matchings" : "ring";
            step.bytes = random() % 4 == 0 ? random() % 100 : random() % 300'000;
            for (std::size_t r = 0; r < job.groups[step.group].size(); ++r)
            {
                step.compute.push_back(random() % 3 == 0 ? 0 : random() % 100'000'000);
            }
            job.steps.push_back(step);
        }
        return job;
    }

    static constexpr uint64_t JOBS = 200;
    uint64_t m_reconfigurations{0};
};

/** The suite. */
class InstantCircuitsTestSuite : public TestSuite
{
  public:
    InstantCircuitsTestSuite()
        : TestSuite("photonic-rails-instant-circuits", TestSuite::Type::UNIT)
    {
        AddTestCase(new FabricTurnsTest);
        AddTestCase(new TurnsTest);
        AddTestCase(new StayingTest);
        AddTestCase(new WhyNotTest);
        AddTestCase(new IntraNodeTest);
        AddTestCase(new StuckTest);
        AddTestCase(new RandomJobsTest);
    }
};

static InstantCircuitsTestSuite g_instantCircuitsTestSuite;

} // namespace
