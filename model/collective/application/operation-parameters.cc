/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-parameters.h"

namespace ns3
{

namespace
{

/** @return whether the other rank of a send or receive is in the same server */
bool
IsInServer(RankId rank, const RankOperation& call, const CommunicationGroup& group)
{
    const uint32_t perServer = group.GetPerServer();
    return perServer > 1 && call.place / perServer == group.GetPlace(rank) / perServer;
}

} // namespace

bool
IsIntraNodeGroup(const CommunicationGroup& group)
{
    return group.GetPerServer() == group.GetRanks().size();
}

CollectiveParameters
MakeOperationParameters(RankId rank,
                        const RankOperation& call,
                        const CommunicationGroup& group,
                        const CollectiveSettings& settings,
                        bool hasScaleUp)
{
    CollectiveParameters parameters;
    parameters.channels = settings.channels;
    parameters.ports = settings.ports;
    if (call.kind != RankOperation::Kind::COLLECTIVE)
    {
        parameters.kind = CollectiveKind::SEND_RECV;
        if (hasScaleUp && IsInServer(rank, call, group)) // a GPU has one port there
        {
            parameters.perServer = parameters.ranks;
            parameters.channels = 1;
        }
        return parameters;
    }
    parameters.kind = call.collective;
    parameters.ranks = group.GetRanks().size();
    parameters.bidirectional = settings.bidirectional && settings.channels % 2 == 0;
    parameters.root = call.place;
    parameters.straggler = call.straggler;
    parameters.perServer = group.GetPerServer();
    parameters.demand = call.demand;
    if (hasScaleUp && IsIntraNodeGroup(group)) // a GPU has one port there
    {
        parameters.channels = 1;
        parameters.bidirectional = false;
    }
    return parameters;
}

} // namespace ns3
