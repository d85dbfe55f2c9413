/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CHANNEL_BENCH_H
#define PHOTONIC_RAILS_OPUS_CHANNEL_BENCH_H

#include "photonic-rails-host-bench.h"

#include "ns3/management-network-helper.h"
#include "ns3/opus-channel.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** Nodes with a channel each. */
class OpusChannelBench
{
  public:
    static constexpr uint16_t PORT = 4791; //!< of every channel

    /** What a channel told its owner. */
    struct Told
    {
        OpusMessage message;
        OpusPeer peer;
        Picoseconds at;
        std::string why;
    };

    explicit OpusChannelBench(uint32_t count,
                              const ManagementNetworkHelper& helper = {},
                              const OpusChannelSettings& settings = {})
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
            channels[n]->SetReceivedCallback(
                MakeCallback(&OpusChannelBench::Received, this).Bind(n));
            channels[n]->SetAcknowledgedCallback(
                MakeCallback(&OpusChannelBench::Acknowledged, this).Bind(n));
            channels[n]->SetFailedCallback(MakeCallback(&OpusChannelBench::Failed, this).Bind(n));
            channels[n]->SetRefusedCallback(MakeCallback(&OpusChannelBench::Refused, this).Bind(n));
        }
    }

    OpusPeer Peer(uint32_t node) const
    {
        return {network.addresses[node], PORT};
    }

    static OpusMessage Make(uint64_t plan, uint32_t ranks)
    {
        OpusMessage message;
        message.type = OpusMessage::Type::REQUEST;
        message.plan = plan;
        for (uint32_t r = 0; r < ranks; ++r)
        {
            message.ranks.emplace_back(r);
        }
        return message;
    }

    void Send(uint32_t from, uint32_t to, uint64_t plan, uint32_t ranks = 0)
    {
        channels[from]->Send(Make(plan, ranks), Peer(to));
    }

    /** A datagram of any bytes from a node's other socket. */
    void SendOctets(uint32_t from, uint32_t to, const std::vector<uint8_t>& octets)
    {
        Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(from), UdpSocketFactory::GetTypeId());
        socket->SendTo(Create<Packet>(octets.data(), octets.size()),
                       0,
                       InetSocketAddress(network.addresses[to], PORT));
    }

    HostBench::Case self;
    NodeContainer nodes;
    ManagementNetwork network;
    std::vector<std::unique_ptr<OpusChannel>> channels;
    std::vector<std::vector<Told>> received;
    std::vector<std::vector<Told>> acknowledged;
    std::vector<std::vector<Told>> failed;
    std::vector<std::vector<OpusRefusal>> refused;
    uint32_t answers{0};             //!< how many of the messages to node 1 it sends on, at once,
    uint32_t answersTo{0};           //!< to this node
    bool closesWhenReceiving{false}; //!< every channel

  private:
    void Received(uint32_t node, const OpusMessage& message, const OpusPeer& peer)
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

    void Acknowledged(uint32_t node, const OpusMessage& message, const OpusPeer& peer)
    {
        acknowledged[node].push_back({message, peer, NowPicoseconds(), ""});
    }

    void Failed(uint32_t node,
                const OpusMessage& message,
                const OpusPeer& peer,
                const std::string& why)
    {
        failed[node].push_back({message, peer, NowPicoseconds(), why});
    }

    void Refused(uint32_t node, OpusRefusal why, const OpusPeer&)
    {
        refused[node].push_back(why);
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CHANNEL_BENCH_H */
