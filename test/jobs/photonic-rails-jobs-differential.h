/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOBS_DIFFERENTIAL_H
#define PHOTONIC_RAILS_JOBS_DIFFERENTIAL_H

#include "photonic-rails-jobs-outcome.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * Random training jobs in both fidelities, under other schedulers, and with the events of an
 * instant in another order: no observation may differ.
 */

namespace ns3
{

struct DrawnJob;

/**
 * @param one the observations of a run
 * @param other the same of another
 * @param numbered whether numbers of queue pairs count (HasEqualNumbers())
 * @return the first lines that only one of them has, as text; empty if there are none
 */
std::string FirstDifference(std::vector<std::string> one,
                            std::vector<std::string> other,
                            bool numbered);

/**
 * @return whether queue pairs have equal numbers in a way to run a job: ranks that use theirs for
 * the first time at one instant get them in the order of events, and so do operations of a rank
 * whose steps end at one instant, and messages that ranks forward around a ring for others, which
 * operations inside servers end at one instant
 */
bool HasEqualNumbers(const DrawnJob& drawn, const JobMode& mode);

/**
 * The ways to run a job that its seed chooses, beside the first. With a network of the hosts the
 * events of an instant are not shuffled: the TCP of ns-3 acts on them one by one, and a segment
 * that arrives when another leaves is acknowledged before that, or after it.
 * @return these ways
 */
std::vector<JobMode> OtherModes(const DrawnJob& drawn);

/** @return the ways to run a job with rails that do the same simulated once */
std::vector<JobMode> FoldedModes(const DrawnJob& drawn);

/** @return modes in which operations take after earlier ones, with equal results */
std::vector<JobMode> MemoizedModes(const DrawnJob& drawn);

/**
 * @param drawn a job
 * @param lines the observations of the first way to run it
 * @return the differences of other ways to run it, as text
 */
std::string CompareModes(const DrawnJob& drawn, const std::vector<std::string>& lines);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOBS_DIFFERENTIAL_H */
