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
 * @brief A port of an optical circuit switch: a hole for a fiber.
 *
 * It has no queue, no addresses that matter and no network stack, never looks at a frame, and
 * hands on to the switch what comes out of its fiber. It remembers when it was lit and by which
 * circuit, which is what frames are checked against. OpticalCircuitSwitch::AddPort() makes ports.
 */
class OpticalSwitchPort : public FiberPort, public CircuitIngress
{
  public:
    /** Which circuit light at this port takes. */
    struct Path
    {
        PortId peer;       //!< where it comes out
        uint64_t epoch{0}; //!< of the circuit
    };

    /** @return the type */
    static TypeId GetTypeId();

    /** @return the switch that owns the port */
    virtual OpticalCircuitSwitch* GetSwitch() const = 0;

    /** @return the port's number on its switch */
    PortId GetPortId() const;

    /** @return when this port was lit, and by which circuit */
    LightHistory<Path>& GetHistory();

    /** @return when this port was lit, and by which circuit */
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

    /** The light that comes out of the fiber has come or gone: the switch passes it on. */
    virtual void PassLight() = 0;

  private:
    PortId m_id;
    LightHistory<Path> m_history;
    bool m_light{false}; //!< comes out of the fiber
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_SWITCH_PORT_H */
