/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "electrical-rail-switch.h"

#include "header-arrival.h"
#include "pfc-headroom.h"
#include "switch-train.h"

#include "ns3/abort.h"
#include "ns3/batch-switch.h"
#include "ns3/double.h"
#include "ns3/ethernet-frame.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/observed-trace.h"
#include "ns3/optical-fiber.h"
#include "ns3/pause-frame.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-net-device.h"
#include "ns3/read-once-accessor.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ElectricalRailSwitch");

NS_OBJECT_ENSURE_REGISTERED(ElectricalRailSwitch);

namespace
{

/** @return the rate of a port, or 0 if its type has none */
uint64_t
RateOf(const FiberEnd* port)
{
    if (const auto* nic = dynamic_cast<const RailNetDevice*>(port))
    {
        return nic->GetDataRate().GetBitRate();
    }
    const auto* other = dynamic_cast<const ElectricalSwitchPort*>(port);
    return other != nullptr ? other->GetDataRate().GetBitRate() : 0;
}

} // namespace

TypeId
ElectricalRailSwitch::GetTypeId()
{
    const auto observe = [](auto source) {
        return MakeObservedTraceSourceAccessor(source, &ElectricalRailSwitch::NotifyObservers);
    };
    static TypeId tid =
        TypeId("ns3::ElectricalRailSwitch")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<ElectricalRailSwitch>()
            .AddAttribute(
                "Forwarding",
                "When a frame may go on: when it is whole, or when its header is in.",
                EnumValue(STORE_AND_FORWARD),
                MakeRailsEnumAccessor<Forwarding>(&ElectricalRailSwitch::SetForwarding,
                                                  &ElectricalRailSwitch::GetForwarding),
                MakeEnumChecker(STORE_AND_FORWARD, "StoreAndForward", CUT_THROUGH, "CutThrough"))
            .AddAttribute(
                "SwitchingDelay",
                "Time that a frame takes, once it may go on, to the queue of its port.",
                TimeValue(Time(0)),
                MakeReadOnceAccessor("ElectricalRailSwitch::SwitchingDelay",
                                     &Object::IsInitialized,
                                     MakeTimeAccessor(&ElectricalRailSwitch::m_switchingDelay)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Mtu",
                          "The largest payload of a frame, in bytes; larger frames are dropped. "
                          "Headroom is made for frames of this size.",
                          UintegerValue(9000),
                          MakeReadOnceAccessor("ElectricalRailSwitch::Mtu",
                                               &Object::IsInitialized,
                                               MakeUintegerAccessor(&ElectricalRailSwitch::m_mtu)),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute(
                "BufferSize",
                "The memory that all ports share, in bytes, headroom included.",
                UintegerValue(64'000'000),
                MakeReadOnceAccessor("ElectricalRailSwitch::BufferSize",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_bufferSize)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Alpha",
                          "A lossy queue may hold this times the free memory, 1/65536 to 1024.",
                          DoubleValue(1),
                          MakeReadOnceAccessor("ElectricalRailSwitch::Alpha",
                                               &Object::IsInitialized,
                                               MakeDoubleAccessor(&ElectricalRailSwitch::m_alpha)),
                          MakeDoubleChecker<double>())
            .AddAttribute(
                "XoffAlpha",
                "A port's frames of a lossless class may take this times the free memory "
                "before the port's peer is paused, 1/65536 to 1024.",
                DoubleValue(1),
                MakeReadOnceAccessor("ElectricalRailSwitch::XoffAlpha",
                                     &Object::IsInitialized,
                                     MakeDoubleAccessor(&ElectricalRailSwitch::m_xoffAlpha)),
                MakeDoubleChecker<double>())
            .AddAttribute(
                "XonHysteresis",
                "How far below that, in bytes, they must fall until the peer may go on.",
                UintegerValue(3556),
                MakeReadOnceAccessor("ElectricalRailSwitch::XonHysteresis",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_hysteresis)),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("LosslessClasses",
                          "A bit for each traffic class whose senders are paused rather than "
                          "frames dropped. The default is class 3, which carries RoCE data.",
                          UintegerValue(0x08),
                          MakeReadOnceAccessor(
                              "ElectricalRailSwitch::LosslessClasses",
                              &Object::IsInitialized,
                              MakeUintegerAccessor(&ElectricalRailSwitch::m_losslessClasses)),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute(
                "PauseQuanta",
                "How long a pause frame holds a class: quanta of 512 bit times. It is "
                "repeated at half of that while need be.",
                UintegerValue(0xffff),
                MakeReadOnceAccessor("ElectricalRailSwitch::PauseQuanta",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_pauseQuanta)),
                MakeUintegerChecker<uint16_t>(1))
            .AddAttribute(
                "PauseResponse",
                "Time of a peer until a pause frame takes effect, beyond the frame that it has "
                "begun; the headroom includes it. A RailNetDevice takes no time.",
                TimeValue(Time(0)),
                MakeReadOnceAccessor("ElectricalRailSwitch::PauseResponse",
                                     &Object::IsInitialized,
                                     MakeTimeAccessor(&ElectricalRailSwitch::m_pauseResponse)),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "EcnClasses",
                "A bit for each traffic class whose queues mark with Congestion "
                "Experienced by the three attributes below.",
                UintegerValue(0x08),
                MakeReadOnceAccessor("ElectricalRailSwitch::EcnClasses",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_ecnClasses)),
                MakeUintegerChecker<uint8_t>())
            .AddAttribute(
                "EcnKmin",
                "Length of a queue, in bytes, up to which nothing is marked. 0: what the port "
                "carries in 32 us (4 kB for each Gb/s), one frame of Mtu at least.",
                UintegerValue(0),
                MakeReadOnceAccessor("ElectricalRailSwitch::EcnKmin",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_ecnKmin)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "EcnKmax",
                "Length of a queue, in bytes, beyond which everything is marked. 0: what the "
                "port carries in 128 us (16 kB for each Gb/s), four frames of Mtu at least.",
                UintegerValue(0),
                MakeReadOnceAccessor("ElectricalRailSwitch::EcnKmax",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_ecnKmax)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "EcnPmax",
                "Share of the frames that is marked at a length of EcnKmax, 0 to 1.",
                DoubleValue(0.2),
                MakeReadOnceAccessor("ElectricalRailSwitch::EcnPmax",
                                     &Object::IsInitialized,
                                     MakeDoubleAccessor(&ElectricalRailSwitch::m_ecnPmax)),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "EcnStream",
                "First of the streams of random draws of marks, one for each port: switches with "
                "equal ones draw equally. -1: the switch has its own, see AssignStreams().",
                IntegerValue(-1),
                MakeReadOnceAccessor("ElectricalRailSwitch::EcnStream",
                                     &Object::IsInitialized,
                                     MakeIntegerAccessor(&ElectricalRailSwitch::m_ecnStream)),
                MakeIntegerChecker<int64_t>(-1))
            .AddAttribute(
                "HashSeed",
                "Changes which of several equally good ports a flow takes. Switches in a "
                "row need different ones.",
                UintegerValue(0),
                MakeReadOnceAccessor("ElectricalRailSwitch::HashSeed",
                                     &Object::IsInitialized,
                                     MakeUintegerAccessor(&ElectricalRailSwitch::m_hashSeed)),
                MakeUintegerChecker<uint64_t>())
            .AddTraceSource("FrameDropped",
                            "A frame was lost in the switch, and why.",
                            observe(&ElectricalRailSwitch::m_frameDropped),
                            "ns3::ElectricalRailSwitch::FrameDroppedCallback")
            .AddTraceSource("FramePassed",
                            "A frame leaves; its times are known. Fires for every frame.",
                            observe(&ElectricalRailSwitch::m_framePassed),
                            "ns3::ElectricalRailSwitch::FramePassedCallback")
            .AddTraceSource("EcnMarked",
                            "A frame was marked with Congestion Experienced.",
                            observe(&ElectricalRailSwitch::m_ecnMarked),
                            "ns3::ElectricalRailSwitch::EcnMarkedCallback")
            .AddTraceSource("PauseSent",
                            "A pause frame leaves. 0 quanta: the class goes on.",
                            observe(&ElectricalRailSwitch::m_pauseSent),
                            "ns3::ElectricalRailSwitch::PauseSentCallback")
            .AddTraceSource("PauseReceived",
                            "The peer of a port paused a class for a span; 0: it lets it go on.",
                            observe(&ElectricalRailSwitch::m_pauseReceived),
                            "ns3::ElectricalRailSwitch::PauseReceivedCallback")
            .AddTraceSource("QueueDepth",
                            "The bytes that wait at a port in a class have changed. Fires twice "
                            "for every frame.",
                            observe(&ElectricalRailSwitch::m_queueDepth),
                            "ns3::ElectricalRailSwitch::QueueDepthCallback")
            .AddTraceSource("BufferUsed",
                            "The bytes of memory in use have changed. Fires twice for every frame.",
                            observe(&ElectricalRailSwitch::m_bufferUsed),
                            "ns3::ElectricalRailSwitch::BufferUsedCallback");
    return tid;
}

/** A port of the switch: it passes frames from its fiber to the switch. */
class ElectricalRailSwitch::Port final : public ElectricalSwitchPort, public BatchSwitch
{
  public:
    explicit Port(PortId id)
        : ElectricalSwitchPort(id)
    {
    }

    /** Connects the port to the switch, which has added it. */
    void SetSwitch(ElectricalRailSwitch* owner)
    {
        m_switch = owner;
    }

    Ptr<ElectricalRailSwitch> GetSwitch() const override
    {
        return m_switch;
    }

    // FiberPort
    void ReceiveFrame(WireFrame&& frame) override
    {
        if (m_switch != nullptr)
        {
            m_switch->ReceiveFrame(GetPortId(), std::move(frame));
        }
    }

    Picoseconds GetHandOver(const WireFrame& frame) const override
    {
        return m_switch != nullptr ? m_switch->GetHandOver(GetPortId(), frame) : frame.last;
    }

    bool TakesAnnouncements() const override
    {
        return true;
    }

    bool Announce(WireFrame& frame) override
    {
        return m_switch != nullptr && m_switch->Announce(GetPortId(), frame);
    }

    void Withdraw() override
    {
        if (m_switch != nullptr)
        {
            m_switch->Withdraw(*this);
        }
    }

    void PutPending() override
    {
        if (m_switch != nullptr)
        {
            m_switch->m_clock.CatchUp();
        }
    }

    // BatchSwitch
    bool EnterTrains(std::string& why) override
    {
        if (m_switch == nullptr)
        {
            why = "the switch is gone";
            return false;
        }
        return m_switch->EnterTrains(why);
    }

    void CheckDelayChange(Time delay) const override
    {
        NS_ABORT_MSG_IF(m_switch != nullptr && m_switch->IsInitialized(),
                        "ElectricalSwitchPort: the Delay of the fiber in port "
                            << GetPortId() << " cannot change from "
                            << m_fiber->GetDelay().GetTimeStep() << " to " << delay.GetTimeStep()
                            << " ps: the switch has made headroom for it and looks ahead by it; "
                               "set it before the simulation begins");
    }

  private:
    void ApplyRate(DataRate rate) override
    {
        if (m_switch != nullptr)
        {
            m_switch->SetRate(GetPortId(), rate);
        }
    }

    void DoDispose() override
    {
        m_switch = nullptr;
        ElectricalSwitchPort::DoDispose();
    }

    ElectricalRailSwitch* m_switch{nullptr}; //!< it owns this port
};

ElectricalRailSwitch::ElectricalRailSwitch()
    : m_core(*this),
      m_clock(m_core)
{
    NS_LOG_FUNCTION(this);
}

ElectricalRailSwitch::~ElectricalRailSwitch()
{
    NS_LOG_FUNCTION(this);
}

void
ElectricalRailSwitch::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("ElectricalRailSwitch");
    Configure();
    Object::DoInitialize();
}

void
ElectricalRailSwitch::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_train != nullptr)
    {
        m_train->Abandon();
    }
    m_clock.Dispose();
    m_core.Clear();
    m_ports.clear();
    m_fibers.clear();
    Object::DoDispose();
}

// --------------------------------------------------------------------- settings

Ptr<ElectricalSwitchPort>
ElectricalRailSwitch::AddPort()
{
    NS_LOG_FUNCTION(this);
    Ptr<Node> node = GetObject<Node>();
    NS_ABORT_MSG_UNLESS(node,
                        "ElectricalRailSwitch: aggregate the switch to a Node before adding ports");
    NS_ABORT_MSG_IF(IsInitialized(),
                    "ElectricalRailSwitch: cannot add port "
                        << m_ports.size()
                        << " now: the memory is shared out when the simulation begins; add all "
                           "ports before it");
    Ptr<Port> port = CreateObject<Port>(PortId(m_ports.size()));
    m_core.AddPort(port->GetDataRate().GetBitRate());
    port->SetSwitch(this);
    port->SetAddress(Mac48Address::Allocate());
    node->AddDevice(port);
    m_ports.push_back(port);
    return port;
}

const Ptr<ElectricalSwitchPort>&
ElectricalRailSwitch::At(PortId port, const char* caller) const
{
    NS_ABORT_MSG_UNLESS(port.Get() < m_ports.size(),
                        "ElectricalRailSwitch::" << caller << ": there is no port " << port
                                                 << "; the switch has " << m_ports.size()
                                                 << " ports, counted from 0");
    return m_ports[port.Get()];
}

uint32_t
ElectricalRailSwitch::ClassAt(uint32_t trafficClass, const char* caller)
{
    NS_ABORT_MSG_UNLESS(trafficClass < CLASSES,
                        "ElectricalRailSwitch::" << caller << ": there is no traffic class "
                                                 << trafficClass << "; classes are 0 to 7");
    return trafficClass;
}

Ptr<ElectricalSwitchPort>
ElectricalRailSwitch::GetPort(PortId port) const
{
    return At(port, "GetPort");
}

uint32_t
ElectricalRailSwitch::GetPorts() const
{
    return m_ports.size();
}

ForwardingTable&
ElectricalRailSwitch::GetTable()
{
    LeaveTrain("the forwarding table may change");
    return m_core.GetTable();
}

void
ElectricalRailSwitch::SetFloodPorts(const std::vector<PortId>& ports)
{
    NS_LOG_FUNCTION(this << ports.size());
    for (const PortId port : ports)
    {
        At(port, "SetFloodPorts");
    }
    m_core.SetFloodPorts(ports);
}

void
ElectricalRailSwitch::SetEcn(uint32_t trafficClass, uint64_t kmin, uint64_t kmax, double pmax)
{
    NS_LOG_FUNCTION(this << trafficClass << kmin << kmax << pmax);
    m_ecn.SetOwn(ClassAt(trafficClass, "SetEcn"), kmin, kmax, pmax);
}

int64_t
ElectricalRailSwitch::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    return m_ports.size();
}

void
ElectricalRailSwitch::SetRate(PortId port, DataRate rate)
{
    NS_LOG_FUNCTION(this << port << rate);
    LeaveTrain("the rate of a port of the switch changes");
    m_clock.CatchUp();
    Withdraw(*m_ports[port.Get()]); // headers may come in at other instants
    m_core.SetRate(port.Get(),
                   rate.GetBitRate(),
                   IsInitialized() ? NowPicoseconds() : ALWAYS_BEFORE);
}

// ------------------------------------------------------------------ configuration

uint32_t
ElectricalRailSwitch::GetLargestFrame() const
{
    return m_mtu + EthernetFrame::HEADER + FrameClock::CHECK;
}

uint64_t
ElectricalRailSwitch::GetHeadroom(PortId port) const
{
    const Ptr<ElectricalSwitchPort>& device = At(port, "GetHeadroom");
    NS_ABORT_MSG_UNLESS(device->GetFiber(),
                        "ElectricalRailSwitch::GetHeadroom: there is no fiber in port " << port);
    const Picoseconds wait = 2 * device->GetFiber()->GetDelay().GetTimeStep() +
                             m_switchingDelay.GetTimeStep() + m_pauseResponse.GetTimeStep();
    return PfcHeadroom(GetLargestFrame(), m_losslessClasses)
        .GetBytes(device->GetDataRate().GetBitRate(), wait);
}

void
ElectricalRailSwitch::Configure()
{
    PacketSwitchSettings settings;
    settings.switchingDelay = m_switchingDelay.GetTimeStep();
    settings.largestFrame = GetLargestFrame();
    settings.buffer.bytes = m_bufferSize;
    settings.buffer.alpha = m_alpha;
    settings.buffer.xoffAlpha = m_xoffAlpha;
    settings.buffer.hysteresis = m_hysteresis;
    settings.buffer.lossless = m_losslessClasses;
    settings.buffer.largestFrame = GetLargestFrame();
    settings.pauseQuanta = m_pauseQuanta;
    settings.hashSeed = m_hashSeed;
    std::vector<uint64_t> headroom;
    const Picoseconds slack = ConnectFibers(headroom);
    const PfcHeadroom pfc(GetLargestFrame(), m_losslessClasses);
    NS_ABORT_MSG_IF(m_losslessClasses != 0 && !pfc.CanRepeat(m_pauseQuanta),
                    "ElectricalRailSwitch: a PauseQuanta of "
                        << m_pauseQuanta << " is over before it can be repeated behind a frame of "
                        << GetLargestFrame() << " bytes; give at least " << pfc.GetEnoughQuanta());
    m_core.Configure(settings, std::move(headroom));
    ConfigureMarking();
    m_clock.Start(slack, GetObject<Node>()->GetId());
    NS_LOG_INFO("the switch has " << m_ports.size() << " ports and " << m_bufferSize
                                  << " bytes of memory, and decides up to "
                                  << ToTime(slack).As(Time::NS) << " late");
}

Picoseconds
ElectricalRailSwitch::ConnectFibers(std::vector<uint64_t>& headroom)
{
    Picoseconds shortest = NEVER;
    m_fibers.clear();
    for (const Ptr<ElectricalSwitchPort>& port : m_ports)
    {
        const Ptr<OpticalFiber> fiber = port->GetFiber();
        m_fibers.push_back(fiber);
        headroom.push_back(fiber ? GetHeadroom(port->GetPortId()) : 0);
        if (fiber)
        {
            CheckRates(port);
            m_core.SetConnected(port->GetPortId().Get());
            // a fiber to another process has its delay for that process to be behind
            const Picoseconds delay = fiber->IsCrossing() ? 0 : fiber->GetDelay().GetTimeStep();
            shortest = std::min(shortest, delay);
        }
    }
    return shortest == NEVER ? 0 : shortest;
}

void
ElectricalRailSwitch::CheckRates(const Ptr<ElectricalSwitchPort>& port) const
{
    const uint64_t here = port->GetDataRate().GetBitRate();
    const uint64_t there = RateOf(port->PeekFiber()->PeekPeer(PeekPointer(port)));
    NS_ABORT_MSG_UNLESS(there == 0 || here == there,
                        "ElectricalRailSwitch: port "
                            << port->GetPortId() << " has a DataRate of " << here
                            << " b/s, and the port at the other end of its fiber of " << there
                            << " b/s; headroom and pauses are worked out for one rate: give both "
                               "ends the same");
}

void
ElectricalRailSwitch::ConfigureMarking()
{
    m_ecn.SetCommon(m_ecnClasses, m_ecnKmin, m_ecnKmax, m_ecnPmax);
    const uint64_t seed = (static_cast<uint64_t>(RngSeedManager::GetSeed()) << 32) ^
                          static_cast<uint64_t>(RngSeedManager::GetRun());
    const int64_t stream = m_ecnStream >= 0 ? m_ecnStream : m_stream;
    const uint64_t base =
        stream >= 0 ? stream : (1ULL << 62) + (uint64_t{GetObject<Node>()->GetId()} << 20);
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        m_core.SetMarking(
            i,
            m_ecn.GetMarking(m_ports[i]->GetDataRate().GetBitRate(), GetLargestFrame()),
            EcnMarking::KeyOf(seed, base + i));
    }
}

void
ElectricalRailSwitch::NotifyObservers()
{
    NS_LOG_FUNCTION(this);
    m_clock.CatchUp(); // what is decided late is not what the trace reports
    m_observed = !(m_frameDropped.IsEmpty() && m_framePassed.IsEmpty() && m_ecnMarked.IsEmpty() &&
                   m_pauseSent.IsEmpty() && m_pauseReceived.IsEmpty() && m_queueDepth.IsEmpty() &&
                   m_bufferUsed.IsEmpty());
    if (m_observed)
    {
        LeaveTrain("a trace of the switch is connected");
        Withdraw();
    }
    m_clock.SetImmediate(m_observed);
    m_clock.Arm();
}

// ------------------------------------------------------------------------- trains

bool
ElectricalRailSwitch::EnterTrains(std::string& why)
{
    if (m_observed || m_forwarding == CUT_THROUGH || !IsInitialized())
    {
        why = m_observed                    ? "a trace of the switch is connected"
              : m_forwarding == CUT_THROUGH ? "the switch is a cut-through switch"
                                            : "the switch has not begun";
        return false;
    }
    if (m_attemptsToSkip > 0)
    {
        --m_attemptsToSkip;
        why = "an attempt shortly before was refused";
        return false;
    }
    const SwitchTrain::Parts parts{m_core,
                                   m_clock,
                                   m_ports,
                                   m_fibers,
                                   m_switchingDelay.GetTimeStep(),
                                   GetLargestFrame(),
                                   m_train};
    const bool entered = SwitchTrain::Enter(parts, why) != nullptr;
    // a NIC attempts it once in some frames, and an attempt looks at all ports and all frames
    constexpr uint64_t LOOKS = 32;
    m_attemptsToSkip = entered ? 0 : (m_ports.size() + m_core.GetFrames()) / LOOKS;
    return entered;
}

void
ElectricalRailSwitch::LeaveTrain(const char* why)
{
    if (m_train != nullptr)
    {
        m_train->Leave(why);
    }
}

void
ElectricalRailSwitch::SetForwarding(Forwarding forwarding)
{
    NS_LOG_FUNCTION(this << forwarding);
    LeaveTrain("the forwarding of the switch changes");
    Withdraw(); // frames are taken at other instants
    m_forwarding = forwarding;
}

ElectricalRailSwitch::Forwarding
ElectricalRailSwitch::GetForwarding() const
{
    return m_forwarding;
}

// --------------------------------------------------------------------- receiving

Picoseconds
ElectricalRailSwitch::GetHandOver(PortId port, const WireFrame& frame) const
{
    if (m_forwarding == STORE_AND_FORWARD || frame.destination.IsGroup())
    {
        return frame.last;
    }
    return GetHeaderArrival(frame, m_ports[port.Get()]->GetDataRate().GetBitRate());
}

void
ElectricalRailSwitch::ReceiveFrame(PortId port, WireFrame&& frame)
{
    if (frame.packet && frame.destination == PauseFrameHeader::GetDestination())
    {
        ReceivePause(port, frame);
    }
    else
    {
        m_core.ReceiveFrame(port.Get(), std::move(frame), NowPicoseconds());
    }
    m_clock.Arm();
}

bool
ElectricalRailSwitch::Announce(PortId port, WireFrame& frame)
{
    if (m_observed || !IsInitialized() ||
        (frame.packet && frame.destination == PauseFrameHeader::GetDestination()))
    {
        return false;
    }
    const Picoseconds at = GetHandOver(port, frame);
    m_core.Announce(port.Get(), std::move(frame), at);
    m_clock.Arm();
    return true;
}

void
ElectricalRailSwitch::Withdraw(const ElectricalSwitchPort& port)
{
    if (IsInitialized() && port.PeekFiber() != nullptr)
    {
        port.PeekFiber()->Withdraw(&port,
                                   m_core.Withdraw(port.GetPortId().Get(), NowPicoseconds()));
    }
}

void
ElectricalRailSwitch::Withdraw()
{
    for (const Ptr<ElectricalSwitchPort>& port : m_ports)
    {
        Withdraw(*port);
    }
}

void
ElectricalRailSwitch::ReceivePause(PortId port, const WireFrame& frame)
{
    NS_LOG_FUNCTION(this << port);
    PauseFrameHeader pause;
    if (!ReadPauseFrame(frame.packet, pause))
    {
        m_frameDropped(port, frame, FrameDropReason::NO_RECEIVER);
        return;
    }
    const uint64_t rate = m_ports[port.Get()]->GetDataRate().GetBitRate();
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        if (!pause.Concerns(c))
        {
            continue;
        }
        const Picoseconds span = GetPauseSpan(pause.GetQuanta(c), rate);
        NS_LOG_INFO("the peer of port " << port << " pauses class " << c << " for "
                                        << ToTime(span).As(Time::NS));
        m_pauseReceived(port, c, ToTime(span));
        m_core.ReceivePause(port.Get(), c, span, NowPicoseconds());
    }
}

// ----------------------------------------------------------------------- sending

void
ElectricalRailSwitch::PutFrame(uint32_t port, uint32_t ingress, WireFrame&& frame)
{
    if (m_observed)
    {
        m_framePassed(PortId(ingress), PortId(port), frame);
    }
    m_fibers[port]->Transmit(PeekPointer(m_ports[port]), std::move(frame));
}

WireFrame
ElectricalRailSwitch::MakePause(uint32_t port, uint32_t trafficClass, uint16_t quanta)
{
    const Mac48Address source = Mac48Address::ConvertFrom(m_ports[port]->GetAddress());
    NS_LOG_INFO("pauses class " << trafficClass << " at the peer of port " << port << " for "
                                << quanta << " quanta");
    m_pauseSent(PortId(port), trafficClass, quanta);
    return EthernetFrame::OnWire(MakePauseFrame(source, trafficClass, quanta), CLASSES - 1);
}

void
ElectricalRailSwitch::PutPause(uint32_t port, WireFrame&& frame)
{
    m_fibers[port]->Transmit(PeekPointer(m_ports[port]), std::move(frame));
}

// ------------------------------------------------------------------ notifications

void
ElectricalRailSwitch::NotifyDropped(uint32_t ingress,
                                    const WireFrame& frame,
                                    FrameDropReason reason)
{
    NS_LOG_LOGIC("drops a frame that came by port " << ingress << ": " << reason);
    m_frameDropped(PortId(ingress), frame, reason);
}

void
ElectricalRailSwitch::NotifyMarked(uint32_t egress, const WireFrame& frame)
{
    NS_LOG_LOGIC("marks a frame to port " << egress);
    m_ecnMarked(PortId(egress), frame);
}

void
ElectricalRailSwitch::NotifyQueue(uint32_t egress, uint32_t trafficClass)
{
    if (m_observed)
    {
        m_queueDepth(PortId(egress),
                     trafficClass,
                     m_core.GetBuffer().GetQueue(egress, trafficClass));
        m_bufferUsed(m_core.GetBuffer().GetUsed());
    }
}

const PacketSwitchCounters&
ElectricalRailSwitch::GetCounters(PortId port)
{
    At(port, "GetCounters");
    if (m_train != nullptr)
    {
        m_train->CatchUpWholly();
    }
    m_clock.CatchUp();
    Withdraw(*m_ports[port.Get()]);
    return m_core.GetCounters(port.Get());
}

const SharedBuffer&
ElectricalRailSwitch::GetBuffer()
{
    LeaveTrain("the state of the switch is read");
    m_clock.CatchUp();
    return m_core.GetBuffer();
}

bool
ElectricalRailSwitch::HasDrawnOwnMarks() const
{
    return m_ecnStream < 0 && m_core.HasDrawnMarks();
}

uint64_t
ElectricalRailSwitch::GetBufferUsed()
{
    return GetBuffer().GetUsed();
}

uint64_t
ElectricalRailSwitch::GetFrames()
{
    LeaveTrain("the state of the switch is read");
    m_clock.CatchUp();
    Withdraw();
    return m_core.GetFrames();
}

uint64_t
ElectricalRailSwitch::GetQueue(PortId port, uint32_t trafficClass)
{
    At(port, "GetQueue");
    ClassAt(trafficClass, "GetQueue");
    return IsInitialized() ? GetBuffer().GetQueue(port.Get(), trafficClass) : 0;
}

bool
ElectricalRailSwitch::IsPaused(PortId port, uint32_t trafficClass)
{
    At(port, "IsPaused");
    m_clock.CatchUp();
    return m_core.GetHeldUntil(port.Get(), ClassAt(trafficClass, "IsPaused")) > NowPicoseconds();
}

bool
ElectricalRailSwitch::HasPaused(PortId port, uint32_t trafficClass)
{
    At(port, "HasPaused");
    m_clock.CatchUp();
    return m_core.HasPaused(port.Get(), ClassAt(trafficClass, "HasPaused"));
}

} // namespace ns3
