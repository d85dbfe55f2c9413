/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_PLAN_H
#define PHOTONIC_RAILS_CIRCUIT_PLAN_H

#include "ns3/identifier.h"
#include "ns3/optical-circuit.h"

#include <ostream>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A change of circuits that a switch makes as one: it takes some circuits down and sets
 * others up.
 *
 * Circuits that the plan does not name stay. A change of the peer of a port needs both halves:
 * @code
 * CircuitPlan plan;
 * plan.Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2));
 * @endcode
 * A circuit that is named in both halves is taken down and set up again, as another circuit of the
 * same ports.
 */
class CircuitPlan
{
  public:
    /**
     * Sets a circuit up.
     * @return this plan
     */
    CircuitPlan& Connect(PortId a, PortId b)
    {
        m_connects.emplace_back(a, b);
        return *this;
    }

    /**
     * Takes a circuit down.
     * @param b the other end of the circuit of `a`
     * @return this plan
     */
    CircuitPlan& Disconnect(PortId a, PortId b)
    {
        m_disconnects.emplace_back(a, b);
        return *this;
    }

    /** @return the circuits to set up, in the order of the calls */
    const std::vector<Circuit>& GetConnects() const
    {
        return m_connects;
    }

    /** @return the circuits to take down, in the order of the calls */
    const std::vector<Circuit>& GetDisconnects() const
    {
        return m_disconnects;
    }

    /** @return whether the plan changes no circuit */
    bool IsEmpty() const
    {
        return m_connects.empty() && m_disconnects.empty();
    }

    /** @return all ports that the plan names, possibly more than once */
    std::vector<PortId> GetPorts() const
    {
        std::vector<PortId> ports;
        ports.reserve(2 * (m_disconnects.size() + m_connects.size()));
        for (const auto* half : {&m_disconnects, &m_connects})
        {
            for (const Circuit& circuit : *half)
            {
                ports.push_back(circuit.low);
                ports.push_back(circuit.high);
            }
        }
        return ports;
    }

    /** Prints "-0-1 +0-2". */
    friend std::ostream& operator<<(std::ostream& os, const CircuitPlan& plan)
    {
        const char* space = "";
        for (const Circuit& circuit : plan.m_disconnects)
        {
            os << std::exchange(space, " ") << "-" << circuit;
        }
        for (const Circuit& circuit : plan.m_connects)
        {
            os << std::exchange(space, " ") << "+" << circuit;
        }
        return os;
    }

  private:
    std::vector<Circuit> m_connects;
    std::vector<Circuit> m_disconnects;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_PLAN_H */
