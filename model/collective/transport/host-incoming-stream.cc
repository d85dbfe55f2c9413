/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-incoming-stream.h"

#include "release-socket.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostIncomingStream");

HostIncomingStream::HostIncomingStream(HostStreamOwner& owner, Ptr<Socket> socket, Time latency)
    : m_owner(owner),
      m_socket(socket),
      m_latency(latency)
{
    NS_LOG_FUNCTION(this);
    m_socket->SetCloseCallbacks(MakeCallback(&HostIncomingStream::Closed, this),
                                MakeCallback(&HostIncomingStream::Broken, this));
    m_socket->SetSendCallback(MakeCallback(&HostIncomingStream::HasRoom, this));
    m_socket->SetRecvCallback(MakeCallback(&HostIncomingStream::Read, this));
}

HostIncomingStream::~HostIncomingStream()
{
    NS_LOG_FUNCTION(this);
    m_receiptEvent.Cancel();
    ReleaseSocket(m_socket);
}

void
HostIncomingStream::Closed(Ptr<Socket>)
{
    End();
}

void
HostIncomingStream::Broken(Ptr<Socket>)
{
    m_broken = true;
    End();
}

void
HostIncomingStream::End()
{
    NS_LOG_FUNCTION(this);
    if (m_ended)
    {
        return;
    }
    m_ended = true;
    m_receiptEvent.Cancel();
    if (!m_broken)
    {
        m_socket->Close();
    }
    m_owner.IncomingEnded(this);
}

void
HostIncomingStream::HasRoom(Ptr<Socket>, uint32_t)
{
    WriteReceipts();
}

void
HostIncomingStream::Read(Ptr<Socket>)
{
    while (!m_ended)
    {
        // a header is read separately, so that a packet has none of the bytes that follow it
        const uint64_t wanted =
            m_bytesLeft > 0 ? m_bytesLeft : HostMessageHeader::SIZE - m_headerRead;
        const uint32_t most = std::min<uint64_t>(wanted, std::numeric_limits<int32_t>::max());
        const Ptr<Packet> packet = m_socket->Recv(most, 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        if (m_bytesLeft > 0)
        {
            m_bytesLeft -= packet->GetSize();
            if (m_bytesLeft == 0)
            {
                TakeMessage();
            }
            continue;
        }
        m_headerRead += packet->CopyData(m_header.data() + m_headerRead, packet->GetSize());
        if (m_headerRead == HostMessageHeader::SIZE)
        {
            m_headerRead = 0;
            TakeHeader();
        }
    }
}

void
HostIncomingStream::TakeHeader()
{
    const std::optional<TransportMessage> message = HostMessageHeader::Decode(m_header);
    NS_ABORT_MSG_UNLESS(message,
                        "HostEndpoint: what came on its port does not begin with the header of a "
                        "message; something else sends there, so give the endpoints another Port");
    m_message = *message;
    m_bytesLeft = message->bytes;
    if (m_bytesLeft == 0)
    {
        TakeMessage();
    }
}

void
HostIncomingStream::TakeMessage()
{
    HostReceipt receipt;
    receipt.number = m_number++;
    receipt.outcome = m_owner.MessageArrived(m_message);
    const Time due = Simulator::Now() + m_latency;
    m_receipts.emplace_back(due, receipt);
    if (m_receipts.size() == 1)
    {
        m_receiptEvent = Simulator::Schedule(m_latency, &HostIncomingStream::WriteReceipts, this);
    }
}

void
HostIncomingStream::WriteReceipts()
{
    if (m_ended)
    {
        return;
    }
    const Time now = Simulator::Now();
    while (!m_receipts.empty() && m_receipts.front().first <= now)
    {
        const HostReceipt::Octets octets = m_receipts.front().second.Encode();
        m_unwritten.insert(m_unwritten.end(), octets.begin(), octets.end());
        m_receipts.pop_front();
    }
    m_receiptEvent.Cancel();
    if (!m_receipts.empty())
    {
        m_receiptEvent = Simulator::Schedule(m_receipts.front().first - now,
                                             &HostIncomingStream::WriteReceipts,
                                             this);
    }
    const uint32_t size = std::min<uint64_t>(m_unwritten.size(), m_socket->GetTxAvailable());
    if (size == 0)
    {
        return; // HasRoom() continues, if there are any
    }
    const int taken = m_socket->Send(Create<Packet>(m_unwritten.data(), size));
    if (taken > 0)
    {
        m_unwritten.erase(m_unwritten.begin(), m_unwritten.begin() + taken);
    }
}

} // namespace ns3
