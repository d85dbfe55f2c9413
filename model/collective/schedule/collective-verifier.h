/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_VERIFIER_H
#define PHOTONIC_RAILS_COLLECTIVE_VERIFIER_H

#include "collective-schedule.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Executes a schedule with sets in place of bytes, and proves what its kind promises.
 *
 * What a rank has of a chunk is the set of ranks whose contributions are in it. The schedule is
 * wrong if
 * - the chunks are not the buffer, each byte of it once, or the ranks' shares of it are not equal;
 * - a rank sends what it does not have, or what comes in that round or later, or only afterwards;
 * - a contribution is added twice, one is lost when another takes its place, or a transfer changes
 *   nothing;
 * - wires inside a server are used between servers;
 * - in the end a rank lacks a contribution: all-reduce, for example, leaves every contribution
 *   exactly once at every rank, in every chunk.
 *
 * Because a schedule says what each transfer sends, and not when, this holds for every order in
 * which transfers that do not depend on each other may happen, and since they depend on earlier
 * ones only, it ends.
 *
 * @param schedule any
 * @return what is wrong with it; empty if nothing is
 */
std::string GetMistakeOf(const CollectiveSchedule& schedule);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_VERIFIER_H */
