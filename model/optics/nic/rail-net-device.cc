/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-net-device.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/ethernet-frame.h"
#include "ns3/fidelity.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/object-vector.h"
#include "ns3/observed-trace.h"
#include "ns3/optical-fiber.h"
#include "ns3/pause-frame.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RailNetDevice");

NS_OBJECT_ENSURE_REGISTERED(RailNetDevice);

TypeId
RailNetDevice::GetTypeId()
{
    const auto observe = [](auto source) {
        return MakeObservedTraceSourceAccessor(&RailNetDevice::m_traces,
                                               source,
                                               &RailNetDevice::NotifyObservers);
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
            .AddAttribute(
                "LinkUpTime",
                "Random variable, in seconds, drawn each time light comes: from light to "
                "carrier (transceiver lock and port bring-up; commodity NICs take "
                "seconds). Null: no time.",
                PointerValue(),
                MakePointerAccessor(&RailNetDevice::SetLinkUpTime, &RailNetDevice::GetLinkUpTime),
                MakePointerChecker<RandomVariableStream>())
            .AddAttribute("ProcessingTime",
                          "Random variable, in seconds, drawn each time carrier comes: until the "
                          "host has the port event, in firmware and driver. Null: no time.",
                          PointerValue(),
                          MakePointerAccessor(&RailNetDevice::SetProcessingTime,
                                              &RailNetDevice::GetProcessingTime),
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
            .AddAttribute("LaunchPower",
                          "Power that the transceiver puts into the fiber, at least, in dBm, of "
                          "each wavelength. PhotonicRailHelper::SetTransceiver() has values of "
                          "standards.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RailNetDevice::m_launchPower),
                          MakeDoubleChecker<double>(-1000, 1000))
            .AddAttribute("ReceiverSensitivity",
                          "Power that the transceiver needs from the fiber, at least, in dBm, of "
                          "each wavelength. The default is no limit: it takes any light.",
                          DoubleValue(-1000),
                          MakeDoubleAccessor(&RailNetDevice::m_receiverSensitivity),
                          MakeDoubleChecker<double>(-1000, 1000))
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
                            observe(&PortTraces::frameSent),
                            "ns3::RailNetDevice::FrameCallback")
            .AddTraceSource("FrameReceived",
                            "A frame has come in, with any destination. Fires for every frame.",
                            observe(&PortTraces::frameReceived),
                            "ns3::RailNetDevice::FrameCallback")
            .AddTraceSource("FrameDropped",
                            "A frame was lost in the NIC, and why.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_frameDropped),
                            "ns3::RailNetDevice::FrameDroppedCallback")
            .AddTraceSource("Power",
                            "The port is switched on (true) or off (false).",
                            MakeTraceSourceAccessor(&RailNetDevice::m_powerTrace),
                            "ns3::RailNetDevice::PowerCallback")
            .AddTraceSource("Carrier",
                            "Carrier has come (true) or gone (false).",
                            MakeTraceSourceAccessor(&RailNetDevice::m_carrierTrace),
                            "ns3::RailNetDevice::CarrierCallback")
            .AddTraceSource("PortEvent",
                            "The host is notified of carrier (true), ProcessingTime after it has "
                            "come, or of its loss (false).",
                            MakeTraceSourceAccessor(&RailNetDevice::m_portEvent),
                            "ns3::RailNetDevice::CarrierCallback")
            .AddTraceSource("Pause",
                            "The peer paused a class for a span; 0: it lets it go on.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_pauseTrace),
                            "ns3::RailNetDevice::PauseCallback")
            .AddTraceSource("MacTx",
                            "A packet of the host stack was handed to the NIC.",
                            observe(&PortTraces::macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet of the host stack was dropped on its way out.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet was handed to the host stack.",
                            observe(&PortTraces::macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource(
                "MacPromiscRx",
                "A packet came in that the host stack could take, with any destination, if a "
                "promiscuous receiver is set.",
                observe(&PortTraces::macPromiscRx),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A frame begins to go on the wire.",
                            observe(&PortTraces::phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has come in whole.",
                            observe(&PortTraces::phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame that came in was dropped.",
                            MakeTraceSourceAccessor(&RailNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame of this port's own, going out or come in.",
                            observe(&PortTraces::sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "Any frame, going out or come in.",
                            observe(&PortTraces::promiscuousSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

RailNetDevice::RailNetDevice()
    : m_transmitter([this](WireFrame&& frame) { Put(std::move(frame)); }),
      m_lock([this](bool locked) { SetCarrier(locked); }),
      m_events([this](bool carrier) { m_portEvent(carrier); })
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
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("RailNetDevice");
    m_inTrains = GetPhotonicRailsFidelity() == PACKET_TRAINS;
    if (m_inTrains)
    {
        m_transmitter.SetEntering([this] { return m_batchMode.Attempt(*this); });
    }
    FiberPort::DoInitialize();
}

void
RailNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_batchMode.Abandon();
    m_transmitter.Dispose();
    m_lock.Dispose();
    m_events.Dispose();
    m_sinks.Close();
    m_offload = nullptr;
    m_batchOffload = nullptr;
    m_host.Dispose();
    FiberPort::DoDispose();
}

// ------------------------------------------------------------------- settings

void
RailNetDevice::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    RequireRate(rate, "RailNetDevice::DataRate");
    m_batchMode.LeaveTrain("the rate of a port changes");
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
    NS_LOG_FUNCTION(this << address);
    m_batchMode.LeaveTrain("the address of a port changes");
    FiberPort::SetAddress(address);
    m_transmitter.SetAddress(m_address);
}

bool
RailNetDevice::SetMtu(const uint16_t mtu)
{
    NS_LOG_FUNCTION(this << mtu);
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
    NS_LOG_FUNCTION(this << size);
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
    NS_LOG_FUNCTION(this);
    Ptr<NetDeviceQueueInterface> interface =
        CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues", UintegerValue(CLASSES));
    AggregateObject(interface);
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        m_transmitter.SetInterface(c, interface->GetTxQueue(c));
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
    NS_LOG_FUNCTION(this << offload);
    m_batchMode.LeaveTrain("the offload of a port changes");
    m_offload = offload;
    m_batchOffload = dynamic_cast<BatchOffload*>(offload);
    if (offload != nullptr)
    {
        offload->NotifyCarrier(HasCarrier());
    }
    m_transmitter.SetOffload(offload);
}

void
RailNetDevice::AbandonTrains()
{
    NS_LOG_FUNCTION(this);
    m_batchMode.Abandon();
}

int64_t
RailNetDevice::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    const int64_t used = m_lock.AssignStreams(stream);
    return used + m_events.AssignStreams(stream + used);
}

void
RailNetDevice::SetLinkUpTime(Ptr<RandomVariableStream> seconds)
{
    NS_LOG_FUNCTION(this << seconds);
    m_lock.SetLinkUpTime(seconds);
}

Ptr<RandomVariableStream>
RailNetDevice::GetLinkUpTime() const
{
    return m_lock.GetLinkUpTime();
}

void
RailNetDevice::SetProcessingTime(Ptr<RandomVariableStream> seconds)
{
    NS_LOG_FUNCTION(this << seconds);
    m_events.SetTime(seconds);
}

Ptr<RandomVariableStream>
RailNetDevice::GetProcessingTime() const
{
    return m_events.GetTime();
}

void
RailNetDevice::NotifyObservers()
{
    NS_LOG_FUNCTION(this);
    m_traces.Update();
    if (m_traces.IsObserved())
    {
        m_batchMode.LeaveTrain("a trace is connected to every frame of a port");
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
    return m_traces.IsObserved();
}

void
RailNetDevice::AddSink(std::shared_ptr<FrameSink> sink)
{
    NS_LOG_FUNCTION(this);
    CatchUpWholly();
    m_sinks.Add(std::move(sink));
}

void
RailNetDevice::RemoveSink(const std::shared_ptr<FrameSink>& sink)
{
    NS_LOG_FUNCTION(this);
    CatchUpWholly();
    NS_ABORT_MSG_UNLESS(m_sinks.Remove(sink),
                        "RailNetDevice::RemoveSink: this sink was not added to this port");
}

// --------------------------------------------------------------------- trains

bool
RailNetDevice::MayGoInTrains(std::string& why) const
{
    if (!m_inTrains || m_batchMode.IsOn())
    {
        why = "a port is not to go in trains, or goes in another";
    }
    else if (m_traces.IsObserved())
    {
        why = "a trace is connected to every frame of a port";
    }
    else if (!m_lock.IsLocked() || !m_transmitter.IsPlain())
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
    return m_lock.GetSince();
}

bool
RailNetDevice::HasOffload() const
{
    return m_offload != nullptr;
}

BatchOffload*
RailNetDevice::GetBatchOffload() const
{
    return m_batchOffload;
}

TransmitterState
RailNetDevice::EnterBatchMode(Ptr<BatchMode> mode, uint32_t end)
{
    NS_LOG_INFO(m_address << " sends in trains from now on");
    m_batchMode.Enter(mode, end);
    return m_transmitter.EnterBatchMode();
}

void
RailNetDevice::ResumeTransmitter(const TransmitterState& state, const std::string& why)
{
    NS_LOG_INFO(m_address << " sends by packet events from now on: " << why);
    m_batchMode.NoteLeft(why);
    m_transmitter.Resume(state);
}

void
RailNetDevice::ForgetBatchMode()
{
    NS_LOG_FUNCTION(this);
    m_batchMode.Forget();
}

void
RailNetDevice::CatchUp()
{
    m_batchMode.CatchUp();
}

void
RailNetDevice::Advance()
{
    m_batchMode.Advance();
}

void
RailNetDevice::CatchUpWholly() const
{
    m_batchMode.CatchUpWholly();
}

bool
RailNetDevice::IsInThePast() const
{
    return m_batchMode.IsInThePast();
}

void
RailNetDevice::CountSentInTrain(uint64_t frames)
{
    m_counters.sent += frames;
    m_batchMode.CountSent(frames);
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
    return m_sinks.Get();
}

const RailNetDevice::Trains&
RailNetDevice::GetTrains() const
{
    CatchUpWholly();
    return m_batchMode.GetCounters();
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
    m_batchMode.LeaveTrain("the host stack sends a packet");
    m_traces.macTx(packet);
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
    NS_LOG_LOGIC("drops a packet of the host stack: " << reason);
    ++m_counters.droppedOut;
    m_macTxDrop(packet);
    m_frameDropped(EthernetFrame::OnWire(packet, trafficClass), reason);
}

void
RailNetDevice::NotifyOffloadReady()
{
    if (!m_batchMode.Kick())
    {
        m_transmitter.Kick();
    }
}

bool
RailNetDevice::IsReadyForTrains() const
{
    return m_inTrains && m_sinks.TakeTotals() && m_fiber &&
           (m_batchMode.IsOn() || m_transmitter.MayEnterAhead());
}

Ptr<BatchMode>
RailNetDevice::GoInTrains(RailNetDevice& other)
{
    if (!IsReadyForTrains() || !other.IsReadyForTrains() ||
        m_batchMode.IsOn() != other.m_batchMode.IsOn())
    {
        return nullptr;
    }
    if (!m_batchMode.IsOn() && !PortBatchMode::AttemptAhead(*this))
    {
        return nullptr;
    }
    return m_batchMode.GetMode() == other.m_batchMode.GetMode() ? m_batchMode.GetMode() : nullptr;
}

void
RailNetDevice::SendPause(uint32_t trafficClass, uint16_t quanta)
{
    NS_LOG_FUNCTION(this << trafficClass << quanta);
    m_batchMode.LeaveTrain("a port sends a pause frame");
    m_transmitter.EnqueueControl(MakePauseFrame(m_address, trafficClass, quanta));
}

void
RailNetDevice::Put(WireFrame&& frame)
{
    ++m_counters.sent;
    if (m_traces.IsObserved())
    {
        m_traces.FireSent(frame, frame.MakePacket());
    }
    if (!m_sinks.IsEmpty())
    {
        m_sinks.TakeSent(frame, NowPicoseconds());
    }
    const bool isCutShort = !m_isOn && frame.last > m_offSince; // chosen before it was switched off
    m_fiber->Transmit(this, std::move(frame));
    if (isCutShort)
    {
        m_fiber->CutShort(this);
    }
}

// ------------------------------------------------------------------- carrier

std::optional<TransceiverPower>
RailNetDevice::GetTransceiverPower() const
{
    return TransceiverPower{m_launchPower, m_receiverSensitivity};
}

bool
RailNetDevice::EmitsLight() const
{
    return m_isOn;
}

void
RailNetDevice::SetPower(bool isOn)
{
    NS_LOG_FUNCTION(this << isOn);
    if (isOn == m_isOn)
    {
        return;
    }
    NS_LOG_INFO(m_address << (isOn ? " is switched on" : " is switched off"));
    m_batchMode.LeaveTrain("a port is switched off or on");
    m_isOn = isOn;
    const bool hasBegun = IsInitialized();
    if (m_fiber)
    {
        if (!isOn && hasBegun)
        {
            m_fiber->CutShort(this);
        }
        if (hasBegun)
        {
            m_fiber->SendLight(this, isOn);
        }
        else
        {
            m_fiber->PresetLight(this, isOn);
        }
    }
    if (!isOn)
    {
        m_offSince = hasBegun ? NowPicoseconds() : ALWAYS_BEFORE;
    }
    if (!hasBegun)
    {
        PresetLight(m_light);
    }
    else if (!isOn)
    {
        m_lock.Fall();
    }
    else if (m_light)
    {
        m_lock.Rise();
    }
    m_powerTrace(isOn);
}

bool
RailNetDevice::HasPower() const
{
    return m_isOn;
}

void
RailNetDevice::PresetLight(bool light)
{
    NS_LOG_FUNCTION(this << light);
    m_light = light;
    const bool carrier = light && m_isOn;
    m_lock.Preset(carrier);
    m_events.Preset(carrier);
    m_transmitter.PresetCarrier(carrier);
    if (m_offload != nullptr)
    {
        m_offload->NotifyCarrier(carrier);
    }
}

void
RailNetDevice::ReceiveLight(bool light)
{
    NS_LOG_FUNCTION(this << light);
    m_light = light;
    if (!m_isOn)
    {
        return;
    }
    if (light)
    {
        m_lock.Rise();
        return;
    }
    m_batchMode.LeaveTrain("a port loses its light");
    m_lock.Fall();
}

void
RailNetDevice::SetCarrier(bool carrier)
{
    NS_LOG_INFO(m_address << (carrier ? " has carrier" : " loses its carrier"));
    m_transmitter.SetCarrier(carrier);
    m_carrierTrace(carrier);
    m_events.Change(carrier);
    if (m_notifyStack)
    {
        m_linkChange();
    }
    if (m_offload != nullptr)
    {
        m_offload->NotifyCarrier(carrier);
    }
    if (!carrier && m_noCarrierAction == DROP)
    {
        DropQueued();
    }
}

void
RailNetDevice::DropQueued()
{
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

Time
RailNetDevice::GetCarrierSince() const
{
    return ToTime(m_lock.GetSince());
}

bool
RailNetDevice::IsPortUp() const
{
    return m_events.IsUp();
}

bool
RailNetDevice::HasLinkUpTime() const
{
    return m_lock.GetLinkUpTime() != nullptr;
}

Time
RailNetDevice::GetLastLinkUp() const
{
    return ToTime(m_lock.GetLinkUp());
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
    if (!m_lock.Holds(frame.first, frame.last))
    {
        DropIncoming(frame, FrameDropReason::NO_LOCK);
        return;
    }
    if (m_traces.IsObserved())
    {
        m_traces.frameReceived(frame);
        m_traces.FireReceived(frame, frame.MakePacket(), frame.destination == m_address);
    }
    if (!m_sinks.IsEmpty())
    {
        m_sinks.TakeReceived(frame, NowPicoseconds());
    }
    if (!frame.packet)
    {
        ReceiveForOffload(frame);
    }
    else if (frame.destination == PauseFrameHeader::GetDestination())
    {
        ReceivePause(frame);
    }
    else if (m_host.Deliver(this, m_address, frame, m_traces))
    {
        ++m_counters.forHost;
    }
    else
    {
        DropIncoming(frame, FrameDropReason::WRONG_DESTINATION);
    }
}

void
RailNetDevice::ReceiveForOffload(const WireFrame& frame)
{
    if (frame.destination != m_address)
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
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        if (!pause.Concerns(c))
        {
            continue;
        }
        const Picoseconds span = GetPauseSpan(pause.GetQuanta(c), m_rate.GetBitRate());
        NS_LOG_INFO(m_address << " is paused in class " << c << " for "
                              << ToTime(span).As(Time::NS));
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
    m_host.SetCallback(cb);
}

void
RailNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_host.SetPromiscuousCallback(cb);
}

bool
RailNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3
