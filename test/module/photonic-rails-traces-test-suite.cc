/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Trace sources by Config path: signatures, connect, disconnect, and which ports are observed.

#include "../support/photonic-rails-host-bench.h"
#include "../support/time-units.h"

#include "ns3/config.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <set>
#include <string>

using namespace ns3;

namespace
{

constexpr Picoseconds FIBER = 1 * US;

/** How often a source has fired. Bound callbacks would take twice as long to compile. */
struct Counter
{
    template <typename... Arguments>
    void Add(Arguments...)
    {
        ++count;
    }

    template <typename... Arguments>
    void AddWithContext(std::string, Arguments...)
    {
        ++count;
    }

    uint32_t count{0};
};

/** A trace source, and callbacks of its signature that count. */
struct Source
{
    std::string type;
    std::string name;
    bool everyFrame; //!< it fires for every frame
    CallbackBase (*makeCallback)(Counter*);
    CallbackBase (*makeCallbackWithContext)(Counter*);

    std::string Path() const
    {
        const bool node = type == "ns3::OpticalCircuitSwitch";
        const bool channel = type == "ns3::OpticalFiber";
        const std::string list = node      ? "/NodeList/*/$"
                                 : channel ? "/ChannelList/*/$"
                                           : "/NodeList/*/DeviceList/*/$";
        return list + type + "/" + name;
    }

    /** Connects or disconnects a callback. */
    void Connect(bool context, Counter* counter) const
    {
        context ? Config::Connect(Path(), makeCallbackWithContext(counter))
                : Config::ConnectWithoutContext(Path(), makeCallback(counter));
    }

    void Disconnect(bool context, Counter* counter) const
    {
        context ? Config::Disconnect(Path(), makeCallbackWithContext(counter))
                : Config::DisconnectWithoutContext(Path(), makeCallback(counter));
    }
};

template <typename... Arguments>
CallbackBase
MakeCounting(Counter* counter)
{
    void (Counter::*add)(Arguments...) = &Counter::Add<Arguments...>;
    return MakeCallback(add, counter);
}

template <typename... Arguments>
CallbackBase
MakeCountingWithContext(Counter* counter)
{
    void (Counter::*add)(std::string, Arguments...) = &Counter::AddWithContext<Arguments...>;
    return MakeCallback(add, counter);
}

/** @return a row of the table below */
template <typename... Arguments>
Source
SourceRow(const std::string& type, const std::string& name, bool everyFrame = false)
{
    return {"ns3::" + type,
            name,
            everyFrame,
            &MakeCounting<Arguments...>,
            &MakeCountingWithContext<Arguments...>};
}

/** All trace sources with their signatures. A new one needs a row here. */
std::vector<Source>
AllSources()
{
    const std::string ocs = "OpticalCircuitSwitch";
    const std::string fiber = "OpticalFiber";
    const std::string nic = "RailNetDevice";
    using Bytes = Ptr<const Packet>;
    return {
        SourceRow<PortId, PortId, uint64_t>(ocs, "CircuitUp"),
        SourceRow<PortId, PortId, uint64_t>(ocs, "CircuitDown"),
        SourceRow<uint64_t, const CircuitPlan&>(ocs, "PlanAccepted"),
        SourceRow<uint64_t, const CircuitPlan&>(ocs, "PlanQueued"),
        SourceRow<const CircuitPlanReport&>(ocs, "PlanRefused"),
        SourceRow<const CircuitPlanReport&>(ocs, "PlanEnded"),
        SourceRow<PortId, const WireFrame&, FrameDropReason>(ocs, "FrameDropped"),
        SourceRow<PortId, PortId, const WireFrame&>(ocs, "FramePassed", true),
        SourceRow<PortId, PortFault>(ocs, "Alarm"),
        SourceRow<bool>(ocs, "Power"),
        SourceRow<const WireFrame&, FrameDropReason>(fiber, "FrameDropped"),
        SourceRow<bool>(fiber, "Intact"),
        SourceRow<const WireFrame&>(nic, "FrameSent", true),
        SourceRow<const WireFrame&>(nic, "FrameReceived", true),
        SourceRow<const WireFrame&, FrameDropReason>(nic, "FrameDropped"),
        SourceRow<bool>(nic, "Power"),
        SourceRow<bool>(nic, "Carrier"),
        SourceRow<bool>(nic, "PortEvent"),
        SourceRow<uint32_t, Time>(nic, "Pause"),
        SourceRow<Bytes>(nic, "MacTx", true),
        SourceRow<Bytes>(nic, "MacTxDrop"),
        SourceRow<Bytes>(nic, "MacRx", true),
        SourceRow<Bytes>(nic, "MacPromiscRx", true),
        SourceRow<Bytes>(nic, "PhyTxBegin", true),
        SourceRow<Bytes>(nic, "PhyRxEnd", true),
        SourceRow<Bytes>(nic, "PhyRxDrop"),
        SourceRow<Bytes>(nic, "Sniffer", true),
        SourceRow<Bytes>(nic, "PromiscSniffer", true),
    };
}

/** The table has every source. */
class CompleteTableTest : public TestCase
{
  public:
    CompleteTableTest()
        : TestCase("every trace source has a row in this test")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> rows;
        for (const Source& source : AllSources())
        {
            rows.insert(source.type + "::" + source.name);
        }
        for (const char* type : {"ns3::OpticalCircuitSwitch",
                                 "ns3::OpticalSwitchPort",
                                 "ns3::OpticalFiber",
                                 "ns3::FiberPort",
                                 "ns3::RailNetDevice"})
        {
            const TypeId tid = TypeId::LookupByName(type);
            for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
            {
                const std::string name = std::string(type) + "::" + tid.GetTraceSource(i).name;
                NS_TEST_EXPECT_MSG_EQ(rows.count(name), 1, name << " is not in AllSources()");
            }
        }
    }
};

/** A scenario in which every source fires. */
class Story
{
  public:
    Story()
    {
        PhotonicRailHelper helper;
        helper.SetPorts(1, DataRate("100Gbps"));
        helper.SetFiberAttribute("Delay", TimeValue(ToTime(FIBER)));
        helper.SetReconfigurationTime(ToTime(US));
        rail = helper.Install(NodeContainer(3));
        rail.GetNic(1)->SetPromiscReceiveCallback(MakeCallback(&Story::Take, this));
    }

    void Run()
    {
        Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        HostBench::At(1 * US, [ocs] {
            ocs->Connect(PortId(0), PortId(1)); // accepted, up, ended; then carrier
            ocs->Connect(PortId(0), PortId(2)); // queued, then refused
        });
        HostBench::At(10 * US, [this] {
            Send(1);
            Send(2);         // wrong destination
            Send(1, 60'000); // too large
            rail.GetNic(1)->SendPause(3, 1);
        });
        HostBench::At(20 * US, [this] { Send(1); }); // is in the fiber of NIC 0
        HostBench::At(20 * US + FIBER / 2, [this] { rail.GetFiber(0)->Cut(); });
        HostBench::At(30 * US, [this] { rail.GetFiber(0)->Splice(); });
        HostBench::At(40 * US, [this] { Send(1); }); // on its way to the switch
        HostBench::At(40 * US + FIBER / 2, [ocs] {
            ocs->SetFault(PortId(1), PortFault::STUCK_DARK); // alarm, down
        });
        HostBench::At(50 * US, [this, ocs] {
            ocs->SetPower(false);
            rail.GetNic(2)->SetPower(false);
        });
        Simulator::Run();
    }

    Rail rail;

  private:
    void Send(uint32_t to, uint32_t bytes = 1000)
    {
        rail.GetNic(0)->Send(Create<Packet>(bytes), rail.GetNic(to)->GetAddress(), 0x88b5);
    }

    bool Take(Ptr<NetDevice>,
              Ptr<const Packet>,
              uint16_t,
              const Address&,
              const Address&,
              NetDevice::PacketType)
    {
        return true;
    }
};

/** Connecting and disconnecting by path. */
class ConnectTest : public TestCase
{
  public:
    ConnectTest()
        : TestCase("every trace source fires for who connected, and not for who disconnected")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool context : {false, true})
        {
            for (const bool disconnect : {false, true})
            {
                Check(context, disconnect);
            }
        }
    }

    void Check(bool context, bool disconnect)
    {
        const HostBench::Case self;
        Story story;
        const std::vector<Source> sources = AllSources();
        std::vector<Counter> counters(sources.size());
        for (std::size_t i = 0; i < sources.size(); ++i)
        {
            sources[i].Connect(context, &counters[i]);
            if (disconnect)
            {
                sources[i].Disconnect(context, &counters[i]);
            }
        }
        story.Run();
        for (std::size_t i = 0; i < sources.size(); ++i)
        {
            const std::string name = sources[i].type + "::" + sources[i].name;
            NS_TEST_EXPECT_MSG_EQ((counters[i].count > 0),
                                  !disconnect,
                                  name << (context ? " with" : " without") << " context");
        }
        NS_TEST_EXPECT_MSG_EQ(story.rail.GetNic(0)->IsObserved(), !disconnect, "NIC");
        NS_TEST_EXPECT_MSG_EQ(story.rail.GetOpticalSwitch()->IsObserved(), !disconnect, "switch");
    }
};

/** Which ports are observed. */
class ObservedTest : public TestCase
{
  public:
    ObservedTest()
        : TestCase("a source that fires for every frame makes its owner observed while connected")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        Story story;
        const std::vector<Source> sources = AllSources();
        Counter counter;
        for (const bool context : {false, true})
        {
            for (const Source& source : sources)
            {
                const bool nic = source.type == "ns3::RailNetDevice" && source.everyFrame;
                const bool ocs = source.type == "ns3::OpticalCircuitSwitch" && source.everyFrame;
                Expect(story, false, false, source.name + " before");
                source.Connect(context, &counter);
                Expect(story, nic, ocs, source.name + " connected");
                source.Disconnect(context, &counter);
                Expect(story, false, false, source.name + " disconnected");
            }
        }
        // two listeners, of which one goes
        const Source sent = SourceRow<const WireFrame&>("RailNetDevice", "FrameSent");
        const Source sniffer = SourceRow<Ptr<const Packet>>("RailNetDevice", "Sniffer");
        sent.Connect(false, &counter);
        sniffer.Connect(true, &counter);
        sent.Disconnect(false, &counter);
        Expect(story, true, false, "one of two");
        sniffer.Disconnect(true, &counter);
        Expect(story, false, false, "none of two");
    }

    void Expect(const Story& story, bool nic, bool ocs, const std::string& when)
    {
        for (uint32_t h = 0; h < 3; ++h)
        {
            NS_TEST_EXPECT_MSG_EQ(story.rail.GetNic(h)->IsObserved(), nic, when << ": NIC " << h);
        }
        NS_TEST_EXPECT_MSG_EQ(story.rail.GetOpticalSwitch()->IsObserved(), ocs, when << ": switch");
    }
};

/** The suite. */
class TracesTestSuite : public TestSuite
{
  public:
    TracesTestSuite()
        : TestSuite("photonic-rails-traces", TestSuite::Type::UNIT)
    {
        AddTestCase(new CompleteTableTest);
        AddTestCase(new ConnectTest);
        AddTestCase(new ObservedTest);
    }
};

TracesTestSuite g_tracesTestSuite;

} // namespace
