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
 * @brief Makes a job that can be run of the nodes that a collection holds.
 *
 * Nodes of a rank come in any order and may name later ones. Programs keep what a trace asks for:
 * - Every dependency. A node that comes after the beginning of another is put behind a marker,
 *   which takes no time and stands before that other one on its stream.
 * - Computing of one TraceNode::stream goes one after another, in the order in which the job as a
 *   whole can do it (by file order, where that leaves a choice). A trace's engine that takes
 *   whatever is ready first may order it otherwise.
 * - Collectives of a group have a stream of their own, and so have the sends from one rank to
 *   another, and the receives. So what does not depend on each other can go on at once, as far as
 *   the communication library allows: operations of a group go one after another.
 *
 * Ranks match calls by order, as NCCL does: the k-th collective of a group in one rank is the k-th
 * in all, in file order where dependencies leave a choice. The k-th send with a tag matches the
 * k-th receive with it. A pair of ranks exchanges messages in a group of two, "0-4"; only where
 * sends and receives with several tags come in different order has each tag a group, "0-4 tag 7".
 *
 * Collectives of nothing and collectives of a group of one take no time, and call no other rank.
 *
 * Refused with words: a dependency on a node that is missing or on itself, an unknown group, a rank
 * beyond those of the job, calls of a group that differ, a send without its receive, ranks that
 * wait for each other.
 * @param collection all nodes
 * @param [out] job the programs; untouched if there is an error
 * @return the first error, if any
 */
TraceResult MakeTracePrograms(const TraceCollection& collection, JobPrograms& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_PROGRAMS_H */
