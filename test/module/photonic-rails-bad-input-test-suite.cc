/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A user's mistake stops with one line that names the value, the limit and the remedy.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <exception>
#include <iostream>

using namespace ns3;

namespace
{

/** @return a rail of hosts, joined two by two */
Rail
MakeRail(uint32_t hosts, const std::function<void(PhotonicRailHelper&)>& prepare = nullptr)
{
    PhotonicRailHelper helper;
    helper.SetReconfigurationTime(MicroSeconds(1));
    if (prepare)
    {
        prepare(helper);
    }
    const Rail rail = helper.Install(NodeContainer(hosts));
    for (uint32_t h = 0; h + 1 < hosts; h += 2)
    {
        rail.GetOpticalSwitch()->Connect(PortId(h), PortId(h + 1));
    }
    return rail;
}

/** @return a mistake that a rail is made with */
Mistake
MakingRail(const std::string& name,
           const std::function<void(PhotonicRailHelper&)>& prepare,
           const std::vector<std::string>& words)
{
    return {name, [prepare] { MakeRail(2, prepare); }, words};
}

/** @return a mistake with a rail of four hosts, in the first event */
Mistake
WithRail(const std::string& name,
         const std::function<void(const Rail&)>& make,
         const std::vector<std::string>& words)
{
    return {name,
            [make] {
                const Rail rail = MakeRail(4);
                HostBench::At(1, [&] { make(rail); });
                Simulator::Run();
            },
            words};
}

std::vector<Mistake>
MistakesInAttributes()
{
    const auto nic = [](const std::string& name, const std::string& value) {
        return
            [=](PhotonicRailHelper& helper) { helper.SetNicAttribute(name, StringValue(value)); };
    };
    const auto fiber = [](const std::string& name, const std::string& value) {
        return
            [=](PhotonicRailHelper& helper) { helper.SetFiberAttribute(name, StringValue(value)); };
    };
    const auto ocs = [](const std::string& name, const std::string& value) {
        return [=](PhotonicRailHelper& helper) {
            helper.SetSwitchAttribute(name, StringValue(value));
        };
    };
    return {
        MakingRail("a rate of 0",
                   nic("DataRate", "0bps"),
                   {"DataRate", "of 0bps", "give 1Mbps to 1000Tbps"}),
        MakingRail("ports of rate 0",
                   [](PhotonicRailHelper& helper) { helper.SetPorts(1, DataRate(0)); },
                   {"DataRate", "of 0bps", "give 1Mbps to 1000Tbps"}),
        MakingRail("a share of 2",
                   fiber("FrameLossRate", "2"),
                   {"FrameLossRate", "value 2", "0 to 1"}),
        MakingRail("a negative delay",
                   fiber("Delay", "-1ns"),
                   {"OpticalFiber", "Delay", "value -1ns"}),
        MakingRail("no such attribute of a NIC",
                   nic("Colour", "red"),
                   {"RailNetDevice", "Colour", "DataRate", "Mtu", "LinkUpTime", "QueueSize"}),
        MakingRail("no such attribute of a fiber",
                   fiber("Length", "3"),
                   {"OpticalFiber", "Length", "Delay", "FrameLossRate"}),
        MakingRail("no such attribute of the switch",
                   ocs("Speed", "3"),
                   {"OpticalCircuitSwitch", "Speed", "ReconfigurationTime", "Granularity"}),
        MakingRail("no such technology, by attribute",
                   ocs("Technology", "magic"),
                   {"magic", "piezo", "mems", "rotornet", "GetAll()"}),
        MakingRail("no such technology, by helper",
                   [](PhotonicRailHelper& helper) { helper.SetTechnology("magic"); },
                   {"magic", "piezo", "mems", "rotornet", "GetAll()"}),
        MakingRail("no such fabric, by helper",
                   [](PhotonicRailHelper& helper) { helper.SetFabric("hexagnal"); },
                   {"hexagnal", "hexagonal", "benes", "crossbar-mesh"}),
        MakingRail("no such attribute of a fabric",
                   [](PhotonicRailHelper& helper) {
                       helper.SetFabric("hexagonal", "Width", UintegerValue(3));
                   },
                   {"HexagonalMeshFabric", "Width", "Rows", "Columns", "CellLoss"}),
        MakingRail("no such transceiver",
                   [](PhotonicRailHelper& helper) { helper.SetTransceiver("dr5"); },
                   {"dr5", "dr4", "fr4", "lr4"}),
        {"a mesh with fewer arms that lead out than ports",
         [] {
             MakeRail(14, [](PhotonicRailHelper& helper) {
                 helper.SetFabric("hexagonal",
                                  "Rows",
                                  UintegerValue(1),
                                  "Columns",
                                  UintegerValue(1));
             });
         },
         {"1 rows and 1 columns", "12 arms", "14 ports", "give more Rows or Columns"}},
        {"a port after the circuits of a mesh",
         [] {
             const Rail rail =
                 MakeRail(4, [](PhotonicRailHelper& helper) { helper.SetFabric("benes"); });
             rail.GetOpticalSwitch()->AddPort();
         },
         {"cannot add port 4", "Benes network of 6 cells", "4 ports", "before the first circuit"}},
        WithRail("a fabric that is set too late",
                 [](const Rail& rail) {
                     rail.GetOpticalSwitch()->SetAttribute("Fabric", StringValue("benes"));
                 },
                 {"OpticalCircuitSwitch::Fabric", "too late"}),
        WithRail("a route of a port without a circuit",
                 [](const Rail& rail) {
                     rail.GetOpticalSwitch()->Disconnect(PortId(0), PortId(1));
                     rail.GetOpticalSwitch()->GetPath(PortId(0));
                 },
                 {"GetPath", "port 0 has no circuit"}),
        MakingRail("a negative reconfiguration time",
                   [](PhotonicRailHelper& helper) { helper.SetReconfigurationTime(Seconds(-1)); },
                   {"reconfiguration time", "-1", "0 to 1000000s"}),
        MakingRail("a fiber of negative length",
                   [](PhotonicRailHelper& helper) { helper.SetFiberLength(-1); },
                   {"-1 m", "0 to 100,000,000 m"}),
        {"a reconfiguration time that draws a negative number",
         [ocs] {
             const Rail rail =
                 MakeRail(2,
                          ocs("ReconfigurationTime", "ns3::ConstantRandomVariable[Constant=-1]"));
             HostBench::At(1, [&] { rail.GetOpticalSwitch()->Disconnect(PortId(0), PortId(1)); });
             Simulator::Run();
         },
         {"ReconfigurationTime", "-1 s", "between 0 and", "another random variable"}},
        {"a link-up time that draws a negative number",
         [nic] {
             const Rail rail =
                 MakeRail(2, nic("LinkUpTime", "ns3::ConstantRandomVariable[Constant=-1]"));
             HostBench::At(1, [&] { rail.GetFiber(0)->Cut(); });
             HostBench::At(2, [&] { rail.GetFiber(0)->Splice(); });
             Simulator::Run();
         },
         {"LinkUpTime", "-1 s", "between 0 and", "another random variable"}},
    };
}

std::vector<Mistake>
MistakesInBuilding()
{
    std::vector<Mistake> mistakes{
        {"a rail without nodes", [] { MakeRail(0); }, {"rail 0", "no nodes", "at least 1"}},
        MakingRail("no ports",
                   [](PhotonicRailHelper& helper) { helper.SetPorts(0, DataRate("100Gbps")); },
                   {"at least 1 port"}),
        {"GPUs that do not fill the servers",
         [] { PhotonicRailHelper().InstallRails(NodeContainer(7), 4); },
         {"7 GPUs", "servers of 4", "multiple"}},
        {"servers without GPUs",
         [] { PhotonicRailHelper().InstallRails(NodeContainer(7), 0); },
         {"7 GPUs", "servers of 0", "multiple"}},
        {"a port before the switch has a node",
         [] { CreateObject<OpticalCircuitSwitch>()->AddPort(); },
         {"aggregate the switch to a Node"}},
        WithRail("a fiber with two pairs of ends",
                 [](const Rail& rail) {
                     rail.GetFiber(0)->Attach(CreateObject<RailNetDevice>(),
                                              CreateObject<RailNetDevice>());
                 },
                 {"both ends", "in use", "create another fiber"}),
        WithRail("a port with two fibers",
                 [](const Rail& rail) {
                     CreateObject<OpticalFiber>()->Attach(rail.GetNic(0),
                                                          CreateObject<RailNetDevice>());
                 },
                 {"a port has a fiber in it", "ports of its own"}),
        WithRail("a fiber from a port to itself",
                 [](const Rail&) {
                     Ptr<RailNetDevice> nic = CreateObject<RailNetDevice>();
                     CreateObject<OpticalFiber>()->Attach(nic, nic);
                 },
                 {"two ports", "differ"}),
        WithRail("a fiber with one end",
                 [](const Rail&) {
                     CreateObject<OpticalFiber>()->Attach(CreateObject<RailNetDevice>(), nullptr);
                 },
                 {"two ports"}),
    };
    for (const char* profile : {"", "2x", "x200", "0x100", "2x0", "2x200G", "2 200", "4x100x2"})
    {
        mistakes.push_back(
            MakingRail("a profile \"" + std::string(profile) + "\"",
                       [profile](PhotonicRailHelper& helper) { helper.SetProfile(profile); },
                       {"\"" + std::string(profile) + "\"", "2x200", "4x100"}));
    }
    return mistakes;
}

std::vector<Mistake>
MistakesInUse()
{
    const std::string nowhere = "/there/is/no/such/folder/";
    return {
        WithRail("no such port",
                 [](const Rail& rail) { rail.GetOpticalSwitch()->GetPort(PortId(4)); },
                 {"GetPort", "no port 4", "4 ports", "from 0"}),
        WithRail("a fault of no such port",
                 [](const Rail& rail) {
                     rail.GetOpticalSwitch()->SetFault(PortId(9), PortFault::STUCK_DARK);
                 },
                 {"SetFault", "no port 9", "4 ports"}),
        WithRail("a slow port that is faster",
                 [](const Rail& rail) {
                     rail.GetOpticalSwitch()->SetFault(PortId(0), PortFault::SLOW, NanoSeconds(-1));
                 },
                 {"SetFault", "0 or more", "-1"}),
        WithRail("a cut beyond the end",
                 [](const Rail& rail) { rail.GetFiber(0)->Cut(1.5); },
                 {"1.5", "0 to 1"}),
        WithRail("a cut of a fiber that lies about",
                 [](const Rail&) { CreateObject<OpticalFiber>()->Cut(); },
                 {"attach"}),
        WithRail("no such traffic class",
                 [](const Rail& rail) { rail.GetNic(0)->GetQueue(8); },
                 {"class 8", "0 to 7"}),
        WithRail("a pause of no such traffic class",
                 [](const Rail& rail) { rail.GetNic(0)->SendPause(8, 1); },
                 {"class 8", "0 to 7"}),
        WithRail("no such GPU",
                 [](const Rail& rail) { rail.GetNic(4); },
                 {"Rail 0", "GPU 4", "4 GPUs", "from 0"}),
        WithRail("no such port of a GPU",
                 [](const Rail& rail) { rail.GetNic(0, 1); },
                 {"Rail 0", "port 1", "1 ports each", "from 0"}),
        WithRail("a capture into no folder",
                 [nowhere](const Rail& rail) {
                     PhotonicRailHelper().EnablePcap(nowhere + "x", rail.GetNics());
                 },
                 {nowhere + "x-0-0.pcap", "folder"}),
        WithRail("an ASCII trace into no folder",
                 [nowhere](const Rail& rail) {
                     PhotonicRailHelper().EnableAscii(nowhere + "x", rail.GetNics());
                 },
                 {nowhere + "x-0-0.tr"}),
    };
}

/** Mistakes that neither an attribute's checker nor, in a release build, ns-3 itself explains. */
std::vector<Mistake>
MistakesThatSlipThrough()
{
    std::vector<Mistake> mistakes{
        {"addresses for hosts without an internet stack",
         [] { PhotonicRailHelper::AssignIpv4(MakeRail(2), "10.1.0.0", "255.255.255.0"); },
         {"InternetStackHelper"}},
        {"a network with too few addresses",
         [] {
             NodeContainer nodes(4);
             const Rail rail = PhotonicRailHelper().Install(nodes);
             InternetStackHelper().Install(nodes);
             PhotonicRailHelper::AssignIpv4(rail, "10.1.0.0", "255.255.255.252"); // .1 and .2
         },
         {"4", "255.255.255.252"}},
        MakingRail(
            "an MTU that IP cannot use",
            [](PhotonicRailHelper& helper) { helper.SetNicAttribute("Mtu", UintegerValue(67)); },
            {"Mtu", "value 67", "68"}),
        // with its asserts on, ns-3 itself stops here, with the legal names in a line of their own
        MakingRail("no such granularity",
                   [](PhotonicRailHelper& helper) {
                       helper.SetSwitchAttribute("Granularity", StringValue("Some"));
                   },
                   {"ByTechnology", "PerPort", "WholeSwitch"}),
        MakingRail("a number for a random variable",
                   [](PhotonicRailHelper& helper) {
                       helper.SetSwitchAttribute("ReconfigurationTime", StringValue("0.5"));
                   },
                   {"ReconfigurationTime", "0.5", "andom"}),
        MakingRail("a time for a random variable",
                   [](PhotonicRailHelper& helper) {
                       helper.SetNicAttribute("LinkUpTime", StringValue("5ms"));
                   },
                   {"LinkUpTime", "5ms", "andom"}),
    };
    // they read as numbers, but not as these
    for (const char* profile : {"-1x200", "1x-1", "1x99999999999"})
    {
        mistakes.push_back(
            MakingRail("a profile \"" + std::string(profile) + "\"",
                       [profile](PhotonicRailHelper& helper) { helper.SetProfile(profile); },
                       {"\"" + std::string(profile) + "\"", "2x200", "4x100"}));
    }
    return mistakes;
}

/**
 * Models need picoseconds. For this test the resolution must still be the one that ns-3 begins
 * with, so this case comes first; where another suite ran before in the same process, it can only
 * print that.
 */
class NanosecondsTest : public TestCase
{
  public:
    NanosecondsTest()
        : TestCase("a model says so if the resolution is not a picosecond")
    {
    }

  private:
    void DoRun() override
    {
        if (Time::GetResolution() != Time::NS)
        {
            NS_LOG_UNCOND("photonic-rails-bad-input: NOT TESTED, the resolution is set already: "
                          << GetName());
            return;
        }
        const auto node = [](Ptr<Object> object) { CreateObject<Node>()->AggregateObject(object); };
        const std::vector<Mistake> mistakes{
            {"OpticalCircuitSwitch",
             [node] {
                 node(CreateObject<OpticalCircuitSwitch>());
                 Simulator::Run();
             },
             {}},
            {"RailNetDevice",
             [] {
                 CreateObject<Node>()->AddDevice(CreateObject<RailNetDevice>());
                 Simulator::Run();
             },
             {}},
            {"OpticalFiber",
             [] { CreateObject<OpticalFiber>()->Initialize(); }, // older releases leave that out
             {}},
        };
        for (const Mistake& mistake : mistakes)
        {
            const Ending ending = RunInChild(mistake.make);
            NS_TEST_EXPECT_MSG_EQ(ending.aborted, true, mistake.name);
            NS_TEST_EXPECT_MSG_EQ(
                ending.HasLineWith({mistake.name, "1 ps", "1 ns", "UsePicoseconds()", "main()"}),
                true,
                mistake.name << " said: " << ending.output);
        }
        const HostBench::Case self;
    }
};

/** A rail that its switch has too few ports for leaves the GPUs as they were. */
class BeyondRadixTest : public TestCase
{
  public:
    BeyondRadixTest()
        : TestCase("a rail beyond the radix puts nothing on the GPUs")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const Ending ending = RunInChild([] {
            g_gpus = NodeContainer(17);
            std::set_terminate(&BeyondRadixTest::CountDevices);
            PhotonicRailHelper helper;
            helper.SetTechnology("plzt"); // 16 ports
            helper.Install(g_gpus);
        });
        NS_TEST_EXPECT_MSG_EQ(ending.aborted, true, "it stops");
        NS_TEST_EXPECT_MSG_EQ(ending.HasLineWith({"17 ports", "plzt", "16", "fewer GPUs"}),
                              true,
                              ending.output);
        NS_TEST_EXPECT_MSG_EQ(ending.HasLineWith({"devices on the GPUs: 0"}), true, ending.output);
        const Ending byHand = RunInChild([] {
            Ptr<OpticalCircuitSwitch> ocs = CreateObject<OpticalCircuitSwitch>();
            CreateObject<Node>()->AggregateObject(ocs);
            ocs->SetAttribute("Radix", UintegerValue(2));
            for (uint32_t i = 0; i < 3; ++i)
            {
                ocs->AddPort();
            }
        });
        NS_TEST_EXPECT_MSG_EQ(byHand.HasLineWith({"port 2", "2 ports", "Radix"}),
                              true,
                              byHand.output);
    }

    /** The work of the child in place of an end. */
    static void CountDevices()
    {
        uint32_t devices = 0;
        for (uint32_t i = 0; i < g_gpus.GetN(); ++i)
        {
            devices += g_gpus.Get(i)->GetNDevices();
        }
        std::cerr << std::endl << "devices on the GPUs: " << devices << std::endl;
        std::abort();
    }

    static NodeContainer g_gpus;
};

NodeContainer BeyondRadixTest::g_gpus;

/** A plan that cannot be carried out. */
class RefusalTest : public TestCase
{
  public:
    RefusalTest()
        : TestCase("a plan that cannot be carried out is refused in words, and nothing changes")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        m_ocs = MakeRail(4).GetOpticalSwitch();
        m_ocs->Disconnect(PortId(2), PortId(3));
        CheckAll(); // before the simulation begins
        HostBench::At(1, [this] { CheckAll(); });
        HostBench::At(2, [this] {
            m_ocs->SetAttribute("WhenReconfiguring", StringValue("Refuse"));
            m_ocs->Connect(PortId(2), PortId(3));
            Check(CircuitPlan().Disconnect(PortId(2), PortId(3)),
                  CircuitPlanRefusal::PORT_RECONFIGURING,
                  {"-2-3", "reconfiguring", "try again", "WhenReconfiguring"});
        });
        Simulator::Run();
        m_ocs = nullptr;
    }

    void CheckAll()
    {
        using Plan = CircuitPlan;
        const PortId p0(0);
        const PortId p1(1);
        const PortId p2(2);
        const PortId p3(3);
        Check(Plan().Connect(p2, PortId(9)),
              CircuitPlanRefusal::UNKNOWN_PORT,
              {"2-9", "port 9", "4 ports"});
        Check(Plan().Disconnect(p0, PortId(4)),
              CircuitPlanRefusal::UNKNOWN_PORT,
              {"0-4", "4 ports"});
        Check(Plan().Connect(p0, p2),
              CircuitPlanRefusal::PORT_IN_USE,
              {"0-2", "port 0", "0-1", "same plan"});
        Check(Plan().Connect(p1, p2).Connect(p2, p3),
              CircuitPlanRefusal::SAME_PORT_TWICE,
              {"2-3", "port 2 twice", "name it once"});
        Check(Plan().Connect(p2, p2),
              CircuitPlanRefusal::PORT_TO_ITSELF,
              {"2-2", "two different ports"});
        Check(Plan().Disconnect(p2, p3),
              CircuitPlanRefusal::NO_SUCH_CIRCUIT,
              {"2-3", "port 2", "none", "name a circuit that is there"});
        Check(Plan().Disconnect(p1, p2),
              CircuitPlanRefusal::NO_SUCH_CIRCUIT,
              {"1-2", "port 1", "port 0", "name a circuit that is there"});
        // the half that could be carried out is not
        Check(Plan().Disconnect(p0, p1).Connect(p2, PortId(4)),
              CircuitPlanRefusal::UNKNOWN_PORT,
              {"2-4"});
    }

    void Check(const CircuitPlan& plan,
               CircuitPlanRefusal refusal,
               const std::vector<std::string>& words)
    {
        const std::vector<Circuit> before = m_ocs->GetMap().GetCircuits();
        const bool up = m_ocs->IsUp(PortId(0));
        const CircuitPlanReport report = m_ocs->Apply(plan);
        NS_TEST_EXPECT_MSG_EQ(ToString(report.status), ToString(CircuitPlanStatus::REFUSED), plan);
        NS_TEST_EXPECT_MSG_EQ(ToString(report.refusal), ToString(refusal), plan);
        NS_TEST_EXPECT_MSG_EQ((m_ocs->GetMap().GetCircuits() == before), true, "the map stays");
        NS_TEST_EXPECT_MSG_EQ(m_ocs->IsUp(PortId(0)), up, "so does the light");
        const Ending output{false, report.message};
        NS_TEST_EXPECT_MSG_EQ(output.HasLineWith(words), true, "it said: " << report.message);
    }

    Ptr<OpticalCircuitSwitch> m_ocs;
};

/** The suite. */
class BadInputTestSuite : public TestSuite
{
  public:
    BadInputTestSuite()
        : TestSuite("photonic-rails-bad-input", TestSuite::Type::UNIT)
    {
        AddTestCase(new NanosecondsTest); // first, see there
        AddTestCase(new RefusalTest);
        AddTestCase(new BeyondRadixTest);
        AddTestCase(new MistakesTest("mistakes in attributes", MistakesInAttributes()));
        AddTestCase(new MistakesTest("mistakes in building", MistakesInBuilding()));
        AddTestCase(new MistakesTest("mistakes in use", MistakesInUse()));
        AddTestCase(
            new MistakesTest("mistakes that ns-3 would let through", MistakesThatSlipThrough()));
    }
};

BadInputTestSuite g_badInputTestSuite;

} // namespace
