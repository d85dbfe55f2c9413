/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Helpers as ns-3 has them: nodes by container, pointer and name, circuits of a ring, plans for an
// instant, and streams for all random variables.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/collective-helper.h"
#include "ns3/data-rate.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/names.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/opus-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <set>

using namespace ns3;

namespace
{

constexpr Picoseconds RECONFIGURATION = 1'000'000; // the bench's

/** A rail of some GPUs with some ports each. */
RailBench
MakeBench(uint32_t gpus, uint32_t ports)
{
    return RailBench(gpus, RATE, FIBER, [ports](PhotonicRailHelper& helper) {
        helper.SetPorts(ports, DataRate(RATE));
    });
}

/** @return the circuits of the switch */
std::set<Circuit>
CircuitsOf(const RailBench& bench)
{
    const auto circuits = bench.ocs->GetMap().GetCircuits();
    return {circuits.begin(), circuits.end()};
}

/** ConnectRing(): every GPU is joined to both of its neighbours. */
class RingTest : public TestCase
{
  public:
    RingTest()
        : TestCase("a ring joins each GPU to the next by its port 1, and to the one before by 0")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t gpus = 2; gpus <= 5; ++gpus)
        {
            for (uint32_t ports = 2; ports <= 4; ++ports)
            {
                const RailBench bench = MakeBench(gpus, ports);
                const CircuitPlanReport report = PhotonicRailHelper::ConnectRing(bench.rail);
                NS_TEST_EXPECT_MSG_EQ((report.status == CircuitPlanStatus::DONE), true, "at once");
                std::set<Circuit> expected;
                for (uint32_t gpu = 0; gpu < gpus; ++gpu)
                {
                    // port p of GPU g is switch port g * ports + p
                    expected.insert({PortId(gpu * ports + 1), PortId((gpu + 1) % gpus * ports)});
                }
                NS_TEST_EXPECT_MSG_EQ(expected.size(), gpus, "as many circuits as GPUs");
                NS_TEST_EXPECT_MSG_EQ((CircuitsOf(bench) == expected),
                                      true,
                                      gpus << " GPUs of " << ports << " ports");
            }
        }
        const RailBench pair = MakeBench(2, 1);
        PhotonicRailHelper::ConnectRing(pair.rail);
        NS_TEST_EXPECT_MSG_EQ((CircuitsOf(pair) == std::set<Circuit>{{PortId(0), PortId(1)}}),
                              true,
                              "two GPUs of one port have one circuit");
    }
};

/** ConnectRing() where a port is taken. */
class RingRefusedTest : public TestCase
{
  public:
    RingRefusedTest()
        : TestCase("a ring of which a port has another circuit is refused as a whole")
    {
    }

  private:
    void DoRun() override
    {
        const RailBench bench = MakeBench(3, 2);
        bench.ocs->Connect(PortId(0), PortId(4)); // port 0 of GPU 0 is to be joined to port 5
        const CircuitPlanReport report = PhotonicRailHelper::ConnectRing(bench.rail);
        NS_TEST_EXPECT_MSG_EQ((report.status == CircuitPlanStatus::REFUSED), true, "it is refused");
        NS_TEST_EXPECT_MSG_EQ((CircuitsOf(bench) == std::set<Circuit>{{PortId(0), PortId(4)}}),
                              true,
                              "and nothing has changed");
    }
};

/** ScheduleApply(): a plan for an instant. */
class ScheduleApplyTest : public TestCase
{
  public:
    ScheduleApplyTest()
        : TestCase("a plan for an instant is accepted then, and its circuit is up when the switch "
                   "has reconfigured")
    {
    }

  private:
    void DoRun() override
    {
        for (const Picoseconds at : {Picoseconds{0}, Picoseconds{5'000'001}})
        {
            RailBench bench(2, RATE, FIBER);
            bench.ocs->TraceConnectWithoutContext("PlanAccepted",
                                                  MakeCallback(&ScheduleApplyTest::Accepted, this));
            bench.ocs->TraceConnectWithoutContext("CircuitUp",
                                                  MakeCallback(&ScheduleApplyTest::Up, this));
            const CircuitPlan plan = CircuitPlan().Connect(PortId(0), PortId(1));
            PhotonicRailHelper::ScheduleApply(bench.rail, ToTime(at), plan);
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ(m_accepted, at, "it is accepted at its instant");
            NS_TEST_EXPECT_MSG_EQ(m_context, bench.rail.GetSwitchNode()->GetId(), "at the switch");
            NS_TEST_EXPECT_MSG_EQ(m_up, at + RECONFIGURATION, "the circuit is up");
        }
        // an instant counts from the beginning of the simulation, also when it is given later
        RailBench bench(2, RATE, FIBER);
        bench.ocs->TraceConnectWithoutContext("CircuitUp",
                                              MakeCallback(&ScheduleApplyTest::Up, this));
        bench.At(3000, [&bench] {
            const CircuitPlan plan = CircuitPlan().Connect(PortId(0), PortId(1));
            PhotonicRailHelper::ScheduleApply(bench.rail, ToTime(7000), plan);
        });
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(m_up, 7000 + RECONFIGURATION, "an instant, and no delay");
    }

    void Accepted(uint64_t, const CircuitPlan&)
    {
        m_accepted = NowPicoseconds();
        m_context = Simulator::GetContext();
    }

    void Up(PortId, PortId, uint64_t)
    {
        m_up = NowPicoseconds();
    }

    Picoseconds m_accepted{-1};
    uint32_t m_context{0};
    Picoseconds m_up{-1};
};

/** Install() takes a node, and the name of one. */
class InstallTest : public TestCase
{
  public:
    InstallTest()
        : TestCase("helpers install on a container, on a node and on the name of a node")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const NodeContainer gpus(3);
        Names::Add("gpu", gpus.Get(2));
        const PhotonicRailHelper rails;
        const Rail rail[]{rails.Install(NodeContainer(gpus.Get(0)), RailId(0)),
                          rails.Install(gpus.Get(1), RailId(1)),
                          rails.Install("gpu", RailId(2))};
        const RdmaHelper rdma;
        rdma.Install(NodeContainer(gpus.Get(0)));
        rdma.Install(gpus.Get(1));
        rdma.Install("gpu");
        for (uint32_t r = 0; r < 3; ++r)
        {
            NS_TEST_EXPECT_MSG_EQ(rail[r].GetId(), RailId(r), "the number that was given");
            NS_TEST_EXPECT_MSG_EQ(rail[r].GetGpus(), 1, "one GPU");
            NS_TEST_EXPECT_MSG_EQ(rail[r].GetGpu(0), gpus.Get(r), "this one");
            NS_TEST_EXPECT_MSG_EQ(gpus.Get(r)->GetObject<RdmaEngine>()->GetPorts(),
                                  1,
                                  "and its port is an engine's");
        }
        Names::Clear();
    }
};

/** AssignStreams() of helpers. */
class AssignStreamsTest : public TestCase
{
  public:
    AssignStreamsTest()
        : TestCase("each application draws from its own stream, in order, from the first one on")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const NodeContainer gpus(3);
        const Rail rail = PhotonicRailHelper().Install(gpus);
        RdmaHelper().Install(gpus);
        CollectiveHelper collectives;
        // the factory gives all of them the same random variable
        collectives.SetAttribute("ComputeFactor",
                                 StringValue("ns3::UniformRandomVariable[Min=1|Max=2]"));
        const Ptr<CollectiveJob> job = collectives.Install(rail);
        const ApplicationContainer& applications = job->GetApplications();
        constexpr int64_t FIRST = 40;
        NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::AssignStreams(applications, FIRST), 3, "one each");
        for (uint32_t rank = 0; rank < 3; ++rank)
        {
            PointerValue factor;
            applications.Get(rank)->GetAttribute("ComputeFactor", factor);
            const auto variable = factor.Get<RandomVariableStream>();
            NS_TEST_EXPECT_MSG_EQ(variable->GetStream(), FIRST + rank, "rank " << rank);
        }
    }
};

/** AssignStreams() of several rails. */
class AssignRailStreamsTest : public TestCase
{
  public:
    AssignRailStreamsTest()
        : TestCase("each rail draws from the streams after those of the rail before")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        PhotonicRailHelper photonic;
        photonic.SetNicAttribute("LinkUpTime",
                                 StringValue("ns3::UniformRandomVariable[Min=0|Max=1]"));
        const std::vector<Rail> rails = photonic.InstallRails(NodeContainer(4), 2);
        constexpr int64_t FIRST = 40;
        const auto streamOf = [&rails](uint32_t rail) {
            PointerValue variable;
            rails[rail].GetNic(0)->GetAttribute("LinkUpTime", variable);
            return variable.Get<RandomVariableStream>()->GetStream();
        };
        const int64_t used = RailHelper::AssignStreams(rails, FIRST);
        const int64_t ofSecond = streamOf(1);
        NS_TEST_EXPECT_MSG_EQ(RailHelper::AssignStreams(rails[0], FIRST),
                              used / 2,
                              "the rails are alike, so each has half of the streams");
        NS_TEST_EXPECT_MSG_EQ(ofSecond - streamOf(0), used / 2, "one after another");
    }
};

void
InsertRank(std::set<uint32_t>* ranks, const OperationRecord& record)
{
    ranks->insert(record.rank.Get());
}

/** CollectiveJob: a group of all ranks, and trace sources of all of them. */
class AllRanksTest : public TestCase
{
  public:
    AllRanksTest()
        : TestCase("a group without ranks has all, and a trace is connected at all")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t perServer : {1, 2})
        {
            const HostBench::Case self;
            const NodeContainer gpus(4);
            const std::vector<Rail> rails = ElectricalRailHelper().InstallRails(gpus, perServer);
            RdmaHelper().Install(gpus);
            CollectiveHelper collectives;
            if (perServer > 1)
            {
                collectives.SetScaleUp(ScaleUpHelper().Install(gpus, perServer));
            }
            const Ptr<CollectiveJob> job = collectives.Install(rails);
            const auto all = job->MakeGroup("all");
            NS_TEST_EXPECT_MSG_EQ(all->GetRanks().size(), 4, "ranks");
            std::set<uint32_t> ended;
            job->TraceConnect("OperationEnded", MakeBoundCallback(&InsertRank, &ended));
            job->Call(all, CollectiveKind::ALL_REDUCE, 1 << 16);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(ended.size(),
                                  4,
                                  "each rank has ended, on servers of " << perServer);
        }
    }
};

/** CollectiveHelper keeps nothing of what it installed. */
class TwoJobsTest : public TestCase
{
  public:
    TwoJobsTest()
        : TestCase("two jobs that one helper installed have their own ranks and groups")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const NodeContainer gpus(4);
        const std::vector<Rail> rails = ElectricalRailHelper().InstallRails(gpus, 2);
        RdmaHelper().Install(gpus);
        const CollectiveHelper collectives;
        constexpr uint64_t BYTES = 1 << 20;
        std::vector<Ptr<CollectiveJob>> jobs;
        for (const uint32_t rail : {0, 1, 1}) // two of them share a rail
        {
            jobs.push_back(collectives.Install(rails[rail]));
            const auto group = jobs.back()->MakeGroup("all", {0, 1});
            NS_TEST_EXPECT_MSG_EQ(group->GetId(), GroupId(0), "each job numbers its groups");
            jobs.back()->Call(group, CollectiveKind::ALL_REDUCE, BYTES, "ring");
        }
        Simulator::Run();
        for (const Ptr<CollectiveJob>& job : jobs)
        {
            NS_TEST_EXPECT_MSG_EQ(job->GetApplications().GetN(), 2, "its own ranks");
            for (const uint32_t rank : {0, 1})
            {
                const Ptr<CollectiveApplication> application = job->Get(rank);
                NS_TEST_EXPECT_MSG_EQ(application->IsOver(), true, "rank " << rank);
                // a ring of n ranks: each sends 2 (n - 1) / n of the buffer
                NS_TEST_EXPECT_MSG_EQ(application->GetCounters().bytesSent, BYTES, "rank " << rank);
            }
        }
    }
};

/** AssignStreams() of the helpers of the control plane. */
class AssignLossStreamsTest : public TestCase
{
  public:
    AssignLossStreamsTest()
        : TestCase("Each link of a management network draws its losses from two streams, and each "
                   "application its processing times from one")
    {
    }

  private:
    static constexpr int64_t FIRST = 40;

    void DoRun() override
    {
        {
            const HostBench::Case self;
            const ManagementNetwork network = ManagementNetworkHelper().Install(NodeContainer(2));
            NS_TEST_EXPECT_MSG_EQ(ManagementNetworkHelper::AssignStreams(network, FIRST),
                                  2 * 2,
                                  "two links, both ways");
        }
        const HostBench::Case self;
        const NodeContainer gpus(3);
        const OpusControlPlane plane = OpusHelper().Install({PhotonicRailHelper().Install(gpus)});
        NS_TEST_EXPECT_MSG_EQ(OpusHelper::AssignStreams(plane, FIRST),
                              2 * (3 + 1 + 1) + (3 + 1 + 1),
                              "three servers, a switch and a controller");
    }
};

/** How long the network gathers phases before it is reconfigured. */
class GatherTimeTest : public TestCase
{
  public:
    GatherTimeTest()
        : TestCase("Phases are gathered until a request of each rank may have come")
    {
    }

  private:
    static constexpr uint32_t GPUS = 3;

    /** @return the bytes of a request of a rank in a ring, on a link */
    static uint64_t GetRequestBytes()
    {
        OpusRequest request;
        request.ranks = {RankId(1)};
        request.pairs = {{RankId(0), RankId(1)}, {RankId(1), RankId(2)}};
        OpusMessage message;
        message.content = request;
        constexpr uint64_t PPP_IP_UDP = 2 + 20 + 8;
        return OpusEncoding::Encode(message).size() + OpusHeader::SIZE + PPP_IP_UDP;
    }

    static Picoseconds GetGatherTime(OpusHelper helper, uint64_t bitsPerSecond)
    {
        const HostBench::Case self;
        const NodeContainer gpus(GPUS);
        ManagementNetworkHelper network;
        network.SetRate(DataRate(bitsPerSecond));
        helper.SetManagementNetwork(network);
        const OpusControlPlane plane = helper.Install({PhotonicRailHelper().Install(gpus)});
        TimeValue gather;
        plane.controller->GetAttribute("GatherTime", gather);
        return gather.Get().GetTimeStep();
    }

    void DoRun() override
    {
        constexpr Picoseconds MS = 1'000'000'000;
        NS_TEST_EXPECT_MSG_EQ(GetGatherTime({}, 1'000'000'000), MS, "on a fast link: 1 ms");
        NS_TEST_EXPECT_MSG_EQ(GetGatherTime({}, 1'000'000),
                              static_cast<Picoseconds>(GPUS * GetRequestBytes() * 8'000'000),
                              "on a slow one: all requests, one after another");
        OpusHelper own;
        own.SetControllerAttribute("GatherTime", StringValue("2ms"));
        NS_TEST_EXPECT_MSG_EQ(GetGatherTime(own, 1'000'000), 2 * MS, "what the user set stays");
    }
};

std::vector<Mistake>
MistakesWithCircuits()
{
    const auto install = [](uint32_t gpus) {
        return PhotonicRailHelper().Install(NodeContainer(gpus));
    };
    const auto connect = [install](uint32_t gpus) {
        PhotonicRailHelper::ConnectRing(install(gpus));
    };
    return {
        {"a ring of one GPU", [connect] { connect(1); }, {"ConnectRing", "1 GPU", "2 or more"}},
        {"a ring over one port each",
         [connect] { connect(3); },
         {"ConnectRing", "3 GPUs", "1 port each", "SetProfile()"}},
        {"a ring on a packet switch",
         [] { PhotonicRailHelper::ConnectRing(ElectricalRailHelper().Install(NodeContainer(2))); },
         {"ConnectRing", "rail 0", "no optical switch", "PhotonicRailHelper"}},
        {"a plan for the past",
         [install] {
             const Rail rail = install(2);
             HostBench::At(2'000'000'000'000, [rail] {
                 PhotonicRailHelper::ScheduleApply(rail, Seconds(1), CircuitPlan());
             });
             Simulator::Run();
         },
         {"ScheduleApply", "+1s", "+2s", "to come"}},
        {"a trace source that applications do not have",
         [] {
             const NodeContainer gpus(2);
             const Rail rail = ElectricalRailHelper().Install(gpus);
             RdmaHelper().Install(gpus);
             CollectiveHelper().Install(rail)->TraceConnect("Ended", Callback<void>());
         },
         {"CollectiveJob", "Ended"}},
        {"a name that no node has",
         [] { PhotonicRailHelper().Install("gpu"); },
         {"RailHelper", "\"gpu\"", "Names::Add()"}},
        {"a name that no node has, for RDMA",
         [] { RdmaHelper().Install("gpu"); },
         {"RdmaHelper", "\"gpu\"", "Names::Add()"}},
    };
}

/** The suite. */
class HelpersTestSuite : public TestSuite
{
  public:
    HelpersTestSuite()
        : TestSuite("photonic-rails-helpers", TestSuite::Type::UNIT)
    {
        AddTestCase(new RingTest);
        AddTestCase(new RingRefusedTest);
        AddTestCase(new ScheduleApplyTest);
        AddTestCase(new InstallTest);
        AddTestCase(new AssignStreamsTest);
        AddTestCase(new AssignRailStreamsTest);
        AddTestCase(new AllRanksTest);
        AddTestCase(new TwoJobsTest);
        AddTestCase(new AssignLossStreamsTest);
        AddTestCase(new GatherTimeTest);
        AddTestCase(
            new MistakesTest("mistakes with rings, plans and names", MistakesWithCircuits()));
    }
};

HelpersTestSuite g_helpersTestSuite;

} // namespace
