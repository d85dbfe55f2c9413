/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_MEASUREMENT_H
#define PHOTONIC_RAILS_COLLECTIVE_MEASUREMENT_H

#include "ns3/application-container.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The measurement of one collective operation, as nccl-tests has it: its time is that from
 * the last call of a rank to the last end. What ranks compute does not count.
 */
class CollectiveMeasurement
{
  public:
    /** @param size of the operation, in bytes */
    explicit CollectiveMeasurement(uint64_t size);
    CollectiveMeasurement(const CollectiveMeasurement&) = delete;
    CollectiveMeasurement& operator=(const CollectiveMeasurement&) = delete;

    /** Measures the operation of these CollectiveApplications; it must outlive the run. */
    void Observe(const ApplicationContainer& applications);

    /** Adds the call of a rank. */
    void TakeStart(const OperationRecord& record);
    /** Adds the end of a rank's operation. */
    void TakeEnd(const OperationRecord& record);

    /** @return bytes of the operation */
    uint64_t GetSize() const;
    /** @return the time from the last call to the last end */
    Time GetTime() const;
    /** @return the same, in seconds */
    double GetSeconds() const;
    /** @return seconds from 0 to the last end */
    double GetSecondsSinceBegin() const;
    /** @return size / time, in GB/s; 0 if it took no time */
    double GetAlgorithmBandwidth() const;
    /** @return messages of the rank that sent most of them */
    uint64_t GetMessages() const;
    /** @return bytes of the rank that sent most of them */
    uint64_t GetBytes() const;
    /** @return the record of the rank whose end was added last */
    const OperationRecord& GetRecord() const;

  private:
    uint64_t m_size;
    Time m_lastCall{0};
    Time m_lastEnd{0};
    OperationRecord m_record;
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_MEASUREMENT_H */
