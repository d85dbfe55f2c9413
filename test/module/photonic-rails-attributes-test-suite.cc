/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Every attribute of the module, set before Install(), after it and while the simulation runs: it
// has its effect, or is refused. No value is ignored silently, or overwritten by a helper.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-training-bench.h"
#include "photonic-rails-attribute-job.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-helper.h"
#include "ns3/opus-shim-app.h"
#include "ns3/rail.h"
#include "ns3/rdma-engine.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-run.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <string>

using namespace ns3;

namespace
{

/** How long an attribute can be set. */
enum class Until
{
    ALWAYS,    //!< it takes effect at once, or with what is made next
    START,     //!< it is read when the simulation starts, and refused after that
    INSTALL,   //!< others read it at Install(), and it is refused after that
    NEVER_SET, //!< it can only be read
    BOTH_ENDS, //!< any time, but it is refused at the start if the other end of a fiber differs
};

/** The expected behavior of an attribute. */
struct Row
{
    Until until{Until::ALWAYS};
    std::string other; //!< a value that is not its default
    bool shows{false}; //!< the job goes otherwise with the other value
    AttributeJob::Rails rails{AttributeJob::OPTICAL}; //!< that the job runs over
};

constexpr bool SHOWS = true;
constexpr bool HIDDEN = false;
constexpr auto ELECTRICAL = AttributeJob::ELECTRICAL;
constexpr const char* DOUBLED = "ns3::ConstantRandomVariable[Constant=2]";
constexpr const char* MILLISECOND = "ns3::ConstantRandomVariable[Constant=0.001]";

/** All of them. A new attribute needs a row here. */
const std::map<std::string, Row> ROWS{
    {"ns3::CollectiveApplication::MessageSize", {Until::START, "16384", SHOWS}},
    {"ns3::CollectiveApplication::PointToPointMessageSize", {Until::START, "4096", SHOWS}},
    {"ns3::CollectiveApplication::IntraNodeMessageSize", {Until::START, "4096", SHOWS}},
    {"ns3::CollectiveApplication::IntraNodeAsOne", {Until::START, "false", HIDDEN}},
    {"ns3::CollectiveApplication::IntraNodeStretches", {Until::START, "false", HIDDEN}},
    {"ns3::CollectiveApplication::MemoizeOperations", {Until::START, "false", HIDDEN}},
    {"ns3::CollectiveApplication::Channels", {Until::START, "4", SHOWS}},
    {"ns3::CollectiveApplication::Ports", {Until::START, "4", HIDDEN}},
    {"ns3::CollectiveApplication::Bidirectional", {Until::START, "false", HIDDEN}},
    {"ns3::CollectiveApplication::Fallback", {Until::START, "false", HIDDEN}},
    {"ns3::CollectiveApplication::MayUseHost", {Until::START, "true", SHOWS}},
    {"ns3::CollectiveApplication::WeighHost", {Until::START, "false", SHOWS}},
    {"ns3::CollectiveApplication::EagerLimit", {Until::START, "1", HIDDEN}},
    {"ns3::CollectiveApplication::EagerSends", {Until::START, "1", HIDDEN}},
    {"ns3::CollectiveApplication::BootstrapLatency", {Until::START, "1s", SHOWS}},
    {"ns3::CollectiveApplication::BytesPerSecond", {Until::START, "1", SHOWS}},
    {"ns3::CollectiveApplication::HopLatency", {Until::START, "1s", SHOWS}},
    {"ns3::CollectiveApplication::IntraNodeBytesPerSecond", {Until::START, "1", HIDDEN}},
    {"ns3::CollectiveApplication::StragglerAware", {Until::START, "true", HIDDEN}},
    {"ns3::CollectiveApplication::LatenessWindow", {Until::START, "1", HIDDEN}},
    {"ns3::CollectiveApplication::RailStartTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::RailStepTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::RailMessageTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::ScaleUpStartTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::ScaleUpStepTime", {Until::START, "10ms", HIDDEN}},
    {"ns3::CollectiveApplication::ScaleUpMessageTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::HostStartTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::HostStepTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::HostMessageTime", {Until::START, "10ms", SHOWS}},
    {"ns3::CollectiveApplication::Protocol", {Until::START, "LL", SHOWS}},
    {"ns3::CollectiveApplication::ComputeFactor", {Until::ALWAYS, DOUBLED, SHOWS}},
    {"ns3::CollectiveApplication::StallLimit", {Until::START, "1ns", SHOWS}},
    {"ns3::CollectiveApplication::AbortOnFailure", {Until::ALWAYS, "false", HIDDEN}},
    {"ns3::HostEndpoint::Port", {Until::START, "5000", HIDDEN}},
    {"ns3::HostEndpoint::HostLatency", {Until::START, "50us", SHOWS}},
    {"ns3::HostEndpoint::SegmentSize", {Until::START, "1000", SHOWS}},
    {"ns3::HostEndpoint::BufferSize", {Until::START, "9000", SHOWS}},
    {"ns3::HostEndpoint::MinimumTimeout", {Until::START, "1us", HIDDEN}},
    {"ns3::HostEndpoint::ConnectTimeout", {Until::START, "1us", SHOWS}},
    {"ns3::HostEndpoint::Timeout", {Until::START, "1ns", SHOWS}},
    {"ns3::StandingCircuits::HostNetwork", {Until::ALWAYS, "true", HIDDEN, ELECTRICAL}},
    {"ns3::RailNetDevice::DataRate", {Until::ALWAYS, "25Gbps", SHOWS}},
    {"ns3::RailNetDevice::Mtu", {Until::ALWAYS, "1500", HIDDEN}},
    {"ns3::RailNetDevice::LinkUpTime", {Until::ALWAYS, MILLISECOND, SHOWS}},
    {"ns3::RailNetDevice::ProcessingTime", {Until::ALWAYS, MILLISECOND, HIDDEN}},
    {"ns3::RailNetDevice::NoCarrierAction", {Until::ALWAYS, "Drop", HIDDEN}},
    {"ns3::RailNetDevice::NotifyStack", {Until::ALWAYS, "true", HIDDEN}},
    {"ns3::RailNetDevice::LaunchPower", {Until::ALWAYS, "7", HIDDEN}},
    {"ns3::RailNetDevice::ReceiverSensitivity", {Until::ALWAYS, "-20", HIDDEN}},
    {"ns3::RailNetDevice::QueueSize", {Until::ALWAYS, "7p", HIDDEN}},
    {"ns3::RailNetDevice::QueueList", {Until::NEVER_SET, "", HIDDEN}},
    {"ns3::OpticalFiber::Delay", {Until::ALWAYS, "3us", SHOWS}},
    {"ns3::OpticalFiber::FrameLossRate", {Until::ALWAYS, "0.01", SHOWS}},
    {"ns3::OpticalCircuitSwitch::Technology", {Until::INSTALL, "mems", HIDDEN}},
    {"ns3::OpticalCircuitSwitch::Radix", {Until::ALWAYS, "64", HIDDEN}},
    {"ns3::OpticalCircuitSwitch::ReconfigurationTime", {Until::ALWAYS, MILLISECOND, SHOWS}},
    {"ns3::OpticalCircuitSwitch::PropagationDelay", {Until::ALWAYS, "7us", SHOWS}},
    {"ns3::OpticalCircuitSwitch::Granularity", {Until::INSTALL, "WholeSwitch", SHOWS}},
    {"ns3::OpticalCircuitSwitch::WhenReconfiguring", {Until::ALWAYS, "Refuse", HIDDEN}},
    {"ns3::OpticalCircuitSwitch::Latching", {Until::ALWAYS, "false", HIDDEN}},
    {"ns3::OpticalCircuitSwitch::Fabric", {Until::INSTALL, "benes", SHOWS}},
    {"ns3::OpticalCircuitSwitch::Rearrange", {Until::ALWAYS, "true", HIDDEN}},
    {"ns3::MeshFabric::CellLoss", {Until::ALWAYS, "0.1", HIDDEN}},
    {"ns3::MeshFabric::CellCrosstalk", {Until::ALWAYS, "40", HIDDEN}},
    {"ns3::MeshFabric::CellLength", {Until::ALWAYS, "100", HIDDEN}},
    {"ns3::MeshFabric::GroupIndex", {Until::ALWAYS, "2", HIDDEN}},
    {"ns3::MeshFabric::PortLoss", {Until::ALWAYS, "1", HIDDEN}},
    {"ns3::MeshFabric::AccessLength", {Until::ALWAYS, "0", HIDDEN}},
    {"ns3::MeshFabric::TuningTime", {Until::ALWAYS, "1us", HIDDEN}},
    {"ns3::MeshFabric::SearchRounds", {Until::ALWAYS, "7", HIDDEN}},
    {"ns3::HexagonalMeshFabric::Rows", {Until::ALWAYS, "7", HIDDEN}},
    {"ns3::HexagonalMeshFabric::Columns", {Until::ALWAYS, "7", HIDDEN}},
    {"ns3::OpusEndpoint::Port", {Until::INSTALL, "5000", HIDDEN}},
    {"ns3::OpusEndpoint::RetransmitAfter", {Until::START, "1us", SHOWS}},
    {"ns3::OpusEndpoint::MostAttempts", {Until::START, "1", HIDDEN}},
    {"ns3::OpusEndpoint::RetryFor", {Until::ALWAYS, "1us", HIDDEN}},
    {"ns3::OpusEndpoint::ProcessingTime", {Until::START, MILLISECOND, SHOWS}},
    {"ns3::OcsAgent::DoneWhen", {Until::START, "Carrier", SHOWS}},
    {"ns3::OpusShimApp::Mode", {Until::START, "Provisioned", SHOWS}},
    {"ns3::OpusShimApp::ProfileIterations", {Until::START, "2", SHOWS}},
    {"ns3::OpusShimApp::HostNetwork", {Until::START, "true", HIDDEN}},
    {"ns3::OpusShimApp::GiveUpAfter", {Until::START, "1ns", SHOWS}},
    {"ns3::OpusShimApp::WhenGivenUp", {Until::START, "Send", HIDDEN}},
    {"ns3::OpusShimApp::KeepIdle", {Until::START, "0s", HIDDEN}},
    {"ns3::OpusShimApp::ReportOutages", {Until::START, "true", HIDDEN}},
    {"ns3::OpusShimApp::HostLatency", {Until::START, "20us", SHOWS}},
    {"ns3::OpusShimApp::ReconfigurationTime", {Until::START, "0s", SHOWS}},
    {"ns3::OpusShimApp::HostBytesPerSecond", {Until::START, "0", SHOWS}},
    {"ns3::OpusShimApp::HostHopLatency", {Until::START, "1s", SHOWS}},
    {"ns3::OpusControllerApp::Policy", {Until::INSTALL, "provisioned", SHOWS}},
    {"ns3::RotorPolicy::Slot", {Until::ALWAYS, "2ms", HIDDEN}},
    {"ns3::RecordedPolicy::File", {Until::ALWAYS, "plan.txt", HIDDEN}},
    {"ns3::StaticSplitPolicy::Division", {Until::ALWAYS, "ByTraffic", HIDDEN}},
    {"ns3::UnionPolicy::NicPorts", {Until::ALWAYS, "4", HIDDEN}},
    {"ns3::OpusControllerApp::Granularity", {Until::START, "Rail", HIDDEN}},
    {"ns3::OpusControllerApp::GatherTime", {Until::START, "2ms", HIDDEN}},
    {"ns3::OpusControllerApp::Fallback", {Until::START, "GiantRing", HIDDEN}},
    {"ns3::OpusControllerApp::Speculation", {Until::START, "Grant", HIDDEN}},
    {"ns3::OpusControllerApp::VoteLimit", {Until::START, "1ns", SHOWS}},
    {"ns3::OpusControllerApp::PortLimit", {Until::START, "1ns", HIDDEN}},
    {"ns3::OpusControllerApp::ProgramLimit", {Until::START, "1ns", SHOWS}},
    {"ns3::OpusControllerApp::TrafficLimit", {Until::START, "1ns", SHOWS}},
    {"ns3::OpusControllerApp::HeartbeatInterval", {Until::START, "20us", SHOWS}},
    {"ns3::OpusControllerApp::TakeoverAfter", {Until::START, "1us", SHOWS}},
    {"ns3::OpusControllerApp::TakeDownAtEnd", {Until::START, "true", SHOWS}},
    {"ns3::SharedRails::LaunchTime", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::SharedRails::Overtaking", {Until::ALWAYS, "true", HIDDEN}},
    {"ns3::SharedRails::Waits", {Until::ALWAYS, "false", HIDDEN}},
    {"ns3::RecoveringJob::LaunchTime", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::RecoveringJob::DecisionTime", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::RecoveringJob::ReturnLimit", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::RecoveringJob::HealthLatency", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::RecoveringJob::ServersPerRack", {Until::ALWAYS, "4", HIDDEN}},
    {"ns3::RecoveringJob::MostRecoveries", {Until::ALWAYS, "1", HIDDEN}},
    {"ns3::HealthAgent::Interval", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::HealthAgent::ProcessPoll", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::HealthAgent::HostLatency", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::HealthAgent::ReportsQueuePairs", {Until::ALWAYS, "false", HIDDEN}},
    {"ns3::HealthMonitor::MissingAfter", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::HealthMonitor::GatherTime", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::OtherRailReaction::DetectAfter", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::OtherRailReaction::ReceiptLatency", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::RdmaTransport::ReceiptLatency", {Until::ALWAYS, "1s", HIDDEN}},
    {"ns3::RdmaClientApplication::Remote", {Until::START, "ff:ff:ff:ff:ff:ff", SHOWS}},
    {"ns3::RdmaClientApplication::Port", {Until::START, "1", SHOWS}},
    {"ns3::RdmaClientApplication::MessageSize", {Until::START, "9000", SHOWS}},
    {"ns3::RdmaClientApplication::Messages", {Until::START, "3", SHOWS}},
    {"ns3::RdmaClientApplication::Interval", {Until::START, "10s", SHOWS}},
    {"ns3::RdmaEngine::Mtu", {Until::ALWAYS, "1024", SHOWS}},
    {"ns3::RdmaEngine::AckEvery", {Until::ALWAYS, "1", SHOWS}},
    {"ns3::RdmaEngine::TimeoutExponent", {Until::ALWAYS, "0", HIDDEN}},
    {"ns3::RdmaEngine::RetryLimit", {Until::ALWAYS, "0", HIDDEN}},
    {"ns3::RdmaEngine::SelectiveRepeat", {Until::ALWAYS, "true", HIDDEN}},
    {"ns3::RdmaEngine::DataClass", {Until::ALWAYS, "1", HIDDEN}},
    {"ns3::RdmaEngine::AckClass", {Until::ALWAYS, "2", SHOWS}},
    {"ns3::RdmaEngine::CnpClass", {Until::ALWAYS, "5", HIDDEN}},
    {"ns3::RdmaEngine::InitialPsn", {Until::ALWAYS, "5", HIDDEN}},
    {"ns3::RdmaEngine::DarkLimit", {Until::ALWAYS, "1ns", HIDDEN}},
    {"ns3::RdmaEngine::CnpInterval", {Until::ALWAYS, "1us", HIDDEN}},
    {"ns3::RdmaEngine::CongestionControl", {Until::ALWAYS, "dcqcn", HIDDEN}},
    {"ns3::StaticWindowControl::Window", {Until::ALWAYS, "4096", HIDDEN}},
    {"ns3::DcqcnControl::MinimumRate", {Until::ALWAYS, "1Gbps", HIDDEN}},
    {"ns3::DcqcnControl::AdditiveStep", {Until::ALWAYS, "1Gbps", HIDDEN}},
    {"ns3::DcqcnControl::HyperStep", {Until::ALWAYS, "1Gbps", HIDDEN}},
    {"ns3::DcqcnControl::AlphaTimer", {Until::ALWAYS, "1us", HIDDEN}},
    {"ns3::DcqcnControl::RateTimer", {Until::ALWAYS, "1us", HIDDEN}},
    {"ns3::DcqcnControl::ByteCounter", {Until::ALWAYS, "1000", HIDDEN}},
    {"ns3::DcqcnControl::GainShift", {Until::ALWAYS, "4", HIDDEN}},
    {"ns3::DcqcnControl::FastRecovery", {Until::ALWAYS, "1", HIDDEN}},
    {"ns3::ScaleUpDomain::Generation", {Until::INSTALL, "nvlink3", SHOWS}},
    {"ns3::ScaleUpDomain::PortRate", {Until::INSTALL, "25Gbps", SHOWS}},
    {"ns3::ScaleUpDomain::Latency", {Until::INSTALL, "20us", SHOWS}},
    {"ns3::ElectricalSwitchPort::DataRate", {Until::BOTH_ENDS, "25Gbps", SHOWS, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::Forwarding", {Until::ALWAYS, "CutThrough", SHOWS, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::SwitchingDelay", {Until::START, "5us", SHOWS, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::Mtu", {Until::START, "9500", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::BufferSize", {Until::START, "0", SHOWS, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::Alpha", {Until::START, "0.5", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::XoffAlpha", {Until::START, "0.5", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::XonHysteresis", {Until::START, "5", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::LosslessClasses", {Until::START, "0", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::PauseQuanta", {Until::START, "1", SHOWS, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::PauseResponse", {Until::START, "5us", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::EcnClasses", {Until::START, "0", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::EcnStream", {Until::START, "1", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::EcnKmin", {Until::START, "1", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::EcnKmax", {Until::START, "5000000", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::EcnPmax", {Until::START, "0.5", HIDDEN, ELECTRICAL}},
    {"ns3::ElectricalRailSwitch::HashSeed", {Until::START, "5", HIDDEN, ELECTRICAL}},
};

/** @return the name of a class and an attribute of it, as messages have it */
std::string
GetShortName(const std::string& name)
{
    return name.substr(std::string("ns3::").size());
}

/** The table has each attribute of the module, and no other. */
class TableTest : public TestCase
{
  public:
    TableTest()
        : TestCase("The table has every attribute of the module")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> names;
        for (uint16_t t = 0; t < TypeId::GetRegisteredN(); ++t)
        {
            const TypeId tid = TypeId::GetRegistered(t);
            if (tid.GetGroupName() != "PhotonicRails")
            {
                continue;
            }
            for (std::size_t a = 0; a < tid.GetAttributeN(); ++a)
            {
                const std::string name = tid.GetAttributeFullName(a);
                names.insert(name);
                const auto row = ROWS.find(name);
                NS_TEST_ASSERT_MSG_EQ((row != ROWS.end()), true, name << " has no row in ROWS");
                NS_TEST_EXPECT_MSG_EQ(tid.GetAttribute(a).accessor->HasSetter(),
                                      (row->second.until != Until::NEVER_SET),
                                      name);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(names.size(), ROWS.size(), "rows of attributes that there are not");
    }
};

/** One attribute, set at three times. */
class AttributeTest : public TestCase
{
  public:
    AttributeTest(const std::string& name, const Row& row)
        : TestCase(name),
          m_name(name),
          m_row(row)
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        static std::map<AttributeJob::Rails, Ending> usual; // it is the same for all rows
        if (usual.count(m_row.rails) == 0)
        {
            usual[m_row.rails] = Run(AttributeJob::When::NOT_AT_ALL);
        }
        const Ending& byDefault = usual[m_row.rails];
        NS_TEST_ASSERT_MSG_EQ(byDefault.aborted, false, "the job: " << byDefault.output);
        const Ending before = Run(AttributeJob::When::BEFORE);
        NS_TEST_EXPECT_MSG_EQ((before.output != byDefault.output),
                              m_row.shows,
                              "its effect, before Install(): " << before.output);
        const Ending installed = Run(AttributeJob::When::INSTALLED);
        if (m_row.until == Until::BOTH_ENDS)
        {
            for (const Ending& is : {before, installed})
            {
                NS_TEST_EXPECT_MSG_EQ(is.HasLineWith({"DataRate", "the other end"}),
                                      true,
                                      "it is refused: " << is.output);
            }
            const Ending running = Run(AttributeJob::When::RUNNING);
            NS_TEST_EXPECT_MSG_EQ(running.aborted, false, running.output);
            NS_TEST_EXPECT_MSG_EQ((running.output != byDefault.output), m_row.shows, "its effect");
            return;
        }
        Check(installed, before, m_row.until == Until::INSTALL, "after Install()");
        const Ending running = Run(AttributeJob::When::RUNNING);
        Check(running, before, m_row.until != Until::ALWAYS, "in the first picosecond");
    }

    /** @return the result of the job with the other value */
    Ending Run(AttributeJob::When when) const
    {
        return RunInChild([this, when] {
            AttributeJob job(m_row.rails);
            std::cerr << job.Run(m_name, m_row.other, when);
        });
    }

    void Check(const Ending& is, const Ending& before, bool isRefused, const std::string& when)
    {
        if (isRefused)
        {
            NS_TEST_EXPECT_MSG_EQ(is.aborted, true, "it is refused " << when);
            NS_TEST_EXPECT_MSG_EQ(is.HasLineWith({GetShortName(m_name), "too late", "set it"}),
                                  true,
                                  when << ": " << is.output);
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(is.output, before.output, "the same as before Install(), " << when);
    }

    std::string m_name;
    Row m_row;
};

/** A value that a user sets on a helper is not overwritten by another helper. */
class HelperTest : public TestCase
{
  public:
    HelperTest()
        : TestCase("What a user sets on a helper is what objects have")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        Config::SetDefault("ns3::OpusControllerApp::PortLimit", StringValue("7s"));
        TrainingJobHelper helper;
        helper.GetOpus().SetControllerAttribute("VoteLimit", TimeValue(Seconds(5)));
        helper.GetOpus().SetControllerAttribute("Policy", StringValue("provisioned"));
        helper.GetOpus().SetShimAttribute("GiveUpAfter", TimeValue(Seconds(6)));
        helper.GetCollectives().SetAttribute("StallLimit", TimeValue(Seconds(8)));
        helper.GetScaleUp().SetAttribute("PortRate", DataRateValue(DataRate("9Gbps")));
        helper.GetRails().SetSwitchAttribute("Radix", UintegerValue(99));
        const Ptr<TrainingRun> run = Install(helper);
        Expect(run->plane.controller, "VoteLimit", "+5e+12ps");
        Expect(run->plane.controller, "PortLimit", "+7e+12ps");
        Expect(run->plane.shims[0], "GiveUpAfter", "+6e+12ps");
        Expect(run->applications.Get(0), "StallLimit", "+8e+12ps");
        Expect(run->domains[0], "PortRate", "9000000000bps");
        Expect(run->rails[0].GetOpticalSwitch(), "Radix", "99");
    }

    static Ptr<TrainingRun> Install(TrainingJobHelper& helper)
    {
        const TrainingCase small = TrainingCase::Small();
        helper.SetModel(small.shape);
        helper.SetParallelismPlan(small.plan);
        helper.SetRecipe(small.recipe);
        return helper.Install();
    }

    void Expect(Ptr<Object> object, const std::string& name, const std::string& value)
    {
        StringValue is;
        object->GetAttribute(name, is);
        NS_TEST_EXPECT_MSG_EQ(is.Get(), value, name);
    }
};

/** The suite. */
class AttributesTestSuite : public TestSuite
{
  public:
    AttributesTestSuite()
        : TestSuite("photonic-rails-attributes", TestSuite::Type::UNIT)
    {
        AddTestCase(new TableTest);
        AddTestCase(new HelperTest);
        for (const auto& [name, row] : ROWS)
        {
            if (row.until != Until::NEVER_SET)
            {
                AddTestCase(new AttributeTest(name, row));
            }
        }
    }
};

AttributesTestSuite g_attributesTestSuite;

} // namespace
