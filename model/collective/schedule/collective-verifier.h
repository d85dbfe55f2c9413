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
 * @brief Executes a schedule with sets in place of bytes, and proves that it has the result of its
 * kind.
 *
 * The state of a chunk at a rank is the set of ranks whose contributions are in it. The schedule is
 * wrong if
 * - the chunks do not cover each byte of the buffer once, or the ranks' shares of it are not equal;
 * - a rank sends a chunk that it does not have, or that arrives in that round or later;
 * - a contribution is added twice, one is lost when another replaces it, or a transfer changes
 *   nothing;
 * - wires inside a server are used between servers;
 * - in the end a rank lacks a contribution: all-reduce, for example, leaves every contribution
 *   exactly once at every rank, in every chunk.
 *
 * A schedule defines the data of each transfer, and not its time. So the proof holds for every
 * order of transfers that do not depend on each other. Transfers depend on earlier ones only, so
 * the schedule ends.
 *
 * @return the mistake in the schedule; empty if there is none
 */
std::string GetMistakeOf(const CollectiveSchedule& schedule);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_VERIFIER_H */
