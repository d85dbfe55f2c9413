/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-net-device.h"

#include "observed-trace.h"
#include "optical-fiber.h"
#include "own-random-variable.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/object-vector.h"
#include "ns3/pause-frame-header.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RailNetDevice");

NS_OBJECT_ENSURE_REGISTERED(RailNetDevice);

namespace
{

// A search for the next number to serve that begins after this one begins with the lowest.
constexpr uint32_t FROM_THE_LOWEST = std::numeric_limits<uint32_t>::max();

} // namespace

TypeId
RailNetDevice::GetTypeId()
{
    const auto observe = [](auto source) {
        return MakeObservedTraceSourceAccessor(source, &RailNetDevice::NotifyObservers);
    };
    static TypeId tid =
        TypeId("ns3::RailNetDevice")
            .SetParent<FiberPort>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RailNetDevice>()
            .AddAttribute(
                "DataRate",
                "Rate of the port, preambles and gaps included. A change takes effect "
                "with the next frame.",
                DataRateValue(DataRate("400Gbps")),
                MakeDataRateAccessor(&RailNetDevice::SetDataRate, &RailNetDevice::GetDataRate),
                MakeDataRateChecker())
            .AddAttribute("Mtu",
                          "The largest payload of a frame of the host stack, in bytes.",
                          UintegerValue(9000),
                          MakeUintegerAccessor(&RailNetDevice::SetMtu, &RailNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("LinkUpTime",
                          "Random variable, in seconds, drawn each time light comes: from light to "
                          "carrier (transceiver lock and port bring-up; commodity NICs take "
                          "seconds). Null: no time.",
                          PointerValue(),
                          MakePointerAccessor(&RailNetDevice::m_linkUpTime),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("InTheDark",
                          "What becomes of the host stack's packets without carrier: they wait in "
                          "the queue, or are dropped.",
                          EnumValue(HOLD),
                          MakeRailsEnumAccessor<InTheDark>(&RailNetDevice::m_inTheDark),
                          MakeEnumChecker(HOLD, "Hold", DROP, "Drop"))
            .AddAttribute("NotifyStack",
                          "Whether link state follows carrier. Off, because ns-3's ARP flushes its "
                          "cache at every link change.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RailNetDevice::m_notifyStack),
                          MakeBooleanChecker())
            .AddAttribute("QueueSize",
                          "How much the host stack's queue of each class holds.",
                          QueueSizeValue(QueueSize("256p")),
                          MakeQueueSizeAccessor(&RailNetDevice::SetQueueSize),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "QueueList",
                "The host stack's queue of each class.",
                ObjectVectorValue(),
                MakeObjectVectorAccessor(&RailNetDevice::GetQueue, &RailNetDevice::GetQueues),
                MakeObjectVectorChecker<Queue<Packet>>())
            .AddTraceSource("FrameSent",
                            "A frame goes on the wire; its times are known. Fires for every frame.",
                            observe(&RailNetDevice::m_frameSent),
                            "ns3::RailNetDevice::FrameCallback")
            .AddTraceSource("FrameReceived",
                            "A frame has come in, for whomever. Fires for every frame.",
                            observe(&RailNetDevice::m_frameReceived),
                            "ns3::RailNetDevice::FrameCallback")
            .AddTraceSource("FrameDropped",
                            "A frame was lost in the NIC, and why.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_frameDropped),
                            "ns3::RailNetDevice::FrameDroppedCallback")
            .AddTraceSource("Carrier",
                            "Carrier has come (true) or gone (false).",
                            MakeTraceSourceAccessor(&RailNetDevice::m_carrierTrace),
                            "ns3::TracedValueCallback::Bool")
            .AddTraceSource("Pause",
                            "The peer paused a class for a span, or let it go on (0).",
                            MakeTraceSourceAccessor(&RailNetDevice::m_pauseTrace),
                            "ns3::RailNetDevice::PauseCallback")
            .AddTraceSource("MacTx",
                            "A packet of the host stack was handed to the NIC.",
                            observe(&RailNetDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet of the host stack was dropped on its way out.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet was handed to the host stack.",
                            observe(&RailNetDevice::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A packet came in that the host stack could take, for whomever.",
                            observe(&RailNetDevice::m_macPromiscRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A frame begins to go on the wire.",
                            observe(&RailNetDevice::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has come in whole.",
                            observe(&RailNetDevice::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame that came in was dropped.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame of this port's own, going out or come in.",
                            observe(&RailNetDevice::m_sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "Any frame, going out or come in.",
                            observe(&RailNetDevice::m_promiscSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

RailNetDevice::RailNetDevice()
{
    NS_LOG_FUNCTION(this);
}

RailNetDevice::~RailNetDevice()
{
    NS_LOG_FUNCTION(this);
}

void
RailNetDevice::DoInitialize()
{
    RequirePicoseconds("RailNetDevice");
    FiberPort::DoInitialize();
}

void
RailNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_decision.Cancel();
    m_locking.Cancel();
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        m_pauseEnds[c].Cancel();
        m_queues[c].Dispose();
    }
    m_control.clear();
    m_offload = nullptr;
    m_linkUpTime = nullptr;
    m_receive = {};
    m_promiscReceive = {};
    FiberPort::DoDispose();
}

// ------------------------------------------------------------------- settings

void
RailNetDevice::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                    "RailNetDevice: a DataRate of 0 sends nothing; give at least 1bps");
    m_rate = rate;
    if (!IsInitialized())
    {
        m_bitsPerSecond = AsOf<uint64_t>(rate.GetBitRate());
        return;
    }
    m_bitsPerSecond.Set(NowPicoseconds(), rate.GetBitRate());
}

DataRate
RailNetDevice::GetDataRate() const
{
    return m_rate;
}

bool
RailNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
RailNetDevice::GetMtu() const
{
    return m_mtu;
}

void
RailNetDevice::SetQueueSize(QueueSize size)
{
    for (HostQueue& queue : m_queues)
    {
        queue.SetLimit(size);
    }
}

uint32_t
RailNetDevice::GetQueues() const
{
    return CLASSES;
}

Ptr<Queue<Packet>>
RailNetDevice::GetQueue(uint32_t trafficClass) const
{
    NS_ABORT_MSG_UNLESS(trafficClass < CLASSES,
                        "RailNetDevice: there is no traffic class " << trafficClass
                                                                    << "; classes are 0 to 7");
    return m_queues[trafficClass].GetQueue();
}

void
RailNetDevice::AggregateQueueInterface()
{
    Ptr<NetDeviceQueueInterface> interface =
        CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues", UintegerValue(CLASSES));
    AggregateObject(interface);
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        interface->GetTxQueue(c)->ConnectQueueTraces(GetQueue(c));
    }
    interface->SetSelectQueueCallback(
        [](Ptr<QueueItem> item) -> std::size_t { return ClassOf(item->GetPacket()); });
}

uint32_t
RailNetDevice::ClassOf(Ptr<const Packet> packet)
{
    SocketPriorityTag priority;
    return packet->PeekPacketTag(priority) ? priority.GetPriority() % CLASSES : 0;
}

void
RailNetDevice::SetOffload(NicOffload* offload)
{
    m_offload = offload;
    if (offload != nullptr)
    {
        offload->NotifyCarrier(HasCarrier());
        Kick();
    }
}

int64_t
RailNetDevice::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    if (m_linkUpTime)
    {
        m_linkUpTime = OwnCopyOf(m_linkUpTime);
        m_linkUpTime->SetStream(stream);
    }
    return 1;
}

void
RailNetDevice::NotifyObservers()
{
    m_observed = !(m_frameSent.IsEmpty() && m_frameReceived.IsEmpty() && m_macTx.IsEmpty() &&
                   m_macRx.IsEmpty() && m_macPromiscRx.IsEmpty() && m_phyTxBegin.IsEmpty() &&
                   m_phyRxEnd.IsEmpty() && m_sniffer.IsEmpty() && m_promiscSniffer.IsEmpty());
}

bool
RailNetDevice::IsObserved() const
{
    return m_observed;
}

Ptr<Packet>
RailNetDevice::BytesOf(const WireFrame& frame) const
{
    return frame.packet ? frame.packet->Copy() : m_offload->MakePacket(frame);
}

// -------------------------------------------------------------------- sending

bool
RailNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
RailNetDevice::SendFrom(Ptr<Packet> packet,
                        const Address& source,
                        const Address& dest,
                        uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocolNumber);
    const uint32_t trafficClass = ClassOf(packet);
    const uint32_t size = packet->GetSize();
    if (size < MINIMUM_PAYLOAD)
    {
        packet->AddPaddingAtEnd(MINIMUM_PAYLOAD - size);
    }
    EthernetHeader ethernet(false);
    ethernet.SetSource(Mac48Address::ConvertFrom(source));
    ethernet.SetDestination(Mac48Address::ConvertFrom(dest));
    ethernet.SetLengthType(protocolNumber);
    packet->AddHeader(ethernet);
    if (size > m_mtu)
    {
        DropOutgoing(packet, trafficClass, FrameDropReason::OVERSIZED);
        return false;
    }
    if (m_inTheDark == DROP && !HasCarrier())
    {
        DropOutgoing(packet, trafficClass, FrameDropReason::NO_CARRIER);
        return false;
    }
    m_macTx(packet);
    if (!m_queues[trafficClass].Enqueue(packet, NowPicoseconds()))
    {
        DropOutgoing(packet, trafficClass, FrameDropReason::QUEUE_FULL);
        return false;
    }
    m_queued |= 1U << trafficClass;
    Kick();
    return true;
}

void
RailNetDevice::DropOutgoing(Ptr<Packet> packet, uint32_t trafficClass, FrameDropReason reason)
{
    m_macTxDrop(packet);
    m_frameDropped(MakeFrame(packet, trafficClass), reason);
}

WireFrame
RailNetDevice::MakeFrame(Ptr<Packet> packet, uint32_t trafficClass) const
{
    EthernetHeader ethernet(false);
    packet->PeekHeader(ethernet);
    WireFrame frame;
    frame.packet = packet;
    frame.source = ethernet.GetSource();
    frame.destination = ethernet.GetDestination();
    frame.wireBytes = packet->GetSize() - ETHERNET_HEADER + FRAMING;
    frame.trafficClass = trafficClass;
    return frame;
}

void
RailNetDevice::NotifyOffloadReady()
{
    Kick();
}

void
RailNetDevice::SendPause(uint32_t trafficClass, uint16_t quanta)
{
    NS_LOG_FUNCTION(this << trafficClass << quanta);
    PauseFrameHeader pause;
    pause.SetClass(trafficClass, quanta);
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(pause);
    packet->AddPaddingAtEnd(MINIMUM_PAYLOAD - packet->GetSize());
    EthernetHeader ethernet(false);
    ethernet.SetSource(m_address);
    ethernet.SetDestination(PauseFrameHeader::GetDestination());
    ethernet.SetLengthType(PauseFrameHeader::ETHER_TYPE);
    packet->AddHeader(ethernet);
    m_control.emplace_back(packet, NowPicoseconds());
    Kick();
}

void
RailNetDevice::Kick()
{
    if (m_deciding || IsEventPending(m_decision) || !HasCarrier())
    {
        return;
    }
    // an idle wire is decided on when its instant is over: nothing that happens in it is missed
    const Picoseconds now = NowPicoseconds();
    const Picoseconds wait = now < m_busyUntil ? m_busyUntil - now : 1;
    m_decision = Simulator::Schedule(ToTime(wait), &RailNetDevice::Decide, this);
}

void
RailNetDevice::Decide()
{
    const Picoseconds now = NowPicoseconds();
    const Picoseconds seen = now - 1;
    const bool wireWasIdle = now != m_busyUntil;
    m_deciding = true;
    if (wireWasIdle)
    {
        m_served.fill(FROM_THE_LOWEST);
    }
    const Choice choice = Choose(seen, wireWasIdle);
    if (choice.source == Choice::NOBODY)
    {
        m_deciding = false;
        // what has become ready at this very instant finds the wire idle
        if (Choose(now, true).source != Choice::NOBODY)
        {
            Kick();
        }
        return;
    }
    WireFrame frame = Take(choice);
    const uint64_t rate = m_bitsPerSecond.At(seen);
    if (rate != m_clock.GetRate())
    {
        m_clock = FrameClock(rate);
        m_clock.Start(wireWasIdle ? seen : now);
    }
    else if (wireWasIdle)
    {
        m_clock.Start(seen);
    }
    const FrameTimes times = m_clock.Append(frame.wireBytes);
    frame.first = times.first;
    frame.last = times.last;
    m_busyUntil = times.next;
    Put(std::move(frame));
    m_deciding = false;
    if (ClassesWithWork() != 0 || !m_control.empty())
    {
        Kick();
    }
}

uint32_t
RailNetDevice::ClassesWithWork() const
{
    return m_offload != nullptr ? m_queued | m_offload->GetReadyClasses() : m_queued;
}

RailNetDevice::Choice
RailNetDevice::Choose(Picoseconds seen, bool wireWasIdle) const
{
    Choice choice;
    if (!m_carrier.At(seen))
    {
        return choice;
    }
    if (!m_control.empty() && m_control.front().second <= seen)
    {
        choice.source = Choice::CONTROL;
        choice.trafficClass = CLASSES - 1;
        return choice;
    }
    const uint32_t work = ClassesWithWork();
    for (uint32_t c = CLASSES; c-- > 0;)
    {
        if ((work >> c & 1U) == 0 || m_paused[c].At(seen) > seen)
        {
            continue;
        }
        const uint32_t after = wireWasIdle ? FROM_THE_LOWEST : m_served[c];
        const bool host = m_queues[c].WasReady(seen);
        const bool offload = m_offload != nullptr && m_offload->PeekRun(c, after, seen, choice.run);
        if (!host && !offload)
        {
            continue;
        }
        // the host stack is number 0: a queue pair above the one served last comes before it
        choice.source =
            offload && (!host || choice.run.id > after) ? Choice::OFFLOAD : Choice::HOST;
        choice.trafficClass = c;
        return choice;
    }
    return choice;
}

WireFrame
RailNetDevice::Take(const Choice& choice)
{
    const uint32_t c = choice.trafficClass;
    if (choice.source == Choice::CONTROL)
    {
        WireFrame frame = MakeFrame(m_control.front().first, c);
        m_control.pop_front();
        return frame;
    }
    if (choice.source == Choice::HOST)
    {
        m_served[c] = 0;
        WireFrame frame = MakeFrame(m_queues[c].Dequeue(), c);
        if (m_queues[c].IsEmpty())
        {
            m_queued &= ~(1U << c);
        }
        return frame;
    }
    m_served[c] = choice.run.id;
    WireFrame frame;
    frame.run = choice.run.Head(1);
    frame.source = m_address;
    frame.wireBytes = frame.run.lastWireBytes;
    frame.trafficClass = c;
    m_offload->CommitRun(frame.run, frame);
    return frame;
}

void
RailNetDevice::Put(WireFrame frame)
{
    if (m_observed)
    {
        const Ptr<const Packet> bytes = BytesOf(frame);
        m_phyTxBegin(bytes);
        m_sniffer(bytes);
        m_promiscSniffer(bytes);
        m_frameSent(frame);
    }
    m_fiber->Transmit(this, std::move(frame));
}

// ------------------------------------------------------------------- carrier

bool
RailNetDevice::EmitsLight() const
{
    return true;
}

void
RailNetDevice::PresetLight(bool light)
{
    m_locked.Reset();
    if (light)
    {
        m_locked.Rise(ALWAYS_BEFORE, true);
    }
    m_carrier = AsOf<bool>(light);
}

void
RailNetDevice::ReceiveLight(bool light)
{
    NS_LOG_FUNCTION(this << light);
    if (!light)
    {
        m_locking.Cancel();
        if (m_locked.IsLit())
        {
            m_locked.Fall(NowPicoseconds());
            SetCarrier(false);
        }
        return;
    }
    if (!m_linkUpTime)
    {
        Lock();
        return;
    }
    const double seconds = m_linkUpTime->GetValue();
    NS_ABORT_MSG_UNLESS(seconds >= 0 && seconds < 9e6,
                        "RailNetDevice: LinkUpTime drew "
                            << seconds
                            << " s; it must lie between 0 and 9,000,000 s: choose another random "
                               "variable");
    m_locking =
        Simulator::Schedule(ToTime(std::llround(seconds * 1e12)), &RailNetDevice::Lock, this);
}

void
RailNetDevice::Lock()
{
    m_locked.Rise(NowPicoseconds(), true);
    SetCarrier(true);
}

void
RailNetDevice::SetCarrier(bool carrier)
{
    m_carrier.Set(NowPicoseconds(), carrier);
    m_carrierTrace(carrier);
    if (m_notifyStack)
    {
        m_linkChange();
    }
    if (m_offload != nullptr)
    {
        m_offload->NotifyCarrier(carrier);
    }
    if (carrier)
    {
        Kick();
        return;
    }
    if (m_inTheDark == DROP)
    {
        for (uint32_t c = 0; c < CLASSES; ++c)
        {
            while (Ptr<Packet> packet = m_queues[c].Dequeue())
            {
                DropOutgoing(packet, c, FrameDropReason::NO_CARRIER);
            }
        }
        m_queued = 0;
    }
}

bool
RailNetDevice::HasCarrier() const
{
    return m_carrier.Get();
}

bool
RailNetDevice::IsLinkUp() const
{
    return !m_notifyStack || HasCarrier();
}

void
RailNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

// ------------------------------------------------------------------ receiving

void
RailNetDevice::ReceiveFrame(WireFrame frame)
{
    bool locked;
    if (m_locked.Judge(frame.first, frame.last, locked) != LightVerdict::WHOLE)
    {
        DropIncoming(frame, FrameDropReason::NO_LOCK);
        return;
    }
    const bool mine = frame.destination == m_address;
    if (m_observed)
    {
        m_frameReceived(frame);
        const Ptr<const Packet> bytes = BytesOf(frame);
        m_phyRxEnd(bytes);
        m_promiscSniffer(bytes);
        if (mine || frame.destination.IsGroup())
        {
            m_sniffer(bytes);
        }
    }
    if (!frame.packet)
    {
        if (!mine)
        {
            DropIncoming(frame, FrameDropReason::WRONG_DESTINATION);
        }
        else if (m_offload == nullptr || !m_offload->ReceiveRun(frame))
        {
            DropIncoming(frame, FrameDropReason::NO_RECEIVER);
        }
        return;
    }
    if (frame.destination == PauseFrameHeader::GetDestination())
    {
        ReceivePause(frame);
        return;
    }
    if (!ReceiveForHost(frame))
    {
        DropIncoming(frame, FrameDropReason::WRONG_DESTINATION);
    }
}

bool
RailNetDevice::ReceiveForHost(const WireFrame& frame)
{
    Ptr<Packet> packet = frame.packet->Copy();
    EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    const PacketType type = frame.destination.IsBroadcast()  ? NetDevice::PACKET_BROADCAST
                            : frame.destination.IsGroup()    ? NetDevice::PACKET_MULTICAST
                            : frame.destination == m_address ? NetDevice::PACKET_HOST
                                                             : NetDevice::PACKET_OTHERHOST;
    const uint16_t protocol = ethernet.GetLengthType();
    if (!m_promiscReceive.IsNull())
    {
        m_macPromiscRx(packet);
        m_promiscReceive(this, packet, protocol, frame.source, frame.destination, type);
    }
    if (type == NetDevice::PACKET_OTHERHOST)
    {
        return false;
    }
    if (!m_receive.IsNull())
    {
        m_macRx(packet);
        m_receive(this, packet, protocol, frame.source);
    }
    return true;
}

void
RailNetDevice::DropIncoming(const WireFrame& frame, FrameDropReason reason)
{
    NS_LOG_LOGIC("drops a frame that came in: " << reason);
    if (frame.packet)
    {
        m_phyRxDrop(frame.packet);
    }
    m_frameDropped(frame, reason);
}

void
RailNetDevice::ReceivePause(const WireFrame& frame)
{
    Ptr<Packet> packet = frame.packet->Copy();
    EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    PauseFrameHeader pause;
    packet->RemoveHeader(pause);
    if (ethernet.GetLengthType() != PauseFrameHeader::ETHER_TYPE || !pause.IsPause())
    {
        DropIncoming(frame, FrameDropReason::NO_RECEIVER);
        return;
    }
    const Picoseconds now = NowPicoseconds();
    const FrameClock clock(m_rate.GetBitRate());
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        if (!pause.Concerns(c))
        {
            continue;
        }
        const Picoseconds span =
            clock.Span(uint64_t{pause.GetQuanta(c)} * PauseFrameHeader::QUANTUM_BITS / 8);
        m_paused[c].Set(now, now + span);
        m_pauseEnds[c].Cancel();
        m_pauseTrace(c, ToTime(span));
        if (span > 0)
        {
            m_pauseEnds[c] = Simulator::Schedule(ToTime(span), &RailNetDevice::EndPause, this, c);
        }
    }
    Kick();
}

void
RailNetDevice::EndPause(uint32_t trafficClass)
{
    m_pauseTrace(trafficClass, Time(0));
    Kick();
}

bool
RailNetDevice::IsPaused(uint32_t trafficClass) const
{
    NS_ABORT_MSG_UNLESS(trafficClass < CLASSES,
                        "RailNetDevice: there is no traffic class " << trafficClass
                                                                    << "; classes are 0 to 7");
    return m_paused[trafficClass].Get() > NowPicoseconds();
}

void
RailNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
RailNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscReceive = cb;
}

bool
RailNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3
