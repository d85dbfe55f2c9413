/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_STATISTICS_H
#define PHOTONIC_RAILS_SHIM_STATISTICS_H

#include "span-union.h"

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** The times of the requests of a parallelism. */
struct ParallelismTimes
{
    uint64_t answers{0};
    Time summedWaits{0};  //!< the sum of waits for circuits, each answer by itself
    Time hidden{0};       //!< the sum of reconfigurations and link-ups for which no rank waited
    Time hiddenLinkUp{0}; //!< of that, link-ups
};

/** Counters of a shim. */
struct ShimCounters
{
    uint64_t requests{0};         //!< REQUEST messages
    uint64_t coalesced{0};        //!< requests of ranks that left in another rank's message
    uint64_t guesses{0};          //!< requests ahead of their call
    uint64_t rightGuesses{0};     //!< of them, those with a call later
    uint64_t withdrawnGuesses{0}; //!< of them, those that were released or refused
    uint64_t wrongPredictions{0}; //!< calls that were not foreseen, and iterations cut short
    uint64_t brokenPromises{0};   //!< circuits released before the last requested operation
    uint64_t covered{0};          //!< calls answered at once, with circuits in use before
    uint64_t unusedGrants{0};     //!< that were released without any use
    uint64_t withdrawn{0};        //!< answers that were withdrawn
    uint64_t refused{0};          //!< calls that were refused
    uint64_t givenUp{0};          //!< calls without an answer of the controller
    uint64_t stale{0};            //!< messages of an earlier term, or for an earlier request
    uint64_t unknown{0};          //!< messages of a wrong kind, or for another shim
    std::map<std::string, ParallelismTimes> parallelisms;
};

/** A call that has been answered. */
struct ShimNote
{
    RankId rank;
    std::string parallelism; //!< the parallelism
    OpusPhase phase;         //!< the requested phase
    Time requested{0};
    Time answered{0};
    bool covered{false};     //!< the rank had used the circuits before
    Time others{0};          //!< time waited for other ranks
    Time reconfiguration{0}; //!< reconfiguration time of the circuits
    Time linkUp{0};          //!< of that, link-up that the agents have awaited
    Time exposed{0};         //!< time waited for circuits: the wait without that for others
    Time hidden{0};          //!< the part of switching that the rank did not wait for
    CircuitAnswer::Network network{CircuitAnswer::Network::RAIL};
};

/** The link-up of circuits that a rank was granted. */
struct LinkUpNote
{
    RankId rank;
    std::string parallelism; //!< the parallelism
    OpusPhase phase;         //!< the requested phase
    Time answered{0};        //!< the answer
    Time waited{0};          //!< from then to the carrier of all ports
    Time exposedFrom{0};     //!< begin of the part of the link-up in which the rank waited
    Time exposedTo{0};       //!< its end
    Time hidden{0};          //!< the rest of the link-up
};

/**
 * @ingroup photonic-rails
 * @brief The counters of a shim, and the waits of its ranks.
 *
 * The exposed time of an answered call is the time from its request, or from the last call of the
 * other ranks if that is later, to its answer. The reconfiguration time of its circuits beyond that
 * is hidden. A rank with an answer and no carrier waits further, until its ports have carrier
 * (LinkUpWatch): that wait is exposed too. The exposed time of a rank is the union of these waits:
 * a wait for several calls at once counts once. All figures of exposed time in this module are this
 * one. It includes the waits that have ended; the difference between two instants is the wait
 * between the answers before the one and before the other. The summed waits of a parallelism are
 * another quantity, in which waits of a rank at once count each.
 *
 * Of the exposed time, link-up is what lies between light and carrier at the rank's ports, or after
 * the answer; the rest is switching, with all messages. Of the hidden time, link-up is the time
 * between light and carrier in which the rank does not wait.
 */
class ShimStatistics
{
  public:
    /** @return the counters to increase, for all but the times of answers */
    ShimCounters& Count();
    /** @return the counters, and the times of answers */
    const ShimCounters& GetCounters() const;

    /**
     * A call is answered.
     * @param note of the call, without exposed and hidden
     * @return the exposed time
     */
    Time Answer(ShimNote note);
    /** The link of circuits is up. @param note of the call that they are for */
    void AddLinkUp(LinkUpNote note);
    /** @return link-ups since the last call; the list grows until it is taken */
    std::vector<LinkUpNote> TakeLinkUps();
    /** @return answers since the last call; the list grows until it is taken */
    std::vector<ShimNote> TakeNotes();

    /** @return whether it keeps so many waits of a rank apart that WaitsAfter() is worth a call */
    bool HasManyWaits(RankId rank) const;
    /**
     * All calls of a rank that are not over, and later ones, were made at an instant or after it:
     * earlier waits need not be kept apart.
     */
    void WaitsAfter(RankId rank, Picoseconds instant);
    /** @return the time that a rank has waited for circuits; for several at once: counted once */
    Time GetExposed(RankId rank) const;
    /** @return the sum of the exposed times of all ranks */
    Time GetExposed() const;
    /** @return of that, link-up */
    Time GetExposedLinkUp() const;

  private:
    ShimCounters m_counters;
    std::vector<ShimNote> m_notes;
    std::vector<LinkUpNote> m_linkUpNotes;
    std::map<RankId, SpanUnion> m_waits;
    std::map<RankId, SpanUnion> m_linkUps; //!< parts of the waits
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_STATISTICS_H */
