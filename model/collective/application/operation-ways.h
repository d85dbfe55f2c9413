/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_WAYS_H
#define PHOTONIC_RAILS_OPERATION_WAYS_H

#include "operation-circuits.h"

#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/flow-key.h"
#include "ns3/folded-call.h"
#include "ns3/identifier.h"
#include "ns3/memoized-call.h"
#include "ns3/rank-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits that the messages of a rank take in an operation, as those need them who let
 * an operation follow that of another rail (FoldedCall) or an earlier one (MemoizedCall).
 *
 * Only circuits from one rank straight to the other count: with detours, neither is possible.
 */
class OperationWays
{
  public:
    /**
     * @param flow of the operation @param rank whose messages they are
     * @param ranks of the group, by place @param circuits of the operation
     */
    OperationWays(const FlowKey& flow,
                  RankId rank,
                  const std::vector<RankId>& ranks,
                  const OperationCircuits& circuits)
        : m_flow(flow),
          m_rank(rank),
          m_ranks(ranks),
          m_circuits(circuits)
    {
    }

    /**
     * @param part of the rank in the schedule @param place of a stage that is open
     * @return the links of its messages, without what the operation has beside them
     */
    FoldedPath FindOfStage(const RankSchedule& part, uint32_t place) const;

    /**
     * @param part of the rank in the schedule, of one stage, which is open
     * @return the ways of its messages on circuits; those with detours are left out
     */
    MemoizedWays FindAll(const RankSchedule& part) const;

    /**
     * @param part of the rank in the schedule @param inside the server: its transport
     * @return the ways of its messages inside the server, without their count
     */
    MemoizedInside FindInside(const RankSchedule& part, const Transport& inside) const;

  private:
    /** Adds a way, unless it has detours. @param wire channel of the schedule: it takes a link */
    void Add(std::vector<TransportMessage>& ways, TransportMessage way, uint16_t wire) const;

    const FlowKey& m_flow;
    RankId m_rank;
    const std::vector<RankId>& m_ranks;
    const OperationCircuits& m_circuits;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_WAYS_H */
