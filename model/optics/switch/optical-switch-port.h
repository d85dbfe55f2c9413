/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_SWITCH_PORT_H
#define PHOTONIC_RAILS_OPTICAL_SWITCH_PORT_H

#include "circuit-plan.h"

#include "ns3/circuit-ingress.h"
#include "ns3/fiber-port.h"
#include "ns3/light-history.h"

namespace ns3
{

class OpticalCircuitSwitch;

/**
 * @ingroup photonic-rails
 * @brief A port of an optical circuit switch, for one fiber.
 *
 * It has no queue, no meaningful address and no network stack. It does not read frames, and passes
 * everything from its fiber to the switch. It keeps the intervals of light with their circuits, for
 * the path check of frames. OpticalCircuitSwitch::AddPort() makes ports.
 */
class OpticalSwitchPort : public FiberPort, public CircuitIngress
{
  public:
    /** The circuit from this port. */
    struct Path
    {
        PortId peer;          //!< the port at the other end
        uint64_t epoch{0};    //!< of the circuit
        Picoseconds delay{0}; //!< to the peer by the circuit's route through the fabric
    };

    /** @return the type */
    static TypeId GetTypeId();

    /** @return the switch that owns the port */
    virtual OpticalCircuitSwitch* GetSwitch() const = 0;

    /** @return the port's number on its switch */
    PortId GetPortId() const;

    /** @return the intervals in which this port was lit, with their circuits */
    LightHistory<Path>& GetHistory();

    /** @return the intervals in which this port was lit, with their circuits */
    const LightHistory<Path>& GetHistory() const;

    /** @return whether light comes out of this port's fiber */
    bool SeesLight() const;

    // FiberPort
    void ReceiveLight(bool light) override;
    void PresetLight(bool light) override;

    // CircuitIngress
    bool IsLit() const override;
    Picoseconds GetLitSince() const override;

  protected:
    /** @param id the port's number on its switch */
    explicit OpticalSwitchPort(PortId id);

    /** The light from the fiber has changed: the switch passes the change on. */
    virtual void PassLight() = 0;

  private:
    PortId m_id;
    LightHistory<Path> m_history;
    bool m_light{false}; //!< comes out of the fiber
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_SWITCH_PORT_H */
