/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_SETTINGS_H
#define PHOTONIC_RAILS_CONTROLLER_SETTINGS_H

#include "ns3/circuit-policy.h"
#include "ns3/identifier.h"
#include "ns3/object-factory.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"
#include "ns3/policy-names.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** How parallelisms share a rail. */
enum class CircuitGranularity : uint8_t
{
    GROUP,   //!< each group's circuits are reconfigured when its own ports are free
    RAIL,    //!< a phase of another parallelism waits until the rail has no traffic
    NETWORK, //!< all rails are reconfigured as one, when none of them has traffic
};

/** How guesses are handled: phases that some ranks have requested in advance only. */
enum class SpeculationRule : uint8_t
{
    /**
     * A guess is granted like any other phase. A rank that finds its guess wrong releases it
     * unused. Partners that use the phase hold their ports until that rank calls it after all, or
     * until another phase waits for these ports.
     */
    GRANT,
    /**
     * The circuits are set up, and the phase is granted when all ranks have called it, which costs
     * a round trip. Until then another phase that needs the ports takes them, so no guess delays
     * another phase.
     */
    PREPARE,
};

/** The time limits of a controller. */
struct ControllerLimits
{
    Picoseconds votes{30'000'000'000'000}; //!< from the first rank's request to the last one's
    Picoseconds ports{60'000'000'000'000}; //!< from complete votes to free ports
    Picoseconds program{
        10'000'000'000'000}; //!< for an agent, retransmissions and reconfiguration included
    Picoseconds traffic{60'000'000'000'000}; //!< from a grant to its release; only reported
};

/** The settings of a controller, beside the cabling. */
struct ControllerSettings
{
    ObjectFactory policy{MakePolicyFactory("on-demand")}; //!< makes a CircuitPolicy
    CircuitGranularity granularity{CircuitGranularity::GROUP};
    Picoseconds gather{0}; //!< with NETWORK: the least wait of the first phase for the others
    SpeculationRule speculation{SpeculationRule::PREPARE};
    bool ringFallback{false};     //!< rails fall back on giant rings when circuits fail
    bool otherRails{false};       //!< traffic of dark ports goes over those left (OtherRails)
    std::set<RailId> wholeSwitch; //!< rails whose switch is dark as a whole with every change
    ControllerLimits limits;
    std::vector<JobDemand> demands; //!< of jobs, for policies that use it
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_SETTINGS_H */
