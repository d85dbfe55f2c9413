/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_FLOW_H
#define PHOTONIC_RAILS_OPERATION_FLOW_H

#include "early-messages.h"

#include "ns3/rank-schedule.h"
#include "ns3/send-rendezvous.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace ns3
{

class CollectiveOperation;

/**
 * @ingroup photonic-rails
 * @brief One flow of operations at a rank that takes part in it. One operation of a flow runs at a
 * time.
 */
struct OperationFlow
{
    uint32_t group{0};                 //!< number of the group in the program
    CollectiveOperation* now{nullptr}; //!< the operation that runs; null if none does
    EarlyMessages early;               //!< messages of operations that are not called yet
    SendRendezvous rendezvous;         //!< of sends: receives that have been called
    /** The rank's parts of the last two schedules: operations of a flow often take turns. */
    std::array<std::shared_ptr<const RankSchedule>, 2> parts;

    /** Keeps a part for later operations, and forgets the one that was used longest ago. */
    void Keep(const std::shared_ptr<const RankSchedule>& part)
    {
        if (parts[0] != part)
        {
            parts[1] = std::move(parts[0]);
            parts[0] = part;
        }
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_FLOW_H */
