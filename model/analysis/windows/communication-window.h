/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMMUNICATION_WINDOW_H
#define PHOTONIC_RAILS_COMMUNICATION_WINDOW_H

#include "finished-operation.h"

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The time between two communication phases, in which circuits can be reconfigured
 * unnoticed.
 *
 * A *phase* is a maximal run of one parallelism's operations, in the order in which a rank calls
 * its scale-out operations. The window between two phases is
 *
 *     T_window = min(start of the operations of the later phase)
 *                - max(end of the operations of the earlier phase)
 *
 * An operation starts when its slowest rank has called it, and ends when its last rank is through
 * with it: the same instants at all of its ranks. If a phase begins before the one before it has
 * ended, the window is negative, and says by how much they overlap. This is the definition of
 * "Photonic Rails in ML Datacenters" (arXiv 2507.08119).
 *
 * A phase may go on from one iteration into the next, and then there is no window between them. A
 * window belongs to the iteration in which the first operation after it was called.
 *
 * @code
 * std::vector<FinishedOperation> operations = ...; // of all ranks, in any order
 * WindowDistribution distribution(FindWindows(operations));
 * @endcode
 */
struct CommunicationWindow
{
    std::optional<RankId> rank; //!< whose it is; none: a rail's
    RailId rail;                //!< on which
    uint32_t iteration{0};      //!< of the operation after it
    Picoseconds start{0};       //!< the earlier phase ended
    Picoseconds length{0};      //!< negative: the phases overlap by so much
    std::string from{};         //!< parallelism of the earlier phase
    std::string to{};           //!< dimension of the later one
    uint64_t nextBytes{0}; //!< of the later phase: what the rank, or all of the rail, send in it
    uint32_t nextOperations{0}; //!< of the later phase
};

/**
 * Finds the windows of each rank. Operations that are not scale-out are left out.
 * @param operations of a job, in any order; the more of its ranks are among them, the better it is
 * known when an operation started and ended
 * @return by rank; of each in the order of its phases
 */
std::vector<CommunicationWindow> FindWindows(const std::vector<FinishedOperation>& operations);

/**
 * Finds the windows of each rail: what a control plane has that turns a rail as a whole. A rail's
 * operations are those of all its ranks, each counted once, in the order in which they start; at
 * one instant, in the order in which they end, then by dimension, group and number. Groups that are
 * in different phases at one time take turns in that order, with negative windows between them.
 * @param operations of a job, in any order
 * @return by rail; of each in the order of its phases
 */
std::vector<CommunicationWindow> FindRailWindows(const std::vector<FinishedOperation>& operations);

/**
 * @param windows of whatever ranks or rails
 * @return by iteration, how many there are; an iteration without windows is not in it
 */
std::map<uint32_t, std::size_t> CountWindows(const std::vector<CommunicationWindow>& windows);

/** @return the rule by which windows are found, in words, to print beside a count of them */
const char* GetWindowRule();

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMUNICATION_WINDOW_H */
