/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_EXCHANGE_H
#define PHOTONIC_RAILS_TRACE_EXCHANGE_H

#include "trace-collection.h"

#include <cstdint>

namespace ns3
{

/** A node with its resolved group: an exchange, or computing. */
struct TraceExchange
{
    bool isExchange{false}; //!< whether other ranks take part; else it is computing
    uint32_t group{0};      //!< of a collective: index in the collection
    uint64_t bytes{0};      //!< the buffer
    uint32_t rootPlace{0};  //!< place of the root in the group
};

/**
 * Looks up a node's group and converts its bytes.
 * @param collection of the node
 * @param rank of the node
 * @param [out] exchange the node as an exchange
 * @return the error, if there is one
 */
TraceResult ResolveTraceExchange(const TraceCollection& collection,
                                 uint32_t rank,
                                 const TraceNode& node,
                                 TraceExchange& exchange);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_EXCHANGE_H */
