/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-engine.h"

#include "congestion-control-names.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/deadline-timer.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/observed-trace.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/optical-fiber.h"
#include "ns3/optical-switch-port.h"
#include "ns3/past-events.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaEngine");

NS_OBJECT_ENSURE_REGISTERED(RdmaEngine);

/** A NIC port, its transport, and the timers of its queue pairs. */
class RdmaEngine::Port : public RdmaPortOwner
{
  public:
    explicit Port(Ptr<RailNetDevice> theDevice)
        : device(theDevice),
          rdma(*this, Mac48Address::ConvertFrom(theDevice->GetAddress()), IpOf(theDevice))
    {
        device->SetOffload(&rdma);
    }

    ~Port() override
    {
        device->SetOffload(nullptr);
    }

    /** Something happens to a queue pair. @param its whose it is; null: nobody's */
    void ReportToWatch(const BatchWatch* its)
    {
        if (watch != nullptr && watch != its)
        {
            std::exchange(watch, nullptr)->Interfere();
        }
    }

    Ptr<RailNetDevice> device;
    RdmaPort rdma;
    BatchWatch* watch{nullptr};
    std::vector<std::pair<RdmaQueuePair*, std::size_t>> subPairs; //!< by queue pair number

    // RdmaPortOwner
    Picoseconds GetNow() const override
    {
        return NowPicoseconds();
    }

    void NotifyReady() override
    {
        device->NotifyOffloadReady();
    }

    void CompletePast() override
    {
        device->CatchUpWholly();
    }

    void WakeAt(uint32_t queuePair, Picoseconds when) override
    {
        const uint32_t index = queuePair - RdmaPort::FIRST_QUEUE_PAIR;
        if (index >= m_timers.size())
        {
            m_timers.resize(index + 1);
        }
        std::unique_ptr<Timer>& timer = m_timers[index];
        if (!timer && when != NEVER) // a queue pair that only receives needs none
        {
            timer = std::make_unique<Timer>(*this, queuePair);
        }
        if (timer)
        {
            timer->Set(when);
        }
    }

    void NotifySettled(uint32_t queuePair, const RdmaMessage&) override
    {
        RequirePresent();
        const auto [pair, subPair] = SubQueuePairOf(queuePair);
        pair->PieceSettled(subPair);
    }

    void NotifyArrived(uint32_t queuePair, const RdmaMessage& message) override
    {
        RequirePresent();
        const auto [pair, subPair] = SubQueuePairOf(queuePair);
        pair->PieceArrived(subPair, message);
    }

    void NotifyFailed(uint32_t queuePair,
                      const std::vector<RdmaMessage>&,
                      const std::string& why) override
    {
        RequirePresent();
        const auto [pair, subPair] = SubQueuePairOf(queuePair);
        pair->SubQueuePairFailed(subPair, why);
    }

  private:
    /**
     * Makes the IP address of a port, which needs no IP stack: 10 and the last bytes of the MAC
     * address.
     */
    static uint32_t IpOf(Ptr<RailNetDevice> device)
    {
        uint8_t mac[6];
        Mac48Address::ConvertFrom(device->GetAddress()).CopyTo(mac);
        return 10U << 24 | mac[3] << 16 | mac[4] << 8 | mac[5];
    }

    std::pair<RdmaQueuePair*, std::size_t> SubQueuePairOf(uint32_t queuePair) const
    {
        return subPairs[queuePair - RdmaPort::FIRST_QUEUE_PAIR];
    }

    /** Stops the run if an effect for an application is computed too late. */
    void RequirePresent() const
    {
        NS_ABORT_MSG_IF(device->IsInThePast(),
                        "RdmaEngine: what happened to a message was found out at "
                            << NowPicoseconds()
                            << " ps, too late; this is a fault of trains: please report it, and "
                               "set PhotonicRailsFidelity to PacketEvents");
    }

    /** The timer of a queue pair. */
    class Timer
    {
      public:
        Timer(Port& port, uint32_t queuePair)
            : m_port(port),
              m_queuePair(queuePair),
              m_timer(MakeCallback(&Timer::Expired, this))
        {
        }

        /** Sets the deadline. */
        void Set(Picoseconds when)
        {
            m_timer.Set(when);
        }

      private:
        /** The deadline may be over. */
        void Expired()
        {
            m_port.Wake(m_queuePair);
        }

        Port& m_port;
        uint32_t m_queuePair;
        DeadlineTimer m_timer;
    };

    void Wake(uint32_t queuePair)
    {
        device->CatchUp();
        rdma.Wake(queuePair);
    }

    std::vector<std::unique_ptr<Timer>> m_timers; //!< by queue pair number; null: not needed yet
};

TypeId
RdmaEngine::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaEngine")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RdmaEngine>()
            .AddAttribute("Mtu",
                          "Payload of a frame at most, in bytes: 256, 512, 1024, 2048 or 4096. "
                          "Both ends of a queue pair must agree.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RdmaEngine::m_mtu),
                          MakeUintegerChecker<uint32_t>(256, 4096))
            .AddAttribute("AckEvery",
                          "Frames of a message between two requests for an acknowledgement; the "
                          "last frame asks in any case.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RdmaEngine::m_ackEvery),
                          MakeUintegerChecker<uint32_t>(1, 1 << 22))
            .AddAttribute("TimeoutExponent",
                          "The timeout is 4.096 us * 2^exponent. The default is 67 ms; NCCL's is "
                          "20, or 4.3 s.",
                          UintegerValue(14),
                          MakeUintegerAccessor(&RdmaEngine::m_timeoutExponent),
                          MakeUintegerChecker<uint32_t>(0, 31))
            .AddAttribute("RetryLimit",
                          "Timeouts in a row that a queue pair bears before it fails.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaEngine::m_retryLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SelectiveRepeat",
                          "Whether receivers keep early frames and senders repeat only what is "
                          "missing, in place of going back. Both ends must agree.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaEngine::m_selectiveRepeat),
                          MakeBooleanChecker())
            .AddAttribute("DataClass",
                          "Traffic class of data.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&RdmaEngine::m_dataClass),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("AckClass",
                          "Traffic class of acknowledgements, ahead of data by default.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaEngine::m_ackClass),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("CnpClass",
                          "Traffic class of congestion notifications.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RdmaEngine::m_cnpClass),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("InitialPsn",
                          "Packet sequence number of a queue pair's first frame.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaEngine::m_initialPsn),
                          MakeUintegerChecker<uint32_t>(0, 0xffffff))
            .AddAttribute(
                "DarkLimit",
                "How long a queue pair with something to send waits for carrier before it "
                "fails. The default is longer than the slowest optical switch reconfigures.",
                TimeValue(Seconds(300)),
                MakeTimeAccessor(&RdmaEngine::m_darkLimit),
                MakeTimeChecker(Time(0)))
            .AddAttribute("CnpInterval",
                          "Least time between two congestion notifications of a queue pair "
                          "(SIGCOMM 2015 paper on DCQCN: 50 us).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&RdmaEngine::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CongestionControl",
                          "How much a queue pair may have on its way, and how fast it may send: a "
                          "CongestionControl, as a short name, a type, or a type with attributes.",
                          StringValue("none"),
                          MakeObjectFactoryAccessor(&RdmaEngine::SetCongestionControl,
                                                    &RdmaEngine::GetCongestionControl),
                          MakeTypeAliasChecker(&GetCongestionControlAliases))
            .AddTraceSource("MessageSettled",
                            "A message of this node's is acknowledged.",
                            MakeObservedTraceSourceAccessor(&RdmaEngine::m_messageSettled,
                                                            &RdmaEngine::NotifyObservers),
                            "ns3::RdmaEngine::MessageTracedCallback")
            .AddTraceSource("MessageArrived",
                            "A message for this node has arrived whole.",
                            MakeObservedTraceSourceAccessor(&RdmaEngine::m_messageArrived,
                                                            &RdmaEngine::NotifyObservers),
                            "ns3::RdmaEngine::MessageTracedCallback")
            .AddTraceSource("MessageFailed",
                            "A message of this node's is given up, and why.",
                            MakeTraceSourceAccessor(&RdmaEngine::m_messageFailed),
                            "ns3::RdmaEngine::FailureTracedCallback");
    return tid;
}

void
RdmaEngine::NotifyObservers()
{
    m_isObserved = true;
    for (const auto& port : m_ports)
    {
        port->device->MakeUp(); // the observer gets the messages from now on
    }
}

RdmaEngine::RdmaEngine()
{
    NS_LOG_FUNCTION(this);
}

RdmaEngine::~RdmaEngine()
{
    NS_LOG_FUNCTION(this);
}

void
RdmaEngine::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("RdmaEngine");
    Object::DoInitialize();
}

void
RdmaEngine::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& port : m_ports)
    {
        port->device
            ->AbandonTrains(); // an operation that is ahead of its messages has no need of them
    }
    for (const Ptr<RdmaQueuePair>& pair : m_queuePairs)
    {
        pair->Detach();
    }
    m_queuePairs.clear();
    m_ports.clear();
    m_congestion = nullptr;
    Object::DoDispose();
}

uint32_t
RdmaEngine::AddPort(Ptr<RailNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_UNLESS(device, "RdmaEngine::AddPort: a port needs a device, and it is null");
    m_ports.push_back(std::make_unique<Port>(device));
    return m_ports.size() - 1;
}

uint32_t
RdmaEngine::GetPorts() const
{
    return m_ports.size();
}

void
RdmaEngine::RequirePort(uint32_t port) const
{
    NS_ABORT_MSG_UNLESS(port < m_ports.size(),
                        "RdmaEngine: there is no port " << port << "; the engine has "
                                                        << m_ports.size()
                                                        << " ports, counted from 0");
}

const RdmaPort&
RdmaEngine::GetPort(uint32_t port) const
{
    RequirePort(port);
    m_ports[port]->device->CatchUpWholly(); // a caller reads its counts
    return m_ports[port]->rdma;
}

Ptr<RailNetDevice>
RdmaEngine::GetDevice(uint32_t port) const
{
    RequirePort(port);
    return m_ports[port]->device;
}

const Ptr<RailNetDevice>&
RdmaEngine::PeekDevice(uint32_t port) const
{
    return m_ports[port]->device;
}

void
RdmaEngine::SetWatch(uint32_t port, BatchWatch* watch)
{
    m_ports[port]->ReportToWatch(watch);
    m_ports[port]->watch = watch;
}

void
RdmaEngine::EndWatch(uint32_t port, const BatchWatch& watch)
{
    if (port < m_ports.size() && m_ports[port]->watch == &watch)
    {
        m_ports[port]->watch = nullptr;
    }
}

RdmaPort&
RdmaEngine::PeekPort(uint32_t port)
{
    return m_ports[port]->rdma;
}

void
RdmaEngine::MakeUp(uint32_t port)
{
    m_ports[port]->device->MakeUp();
}

std::string
RdmaEngine::DescribePort(uint32_t port) const
{
    const Ptr<RailNetDevice> device = GetDevice(port);
    std::ostringstream where;
    where << "port " << port;
    const Ptr<OpticalFiber> fiber = device->GetFiber();
    const auto* end =
        fiber ? dynamic_cast<OpticalSwitchPort*>(fiber->PeekPeer(PeekPointer(device))) : nullptr;
    if (end != nullptr)
    {
        const auto peer = end->GetSwitch()->GetMap().GetPeer(end->GetPortId());
        where << ", to optical switch port " << end->GetPortId() << ", ";
        if (peer)
        {
            where << "circuit " << end->GetPortId() << "-" << *peer;
        }
        else
        {
            where << "which no circuit joins to another";
        }
    }
    where << (device->HasCarrier() ? ", carrier" : ", no carrier");
    return where.str();
}

QueuePairSettings
RdmaEngine::MakeSettings() const
{
    NS_ABORT_MSG_UNLESS(MessageFrames::IsMtu(m_mtu),
                        "RdmaEngine: an Mtu of " << m_mtu
                                                 << "; it must be 256, 512, 1024, 2048 or 4096");
    QueuePairSettings settings;
    settings.mtu = m_mtu;
    settings.ackEvery = m_ackEvery;
    settings.timeoutExponent = m_timeoutExponent;
    settings.retryLimit = m_retryLimit;
    settings.selectiveRepeat = m_selectiveRepeat;
    settings.dataClass = m_dataClass;
    settings.ackClass = m_ackClass;
    settings.cnpClass = m_cnpClass;
    settings.initialPsn = m_initialPsn;
    settings.darkLimit = m_darkLimit.GetTimeStep();
    settings.cnpInterval = m_cnpInterval.GetTimeStep();
    return settings;
}

void
RdmaEngine::SetCongestionControl(ObjectFactory factory)
{
    NS_LOG_FUNCTION(this << factory.GetTypeId().GetName());
    m_congestionFactory = factory;
    m_congestion = factory.Create<CongestionControl>();
}

ObjectFactory
RdmaEngine::GetCongestionControl() const
{
    return m_congestionFactory;
}

RdmaQueuePair::SubQueuePair
RdmaEngine::MakeSubQueuePair(uint32_t port, const QueuePairOrder& order)
{
    NS_LOG_FUNCTION(this << port);
    RequirePort(port);
    m_ports[port]->device->CatchUpUnlessReserved();
    NS_ABORT_MSG_UNLESS(m_ports[port]->device->GetFiber(),
                        "RdmaEngine: port " << port
                                            << " has no fiber in it; attach one before connecting");
    QueuePairSettings settings = MakeSettings();
    settings.order = order;
    return {
        port,
        m_ports[port]->rdma.Create(settings,
                                   m_congestion->MakeState(m_ports[port]->device->GetDataRate()))};
}

Ptr<RdmaQueuePair>
RdmaEngine::AddQueuePair(const std::vector<RdmaQueuePair::SubQueuePair>& subPairs)
{
    NS_LOG_FUNCTION(this << subPairs.size());
    RdmaQueuePairOwner* owner = this; // a private base, which Create() cannot convert to
    Ptr<RdmaQueuePair> pair = Create<RdmaQueuePair>(owner, m_queuePairs.size(), subPairs);
    m_queuePairs.push_back(pair);
    for (std::size_t i = 0; i < subPairs.size(); ++i)
    {
        auto& table = m_ports[subPairs[i].port]->subPairs;
        table.resize(subPairs[i].queuePair - RdmaPort::FIRST_QUEUE_PAIR + 1);
        table.back() = {PeekPointer(pair), i};
    }
    return pair;
}

Ptr<RdmaEngine>
RdmaEngine::EngineOf(Ptr<Node> node)
{
    NS_ABORT_MSG_UNLESS(node, "RdmaEngine::Connect: one of the nodes is null");
    Ptr<RdmaEngine> engine = node->GetObject<RdmaEngine>();
    NS_ABORT_MSG_UNLESS(engine,
                        "RdmaEngine::Connect: node " << node->GetId()
                                                     << " has no RdmaEngine; install one with "
                                                        "RdmaHelper");
    return engine;
}

void
RdmaEngine::RequireMatch(const RdmaEngine& a, const RdmaEngine& b)
{
    const uint32_t here = a.GetObject<Node>()->GetId();
    const uint32_t there = b.GetObject<Node>()->GetId();
    NS_ABORT_MSG_UNLESS(a.m_mtu == b.m_mtu,
                        "RdmaEngine::Connect: node " << here << " has an Mtu of " << a.m_mtu
                                                     << " and node " << there << " of " << b.m_mtu
                                                     << "; set both to the same");
    NS_ABORT_MSG_UNLESS(a.m_selectiveRepeat == b.m_selectiveRepeat &&
                            a.m_initialPsn == b.m_initialPsn,
                        "RdmaEngine::Connect: nodes "
                            << here << " and " << there
                            << " differ in SelectiveRepeat or InitialPsn; set both to the same");
}

RdmaEngine::Ends
RdmaEngine::Connect(Ptr<Node> here,
                    Ptr<Node> there,
                    const std::vector<PortPair>& ports,
                    const QueuePairOrder& order)
{
    Ptr<RdmaEngine> a = EngineOf(here);
    Ptr<RdmaEngine> b = EngineOf(there);
    NS_ABORT_MSG_IF(a == b,
                    "RdmaEngine::Connect: node "
                        << here->GetId() << " would be connected to itself; name two nodes");
    NS_ABORT_MSG_IF(ports.empty(),
                    "RdmaEngine::Connect: a queue pair needs at least 1 pair of ports");
    RequireMatch(*a, *b);
    std::vector<RdmaQueuePair::SubQueuePair> subPairsHere;
    std::vector<RdmaQueuePair::SubQueuePair> subPairsThere;
    for (const auto& [portHere, portThere] : ports)
    {
        subPairsHere.push_back(a->MakeSubQueuePair(portHere, order));
        subPairsThere.push_back(b->MakeSubQueuePair(portThere, order));
    }
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        RdmaPort& rdmaHere = a->m_ports[ports[i].first]->rdma;
        RdmaPort& rdmaThere = b->m_ports[ports[i].second]->rdma;
        rdmaHere.Connect(subPairsHere[i].queuePair,
                         {rdmaThere.GetMac(), rdmaThere.GetIp(), subPairsThere[i].queuePair});
        rdmaThere.Connect(subPairsThere[i].queuePair,
                          {rdmaHere.GetMac(), rdmaHere.GetIp(), subPairsHere[i].queuePair});
    }
    NS_LOG_INFO("a queue pair between nodes " << here->GetId() << " and " << there->GetId()
                                              << " over " << ports.size() << " ports");
    return {a->AddQueuePair(subPairsHere), b->AddQueuePair(subPairsThere)};
}

Ptr<RdmaQueuePair>
RdmaEngine::Open(Ptr<Node> here,
                 Ptr<Node> there,
                 const PortPair& ports,
                 const QueuePairOrder& order)
{
    const Ptr<RdmaEngine> a = EngineOf(here);
    const Ptr<RdmaEngine> b = EngineOf(there);
    RequireMatch(*a, *b);
    b->RequirePort(ports.second);
    const RdmaQueuePair::SubQueuePair mine = a->MakeSubQueuePair(ports.first, order);
    const RdmaPort& its = b->m_ports[ports.second]->rdma;
    // the number there is not known: the peer finds the queue pair by that of this end
    a->m_ports[ports.first]->rdma.Connect(
        mine.queuePair,
        {its.GetMac(), its.GetIp(), RdmaPort::FIRST_NAME + mine.queuePair});
    NS_LOG_INFO("a queue pair from node " << here->GetId() << " to node " << there->GetId()
                                          << " of another process");
    return a->AddQueuePair({mine});
}

Ptr<RdmaQueuePair>
RdmaEngine::Accept(Ptr<Node> here,
                   Ptr<Node> there,
                   const PortPair& ports,
                   const QueuePairOrder& order,
                   uint32_t number)
{
    const Ptr<RdmaEngine> a = EngineOf(here);
    const Ptr<RdmaEngine> b = EngineOf(there);
    b->RequirePort(ports.second);
    const RdmaQueuePair::SubQueuePair mine = a->MakeSubQueuePair(ports.first, order);
    const RdmaPort& its = b->m_ports[ports.second]->rdma;
    RdmaPort& port = a->m_ports[ports.first]->rdma;
    port.Connect(mine.queuePair, {its.GetMac(), its.GetIp(), number});
    port.SetName(mine.queuePair, its.GetIp(), RdmaPort::FIRST_NAME + number);
    return a->AddQueuePair({mine});
}

RdmaEngine::Ends
RdmaEngine::Connect(Ptr<Node> here, Mac48Address there)
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const Ptr<RdmaEngine> engine = (*node)->GetObject<RdmaEngine>();
        for (uint32_t p = 0; engine && p < engine->GetPorts(); ++p)
        {
            if (engine->GetPort(p).GetMac() == there)
            {
                return Connect(here, *node, {{0, p}});
            }
        }
    }
    NS_ABORT_MSG("RdmaEngine::Connect: no engine has a port with address "
                 << there << "; give a NIC port's address, after RdmaHelper::Install()");
}

const std::vector<Ptr<RdmaQueuePair>>&
RdmaEngine::GetQueuePairs() const
{
    return m_queuePairs;
}

void
RdmaEngine::Silence()
{
    NS_LOG_FUNCTION(this);
    m_isSilent = true;
    for (const std::unique_ptr<Port>& port : m_ports)
    {
        port->device->LeaveTrain("the transport of a port falls silent");
        port->rdma.Silence();
    }
}

void
RdmaEngine::EndSilence()
{
    NS_LOG_FUNCTION(this);
    if (!m_isSilent)
    {
        return;
    }
    m_isSilent = false;
    for (const std::unique_ptr<Port>& port : m_ports)
    {
        port->rdma.EndSilence("the GPU has failed, and was replaced");
    }
}

uint32_t
RdmaEngine::GetMtu() const
{
    return m_mtu;
}

void
RdmaEngine::PostPiece(uint32_t port,
                      uint32_t queuePair,
                      const RdmaMessage& piece,
                      const BatchWatch* watch)
{
    NS_LOG_FUNCTION(this << port << queuePair << piece.bytes);
    m_ports[port]->ReportToWatch(watch);
    m_ports[port]->device->Advance();
    m_ports[port]->rdma.Post(queuePair, piece);
}

void
RdmaEngine::FailSubQueuePair(uint32_t port, uint32_t queuePair, const std::string& why)
{
    NS_LOG_FUNCTION(this << port << queuePair << why);
    m_ports[port]->ReportToWatch(nullptr);
    m_ports[port]->device->CatchUp();
    m_ports[port]->rdma.Fail(queuePair, why);
}

void
RdmaEngine::Reset(const std::string& why)
{
    NS_LOG_FUNCTION(this << why);
    const std::vector<Ptr<RdmaQueuePair>> all = m_queuePairs; // a failure may make others
    for (const Ptr<RdmaQueuePair>& queuePair : all)
    {
        Close(queuePair, why);
    }
}

void
RdmaEngine::Close(Ptr<RdmaQueuePair> queuePair, const std::string& why)
{
    NS_LOG_FUNCTION(this << queuePair->GetNumber() << why);
    for (const RdmaQueuePair::SubQueuePair& sub : queuePair->GetSubQueuePairs())
    {
        m_ports[sub.port]->ReportToWatch(nullptr);
        m_ports[sub.port]->rdma.Close(sub.queuePair, why);
    }
}

void
RdmaEngine::NotifyMessageSettled(const RdmaQueuePair& queuePair, const RdmaMessage& message)
{
    NS_LOG_LOGIC("queue pair " << queuePair.GetNumber() << ": message " << message.id
                               << " is settled");
    if (!PastEvents::AreOn()) // messages that are made up for came before the observer
    {
        m_messageSettled(queuePair, message);
    }
}

void
RdmaEngine::NotifyMessageArrived(const RdmaQueuePair& queuePair, const RdmaMessage& message)
{
    NS_LOG_LOGIC("queue pair " << queuePair.GetNumber() << ": message " << message.id
                               << " has arrived");
    if (!PastEvents::AreOn())
    {
        m_messageArrived(queuePair, message);
    }
}

void
RdmaEngine::NotifyMessageFailed(const RdmaQueuePair& queuePair,
                                const RdmaMessage& message,
                                const std::string& why)
{
    NS_LOG_INFO("queue pair " << queuePair.GetNumber() << ": message " << message.id
                              << " has failed: " << why);
    m_messageFailed(queuePair, message, why);
}

} // namespace ns3
