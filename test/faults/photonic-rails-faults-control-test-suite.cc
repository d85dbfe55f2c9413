/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults of the control plane: lost, late and divided messages, crashes, and processes that begin
// anew. The job ends in spite of them, and controller, switches and shims agree at the end.

#include "photonic-rails-faults-bench.h"

#include "ns3/collective-kind.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/management-network-helper.h"
#include "ns3/node-container.h"
#include "ns3/ocs-agent.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-program.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Role = OpusControllerApp::Role;
using EndRole = ManagementEnd::Role;

/** Two servers, and one operation that takes a grant. */
Picoseconds
TimeOfGrant(const std::function<void(FaultInjector&)>& breakIt)
{
    OpusCase one;
    one.rails = 1;
    OpusBench bench(one);
    const auto group = bench.MakeGroup("dp", {0, 1});
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        bench.SetProgram(rank, OneCollective(CollectiveKind::ALL_REDUCE, 1 << 16), {group});
    }
    const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
    injector->SetRails(bench.rails);
    injector->AddControlPlane(bench.plane);
    breakIt(*injector);
    bench.Run();
    injector->Dispose();
    return std::max(bench.EndOf(0, 0), bench.EndOf(1, 0));
}

/** A grant takes REQUEST, PROGRAM, DONE and GRANT, one after another. */
class DelayTestCase : public TestCase
{
  public:
    DelayTestCase()
        : TestCase("A grant takes a further delay once for each message on its link")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        const Time extra = MicroSeconds(20); // below what a datagram waits before it is repeated
        const auto delay = [&](std::vector<ManagementEnd> ends, std::optional<Time> duration) {
            return [=](FaultInjector& injector) {
                Fault fault;
                fault.kind = FaultKind::MANAGEMENT_DELAY;
                fault.ends = ends;
                fault.extra = extra;
                fault.duration = duration;
                injector.Add(fault);
            };
        };
        const Picoseconds base = TimeOfGrant([](FaultInjector&) {});
        const Picoseconds each = extra.GetTimeStep();
        NS_TEST_EXPECT_MSG_EQ(TimeOfGrant(delay({{EndRole::CONTROLLER, 0}}, {})) - base,
                              4 * each,
                              "all four pass the controller's link");
        NS_TEST_EXPECT_MSG_EQ(TimeOfGrant(delay({{EndRole::RAIL, 0}}, {})) - base,
                              2 * each,
                              "PROGRAM and DONE");
        // of both servers: else their requests do not follow each other on the controller's link
        NS_TEST_EXPECT_MSG_EQ(TimeOfGrant(delay({{EndRole::SERVER, 0}, {EndRole::SERVER, 1}}, {})) -
                                  base,
                              2 * each,
                              "REQUEST and GRANT");
        NS_TEST_EXPECT_MSG_EQ(
            TimeOfGrant(
                delay({{EndRole::SERVER, 0}, {EndRole::SERVER, 1}, {EndRole::RAIL, 0}}, {})) -
                base,
            4 * each,
            "all of them");
        // the switch reconfigures for 100 us meanwhile: DONE and GRANT come after the end
        NS_TEST_EXPECT_MSG_EQ(TimeOfGrant(delay({{EndRole::CONTROLLER, 0}}, MicroSeconds(90))) -
                                  base,
                              2 * each,
                              "REQUEST and PROGRAM");
    }
};

/** Datagrams of one node to another around the end of a delay. */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("When a delay ends, later packets do not overtake earlier ones")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        NodeContainer nodes(2);
        InternetStackHelper().Install(nodes);
        const ManagementNetwork network = ManagementNetworkHelper().Install(nodes);
        const Ptr<Socket> from = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        from->Bind();
        const Ptr<Socket> to = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        to->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        to->SetRecvCallback(MakeCallback(&OrderTestCase::Received, this));
        const InetSocketAddress there(network.GetAddress(nodes.Get(1)), 9);
        for (const int64_t at : {10, 200, 205, 400}) // us
        {
            Simulator::Schedule(MicroSeconds(at),
                                &OrderTestCase::Send,
                                from,
                                there,
                                static_cast<uint32_t>(100 + at));
        }
        const Time extra = MicroSeconds(50);
        Simulator::Schedule(MicroSeconds(190),
                            &OrderTestCase::Delay,
                            &network,
                            nodes.Get(1),
                            extra);
        // the one of 200 us is at the router at 207.64 us, after 5 us and its bits, the next later
        Simulator::Schedule(MicroSeconds(209),
                            &OrderTestCase::Delay,
                            &network,
                            nodes.Get(1),
                            Time(0));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_received.size(), 4, "all come");
        const auto bits = [](uint32_t bytes) { return (bytes + 30) * 8'000; }; // UDP, IP, PPP
        const auto latency = [&](std::size_t p, int64_t at) {
            return m_received[p].second - at * 1'000'000 - 2 * bits(m_received[p].first);
        };
        const Picoseconds usual = MicroSeconds(10).GetTimeStep();
        NS_TEST_EXPECT_MSG_EQ(m_received[0].first, 110, "in order");
        NS_TEST_EXPECT_MSG_EQ(latency(0, 10), usual, "before the fault");
        NS_TEST_EXPECT_MSG_EQ(m_received[1].first, 300, "in order");
        NS_TEST_EXPECT_MSG_EQ(latency(1, 200), usual + extra.GetTimeStep(), "late");
        NS_TEST_EXPECT_MSG_EQ(m_received[2].first, 305, "in order");
        NS_TEST_EXPECT_MSG_EQ(m_received[2].second - m_received[1].second,
                              bits(305),
                              "it follows the one before directly");
        NS_TEST_EXPECT_MSG_EQ(latency(3, 400), usual, "after it");
        Simulator::Destroy();
    }

    static void Send(Ptr<Socket> from, InetSocketAddress to, uint32_t bytes)
    {
        from->SendTo(Create<Packet>(bytes), 0, to);
    }

    static void Delay(const ManagementNetwork* network, Ptr<Node> node, Time extra)
    {
        network->SetExtraDelay(node, extra);
    }

    void Received(Ptr<Socket> socket)
    {
        m_received.emplace_back(socket->Recv()->GetSize(), NowPicoseconds());
    }

    std::vector<std::pair<uint32_t, Picoseconds>> m_received;
};

/** Messages are lost for a while, wholly or in part. */
class LossTestCase : public TestCase
{
  public:
    LossTestCase()
        : TestCase("The job outlasts lost messages")
    {
    }

  private:
    void DoRun() override
    {
        for (const double loss : {0.3, 1.0})
        {
            FaultsBench bench(FaultsBench::MakeCase(), {});
            Fault fault = FaultsBench::MakeFault(FaultKind::MANAGEMENT_LOSS,
                                                 MicroSeconds(50),
                                                 MilliSeconds(9));
            fault.ends = {{EndRole::SERVER, 1}, {EndRole::RAIL, 0}};
            fault.loss = loss;
            bench.injector->Add(fault);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "loss " << loss);
            uint64_t repeated = 0;
            for (const auto& endpoint : bench.plane.GetEndpoints())
            {
                repeated += endpoint->GetChannelCounters().retransmitted;
            }
            NS_TEST_EXPECT_MSG_GT(repeated, 0, "messages were lost");
            NS_TEST_EXPECT_MSG_EQ((loss < 1 || bench.end > MicroSeconds(9050).GetTimeStep()),
                                  true,
                                  "it had to wait");
        }
    }
};

/** Parts of the management network. */
class PartitionTestCase : public TestCase
{
  public:
    PartitionTestCase()
        : TestCase("A standby that is only cut off does not split control, nor does a controller")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        const FaultsJob job{2, MilliSeconds(100), 1 << 18};
        {
            FaultsBench bench(FaultsBench::MakeCase(), job);
            Fault fault = FaultsBench::MakeFault(FaultKind::MANAGEMENT_PARTITION,
                                                 MilliSeconds(1),
                                                 MilliSeconds(150));
            fault.ends = {{EndRole::STANDBY, 0}};
            bench.injector->Add(fault);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "the standby is alone");
            NS_TEST_EXPECT_MSG_EQ(bench.terms.size(), 0, "the first term goes on");
            NS_TEST_EXPECT_MSG_EQ(
                (bench.roles[1] == std::vector<Role>{Role::CANDIDATE, Role::STANDBY}),
                true,
                "it requests a term in vain, and joins again");
            NS_TEST_EXPECT_MSG_EQ((bench.plane.GetInCharge() == bench.plane.controller),
                                  true,
                                  "in charge");
        }
        {
            FaultsBench bench(FaultsBench::MakeCase(), job);
            Fault fault = FaultsBench::MakeFault(FaultKind::MANAGEMENT_PARTITION,
                                                 MilliSeconds(1),
                                                 MilliSeconds(150));
            fault.ends = {{EndRole::CONTROLLER, 0}};
            bench.injector->Add(fault);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "the controller is alone");
            NS_TEST_EXPECT_MSG_EQ((bench.terms == std::vector<uint32_t>{1}), true, "another term");
            NS_TEST_EXPECT_MSG_EQ(
                (bench.roles[0] == std::vector<Role>{Role::RETIRED, Role::STANDBY}),
                true,
                "it stands by when it is back");
            NS_TEST_EXPECT_MSG_EQ((bench.plane.GetInCharge() == bench.plane.standby),
                                  true,
                                  "in charge");
        }
        {
            // controller and two servers here, standby, switch and two servers there
            FaultsBench bench(FaultsBench::MakeCase(), job);
            Fault fault = FaultsBench::MakeFault(FaultKind::MANAGEMENT_PARTITION,
                                                 MilliSeconds(1),
                                                 MilliSeconds(150));
            fault.ends = {{EndRole::CONTROLLER, 0}, {EndRole::SERVER, 0}, {EndRole::SERVER, 2}};
            bench.injector->Add(fault);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "halves");
        }
    }
};

/** The farewells of a job on a network that is mended when the job is over. */
class FarewellTestCase : public TestCase
{
  public:
    FarewellTestCase()
        : TestCase("A job that ends while the management network is broken ends when it is mended")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        Time end;
        {
            FaultsBench whole(FaultsBench::MakeCase(), {});
            NS_TEST_EXPECT_MSG_EQ(whole.RunToTheEnd(), "", "without a fault");
            end = ToTime(whole.end);
        }
        for (const FaultKind kind : {FaultKind::MANAGEMENT_PARTITION, FaultKind::MANAGEMENT_LOSS})
        {
            // farewells leave a HostLatency, 1 us, behind the end
            for (const Time& at : {end - PicoSeconds(1), end})
            {
                FaultsBench bench(FaultsBench::MakeCase(), {});
                Fault fault = FaultsBench::MakeFault(kind, at, MicroSeconds(100));
                fault.ends = {{EndRole::SERVER, 0}};
                fault.loss = 1;
                bench.injector->Add(fault);
                NS_TEST_EXPECT_MSG_EQ(bench.Run(Seconds(1)), "", ToString(kind));
                NS_TEST_EXPECT_MSG_EQ(bench.end, end.GetTimeStep(), "it comes when ranks are over");
                NS_TEST_EXPECT_MSG_EQ(bench.injector->GetCounters().begun, 1, "it comes");
                NS_TEST_EXPECT_MSG_EQ(bench.injector->GetCounters().ended, 1, "and ends");
                const auto sent = [&bench] {
                    return bench.plane.controller->GetChannelCounters().sent;
                };
                const uint64_t before = sent();
                NS_TEST_EXPECT_MSG_EQ(bench.Run(Seconds(10)), "", ToString(kind));
                NS_TEST_EXPECT_MSG_EQ(sent(), before, "and so does the control plane");
            }
        }
    }
};

/** Controllers that crash, and are restarted. */
class CrashTestCase : public TestCase
{
  public:
    CrashTestCase()
        : TestCase("A controller that crashed joins again, and takes over again")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        for (const int64_t first : {150, 272, 100'300}) // us
        {
            const FaultsJob job{2, MilliSeconds(100), 1 << 18};
            FaultsBench bench(FaultsBench::MakeCase(), job);
            const Time at = MicroSeconds(first);
            bench.injector->Add(
                FaultsBench::MakeFault(FaultKind::CONTROLLER_CRASH, at, MilliSeconds(20)));
            // a second crash that overlaps the first prolongs it
            bench.injector->Add(FaultsBench::MakeFault(FaultKind::CONTROLLER_CRASH,
                                                       at + MilliSeconds(10),
                                                       MilliSeconds(60)));
            bench.injector->Add(
                FaultsBench::MakeFault(FaultKind::STANDBY_CRASH, at + MilliSeconds(100), Time(0)));
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "crash at " << first);
            NS_TEST_EXPECT_MSG_EQ((bench.terms == std::vector<uint32_t>{1, 2}), true, first);
            NS_TEST_EXPECT_MSG_EQ(
                std::count(bench.roles[0].begin(), bench.roles[0].end(), Role::STANDBY),
                1,
                "it joins " << first);
            NS_TEST_EXPECT_MSG_EQ((bench.plane.GetInCharge() == bench.plane.controller),
                                  true,
                                  first);
        }
    }
};

/** Agents and shims whose processes begin anew. */
class RestartTestCase : public TestCase
{
  public:
    RestartTestCase()
        : TestCase("An agent or a shim that begins anew leads to another term")
    {
    }

  private:
    /** @return how the job ends with a fault of a kind @param adjust of the control plane */
    std::string RunOne(const std::string& policy,
                       FaultKind kind,
                       Time at,
                       Time lasts,
                       const std::function<void(OpusHelper&)>& adjust,
                       std::vector<uint32_t>& terms)
    {
        OpusCase one = FaultsBench::MakeCase(policy);
        one.rails = 2;
        one.adjust = adjust;
        FaultsBench bench(one, {});
        Fault fault = FaultsBench::MakeFault(kind, at, lasts);
        const bool isShim = kind == FaultKind::SHIM_RESTART;
        fault.server = isShim ? 1 : 0;
        fault.rail = RailId(isShim ? 0 : 1);
        bench.injector->Add(fault);
        std::string mistakes = bench.RunToTheEnd();
        mistakes += bench.audit.GetTotals().framesDropped == 0 ? "" : "frames were dropped";
        terms = bench.terms;
        return mistakes;
    }

    void DoRun() override
    {
        const auto slow = [](OpusHelper& opus) {
            const auto span = CreateObject<ConstantRandomVariable>();
            span->SetAttribute("Constant", DoubleValue(3e-6));
            opus.SetControllerAttribute("ProcessingTime", PointerValue(span));
            opus.SetShimAttribute("ProcessingTime", PointerValue(span));
            opus.SetAgentAttribute("ProcessingTime", PointerValue(span));
        };
        UsePicoseconds();
        uint32_t anew = 0;
        for (const FaultKind kind : {FaultKind::AGENT_RESTART, FaultKind::SHIM_RESTART})
        {
            for (const std::string policy : {"on-demand", "provisioned"})
            {
                for (uint32_t run = 0; run < 24; ++run)
                {
                    const Time at = PicoSeconds(1'000'000 + run * 41'234'567);
                    const Time lasts = MicroSeconds(run % 3 == 0 ? 1 : run % 3 == 1 ? 150 : 7000);
                    std::vector<uint32_t> terms;
                    const std::string mistakes =
                        RunOne(policy,
                               kind,
                               at,
                               lasts,
                               run % 2 == 0 ? slow : std::function<void(OpusHelper&)>(),
                               terms);
                    NS_TEST_EXPECT_MSG_EQ(mistakes,
                                          "",
                                          ToString(kind) << ", " << policy << ", run " << run);
                    anew += terms.empty() ? 0 : 1;
                    // the terms of the first controller are the even ones
                    NS_TEST_EXPECT_MSG_EQ((terms.empty() || terms.front() == 2), true, run);
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(anew, 60, "most begin anew within the job");
    }
};

/** Calls that a rank makes while its shim is down. */
class WaitingCallsTestCase : public TestCase
{
  public:
    WaitingCallsTestCase()
        : TestCase("A call to a shim that is down waits until it is back")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        // the shim of server 1 is down when the ranks call, and back before any datagram is
        // repeated
        const Time back = MicroSeconds(500);
        const Picoseconds base = TimeOfGrant([](FaultInjector&) {});
        const Picoseconds late = TimeOfGrant([&](FaultInjector& injector) {
            Fault fault = FaultsBench::MakeFault(FaultKind::SHIM_RESTART, PicoSeconds(1), back);
            fault.server = 1;
            injector.Add(fault);
        });
        // it has the call in hand when it is back, where it would have been there after HostLatency
        const Picoseconds earlier = late - (back.GetTimeStep() + 1) + MicroSeconds(1).GetTimeStep();
        // a term more at the most: query, claim and their answers, TERM and the reports
        const Picoseconds term = 7 * MicroSeconds(10 + 6).GetTimeStep();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(earlier, base, "the call has waited");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(earlier, base + term, "for nothing else but another term");
    }
};

/** An optical switch that is down with its agent. */
class SwitchDownTestCase : public TestCase
{
  public:
    SwitchDownTestCase()
        : TestCase("A job outlasts a switch that loses its power and keeps its circuits")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t run = 0; run < 12; ++run)
        {
            OpusCase one = FaultsBench::MakeCase();
            one.rails = 2;
            FaultsBench bench(one, {});
            Fault fault = FaultsBench::MakeFault(FaultKind::OCS_DOWN,
                                                 PicoSeconds(1'000'000 + run * 77'654'321),
                                                 MicroSeconds(300));
            fault.rail = RailId(run % 2);
            bench.injector->Add(fault);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "run " << run);
        }
    }
};

/** The suite. */
class FaultsControlTestSuite : public TestSuite
{
  public:
    FaultsControlTestSuite()
        : TestSuite("photonic-rails-faults-control", TestSuite::Type::UNIT)
    {
        AddTestCase(new DelayTestCase());
        AddTestCase(new OrderTestCase());
        AddTestCase(new LossTestCase());
        AddTestCase(new PartitionTestCase());
        AddTestCase(new FarewellTestCase);
        AddTestCase(new CrashTestCase());
        AddTestCase(new RestartTestCase());
        AddTestCase(new WaitingCallsTestCase());
        AddTestCase(new SwitchDownTestCase());
    }
};

FaultsControlTestSuite g_faultsControlTestSuite;

} // namespace
