/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-plan-report.h"

namespace ns3
{

const char*
ToString(PortFault fault)
{
    switch (fault)
    {
    case PortFault::NONE:
        return "none";
    case PortFault::STUCK_DARK:
        return "stuck-dark";
    case PortFault::SLOW:
        return "slow";
    }
    return "unknown";
}

const char*
ToString(CircuitPlanStatus status)
{
    switch (status)
    {
    case CircuitPlanStatus::RECONFIGURING:
        return "reconfiguring";
    case CircuitPlanStatus::QUEUED:
        return "queued";
    case CircuitPlanStatus::DONE:
        return "done";
    case CircuitPlanStatus::FAILED:
        return "failed";
    case CircuitPlanStatus::REFUSED:
        return "refused";
    }
    return "unknown";
}

} // namespace ns3
