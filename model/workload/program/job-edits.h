/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_EDITS_H
#define PHOTONIC_RAILS_JOB_EDITS_H

#include "job-programs.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Posts the receives of all ranks at the beginning, in place of their positions in the
 * program.
 *
 * A receive is then called at once, after the previous one from the same rank. Operations after the
 * receive depend on it and on its former dependencies. This is the meaning of traces whose sends
 * never wait for their receiver, such as GOAL and those of ASTRA-sim. On rails without circuit
 * requests it changes no time, since an early message waits for its receive in any case. With a
 * control plane a pair gets circuits when both ends send requests; so ranks that all send first and
 * then receive are in deadlock, unless receives are posted. The wait of a rank for circuits counts
 * from the posting on.
 *
 * @param job of a trace
 * @return the same with receives posted
 */
JobPrograms PostReceives(const JobPrograms& job);

/**
 * @ingroup photonic-rails
 * @brief Sets the algorithm of collectives, which traces do not have.
 *
 * By default each collective takes the fastest algorithm by an estimate in which a reconfiguration
 * takes no time. But an algorithm of several stages, each with pairs of its own, waits for circuits
 * at each of them. A ring waits once.
 * @param job of a trace
 * @param name of an algorithm; kinds of collectives without such an algorithm do not change
 * @param perServer GPUs of a server; groups on several rails do not change
 * @return the same with that algorithm
 */
JobPrograms UseAlgorithm(const JobPrograms& job, const std::string& name, uint32_t perServer);

/**
 * @ingroup photonic-rails
 * @brief Repeats a job; each pass is an iteration. A single pass does not change the job.
 *
 * A rank begins a pass when its previous one has ended.
 * @param job without iterations, such as one of a trace
 * @param passes number of passes, 1 or more
 * @return the repeated job
 */
JobPrograms RepeatJob(const JobPrograms& job, uint32_t passes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_EDITS_H */
