/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "management-network.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/star-routing.h"

#include <cstdint>
#include <set>

namespace ns3
{

uint32_t
ManagementNetwork::IndexOf(Ptr<Node> node) const
{
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        if (nodes.Get(n) == node)
        {
            return n;
        }
    }
    NS_ABORT_MSG("ManagementNetwork: node "
                 << node->GetId() << " is none of the " << nodes.GetN()
                 << " on it; give it to ManagementNetworkHelper::Install() too");
}

Ipv4Address
ManagementNetwork::GetAddress(Ptr<Node> node) const
{
    return addresses[IndexOf(node)];
}

void
ManagementNetwork::Cut(Ptr<Node> node) const
{
    CutTo(node);
    CutFrom(node);
}

void
ManagementNetwork::CutTo(Ptr<Node> node) const
{
    toNodes[IndexOf(node)]->SetRate(1);
}

void
ManagementNetwork::CutFrom(Ptr<Node> node) const
{
    toRouter[IndexOf(node)]->SetRate(1);
}

void
ManagementNetwork::Restore(Ptr<Node> node) const
{
    const uint32_t n = IndexOf(node);
    toNodes[n]->SetRate(loss);
    toRouter[n]->SetRate(loss);
}

void
ManagementNetwork::SetLoss(Ptr<Node> node, double rate) const
{
    NS_ABORT_MSG_UNLESS(rate >= 0 && rate <= 1,
                        "ManagementNetwork: a loss of " << rate << "; give 0 to 1");
    GetRouting()->SetLoss(IndexOf(node), rate);
}

void
ManagementNetwork::SetExtraDelay(Ptr<Node> node, Time extra) const
{
    NS_ABORT_MSG_IF(extra.IsStrictlyNegative(),
                    "ManagementNetwork: an extra delay of " << extra.GetTimeStep()
                                                            << " ps; give 0 ps or more");
    GetRouting()->SetExtraDelay(IndexOf(node), extra);
}

void
ManagementNetwork::Divide(const std::vector<NodeContainer>& parts) const
{
    std::vector<std::set<uint32_t>> links;
    for (const NodeContainer& part : parts)
    {
        std::set<uint32_t>& its = links.emplace_back();
        for (uint32_t n = 0; n < part.GetN(); ++n)
        {
            its.insert(IndexOf(part.Get(n)));
        }
    }
    GetRouting()->Divide(links);
}

int64_t
ManagementNetwork::AssignStreams(int64_t stream) const
{
    int64_t next = stream;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        next += toNodes[n]->AssignStreams(next);
        next += toRouter[n]->AssignStreams(next);
    }
    return next - stream;
}

} // namespace ns3
