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

/** What the requests of a parallelism came to. */
struct ParallelismTimes
{
    uint64_t answers{0};
    Time summedWaits{0}; //!< the sum of waits for circuits, each answer by itself
    Time hidden{0};      //!< the sum of reconfigurations for which no rank waited
};

/** What a shim has done so far. */
struct ShimCounters
{
    uint64_t requests{0};         //!< REQUEST messages
    uint64_t coalesced{0};        //!< ranks that went along in another's
    uint64_t guesses{0};          //!< requests ahead of their call
    uint64_t rightGuesses{0};     //!< of them, those that were called then
    uint64_t withdrawnGuesses{0}; //!< of them, those that were taken back or refused
    uint64_t wrongPredictions{0}; //!< calls that were not foreseen, and iterations cut short
    uint64_t brokenPromises{0};   //!< circuits given back although more was announced
    uint64_t covered{0};          //!< calls answered at once, for the rank had the circuits
    uint64_t unusedGrants{0};     //!< that were given back without any use
    uint64_t withdrawn{0};        //!< answers
    uint64_t refused{0};          //!< calls
    uint64_t givenUp{0};          //!< calls that no answer came to
    uint64_t stale{0};            //!< messages of an earlier term, or for an earlier request
    uint64_t unknown{0};          //!< messages that make no sense here
    std::map<std::string, ParallelismTimes> parallelisms;
};

/** A call that has been answered. */
struct ShimNote
{
    RankId rank;
    std::string parallelism; //!< the parallelism
    OpusPhase phase;         //!< what was requested
    Time requested{0};
    Time answered{0};
    bool covered{false};     //!< the rank had the circuits
    Time others{0};          //!< waited for other ranks
    Time reconfiguration{0}; //!< that circuits took
    Time exposed{0};         //!< waited for circuits: all that it did not wait for others
    Time hidden{0};          //!< of reconfiguration, what no rank waited for
    CircuitAnswer::Network network{CircuitAnswer::Network::RAIL};
};

/**
 * @ingroup photonic-rails
 * @brief What a shim has done so far, and how long its ranks waited.
 *
 * A call that is answered was exposed to circuits from its request, or from when the last of the
 * other ranks had called it too, to its answer. What its circuits took to reconfigure beyond that
 * is hidden. The exposed time of a rank is the union of these waits: what it waited for several
 * calls at once counts once. All figures of exposed time in this module are this one. It includes
 * the waits that have ended; the difference between two instants is the wait between the answers
 * before the one and before the other. The summed waits of a parallelism are another quantity, in
 * which waits of a rank at once count each.
 */
class ShimStatistics
{
  public:
    /** Counts go up: anything but answers. */
    ShimCounters& Count();
    /** @return what has been counted, and the times of answers */
    const ShimCounters& GetCounters() const;

    /** A call is answered. @param note of it, but for exposed and hidden */
    void Answer(ShimNote note);
    /** @return answers since the last call; to be taken now and then, or it grows */
    std::vector<ShimNote> TakeNotes();

    /** No call of a rank that will be answered was made before an instant. */
    void WaitsAfter(RankId rank, Picoseconds instant);
    /** @return how long a rank has waited for circuits; for several at once: counted once */
    Time GetExposed(RankId rank) const;
    /** @return the same, the sum of all ranks */
    Time GetExposed() const;

  private:
    ShimCounters m_counters;
    std::vector<ShimNote> m_notes;
    std::map<RankId, SpanUnion> m_waits;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_STATISTICS_H */
