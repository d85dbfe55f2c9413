/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CHANNEL_BENCH_H
#define PHOTONIC_RAILS_OPUS_CHANNEL_BENCH_H

#include "../support/photonic-rails-host-bench.h"

#include "ns3/management-network-helper.h"
#include "ns3/node-container.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
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

    /** A report of a channel to its owner. */
    struct Report
    {
        OpusMessage message;
        OpusPeer peer;
        Picoseconds at;
        std::string why;
    };

    /** @param count of nodes @param helper of their network @param settings of all channels */
    explicit OpusChannelBench(uint32_t count,
                              const ManagementNetworkHelper& helper = {},
                              const OpusChannelSettings& settings = {});

    /** @return the channel of a node, for others @param node its number */
    OpusPeer Peer(uint32_t node) const;

    /** @return a message of any length @param plan its number @param ranks that it lists */
    static OpusMessage Make(uint64_t plan, uint32_t ranks);

    /**
     * A node sends such a message, now.
     * @param from sender
     * @param to receiver
     * @param plan number of the message
     * @param ranks that it lists
     */
    void Send(uint32_t from, uint32_t to, uint64_t plan, uint32_t ranks = 0);

    /** A datagram of any bytes from a node's other socket. */
    void SendOctets(uint32_t from, uint32_t to, const std::vector<uint8_t>& octets);

    HostBench::Case self;
    NodeContainer nodes;
    ManagementNetwork network;
    std::vector<std::unique_ptr<OpusChannel>> channels;
    std::vector<std::vector<Report>> received;
    std::vector<std::vector<Report>> acknowledged;
    std::vector<std::vector<Report>> failed;
    std::vector<std::vector<OpusRefusal>> refused;
    uint32_t answers{0};             //!< how many of the messages to node 1 it sends on, at once,
    uint32_t answersTo{0};           //!< to this node
    bool closesWhenReceiving{false}; //!< every channel

  private:
    void Received(uint32_t node, const OpusMessage& message, const OpusPeer& peer);

    void Acknowledged(uint32_t node, const OpusMessage& message, const OpusPeer& peer);

    void Failed(uint32_t node,
                const OpusMessage& message,
                const OpusPeer& peer,
                const std::string& why);

    void Refused(uint32_t node, OpusRefusal why, const OpusPeer&);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CHANNEL_BENCH_H */
