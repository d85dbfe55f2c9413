/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_REQUEST_TABLE_H
#define PHOTONIC_RAILS_SHIM_REQUEST_TABLE_H

#include "shim-history.h"
#include "shim-request.h"
#include "shim-settings.h"

#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The open requests of one rank, by phase, and results that need all of them: which one
 * serves a call, which ones are in the way of another, when the next wait is over its limit.
 *
 * A call is in at most one request. The table opens and removes requests, and changes none.
 *
 * Circuits that the rank holds and does not use are in the way of a request that waits: at once,
 * unless they belong to the same run or have a hint of the program, and the NIC's ports suffice for
 * both; then after ShimSettings::keepIdle.
 */
class ShimRequestTable
{
  public:
    using Requests = std::map<OpusPhase, ShimRequest>;

    /** @param rank of the requests @param settings of the shim; they must outlive it */
    ShimRequestTable(RankId rank, const ShimSettings& settings);

    /** @return the request for a phase, new if there is none */
    ShimRequest& Open(const OpusPhase& phase);
    /** Removes the request for a phase. */
    void Remove(const OpusPhase& phase);
    /** @return the request for a phase; null if there is none */
    ShimRequest* Find(const OpusPhase& phase);
    /** @return the request for a phase, which must exist */
    ShimRequest& At(const OpusPhase& phase);
    /** @return all, by phase */
    Requests& GetAll();
    /** @return all, by phase */
    const Requests& GetAll() const;

    /** @return the request that covers a call; null if there is none */
    ShimRequest* FindCover(const ShimCall& call, const OpusPhase& phase);
    /** @return the request that has the call for a phase; null if there is none */
    ShimRequest* FindCall(const OpusPhase& phase);
    /** @return the granted request that has the call for a phase; null if there is none */
    const ShimRequest* FindGrantOf(const OpusPhase& phase) const;
    /** @return whether a request for a phase, with this number, is granted */
    bool IsGranted(const OpusPhase& phase, uint64_t number) const;
    /** @return whether a request has the call for a phase */
    bool HasCall(const OpusPhase& phase) const;
    /** @return the phases of calls that have been given back */
    std::vector<OpusPhase> GetReturned() const;
    /** @return phases whose requests are ahead of their calls */
    std::vector<OpusPhase> GetAhead() const;

    /**
     * @return the last operation of a request that the rank is through with, together with all
     * before it: a withdrawn call that will be repeated may come before one that is over
     */
    std::optional<uint64_t> GetThrough(const ShimRequest& request,
                                       const ShimHistory& history) const;
    /** @return the place of the first open call of a flow, at most the given place */
    ShimCall::Place GetFirstOpen(const OpusPhase& flowKey, ShimCall::Place place) const;

    /** @return phases whose circuits are not in use and in the way of a request that waits */
    std::vector<OpusPhase> GetInTheWay(Picoseconds now) const;
    /** @return phases whose requests have a call that waits longer than giveUpAfter */
    std::vector<OpusPhase> GetLate(Picoseconds now) const;
    /** @return the next time at which GetInTheWay() or GetLate() find a phase; NEVER if none */
    Picoseconds GetNextDeadline() const;
    /** @return the time of the first call, or ACQUIRE, that is not over; NEVER if there is none */
    Picoseconds GetFirstCalled() const;

    /** @return whether any request is granted */
    bool HasGranted() const;
    /** @return whether there is no request but those that are held for good */
    bool IsIdle() const;
    /** @return all requests as text, a line each */
    std::string Describe() const;

  private:
    /** The requests of a flow. */
    using Range = std::pair<Requests::const_iterator, Requests::const_iterator>;

    /** @return the requests of a phase's flow */
    Range GetFlow(const OpusPhase& phase) const;
    /** @return the end of keeping an idle request beside one that waits; ALWAYS_BEFORE: not kept */
    Picoseconds GetKeptUntil(const ShimRequest& idle, const ShimRequest& waiting) const;
    /** @return whether the rank's ports suffice for a request beside all held circuits */
    bool HasRoom(const ShimRequest& waiting) const;

    RankId m_rank;
    const ShimSettings& m_settings;
    Requests m_requests;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_REQUEST_TABLE_H */
