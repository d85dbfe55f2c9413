/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_NETWORK_BENCH_H
#define PHOTONIC_RAILS_HOST_NETWORK_BENCH_H

#include "photonic-rails-host-bench.h"

#include "ns3/error-model.h"
#include "ns3/host-network-helper.h"
#include "ns3/pointer.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** Servers with two GPUs each; rank r is at server r / 2. */
class HostNetworkBench
{
  public:
    /** What a transport told its rank. */
    struct Told
    {
        TransportMessage message;
        Picoseconds at;
        uint32_t node; //!< in whose context
        std::string why;
    };

    explicit HostNetworkBench(uint32_t servers, const HostNetworkHelper& helper = {})
    {
        hosts.Create(servers);
        gpus.Create(2 * servers);
        network = helper.Install(hosts);
        for (uint32_t r = 0; r < 2 * servers; ++r)
        {
            transports.push_back(network.Join(RankId(r), r / 2, gpus.Get(r)));
            transports[r]->SetArrivedCallback(
                MakeCallback(&HostNetworkBench::Arrived, this).Bind(r));
            transports[r]->SetSettledCallback(
                MakeCallback(&HostNetworkBench::Settled, this).Bind(r));
            transports[r]->SetFailedCallback(MakeCallback(&HostNetworkBench::Failed, this).Bind(r));
        }
    }

    /** @return a message */
    static TransportMessage Make(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes)
    {
        TransportMessage message;
        message.from = RankId(from);
        message.to = RankId(to);
        message.group = GroupId(4'000'000'000);
        message.link = {1, 2};
        message.tag = tag;
        message.bytes = bytes;
        return message;
    }

    /** Sends a message, now. */
    void Send(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes, uint16_t channel = 0)
    {
        TransportMessage message = Make(from, to, tag, bytes);
        message.channel = channel;
        transports[from]->Send(message);
    }

    /** All that reaches a server, or all that leaves it, is lost from now on, or no longer. */
    void Cut(uint32_t server, bool toServer, bool cut)
    {
        Ptr<RateErrorModel> loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(cut ? 1 : 0);
        (toServer ? network.devices : network.routerDevices)
            .Get(server)
            ->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    }

    HostBench::Case self;
    NodeContainer hosts;
    NodeContainer gpus;
    HostNetwork network;
    std::vector<Ptr<HostTransport>> transports;
    std::map<uint32_t, std::vector<Told>> arrived; //!< by rank
    std::map<uint32_t, std::vector<Told>> settled; //!< by rank
    std::map<uint32_t, std::vector<Told>> failed;  //!< by rank

  private:
    static Told Tell(const TransportMessage& message, const std::string& why)
    {
        return {message, NowPicoseconds(), Simulator::GetContext(), why};
    }

    void Arrived(uint32_t rank, const TransportMessage& message)
    {
        arrived[rank].push_back(Tell(message, ""));
    }

    void Settled(uint32_t rank, const TransportMessage& message)
    {
        settled[rank].push_back(Tell(message, ""));
    }

    void Failed(uint32_t rank, const TransportMessage& message, const std::string& why)
    {
        failed[rank].push_back(Tell(message, why));
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_NETWORK_BENCH_H */
