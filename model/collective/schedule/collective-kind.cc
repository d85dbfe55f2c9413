/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-kind.h"

namespace ns3
{

const std::vector<CollectiveKind>&
GetCollectiveKinds()
{
    static const std::vector<CollectiveKind> kinds{CollectiveKind::ALL_REDUCE,
                                                   CollectiveKind::ALL_GATHER,
                                                   CollectiveKind::REDUCE_SCATTER,
                                                   CollectiveKind::BROADCAST,
                                                   CollectiveKind::REDUCE,
                                                   CollectiveKind::ALL_TO_ALL,
                                                   CollectiveKind::ALL_TO_ALL_V,
                                                   CollectiveKind::SEND_RECV,
                                                   CollectiveKind::BARRIER};
    return kinds;
}

const char*
ToString(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return "all-reduce";
    case CollectiveKind::ALL_GATHER:
        return "all-gather";
    case CollectiveKind::REDUCE_SCATTER:
        return "reduce-scatter";
    case CollectiveKind::BROADCAST:
        return "broadcast";
    case CollectiveKind::REDUCE:
        return "reduce";
    case CollectiveKind::ALL_TO_ALL:
        return "all-to-all";
    case CollectiveKind::ALL_TO_ALL_V:
        return "all-to-all-v";
    case CollectiveKind::SEND_RECV:
        return "send-recv";
    case CollectiveKind::BARRIER:
        return "barrier";
    }
    return "unknown";
}

std::optional<CollectiveKind>
FindCollectiveKind(const std::string& name)
{
    for (const CollectiveKind kind : GetCollectiveKinds())
    {
        if (name == ToString(kind))
        {
            return kind;
        }
    }
    return std::nullopt;
}

} // namespace ns3
