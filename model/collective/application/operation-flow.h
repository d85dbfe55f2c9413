/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_FLOW_H
#define PHOTONIC_RAILS_OPERATION_FLOW_H

#include "early-messages.h"
#include "send-rendezvous.h"

#include "ns3/rank-schedule.h"

#include <cstdint>
#include <memory>

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
    /** The rank's part of the last schedule, which the next operation often shares. */
    std::shared_ptr<const RankSchedule> part;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_FLOW_H */
