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
 * @brief Lets ranks be ready to receive from the beginning, in place of from where they call it.
 *
 * A receive is then called at once, behind the one before from the same rank, and what came after
 * it comes after both it and what it came after. That is how traces are meant whose sends never
 * wait for their receiver, such as GOAL and what ASTRA-sim runs. On rails where no circuits are
 * asked for it changes no time: what comes early waits for its receive anyway. With a control plane
 * a pair gets circuits when both ends ask; so ranks that all send first and then receive wait for
 * each other for ever, unless receives are posted. Ranks count as waiting for circuits from then
 * on.
 *
 * @param job as a trace was read
 * @return the same with receives posted
 */
JobPrograms PostReceives(const JobPrograms& job);

/**
 * @ingroup photonic-rails
 * @brief Says by which algorithm collectives are done; traces do not.
 *
 * Without a name each takes what is fastest by arithmetic, in which circuits reconfigure at once:
 * an algorithm of several stages, each with pairs of its own, waits for circuits at each of them. A
 * ring waits once.
 * @param job as a trace was read
 * @param name of an algorithm; kinds of collectives that have none of that name are left alone
 * @param perServer GPUs of a server; groups that are on several rails are left alone
 * @return the same with that algorithm
 */
JobPrograms UseAlgorithm(const JobPrograms& job, const std::string& name, uint32_t perServer);

/**
 * @ingroup photonic-rails
 * @brief Repeats a job, each time an iteration; a job that is run once stays as it is.
 *
 * A pass begins in a rank when its last one is over.
 * @param job without iterations, such as one of a trace
 * @param passes how often, 1 or more
 * @return the job so many times
 */
JobPrograms RepeatJob(const JobPrograms& job, uint32_t passes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_EDITS_H */
