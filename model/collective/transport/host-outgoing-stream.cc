/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-outgoing-stream.h"

#include "release-socket.h"

#include "ns3/abort.h"
#include "ns3/event-delay.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostOutgoingStream");

namespace
{

// The most bytes that the socket gets at once: it cuts segments from this piece, at a cost that
// grows with the rest of the piece.
constexpr uint32_t PIECE = 65536;

} // namespace

HostOutgoingStream::HostOutgoingStream(HostStreamOwner& owner,
                                       Ptr<Socket> socket,
                                       Ipv4Address server,
                                       uint16_t port,
                                       Time timeout)
    : m_owner(owner),
      m_socket(socket),
      m_server(server),
      m_timeout(timeout)
{
    NS_LOG_FUNCTION(this << server << port);
    m_socket->SetConnectCallback(MakeCallback(&HostOutgoingStream::Connected, this),
                                 MakeCallback(&HostOutgoingStream::Refused, this));
    m_socket->SetCloseCallbacks(MakeCallback(&HostOutgoingStream::Closed, this),
                                MakeCallback(&HostOutgoingStream::Broken, this));
    m_socket->SetSendCallback(MakeCallback(&HostOutgoingStream::HasRoom, this));
    m_socket->SetRecvCallback(MakeCallback(&HostOutgoingStream::Read, this));
    const int bound = m_socket->Bind();
    NS_ABORT_MSG_IF(bound != 0,
                    "HostOutgoingStream: a TCP socket to "
                        << server << " got no port of its own: its node has used all 16384");
    if (m_socket->Connect(InetSocketAddress(server, port)) != 0)
    {
        // no route: without a callback, and the caller does not have this stream yet
        m_refusedEvent = Simulator::ScheduleNow(&HostOutgoingStream::Refused, this, m_socket);
    }
}

HostOutgoingStream::~HostOutgoingStream()
{
    NS_LOG_FUNCTION(this);
    m_timeoutEvent.Remove();
    m_refusedEvent.Cancel();
    ReleaseSocket(m_socket);
}

Ipv4Address
HostOutgoingStream::GetServer() const
{
    return m_server;
}

void
HostOutgoingStream::Send(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    const bool first = m_messages.empty();
    m_messages.push_back(message);
    if (first)
    {
        SignOfLife(); // nothing was due before
    }
    Write();
}

std::string
HostOutgoingStream::Describe() const
{
    return !m_connected                     ? "connecting"
           : m_writing == m_messages.size() ? "waiting for a receipt"
                                            : "sending";
}

void
HostOutgoingStream::Connected(Ptr<Socket>)
{
    if (m_ended)
    {
        return;
    }
    m_connected = true;
    SignOfLife();
    Write();
}

void
HostOutgoingStream::Refused(Ptr<Socket>)
{
    m_broken = true;
    End("there is no way to connect: no route, no answer, or no listener");
}

void
HostOutgoingStream::Closed(Ptr<Socket>)
{
    End("the other end closed the connection");
}

void
HostOutgoingStream::Broken(Ptr<Socket>)
{
    m_broken = true;
    End(m_connected
            ? "the connection broke: the other end reset it, or acknowledged nothing within "
              "TCP's retries"
            : "there is no way to connect: no answer, or no listener");
}

void
HostOutgoingStream::HasRoom(Ptr<Socket>, uint32_t)
{
    if (!m_ended)
    {
        SignOfLife();
        Write();
    }
}

uint32_t
HostOutgoingStream::WritePacket(Ptr<Packet> packet)
{
    const int taken = m_socket->Send(packet);
    return taken > 0 ? taken : 0;
}

void
HostOutgoingStream::Write()
{
    while (!m_ended && m_connected && m_writing < m_messages.size())
    {
        const TransportMessage& message = m_messages[m_writing];
        const uint32_t room = std::min(m_socket->GetTxAvailable(), PIECE);
        uint32_t taken = 0;
        if (m_headerWritten < HostMessageHeader::SIZE)
        {
            const HostMessageHeader::Octets header = HostMessageHeader::Encode(message);
            const uint32_t size = std::min(room, HostMessageHeader::SIZE - m_headerWritten);
            taken =
                size == 0 ? 0 : WritePacket(Create<Packet>(header.data() + m_headerWritten, size));
            m_headerWritten += taken;
        }
        else if (m_bytesWritten < message.bytes)
        {
            const uint32_t size = std::min<uint64_t>(room, message.bytes - m_bytesWritten);
            taken = size == 0 ? 0 : WritePacket(Create<Packet>(size));
            m_bytesWritten += taken;
        }
        if (taken == 0)
        {
            return; // HasRoom() continues
        }
        if (m_headerWritten == HostMessageHeader::SIZE && m_bytesWritten == message.bytes)
        {
            ++m_writing;
            m_headerWritten = 0;
            m_bytesWritten = 0;
        }
    }
}

void
HostOutgoingStream::Read(Ptr<Socket>)
{
    while (!m_ended)
    {
        const Ptr<Packet> packet = m_socket->Recv(HostReceipt::SIZE - m_receiptRead, 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        SignOfLife();
        m_receiptRead +=
            packet->CopyData(m_receipt.data() + m_receiptRead, HostReceipt::SIZE - m_receiptRead);
        if (m_receiptRead == HostReceipt::SIZE)
        {
            m_receiptRead = 0;
            TakeReceipt();
        }
    }
}

void
HostOutgoingStream::TakeReceipt()
{
    const std::optional<HostReceipt> receipt = HostReceipt::Decode(m_receipt);
    if (!receipt || receipt->number != m_firstNumber || m_writing == 0)
    {
        End("the other end answers with what is no receipt: something else listens there; give the "
            "endpoints another Port");
        return;
    }
    const TransportMessage message = m_messages.front();
    m_messages.pop_front();
    ++m_firstNumber;
    --m_writing;
    if (m_messages.empty())
    {
        m_timeoutEvent.Remove(); // nothing is due; a cancelled event would prolong the run
    }
    if (receipt->outcome == HostReceipt::ARRIVED)
    {
        m_owner.MessageSettled(message);
    }
    else
    {
        std::ostringstream why;
        why << "the server at " << m_server << " has no rank " << message.to
            << "; join a HostTransport of that rank to its HostEndpoint";
        m_owner.MessageFailed(message, why.str());
    }
}

void
HostOutgoingStream::SignOfLife()
{
    m_lastSign = Simulator::Now();
    if (!m_messages.empty() && !IsEventPending(m_timeoutEvent))
    {
        m_timeoutEvent =
            Simulator::Schedule(DelayOf(m_timeout), &HostOutgoingStream::CheckTimeout, this);
    }
}

void
HostOutgoingStream::CheckTimeout()
{
    const Time silence = Simulator::Now() - m_lastSign;
    if (silence < m_timeout)
    {
        m_timeoutEvent = Simulator::Schedule(DelayOf(m_timeout - silence),
                                             &HostOutgoingStream::CheckTimeout,
                                             this);
        return;
    }
    m_broken = true; // a close has no use: ns-3's TCP repeats a lost FIN without end
    std::ostringstream why;
    why << "no sign of life for " << m_timeout.As(Time::S) << " (attribute Timeout)";
    End(why.str());
}

void
HostOutgoingStream::End(const std::string& why)
{
    NS_LOG_FUNCTION(this << why);
    if (m_ended)
    {
        return;
    }
    m_ended = true;
    m_timeoutEvent.Remove();
    std::deque<TransportMessage> left;
    left.swap(m_messages);
    m_owner.OutgoingEnded(this);
    for (const TransportMessage& message : left)
    {
        std::ostringstream text;
        text << "TCP to the server at " << m_server << ": " << why;
        m_owner.MessageFailed(message, text.str());
    }
    if (!m_broken)
    {
        m_socket->Close();
    }
}

} // namespace ns3
