/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A limit may be Time::Max(), which means that there is none: no sum with it overflows, and waits
// that end before their limit are unchanged.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "photonic-rails-attribute-job.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/type-id.h"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** The meaning of an attribute that is a time. */
enum class Kind
{
    LIMIT,   //!< the time of a wait: there may be no limit
    BOUNDED, //!< a wait that others double: an hour at most
    DELAY,   //!< the time of an action, which is part of the scenario
};

/** All of them. A new attribute needs a row here. */
const std::map<std::string, Kind> KINDS{
    {"ns3::CollectiveApplication::BootstrapLatency", Kind::DELAY},
    {"ns3::CollectiveApplication::HopLatency", Kind::DELAY},
    {"ns3::CollectiveApplication::HostMessageTime", Kind::DELAY},
    {"ns3::CollectiveApplication::HostStartTime", Kind::DELAY},
    {"ns3::CollectiveApplication::HostStepTime", Kind::DELAY},
    {"ns3::CollectiveApplication::RailMessageTime", Kind::DELAY},
    {"ns3::CollectiveApplication::RailStartTime", Kind::DELAY},
    {"ns3::CollectiveApplication::RailStepTime", Kind::DELAY},
    {"ns3::CollectiveApplication::ScaleUpMessageTime", Kind::DELAY},
    {"ns3::CollectiveApplication::ScaleUpStartTime", Kind::DELAY},
    {"ns3::CollectiveApplication::ScaleUpStepTime", Kind::DELAY},
    {"ns3::CollectiveApplication::StallLimit", Kind::LIMIT},
    {"ns3::DcqcnControl::AlphaTimer", Kind::LIMIT},
    {"ns3::DcqcnControl::RateTimer", Kind::LIMIT},
    {"ns3::ElectricalRailSwitch::PauseResponse", Kind::DELAY},
    {"ns3::ElectricalRailSwitch::SwitchingDelay", Kind::DELAY},
    {"ns3::HostEndpoint::ConnectTimeout", Kind::BOUNDED},
    {"ns3::HostEndpoint::HostLatency", Kind::DELAY},
    {"ns3::HostEndpoint::MinimumTimeout", Kind::BOUNDED},
    {"ns3::HostEndpoint::Timeout", Kind::LIMIT},
    {"ns3::MeshFabric::TuningTime", Kind::DELAY},
    {"ns3::OpticalCircuitSwitch::PropagationDelay", Kind::DELAY},
    {"ns3::OpticalFiber::Delay", Kind::DELAY},
    {"ns3::OpusControllerApp::GatherTime", Kind::DELAY},
    {"ns3::OpusControllerApp::HeartbeatInterval", Kind::LIMIT},
    {"ns3::OpusControllerApp::PortLimit", Kind::LIMIT},
    {"ns3::OpusControllerApp::ProgramLimit", Kind::LIMIT},
    {"ns3::OpusControllerApp::TakeoverAfter", Kind::LIMIT},
    {"ns3::OpusControllerApp::TrafficLimit", Kind::LIMIT},
    {"ns3::OpusControllerApp::VoteLimit", Kind::LIMIT},
    {"ns3::OpusEndpoint::RetransmitAfter", Kind::BOUNDED},
    {"ns3::OpusEndpoint::RetryFor", Kind::LIMIT},
    {"ns3::OpusShimApp::GiveUpAfter", Kind::LIMIT},
    {"ns3::OpusShimApp::HostHopLatency", Kind::DELAY},
    {"ns3::OpusShimApp::HostLatency", Kind::DELAY},
    {"ns3::OpusShimApp::KeepIdle", Kind::LIMIT},
    {"ns3::OpusShimApp::ReconfigurationTime", Kind::DELAY},
    {"ns3::RdmaClientApplication::Interval", Kind::DELAY},
    {"ns3::RdmaEngine::CnpInterval", Kind::LIMIT},
    {"ns3::RdmaEngine::DarkLimit", Kind::LIMIT},
    {"ns3::RotorPolicy::Slot", Kind::LIMIT},
    {"ns3::ScaleUpDomain::Latency", Kind::DELAY},
    {"ns3::SharedRails::LaunchTime", Kind::DELAY},
    {"ns3::RecoveringJob::LaunchTime", Kind::DELAY},
    {"ns3::RecoveringJob::DecisionTime", Kind::DELAY},
    {"ns3::RecoveringJob::ReturnLimit", Kind::DELAY},
    {"ns3::RecoveringJob::HealthLatency", Kind::DELAY},
    {"ns3::HealthAgent::Interval", Kind::DELAY},
    {"ns3::HealthAgent::ProcessPoll", Kind::DELAY},
    {"ns3::HealthAgent::HostLatency", Kind::DELAY},
    {"ns3::HealthMonitor::MissingAfter", Kind::DELAY},
    {"ns3::HealthMonitor::GatherTime", Kind::DELAY},
    {"ns3::OtherRailReaction::DetectAfter", Kind::DELAY},
    {"ns3::OtherRailReaction::ReceiptLatency", Kind::DELAY},
    {"ns3::RdmaTransport::ReceiptLatency", Kind::DELAY},
};

/** @return the job with attributes of Time::Max() */
Ending
RunWithout(const std::vector<std::string>& limits)
{
    return RunInChild([&limits] {
        AttributeJob job(AttributeJob::OPTICAL);
        for (const std::string& limit : limits)
        {
            Config::SetDefault(limit, TimeValue(Time::Max()));
        }
        std::cerr << job.Run();
    });
}

/** The table has each attribute of the module that is a time. */
class KindsTest : public TestCase
{
  public:
    KindsTest()
        : TestCase("The table has every attribute that is a time")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> names;
        for (uint16_t t = 0; t < TypeId::GetRegisteredN(); ++t)
        {
            const TypeId tid = TypeId::GetRegistered(t);
            for (std::size_t a = 0; a < tid.GetAttributeN(); ++a)
            {
                if (tid.GetGroupName() == "PhotonicRails" &&
                    tid.GetAttribute(a).checker->GetValueTypeName() == "ns3::TimeValue")
                {
                    names.insert(tid.GetAttributeFullName(a));
                    NS_TEST_EXPECT_MSG_EQ(KINDS.count(tid.GetAttributeFullName(a)),
                                          1,
                                          tid.GetAttributeFullName(a) << " has no row in KINDS");
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(names.size(), KINDS.size(), "rows of attributes that there are not");
    }
};

/** A job without limits. */
class JobTest : public TestCase
{
  public:
    JobTest()
        : TestCase("A job without limits goes as with them")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const Ending usual = RunWithout({});
        NS_TEST_ASSERT_MSG_EQ(usual.aborted, false, usual.output);
        std::vector<std::string> all;
        for (const auto& [name, kind] : KINDS)
        {
            if (kind == Kind::LIMIT)
            {
                all.push_back(name);
                Check(name, RunWithout({name}), usual);
            }
            else if (kind == Kind::BOUNDED)
            {
                const Ending refused = RunWithout({name});
                NS_TEST_EXPECT_MSG_EQ(refused.aborted, true, name << " is refused");
                NS_TEST_EXPECT_MSG_EQ(
                    refused.HasLineWith({name.substr(5), "set it to 3600000000000000 ps or less"}),
                    true,
                    refused.output);
            }
        }
        Check("all", RunWithout(all), usual);
    }

    void Check(const std::string& name, const Ending& is, const Ending& usual)
    {
        NS_TEST_EXPECT_MSG_EQ(is.aborted, false, name);
        // the standby receives nothing between entries: fewer datagrams, and no other difference
        const bool hasHeartbeats =
            name != "ns3::OpusControllerApp::HeartbeatInterval" && name != "all";
        NS_TEST_EXPECT_MSG_EQ(GetPart(is, hasHeartbeats), GetPart(usual, hasHeartbeats), name);
    }

    /** @return the reports of operations and frames, and of datagrams if requested */
    static std::string GetPart(const Ending& ending, bool datagrams)
    {
        std::istringstream lines(ending.output);
        std::string part;
        for (std::string line; std::getline(lines, line);)
        {
            const bool isOfDatagrams = line.rfind("datagrams", 0) == 0 || line.rfind("end", 0) == 0;
            part += datagrams || !isOfDatagrams ? line + "\n" : "";
        }
        return part;
    }
};

/** A queue pair that is in the dark waits for ever, and sends when light comes. */
class DarkTest : public TestCase
{
  public:
    explicit DarkTest(const std::string& fidelity)
        : TestCase("A queue pair without DarkLimit waits for light: " + fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue(m_fidelity));
        const NodeContainer gpus(2);
        const Rail rail = PhotonicRailHelper().Install(gpus);
        RdmaHelper rdma;
        rdma.SetAttribute("DarkLimit", TimeValue(Time::Max()));
        rdma.Install(gpus);
        const RdmaEngine::Ends ends = RdmaEngine::Connect(gpus.Get(0), gpus.Get(1));
        ends.first->SetSettledCallback(MakeCallback(&DarkTest::Settled, this));
        ends.first->Post(RdmaVerb::SEND, 1 << 16);
        const Time late = Hours(1);
        Simulator::Schedule(late, &DarkTest::Light, this, rail);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(m_settled, late.GetTimeStep(), "it is sent when there is light");
        NS_TEST_EXPECT_MSG_EQ(NowPicoseconds(), m_settled, "and that is the end");
    }

    void Light(Rail rail)
    {
        rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
    }

    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        m_settled = NowPicoseconds();
    }

    std::string m_fidelity;
    Picoseconds m_settled{0};
};

/** The suite. */
class NoLimitTestSuite : public TestSuite
{
  public:
    NoLimitTestSuite()
        : TestSuite("photonic-rails-no-limit", TestSuite::Type::UNIT)
    {
        AddTestCase(new KindsTest);
        AddTestCase(new JobTest);
        AddTestCase(new DarkTest("PacketTrains"));
        AddTestCase(new DarkTest("PacketEvents"));
    }
};

NoLimitTestSuite g_noLimitTestSuite;

} // namespace
