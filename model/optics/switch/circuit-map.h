/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MAP_H
#define PHOTONIC_RAILS_CIRCUIT_MAP_H

#include "circuit-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The reason for which a switch refuses a plan. */
enum class CircuitPlanRefusal
{
    NONE,               //!< accepted
    UNKNOWN_PORT,       //!< it names a port that the switch does not have
    PORT_TO_ITSELF,     //!< it connects a port to itself
    SAME_PORT_TWICE,    //!< it names a port twice on one side
    NO_SUCH_CIRCUIT,    //!< it takes down a circuit that is not there
    PORT_IN_USE,        //!< it sets up a circuit on a port that keeps another circuit
    PORT_RECONFIGURING, //!< one of its ports is reconfiguring, and the switch does not queue plans
    NO_POWER,           //!< the switch has no power
    BLOCKED,            //!< the fabric of the switch has no routes for its circuits
};

/** @return its name, in lower case with dashes */
const char* ToString(CircuitPlanRefusal refusal);

/** The result of a check of a plan. */
struct PlanCheck
{
    CircuitPlanRefusal refusal{CircuitPlanRefusal::NONE};
    std::string message; //!< names the ports, the limit or the circuits in the way, and the remedy

    /** @return whether the plan can be carried out */
    bool IsAccepted() const
    {
        return refusal == CircuitPlanRefusal::NONE;
    }
};

/** The actual change of circuits by a plan. */
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
 * @brief The circuits of a switch: one array by port, plain C++.
 *
 * A port always has at most one circuit. Each circuit has an epoch of its own, greater than those
 * of all circuits before it, so that a second circuit of the same two ports is another circuit. A
 * plan that is refused changes nothing.
 */
class CircuitMap
{
  public:
    /** Adds a port without a circuit. @return its number */
    PortId AddPort();

    /** @return the number of ports */
    uint32_t GetPorts() const;

    /**
     * @param port a port of the map
     * @return the port at the other end of its circuit, if it has one
     */
    std::optional<PortId> GetPeer(PortId port) const;

    /**
     * @param port a port of the map that has a circuit
     * @return the epoch of its circuit
     */
    uint64_t GetEpoch(PortId port) const;

    /** @return all circuits, by their lower port */
    std::vector<Circuit> GetCircuits() const;

    /** @return whether a plan can be carried out */
    PlanCheck Check(const CircuitPlan& plan) const;

    /** @return the change that a plan makes, if Check() accepts it */
    CircuitChange GetChange(const CircuitPlan& plan) const;

    /**
     * Carries out a plan that Check() accepts.
     * @return the actual change
     */
    CircuitChange Apply(const CircuitPlan& plan);

    /** Carries out the change that GetChange() has found. */
    void Apply(const CircuitChange& change);

    /**
     * Replaces a circuit by another one of the same two ports, with a new epoch, after it was dark.
     * @param circuit a circuit of the map
     */
    void Renew(const Circuit& circuit);

    /**
     * Makes the plan that changes this map to one with the given circuits on the given ports.
     * @param ports further ports that are to have no circuit
     * @return the plan; it names only the differences, and takes down conflicting circuits
     */
    CircuitPlan PlanTowards(const std::vector<Circuit>& wanted,
                            const std::vector<PortId>& ports) const;

  private:
    /** The entry of a port in the map. */
    struct Entry
    {
        std::optional<PortId> peer;
        uint64_t epoch{0};
    };

    /** @return whether Check() accepts a plan: most plans are, and need no reason in words */
    bool IsPossible(const CircuitPlan& plan) const;
    /** @return the check on the ports of one half of a plan only */
    PlanCheck CheckHalf(const std::vector<Circuit>& half, const char* verb) const;

    std::vector<Entry> m_entries;
    uint64_t m_epochs{0}; //!< number of epochs so far
    // of IsPossible(), so that it needs no memory of its own for each plan
    mutable std::vector<uint64_t> m_marks; //!< by port, that of the last half that names it
    mutable uint64_t m_lastMark{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MAP_H */
