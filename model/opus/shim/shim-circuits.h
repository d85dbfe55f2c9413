/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CIRCUITS_H
#define PHOTONIC_RAILS_SHIM_CIRCUITS_H

#include "shim-answers.h"
#include "shim-history.h"
#include "shim-outbox.h"
#include "shim-prediction.h"
#include "shim-request-table.h"
#include "shim-request.h"
#include "shim-settings.h"
#include "shim-statistics.h"

#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of one rank, from the request through the grant to the release: its open
 * requests, and what became of earlier ones.
 *
 * - A call that an open request covers is added to it. Any other opens a request of its own, whose
 *   REQUEST becomes due in the outbox.
 * - GRANT answers the calls that wait. Those beyond the grant open another request.
 * - A request that is over is released, with a RELEASE if a REQUEST has left. Calls of it without
 *   an answer open another request.
 * - RECALL withdraws what is under way beyond what is left of a request.
 * - REFUSE, if it is for now, sends the request again under the next number, so that the controller
 *   tells it from the earlier one; else the first call is refused.
 * - Circuits that are not in use and in the way of a request that waits are released.
 */
class ShimCircuits
{
  public:
    /** What they share with other ranks of the server; all of it must outlive them. */
    struct Server
    {
        const ShimSettings& settings;
        ShimAnswers& answers;
        ShimOutbox& outbox;
        ShimCounters& counters;
    };

    /** @param rank whose @param prediction of the rank; it must outlive them */
    ShimCircuits(RankId rank, const Server& server, const ShimPrediction& prediction);

    // What the rank does

    /** Finds circuits for a call, or requests them. */
    void Request(const ShimCall& call, Picoseconds now);
    /** Requests circuits ahead of a call, unless an open request is enough. */
    void RequestAhead(const ShimCall& call);
    /** A program hints at circuits that it will need. @param call for which @param kind how */
    void Hint(const ShimCall& call, CircuitHint::Kind kind, Picoseconds now);
    /** A call is made again that the rank has given back. @return it as it was, or nothing */
    std::optional<ShimCall> TakeReturned(const OpusPhase& phase, Picoseconds now);
    /** The rank gives a call back. @return false if it is not withdrawn: then nothing changes */
    bool GiveBack(const OpusPhase& phase);
    /** The rank is through with a call. */
    void Finish(const OpusPhase& phase, Picoseconds now);
    /** A flow needs its circuits no more, but those that are held for good. */
    void ReleaseFlow(const OpusPhase& phase, Picoseconds now);
    /** Releases requests ahead of calls. @param but the phase of one that stays, or null */
    void ReleaseAhead(const OpusPhase* but, Picoseconds now);
    /** The rank's program is over. */
    void End(Picoseconds now);

    // What the controller says

    /** Takes a GRANT, REFUSE or RECALL. */
    void Take(const OpusMessage& message, Picoseconds now);
    /** A term begins: requests that are not granted are to leave again. */
    void RequestAgain();

    // Time

    /** Releases circuits that are not in use and in the way of a request that waits. */
    void GiveWay(Picoseconds now);
    /** Waits that are over their limit end. */
    void GiveUp(Picoseconds now);
    /** Writes a REQUEST that is due, unless it has been taken back. @param term to which it goes */
    void Send(const OpusPhase& phase, uint32_t term, Picoseconds now);

    /** @return the open requests */
    const ShimRequestTable& GetRequests() const;
    /** @return what became of the others */
    const ShimHistory& GetHistory() const;

  private:
    /** @return a request for a call, which is to leave */
    ShimRequest& Open(const ShimCall& call);
    /** A call of a request is made. */
    void BeCalled(ShimRequest& request);
    /** A request is to leave. */
    void SetDue(ShimRequest& request);
    /** Releases a request if it is over. */
    void ReleaseIfOver(ShimRequest& request, Picoseconds now);
    /** Releases a request; it is gone then. */
    void Release(const OpusPhase& phase, Picoseconds now);
    /** A request is gone; what waits for it makes another. */
    void Drop(const OpusPhase& phase, Picoseconds now);
    void Grant(const OpusGrant& grant, Picoseconds now);
    /** A phase is granted that the rank does not request. */
    void ReturnUnrequested(const OpusGrant& grant);
    void Refuse(const OpusRefuse& refusal, Picoseconds now);
    void Recall(const OpusRecall& recall, Picoseconds now);
    /** Circuits are recalled of whose grant the rank was never told. */
    void ReturnUnused(ShimRequest& request, const OpusRecall& recall, Picoseconds now);
    /** What was requested is requested under the next number, if the rank is waiting for it. */
    void RequestNext(ShimRequest& request, Picoseconds now);
    /** A request is to end at an operation; what is under way beyond it is withdrawn. */
    void Shorten(ShimRequest& request, uint64_t until, Picoseconds now);
    /** Tells the controller that a rank has no traffic on circuits. @param number of the request
     * @param through the last operation that used them; nothing if none did */
    void AddRelease(const OpusPhase& phase, uint64_t number, std::optional<uint64_t> through);
    /** The rank is through with a call of a request. */
    void Finish(ShimRequest& request, const OpusPhase& phase, Picoseconds now);

    RankId m_rank;
    Server m_server;
    const ShimPrediction& m_prediction;
    ShimRequestTable m_requests;
    ShimHistory m_history;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CIRCUITS_H */
