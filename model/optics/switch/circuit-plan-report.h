/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_PLAN_REPORT_H
#define PHOTONIC_RAILS_CIRCUIT_PLAN_REPORT_H

#include "circuit-map.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The fault of a port of an optical switch. */
enum class PortFault
{
    NONE,       //!< no fault
    STUCK_DARK, //!< it lets no light pass
    SLOW,       //!< it takes longer than the others to settle
};

/** @return its name, in lower case with dashes */
const char* ToString(PortFault fault);

/** The status of a plan that a switch received. */
enum class CircuitPlanStatus
{
    RECONFIGURING, //!< accepted; its ports reconfigure
    QUEUED,        //!< waits for ports that reconfigure for another plan
    DONE,          //!< all its circuits carry light
    FAILED,        //!< carried out, except at ports without light: stuck, or with too high a loss
    REFUSED,       //!< nothing changed
};

/** @return its name, in lower case */
const char* ToString(CircuitPlanStatus status);

/** The report of a switch on a plan. */
struct CircuitPlanReport
{
    uint64_t plan{0}; //!< number of the plan on this switch, from 1
    CircuitPlanStatus status{CircuitPlanStatus::REFUSED};
    CircuitPlanRefusal refusal{CircuitPlanRefusal::NONE}; //!< reason of a refusal
    std::string message;       //!< reason of a refusal or failure, as text
    std::vector<PortId> stuck; //!< the ports without light: stuck dark, or with too high a loss
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_PLAN_REPORT_H */
