/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SERVER_CALLS_H
#define PHOTONIC_RAILS_SERVER_CALLS_H

#include "shim-call.h"

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"

#include <list>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The calls of a server's ranks for stages in which they also exchange over the fabric
 * inside it: passed on together.
 *
 * A ring over two servers goes through ranks that need no circuit, because both neighbors are in
 * their server. If the others were granted circuits before such a rank has called, they would hold
 * them and wait for it, while it may wait for another phase that needs the same ports. So a rank's
 * call is held until all ranks of the server have called that the fabric joins with it in the
 * stage, directly or by way of others.
 */
class ServerCalls
{
  public:
    /**
     * A rank calls a stage, for the first time or again.
     * @return the calls for circuits that wait for no other rank any more, in order of ranks
     */
    std::vector<CircuitRequest> Call(const CircuitRequest& request);

    /** @return whether a call was held; it is not any more */
    bool Take(const CircuitRequest& request);

    /** A rank's program is over: its calls are not held any more. */
    void Leave(RankId rank);

  private:
    /** Ranks that the fabric joins in a stage, and that have not all called it. */
    struct Stage
    {
        GroupId group;
        ShimCall::Place place;
        std::set<RankId> uncalled;
        std::vector<CircuitRequest> held; //!< of those that have, and need circuits
    };

    /** @return whether a rank calls a stage for the first time; from then on it does not */
    bool IsFirst(const CircuitRequest& request);
    /** @return whether a stage held a rank's call; it does not any more */
    static bool Remove(Stage& stage, RankId rank);
    /** @return the incomplete stage that a call is for, new if there is none */
    std::list<Stage>::iterator FindOrOpen(const CircuitRequest& request);

    std::list<Stage> m_incomplete;
    /** By rank and group: the last stage called. */
    std::map<std::pair<RankId, GroupId>, ShimCall::Place> m_called;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SERVER_CALLS_H */
