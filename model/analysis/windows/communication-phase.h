/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMMUNICATION_PHASE_H
#define PHOTONIC_RAILS_COMMUNICATION_PHASE_H

#include "finished-operation.h"

#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A communication phase: a maximal run of one parallelism's operations, in the order in
 * which a rank calls its scale-out operations.
 *
 * An operation starts when its slowest rank has called it, and ends when its last rank has
 * completed it: the same instants at all of its ranks. The times between phases are windows
 * (CommunicationWindow).
 */
struct CommunicationPhase
{
    std::optional<RankId> rank; //!< the rank of the phase; none: a phase of the rail
    RailId rail;                //!< rail of the phase
    uint32_t iteration{0};      //!< of its first operation
    Time start{0};              //!< the first start of an operation
    Time end{0};                //!< the last end of an operation
    std::string parallelism{};  //!< of its operations
    uint64_t bytes{0};          //!< sent in it, by the rank or the rail
    uint32_t operations{0};     //!< in it
};

/**
 * Finds the phases of each rank. Other operations than scale-out operations are skipped.
 * @param operations of a job, in any order; starts and ends are exact if all its ranks are included
 * @return the phases by rank, and in their order
 */
std::vector<CommunicationPhase> FindPhases(const std::vector<FinishedOperation>& operations);

/**
 * Finds the phases of each rail, for a control plane that reconfigures a rail as a whole. A rail's
 * operations are those of all its ranks, each counted once, in the order in which they start; at
 * one instant, in the order in which they end, then by parallelism, group and number. Groups that
 * are in different phases at one time alternate in that order.
 * @param operations of a job, in any order
 * @return the phases by rail, and in their order
 */
std::vector<CommunicationPhase> FindRailPhases(const std::vector<FinishedOperation>& operations);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMUNICATION_PHASE_H */
