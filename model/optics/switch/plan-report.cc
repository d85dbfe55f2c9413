/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-report.h"

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
ToString(PlanStatus status)
{
    switch (status)
    {
    case PlanStatus::TURNING:
        return "turning";
    case PlanStatus::QUEUED:
        return "queued";
    case PlanStatus::DONE:
        return "done";
    case PlanStatus::FAILED:
        return "failed";
    case PlanStatus::REFUSED:
        return "refused";
    }
    return "unknown";
}

} // namespace ns3
