/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_SWITCH_PORT_H
#define PHOTONIC_RAILS_ELECTRICAL_SWITCH_PORT_H

#include "ns3/data-rate.h"
#include "ns3/fiber-port.h"
#include "ns3/identifier.h"

namespace ns3
{

class ElectricalRailSwitch;

/**
 * @ingroup photonic-rails
 * @brief A port of a packet switch: a transceiver with a fiber.
 *
 * It always sends light, so the other end has carrier. It has a rate, passes incoming frames to the
 * switch, and has no network stack. The switch holds queues and pauses.
 * ElectricalRailSwitch::AddPort() makes ports.
 */
class ElectricalSwitchPort : public FiberPort
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    ~ElectricalSwitchPort() override;

    /** @return the switch that owns the port */
    virtual Ptr<ElectricalRailSwitch> GetSwitch() const = 0;

    /** @return the port's number on its switch */
    PortId GetPortId() const;

    /** @return the rate of the port, preambles and gaps included */
    DataRate GetDataRate() const;

    // FiberPort
    void ReceiveLight(bool light) override;
    void PresetLight(bool light) override;
    bool EmitsLight() const override;
    bool IsPrompt() const override;

  protected:
    /** @param id the port's number on its switch */
    explicit ElectricalSwitchPort(PortId id);

    /** The rate of the port has changed: the switch sends at the new rate. */
    virtual void ApplyRate(DataRate rate) = 0;

  private:
    /** Sets the rate. */
    void SetDataRate(DataRate rate);

    PortId m_id;
    DataRate m_rate;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ELECTRICAL_SWITCH_PORT_H */
