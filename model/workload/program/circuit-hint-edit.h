/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_HINT_EDIT_H
#define PHOTONIC_RAILS_CIRCUIT_HINT_EDIT_H

#include "job-programs.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Adds circuit hints to a job, for a control plane that leaves the schedule to rank programs
 * (the policy co-scheduled): each rank announces its circuits as soon as it may.
 *
 * The operations of a rank that use rails are sorted by the time of their call, when computing
 * alone takes time (JobDryRun). Consecutive ones of a parallelism are a run. The circuits of a run
 * are wanted when all operations of the run before it are over: there stands a PREFETCH for each
 * flow of the run (a group, or the sends to a rank or the receives from it), from its first
 * operation in the run to its last. The circuits of the first run are wanted at the beginning.
 * `due` of a hint is the time from there to the call of the first operation.
 *
 * Hints are on a stream of their own and take no time, and no operation waits for one: the order of
 * calls stays as it is. A hint that comes true later than it was expected costs time, and nothing
 * else.
 * @param job without hints; another one, or one with a deadlock, does not change
 * @param perServer GPUs of a server
 * @return the same with hints
 */
JobPrograms AddCircuitHints(const JobPrograms& job, uint32_t perServer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_HINT_EDIT_H */
