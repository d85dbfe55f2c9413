/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_USE_H
#define PHOTONIC_RAILS_PORT_USE_H

#include "ns3/cabling.h"
#include "ns3/identifier.h"

#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The present use of switch ports, as far as it affects the choice of ports for a phase.
 */
class PortUse
{
  public:
    virtual ~PortUse() = default;

    /**
     * @return whether a port is reconfiguring or uncertain: it must not be changed, and no circuit
     * stands on it
     */
    virtual bool IsReconfiguring(const RailPort& port) const = 0;

    /**
     * @return whether other phases have traffic in flight on a port: its circuit may be shared, and
     * must not be changed
     */
    virtual bool IsInFlight(const RailPort& port) const = 0;

    /**
     * @return whether the circuit of a port was set up for a guess that may still prove right: a
     * change prefers another port, if there is one
     */
    virtual bool IsPrepared(const RailPort& port) const = 0;

    /** @return the port that a reconfiguring port will be joined to, if there is one */
    virtual std::optional<PortId> FindComing(const RailPort& port) const = 0;

    /** @return the reason why a port must not be changed now; empty if it may */
    virtual std::string GetWhyNot(const RailPort& port) const = 0;
};

/** Ports without any use. */
class IdlePorts : public PortUse
{
  public:
    // PortUse
    bool IsReconfiguring(const RailPort&) const override
    {
        return false;
    }

    bool IsInFlight(const RailPort&) const override
    {
        return false;
    }

    bool IsPrepared(const RailPort&) const override
    {
        return false;
    }

    std::optional<PortId> FindComing(const RailPort&) const override
    {
        return std::nullopt;
    }

    std::string GetWhyNot(const RailPort&) const override
    {
        return "";
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_USE_H */
