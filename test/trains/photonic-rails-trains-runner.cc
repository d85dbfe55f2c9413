/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-runner.h"

#include "../support/photonic-rails-event-order.h"
#include "../support/photonic-rails-numbered-frames.h"
#include "../support/photonic-rails-recording-sink.h"
#include "photonic-rails-trains-network.h"
#include "photonic-rails-trains-observers.h"
#include "photonic-rails-trains-scenario.h"

#include "ns3/circuit-plan.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/mac48-address.h"
#include "ns3/object-factory.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** One run of a scenario. */
class TrainsRunner
{
  public:
    TrainsRunner(const TrainsScenario& scenario, const TrainsRunOptions& options)
        : m_scenario(scenario),
          m_options(options),
          m_network(scenario)
    {
    }

    /** @return the outcome */
    TrainsOutcome Run()
    {
        Build();
        RunAll();
        Conclude();
        return m_outcome;
    }

  private:
    using Action = TrainsScenario::Action;

    // ------------------------------------------------------------------- building

    void Build()
    {
        UsePicoseconds();
        RngSeedManager::SetSeed(m_scenario.seed % 0x7fffffff + 1);
        RngSeedManager::SetRun(m_scenario.seed % 7 + 1);
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue(m_options.fidelity));
        SetEventOrder(m_options.salt);
        ObjectFactory scheduler;
        scheduler.SetTypeId(m_options.scheduler);
        Simulator::SetScheduler(scheduler);
        m_network.Build(m_options.captures ? m_options.folder : "",
                        MakeCallback(&TrainsRunner::NoteCarrier, this));
        for (const char* trace : {"PlanEnded", "PlanRefused"})
        {
            if (m_network.GetSwitch())
            {
                m_network.GetSwitch()->TraceConnectWithoutContext(
                    trace,
                    MakeCallback(&TrainsRunner::NotePlan, this));
            }
        }
        ListenToQueuePairs();
        for (uint32_t p = 0; m_options.sinks && p < m_scenario.GetPorts(); ++p)
        {
            m_sinks.push_back(
                std::make_shared<RecordingSink>(m_options.mostRows, [this](const WireFrame& frame) {
                    m_ties.Note(frame);
                }));
            m_network.Nic(p)->AddSink(m_sinks.back());
        }
        if (m_scenario.traceDrops)
        {
            m_drops.Watch(m_network.GetRail());
        }
        if (m_options.watchTies)
        {
            m_ties = TieWatch(InstantsLookedAt(), m_scenario.fibers, m_scenario.propagation);
        }
    }

    void ListenToQueuePairs()
    {
        for (uint32_t q = 0; q < m_network.GetPairs().size(); ++q)
        {
            const auto& [here, there] = m_network.GetPairs()[q];
            m_outcome.numbers.push_back(
                {here->GetSubQueuePairs()[0].queuePair, there->GetSubQueuePairs()[0].queuePair});
            for (uint32_t end = 0; end < 2; ++end)
            {
                const Ptr<RdmaQueuePair> one = m_network.GetPairs()[q][end];
                m_ends[PeekPointer(one)] = {q, end};
                one->SetSettledCallback(MakeCallback(&TrainsRunner::NoteSettled, this));
                one->SetArrivedCallback(MakeCallback(&TrainsRunner::NoteArrived, this));
                one->SetFailedCallback(MakeCallback(&TrainsRunner::NoteFailed, this));
            }
        }
        m_reacted.resize(m_scenario.reactions.size());
    }

    /** @return the instants of checks whose result depends on that very instant */
    std::vector<Picoseconds> InstantsLookedAt() const
    {
        std::vector<Picoseconds> instants = m_scenario.stops;
        for (const Action& action : m_scenario.actions)
        {
            // nothing is on its way yet at time zero
            if (LooksAtItsInstant(action.what) && action.at > 0)
            {
                instants.push_back(action.at);
            }
        }
        return instants;
    }

    // -------------------------------------------------------------------- running

    void RunAll()
    {
        for (std::size_t i = 0; i < m_scenario.actions.size(); ++i)
        {
            if (m_scenario.actions[i].what == TrainsAction::POST)
            {
                m_lastPost = m_scenario.actions[i].at;
            }
            // the actions of an instant are one event, so that they have an order
            if (i == 0 || m_scenario.actions[i].at != m_scenario.actions[i - 1].at)
            {
                Simulator::Schedule(ToTime(m_scenario.actions[i].at),
                                    &TrainsRunner::DoActionsFrom,
                                    this,
                                    i);
            }
        }
        if (m_scenario.guarded)
        {
            // unlike any other action
            m_guardStep = m_scenario.FrameTime() * (m_scenario.frameBudget + 500) / 2 + 777'777;
            m_guardWait = m_guardStep;
            Simulator::Schedule(ToTime(m_guardWait), &TrainsRunner::Guard, this);
        }
        for (const Picoseconds stop : m_scenario.stops)
        {
            Simulator::Stop(ToTime(stop - NowPicoseconds()));
            Simulator::Run();
            Fact("stopped");
            NoteCounters();
        }
        Simulator::Run();
    }

    void DoActionsFrom(std::size_t first)
    {
        const Picoseconds now = m_scenario.actions[first].at;
        for (std::size_t i = first;
             i < m_scenario.actions.size() && m_scenario.actions[i].at == now;
             ++i)
        {
            Do(m_scenario.actions[i]);
        }
    }

    void Do(const Action& action)
    {
        if (m_over)
        {
            return;
        }
        switch (action.what)
        {
        case TrainsAction::POST:
            Post(action);
            break;
        case TrainsAction::PACKETS:
            SendPackets(action);
            break;
        case TrainsAction::PAUSE:
            m_network.Nic(action.a)->SendPause(action.b, action.number);
            break;
        case TrainsAction::RATE:
            RateOwner(action)->SetAttribute("DataRate", DataRateValue(DataRate(action.number)));
            break;
        case TrainsAction::KICK:
            m_network.Nic(action.a)->NotifyOffloadReady();
            break;
        case TrainsAction::EQUIP:
            m_network.Equip(action.a);
            break;
        case TrainsAction::CUT:
            m_network.Fiber(action.a)->Cut(action.share);
            break;
        case TrainsAction::SPLICE:
            m_network.Fiber(action.a)->Splice();
            break;
        case TrainsAction::LOSS:
            m_network.Fiber(action.a)->SetAttribute("FrameLossRate", DoubleValue(action.share));
            break;
        case TrainsAction::DISCONNECT:
        case TrainsAction::CONNECT:
        case TrainsAction::JOIN:
        case TrainsAction::STUCK:
        case TrainsAction::SLOW:
        case TrainsAction::MEND:
            DoAtSwitch(action);
            break;
        default:
            Observe(action);
        }
    }

    /** @return the NIC port, or with c = 1 the port of the packet switch at the other end */
    Ptr<Object> RateOwner(const Action& action) const
    {
        const Ptr<RailNetDevice> nic = m_network.Nic(action.a);
        return action.c == 0 ? Ptr<Object>(nic)
                             : Ptr<Object>(m_network.Fiber(action.a)->GetPeer(PeekPointer(nic)));
    }

    void Post(const Action& action)
    {
        const Ptr<RdmaQueuePair> pair = m_network.GetPairs()[action.a][action.b];
        const uint32_t immediate = pair->GetTotals().posted & 0xffff;
        const auto posted = pair->Post(static_cast<RdmaVerb>(action.c), action.number, immediate);
        if (!posted.accepted)
        {
            m_outcome.completions.push_back({NowPicoseconds(),
                                             action.a,
                                             action.b,
                                             "refused",
                                             0,
                                             action.number,
                                             action.c,
                                             0,
                                             posted.why});
        }
    }

    void SendPackets(const Action& action)
    {
        const Address to = action.b < m_scenario.GetPorts() ? m_network.Nic(action.b)->GetAddress()
                                                            : Address(Mac48Address::GetBroadcast());
        for (uint32_t i = 0; i < action.times; ++i)
        {
            const Ptr<Packet> packet = MakeNumberedPacket(m_packets++, action.number, action.c);
            if (!m_network.Nic(action.a)->Send(packet, to, ETHER_TYPE))
            {
                Fact("packet not taken");
            }
        }
    }

    void DoAtSwitch(const Action& action)
    {
        const PortId a(action.a);
        const PortId b(action.b);
        switch (action.what)
        {
        case TrainsAction::DISCONNECT:
            m_network.GetSwitch()->Disconnect(a, b);
            break;
        case TrainsAction::CONNECT:
            m_network.GetSwitch()->Connect(a, b);
            break;
        case TrainsAction::JOIN:
            m_network.GetSwitch()->Apply(
                m_network.GetSwitch()->GetMap().PlanTowards({Circuit(a, b)}, {}));
            break;
        case TrainsAction::STUCK:
            m_network.GetSwitch()->SetFault(a, PortFault::STUCK_DARK);
            break;
        case TrainsAction::SLOW:
            m_network.GetSwitch()->SetFault(a, PortFault::SLOW, ToTime(action.number));
            break;
        default:
            m_network.GetSwitch()->ClearFault(a);
        }
    }

    void Observe(const Action& action)
    {
        const auto key = std::pair{action.what == TrainsAction::SILENT_ATTACH ||
                                       action.what == TrainsAction::SILENT_DETACH,
                                   action.number << 16 | action.a << 8 | action.b};
        switch (action.what)
        {
        case TrainsAction::READ:
            NoteCounters();
            break;
        case TrainsAction::SILENT_READ:
            CountersInWords(m_network.GetRail());
            break;
        case TrainsAction::ATTACH:
        case TrainsAction::SILENT_ATTACH:
            if (m_listeners.count(key) == 0)
            {
                m_listeners[key] =
                    std::make_unique<TraceListener>(m_network.GetRail(), action.a, action.b);
                m_listeners[key]->Attach();
            }
            break;
        case TrainsAction::DETACH:
        case TrainsAction::SILENT_DETACH:
            if (m_listeners.count(key) == 1)
            {
                m_listeners[key]->Detach();
                m_lastContact.push_back(std::move(m_listeners[key]));
                m_listeners.erase(key);
                if (!key.first)
                {
                    Fact(m_lastContact.back()->InWords());
                }
            }
            break;
        case TrainsAction::ADD_SINK:
            m_lateSinks[action.number] = std::make_shared<RecordingSink>(0);
            m_network.Nic(action.a)->AddSink(m_lateSinks[action.number]);
            break;
        default:
            m_network.Nic(action.a)->RemoveSink(m_lateSinks[action.number]);
        }
    }

    /** Takes all circuits down for good if there are many more frames than there should be. */
    void Guard()
    {
        uint64_t sent = 0;
        for (uint32_t p = 0; p < m_scenario.GetPorts(); ++p)
        {
            sent += m_network.Nic(p)->GetCounters().sent;
        }
        std::size_t open = 0;
        for (const auto& ends : m_network.GetPairs())
        {
            open += ends[0]->GetOpenMessages() + ends[1]->GetOpenMessages();
        }
        const bool more = m_lastPost >= NowPicoseconds();
        if (m_over || sent > 3 * m_scenario.frameBudget + 3000)
        {
            m_over = true;
            if (m_scenario.packetSwitch)
            {
                Fact("guarded");
                for (uint32_t p = 0; p < m_scenario.GetPorts(); ++p)
                {
                    m_network.Fiber(p)->Cut();
                }
                return;
            }
            CircuitPlan plan;
            for (const Circuit& circuit : m_network.GetSwitch()->GetMap().GetCircuits())
            {
                plan.Disconnect(circuit.low, circuit.high);
            }
            if (plan.IsEmpty())
            {
                return;
            }
            Fact("guarded");
            if (m_network.GetSwitch()->Apply(plan).status != CircuitPlanStatus::REFUSED)
            {
                return; // it will be done, however long that takes
            }
        }
        else if ((open == 0 && !more) || NowPicoseconds() > LONGEST)
        {
            return;
        }
        // seldom where nothing happens
        m_guardWait = sent != m_guardSent ? m_guardStep : 2 * m_guardWait;
        m_guardSent = sent;
        Simulator::Schedule(ToTime(m_guardWait), &TrainsRunner::Guard, this);
    }

    // --------------------------------------------------------------------- noting

    void Fact(const std::string& fact)
    {
        m_outcome.facts.push_back("at " + std::to_string(NowPicoseconds()) + " ps: " + fact);
    }

    void NoteCounters()
    {
        for (const std::string& line : CountersInWords(m_network.GetRail(), true))
        {
            Fact(line);
        }
    }

    void NoteCarrier(std::string port, bool carrier)
    {
        auto& changes = m_carrier[port];
        if (m_options.foldBlinks && !changes.empty() && changes.back().first == NowPicoseconds())
        {
            changes.pop_back(); // it came and went at once
            return;
        }
        changes.emplace_back(NowPicoseconds(), carrier);
    }

    void NotePlan(const CircuitPlanReport& report)
    {
        m_plans[report.plan] = std::string(ToString(report.status)) + " at " +
                               std::to_string(NowPicoseconds()) + " ps: " + report.message;
    }

    void Complete(Ptr<RdmaQueuePair> pair,
                  const RdmaMessage& message,
                  const std::string& what,
                  const std::string& why)
    {
        const auto [q, end] = m_ends.at(PeekPointer(pair));
        m_outcome.completions.push_back({NowPicoseconds(),
                                         q,
                                         end,
                                         what,
                                         message.id,
                                         message.bytes,
                                         static_cast<uint32_t>(message.verb),
                                         message.immediate,
                                         why});
        if (!why.empty())
        {
            return;
        }
        for (std::size_t i = 0; i < m_scenario.reactions.size(); ++i)
        {
            const TrainsScenario::Reaction& reaction = m_scenario.reactions[i];
            if (reaction.queuePair != q || reaction.end != end ||
                reaction.settled != (what == "settled"))
            {
                continue;
            }
            const uint32_t times = ++m_reacted[i];
            if (times % reaction.every == 0 && times / reaction.every <= reaction.most)
            {
                Do(reaction.action);
            }
        }
    }

    void NoteSettled(Ptr<RdmaQueuePair> pair, const RdmaMessage& message)
    {
        Complete(pair, message, "settled", "");
    }

    void NoteArrived(Ptr<RdmaQueuePair> pair, const RdmaMessage& message)
    {
        Complete(pair, message, "arrived", "");
    }

    void NoteFailed(Ptr<RdmaQueuePair> pair, const RdmaMessage& message, const std::string& why)
    {
        Complete(pair, message, "failed", why);
    }

    // ----------------------------------------------------------------- concluding

    void Conclude()
    {
        // not when: an event without an effect may be the last
        for (const std::string& line : CountersInWords(m_network.GetRail()))
        {
            m_outcome.facts.push_back("at the end: " + line);
        }
        RailAudit audit;
        audit.Add(m_network.GetRail());
        for (const std::string& finding : audit.Check())
        {
            m_outcome.facts.push_back("audit: " + finding);
        }
        NoteTraces();
        m_outcome.trainsRan = TrainsRan(m_network.GetRail());
        m_outcome.events = Simulator::GetEventCount();
        m_outcome.ambiguous = m_ties.HasTie();
        for (uint32_t p = 0; p < m_scenario.GetPorts(); ++p)
        {
            m_outcome.frames += m_network.Nic(p)->GetCounters().sent;
            for (uint32_t way = 0; way < 2; ++way)
            {
                m_outcome.lost.push_back(m_options.mostRows > 0 ? m_network.ListLost(p, way)
                                                                : std::vector<uint64_t>());
            }
        }
        std::sort(m_outcome.completions.begin(), m_outcome.completions.end());
        m_network.LetGo();
        m_listeners.clear();
        m_lastContact.clear();
        Simulator::Destroy();
        Config::Reset();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        for (const std::shared_ptr<RecordingSink>& sink : m_sinks)
        {
            NoteSink(*sink);
            m_outcome.sent.push_back(sink->GetSent().rows);
            m_outcome.received.push_back(sink->GetReceived().rows);
        }
        for (const auto& [number, sink] : m_lateSinks)
        {
            NoteSink(*sink);
        }
        NoteCaptures();
    }

    void NoteTraces()
    {
        for (const auto& [key, listener] : m_listeners)
        {
            if (!key.first)
            {
                m_outcome.facts.push_back(listener->InWords());
            }
        }
        for (const std::string& line : m_drops.InWords())
        {
            m_outcome.facts.push_back(line);
        }
        for (const auto& [port, changes] : m_carrier)
        {
            std::string line = "carrier of port " + port + ":";
            for (const auto& [at, carrier] : changes)
            {
                line += std::string(carrier ? " +" : " -") + std::to_string(at);
            }
            m_outcome.facts.push_back(line);
        }
        for (const auto& [plan, end] : m_plans)
        {
            m_outcome.facts.push_back("plan " + std::to_string(plan) + " " + end);
        }
    }

    void NoteSink(const RecordingSink& sink)
    {
        std::ostringstream line;
        line << "sent " << sink.GetSent().frames << " frames of " << sink.GetSent().bytes
             << " bytes, hash " << sink.GetSent().hash.Get() << "; received "
             << sink.GetReceived().frames << " frames of " << sink.GetReceived().bytes
             << " bytes, hash " << sink.GetReceived().hash.Get() << " " << sink.GetBrokenPromise();
        m_outcome.ports.push_back(line.str());
        m_outcome.longestRun = std::max(m_outcome.longestRun, sink.GetLongestRun());
    }

    void NoteCaptures()
    {
        for (uint32_t p = 0; m_scenario.capture && m_options.captures && p < m_scenario.GetPorts();
             ++p)
        {
            const std::string name = m_network.CaptureName(m_options.folder, p);
            std::ifstream file(name, std::ios::binary);
            const std::string bytes((std::istreambuf_iterator<char>(file)), {});
            RunningHash hash;
            hash.Add(bytes);
            m_outcome.facts.push_back("capture of port " + std::to_string(p) + ": " +
                                      std::to_string(bytes.size()) + " bytes, hash " +
                                      std::to_string(hash.Get()));
            std::remove(name.c_str());
        }
    }

    static constexpr uint16_t ETHER_TYPE = 0x88b5; //!< for local experiments (IEEE 802)
    static constexpr Picoseconds LONGEST = 1'000'000'000'000'000; //!< to wait for messages

    const TrainsScenario& m_scenario;
    const TrainsRunOptions& m_options;
    TrainsOutcome m_outcome;
    TrainsNetwork m_network;
    std::map<const RdmaQueuePair*, std::pair<uint32_t, uint32_t>> m_ends;
    std::vector<std::shared_ptr<RecordingSink>> m_sinks;
    std::map<uint64_t, std::shared_ptr<RecordingSink>> m_lateSinks;
    std::map<std::pair<bool, uint64_t>, std::unique_ptr<TraceListener>> m_listeners;
    std::vector<std::unique_ptr<TraceListener>> m_lastContact;
    std::map<std::string, std::vector<std::pair<Picoseconds, bool>>> m_carrier; //!< by port
    std::map<uint64_t, std::string> m_plans;
    DropLedger m_drops;
    TieWatch m_ties;
    std::vector<uint32_t> m_reacted; //!< times, by reaction
    uint32_t m_packets{0};
    bool m_over{false};
    Picoseconds m_lastPost{0};
    Picoseconds m_guardStep{0};
    Picoseconds m_guardWait{0};
    uint64_t m_guardSent{0};
};

} // namespace

TrainsOutcome
RunTrains(const TrainsScenario& scenario, const TrainsRunOptions& options)
{
    return TrainsRunner(scenario, options).Run();
}

} // namespace ns3
