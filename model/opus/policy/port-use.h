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
 * @brief What ports of switches are in use for at the moment, as far as it matters to who chooses
 * ports for a phase.
 */
class PortUse
{
  public:
    virtual ~PortUse() = default;

    /**
     * @param port any
     * @return whether it is reconfiguring or in doubt: it is not to be touched, and no circuit
     * stands on it
     */
    virtual bool IsReconfiguring(const RailPort& port) const = 0;

    /**
     * @param port any
     * @return whether other phases have traffic in flight on it: its circuit may be shared, and not
     * be changed
     */
    virtual bool IsInFlight(const RailPort& port) const = 0;

    /**
     * @param port any
     * @return whether its circuit was set up for a guess that may still come true: another port is
     * better changed, if there is one
     */
    virtual bool IsPrepared(const RailPort& port) const = 0;

    /** @return the port that a reconfiguring port is about to be joined to, if any @param port any
     */
    virtual std::optional<PortId> FindComing(const RailPort& port) const = 0;

    /** @return why a port may not be changed now; empty if it may @param port any */
    virtual std::string GetWhyNot(const RailPort& port) const = 0;
};

/** Nothing is in use. */
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
