/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_CIRCUIT_H
#define PHOTONIC_RAILS_OPTICAL_CIRCUIT_H

#include "ns3/identifier.h"

#include <ostream>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A bidirectional light path between two ports of a switch. The lower port comes first.
 */
struct Circuit
{
    PortId low;
    PortId high;

    Circuit() = default;

    Circuit(PortId a, PortId b)
        : low(a < b ? a : b),
          high(a < b ? b : a)
    {
    }

    bool operator==(const Circuit& other) const
    {
        return low == other.low && high == other.high;
    }

    bool operator<(const Circuit& other) const
    {
        return low < other.low || (low == other.low && high < other.high);
    }

    friend std::ostream& operator<<(std::ostream& os, const Circuit& circuit)
    {
        return os << circuit.low << "-" << circuit.high;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_CIRCUIT_H */
