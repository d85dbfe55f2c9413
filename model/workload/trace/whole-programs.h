/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WHOLE_PROGRAMS_H
#define PHOTONIC_RAILS_WHOLE_PROGRAMS_H

#include "trace-collection.h"

#include "ns3/job-programs.h"

namespace ns3
{

/**
 * Makes a job from a collection of whole programs (TraceConsumer::Program()): the operations of
 * each rank as they are, with their streams, groups and algorithms, so that a job that was exported
 * runs as it did before.
 *
 * Nodes come after those that they depend on. The k-th collective of a group in one rank is the
 * k-th in all, and the k-th send to a rank in a group its k-th receive there; tags are not used.
 * @param collection with TraceCollection::AreWhole()
 * @param [out] job the programs; changed after an error too
 * @return the first error, if any: a dependency on a missing or later node, a group of which a rank
 *         is not, calls that differ or have no match
 */
TraceResult MakeWholePrograms(const TraceCollection& collection, JobPrograms& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WHOLE_PROGRAMS_H */
