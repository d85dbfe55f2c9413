/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_ROWS_H
#define PHOTONIC_RAILS_CIRCUIT_ROWS_H

#include "result-source.h"

#include "ns3/identifier.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/rail.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the circuits of the optical switch of a rail, from light to darkness: the table
 * `circuits`.
 */
class CircuitRows : public ResultSource
{
  public:
    /** @param rail with an optical switch */
    CircuitRows(std::shared_ptr<ResultWriter> writer, const Rail& rail);

    /** Records the circuits of a rail; one without an optical switch has none. */
    static Ptr<CircuitRows> Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer);

    void Close() override;

  private:
    /** A circuit that is up. */
    struct Standing
    {
        PortId high;
        Time up{0};
    };

    void CircuitUp(PortId low, PortId high, uint64_t epoch);
    void CircuitDown(PortId low, PortId high, uint64_t epoch);

    RailId m_rail;
    std::map<PortId, Standing> m_standing; //!< by the lower port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_ROWS_H */
