/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The algorithm of an operation: by the data that all ranks have, or by the choice of the first
// rank.

#include "../support/photonic-rails-collective-bench.h"
#include "../support/time-units.h"

#include "ns3/collective-helper.h"
#include "ns3/host-network-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <set>
#include <sstream>

using namespace ns3;

namespace
{

constexpr uint32_t RANKS = 4;
constexpr Picoseconds BOOTSTRAPPING = 70 * US; //!< BootstrapLatency

/** A broker whose rank has measured how long it is idle before an operation. */
class MeasuringBroker : public StandingCircuits
{
  public:
    MeasuringBroker(std::shared_ptr<const Connectivity> links, Time window)
        : StandingCircuits(std::move(links)),
          m_window(window)
    {
    }

    PathCosts GetCosts(const CostQuestion&) const override
    {
        PathCosts costs;
        costs.reconfiguration = MilliSeconds(100);
        costs.window = m_window;
        costs.hostBytesPerSecond = 1'250'000'000;
        costs.hostHopLatency = MicroSeconds(30);
        return costs;
    }

    bool HasOwnCosts() const override
    {
        return true;
    }

  private:
    Time m_window;
};

/** The operations of ranks that have measured differently. */
class OwnCostsTest : public TestCase
{
  public:
    OwnCostsTest()
        : TestCase("Ranks that have measured differently do what the first rank of the group says")
    {
    }

  private:
    std::vector<OperationRecord> m_records;

    void Ended(const OperationRecord& record)
    {
        if (record.call.kind != RankOperation::Kind::COMPUTE)
        {
            m_records.push_back(record);
        }
    }

    /** @param idle the one rank that could hide reconfiguration @param first the rank that calls
     * first */
    void RunWith(uint32_t idle, uint32_t first, bool send)
    {
        m_records.clear();
        CollectiveCase one;
        one.ranks = RANKS;
        one.railSwitch = CollectiveCase::ELECTRICAL;
        const Rail rail = MakeCollectiveRail(one);
        CollectiveHelper collectives;
        const auto links = std::make_shared<const RailLinks>(std::vector<Rail>{rail});
        std::vector<Ptr<CircuitBroker>> brokers;
        for (uint32_t r = 0; r < RANKS; ++r)
        {
            // no window: the network of the hosts takes least; a long one: circuits do
            brokers.push_back(
                CreateObject<MeasuringBroker>(links, MilliSeconds(r == idle ? 200 : 0)));
        }
        collectives.SetBrokers(brokers);
        collectives.SetHostNetwork(HostNetworkHelper().Install(NodeContainer(RANKS)));
        collectives.SetAttribute("BootstrapLatency", TimeValue(PicoSeconds(BOOTSTRAPPING)));
        const Ptr<CollectiveJob> job = collectives.Install(rail);
        const ApplicationContainer& applications = job->GetApplications();
        // not in the order of ranks: rank 2 is the first of the group, and sends
        const auto group = job->MakeGroup("all", {2, 0, 3, 1});
        std::vector<Picoseconds> calls(RANKS);
        for (uint32_t r = 0; r < RANKS; ++r)
        {
            calls[r] = (r + RANKS - first) % RANKS * 200 * US + US;
            auto program = std::make_shared<RankProgram>();
            program->Compute(0, ToTime(calls[r]));
            if (!send)
            {
                program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 4096);
            }
            else if (r == 2)
            {
                program->Send(0, 0, 1, 4096);
            }
            else if (r == 0)
            {
                program->Receive(0, 0, 0, 4096);
            }
            job->SetProgram(r, program, {group});
            applications.Get(r)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&OwnCostsTest::Ended, this));
        }
        RailAudit audit;
        audit.Add(rail);
        audit.Add(applications);
        Simulator::Run();
        std::ostringstream name;
        name << "rank " << idle << " is idle, rank " << first << " is first"
             << (send ? ", a send" : "");
        NS_TEST_EXPECT_MSG_EQ(audit.Check().size(), 0, name.str() << ": the audit");
        NS_TEST_ASSERT_MSG_EQ(m_records.size(), (send ? 2 : RANKS), name.str());
        for (const OperationRecord& record : m_records)
        {
            NS_TEST_EXPECT_MSG_EQ(record.host, (idle != 2), name.str() << ": " << record.reason);
            NS_TEST_EXPECT_MSG_EQ(record.start.GetTimeStep(), calls[record.rank.Get()], name.str());
            if (record.rank != RankId(2))
            {
                // what a sender has sent without circuits may be there by then
                NS_TEST_EXPECT_MSG_GT_OR_EQ(record.end.GetTimeStep(),
                                            calls[2] + BOOTSTRAPPING,
                                            name.str() << ": once told");
            }
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        for (uint32_t idle = 0; idle < RANKS; ++idle)
        {
            for (uint32_t first = 0; first < RANKS; ++first)
            {
                RunWith(idle, first, false);
                RunWith(idle, first, true);
            }
        }
    }
};

/** The operations of ranks that choose by themselves. */
class DerivedTest : public TestCase
{
  public:
    DerivedTest()
        : TestCase("What follows from what all have takes no word, whichever rank calls first")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> algorithms;
        for (uint32_t late = 0; late < RANKS; ++late)
        {
            CollectiveCase one;
            one.ranks = RANKS;
            const Rail rail = MakeCollectiveRail(one);
            CollectiveHelper collectives;
            const Ptr<CollectiveJob> job = collectives.Install(rail);
            const ApplicationContainer& applications = job->GetApplications();
            const auto group = job->MakeGroup("all", FirstRanks(RANKS));
            CollectiveOutcome outcome;
            for (uint32_t r = 0; r < RANKS; ++r)
            {
                auto program = std::make_shared<RankProgram>();
                program->Compute(0, ToTime(r == late ? 500 * US : 0));
                program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20);
                job->SetProgram(r, program, {group});
                applications.Get(r)->TraceConnectWithoutContext(
                    "OperationEnded",
                    MakeCallback(&CollectiveOutcome::Ended, &outcome));
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(outcome.records.size(), RANKS, "all are over");
            for (const OperationRecord& record : outcome.records)
            {
                algorithms.insert(record.algorithm + " " + record.reason);
            }
            // a megabyte of an all-reduce goes around in some 40 us, and no rank waits for a report
            NS_TEST_EXPECT_MSG_LT(outcome.lastEnd, 600 * US, "at once when the last rank calls");
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(algorithms.size(), 1, "all the same");
    }
};

/** The suite. */
class AgreementTestSuite : public TestSuite
{
  public:
    AgreementTestSuite()
        : TestSuite("photonic-rails-agreement", TestSuite::Type::UNIT)
    {
        AddTestCase(new OwnCostsTest);
        AddTestCase(new DerivedTest);
    }
};

static AgreementTestSuite g_agreementTestSuite;

} // namespace
