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

#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

using Options = CircuitMessageOptions;

/** The message: when it is posted, delivered and acknowledged, or why it fails. */
class Message
{
  public:
    explicit Message(CircuitJournal& journal)
        : m_journal(journal)
    {
    }

    void Post(Ptr<RdmaQueuePair> pair, RdmaVerb verb, uint64_t bytes)
    {
        start = Simulator::Now();
        pair->Post(verb, bytes, 1);
        m_journal.Add("host 0",
                      "posts " + std::to_string(bytes) + " bytes",
                      std::string("the script asked for a ") + ToString(verb));
    }

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage& message)
    {
        end = Simulator::Now();
        ++delivered;
        m_journal.Add("host 1",
                      "message is in",
                      std::to_string(message.bytes) + " bytes, down to the last bit");
    }

    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        m_journal.Add("host 0", "message is acknowledged", "an ACK for its last frame is in");
    }

    void Failed(Ptr<RdmaQueuePair>, const RdmaMessage&, const std::string& why)
    {
        failure = why;
        m_journal.Add("host 0", "message failed", why);
    }

    void FrameSent(const WireFrame&)
    {
        ++traced;
    }

    Time start{0};
    Time end{0};
    uint64_t delivered{0};
    uint64_t traced{0};  //!< frames that --trace-at told of
    std::string failure; //!< why; empty if it did not

  private:
    CircuitJournal& m_journal;
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

/** Connects a trace source that fires for every frame of host 0, or disconnects it. */
void
Trace(Ptr<RailNetDevice> nic, Message* message, bool connects)
{
    const auto sent = MakeCallback(&Message::FrameSent, message);
    if (connects)
    {
        nic->TraceConnectWithoutContext("FrameSent", sent);
    }
    else
    {
        nic->TraceDisconnectWithoutContext("FrameSent", sent);
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
    CircuitJournal journal;
    Message message{journal};
    std::shared_ptr<FirstFrameSink> firstFrame{std::make_shared<FirstFrameSink>()};
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
        journal.Observe(rail, {"", "--cut-at", "--cut-for is over"});
        journal.ObserveLosses(rail); // in fibers, this alone takes events for each frame
    }
    rail.GetNic(0)->AddSink(firstFrame); // a trace of every frame would need events
    ends.first->SetSettledCallback(MakeCallback(&Message::Settled, &message));
    ends.first->SetFailedCallback(MakeCallback(&Message::Failed, &message));
    ends.second->SetArrivedCallback(MakeCallback(&Message::Arrived, &message));
    Schedule(options);
    audit.Add(rail);
}

void
Scene::Schedule(const Options& options)
{
    Simulator::Schedule(Time(0),
                        &Message::Post,
                        &message,
                        ends.first,
                        options.GetVerb(),
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
        Simulator::Schedule(options.traceAt, &Trace, rail.GetNic(0), &message, true);
    }
    if (!options.traceFor.IsZero())
    {
        const Time end = options.traceAt + options.traceFor;
        Simulator::Schedule(end, &Trace, rail.GetNic(0), &message, false);
    }
}

/** Prints what happened, the time measured beside the formula's, and what the transport did. */
void
PrintResult(const Options& options,
            Scene& scene,
            const QueuePairSender::Counters& sent,
            Time closedForm)
{
    const uint64_t inTrains = scene.rail.GetNic(0)->GetTrains().frames;
    if (scene.firstFrame->GetFirst() != Time::Max())
    {
        scene.journal.AddAt(scene.firstFrame->GetFirst(),
                            "host 0",
                            "first frame goes out",
                            "the wire was idle");
    }
    scene.journal.Print(std::cout);
    std::cout << std::endl;
    if (scene.message.delivered > 0)
    {
        const bool cut = !options.cutAt.IsZero();
        std::cout << "simulated    " << std::setw(16) << std::right
                  << scene.message.end.GetTimeStep() << " ps" << std::endl
                  << "closed form  " << std::setw(16) << closedForm.GetTimeStep() << " ps"
                  << (cut ? ", without the cut" : "") << std::endl
                  << "difference   " << std::setw(16)
                  << (scene.message.end - closedForm).GetTimeStep() << " ps" << std::endl;
    }
    if (!options.traceAt.IsZero())
    {
        std::cout << "traced       " << std::setw(16) << std::right << scene.message.traced
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
            Time closedForm)
{
    json.Field("bytes", options.bytes);
    json.Field("start_ps", scene.message.start.GetTimeStep());
    if (scene.message.delivered > 0)
    {
        json.Field("end_ps", scene.message.end.GetTimeStep());
    }
    if (options.cutAt.IsZero())
    {
        json.Field("closed_form_ps", closedForm.GetTimeStep());
    }
    json.Field("frames", sent.frames);
    json.Field("acks", sent.acks);
    json.Field("naks", sent.naks);
    json.Field("timeouts", sent.timeouts);
    json.Field("retransmitted", sent.retransmitted);
    json.Field("delivered_messages", scene.message.delivered);
    if (!options.traceAt.IsZero())
    {
        json.Field("traced_frames", scene.message.traced);
    }
    WriteFidelity(json, scene.rail);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario.GetOptions());
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    scenario.AddAnimation();
    return scenario.Run(argc, argv, [&] {
        options.Check(scenario.GetOptions());
        circuitMap.Check(scenario.GetOptions());
        Scene scene(options, scenario.PrintsTables());
        scenario.Begin();
        scenario.GetAnimation().Add(scene.rail);
        options.capture.Enable(scene.rails, scene.rail);
        circuitMap.Record(scene.rail, "host");
        const Ptr<RunResults> results = scenario.BeginRun({"the message"}); // for --output=FOLDER
        results->Add(scene.rail);
        Scenario::Simulate();
        circuitMap.Write();
        results->Finish(scene.message.end);
        const QueuePairSender::Counters sent = scene.ends.first->GetSenderCounters();
        const Time closedForm = scene.message.start + options.GetClosedForm().GetTime();
        if (scenario.PrintsTables())
        {
            PrintResult(options, scene, sent, closedForm);
        }
        scene.audit.Require(); // every frame is accounted for
        scenario.AddFigure("message acknowledged", "us", scene.message.end.GetTimeStep() / 1e6);
        scenario.Write(
            [&](JsonWriter& json) { WriteResult(json, options, scene, sent, closedForm); });
        Simulator::Destroy();
        if (!scene.message.failure.empty())
        {
            throw std::runtime_error("the message failed: " + scene.message.failure);
        }
    });
}
