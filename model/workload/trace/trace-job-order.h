/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_JOB_ORDER_H
#define PHOTONIC_RAILS_TRACE_JOB_ORDER_H

#include "trace-matching.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An order of all nodes of all ranks in which a job can be executed.
 *
 * Each node follows its dependencies: nodes of its rank, the previous call of its group and kind,
 * for a receive its send, for a collective all other ranks. If programs keep this order on every
 * stream, streams add no deadlock.
 */
class TraceJobOrder
{
  public:
    /**
     * @param collection of all ranks
     * @param orders of their nodes
     * @param matching of their calls
     */
    TraceJobOrder(const TraceCollection& collection,
                  const TraceOrders& orders,
                  TraceMatching& matching);

    /** Finds the order. @return whether an order exists */
    bool Find();

    /** @return the nodes that wait for each other, if no order exists */
    TraceError Describe() const;

    /** @return the nodes of a rank, in order */
    const std::vector<uint32_t>& Get(uint32_t rank) const
    {
        return m_done[rank];
    }

  private:
    /** A node that is ready: its place in the sequence of its rank, the rank, and the node. */
    using Ready = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** Counts the dependencies of each node of a rank. */
    void CountWaits(uint32_t rank);
    /** Removes one dependency of a node. */
    void Settle(uint32_t rank, uint32_t node);
    /** A node has no dependency in its own rank any more. */
    void Come(uint32_t rank, uint32_t node);
    /** Adds a node to the order. */
    void Finish(uint32_t rank, uint32_t node);

    const TraceCollection& m_collection;
    const TraceOrders& m_orders;
    TraceMatching& m_matching;
    std::vector<std::vector<uint32_t>> m_waits;   //!< by rank and node: number of dependencies
    std::vector<std::vector<uint32_t>> m_next;    //!< by rank and node: next of its group and kind
    std::vector<std::vector<uint32_t>> m_placeOf; //!< by rank and node: in the rank's sequence
    std::vector<std::vector<uint32_t>> m_done;    //!< by rank
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_JOB_ORDER_H */
