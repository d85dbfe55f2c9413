/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-channel-bench.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-contents.h"
#include "ns3/packet.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

namespace ns3
{

OpusChannelBench::OpusChannelBench(uint32_t count,
                                   const ManagementNetworkHelper& helper,
                                   const OpusChannelSettings& settings)
    : received(count),
      acknowledged(count),
      failed(count),
      refused(count)
{
    nodes.Create(count);
    network = helper.Install(nodes);
    network.AssignStreams(1);
    network.router->Initialize(); // so that tests may send before the simulation runs
    for (uint32_t n = 0; n < count; ++n)
    {
        nodes.Get(n)->Initialize();
        channels.push_back(std::make_unique<OpusChannel>());
        channels[n]->Open(nodes.Get(n), PORT, settings);
        channels[n]->SetReceivedCallback(MakeCallback(&OpusChannelBench::Received, this).Bind(n));
        channels[n]->SetAcknowledgedCallback(
            MakeCallback(&OpusChannelBench::Acknowledged, this).Bind(n));
        channels[n]->SetFailedCallback(MakeCallback(&OpusChannelBench::Failed, this).Bind(n));
        channels[n]->SetRefusedCallback(MakeCallback(&OpusChannelBench::Refused, this).Bind(n));
    }
}

OpusPeer
OpusChannelBench::Peer(uint32_t node) const
{
    return {network.addresses[node], PORT};
}

OpusMessage
OpusChannelBench::Make(uint64_t plan, uint32_t ranks)
{
    OpusRequest request;
    request.number = plan;
    for (uint32_t r = 0; r < ranks; ++r)
    {
        request.ranks.emplace_back(r);
    }
    return {0, ServerId(), RailId(), request};
}

void
OpusChannelBench::Send(uint32_t from, uint32_t to, uint64_t plan, uint32_t ranks)
{
    channels[from]->Send(Make(plan, ranks), Peer(to));
}

void
OpusChannelBench::SendOctets(uint32_t from, uint32_t to, const std::vector<uint8_t>& octets)
{
    Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(from), UdpSocketFactory::GetTypeId());
    socket->SendTo(Create<Packet>(octets.data(), octets.size()),
                   0,
                   InetSocketAddress(network.addresses[to], PORT));
}

void
OpusChannelBench::Received(uint32_t node, const OpusMessage& message, const OpusPeer& peer)
{
    received[node].push_back({message, peer, NowPicoseconds(), ""});
    if (node == 1 && answers > 0)
    {
        --answers;
        channels[1]->Send(message, Peer(answersTo));
    }
    if (closesWhenReceiving)
    {
        channels[node]->Close();
    }
}

void
OpusChannelBench::Acknowledged(uint32_t node, const OpusMessage& message, const OpusPeer& peer)
{
    acknowledged[node].push_back({message, peer, NowPicoseconds(), ""});
}

void
OpusChannelBench::Failed(uint32_t node,
                         const OpusMessage& message,
                         const OpusPeer& peer,
                         const std::string& why)
{
    failed[node].push_back({message, peer, NowPicoseconds(), why});
}

void
OpusChannelBench::Refused(uint32_t node, OpusRefusal why, const OpusPeer&)
{
    refused[node].push_back(why);
}

} // namespace ns3
