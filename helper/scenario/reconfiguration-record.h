/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECONFIGURATION_RECORD_H
#define PHOTONIC_RAILS_RECONFIGURATION_RECORD_H

#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/json-writer.h"
#include "ns3/picoseconds.h"
#include "ns3/rail.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Records when a switch was asked to reconfigure a circuit, when the circuit went down and
 * when it came up.
 *
 * It is for a rail whose plans change one circuit each, one plan after the other.
 */
class ReconfigurationRecord
{
  public:
    ReconfigurationRecord() = default;
    ReconfigurationRecord(const ReconfigurationRecord&) = delete;
    ReconfigurationRecord& operator=(const ReconfigurationRecord&) = delete;

    /** Records from now on; the record must outlive the run. */
    void Observe(const Rail& rail);

    /** Writes the array "reconfigurations". */
    void Write(JsonWriter& json) const;

  private:
    /** Traces of the switch. */
    void TakePlan(uint64_t plan, const CircuitPlan& what);
    void TakeCircuitDown(PortId low, PortId high, uint64_t epoch);
    void TakeCircuitUp(PortId low, PortId high, uint64_t epoch);

    std::vector<Picoseconds> m_requested;
    std::vector<Picoseconds> m_down;
    std::vector<Picoseconds> m_up;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECONFIGURATION_RECORD_H */
