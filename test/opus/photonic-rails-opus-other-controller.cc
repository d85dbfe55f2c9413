/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-other-controller.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

namespace ns3
{

OtherController::OtherController(Ptr<Node> node)
    : m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId()))
{
    m_socket->Bind();
}

OtherController::~OtherController() = default;

void
OtherController::Send(std::vector<uint8_t> octets, OpusPeer to)
{
    m_socket->SendTo(Create<Packet>(octets.data(), octets.size()),
                     0,
                     InetSocketAddress(to.address, to.port));
}

std::vector<uint8_t>
MakeDatagram(const OpusMessage& message, uint64_t sequence)
{
    const std::vector<uint8_t> octets = OpusEncoding::Encode(message);
    OpusDatagram head;
    head.sequence = sequence;
    head.bundleBytes = octets.size();
    head.pieceBytes = octets.size();
    const Ptr<Packet> packet = Create<Packet>(octets.data(), octets.size());
    packet->AddHeader(OpusHeader(head));
    std::vector<uint8_t> all(packet->GetSize());
    packet->CopyData(all.data(), all.size());
    return all;
}

} // namespace ns3
