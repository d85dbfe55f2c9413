/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_LIGHT_H
#define PHOTONIC_RAILS_CIRCUIT_LIGHT_H

#include "circuit-plan.h"
#include "optical-switch-port.h"

#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The light inside an optical circuit switch: from port to port, along the circuits that
 * carry light.
 *
 * Light leaves a port if its circuit carries light and light comes into the other port of the
 * circuit. It takes the propagation delay from port to port, which cannot change while a frame or a
 * change of light is in a fiber of the switch, and the delay of the circuit's route through the
 * fabric. Both ports of a circuit carry light together, so their histories agree.
 *
 * Where fibers are swapped, the switch sets a circuit to one port, and the light takes the fiber of
 * another: circuits name the ports that the switch sets, and the ports here are those of fibers.
 */
class CircuitLight
{
  public:
    /** Adds the next port of the switch. */
    void AddPort(Ptr<OpticalSwitchPort> port);

    /** @return the ports of the switch */
    const std::vector<Ptr<OpticalSwitchPort>>& GetPorts() const
    {
        return m_ports;
    }

    /** @return the port with the fiber that a port of a circuit leads to */
    const Ptr<OpticalSwitchPort>& At(PortId port) const;

    /** The simulation begins: changes of light take time from now on. */
    void Begin();

    /** @return whether the circuit of a port carries light, now */
    bool IsLit(PortId port) const;

    /**
     * A circuit carries no light from now on.
     * @return its epoch
     */
    uint64_t Darken(const Circuit& circuit);

    /** Times that light takes by the route of a circuit: from its lower port, and from the other.
     */
    using RouteDelays = std::pair<Picoseconds, Picoseconds>;

    /** A circuit carries light from now on, not before GetClearFrom(). */
    void Light(const Circuit& circuit, uint64_t epoch, const RouteDelays& delays);

    /**
     * @return the earliest instant for light on a circuit that comes out of its ports after the
     * light of their last circuits, which may have had longer routes
     */
    Picoseconds GetClearFrom(const Circuit& circuit, const RouteDelays& delays) const;

    /** Updates the light out of both ports of a circuit to the present state. */
    void UpdateEgresses(const Circuit& circuit);

    /** The light into a port has changed: updates the light out of the other port of its circuit.
     */
    void PassOn(const OpticalSwitchPort& ingress);

    /**
     * Sets the ports whose fibers are swapped. No circuit of them may carry light.
     * @param swaps pairs of ports, in the order in which they are swapped
     */
    void SetSwaps(const std::vector<std::pair<PortId, PortId>>& swaps);

    /** @return whether light leaves the switch at a port */
    bool LeavesAt(const OpticalSwitchPort& egress) const;

    /** Sets the propagation delay. Aborts if a fiber of the switch is not empty. */
    void SetPropagationDelay(Time delay);

    /** @return the time that light takes from port to port */
    Time GetPropagationDelay() const
    {
        return m_propagationDelay;
    }

    /** Leaves trains at all ports. */
    void LeaveTrain(const char* why) const;

    /** Releases the ports. */
    void Dispose();

  private:
    /** Leaves trains before a change at a port that they do not support. */
    void LeaveTrain(const OpticalSwitchPort& port, const char* why) const;
    /** Updates the light out of a port to the present state. */
    void UpdateEgress(const Ptr<OpticalSwitchPort>& port);
    /** Aborts if something is on its way in the fiber of a port. */
    void RequireEmpty(const OpticalSwitchPort& port, Time delay) const;

    /** The light that leaves the switch at a port. */
    struct Egress
    {
        Picoseconds delay{0};     //!< of the route that its last circuit took to it
        Picoseconds clearFrom{0}; //!< the light of a circuit that is dark has left
    };

    std::vector<Ptr<OpticalSwitchPort>> m_ports;
    std::vector<PortId> m_fibers; //!< by port of a circuit: the port of the fiber; empty: the same
    std::vector<Egress> m_egresses; //!< by port of a fiber
    Time m_propagationDelay;
    bool m_begun{false}; //!< the simulation has begun
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_LIGHT_H */
