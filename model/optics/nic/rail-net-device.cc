/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-net-device.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/circuit-train.h"
#include "ns3/ethernet-frame.h"
#include "ns3/fidelity.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/object-vector.h"
#include "ns3/observed-trace.h"
#include "ns3/optical-fiber.h"
#include "ns3/own-random-variable.h"
#include "ns3/pause-frame.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RailNetDevice");

NS_OBJECT_ENSURE_REGISTERED(RailNetDevice);

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
            .AddAttribute("NoCarrierAction",
                          "What becomes of the host stack's packets without carrier: they wait in "
                          "the queue, or are dropped.",
                          EnumValue(HOLD),
                          MakeRailsEnumAccessor<NoCarrierAction>(&RailNetDevice::m_noCarrierAction),
                          MakeEnumChecker(HOLD, "Hold", DROP, "Drop"))
            .AddAttribute("NotifyStack",
                          "Whether link state follows carrier. Off, because ns-3's ARP flushes its "
                          "cache at every link change.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RailNetDevice::m_notifyStack),
                          MakeBooleanChecker())
            .AddAttribute(
                "QueueSize",
                "How much the host stack's queue of each class holds.",
                QueueSizeValue(QueueSize("256p")),
                MakeQueueSizeAccessor(&RailNetDevice::SetQueueSize, &RailNetDevice::GetQueueSize),
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
                            "ns3::RailNetDevice::CarrierCallback")
            .AddTraceSource("Pause",
                            "The peer paused a class for a span; 0: it lets it go on.",
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
    : m_transmitter([this](WireFrame&& frame) { Put(std::move(frame)); })
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
    m_inTrains = GetPhotonicRailsFidelity() == PACKET_TRAINS;
    if (m_inTrains)
    {
        m_transmitter.SetEntering([this] { return EnterTrain(); });
    }
    FiberPort::DoInitialize();
}

void
RailNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_batchMode)
    {
        m_batchMode->Abandon();
    }
    m_transmitter.Dispose();
    Simulator::Remove(m_locking);
    for (const auto& sink : m_sinks)
    {
        sink->Settle(NEVER);
    }
    m_sinks.clear();
    m_offload = nullptr;
    m_batchOffload = nullptr;
    m_linkUpTime = nullptr;
    m_receive = {};
    m_promiscReceive = {};
    FiberPort::DoDispose();
}

// ------------------------------------------------------------------- settings

void
RailNetDevice::SetDataRate(DataRate rate)
{
    RequireRate(rate, "RailNetDevice::DataRate");
    LeaveTrain("the rate of a port changes");
    m_rate = rate;
    m_transmitter.SetRate(rate.GetBitRate(), IsInitialized() ? NowPicoseconds() : ALWAYS_BEFORE);
}

DataRate
RailNetDevice::GetDataRate() const
{
    return m_rate;
}

void
RailNetDevice::SetAddress(Address address)
{
    LeaveTrain("the address of a port changes");
    FiberPort::SetAddress(address);
    m_transmitter.SetAddress(m_address);
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
    m_queueSize = size;
    m_transmitter.SetQueueSize(size);
}

QueueSize
RailNetDevice::GetQueueSize() const
{
    return m_queueSize;
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
    return m_transmitter.GetQueue(trafficClass);
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
    LeaveTrain("the offload of a port changes");
    m_offload = offload;
    m_batchOffload = dynamic_cast<BatchOffload*>(offload);
    if (offload != nullptr)
    {
        offload->NotifyCarrier(HasCarrier());
    }
    m_transmitter.SetOffload(offload);
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
    if (m_observed)
    {
        LeaveTrain("a trace is connected to every frame of a port");
    }
}

const RailNetDevice::Counters&
RailNetDevice::GetCounters() const
{
    CatchUpWholly();
    return m_counters;
}

uint64_t
RailNetDevice::GetQueued() const
{
    return m_transmitter.GetQueued();
}

bool
RailNetDevice::IsObserved() const
{
    return m_observed;
}

void
RailNetDevice::AddSink(std::shared_ptr<FrameSink> sink)
{
    CatchUpWholly();
    m_sinks.push_back(std::move(sink));
}

void
RailNetDevice::RemoveSink(const std::shared_ptr<FrameSink>& sink)
{
    const auto place = std::find(m_sinks.begin(), m_sinks.end(), sink);
    NS_ABORT_MSG_IF(place == m_sinks.end(),
                    "RailNetDevice::RemoveSink: this sink was not added to this port");
    CatchUpWholly();
    sink->Settle(NEVER);
    m_sinks.erase(place);
}

Ptr<Packet>
RailNetDevice::BytesOf(const WireFrame& frame) const
{
    return frame.packet ? frame.packet->Copy() : m_offload->MakePacket(frame);
}

// --------------------------------------------------------------------- trains

bool
RailNetDevice::EnterTrain()
{
    const bool entered = CircuitTrain::Enter(*this, m_trains.why) != nullptr;
    if (!entered)
    {
        NS_LOG_INFO("packet events go on at " << m_address << ": " << m_trains.why);
        ++m_trains.refused;
    }
    return entered;
}

bool
RailNetDevice::MayGoInTrains(std::string& why) const
{
    if (!m_inTrains || m_batchMode)
    {
        why = "a port is not to go in trains, or goes in another";
    }
    else if (m_observed)
    {
        why = "a trace is connected to every frame of a port";
    }
    else if (m_offload == nullptr)
    {
        why = "a port has no offload";
    }
    else if (!m_locked.IsLit() || !m_transmitter.IsPlain())
    {
        why = "a port has no carrier, is paused, or has packets of the host stack to send";
    }
    else
    {
        return true;
    }
    return false;
}

Picoseconds
RailNetDevice::GetLockedSince() const
{
    return m_locked.GetCurrent().from;
}

BatchOffload*
RailNetDevice::GetBatchOffload() const
{
    return m_batchOffload;
}

TransmitterState
RailNetDevice::EnterBatchMode(Ptr<BatchMode> mode, uint32_t end)
{
    m_batchMode = mode;
    m_batchEnd = end;
    ++m_trains.boarded;
    return m_transmitter.EnterBatchMode();
}

void
RailNetDevice::ResumeTransmitter(const TransmitterState& state, const std::string& why)
{
    ++m_trains.left;
    m_trains.why = why;
    m_batchMode = nullptr;
    m_transmitter.Resume(state);
}

void
RailNetDevice::ForgetBatchMode()
{
    m_batchMode = nullptr;
}

void
RailNetDevice::LeaveTrain(const char* why)
{
    if (m_batchMode)
    {
        m_batchMode->Leave(why);
    }
}

void
RailNetDevice::CatchUp()
{
    if (m_batchMode)
    {
        m_batchMode->CatchUp();
    }
}

void
RailNetDevice::Advance()
{
    if (m_batchMode)
    {
        m_batchMode->Advance();
    }
}

void
RailNetDevice::CatchUpWholly() const
{
    if (m_batchMode)
    {
        m_batchMode->CatchUpWholly();
    }
}

bool
RailNetDevice::IsInThePast() const
{
    return m_batchMode && m_batchMode->IsInThePast();
}

void
RailNetDevice::CountSentInTrain(uint64_t frames)
{
    m_counters.sent += frames;
    m_trains.frames += frames;
}

void
RailNetDevice::CountReceivedInTrain(uint64_t frames)
{
    m_counters.received += frames;
    m_counters.forOffload += frames;
}

const std::vector<std::shared_ptr<FrameSink>>&
RailNetDevice::GetSinks() const
{
    return m_sinks;
}

const RailNetDevice::Trains&
RailNetDevice::GetTrains() const
{
    CatchUpWholly();
    return m_trains;
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
    EthernetFrame::Frame(packet,
                         Mac48Address::ConvertFrom(source),
                         Mac48Address::ConvertFrom(dest),
                         protocolNumber);
    if (size > m_mtu)
    {
        DropOutgoing(packet, trafficClass, FrameDropReason::OVERSIZED);
        return false;
    }
    if (m_noCarrierAction == DROP && !HasCarrier())
    {
        DropOutgoing(packet, trafficClass, FrameDropReason::NO_CARRIER);
        return false;
    }
    LeaveTrain("the host stack sends a packet");
    m_macTx(packet);
    if (!m_transmitter.Enqueue(packet, trafficClass))
    {
        DropOutgoing(packet, trafficClass, FrameDropReason::QUEUE_FULL);
        return false;
    }
    return true;
}

void
RailNetDevice::DropOutgoing(Ptr<Packet> packet, uint32_t trafficClass, FrameDropReason reason)
{
    ++m_counters.droppedOut;
    m_macTxDrop(packet);
    m_frameDropped(EthernetFrame::OnWire(packet, trafficClass), reason);
}

void
RailNetDevice::NotifyOffloadReady()
{
    if (m_batchMode)
    {
        m_batchMode->Kick(m_batchEnd);
        return;
    }
    m_transmitter.Kick();
}

void
RailNetDevice::SendPause(uint32_t trafficClass, uint16_t quanta)
{
    NS_LOG_FUNCTION(this << trafficClass << quanta);
    LeaveTrain("a port sends a pause frame");
    m_transmitter.EnqueueControl(MakePauseFrame(m_address, trafficClass, quanta));
}

void
RailNetDevice::Put(WireFrame&& frame)
{
    ++m_counters.sent;
    if (m_observed)
    {
        const Ptr<const Packet> bytes = BytesOf(frame);
        m_phyTxBegin(bytes);
        m_sniffer(bytes);
        m_promiscSniffer(bytes);
        m_frameSent(frame);
    }
    for (const auto& sink : m_sinks)
    {
        // a decision on an idle wire follows a picosecond later, so a frame may arrive until then
        sink->Settle(NowPicoseconds() - 1);
        sink->TakeSent(frame, frame.roce, RunClock(frame.first, frame.last));
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
    m_transmitter.PresetCarrier(light);
    if (m_offload != nullptr)
    {
        m_offload->NotifyCarrier(light);
    }
}

void
RailNetDevice::ReceiveLight(bool light)
{
    NS_LOG_FUNCTION(this << light);
    if (!light)
    {
        LeaveTrain("a port loses its light");
        Simulator::Remove(m_locking); // a cancelled event would prolong the simulation
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
    const Picoseconds wait = DrawPicoseconds(m_linkUpTime, "RailNetDevice: LinkUpTime");
    m_locking = Simulator::Schedule(ToTime(wait), &RailNetDevice::Lock, this);
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
    m_transmitter.SetCarrier(carrier);
    m_carrierTrace(carrier);
    if (m_notifyStack)
    {
        m_linkChange();
    }
    if (m_offload != nullptr)
    {
        m_offload->NotifyCarrier(carrier);
    }
    if (carrier || m_noCarrierAction == HOLD)
    {
        return;
    }
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        while (Ptr<Packet> packet = m_transmitter.TakeBack(c))
        {
            DropOutgoing(packet, c, FrameDropReason::NO_CARRIER);
        }
    }
}

bool
RailNetDevice::HasCarrier() const
{
    return m_transmitter.HasCarrier();
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
RailNetDevice::ReceiveFrame(WireFrame&& frame)
{
    ++m_counters.received;
    bool locked;
    if (m_locked.Check(frame.first, frame.last, locked) != PathCheck::WHOLE)
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
    for (const auto& sink : m_sinks)
    {
        sink->Settle(NowPicoseconds() - 1);
        sink->TakeReceived(frame, frame.roce, RunClock(frame.first, frame.last));
    }
    if (!frame.packet)
    {
        if (!mine)
        {
            DropIncoming(frame, FrameDropReason::WRONG_DESTINATION);
        }
        else if (m_offload == nullptr || !m_offload->ReceiveFrame(frame))
        {
            DropIncoming(frame, FrameDropReason::NO_RECEIVER);
        }
        else
        {
            ++m_counters.forOffload;
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
        return;
    }
    ++m_counters.forHost;
}

bool
RailNetDevice::ReceiveForHost(const WireFrame& frame)
{
    Ptr<Packet> packet = frame.packet->Copy();
    const uint16_t protocol = EthernetFrame::Unframe(packet);
    const PacketType type = frame.destination.IsBroadcast()  ? NetDevice::PACKET_BROADCAST
                            : frame.destination.IsGroup()    ? NetDevice::PACKET_MULTICAST
                            : frame.destination == m_address ? NetDevice::PACKET_HOST
                                                             : NetDevice::PACKET_OTHERHOST;
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
    ++m_counters.droppedIn;
    if (frame.packet)
    {
        m_phyRxDrop(frame.packet);
    }
    m_frameDropped(frame, reason);
}

void
RailNetDevice::ReceivePause(const WireFrame& frame)
{
    PauseFrameHeader pause;
    if (!ReadPauseFrame(frame.packet, pause))
    {
        DropIncoming(frame, FrameDropReason::NO_RECEIVER);
        return;
    }
    ++m_counters.pauses;
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
        m_pauseTrace(c, ToTime(span));
        m_transmitter.Pause(c, now + span);
    }
}

bool
RailNetDevice::IsPaused(uint32_t trafficClass) const
{
    NS_ABORT_MSG_UNLESS(trafficClass < CLASSES,
                        "RailNetDevice: there is no traffic class " << trafficClass
                                                                    << "; classes are 0 to 7");
    return m_transmitter.IsPaused(trafficClass);
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
