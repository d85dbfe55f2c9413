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

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Prints one line an event and keeps what goes into the results. */
class Journal
{
  public:
    explicit Journal(Scenario& scenario)
        : m_scenario(scenario)
    {
    }

    void PrintHead() const
    {
        Line("time", "port", "what", "why");
    }

    void Event(const std::string& port, const std::string& what, const std::string& why)
    {
        std::ostringstream time;
        time << NowPicoseconds() << " ps";
        Line(time.str(), port, what, why);
    }

    void PlanAccepted(uint64_t, const CircuitPlan& plan)
    {
        std::ostringstream what;
        what << "plan " << plan;
        Event("switch", what.str(), "the script asked for it");
        m_requested.push_back(NowPicoseconds());
    }

    void CircuitDown(PortId low, PortId high, uint64_t epoch)
    {
        std::ostringstream port;
        port << "ports " << low << "-" << high;
        Event(port.str(), "circuit " + std::to_string(epoch) + " down", "it begins to reconfigure");
        m_down.push_back(NowPicoseconds());
    }

    void CircuitUp(PortId low, PortId high, uint64_t epoch)
    {
        std::ostringstream port;
        port << "ports " << low << "-" << high;
        Event(port.str(),
              "circuit " + std::to_string(epoch) + " up",
              "its reconfiguration has ended");
        m_up.push_back(NowPicoseconds());
    }

    void Carrier(uint32_t host, bool carrier)
    {
        Event("host " + std::to_string(host),
              carrier ? "carrier" : "no carrier",
              carrier ? "light came out of the fiber" : "no light comes out of the fiber");
    }

    void SwitchDropped(PortId port, const WireFrame& frame, FrameDropReason reason)
    {
        std::ostringstream what;
        what << "lost a frame of " << frame.packet->GetSize() << " bytes";
        Event("port " + std::to_string(port.Get()), what.str(), ToString(reason));
        ++m_drops[ToString(reason)];
    }

    void NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
    {
        Event("host " + std::to_string(host), "lost a frame", ToString(reason));
        ++m_drops[ToString(reason)];
    }

    void FrameSent(const WireFrame& frame)
    {
        if (m_firstBit == NEVER)
        {
            m_firstBit = frame.first;
            Line(std::to_string(frame.first) + " ps",
                 "host 0",
                 "first frame goes out",
                 "the application began");
        }
    }

    void FrameReceived(const WireFrame& frame)
    {
        if (m_latency == 0)
        {
            m_latency = frame.last - m_firstBit;
            Event("host 1",
                  "first frame is in",
                  std::to_string(m_latency) + " ps from first bit to last");
        }
    }

    void BytesReceived(uint64_t expected, Ptr<const Packet> packet, const Address&)
    {
        m_received += packet->GetSize();
        if (m_received == expected)
        {
            Event("host 1", "last byte is in", std::to_string(m_received) + " bytes");
            m_scenario.GetTimeline().Finish(); // TCP goes on waiting for minutes
        }
    }

    void Report(JsonWriter& json, uint64_t sent) const
    {
        json.Field("bytes_sent", sent);
        json.Field("bytes_received", m_received);
        json.Field("one_way_latency_ps", m_latency);
        json.BeginArray("reconfigurations");
        for (std::size_t i = 0; i < m_down.size(); ++i)
        {
            json.BeginObject();
            json.Field("requested_ps", m_requested[i]);
            json.Field("dark_from_ps", m_down[i]);
            if (i < m_up.size())
            {
                json.Field("up_at_ps", m_up[i]);
            }
            json.EndObject();
        }
        json.EndArray();
        json.BeginObject("drops");
        for (const auto& [reason, count] : m_drops)
        {
            json.Field(reason, count);
        }
        json.EndObject();
    }

    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    void Line(const std::string& time,
              const std::string& port,
              const std::string& what,
              const std::string& why) const
    {
        if (m_scenario.PrintsTables())
        {
            std::cout << std::setw(16) << std::right << time << "  " << std::left << std::setw(9)
                      << port << "  " << std::setw(28) << what << "  " << why << std::endl;
        }
    }

    Scenario& m_scenario;
    Picoseconds m_firstBit{NEVER};
    Picoseconds m_latency{0};
    uint64_t m_received{0};
    std::vector<Picoseconds> m_requested;
    std::vector<Picoseconds> m_down;
    std::vector<Picoseconds> m_up;
    std::map<std::string, uint64_t> m_drops;
};

/** What the command line can set. */
struct Options
{
    uint64_t bytes{20'000'000};
    DataRate rate{"100Gbps"};
    Time fiberDelay{NanoSeconds(100)};
    Time reconfiguration{MicroSeconds(25)};
    Time at{MicroSeconds(500)};
    std::string pcap;

    /** Adds the options. @param scenario gets them */
    void Add(Scenario& scenario);
    /** Refuses what options can't be together. @param scenario refuses */
    void Check(Scenario& scenario) const;
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
    scenario.Add("pcap", "Prefix of capture files, one for each NIC port; empty: none", pcap);
    scenario.AddTimeline();
}

void
Options::Check(Scenario& scenario) const
{
    const uint64_t longest = 1'000'000; // seconds
    scenario.Require(bytes * 8 / rate.GetBitRate() < longest,
                     "bytes",
                     "it takes more than 1000000 s at --rate=" + ToOption(rate));
    const uint64_t mostCaptured = 1ULL << 34;
    scenario.Require(pcap.empty() || bytes <= mostCaptured,
                     "bytes",
                     "with --pcap give " + std::to_string(mostCaptured) + " or less");
    if (!pcap.empty())
    {
        scenario.Claim("pcap", {pcap + "-0-0.pcap", pcap + "-1-0.pcap"});
    }
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

/** Connects a journal to all that it tells of. */
void
Listen(const Rail& rail, Journal& journal)
{
    Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    ocs->TraceConnectWithoutContext("PlanAccepted", MakeCallback(&Journal::PlanAccepted, &journal));
    ocs->TraceConnectWithoutContext("CircuitDown", MakeCallback(&Journal::CircuitDown, &journal));
    ocs->TraceConnectWithoutContext("CircuitUp", MakeCallback(&Journal::CircuitUp, &journal));
    ocs->TraceConnectWithoutContext("FrameDropped",
                                    MakeCallback(&Journal::SwitchDropped, &journal));
    for (uint32_t h = 0; h < 2; ++h)
    {
        Ptr<RailNetDevice> nic = rail.GetNic(h);
        nic->TraceConnectWithoutContext("Carrier",
                                        MakeCallback(&Journal::Carrier, &journal).Bind(h));
        nic->TraceConnectWithoutContext("FrameDropped",
                                        MakeCallback(&Journal::NicDropped, &journal).Bind(h));
    }
    rail.GetNic(0)->TraceConnectWithoutContext("FrameSent",
                                               MakeCallback(&Journal::FrameSent, &journal));
    rail.GetNic(1)->TraceConnectWithoutContext("FrameReceived",
                                               MakeCallback(&Journal::FrameReceived, &journal));
}

/** Host 0 sends by TCP. */
void
InstallTransfer(const Rail& rail, const NodeContainer& hosts, uint64_t bytes, Journal& journal)
{
    const Ipv4InterfaceContainer addresses =
        PhotonicRailHelper::AssignIpv4(rail, "10.1.0.0", "255.255.255.0");
    const uint16_t port = 5000;
    PacketSinkHelper sinkHelper("ns3::TcpSocketFactory",
                                InetSocketAddress(Ipv4Address::GetAny(), port));
    ApplicationContainer sink = sinkHelper.Install(hosts.Get(1));
    sink.Get(0)->TraceConnectWithoutContext(
        "Rx",
        MakeCallback(&Journal::BytesReceived, &journal).Bind(bytes));
    BulkSendHelper sourceHelper("ns3::TcpSocketFactory",
                                InetSocketAddress(addresses.GetAddress(1), port));
    sourceHelper.SetAttribute("MaxBytes", UintegerValue(bytes));
    sourceHelper.SetAttribute("SendSize", UintegerValue(8948));
    sourceHelper.Install(hosts.Get(0));
}

/** Two hosts, the switch between them, and what is to happen. */
Rail
SetUp(PhotonicRailHelper& rails, const Options& options, Journal& journal)
{
    SetTcpDefaults();
    NodeContainer hosts(2);
    rails.SetPorts(1, options.rate);
    rails.SetFiberAttribute("Delay", TimeValue(options.fiberDelay));
    rails.SetReconfigurationTime(options.reconfiguration);
    const Rail rail = rails.Install(hosts);
    InternetStackHelper().Install(hosts);
    rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
    Listen(rail, journal);
    InstallTransfer(rail, hosts, options.bytes, journal);
    const CircuitPlan again =
        CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(1));
    PhotonicRailHelper::ScheduleApply(rail, options.at, again);
    return rail;
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
        Journal journal(scenario);
        PhotonicRailHelper rails;
        const Rail rail = SetUp(rails, options, journal);
        RailAudit audit;
        audit.Add(rail);
        scenario.Begin();
        scenario.GetTimeline().Add(rail);
        if (!options.pcap.empty())
        {
            rails.EnablePcap(options.pcap, rail.GetNics());
        }
        journal.PrintHead();
        Scenario::Simulate();
        audit.Require(); // every frame is accounted for
        scenario.Write([&](JsonWriter& json) {
            journal.Report(json, options.bytes);
            WriteFidelity(json, rail);
        });
        Simulator::Destroy();
        if (journal.GetReceived() != options.bytes)
        {
            throw std::runtime_error("only " + std::to_string(journal.GetReceived()) + " of " +
                                     std::to_string(options.bytes) +
                                     " bytes arrived: TCP gave up after its last try "
                                     "(ns3::TcpSocket::DataRetries, ConnCount)");
        }
    });
}
