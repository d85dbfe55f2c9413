/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_DUMP_H
#define PHOTONIC_RAILS_TRAINS_DUMP_H

#include <ostream>

namespace ns3
{

struct TrainsOutcome;
struct TrainsScenario;

/**
 * Writes a scenario of two GPUs and its results as JSON, for an oracle that is not written in terms
 * of this module.
 * @param os where to
 * @param scenario two GPUs with a port each, joined
 * @param outcome of it, with rows
 */
void DumpTrains(std::ostream& os, const TrainsScenario& scenario, const TrainsOutcome& outcome);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_DUMP_H */
