/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "management-network-helper.h"

#include "star-network-helper.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/node.h"
#include "ns3/opus-header.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/** @return a model that loses a share of the packets that come in at a device */
Ptr<RateErrorModel>
LoseAt(Ptr<NetDevice> device, double loss)
{
    Ptr<RateErrorModel> model = CreateObject<RateErrorModel>();
    model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(loss);
    device->SetAttribute("ReceiveErrorModel", PointerValue(model));
    return model;
}

/** @return nodes, each once, in their order */
NodeContainer
EachOnce(const NodeContainer& nodes)
{
    NodeContainer once;
    std::set<uint32_t> seen;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        if (seen.insert(nodes.Get(n)->GetId()).second)
        {
            once.Add(nodes.Get(n));
        }
    }
    return once;
}

} // namespace

ManagementNetworkHelper::ManagementNetworkHelper()
    : m_rate(1'000'000'000),
      m_latency(MicroSeconds(10)),
      m_network("10.255.0.0"),
      m_mask("255.255.0.0")
{
}

void
ManagementNetworkHelper::SetRate(DataRate rate)
{
    RequireRate(rate, "ManagementNetworkHelper: a rate");
    m_rate = rate;
}

void
ManagementNetworkHelper::SetLatency(Time latency)
{
    NS_ABORT_MSG_IF(latency.GetTimeStep() < 3,
                    "ManagementNetworkHelper: a latency of "
                        << latency.GetTimeStep()
                        << " ps; set it to 3 ps or more, nothing is known at two nodes at once");
    m_latency = latency;
}

void
ManagementNetworkHelper::SetLoss(double loss)
{
    NS_ABORT_MSG_UNLESS(loss >= 0 && loss <= 1,
                        "ManagementNetworkHelper: a loss of "
                            << loss << "; it is a share of the packets, 0 to 1");
    m_loss = loss;
}

void
ManagementNetworkHelper::SetNetwork(Ipv4Address network, Ipv4Mask mask)
{
    m_network = network;
    m_mask = mask;
}

Time
ManagementNetworkHelper::GetRoundTrip(uint64_t there, uint64_t back) const
{
    return m_latency + m_latency + GetTransmissionTime(there) + GetTransmissionTime(back);
}

Time
ManagementNetworkHelper::GetTransmissionTime(uint64_t bytes) const
{
    constexpr uint64_t MOST = UINT32_MAX; // CalculateBytesTxTime takes 32 bits
    return m_rate.CalculateBytesTxTime(std::min(bytes, MOST));
}

ManagementNetwork
ManagementNetworkHelper::Install(const NodeContainer& nodes) const
{
    PointToPointHelper links;
    links.SetDeviceAttribute("DataRate", DataRateValue(m_rate));

    ManagementNetwork network;
    network.loss = m_loss;
    network.nodes = EachOnce(nodes);
    // of each pair of nodes a window of datagrams with their acknowledgements, and as many more for
    // repetitions as ns-3's queue disc would hold: none is installed, since it would queue nothing
    constexpr uint32_t REPETITIONS = 10240;
    const uint32_t packets =
        2 * OpusHeader::WINDOW * std::max(2U, network.nodes.GetN()) + REPETITIONS;
    links.SetQueue("ns3::DropTailQueue",
                   "MaxSize",
                   QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, packets)));
    static_cast<StarNetwork&>(network) = BuildStarNetwork(network.nodes,
                                                          links,
                                                          m_latency,
                                                          m_network,
                                                          m_mask,
                                                          StarQueues::DEVICES_ALONE,
                                                          "ManagementNetworkHelper",
                                                          "nodes");
    for (uint32_t n = 0; n < network.nodes.GetN(); ++n)
    {
        network.toNodes.push_back(LoseAt(network.devices.Get(n), m_loss));
        network.toRouter.push_back(LoseAt(network.routerDevices.Get(n), m_loss));
    }
    return network;
}

int64_t
ManagementNetworkHelper::AssignStreams(const ManagementNetwork& network, int64_t stream)
{
    return network.AssignStreams(stream);
}

} // namespace ns3
