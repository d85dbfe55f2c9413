/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_POLICY_OUTCOME_H
#define PHOTONIC_RAILS_POLICY_OUTCOME_H

#include "ns3/json-writer.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"
#include "ns3/rail-net-device.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The result of a job of equal collectives with the circuits of a policy: a row of a table.
 */
struct PolicyOutcome
{
    std::string policy;
    std::string report;  //!< on the job's demand, in words
    uint32_t degree{0};  //!< neighbours of a GPU in all rings together
    uint32_t ports{0};   //!< of a GPU
    std::string refusal; //!< empty: the job ran
    double busBytes{0};  //!< bytes that a rank sends at least, in a collective
    Time end{0};         //!< of the job
    Time longest{0};     //!< a collective, without its waits for circuits
    RailNetDevice::Trains trains;

    /** Adds the end of a rank's operation. */
    void TakeEnd(const OperationRecord& record);

    /** @return bytes a second that a rank sends, as nccl-tests has it; 0 if it did not run */
    double GetBusBandwidth() const;

    /** Prints the names of the columns. */
    static void PrintHead(std::ostream& os);
    /** Prints the row. */
    void Print(std::ostream& os) const;
    /** Writes the row as members of an object. */
    void Write(JsonWriter& json) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_POLICY_OUTCOME_H */
