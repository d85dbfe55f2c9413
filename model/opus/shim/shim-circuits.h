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
 * requests, and the results of earlier ones.
 *
 * - A call that an open request covers is added to it. Any other opens a request of its own, whose
 *   REQUEST becomes due in the outbox.
 * - GRANT answers the calls that wait. Those beyond the grant open another request.
 * - A request that is over is released, with a RELEASE if a REQUEST has left. Calls of it without
 *   an answer open another request.
 * - RECALL withdraws calls under way beyond the last operation that is left of a request.
 * - REFUSE, if it is for now, sends the request again under the next number, so that the controller
 *   can distinguish it from the earlier one; else the first call is refused.
 * - Circuits that are not in use and in the way of a request that waits are released.
 */
class ShimCircuits
{
  public:
    /** Objects that the ranks of a server share; they must outlive this. */
    struct Server
    {
        const ShimSettings& settings;
        ShimAnswers& answers;
        ShimOutbox& outbox;
        ShimCounters& counters;
    };

    /**
     * @param rank of the circuits
     * @param server with the shared objects
     * @param prediction of the rank; it must outlive this
     */
    ShimCircuits(RankId rank, const Server& server, const ShimPrediction& prediction);

    // Calls of the rank

    /** Finds circuits for a call, or requests them. */
    void Request(const ShimCall& call, Picoseconds now);
    /** Requests circuits ahead of a call, unless an open request is enough. */
    void RequestAhead(const ShimCall& call);
    /**
     * A program gives a circuit hint.
     * @param call that the circuits are for
     * @param kind PREFETCH or ACQUIRE
     */
    void Hint(const ShimCall& call, CircuitHint::Kind kind, Picoseconds now);
    /** The rank calls again after it gave a call back. @return the call as it was, or nothing */
    std::optional<ShimCall> TakeReturned(const OpusPhase& phase, Picoseconds now);
    /** The rank gives a call back. @return false if it is not withdrawn: then nothing changes */
    bool GiveBack(const OpusPhase& phase);
    /** The rank is through with a call. */
    void Finish(const OpusPhase& phase, Picoseconds now);
    /** Releases the circuits of a flow, but those that are held for good. */
    void ReleaseFlow(const OpusPhase& phase, Picoseconds now);
    /** Releases requests ahead of calls. @param but the phase of one that is kept, or null */
    void ReleaseAhead(const OpusPhase* but, Picoseconds now);
    /** The rank's program is over. */
    void End(Picoseconds now);

    // Messages of the controller

    /** Takes a GRANT, REFUSE or RECALL. */
    void Take(const OpusMessage& message, Picoseconds now);
    /** A term begins: requests that are not granted become due again. */
    void RequestAgain();
    /** Recalls all grants. */
    void LeaveAll(Picoseconds now);

    // Time

    /** Releases circuits that are not in use and in the way of a request that waits. */
    void GiveWay(Picoseconds now);
    /** Ends waits that are over their limit. */
    void GiveUp(Picoseconds now);
    /** Writes a REQUEST that is due, unless it was released. @param term in which it leaves */
    void Send(const OpusPhase& phase, uint32_t term, Picoseconds now);

    /** @return the open requests */
    const ShimRequestTable& GetRequests() const;
    /** @return the results of earlier requests */
    const ShimHistory& GetHistory() const;

  private:
    /** @return a new request for a call; its REQUEST is due */
    ShimRequest& Open(const ShimCall& call);
    /** The first call of a request ahead: it is ahead no more, and its REQUEST is due again. */
    void BeCalled(ShimRequest& request);
    /** Makes the REQUEST of a request due. */
    void SetDue(ShimRequest& request);
    /** Releases a request if it is over. */
    void ReleaseIfOver(ShimRequest& request, Picoseconds now);
    /** Releases a request and removes it. */
    void Release(const OpusPhase& phase, Picoseconds now);
    /** Removes a request; its calls without an answer open another. */
    void Drop(const OpusPhase& phase, Picoseconds now);
    /** Answers the calls that wait for a phase, and opens another request for those beyond it. */
    void Grant(const OpusGrant& grant, Picoseconds now);
    /** Releases a granted phase that the rank has no request for. */
    void ReturnUnrequested(const OpusGrant& grant);
    /** Requests again if the refusal is for now; else refuses the first call. */
    void Refuse(const OpusRefuse& refusal, Picoseconds now);
    /** Withdraws the calls that the controller recalls. */
    void Recall(const OpusRecall& recall, Picoseconds now);
    /** Circuits are recalled before the rank has their grant. */
    void ReturnUnused(ShimRequest& request, const OpusRecall& recall, Picoseconds now);
    /** Requests again under the next number; drops a request that is ahead of its calls. */
    void RequestNext(ShimRequest& request, Picoseconds now);
    /** Ends a request at an operation; calls under way beyond it are withdrawn. */
    void Shorten(ShimRequest& request, uint64_t until, Picoseconds now);
    /**
     * Adds a RELEASE: the rank has no traffic on circuits.
     * @param phase of the request
     * @param number of the request
     * @param through the last operation that used them; nothing if none did
     */
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
