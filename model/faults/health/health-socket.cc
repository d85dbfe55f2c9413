/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "health-socket.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/udp-socket-factory.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HealthSocket");

HealthSocket::~HealthSocket()
{
    Close();
}

void
HealthSocket::Open(Ptr<Node> node,
                   HealthHeader::Type type,
                   std::function<void(const HealthHeader&)> taken)
{
    NS_LOG_FUNCTION(this << node);
    m_type = type;
    m_taken = std::move(taken);
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    const int bound = m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    NS_ABORT_MSG_IF(bound != 0,
                    "HealthSocket: UDP port "
                        << PORT << " of node " << node->GetId()
                        << " is taken; give each agent and each monitor a node of its own");
    m_socket->SetRecvCallback(MakeCallback(&HealthSocket::Receive, this));
}

void
HealthSocket::Send(const HealthHeader& header, Ipv4Address to)
{
    const Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    m_socket->SendTo(packet, 0, InetSocketAddress(to, PORT));
}

void
HealthSocket::Close()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->Close();
        m_socket = nullptr;
    }
}

void
HealthSocket::Receive(Ptr<Socket> socket)
{
    while (const Ptr<Packet> packet = socket->Recv())
    {
        HealthHeader header;
        if (packet->RemoveHeader(header) == 0 || header.type != m_type)
        {
            NS_LOG_WARN("a datagram is dropped: it is no health datagram of the expected type");
            continue;
        }
        m_taken(header);
    }
}

} // namespace ns3
