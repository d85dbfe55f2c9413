/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MAP_H
#define PHOTONIC_RAILS_CIRCUIT_MAP_H

#include "circuit-plan.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** Why a plan cannot be carried out. */
enum class CircuitPlanRefusal
{
    NONE,               //!< it can
    UNKNOWN_PORT,       //!< it names a port that the switch does not have
    PORT_TO_ITSELF,     //!< it joins a port to itself
    SAME_PORT_TWICE,    //!< it names a port twice on one side
    NO_SUCH_CIRCUIT,    //!< it takes down a circuit that is not there
    PORT_IN_USE,        //!< it sets up a circuit on a port that would still have another
    PORT_RECONFIGURING, //!< one of its ports is reconfiguring, and the switch does not queue plans
};

/** @return its name, in lower case with dashes */
const char* ToString(CircuitPlanRefusal refusal);

/** Whether a plan can be carried out, and if not, why. */
struct PlanCheck
{
    CircuitPlanRefusal refusal{CircuitPlanRefusal::NONE};
    std::string message; //!< names the ports, the limit or the circuits in the way, the remedy

    /** @return whether the plan can be carried out */
    bool IsAccepted() const
    {
        return refusal == CircuitPlanRefusal::NONE;
    }
};

/** What a plan really changes. */
struct CircuitChange
{
    std::vector<Circuit> removed;
    std::vector<Circuit> added;

    /** @return whether nothing changes */
    bool IsEmpty() const
    {
        return removed.empty() && added.empty();
    }
};

/**
 * @ingroup photonic-rails
 * @brief Which port of a circuit switch is joined to which: one array by port, plain C++.
 *
 * At most one circuit a port, always. Each circuit has an epoch of its own, greater than those of
 * all circuits before it, so that the same two ports joined a second time are another circuit. A
 * plan that is refused changes nothing.
 */
class CircuitMap
{
  public:
    /** Adds a port, joined to none. @return its number */
    PortId AddPort();

    /** @return the number of ports */
    uint32_t GetPorts() const;

    /**
     * @param port a port of the map
     * @return the port it is joined to, if any
     */
    std::optional<PortId> GetPeer(PortId port) const;

    /**
     * @param port a port of the map that is joined to another
     * @return the epoch of its circuit
     */
    uint64_t GetEpoch(PortId port) const;

    /** @return all circuits, by their lower port */
    std::vector<Circuit> GetCircuits() const;

    /** @return whether it can be carried out */
    PlanCheck Check(const CircuitPlan& plan) const;

    /**
     * Carries out a plan that Check() accepts.
     * @return what changed
     */
    CircuitChange Apply(const CircuitPlan& plan);

    /**
     * Makes a circuit that stays another circuit of the same two ports, as after it was dark.
     * @param circuit a circuit of the map
     */
    void Renew(const Circuit& circuit);

    /**
     * The plan that leads from this map to one with the given circuits on the given ports.
     * @param ports further ports that are to have no circuit
     * @return the plan; it names only what differs, and takes down what is in the way
     */
    CircuitPlan PlanTowards(const std::vector<Circuit>& wanted,
                            const std::vector<PortId>& ports) const;

  private:
    /** One port's place in the map. */
    struct Entry
    {
        std::optional<PortId> peer;
        uint64_t epoch{0};
    };

    /** @return the check on the ports of one half of a plan alone */
    PlanCheck CheckHalf(const std::vector<Circuit>& half, const char* verb) const;

    std::vector<Entry> m_entries;
    uint64_t m_epochs{0}; //!< given out so far
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MAP_H */
