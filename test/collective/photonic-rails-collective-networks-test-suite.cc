/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives over more than one rail: through the fabric inside servers, forwarded to another rail
// by a GPU of the same server, and over the network of the hosts where rails have no path.

#include "../support/photonic-rails-collective-bench.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/global-value.h"
#include "ns3/host-network-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

constexpr uint32_t SERVERS = 4;
constexpr uint32_t GPUS = 2; // of a server, and rails

/** A cluster of servers of two GPUs, two rails of two ports a GPU, and what inside. */
class Cluster
{
  public:
    Cluster(bool optical, bool inside, bool hosts)
    {
        UsePicoseconds();
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue("PacketTrains"));
        NodeContainer gpus(SERVERS * GPUS);
        PhotonicRailHelper photonic;
        ElectricalRailHelper electrical;
        RailHelper& helper = optical ? static_cast<RailHelper&>(photonic) : electrical;
        helper.SetPorts(2, DataRate(CollectiveCase::RATE));
        rails = helper.InstallRails(gpus, GPUS);
        RdmaHelper().Install(gpus);
        CollectiveHelper collectives;
        if (inside)
        {
            collectives.SetScaleUp(ScaleUpHelper().Install(gpus, GPUS));
        }
        if (hosts)
        {
            collectives.SetHostNetwork(HostNetworkHelper().Install(NodeContainer(SERVERS)));
        }
        job = collectives.Install(rails);
        applications = job->GetApplications();
        for (uint32_t r = 0; r < applications.GetN(); ++r)
        {
            applications.Get(r)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&CollectiveOutcome::Ended, &outcome));
        }
    }

    /** Runs to the end. */
    void Run()
    {
        RailAudit audit;
        for (const Rail& rail : rails)
        {
            audit.Add(rail);
        }
        audit.Add(applications);
        Simulator::Run();
        outcome.findings = audit.Check();
        outcome.frames = audit.GetTotals().framesSent;
        bytesOnRails = audit.GetTotals().bytesArrived;
        Simulator::Destroy();
    }

    std::vector<Rail> rails;
    Ptr<CollectiveJob> job;
    ApplicationContainer applications;
    CollectiveOutcome outcome;
    uint64_t bytesOnRails{0};
};

/** Most of an all-reduce stays inside the servers. */
class HierarchicalTest : public TestCase
{
  public:
    HierarchicalTest()
        : TestCase("a hierarchical all-reduce puts its g-th part on each rail")
    {
    }

  private:
    void DoRun() override
    {
        Cluster cluster(false, true, false);
        constexpr uint64_t BYTES = 64 << 20;
        const auto group = cluster.job->MakeGroup("all", FirstRanks(SERVERS * GPUS), GPUS);
        cluster.job->Call(group, CollectiveKind::ALL_REDUCE, BYTES, "hierarchical");
        cluster.Run();
        NS_TEST_ASSERT_MSG_EQ(cluster.outcome.findings.size(), 0, "audit");
        NS_TEST_ASSERT_MSG_EQ(cluster.outcome.records.size(), SERVERS * GPUS, "ends");
        // a ring of 4 moves 2 * 3 / 4 of what it has, and each rank has half of the buffer there
        const uint64_t each = 2 * (BYTES / GPUS) / SERVERS * (SERVERS - 1);
        NS_TEST_EXPECT_MSG_EQ(cluster.bytesOnRails, SERVERS * GPUS * each, "bytes on the rails");
        const double rail = each * 8e12 / (2.0 * CollectiveCase::RATE);
        const double inside = 2.0 * BYTES / GPUS * 8e12 / 2.4e12; // NVLink 3 or faster
        NS_TEST_EXPECT_MSG_GT(cluster.outcome.lastEnd, rail, "the rail's part takes its time");
        NS_TEST_EXPECT_MSG_LT(cluster.outcome.lastEnd,
                              1.1 * rail + inside + 200e6,
                              "and the servers' part is not much more");
    }
};

/** Every rank has data for every other, on both rails. */
class ForwardingTest : public TestCase
{
  public:
    ForwardingTest()
        : TestCase("what is for another rail goes through the server's GPU that is on it")
    {
    }

  private:
    void DoRun() override
    {
        Cluster cluster(false, true, false);
        constexpr uint32_t RANKS = SERVERS * GPUS;
        constexpr uint64_t BYTES = RANKS << 18;
        const auto group = cluster.job->MakeGroup("all", FirstRanks(RANKS), GPUS);
        cluster.job->Call(group, CollectiveKind::ALL_TO_ALL, BYTES, "direct");
        cluster.Run();
        NS_TEST_ASSERT_MSG_EQ(cluster.outcome.findings.size(), 0, "audit");
        NS_TEST_ASSERT_MSG_EQ(cluster.outcome.records.size(), RANKS, "ends");
        // data for ranks of other servers goes over a rail once, whichever
        NS_TEST_EXPECT_MSG_EQ(cluster.bytesOnRails,
                              uint64_t{RANKS} * (RANKS - GPUS) * (BYTES / RANKS),
                              "bytes on the rails");
    }
};

/** Without a fabric inside, ranks of different rails do not reach each other. */
class NoWayTest : public TestCase
{
  public:
    NoWayTest()
        : TestCase("no circuit and no other way: the hosts' network carries all of it")
    {
    }

  private:
    void DoRun() override
    {
        Cluster cluster(true, false, true); // optical, and no circuit is set up
        constexpr uint32_t RANKS = SERVERS * GPUS;
        constexpr uint64_t BYTES = RANKS << 16;
        const auto group = cluster.job->MakeGroup("all", FirstRanks(RANKS));
        cluster.job->Call(group, CollectiveKind::ALL_GATHER, BYTES, "ring");
        cluster.Run();
        NS_TEST_ASSERT_MSG_EQ(cluster.outcome.findings.size(), 0, "audit");
        NS_TEST_ASSERT_MSG_EQ(cluster.outcome.records.size(), RANKS, "ends");
        NS_TEST_EXPECT_MSG_EQ(cluster.outcome.frames, 0, "frames on the rails");
        for (const OperationRecord& record : cluster.outcome.records)
        {
            NS_TEST_EXPECT_MSG_EQ(record.bytesReceived, BYTES / RANKS * (RANKS - 1), "all came");
        }
    }
};

/** The suite. */
class CollectiveNetworksTestSuite : public TestSuite
{
  public:
    CollectiveNetworksTestSuite()
        : TestSuite("photonic-rails-collective-networks", TestSuite::Type::UNIT)
    {
        AddTestCase(new HierarchicalTest);
        AddTestCase(new ForwardingTest);
        AddTestCase(new NoWayTest);
    }
};

static CollectiveNetworksTestSuite g_collectiveNetworksTestSuite;

} // namespace
