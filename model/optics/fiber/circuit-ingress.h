/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_INGRESS_H
#define PHOTONIC_RAILS_CIRCUIT_INGRESS_H

#include "ns3/nstime.h"
#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

class FiberPort;

/**
 * @ingroup photonic-rails
 * @brief The point at which light enters a circuit switch: it leads to one other port of the
 * switch, or to none.
 *
 * Circuits of any number of switches are followed through this interface from NIC port to NIC port.
 */
class CircuitIngress
{
  public:
    virtual ~CircuitIngress() = default;

    /** @return whether a circuit takes light from here to another port, now */
    virtual bool IsLit() const = 0;

    /** @return the instant since which that circuit has been lit; there must be one */
    virtual Picoseconds GetLitSince() const = 0;

    /** @return the port at which that light leaves the switch; there must be a circuit */
    virtual FiberPort* PeekEgress() const = 0;

    /** @return the time that light takes from port to port inside the switch */
    virtual Time GetPropagationDelay() const = 0;

    /** @return whether a trace that fires for every frame of the switch is connected */
    virtual bool IsObserved() const = 0;

    /** Counts frames that came in here and were passed on in trains. */
    virtual void CountRelayed(uint64_t frames) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_INGRESS_H */
