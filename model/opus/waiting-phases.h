/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WAITING_PHASES_H
#define PHOTONIC_RAILS_WAITING_PHASES_H

#include "opus-message.h"

#include "ns3/identifier.h"

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
    std::string family; //!< the parallelism that it belongs to
};

/**
 * @ingroup photonic-rails
 * @brief Phases whose votes are complete and whose ports are not free yet: a queue for each rank,
 * in order of complete votes, and each phase stands in the queues of all its ranks.
 *
 * A phase may go when it is the first in all its queues: so an earlier one keeps the ports of its
 * ranks from later ones and is not starved, while phases with no rank in common pass each other.
 * With whole rails, a phase also lets earlier phases of other parallelisms on its rails go first,
 * and on rails whose switch turns as a whole, all earlier phases. Under a rotation nobody changes
 * anything for anybody, and so every phase is the first.
 *
 * When ports of some ranks become free, only the first phases at these ranks need looking at: the
 * work does not grow with the number of phases that wait elsewhere.
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

    /** The first phases at some ranks are to be looked at. @param ranks any */
    void LookAt(const std::set<RankId>& ranks);
    /** The first phases on some rails are to be looked at. @param rails any */
    void LookAtRails(const std::set<RailId>& rails);
    /** All phases are to be looked at. */
    void LookAtAll();
    /** @return whether a phase is to be looked at */
    bool HasCandidate() const;
    /** @return the first phase that is to be looked at, which then is not any more */
    OpusPhase TakeCandidate();

  private:
    using Turns = std::set<WaitingTurn>;

    /** @return whether nobody on a rail is to go before a phase */
    bool IsFirstOn(RailId rail, const WaitingTurn& turn, const std::string& family) const;

    bool m_wholeRails;
    std::set<RailId> m_wholeSwitch;
    bool m_rotates;
    std::map<WaitingTurn, WaitingPhase> m_waiting;
    std::map<RankId, Turns> m_byRank;
    std::map<RailId, std::map<std::string, Turns>> m_byRail; //!< and family
    Turns m_candidates;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_WAITING_PHASES_H */
