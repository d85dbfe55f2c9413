/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HEALTH_HEADER_H
#define PHOTONIC_RAILS_HEALTH_HEADER_H

#include "failure-sign.h"

#include "ns3/header.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The content of a datagram between a HealthAgent and the HealthMonitor.
 *
 * Each datagram has the whole state of its sender, so one that is lost is made up for by the next.
 *
 * | Octets | Field |
 * | --- | --- |
 * | 0 to 3 | "HLTH" |
 * | 4 | version, 1 |
 * | 5 | type: 1 heartbeat, 2 order |
 * | 6 to 7 | number of reports, up to MOST_REPORTS |
 * | 8 to 11 | server |
 * | 12 to 15 | of a heartbeat, the attempt that runs there, 0: none; of an order, the least attempt
 * that may run |
 * | 16 to 19 | sequence number, from 1 |
 * | from 20 on | reports of 24 octets each |
 *
 * A report has its sign (1), whether it has a suspect (1), the GPU (2), the suspect's server (4)
 * and GPU (4), 4 octets of zero, and the instant in picoseconds (8). All numbers are in network
 * order.
 */
class HealthHeader : public Header
{
  public:
    /** The type of a datagram. */
    enum class Type : uint8_t
    {
        HEARTBEAT = 1,
        ORDER = 2,
    };

    /** The most reports of a datagram: those that fit an Ethernet frame of 1,500 bytes. */
    static constexpr uint32_t MOST_REPORTS = 60;
    /** The bytes of a datagram without reports. */
    static constexpr uint32_t FIXED_SIZE = 20;
    /** The bytes of a report. */
    static constexpr uint32_t REPORT_SIZE = 24;

    /** @return the type */
    static TypeId GetTypeId();

    // Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /** @return the size, or 0 for octets that are no such datagram */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    Type type{Type::HEARTBEAT};
    uint32_t server{0};
    uint32_t attempt{0};
    uint32_t sequence{0};
    std::vector<FailureReport> reports; //!< all of this server; the first MOST_REPORTS are sent
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HEALTH_HEADER_H */
