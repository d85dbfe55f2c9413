/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A first circuit.
//
//     host 0                                                  host 1
//     TCP bulk send                                           TCP sink
//     10.1.0.1     fiber      +----------------+     fiber    10.1.0.2
//     NIC port ------------- 0| optical switch |1 ------------ NIC port
//                             +----------------+
//
// A circuit joins ports 0 and 1, and host 0 sends --bytes bytes to host 1. At --at the circuit is
// taken down and set up again: for --reconfiguration no light passes. What is on its way through
// the switch at that instant is lost, to the picosecond; what the NICs have not sent yet waits;
// TCP repairs the rest.
//
// What to look at: the dark lasts exactly as long as the mirrors turn; each NIC learns of it one
// fiber delay later; a frame is lost only if it was in the switch or in the fiber towards it.
//
// Packets of TCP have events of their own, whatever --fidelity says: trains are for messages by
// RDMA (see rdma-over-circuit). So trace sources that fire for every frame cost nothing here.
//
// Try: ./rails run ocs-first-circuit --reconfiguration=10us --pcap=first
//      ./rails run ocs-first-circuit --at=150us --json=-
//      ./rails run ocs-first-circuit --timeline=timeline.json
//      ./rails run ocs-first-circuit --circuit-map=circuits.svg --circuit-map-at=510us

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

/** The transfer: a line for each event, and what goes into the results. */
class Transfer
{
  public:
    explicit Transfer(Scenario& scenario)
        : m_scenario(scenario)
    {
    }

    /** Connects all that is noted. @param rail of two hosts */
    void Observe(const Rail& rail);

    void SwitchDropped(PortId port, const WireFrame& frame, FrameDropReason reason)
    {
        journal.Add("port " + std::to_string(port.Get()),
                    "lost a frame of " + std::to_string(frame.packet->GetSize()) + " bytes",
                    ToString(reason));
        ++drops[ToString(reason)];
    }

    void NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
    {
        journal.Add("host " + std::to_string(host), "lost a frame", ToString(reason));
        ++drops[ToString(reason)];
    }

    void FrameSent(const WireFrame& frame)
    {
        if (!m_firstBit)
        {
            m_firstBit = ToTime(frame.first);
            journal.AddAt(*m_firstBit, "host 0", "first frame goes out", "the application began");
        }
    }

    void FrameReceived(const WireFrame& frame)
    {
        if (latency.IsZero())
        {
            latency = ToTime(frame.last) - *m_firstBit;
            journal.Add("host 1",
                        "first frame is in",
                        std::to_string(latency.GetTimeStep()) + " ps from first bit to last");
        }
    }

    void BytesReceived(uint64_t expected, Ptr<const Packet> packet, const Address&)
    {
        received += packet->GetSize();
        if (received == expected)
        {
            end = Simulator::Now();
            journal.Add("host 1", "last byte is in", std::to_string(received) + " bytes");
            m_scenario.GetTimeline().Finish(); // TCP goes on waiting for minutes
        }
    }

    CircuitJournal journal;
    ReconfigurationRecord reconfigurations;
    Time latency{0};                       //!< of the first frame
    uint64_t received{0};                  //!< bytes
    Time end{0};                           //!< the last byte is in
    std::map<std::string, uint64_t> drops; //!< frames, by reason

  private:
    Scenario& m_scenario;
    std::optional<Time> m_firstBit;
};

void
Transfer::Observe(const Rail& rail)
{
    journal.Observe(
        rail,
        {"the script asked for it", "it begins to reconfigure", "its reconfiguration has ended"});
    reconfigurations.Observe(rail);
    rail.GetOpticalSwitch()->TraceConnectWithoutContext(
        "FrameDropped",
        MakeCallback(&Transfer::SwitchDropped, this));
    for (uint32_t h = 0; h < 2; ++h)
    {
        rail.GetNic(h)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&Transfer::NicDropped, this).Bind(h));
    }
    rail.GetNic(0)->TraceConnectWithoutContext("FrameSent",
                                               MakeCallback(&Transfer::FrameSent, this));
    rail.GetNic(1)->TraceConnectWithoutContext("FrameReceived",
                                               MakeCallback(&Transfer::FrameReceived, this));
}

/** What the command line can set. */
struct Options
{
    uint64_t bytes{20'000'000};
    DataRate rate{"100Gbps"};
    Time fiberDelay{NanoSeconds(100)};
    Time reconfiguration{MicroSeconds(25)};
    Time at{MicroSeconds(500)};
    CaptureOption capture;
    CircuitMapOption circuitMap;

    /** Adds the options. @param scenario gets them */
    void Add(Scenario& scenario);
    /** Refuses what options can't be together. @param scenario refuses */
    void Check(Scenario& scenario);
};

void
Options::Add(Scenario& scenario)
{
    scenario.Add("bytes", "Bytes that host 0 sends to host 1", bytes).Between(1, 1ULL << 40);
    scenario.Add("rate", "Rate of the NIC ports, such as 400Gbps", rate);
    scenario.Add("fiber-delay",
                 "Time light takes from a NIC to the switch, such as 98ns",
                 fiberDelay);
    scenario.Add("reconfiguration",
                 "Reconfiguration time of the switch, such as 25ms",
                 reconfiguration);
    scenario.Add("at",
                 "When the circuit is taken down and set up again, such as 100us; the default is "
                 "in mid-transfer at 100 Gb/s",
                 at);
    capture.Add(scenario.GetOptions(),
                "Prefix of capture files, one for each NIC port; without it none");
    circuitMap.Add(scenario.GetOptions());
    scenario.AddTimeline();
    scenario.AddAnimation();
}

void
Options::Check(Scenario& scenario)
{
    circuitMap.Check(scenario.GetOptions());
    const uint64_t longest = 1'000'000; // seconds
    scenario.Require(bytes * 8 / rate.GetBitRate() < longest,
                     "bytes",
                     "it takes more than 1000000 s at --rate=" + ToOption(rate));
    capture.Check(scenario.GetOptions(), bytes);
}

/** Segments that fill a jumbo frame, and windows to match 100 Gb/s. */
void
SetTcpDefaults()
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8948));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 20));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MilliSeconds(10)));
}

/** Host 0 sends by TCP. */
void
InstallTransfer(const Rail& rail, const NodeContainer& hosts, uint64_t bytes, Transfer& transfer)
{
    const Ipv4InterfaceContainer addresses =
        PhotonicRailHelper::AssignIpv4(rail, "10.1.0.0", "255.255.255.0");
    const uint16_t port = 5000;
    PacketSinkHelper sinkHelper("ns3::TcpSocketFactory",
                                InetSocketAddress(Ipv4Address::GetAny(), port));
    ApplicationContainer sink = sinkHelper.Install(hosts.Get(1));
    sink.Get(0)->TraceConnectWithoutContext(
        "Rx",
        MakeCallback(&Transfer::BytesReceived, &transfer).Bind(bytes));
    BulkSendHelper sourceHelper("ns3::TcpSocketFactory",
                                InetSocketAddress(addresses.GetAddress(1), port));
    sourceHelper.SetAttribute("MaxBytes", UintegerValue(bytes));
    sourceHelper.SetAttribute("SendSize", UintegerValue(8948));
    sourceHelper.Install(hosts.Get(0));
}

/** Two hosts, the switch between them, and what is to happen. */
Rail
SetUp(PhotonicRailHelper& rails, const Options& options, Transfer& transfer)
{
    SetTcpDefaults();
    NodeContainer hosts(2);
    rails.SetPorts(1, options.rate);
    rails.SetFiberAttribute("Delay", TimeValue(options.fiberDelay));
    rails.SetReconfigurationTime(options.reconfiguration);
    const Rail rail = rails.Install(hosts);
    InternetStackHelper().Install(hosts);
    rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
    transfer.Observe(rail);
    InstallTransfer(rail, hosts, options.bytes, transfer);
    const CircuitPlan again =
        CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(1));
    PhotonicRailHelper::ScheduleApply(rail, options.at, again);
    return rail;
}

void
WriteResult(JsonWriter& json, const Transfer& transfer)
{
    json.Field("bytes_received", transfer.received);
    json.Field("one_way_latency_ps", transfer.latency.GetTimeStep());
    transfer.reconfigurations.Write(json);
    json.BeginObject("drops");
    for (const auto& [reason, count] : transfer.drops)
    {
        json.Field(reason, count);
    }
    json.EndObject();
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    return scenario.Run(argc, argv, [&] {
        options.Check(scenario);
        Transfer transfer(scenario);
        PhotonicRailHelper rails;
        const Rail rail = SetUp(rails, options, transfer);
        RailAudit audit;
        audit.Add(rail);
        scenario.Begin();
        scenario.GetTimeline().Add(rail);
        options.circuitMap.Record(rail, "host");
        scenario.GetAnimation().Add(rail);
        const Ptr<RunResults> results = scenario.BeginRun({"the transfer"}); // for --output=FOLDER
        results->Add(rail);
        options.capture.Enable(rails, rail);
        if (scenario.PrintsTables())
        {
            transfer.journal.PrintAtOnce(std::cout);
        }
        Scenario::Simulate();
        audit.Require(); // every frame is accounted for
        options.circuitMap.Write();
        results->Finish(transfer.end);
        scenario.AddFigure("last byte in", "us", transfer.end.GetTimeStep() / 1e6);
        scenario.Write([&](JsonWriter& json) {
            json.Field("bytes_sent", options.bytes);
            WriteResult(json, transfer);
            WriteFidelity(json, rail);
        });
        Simulator::Destroy();
        if (transfer.received != options.bytes)
        {
            throw std::runtime_error("only " + std::to_string(transfer.received) + " of " +
                                     std::to_string(options.bytes) +
                                     " bytes arrived: TCP gave up after its last try "
                                     "(ns3::TcpSocket::DataRetries, ConnCount)");
        }
    });
}
