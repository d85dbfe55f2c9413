/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WAITING_PHASES_H
#define PHOTONIC_RAILS_WAITING_PHASES_H

#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A place in the queues of ranks: phases that all ranks have called come before guesses. */
struct WaitingTurn
{
    bool guess{false};
    uint64_t number{0}; //!< in order of complete votes

    bool operator<(const WaitingTurn& other) const
    {
        return std::make_pair(guess, number) < std::make_pair(other.guess, other.number);
    }
};

/** What a waiting phase waits with. */
struct WaitingPhase
{
    OpusPhase phase;
    std::vector<RankId> ranks;
    std::set<RailId> rails;
    std::string parallelism; //!< the parallelism that it belongs to
};

/**
 * @ingroup photonic-rails
 * @brief Phases whose votes are complete and whose ports are not free yet: a queue for each rank,
 * in the order of their turns, and each phase stands in the queues of all its ranks.
 *
 * A phase that joins the queues lets later ones pass: what is in its way has the ports that it
 * lacks, and meanwhile it has no use for those that are free. When anything at one of its ranks has
 * ended (Reserve), it *reserves* the ports of all its ranks: from then on no later phase gets any
 * of them. A phase may go when none that reserves is before it in any of its queues. A guess passes
 * nothing.
 *
 * So a phase is not starved. All that pass it have begun before the first of what shares a rank
 * with it has ended: each port goes to one later phase at most. Once the phases before it have
 * ended, it waits for the rest of those that passed it and for nothing else. If no phase takes
 * longer than D from its plan to its release, and k is the length of the longest chain of phases,
 * each sharing a rank with the next, that it was behind when it joined, it goes after 2 k D at the
 * latest; in strict order it would be k D. Phases with no rank in common pass each other always.
 *
 * With whole rails, a phase also lets earlier phases of other parallelisms on its rails go first
 * if they reserve, and on rails whose switch reconfigures as a whole, all that do; what ends
 * anywhere on such a rail counts. Under a rotation nobody changes anything for anybody, and so
 * every phase may go.
 *
 * When ports of some ranks become free, only phases at these ranks need looking at, in order up to
 * the first that reserves: the work does not grow with the number of phases that wait elsewhere.
 */
class WaitingPhases
{
  public:
    /**
     * @param wholeRails whether phases of several parallelisms do not share a rail
     * @param wholeSwitch rails that turn as a whole
     * @param rotates whether circuits are changed by a rotation
     */
    WaitingPhases(bool wholeRails, std::set<RailId> wholeSwitch, bool rotates);

    /** A phase joins the queues. @param turn its own @param waiting the phase */
    void Add(const WaitingTurn& turn, const WaitingPhase& waiting);
    /** A phase leaves the queues; those behind it are looked at. @param turn of one in them */
    void Remove(const WaitingTurn& turn);
    /** @return whether nobody in the queues is before it @param turn of one in them */
    bool IsFirst(const WaitingTurn& turn) const;
    /** @return whether nobody before it in the queues reserves @param turn of one in them */
    bool MayGo(const WaitingTurn& turn) const;
    /** @return whether it keeps the ports of its ranks from later ones @param turn of one in them
     */
    bool IsReserving(const WaitingTurn& turn) const;

    /**
     * Something has ended: phases that are in the way reserve from now on.
     * @param ranks at which it was
     * @param rails on which it was; they count where they are shared as wholes
     */
    void Reserve(const std::set<RankId>& ranks, const std::set<RailId>& rails);
    /** Phases at some ranks that may go are to be looked at. @param ranks any */
    void LookAt(const std::set<RankId>& ranks);
    /** Phases on some rails are to be looked at. @param rails any */
    void LookAtRails(const std::set<RailId>& rails);
    /** All phases are to be looked at. */
    void LookAtAll();
    /** @return whether a phase is to be looked at */
    bool HasCandidate() const;
    /** @return the first phase that is to be looked at, which then is not any more */
    OpusPhase TakeCandidate();

  private:
    using Turns = std::set<WaitingTurn>;

    /** Phases in the order of their turns. */
    struct Queue
    {
        Turns all;
        Turns reserving; //!< of them
    };

    /** Which phases of a queue others have to let go first. */
    using Part = Turns Queue::*;

    /** @return whether phases share a rail as a whole */
    bool IsWhole(RailId rail) const;
    /** @return whether one is in a part of a queue of its ranks or rails before it */
    bool IsBehind(Part part, const WaitingTurn& turn) const;
    /** @return whether one is in a part of a queue of a rail before it */
    bool IsBehindOn(RailId rail, Part part, const WaitingTurn& turn) const;
    /** A phase reserves from now on. */
    void Reserve(const WaitingTurn& turn);

    bool m_wholeRails;
    std::set<RailId> m_wholeSwitch;
    bool m_rotates;
    std::map<WaitingTurn, WaitingPhase> m_waiting;
    std::map<RankId, Queue> m_byRank;
    std::map<RailId, std::map<std::string, Queue>> m_byRail; //!< and parallelism
    Turns m_candidates;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_WAITING_PHASES_H */
