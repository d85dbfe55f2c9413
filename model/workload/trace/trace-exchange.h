/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_EXCHANGE_H
#define PHOTONIC_RAILS_TRACE_EXCHANGE_H

#include "trace-collection.h"

#include <cstdint>

namespace ns3
{

/** A node once its group is known: the exchange that it is, if any. */
struct TraceExchange
{
    bool isExchange{false}; //!< whether others take part; else it is computing
    uint32_t group{0};      //!< of a collective: one of the collection's
    uint64_t bytes{0};      //!< the buffer
    uint32_t rootPlace{0};  //!< the place of the root
};

/**
 * Looks up a node's group and converts its bytes.
 * @param collection where it is
 * @param rank whose it is
 * @param [out] exchange the node as an exchange
 * @return what is wrong, if anything
 */
TraceResult ResolveTraceExchange(const TraceCollection& collection,
                                 uint32_t rank,
                                 const TraceNode& node,
                                 TraceExchange& exchange);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_EXCHANGE_H */
