/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Mistakes with RDMA: each is answered in one line that names the value, the limit and the remedy.
// And the audit: it finds sums that do not agree.

#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-rail-bench.h"

#include "ns3/photonic-rail-helper.h"
#include "ns3/rail-audit.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/** @return hosts on a rail, with RDMA and circuits two by two */
Rail
MakeRdmaRail(uint32_t hosts)
{
    const Rail rail = PhotonicRailHelper().Install(NodeContainer(hosts));
    NodeContainer nodes;
    for (uint32_t h = 0; h < hosts; ++h)
    {
        nodes.Add(rail.GetGpu(h));
    }
    RdmaHelper().Install(nodes);
    return rail;
}

/** @return the mistake of a timer of DCQCN that takes no time */
Mistake
WithTimer(const std::string& timer)
{
    return {timer + " of 0",
            [timer] {
                const Rail rail = MakeRdmaRail(2);
                Ptr<RdmaEngine> engine = rail.GetGpu(0)->GetObject<RdmaEngine>();
                engine->SetAttribute("CongestionControl",
                                     StringValue("ns3::DcqcnControl[" + timer + "=0s]"));
                RdmaEngine::Connect(rail.GetGpu(0), rail.GetGpu(1));
            },
            {"DcqcnControl", timer + " of 0 ps", "at least 1 ps"}};
}

std::vector<Mistake>
MistakesWithRdma()
{
    return {
        {"a node without an engine",
         [] {
             const Rail rail = MakeRdmaRail(2);
             RdmaEngine::Connect(rail.GetGpu(0), CreateObject<Node>());
         },
         {"has no RdmaEngine", "RdmaHelper"}},
        {"a node that is null",
         [] { RdmaEngine::Connect(MakeRdmaRail(2).GetGpu(0), Ptr<Node>()); },
         {"one of the nodes is null"}},
        {"a node with itself",
         [] {
             const Rail rail = MakeRdmaRail(2);
             RdmaEngine::Connect(rail.GetGpu(0), rail.GetGpu(0));
         },
         {"connected to itself", "two nodes"}},
        {"ends with different MTUs",
         [] {
             const Rail rail = MakeRdmaRail(2);
             rail.GetGpu(1)->GetObject<RdmaEngine>()->SetAttribute("Mtu", UintegerValue(1024));
             RdmaEngine::Connect(rail.GetGpu(0), rail.GetGpu(1));
         },
         {"4096", "1024", "set both to the same"}},
        {"ends that start at different PSNs",
         [] {
             const Rail rail = MakeRdmaRail(2);
             rail.GetGpu(1)->GetObject<RdmaEngine>()->SetAttribute("InitialPsn", UintegerValue(9));
             RdmaEngine::Connect(rail.GetGpu(0), rail.GetGpu(1));
         },
         {"InitialPsn", "set both to the same"}},
        {"an MTU that is none",
         [] {
             const Rail rail = MakeRdmaRail(2);
             for (uint32_t h = 0; h < 2; ++h)
             {
                 rail.GetGpu(h)->GetObject<RdmaEngine>()->SetAttribute("Mtu", UintegerValue(1500));
             }
             RdmaEngine::Connect(rail.GetGpu(0), rail.GetGpu(1));
         },
         {"1500", "256, 512, 1024, 2048 or 4096"}},
        WithTimer("AlphaTimer"),
        WithTimer("RateTimer"),
        {"a port that there is not",
         [] {
             const Rail rail = MakeRdmaRail(2);
             RdmaEngine::Connect(rail.GetGpu(0), rail.GetGpu(1), {{0, 3}});
         },
         {"no port 3", "1 ports"}},
        {"no ports at all",
         [] {
             const Rail rail = MakeRdmaRail(2);
             RdmaEngine::Connect(rail.GetGpu(0),
                                 rail.GetGpu(1),
                                 std::vector<RdmaEngine::PortPair>());
         },
         {"at least 1 pair of ports"}},
        {"a port without a fiber",
         [] {
             const Rail rail = MakeRdmaRail(2);
             Ptr<Node> node = CreateObject<Node>();
             Ptr<RailNetDevice> nic = CreateObject<RailNetDevice>();
             node->AddDevice(nic);
             RdmaHelper().Install(NodeContainer(node));
             RdmaEngine::Connect(rail.GetGpu(0), node);
         },
         {"port 0 has no fiber"}},
        {"an address that nobody has",
         [] { RdmaEngine::Connect(MakeRdmaRail(2).GetGpu(0), Mac48Address("02:00:00:00:00:77")); },
         {"02:00:00:00:00:77", "RdmaHelper::Install"}},
        {"a second engine",
         [] { RdmaHelper().Install(NodeContainer(MakeRdmaRail(2).GetGpu(0))); },
         {"has an RdmaEngine already"}},
        {"an engine on no rail",
         [] { RdmaHelper().Install(NodeContainer(1)); },
         {"is on no rail", "install the rails first"}},
    };
}

} // namespace

/** A run that stops in the midst of traffic does not add up, and the audit names the place. */
class AuditTest : public TestCase
{
  public:
    AuditTest()
        : TestCase("the audit finds what is in the midst of something, and nothing else")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool stop : {true, false})
        {
            RailBench bench(2, 100'000'000'000, 50'000);
            RdmaHelper().Install(NodeContainer(bench.rail.GetGpu(0), bench.rail.GetGpu(1)));
            bench.Join(0, 1);
            const auto ends = RdmaEngine::Connect(bench.rail.GetGpu(0), bench.rail.GetGpu(1));
            RailAudit audit;
            audit.Add(bench.rail);
            bench.At(1000, [&] { ends.first->Post(RdmaVerb::WRITE, 1'000'000); });
            if (stop)
            {
                Simulator::Stop(MicroSeconds(10));
            }
            bench.Run();
            bench.audited = !stop;
            std::string all;
            for (const std::string& line : audit.Check())
            {
                all += line + "\n";
            }
            NS_TEST_EXPECT_MSG_EQ(all.empty(), !stop, all);
            NS_TEST_EXPECT_MSG_EQ((all.find("messages posted at node") != std::string::npos),
                                  stop,
                                  all);
            NS_TEST_EXPECT_MSG_EQ(
                (all.find("frames that went into the fiber") != std::string::npos),
                stop,
                all);
            const RailAudit::Totals totals = audit.GetTotals();
            NS_TEST_EXPECT_MSG_EQ(totals.messagesPosted, 1, "one message");
            NS_TEST_EXPECT_MSG_EQ(totals.bytesArrived, (stop ? 0 : 1'000'000), "its bytes");
        }
    }
};

/** The suite of mistakes with RDMA. */
class RdmaMistakesTestSuite : public TestSuite
{
  public:
    RdmaMistakesTestSuite()
        : TestSuite("photonic-rails-rdma-mistakes", TestSuite::Type::UNIT)
    {
        AddTestCase(new MistakesTest("mistakes with RDMA", MistakesWithRdma()));
        AddTestCase(new AuditTest);
    }
};

static RdmaMistakesTestSuite g_rdmaMistakesTestSuite;
