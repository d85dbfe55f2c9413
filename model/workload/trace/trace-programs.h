/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_PROGRAMS_H
#define PHOTONIC_RAILS_TRACE_PROGRAMS_H

#include "trace-collection.h"

namespace ns3
{

/**
 * Makes rank programs of what was gathered: TraceCollection::MakePrograms().
 * @param collection all nodes
 * @param [out] job what can be run; untouched if there is an error
 * @return the first error, if any
 */
TraceResult MakeTracePrograms(const TraceCollection& collection, TraceJob& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_PROGRAMS_H */
