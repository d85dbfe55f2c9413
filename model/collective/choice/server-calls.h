/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SERVER_CALLS_H
#define PHOTONIC_RAILS_SERVER_CALLS_H

#include "circuit-broker.h"

#include "ns3/identifier.h"

#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The calls of ranks for stages in which they also exchange over the fabric inside a server:
 * passed on together, and in the order of the stages.
 *
 * A ring over two servers goes through ranks that need no circuit, because both neighbors are in
 * their server. If the others were granted circuits before such a rank has called, they would hold
 * them and wait for it, while it may wait for another phase that needs the same ports. So a rank's
 * call is held until all ranks have called that the fabric joins with it in the stage, directly or
 * by way of others.
 *
 * A rank that needs no circuit in a stage has its answer at once, and calls the next one, in which
 * it may need some. If it were granted these before the others have theirs of the first stage, it
 * would hold them and wait for data that come over circuits at the same ports, those of a relay.
 * So the call of a later stage of an operation is held until all ranks that the fabric joins with
 * it in the earlier stage have called that one and have their answers.
 */
class ServerCalls
{
  public:
    /**
     * A rank calls a stage, for the first time or again.
     * @return the calls for circuits that wait for no other rank any more; those of a stage in the
     * order of ranks
     */
    std::vector<CircuitRequest> Call(const CircuitRequest& request);

    /**
     * A call for circuits that was passed on has its answer, of whatever kind.
     * @return the calls for circuits that wait no more
     */
    std::vector<CircuitRequest> Answered(const CircuitRequest& request);

    /** @return whether a call was held; it is not any more */
    bool Take(const CircuitRequest& request);

    /** A rank's program is over: its calls for circuits are not held any more. */
    void Leave(RankId rank);

  private:
    /** An operation of a group, and a stage of it. */
    using Place = std::pair<uint64_t, uint32_t>;

    /** Ranks that the fabric joins in a stage, and that have not all called it or are not all
     * answered. */
    struct Stage
    {
        GroupId group;
        Place place;
        std::set<RankId> ranks;
        std::set<RankId> uncalled;
        std::vector<CircuitRequest> held; //!< of those that have, and need circuits
        std::set<RankId> unanswered;      //!< of calls that were passed on
    };

    /** @return whether a rank calls a stage for the first time; from then on it does not */
    bool IsFirst(const CircuitRequest& request);
    /** @return whether a call waits for an earlier stage @param last end of the earlier calls */
    bool WaitsForEarlier(const CircuitRequest& request,
                         std::list<CircuitRequest>::const_iterator last) const;
    /** Takes a call into its stage. @param passed gets the calls that wait no more */
    void Enter(const CircuitRequest& request, std::vector<CircuitRequest>& passed);
    /** Takes the calls that wait for no earlier stage any more into theirs. */
    void EnterLater(std::vector<CircuitRequest>& passed);
    /** @return the stage that a call is for, new if there is none */
    std::list<Stage>::iterator FindOrOpen(const CircuitRequest& request);
    /** @return whether a stage held a rank's call; it does not any more */
    static bool Remove(Stage& stage, RankId rank);

    std::list<Stage> m_stages;
    std::list<CircuitRequest> m_later; //!< calls that wait for an earlier stage, in order
    /** By rank and group: the last stage called. */
    std::map<std::pair<RankId, GroupId>, Place> m_called;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SERVER_CALLS_H */
