/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_ORDER_H
#define PHOTONIC_RAILS_TRACE_ORDER_H

#include "trace-collection.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** The dependencies of the nodes of one rank. A node is its index in TraceRank::nodes. */
struct TraceOrder
{
    std::vector<std::vector<uint32_t>> after; //!< by node: nodes that must end before it, once each
    std::vector<std::vector<uint32_t>> begun; //!< by node: nodes that must begin before it
    std::vector<std::vector<uint32_t>> followers; //!< by node: its dependents
    std::vector<bool> marked;       //!< by node: whether others wait for its beginning
    std::vector<uint32_t> sequence; //!< each after its dependencies; else as in the file
};

/** The orders of all ranks; ranks with the same nodes share one. */
using TraceOrders = std::vector<std::shared_ptr<const TraceOrder>>;

/**
 * Puts the nodes of a rank in order.
 * @param collection of the nodes
 * @return the error, if a node waits for a missing one, or nodes wait for each other
 */
TraceResult MakeTraceOrder(const TraceCollection& collection, uint32_t rank, TraceOrder& order);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_ORDER_H */
