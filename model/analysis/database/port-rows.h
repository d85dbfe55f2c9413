/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_ROWS_H
#define PHOTONIC_RAILS_PORT_ROWS_H

#include "carrier-record.h"
#include "result-source.h"

#include "ns3/frame-counter.h"
#include "ns3/rail.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes what the NIC ports of a rail have sent and received, and how long they were busy
 * and dark: the table `ports`.
 */
class PortRows : public ResultSource
{
  public:
    /** Returns the counts of a NIC port. */
    using CounterOf = std::function<const FrameCounter&(uint32_t gpu, uint32_t port)>;

    /** Records when the ports of a rail have light, from now on. */
    PortRows(std::shared_ptr<ResultWriter> writer, const Rail& rail);

    /**
     * The run is over: writes a row for each port.
     * @param end of the run
     * @param counterOf the counts of its ports, or of those of the rail that it has followed
     * @param isFollowed whether it has followed another rail
     */
    void Write(Time end, const CounterOf& counterOf, bool isFollowed);

  private:
    Rail m_rail;
    std::vector<Ptr<CarrierRecord>> m_records; //!< by GPU and port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_ROWS_H */
