/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_CONTROL_H
#define PHOTONIC_RAILS_TRACE_CONTROL_H

#include "trace-node.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** Control dependencies that were left out. */
struct TraceLeftOut
{
    uint64_t missing{0};  //!< on nodes that the rank does not have
    uint64_t circular{0}; //!< that would have nodes wait for themselves
};

/**
 * Makes dependencies of a rank's control dependencies.
 *
 * Converters of measured traces write control dependencies on callers that they leave out, and
 * circular ones, because a node depends on its caller and on what it calls. Nodes begin as early as
 * all their dependencies allow; where all that are left wait for each other, the first one in the
 * file whose data dependencies are met begins. Data dependencies are not changed: MakeTraceOrder()
 * returns an error for those that are missing or circular.
 *
 * @param [in,out] nodes of a rank; TraceNode::control is empty afterwards, and TraceNode::after has
 * what is kept of it
 * @param numbers indices of the nodes, by id
 * @return what was left out
 */
TraceLeftOut MergeControl(std::vector<TraceNode>& nodes,
                          const std::unordered_map<uint64_t, uint32_t>& numbers);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_CONTROL_H */
