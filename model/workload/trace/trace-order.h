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

/** How the nodes of one rank depend on each other. A node is its number in TraceRank::nodes. */
struct TraceOrder
{
    std::vector<std::vector<uint32_t>> after;     //!< what each comes after, once each
    std::vector<std::vector<uint32_t>> begun;     //!< what is to have begun before each
    std::vector<std::vector<uint32_t>> followers; //!< the other way round, of both
    std::vector<bool> marked;                     //!< whether others wait for it to begin
    std::vector<uint32_t>
        sequence; //!< all of them, each after what it waits for; else as in the file
};

/** The orders of all ranks; ranks that do the same share one. */
using TraceOrders = std::vector<std::shared_ptr<const TraceOrder>>;

/**
 * Puts the nodes of a rank in order.
 * @param collection where they are
 * @return the error, if a node waits for one that there is not, or nodes wait for each other
 */
TraceResult MakeTraceOrder(const TraceCollection& collection, uint32_t rank, TraceOrder& order);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_ORDER_H */
