/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_SETTINGS_H
#define PHOTONIC_RAILS_CONTROLLER_SETTINGS_H

#include "ns3/circuit-policy.h"
#include "ns3/identifier.h"
#include "ns3/object-factory.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"
#include "ns3/policy-names.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** Whether parallelisms share a rail. */
enum class CircuitGranularity : uint8_t
{
    GROUP, //!< each group's circuits are reconfigured when its own ports are free
    RAIL,  //!< a phase of another parallelism waits until nothing is in flight on the rail
};

/** What becomes of a phase that some ranks have only asked for in advance. */
enum class SpeculationRule : uint8_t
{
    /** It is granted like any other. A rank that finds that it was wrong releases it unused, but
     * then partners that use it hold their ports until that rank comes to it after all, or until
     * another phase waits for them. */
    GRANT,
    /** Its circuits are set up, and it is granted when all ranks have called it, which costs a
     * round trip; until then whoever needs the ports takes them, so no guess holds anybody up. */
    PREPARE,
};

/** How long a controller waits. */
struct ControllerLimits
{
    Picoseconds votes{30'000'000'000'000}; //!< from the first rank that asks to the last
    Picoseconds ports{60'000'000'000'000}; //!< from complete votes to free ports
    Picoseconds program{
        10'000'000'000'000}; //!< for an agent, retransmissions and reconfiguration included
    Picoseconds traffic{60'000'000'000'000}; //!< from a grant to its release; reported, not cut
};

/** What a controller is given at set-up, beside the cabling. */
struct ControllerSettings
{
    ObjectFactory policy{MakePolicyFactory("on-demand")}; //!< makes a CircuitPolicy
    CircuitGranularity granularity{CircuitGranularity::GROUP};
    SpeculationRule speculation{SpeculationRule::PREPARE};
    std::set<RailId> wholeSwitch; //!< rails whose switch goes dark as a whole with every change
    ControllerLimits limits;
    std::vector<JobDemand> demands; //!< of jobs of which the policy wants to know
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_SETTINGS_H */
