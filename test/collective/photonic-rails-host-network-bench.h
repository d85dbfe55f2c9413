/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_NETWORK_BENCH_H
#define PHOTONIC_RAILS_HOST_NETWORK_BENCH_H

#include "../support/photonic-rails-host-bench.h"

#include "ns3/collective-transport.h"
#include "ns3/host-network-helper.h"
#include "ns3/host-transport.h"
#include "ns3/node-container.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** Servers with two GPUs each; rank r is at server r / 2. */
class HostNetworkBench
{
  public:
    /** A report of a transport to its rank. */
    struct Report
    {
        TransportMessage message;
        Picoseconds at;
        uint32_t node; //!< the context of the call
        std::string why;
    };

    explicit HostNetworkBench(uint32_t servers, const HostNetworkHelper& helper = {});

    /** @return a message */
    static TransportMessage Make(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes);

    /** Sends a message, now. */
    void Send(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes, uint16_t channel = 0);

    /** All packets to a server, or all packets from it, are lost from now on, or no longer. */
    void Cut(uint32_t server, bool toServer, bool cut);

    HostBench::Case self;
    NodeContainer hosts;
    NodeContainer gpus;
    HostNetwork network;
    std::vector<Ptr<HostTransport>> transports;
    std::map<uint32_t, std::vector<Report>> arrived; //!< by rank
    std::map<uint32_t, std::vector<Report>> settled; //!< by rank
    std::map<uint32_t, std::vector<Report>> failed;  //!< by rank

  private:
    static Report MakeReport(const TransportMessage& message, const std::string& why);
    void Arrived(uint32_t rank, const TransportMessage& message);
    void Settled(uint32_t rank, const TransportMessage& message);
    void Failed(uint32_t rank, const TransportMessage& message, const std::string& why);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_NETWORK_BENCH_H */
