/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-host-network-bench.h"

#include "ns3/error-model.h"
#include "ns3/identifier.h"
#include "ns3/net-device.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

namespace ns3
{

HostNetworkBench::HostNetworkBench(uint32_t servers, const HostNetworkHelper& helper)
{
    hosts.Create(servers);
    gpus.Create(2 * servers);
    network = helper.Install(hosts);
    for (uint32_t r = 0; r < 2 * servers; ++r)
    {
        transports.push_back(network.Join(RankId(r), r / 2, gpus.Get(r)));
        transports[r]->SetArrivedCallback(MakeCallback(&HostNetworkBench::Arrived, this).Bind(r));
        transports[r]->SetSettledCallback(MakeCallback(&HostNetworkBench::Settled, this).Bind(r));
        transports[r]->SetFailedCallback(MakeCallback(&HostNetworkBench::Failed, this).Bind(r));
    }
}

TransportMessage
HostNetworkBench::Make(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes)
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

void
HostNetworkBench::Send(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes, uint16_t channel)
{
    TransportMessage message = Make(from, to, tag, bytes);
    message.channel = channel;
    transports[from]->Send(message);
}

void
HostNetworkBench::Cut(uint32_t server, bool toServer, bool cut)
{
    Ptr<RateErrorModel> loss = CreateObject<RateErrorModel>();
    loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    loss->SetRate(cut ? 1 : 0);
    (toServer ? network.devices : network.routerDevices)
        .Get(server)
        ->SetAttribute("ReceiveErrorModel", PointerValue(loss));
}

HostNetworkBench::Report
HostNetworkBench::MakeReport(const TransportMessage& message, const std::string& why)
{
    return {message, NowPicoseconds(), Simulator::GetContext(), why};
}

void
HostNetworkBench::Arrived(uint32_t rank, const TransportMessage& message)
{
    arrived[rank].push_back(MakeReport(message, ""));
}

void
HostNetworkBench::Settled(uint32_t rank, const TransportMessage& message)
{
    settled[rank].push_back(MakeReport(message, ""));
}

void
HostNetworkBench::Failed(uint32_t rank, const TransportMessage& message, const std::string& why)
{
    failed[rank].push_back(MakeReport(message, why));
}

} // namespace ns3
