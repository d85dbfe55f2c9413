/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A message by RDMA over a circuit.
//
//     host 0                                                  host 1
//     RdmaEngine    fiber     +----------------+     fiber    RdmaEngine
//     NIC port ------------- 0| optical switch |1 ------------ NIC port
//                             +----------------+
//
// Host 0 posts one message of --bytes bytes at 0 s. The NIC cuts it into RoCEv2 frames of --mtu
// bytes of payload. Nobody else is on the circuit, so the frames go back to back, and the message
// has arrived when
//
//     8 (wire bytes - 12) / rate + 2 fiber delays
//
// are over. Wire bytes are those of all frames, preambles and gaps included; the gap behind the
// last frame (12) does not count. With --cut-at the circuit is down for --cut-for: what is cut is
// lost and sent again, what waits in the NIC is not lost.
//
// What to look at: the difference between the simulation and the formula is 0 ps, though most
// frames have no events (in trains). With a cut: which frames are lost, what tells host 0 of it (a
// NAK or its timer), and what that costs. With --fidelity=events each frame has events of its own,
// and all else is the same.
//
// Try: ./rails run rdma-over-circuit --cut-at=10us --cut-for=25us
//      ./rails run rdma-over-circuit --bytes=10000 --mtu=1024 --pcap=message
//      ./rails run rdma-over-circuit --fidelity=events
//      ./rails run rdma-over-circuit --trace-at=5us --trace-for=5us

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    uint64_t bytes{1 << 20};
    uint32_t mtu{4096};
    DataRate rate{"400Gbps"};
    Time fiberDelay{NanoSeconds(100)};
    uint32_t ackEvery{64};
    Time cutAt{0};
    Time cutFor{0};
    Time traceAt{0};
    Time traceFor{0};
    uint32_t timeoutExponent{14};
    std::string verb{"write"};
    std::string pcap;

    /** Adds the options. @param scenario gets them */
    void Add(Scenario& scenario);
    /** Refuses what options can't be together. @param scenario refuses */
    void Check(Scenario& scenario) const;
};

const std::map<std::string, RdmaVerb> VERBS{
    {"write", RdmaVerb::WRITE},
    {"write-with-immediate", RdmaVerb::WRITE_WITH_IMMEDIATE},
    {"send", RdmaVerb::SEND},
};

void
Options::Add(Scenario& scenario)
{
    scenario.Add("bytes", "Bytes of the message, 0 or more", bytes).Between(0, 1ULL << 40);
    scenario.Add("mtu", "Payload of a frame at most: 256, 512, 1024, 2048 or 4096 bytes", mtu);
    scenario.Add("rate", "Rate of the NIC ports, such as 100Gbps", rate);
    scenario.Add("fiber-delay",
                 "Time light takes from a NIC to the switch, such as 98ns",
                 fiberDelay);
    scenario
        .Add("ack-every",
             "Frames between two requests for an acknowledgement; the last frame asks anyway",
             ackEvery)
        .Between(1, 1 << 22);
    scenario.Add("cut-at", "When the circuit goes down, such as 10us; 0: never", cutAt);
    scenario.Add("cut-for", "How long it is down, such as 25us; 0: for good", cutFor);
    scenario.Add("trace-at",
                 "When a trace source that fires for every frame of host 0 is connected, so that "
                 "each needs an event; 0: never",
                 traceAt);
    scenario.Add("trace-for", "How long it is connected; 0: for good", traceFor);
    scenario
        .Add("timeout-exponent",
             "The timer runs out after 4.096 us * 2^this, 0 to 31",
             timeoutExponent)
        .Between(0, 31);
    scenario.Add("verb", "How it is sent", verb)
        .OneOf({"write", "write-with-immediate", "send"}, "verb");
    scenario.Add("pcap",
                 "Prefix of capture files for Wireshark, one for each NIC port; empty: none",
                 pcap);
}

// ---- the formula, from the standard alone

__extension__ using Wide = unsigned __int128;

/** Bytes on the wire of a message, preambles and gaps included. */
Wide
WireBytesOf(uint64_t bytes, uint64_t mtu, RdmaVerb verb)
{
    // preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, check sequence 4, gap 12
    const uint64_t around = 82;
    const uint64_t reth = 16;
    const uint64_t immediate = 4;
    const uint64_t shortest = 84; // of an Ethernet frame, preamble and gap included
    const uint64_t wireMessage = uint64_t{1} << 30; // longer messages are several to the peer
    const uint64_t frames = bytes == 0 ? 1 : (bytes - 1) / mtu + 1;
    const uint64_t wireMessages = bytes == 0 ? 1 : (bytes - 1) / wireMessage + 1;
    Wide sum = Wide{frames} * around + (bytes + 3) / 4 * 4; // only the last payload is padded
    if (verb != RdmaVerb::SEND)
    {
        sum += Wide{wireMessages} * reth;
    }
    if (verb == RdmaVerb::WRITE_WITH_IMMEDIATE)
    {
        sum += immediate;
    }
    return frames == 1 ? std::max<Wide>(sum, shortest) : sum;
}

/** From the first bit at host 0 to the last bit at host 1, in ps. */
Wide
ClosedForm(const Options& options)
{
    const Wide bits = 8 * (WireBytesOf(options.bytes, options.mtu, VERBS.at(options.verb)) - 12);
    const Wide rate = options.rate.GetBitRate();
    return (bits * 1'000'000'000'000 + rate - 1) / rate +
           2 * static_cast<uint64_t>(options.fiberDelay.GetTimeStep());
}

void
Options::Check(Scenario& scenario) const
{
    scenario.Require(mtu >= 256 && mtu <= 4096 && (mtu & (mtu - 1)) == 0,
                     "mtu",
                     "RoCEv2 knows 256, 512, 1024, 2048 and 4096");
    scenario.Require(cutFor.IsZero() || !cutAt.IsZero(),
                     "cut-for",
                     "say with --cut-at when the circuit goes down");
    scenario.Require(traceFor.IsZero() || !traceAt.IsZero(),
                     "trace-for",
                     "say with --trace-at when the trace is connected");
    const Wide longest = Seconds(1e6).GetTimeStep();
    scenario.Require(ClosedForm(*this) - 2 * Wide(fiberDelay.GetTimeStep()) <= longest,
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

// ---- what happens

/** Knows when the first frame went out. A sink is told of frames after they passed. */
class FirstFrame : public FrameSink
{
  public:
    void TakeSent(const WireFrame&, const RoceFrame&, const RunClock& times) override
    {
        at = std::min(at, times.First(0));
    }

    void TakeReceived(const WireFrame&, const RoceFrame&, const RunClock&) override
    {
    }

    void Settle(Picoseconds) override
    {
    }

    Picoseconds at{NEVER};
};

/** Keeps one line an event and what goes into the results. */
class Journal
{
  public:
    void Post(Ptr<RdmaQueuePair> pair, RdmaVerb verb, uint64_t bytes)
    {
        start = NowPicoseconds();
        pair->Post(verb, bytes, 1);
        Event("host 0",
              "posts " + std::to_string(bytes) + " bytes",
              std::string("the script asked for a ") + ToString(verb));
    }

    void CircuitDown(PortId low, PortId high, uint64_t epoch)
    {
        std::ostringstream ports;
        ports << "ports " << low << "-" << high;
        Event(ports.str(), "circuit " + std::to_string(epoch) + " down", "--cut-at");
    }

    void CircuitUp(PortId low, PortId high, uint64_t epoch)
    {
        std::ostringstream ports;
        ports << "ports " << low << "-" << high;
        Event(ports.str(), "circuit " + std::to_string(epoch) + " up", "--cut-for is over");
    }

    void Carrier(uint32_t host, bool carrier)
    {
        Event("host " + std::to_string(host),
              carrier ? "carrier" : "no carrier",
              carrier ? "light came out of the fiber" : "no light comes out of the fiber");
    }

    void FrameSent(const WireFrame&)
    {
        ++traced;
    }

    void SwitchDropped(PortId port, const WireFrame& frame, FrameDropReason reason)
    {
        Lost("port " + std::to_string(port.Get()), frame, reason);
    }

    void FiberDropped(uint32_t host, const WireFrame& frame, FrameDropReason reason)
    {
        Lost("fiber " + std::to_string(host), frame, reason);
    }

    void NicDropped(uint32_t host, const WireFrame& frame, FrameDropReason reason)
    {
        Lost("host " + std::to_string(host), frame, reason);
    }

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage& message)
    {
        end = NowPicoseconds();
        ++delivered;
        Event("host 1",
              "message is in",
              std::to_string(message.bytes) + " bytes, down to the last bit");
    }

    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        Event("host 0", "message is acknowledged", "an ACK for its last frame is in");
    }

    void Failed(Ptr<RdmaQueuePair>, const RdmaMessage&, const std::string& why)
    {
        failure = why;
        Event("host 0", "message failed", why);
    }

    /** Prints all lines, in order of time. */
    void Print(const FirstFrame& first)
    {
        Flush();
        if (first.at != NEVER)
        {
            m_lines.push_back({first.at, "host 0", "first frame goes out", "the wire was idle"});
        }
        std::stable_sort(m_lines.begin(), m_lines.end(), [](const Line& one, const Line& other) {
            return one.at < other.at;
        });
        Print("time", "port", "what", "why");
        for (const Line& line : m_lines)
        {
            Print(std::to_string(line.at) + " ps", line.port, line.what, line.why);
        }
    }

    Picoseconds start{0};
    Picoseconds end{0};
    uint64_t delivered{0};
    uint64_t traced{0};  //!< frames that --trace-at told of
    std::string failure; //!< why; empty if it did not

  private:
    /** What is printed. */
    struct Line
    {
        Picoseconds at;
        std::string port;
        std::string what;
        std::string why;
    };

    /** Frames in a row that were lost at one place and for one reason. */
    struct Loss
    {
        std::string port;
        FrameDropReason reason;
        bool data;
        Picoseconds first;
        Picoseconds last;
        uint32_t firstPsn;
        uint32_t lastPsn;
        uint64_t frames;
    };

    void Lost(const std::string& port, const WireFrame& frame, FrameDropReason reason)
    {
        const Picoseconds now = NowPicoseconds();
        for (Loss& loss : m_losses)
        {
            if (loss.port == port && loss.reason == reason && loss.data == frame.roce.IsData() &&
                loss.lastPsn + 1 == frame.roce.psn)
            {
                loss.last = now;
                ++loss.lastPsn;
                ++loss.frames;
                return;
            }
        }
        m_losses.push_back(
            {port, reason, frame.roce.IsData(), now, now, frame.roce.psn, frame.roce.psn, 1});
    }

    void Event(const std::string& port, const std::string& what, const std::string& why)
    {
        Flush();
        m_lines.push_back({NowPicoseconds(), port, what, why});
    }

    /** Makes lines of what was lost. */
    void Flush()
    {
        for (const Loss& loss : m_losses)
        {
            std::ostringstream what;
            std::ostringstream why;
            what << "lost " << (loss.data ? "PSN " : "ACK of PSN ") << loss.firstPsn;
            why << loss.reason;
            if (loss.frames > 1)
            {
                what << " to " << loss.lastPsn;
                why << ", " << loss.frames << " frames, the last at " << loss.last << " ps";
            }
            m_lines.push_back({loss.first, loss.port, what.str(), why.str()});
        }
        m_losses.clear();
    }

    static void Print(const std::string& time,
                      const std::string& port,
                      const std::string& what,
                      const std::string& why)
    {
        std::cout << std::setw(16) << std::right << time << "  " << std::left << std::setw(9)
                  << port << "  " << std::setw(28) << what << "  " << why << std::endl;
    }

    std::vector<Line> m_lines;
    std::vector<Loss> m_losses; //!< no lines yet
};

/** Takes the circuit down. */
void
Cut(Ptr<OpticalCircuitSwitch> ocs)
{
    ocs->Disconnect(PortId(0), PortId(1));
}

/** Sets it up again, at once: the switch takes no time. */
void
Join(Ptr<OpticalCircuitSwitch> ocs)
{
    ocs->Connect(PortId(0), PortId(1));
}

/** Connects a trace source that fires for every frame of host 0. */
void
Trace(Ptr<RailNetDevice> nic, Journal* journal)
{
    nic->TraceConnectWithoutContext("FrameSent", MakeCallback(&Journal::FrameSent, journal));
}

/** Disconnects it. */
void
TraceNoMore(Ptr<RailNetDevice> nic, Journal* journal)
{
    nic->TraceDisconnectWithoutContext("FrameSent", MakeCallback(&Journal::FrameSent, journal));
}

/** Connects a journal to all that it tells of. */
void
Listen(const Rail& rail, Journal& journal)
{
    Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    ocs->TraceConnectWithoutContext("CircuitDown", MakeCallback(&Journal::CircuitDown, &journal));
    ocs->TraceConnectWithoutContext("CircuitUp", MakeCallback(&Journal::CircuitUp, &journal));
    ocs->TraceConnectWithoutContext("FrameDropped",
                                    MakeCallback(&Journal::SwitchDropped, &journal));
    for (uint32_t h = 0; h < 2; ++h)
    {
        rail.GetNic(h)->TraceConnectWithoutContext(
            "Carrier",
            MakeCallback(&Journal::Carrier, &journal).Bind(h));
        rail.GetNic(h)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&Journal::NicDropped, &journal).Bind(h));
        rail.GetFiber(h)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&Journal::FiberDropped, &journal).Bind(h));
    }
}

/** Two hosts and the switch between them, and what is noted of them. */
struct Scene
{
    /** Sets all up. @param options what @param forPeople whether all is printed */
    Scene(const Options& options, bool forPeople);
    /** Schedules what happens. @param options when */
    void Schedule(const Options& options);

    PhotonicRailHelper rails;
    Rail rail;
    RdmaEngine::Ends ends;
    Journal journal;
    std::shared_ptr<FirstFrame> firstFrame{std::make_shared<FirstFrame>()};
    RailAudit audit;
};

Scene::Scene(const Options& options, bool forPeople)
{
    NodeContainer hosts(2);
    rails.SetPorts(1, options.rate);
    rails.SetFiberAttribute("Delay", TimeValue(options.fiberDelay));
    rails.SetReconfigurationTime(Time(0)); // --cut-for says all
    rail = rails.Install(hosts);
    PhotonicRailHelper::AssignStreams(rail, 0);
    Join(rail.GetOpticalSwitch());

    RdmaHelper rdma;
    rdma.SetAttribute("Mtu", UintegerValue(options.mtu));
    rdma.SetAttribute("AckEvery", UintegerValue(options.ackEvery));
    rdma.SetAttribute("TimeoutExponent", UintegerValue(options.timeoutExponent));
    rdma.Install(hosts);
    ends = RdmaEngine::Connect(hosts.Get(0), hosts.Get(1));

    if (forPeople)
    {
        Listen(rail, journal); // with losses in fibers, this alone takes events for each frame
    }
    rail.GetNic(0)->AddSink(firstFrame); // a trace of every frame would need events
    ends.first->SetSettledCallback(MakeCallback(&Journal::Settled, &journal));
    ends.first->SetFailedCallback(MakeCallback(&Journal::Failed, &journal));
    ends.second->SetArrivedCallback(MakeCallback(&Journal::Arrived, &journal));
    Schedule(options);
    audit.Add(rail);
}

void
Scene::Schedule(const Options& options)
{
    Simulator::Schedule(Time(0),
                        &Journal::Post,
                        &journal,
                        ends.first,
                        VERBS.at(options.verb),
                        options.bytes);
    const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    if (!options.cutAt.IsZero())
    {
        Simulator::Schedule(options.cutAt, &Cut, ocs);
    }
    if (!options.cutFor.IsZero())
    {
        Simulator::Schedule(options.cutAt + options.cutFor, &Join, ocs);
    }
    if (!options.traceAt.IsZero())
    {
        Simulator::Schedule(options.traceAt, &Trace, rail.GetNic(0), &journal);
    }
    if (!options.traceFor.IsZero())
    {
        const Time end = options.traceAt + options.traceFor;
        Simulator::Schedule(end, &TraceNoMore, rail.GetNic(0), &journal);
    }
}

/** Prints the time measured beside the formula's, and what the transport did. */
void
PrintResult(const Options& options,
            const Journal& journal,
            const QueuePairSender::Counters& sent,
            Picoseconds closedForm,
            uint64_t inTrains)
{
    std::cout << std::endl;
    if (journal.delivered > 0)
    {
        const bool cut = !options.cutAt.IsZero();
        std::cout << "simulated    " << std::setw(16) << std::right << journal.end << " ps"
                  << std::endl
                  << "closed form  " << std::setw(16) << closedForm << " ps"
                  << (cut ? ", without the cut" : "") << std::endl
                  << "difference   " << std::setw(16) << journal.end - closedForm << " ps"
                  << std::endl;
    }
    if (!options.traceAt.IsZero())
    {
        std::cout << "traced       " << std::setw(16) << std::right << journal.traced
                  << " frames of host 0" << std::endl;
    }
    std::cout << "in trains    " << std::setw(16) << std::right << inTrains << " frames of host 0"
              << std::endl
              << "host 0 sent " << sent.frames << " frames, " << sent.retransmitted
              << " of them again; it got " << sent.acks << " ACKs and " << sent.naks
              << " NAKs, and its timer ran out " << sent.timeouts << " times" << std::endl;
}

void
WriteResult(JsonWriter& json,
            const Options& options,
            const Scene& scene,
            const QueuePairSender::Counters& sent,
            Picoseconds closedForm)
{
    const Journal& journal = scene.journal;
    json.Field("bytes", options.bytes);
    json.Field("start_ps", journal.start);
    if (journal.delivered > 0)
    {
        json.Field("end_ps", journal.end);
    }
    if (options.cutAt.IsZero())
    {
        json.Field("closed_form_ps", closedForm);
    }
    json.Field("frames", sent.frames);
    json.Field("acks", sent.acks);
    json.Field("naks", sent.naks);
    json.Field("timeouts", sent.timeouts);
    json.Field("retransmitted", sent.retransmitted);
    json.Field("delivered_messages", journal.delivered);
    if (!options.traceAt.IsZero())
    {
        json.Field("traced_frames", journal.traced);
    }
    WriteFidelity(json, scene.rail);
}

/** Says what came of it. */
void
Report(Scenario& scenario, const Options& options, Scene& scene)
{
    const QueuePairSender::Counters sent = scene.ends.first->GetSenderCounters();
    const auto closedForm = static_cast<Picoseconds>(scene.journal.start + ClosedForm(options));
    if (scenario.PrintsTables())
    {
        const uint64_t inTrains = scene.rail.GetNic(0)->GetTrains().frames;
        scene.journal.Print(*scene.firstFrame);
        PrintResult(options, scene.journal, sent, closedForm, inTrains);
    }
    scene.audit.Require(); // every frame is accounted for
    scenario.Write([&](JsonWriter& json) { WriteResult(json, options, scene, sent, closedForm); });
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
        Scene scene(options, scenario.PrintsTables());
        scenario.Begin();
        if (!options.pcap.empty())
        {
            scene.rails.EnablePcap(options.pcap, scene.rail.GetNics());
        }
        Scenario::Simulate();
        Report(scenario, options, scene);
        Simulator::Destroy();
        if (!scene.journal.failure.empty())
        {
            throw std::runtime_error("the message failed: " + scene.journal.failure);
        }
    });
}
