/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-times.h"

namespace ns3
{

const char*
ToString(FleetStep step)
{
    switch (step)
    {
    case FleetStep::SPLICE:
        return "splice";
    case FleetStep::DETOUR:
        return "detour";
    case FleetStep::MOVE:
        return "move";
    case FleetStep::SHRINK:
        return "shrink";
    case FleetStep::GROW:
        return "grow";
    }
    return "unknown";
}

} // namespace ns3
