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
 * @brief The answers that ranks are still to get: where the messages of each call go.
 *
 * A call gets the circuits of its request; or the network of the hosts, or none, if it is refused;
 * or what ShimSettings::whenGivenUp says, if no answer of the controller comes. Circuits that a
 * call has got may be withdrawn. All but the withdrawal is an answer that the statistics count.
 */
class ShimAnswers
{
  public:
    /**
     * @param settings of the shim
     * @param groups by which parallelisms are named
     * @param statistics of all answers; all three must outlive it
     */
    ShimAnswers(const ShimSettings& settings, const ShimGroups& groups, ShimStatistics& statistics);

    /** A request that joins its rank to no other gets no circuits at once. */
    void AddNoCircuits(const CircuitRequest& request);
    /** An ACQUIRE gets its answer at once, in a mode in which the program need not wait. */
    void AddUnneeded(const CircuitRequest& acquire);
    /** A call gets the circuits of a request, which the rank had. @param covered whether it used
     * them before */
    void Cover(ShimCall& call, ShimRequest& request, bool covered, Picoseconds now);
    /** A request is granted: its calls that wait get the circuits. */
    void Grant(ShimRequest& request, Picoseconds now);
    /** A request is refused: its first call and its ACQUIRE, which it has no more, get no circuits.
     */
    void Refuse(ShimRequest& request, const std::string& reason, Picoseconds now);
    /** Calls of a request lose the circuits that they have got. @param first operation that does */
    void Withdraw(ShimRequest& request, uint64_t first, const std::string& reason);
    /**
     * No answer came to calls of a request within giveUpAfter.
     * @param last circuits that its flow had last; null if none
     * @return the phases of calls that fail
     */
    std::vector<OpusPhase> GiveUp(ShimRequest& request,
                                  const ShimHistory::Circuits* last,
                                  Picoseconds now);

    /** @return the answers since the last call */
    std::vector<ShimAnswer> Take();

  private:
    /** Adds an answer and notes it. @param request whose circuits it says; null if none */
    void Add(ShimCall& call,
             const CircuitAnswer& answer,
             ShimRequest* request,
             bool covered,
             Picoseconds now);
    /** A call is refused. */
    void Refuse(ShimCall& call, const std::string& reason, Picoseconds now);
    /** A call loses its circuits, if it has got any. */
    void Withdraw(ShimCall& call, const std::string& reason);
    /** @return what a call gets that no answer comes to */
    CircuitAnswer MakeDefault(const ShimCall& call, const ShimHistory::Circuits* last) const;

    const ShimSettings& m_settings;
    const ShimGroups& m_groups;
    ShimStatistics& m_statistics;
    std::vector<ShimAnswer> m_answers;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_ANSWERS_H */
