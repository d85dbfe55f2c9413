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

/** What is the matter with a port of an optical switch. */
enum class PortFault
{
    NONE,       //!< nothing
    STUCK_DARK, //!< it lets no light pass
    SLOW,       //!< it takes longer than the others to settle
};

/** @return its name, in lower case with dashes */
const char* ToString(PortFault fault);

/** Where a plan that a switch was given stands. */
enum class CircuitPlanStatus
{
    RECONFIGURING, //!< accepted; its ports reconfigure
    QUEUED,        //!< waits for ports that reconfigure for another plan
    DONE,          //!< all its circuits carry light
    FAILED,        //!< it was carried out, but for ports that are stuck
    REFUSED,       //!< nothing changed
};

/** @return its name, in lower case */
const char* ToString(CircuitPlanStatus status);

/** What a switch says of a plan. */
struct CircuitPlanReport
{
    uint64_t plan{0}; //!< number of the plan on this switch, from 1
    CircuitPlanStatus status{CircuitPlanStatus::REFUSED};
    CircuitPlanRefusal refusal{CircuitPlanRefusal::NONE}; //!< why, if it was refused
    std::string message;       //!< why, in words, if it was refused or failed
    std::vector<PortId> stuck; //!< the ports that failed it
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_PLAN_REPORT_H */
