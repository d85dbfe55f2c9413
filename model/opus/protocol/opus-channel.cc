/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-channel.h"

#include "ns3/abort.h"
#include "ns3/drop-received.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusChannel");

namespace
{

/** Aborts if a setting is out of its range. */
void
Check(const OpusChannelSettings& settings)
{
    const Picoseconds after = settings.retransmitAfter.GetTimeStep();
    const Picoseconds most = Picoseconds{3600} * 1'000'000'000'000;
    NS_ABORT_MSG_UNLESS(after > 0 && after <= most,
                        "OpusChannel: a datagram cannot be sent again after "
                            << after << " ps; give more than 0 s and at most 1 h");
    NS_ABORT_MSG_UNLESS(settings.mostAttempts >= 1 && settings.mostAttempts <= 20,
                        "OpusChannel: " << settings.mostAttempts
                                        << " attempts to send a datagram; give 1 to 20, since the "
                                           "time between them doubles");
    NS_ABORT_MSG_UNLESS(settings.datagramBytes >= 128 && settings.datagramBytes <= 65507,
                        "OpusChannel: datagrams of " << settings.datagramBytes
                                                     << " bytes; give 128 to 65507");
}

} // namespace

OpusChannel::~OpusChannel()
{
    Close();
}

void
OpusChannel::SetReceivedCallback(MessageCallback callback)
{
    m_received = callback;
}

void
OpusChannel::SetAcknowledgedCallback(MessageCallback callback)
{
    m_acknowledged = callback;
}

void
OpusChannel::SetFailedCallback(FailedCallback callback)
{
    m_failed = callback;
}

void
OpusChannel::SetRefusedCallback(RefusedCallback callback)
{
    m_refused = callback;
}

void
OpusChannel::Open(Ptr<Node> node, uint16_t port, const OpusChannelSettings& settings)
{
    NS_LOG_FUNCTION(this << node << port);
    RequirePicoseconds("OpusChannel");
    Check(settings);
    NS_ABORT_MSG_IF(m_socket, "OpusChannel: it is open already; close it before");
    m_settings = settings;
    m_instant.SetOver([this]() { InstantOver(); });
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    const int bound = m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    NS_ABORT_MSG_IF(bound != 0,
                    "OpusChannel: UDP port " << port << " of node " << node->GetId()
                                             << " is taken; give each application of a node "
                                                "another");
    m_port = port;
    m_host = node->GetObject<StarHost>();
    Listen();
}

void
OpusChannel::Listen()
{
    m_socket->SetRecvCallback(MakeCallback(&OpusChannel::Readable, this));
    if (m_host)
    {
        m_host->Listen(m_port, [this](Ptr<Packet> packet, Ipv4Address address, uint16_t port) {
            Arrive(packet, {address, port});
        });
    }
}

void
OpusChannel::Ignore(Callback<void, Ptr<Socket>> drop)
{
    m_socket->SetRecvCallback(drop);
    if (m_host)
    {
        m_host->Leave(m_port);
    }
}

void
OpusChannel::Close()
{
    NS_LOG_FUNCTION(this);
    PumpAll(); // what was sent before in this instant
    for (auto& [peer, channel] : m_channels)
    {
        channel.timer->Set(NEVER);
    }
    m_instant.Clear();
    ++m_closed;
    m_channels.clear();
    m_owed.clear();
    if (m_socket)
    {
        Ignore(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->Close();
        m_socket = nullptr;
        m_host = nullptr;
    }
}

void
OpusChannel::Suspend()
{
    NS_LOG_FUNCTION(this);
    PumpAll(); // what was sent before in this instant
    for (auto& [peer, channel] : m_channels)
    {
        channel.timer->Set(NEVER);
        channel.owed = false; // the peer repeats what is not acknowledged
    }
    m_instant.Clear();
    m_owed.clear();
    Ignore(MakeCallback(&DropReceived)); // open, so that no ICMP informs the peers
}

void
OpusChannel::Resume()
{
    NS_LOG_FUNCTION(this);
    Listen();
    for (auto& [peer, channel] : m_channels)
    {
        channel.timer->Set(std::max(channel.outgoing.GetNext(), NowPicoseconds())); // or never
    }
}

bool
OpusChannel::IsOpen() const
{
    return m_socket != nullptr;
}

void
OpusChannel::SetSentCallback(Callback<void> callback)
{
    m_sent = callback;
}

uint64_t
OpusChannel::GetSentBefore() const
{
    return m_sentBy.At(NowPicoseconds() - 1);
}

const OpusChannelCounters&
OpusChannel::GetCounters() const
{
    return m_counters;
}

std::vector<OpusPeer>
OpusChannel::GetBusyPeers() const
{
    std::vector<OpusPeer> busy;
    for (const auto& [peer, channel] : m_channels)
    {
        if (!channel.outgoing.IsEmpty())
        {
            busy.push_back(peer);
        }
    }
    return busy;
}

OpusChannel::Known&
OpusChannel::With(const OpusPeer& peer)
{
    const auto found = m_channels.find(peer);
    if (found != m_channels.end())
    {
        return *found;
    }
    ChannelState channel{
        OpusOutgoing(m_settings.retransmitAfter.GetTimeStep(),
                     m_settings.mostAttempts,
                     m_settings.datagramBytes - OpusHeader::SIZE),
        {},
        false,
        false,
        std::make_unique<DeadlineTimer>(MakeCallback(&OpusChannel::TimerOver, this).Bind(peer))};
    return *m_channels.emplace(peer, std::move(channel)).first;
}

void
OpusChannel::Send(const OpusMessage& message, const OpusPeer& peer)
{
    NS_LOG_FUNCTION(this << ToString(message.GetType()) << peer);
    NS_ABORT_MSG_UNLESS(m_socket,
                        "OpusChannel: a message of type "
                            << ToString(message.GetType()) << " for " << peer
                            << ", but the channel is not open; send while the application runs");
    ++m_counters.sent;
    m_sentBy.Set(NowPicoseconds(), m_counters.sent);
    if (!m_sent.IsNull())
    {
        m_sent();
    }
    if (m_instant.IsRunning())
    {
        Put(message, peer);
        return;
    }
    m_instant.Add(KeyOf(SENT, peer), [this, message, peer]() { Put(message, peer); });
}

void
OpusChannel::Put(const OpusMessage& message, const OpusPeer& peer)
{
    Known& to = With(peer);
    to.second.outgoing.Put(message);
    PumpLater(to);
}

InstantQueue&
OpusChannel::GetInstant()
{
    return m_instant;
}

void
OpusChannel::SetInstantOverCallback(Callback<void> over)
{
    m_over = over;
}

InstantQueue::Key
OpusChannel::KeyOf(Brought what, const OpusPeer& peer)
{
    return {what, peer.address.Get(), peer.port};
}

void
OpusChannel::InstantOver()
{
    if (!m_over.IsNull())
    {
        m_over();
    }
    if (m_socket)
    {
        PumpAll();
        SendAcknowledgements();
    }
}

void
OpusChannel::PumpLater(Known& to)
{
    if (!to.second.isToPump)
    {
        to.second.isToPump = true;
        m_toPump.push_back(&to);
    }
}

void
OpusChannel::PumpAll()
{
    for (Known* to : m_toPump)
    {
        to->second.isToPump = false;
        Pump(to->first, to->second);
    }
    m_toPump.clear();
}

void
OpusChannel::Pump(const OpusPeer& peer, ChannelState& channel)
{
    for (const OpusOutgoing::Datagram& datagram : channel.outgoing.TakeDue(NowPicoseconds()))
    {
        Transmit(peer, channel, datagram);
    }
    channel.timer->Set(channel.outgoing.GetNext());
}

void
OpusChannel::Transmit(const OpusPeer& peer,
                      ChannelState& channel,
                      const OpusOutgoing::Datagram& datagram)
{
    m_counters.retransmitted += datagram.attempts > 1 || datagram.woken ? 1 : 0;
    channel.owed = false; // this datagram carries it
    const std::vector<uint8_t>& octets = datagram.bundle->octets;
    OpusDatagram head;
    head.sequence = datagram.sequence;
    head.behind = channel.outgoing.GetBehind(datagram.sequence);
    head.copy = datagram.copies.size() % OpusDatagram::COPIES;
    head.bundleBytes = octets.size();
    head.offset = datagram.offset;
    head.pieceBytes = datagram.bytes;
    channel.incoming.Acknowledge(head);
    SendDatagram(peer, head, Create<Packet>(octets.data() + datagram.offset, datagram.bytes));
}

void
OpusChannel::SendDatagram(const OpusPeer& peer, const OpusDatagram& head, Ptr<Packet> packet)
{
    ++m_counters.datagrams;
    packet->AddHeader(OpusHeader(head));
    if (!m_host || !m_host->Send(packet, m_port, peer.address, peer.port))
    {
        // without a route to the peer this returns an error, which equals a loss
        m_socket->SendTo(packet, 0, InetSocketAddress(peer.address, peer.port));
    }
}

void
OpusChannel::TimerOver(OpusPeer peer)
{
    m_instant.Add(KeyOf(DUE, peer), [this, peer]() { Expire(peer); });
}

void
OpusChannel::Expire(const OpusPeer& peer)
{
    Known& to = With(peer);
    const std::vector<OpusMessage> failed = to.second.outgoing.GiveUp(NowPicoseconds());
    PumpLater(to);
    for (const OpusMessage& message : failed)
    {
        if (!m_socket)
        {
            return;
        }
        NS_LOG_LOGIC("given up: " << ToString(message.GetType()) << " for " << peer);
        ++m_counters.failed;
        if (!m_failed.IsNull())
        {
            std::ostringstream why;
            why << peer << " did not acknowledge it in " << m_settings.mostAttempts << " attempts";
            m_failed(message, peer, why.str());
        }
    }
}

void
OpusChannel::Readable(Ptr<Socket> socket)
{
    Address from;
    while (true)
    {
        const Ptr<Packet> packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        const InetSocketAddress address = InetSocketAddress::ConvertFrom(from);
        Arrive(packet, {address.GetIpv4(), address.GetPort()});
    }
}

void
OpusChannel::Arrive(Ptr<Packet> packet, const OpusPeer& peer)
{
    m_instant.Add(KeyOf(DATAGRAM, peer), [this, packet, peer]() { Take(packet, peer); });
}

void
OpusChannel::Refuse(OpusRefusal why, const OpusPeer& peer)
{
    NS_LOG_LOGIC("refused, from " << peer << ": " << ToString(why));
    ++m_counters.refused[static_cast<uint8_t>(why)];
    if (!m_refused.IsNull())
    {
        m_refused(why, peer);
    }
}

void
OpusChannel::Take(Ptr<Packet> packet, const OpusPeer& peer)
{
    std::vector<uint8_t> octets(packet->GetSize());
    packet->CopyData(octets.data(), octets.size());
    OpusDatagram head;
    OpusRefusal refusal = OpusHeader::Parse(octets, head);
    const auto known = m_channels.find(peer);
    if (refusal == OpusRefusal::NONE)
    {
        const bool otherController = known == m_channels.end();
        const bool can = otherController ? head.acknowledged == 0 && head.pieceBytes > 0
                                         : known->second.outgoing.CanBe(head);
        refusal = can ? OpusRefusal::NONE : OpusRefusal::CONTRADICTION;
    }
    if (refusal != OpusRefusal::NONE)
    {
        Refuse(refusal, peer);
        return;
    }
    const uint64_t closed = m_closed;
    Known& from = known == m_channels.end() ? With(peer) : *known;
    const std::vector<OpusMessage> whole = from.second.outgoing.TakeHead(head, NowPicoseconds());
    for (const OpusMessage& message : whole)
    {
        if (m_closed != closed)
        {
            return;
        }
        ++m_counters.acknowledged;
        if (!m_acknowledged.IsNull())
        {
            m_acknowledged(message, peer);
        }
    }
    if (head.pieceBytes > 0 && m_closed == closed)
    {
        TakePiece(head, octets.data() + OpusHeader::SIZE, from);
    }
    if (m_closed == closed)
    {
        PumpLater(from);
    }
}

void
OpusChannel::TakePiece(const OpusDatagram& head, const uint8_t* piece, Known& from)
{
    const uint64_t closed = m_closed;
    const OpusPeer peer = from.first;
    const OpusIncoming::Outcome outcome = from.second.incoming.Take(head, piece, head.pieceBytes);
    m_counters.duplicates += outcome.duplicate ? 1 : 0;
    from.second.owed = true;
    m_owed.push_back(&from);
    for (const OpusRefusal why : outcome.refusals)
    {
        Refuse(why, peer);
    }
    for (const OpusMessage& message : outcome.messages)
    {
        if (m_closed != closed)
        {
            return;
        }
        ++m_counters.received;
        if (!m_received.IsNull())
        {
            m_received(message, peer);
        }
    }
}

void
OpusChannel::SendAcknowledgements()
{
    for (Known* to : m_owed)
    {
        ChannelState& channel = to->second;
        if (channel.owed)
        {
            channel.owed = false;
            OpusDatagram head;
            channel.incoming.Acknowledge(head);
            ++m_counters.bare;
            SendDatagram(to->first, head, Create<Packet>());
        }
    }
    m_owed.clear();
}

} // namespace ns3
