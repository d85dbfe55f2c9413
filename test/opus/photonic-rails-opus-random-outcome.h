/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RANDOM_OUTCOME_H
#define PHOTONIC_RAILS_OPUS_RANDOM_OUTCOME_H

#include <cstdint>
#include <set>
#include <utility>

/**
 * @file
 * The required results of a random job.
 */

namespace ns3
{

class RandomJob;

/** The operations that ranks have reached: by rank and operation of the list. */
struct RandomOutcome
{
    std::set<std::pair<uint32_t, uint32_t>> ended;
    std::set<std::pair<uint32_t, uint32_t>> failed;
};

/**
 * The required results of a job with faults that are there from the beginning: ranks take
 * operations as the list has them, one at a time. An operation is over if all of its ranks come to
 * it and it can have circuits; else those that come to it fail in it, and do nothing more.
 */
RandomOutcome Foretell(const RandomJob& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RANDOM_OUTCOME_H */
