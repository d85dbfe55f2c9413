/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bus-bandwidth.h"

namespace ns3
{

double
GetBusFactor(CollectiveKind kind, uint32_t ranks)
{
    const double n = ranks;
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * (n - 1) / n;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
        return (n - 1) / n;
    default:
        return 1;
    }
}

} // namespace ns3
