/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WAITING_PHASES_H
#define PHOTONIC_RAILS_WAITING_PHASES_H

#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** A place in the queues of ranks: phases that all ranks have called come before guesses. */
struct WaitingTurn
{
    bool guess{false};
    uint64_t number{0}; //!< in order of complete votes
    Picoseconds due{0}; //!< of a guess: when its circuits are needed, if ranks announce that; or 0

    bool operator<(const WaitingTurn& other) const
    {
        return std::tie(guess, due, number) < std::tie(other.guess, other.due, other.number);
    }
};

/** The properties of a waiting phase that its wait depends on. */
struct WaitingPhase
{
    OpusPhase phase;
    std::vector<RankId> ranks;
    std::set<RailId> rails;
    std::string parallelism; //!< its parallelism
};

/**
 * @ingroup photonic-rails
 * @brief Phases whose votes are complete and whose ports are not free yet: a queue for each rank,
 * in the order of their turns, and each phase stands in the queues of all its ranks.
 *
 * A phase that joins the queues lets later ones pass: other phases have the ports that it lacks,
 * and meanwhile it cannot use the free ones. When any phase at one of its ranks has ended
 * (Reserve), it *reserves* the ports of all its ranks: from then on no later phase gets any of
 * them. A phase may go when no reserving phase is before it in any of its queues. A guess passes no
 * phase.
 *
 * So a phase does not starve. All phases that pass it have begun before the first phase that shares
 * a rank with it has ended: each port goes to one later phase at most. When the phases before it
 * have ended, it waits only for the remaining ones that passed it. If no phase takes longer than D
 * from its plan to its release, and k is the length of the longest chain of phases, each sharing a
 * rank with the next, that were before it when it joined, it goes after 2 k D at the latest; in
 * strict order it would be k D. Phases with no rank in common always pass each other.
 *
 * With whole rails, a phase also lets earlier phases of other parallelisms on its rails go first if
 * they reserve, and on rails whose switch reconfigures as a whole, all that reserve; the end of any
 * phase on such a rail counts. Under a rotation no circuit changes for a phase, and so every phase
 * may go.
 *
 * When ports of some ranks become free, only phases at these ranks are tried, in order up to the
 * first that reserves: the work does not grow with the number of phases that wait elsewhere.
 */
class WaitingPhases
{
  public:
    /**
     * @param wholeRails whether phases of several parallelisms do not share a rail
     * @param wholeSwitch rails that reconfigure as a whole
     * @param rotates whether a rotation changes the circuits
     */
    WaitingPhases(bool wholeRails, std::set<RailId> wholeSwitch, bool rotates);

    /** Adds a phase to the queues. @param turn of the phase, which no other phase has */
    void Add(const WaitingTurn& turn, WaitingPhase waiting);
    /**
     * Removes a phase from the queues; those behind it are marked for another try.
     * @param turn of a phase in the queues
     */
    void Remove(const WaitingTurn& turn);
    /**
     * @param turn of a phase in the queues
     * @return whether no phase in the queues is before it
     */
    bool IsFirst(const WaitingTurn& turn) const;
    /**
     * @param turn of a phase in the queues
     * @return whether no reserving phase is before it in the queues
     */
    bool MayGo(const WaitingTurn& turn) const;
    /**
     * @param turn of a phase in the queues
     * @return whether it keeps the ports of its ranks from later ones
     */
    bool IsReserving(const WaitingTurn& turn) const;

    /**
     * Makes phases reserve after the end of another that was in their way.
     * @param ranks of the ended phase
     * @param rails of the ended phase; they count where they are shared as wholes
     */
    void Reserve(const std::vector<RankId>& ranks, const std::set<RailId>& rails);
    /** Marks the phases at some ranks that may go for another try. */
    void LookAt(const std::vector<RankId>& ranks);
    /** Marks the phases on some rails for another try. */
    void LookAtRails(const std::set<RailId>& rails);
    /** Marks all phases for another try. */
    void LookAtAll();
    /** @return whether any phase is marked for a try */
    bool HasCandidate() const;
    /** Removes the mark of the first phase that is marked for a try. @return the phase */
    OpusPhase TakeCandidate();

  private:
    using Turns = std::vector<WaitingTurn>; //!< in order; few are at a rank

    /** Phases in the order of their turns. */
    struct Queue
    {
        Turns all;
        Turns reserving; //!< of them
    };

    /** A part of a queue: phases that others have to let go first. */
    using Part = Turns Queue::*;

    /** @return whether phases share a rail as a whole */
    bool IsWhole(RailId rail) const;
    /** Adds a turn, unless it is there. */
    static void Insert(Turns& turns, const WaitingTurn& turn);
    /** Removes a turn, if it is there. */
    static void Erase(Turns& turns, const WaitingTurn& turn);
    /** @return the queue of a rank; null if it never had one */
    const Queue* FindQueue(RankId rank) const;
    /** @return whether an earlier turn is in a part of a queue of its ranks or rails */
    bool IsBehind(Part part, const WaitingTurn& turn) const;
    /** @return whether an earlier turn is in a part of a queue of a rail */
    bool IsBehindOn(RailId rail, Part part, const WaitingTurn& turn) const;
    /** Makes a phase reserve from now on. */
    void Reserve(const WaitingTurn& turn);

    bool m_wholeRails;
    std::set<RailId> m_wholeSwitch;
    bool m_rotates;
    std::map<WaitingTurn, WaitingPhase> m_waiting;
    std::vector<Queue> m_byRank;                             //!< ranks are counted from 0
    std::map<RailId, std::map<std::string, Queue>> m_byRail; //!< whole ones, and by parallelism
    std::set<WaitingTurn> m_candidates;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_WAITING_PHASES_H */
