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
 * The rank gives a call back that has been withdrawn. It calls it again in the same instant, unless
 * it is through with it: that shows at the end of the instant, in DecideReturned().
 *
 * After each call, message or wait that is over, circuits give way that are in the way of what the
 * rank waits for.
 */
class ShimRank
{
  public:
    /** @param rank which @param server what it shares @param groups of the server's ranks */
    ShimRank(RankId rank, const ShimCircuits::Server& server, const ShimGroups& groups);

    // The prediction belongs to the circuits
    ShimRank(const ShimRank&) = delete;
    ShimRank& operator=(const ShimRank&) = delete;

    /** It begins another iteration of its training loop. */
    void BeginIteration(Picoseconds now);
    /** Its program is over. */
    void End(Picoseconds now);
    /** It requests circuits. */
    void Request(const CircuitRequest& request, Picoseconds now);
    /** It is through, or gives back. */
    void Finish(const CircuitRequest& request, Picoseconds now);
    /** Its program sees to its circuits. */
    void Hint(const CircuitHint& hint, Picoseconds now);

    /** Takes a GRANT, REFUSE or RECALL of the controller. */
    void Take(const OpusMessage& message, Picoseconds now);
    /** A term begins: requests that are not granted are to leave again. */
    void RequestAgain();

    /** Waits that are over their limit end. */
    void TimePassed(Picoseconds now);
    /** Calls that were given back in this instant, and not made again, are over. */
    void DecideReturned(Picoseconds now);
    /** Writes a REQUEST that is due. @param term of the controller that it goes to */
    void Send(const OpusPhase& phase, uint32_t term, Picoseconds now);

    /** @return whether DecideReturned() has something to do */
    bool HasReturned() const;
    /** @return what it requests and holds, and has requested */
    const ShimCircuits& GetCircuits() const;
    /** @return all in words */
    std::string Describe() const;

  private:
    /** Aborts if the rank must not call this now. */
    void Check(const OpusPhase& phase) const;
    /** The prediction was wrong. @param but a phase whose request ahead is all right, or null */
    void HandleMisprediction(const OpusPhase* but, Picoseconds now);
    /** The rank is through with a call, and perhaps with a run. */
    void EndCall(const OpusPhase& phase, Picoseconds now);

    RankId m_rank;
    ShimCircuits::Server m_server;
    ShimPrediction m_prediction;
    ShimCircuits m_circuits;
    bool m_hasReturned{false}; //!< calls, in this instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_RANK_H */
