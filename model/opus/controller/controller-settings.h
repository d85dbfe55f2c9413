/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_SETTINGS_H
#define PHOTONIC_RAILS_CONTROLLER_SETTINGS_H

#include "ns3/circuit-policy.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

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
    std::string policy{"on-demand"};
    CircuitGranularity granularity{CircuitGranularity::GROUP};
    SpeculationRule speculation{SpeculationRule::PREPARE};
    std::set<RailId> wholeSwitch; //!< rails whose switch goes dark as a whole with every change
    ControllerLimits limits;
    std::vector<JobDemand> demands; //!< of jobs of which the policy wants to know
};

/** What a controller has done so far. */
struct ControllerCounters
{
    uint64_t requests{0};         //!< that it took
    uint64_t grants{0};           //!< of phases
    uint64_t refusals{0};         //!< of phases, or of a server's request or registration
    uint64_t expiredGuesses{0};   //!< phases that were only asked for in advance, and not by all
    uint64_t reconfigurations{0}; //!< phases, and jobs that start, for which circuits changed
    uint64_t programs{0};         //!< plans sent to agents
    uint64_t noOpGrants{0};       //!< for which all circuits stood
    uint64_t conflicts{0};        //!< phases that had to wait for ports
    uint64_t recalls{0};          //!< grants that were called back, wholly or for later operations
    uint64_t notReleased{0};      //!< grants that were in use beyond the limit
    uint64_t alarms{0};           //!< of agents
    uint64_t foreign{0};          //!< requests for ports of other jobs
    uint64_t duplicates{0};       //!< messages that said nothing new
    uint64_t stale{0};            //!< messages of another term
    uint64_t unknown{0};          //!< messages that make no sense here
    uint64_t cacheHits{0};        //!< plans that were remembered
};

/** Something that a controller did or found, for traces and logs. */
struct ControllerNote
{
    /** What. */
    enum class Kind : uint8_t
    {
        VOTES_COMPLETE,
        CONFLICT,     //!< it has to wait, for `words`
        PROGRAM,      //!< `plan` is sent to the agent of `rail`
        PROGRAMMED,   //!< it is done
        FAILED,       //!< it is not, for `words`
        RECONFIGURED, //!< all plans for the phase are done: `dark`, of which `exposed`
        PREPARED,     //!< circuits are up for a guess
        GRANTED,      //!< circuits are up
        RECALLED,     //!< circuits are called back, for `words`
        REFUSED,      //!< for `words`
        FOREIGN,      //!< a job asked for what it does not own, `words`
        NOT_RELEASED, //!< in use beyond the limit, by the ranks in `words`
        OVER,         //!< all ranks have released it
        TAKEOVER,     //!< a new term begins
    };

    Kind kind{Kind::GRANTED};
    Picoseconds when{0};
    OpusPhase phase;
    RailId rail;
    uint64_t plan{0};
    Picoseconds dark{0};    //!< of RECONFIGURED: from the first PROGRAM to the last DONE
    Picoseconds exposed{0}; //!< of that, after all ranks had called the operation; else hidden
    std::string words;

    /** @return of `dark`, what lay before all ranks had called the operation */
    Picoseconds GetHidden() const
    {
        return dark - exposed;
    }
};

/** @return a kind's name in lower case with dashes @param kind it */
const char* ToString(ControllerNote::Kind kind);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_SETTINGS_H */
