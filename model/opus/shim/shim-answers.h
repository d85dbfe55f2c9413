/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_ANSWERS_H
#define PHOTONIC_RAILS_SHIM_ANSWERS_H

#include "shim-call.h"
#include "shim-groups.h"
#include "shim-history.h"
#include "shim-request.h"
#include "shim-settings.h"
#include "shim-statistics.h"

#include "ns3/circuit-broker.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The answers that are due to ranks: the path of each call's messages.
 *
 * A call gets the circuits of its request; or the network of the hosts, or none, if it is refused;
 * or the path of ShimSettings::whenGivenUp, if no answer of the controller comes. Circuits of an
 * answered call may be withdrawn. The statistics count all answers but withdrawals.
 */
class ShimAnswers
{
  public:
    /**
     * @param settings of the shim
     * @param groups that name the parallelisms
     * @param statistics of all answers; all three must outlive it
     */
    ShimAnswers(const ShimSettings& settings, const ShimGroups& groups, ShimStatistics& statistics);

    /** A request that joins its rank to no other gets an answer without circuits at once. */
    void AddNoCircuits(const CircuitRequest& request);
    /** An ACQUIRE gets its answer at once, in a mode in which the program need not wait. */
    void AddUnneeded(const CircuitRequest& acquire);
    /**
     * A call gets the circuits of a request, which the rank has.
     * @param covered whether the rank used them before
     */
    void Cover(ShimCall& call, ShimRequest& request, bool covered, Picoseconds now);
    /** A request is granted: its calls that wait get the circuits. */
    void Grant(ShimRequest& request, Picoseconds now);
    /**
     * A request is refused: removes its first call and its ACQUIRE, which get no circuits.
     */
    void Refuse(ShimRequest& request, const std::string& reason, Picoseconds now);
    /** Withdraws circuits from answered calls. @param first operation that loses its circuits */
    void Withdraw(ShimRequest& request, uint64_t first, const std::string& reason);
    /**
     * No answer came to calls of a request within giveUpAfter.
     * @param last most recent circuits of its flow; null if none
     * @return the phases of calls that fail
     */
    std::vector<OpusPhase> GiveUp(ShimRequest& request,
                                  const ShimHistory::Circuits* last,
                                  Picoseconds now);

    /** @return the answers since the last call */
    std::vector<ShimAnswer> Take();

  private:
    /** Adds an answer and notes it. @param request with the circuits of the answer; null if none */
    void Add(ShimCall& call,
             const CircuitAnswer& answer,
             ShimRequest* request,
             bool covered,
             Picoseconds now);
    /** A call is refused. */
    void Refuse(ShimCall& call, const std::string& reason, Picoseconds now);
    /** Withdraws circuits from a call, if it is answered with some. */
    void Withdraw(ShimCall& call, const std::string& reason);
    /** @return the answer to a call without an answer of the controller */
    CircuitAnswer MakeDefault(const ShimCall& call, const ShimHistory::Circuits* last) const;

    const ShimSettings& m_settings;
    const ShimGroups& m_groups;
    ShimStatistics& m_statistics;
    std::vector<ShimAnswer> m_answers;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_ANSWERS_H */
