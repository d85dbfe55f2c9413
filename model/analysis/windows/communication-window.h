/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMMUNICATION_WINDOW_H
#define PHOTONIC_RAILS_COMMUNICATION_WINDOW_H

#include "communication-phase.h"
#include "finished-operation.h"

#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The time between two communication phases, in which a reconfiguration delays no operation.
 *
 * A *phase* is a maximal run of one parallelism's operations, in the order in which a rank calls
 * its scale-out operations. The window between two phases is
 *
 *     T_window = min(start of the operations of the later phase)
 *                - max(end of the operations of the earlier phase)
 *
 * An operation starts when its slowest rank has called it, and ends when its last rank has
 * completed it: the same instants at all of its ranks. If a phase begins before the one before it
 * has ended, the window is negative, and its length is the overlap. This is the definition of
 * "Photonic Rails in ML Datacenters" (arXiv 2507.08119).
 *
 * A phase may continue from one iteration into the next, and then there is no window between them.
 * A window belongs to the iteration in which the first operation after it was called.
 *
 * @code
 * std::vector<FinishedOperation> operations = ...; // of all ranks, in any order
 * WindowDistribution distribution(FindWindows(operations));
 * @endcode
 */
struct CommunicationWindow
{
    std::optional<RankId> rank; //!< the rank of the window; none: a window of the rail
    RailId rail;                //!< rail of the window
    uint32_t iteration{0};      //!< of the operation after it
    Time start{0};              //!< end of the earlier phase
    Time length{0};             //!< negative: the overlap of the phases
    std::string from{};         //!< parallelism of the earlier phase
    std::string to{};           //!< parallelism of the later phase
    uint64_t nextBytes{0};      //!< sent in the later phase, by the rank or the rail
    uint32_t nextOperations{0}; //!< operations of the later phase
};

/**
 * Finds the windows of each rank. Other operations than scale-out operations are skipped.
 * @param operations of a job, in any order; starts and ends are exact if all its ranks are included
 * @return the windows by rank, and in the order of its phases
 */
std::vector<CommunicationWindow> FindWindows(const std::vector<FinishedOperation>& operations);

/**
 * @param phases of ranks or of rails, each in order
 * @return the windows between phases that follow each other
 */
std::vector<CommunicationWindow> FindWindowsBetween(const std::vector<CommunicationPhase>& phases);

/**
 * Finds the windows of each rail, for a control plane that reconfigures a rail as a whole. A rail's
 * operations are those of all its ranks, each counted once, in the order in which they start; at
 * one instant, in the order in which they end, then by parallelism, group and number. Groups that
 * are in different phases at one time alternate in that order, with negative windows between them.
 * @param operations of a job, in any order
 * @return the windows by rail, and in the order of its phases
 */
std::vector<CommunicationWindow> FindRailWindows(const std::vector<FinishedOperation>& operations);

/**
 * @param windows of any ranks or rails
 * @return the number of windows by iteration; iterations without windows are not included
 */
std::map<uint32_t, std::size_t> CountWindows(const std::vector<CommunicationWindow>& windows);

/** @return the definition of a window as text, to print beside a count of them */
const char* GetWindowRule();

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMUNICATION_WINDOW_H */
