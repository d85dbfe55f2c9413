/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_PROGRAMS_H
#define PHOTONIC_RAILS_TRACE_PROGRAMS_H

#include "trace-collection.h"

#include "ns3/job-programs.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Makes a job from the nodes of a collection.
 *
 * Nodes of a rank come in any order and may name later ones. Programs keep these properties of a
 * trace:
 * - Every dependency. A node that follows the beginning of another depends on a marker, which takes
 *   no time and precedes that other one on its stream.
 * - Computing of one TraceNode::stream is sequential, in an order in which the whole job can be
 *   executed (by file order, where that leaves a choice). The engine of a trace may have another
 *   order if it executes ready nodes first.
 * - Collectives of a group have a stream of their own, and so have the sends from one rank to
 *   another, and the receives. So independent exchanges overlap, as far as the communication
 *   library allows: operations of a group are sequential.
 *
 * Ranks match calls by order, as NCCL does: the k-th collective of a group in one rank is the k-th
 * in all, in file order where dependencies leave a choice. The k-th send with a tag matches the
 * k-th receive with it. A pair of ranks exchanges messages in a group of two, "0-4"; only if sends
 * and receives with several tags have different orders, each tag has a group, "0-4 tag 7".
 *
 * Collectives of 0 bytes and collectives of a group of one rank take no time, and involve no other
 * rank.
 *
 * Errors: a dependency on a missing node or on itself, an unknown group, a rank beyond those of the
 * job, calls of a group that differ, a send without its receive, ranks that wait for each other.
 * @param collection holds all nodes
 * @param [out] job the programs; unchanged after an error
 * @return the first error, if any
 */
TraceResult MakeTracePrograms(const TraceCollection& collection, JobPrograms& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_PROGRAMS_H */
