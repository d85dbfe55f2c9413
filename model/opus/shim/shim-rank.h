/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_RANK_H
#define PHOTONIC_RAILS_SHIM_RANK_H

#include "shim-circuits.h"
#include "shim-groups.h"
#include "shim-prediction.h"

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One rank of a server: its calls, which go to the prediction and then to its circuits.
 *
 * The rank gives a withdrawn call back. It calls again in the same instant, unless it is through
 * with the call: DecideReturned() finds that at the end of the instant.
 *
 * After each call, message or timeout, circuits that are not in use and in the way of a request
 * that waits are released.
 */
class ShimRank
{
  public:
    /**
     * @param rank of the server
     * @param server with the objects that its ranks share
     * @param groups of the server's ranks
     */
    ShimRank(RankId rank, const ShimCircuits::Server& server, const ShimGroups& groups);

    // Not copyable: the circuits have a reference to the prediction
    ShimRank(const ShimRank&) = delete;
    ShimRank& operator=(const ShimRank&) = delete;

    /** It begins another iteration of its training loop. */
    void BeginIteration(Picoseconds now);
    /** Its program is over. */
    void End(Picoseconds now);
    /** It requests circuits. */
    void Request(const CircuitRequest& request, Picoseconds now);
    /** It is through with a call, or gives it back. */
    void Finish(const CircuitRequest& request, Picoseconds now);
    /** Its program gives a circuit hint. */
    void Hint(const CircuitHint& hint, Picoseconds now);

    /** Takes a GRANT, REFUSE or RECALL of the controller. */
    void Take(const OpusMessage& message, Picoseconds now);
    /** A term begins: requests that are not granted become due again. */
    void RequestAgain();
    /** Gives all circuits back, as if the controller called back every grant. */
    void LeaveAll(Picoseconds now);

    /** Ends waits that are over their limit. */
    void TimePassed(Picoseconds now);
    /** Calls that were given back in this instant, and not made again, are over. */
    void DecideReturned(Picoseconds now);
    /** Writes a REQUEST that is due. @param term of the controller in charge */
    void Send(const OpusPhase& phase, uint32_t term, Picoseconds now);

    /** @return whether DecideReturned() has something to do */
    bool HasReturned() const;
    /** @return its circuits: open requests, and the results of earlier ones */
    const ShimCircuits& GetCircuits() const;
    /** @return its state as text */
    std::string Describe() const;

  private:
    /** Aborts if a request of the rank for a phase is not allowed now. */
    void Check(const OpusPhase& phase) const;
    /** A misprediction. @param but the phase of a request ahead that is kept, or null */
    void HandleMisprediction(const OpusPhase* but, Picoseconds now);
    /** The rank is through with a call, and perhaps with a run. */
    void EndCall(const OpusPhase& phase, Picoseconds now);

    RankId m_rank;
    ShimCircuits::Server m_server;
    ShimPrediction m_prediction;
    ShimCircuits m_circuits;
    bool m_hasReturned{false}; //!< calls were given back in this instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_RANK_H */
