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
 * @brief One order of all nodes of all ranks in which a job can be done.
 *
 * Each node comes after what it waits for: those of its rank, the call before it of
 * its group and kind, for a receive its send, for a collective all other ranks. If programs keep
 * this order on every stream, no stream can make ranks wait for each other that did not before.
 */
class TraceJobOrder
{
  public:
    /** @param collection of all ranks @param orders of their nodes @param matching of their calls
     */
    TraceJobOrder(const TraceCollection& collection,
                  const TraceOrders& orders,
                  TraceMatching& matching);

    /** Finds the order. @return whether there is one */
    bool Find();

    /** @return which nodes wait for each other, where there is no order */
    TraceError Describe() const;

    /** @return the nodes of a rank, in order */
    const std::vector<uint32_t>& Get(uint32_t rank) const
    {
        return m_done[rank];
    }

  private:
    /** A node that is ready: its place in the sequence of its rank, the rank, and the node. */
    using Ready = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** Counts what each node of a rank waits for. */
    void CountWaits(uint32_t rank);
    /** One thing that a node waits for is done. */
    void Settle(uint32_t rank, uint32_t node);
    /** A node waits for nothing of its own rank any more. */
    void Come(uint32_t rank, uint32_t node);
    /** A node is done. */
    void Finish(uint32_t rank, uint32_t node);

    const TraceCollection& m_collection;
    const TraceOrders& m_orders;
    TraceMatching& m_matching;
    std::vector<std::vector<uint32_t>> m_waits;   //!< by rank and node: for how many
    std::vector<std::vector<uint32_t>> m_next;    //!< by rank and node: next of its group and kind
    std::vector<std::vector<uint32_t>> m_placeOf; //!< by rank and node: in the rank's sequence
    std::vector<std::vector<uint32_t>> m_done;    //!< by rank
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_JOB_ORDER_H */
