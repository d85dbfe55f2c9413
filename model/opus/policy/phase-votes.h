/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_VOTES_H
#define PHOTONIC_RAILS_PHASE_VOTES_H

#include "circuit-planner.h"

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/** What a rank has said of a phase. */
enum class PhaseVote : uint8_t
{
    NONE,        //!< nothing
    SPECULATIVE, //!< it asked in advance, and may find that it was wrong
    ASKED,       //!< it asked, for it has called the operation
    FINISHED,    //!< it is through with it
};

/** What a rank asks for. */
struct PhaseAsk
{
    PhaseVote vote{PhaseVote::ASKED}; //!< or SPECULATIVE
    uint64_t number{0};               //!< of its asks for the phase
    uint64_t until{0};                //!< the last operation that it wants circuits for
    uint32_t links{0};                //!< of a pair, at most; 0: any number
    Picoseconds when{0};              //!< the ask came
};

/**
 * @ingroup photonic-rails
 * @brief The votes of the ranks that take part in a phase: those in its pairs. How many these are
 * is known from the start; which, as they ask, or as others name them.
 *
 * A rank that withdraws a guess may come back and ask again. So that a message that crossed the
 * withdrawal on its way is not taken for one that came after it, asks of a rank for a phase are
 * numbered: what belongs to an earlier ask does not count.
 *
 * A rank that was told of a grant holds the circuits until it releases them, or asks again, which
 * it does only after it has released them.
 */
class PhaseVotes
{
  public:
    /** @param pairs of the phase, all of them */
    explicit PhaseVotes(const std::vector<JoinedRanks>& pairs);
    /** @param whole how many ranks take part, of which none is known yet */
    explicit PhaseVotes(uint32_t whole);

    /** A rank takes part. @param rank any @return whether that is news */
    bool Add(RankId rank);

    /** @return whether a rank is known to take part @param rank any */
    bool Has(RankId rank) const;
    /** @return what a rank that takes part has said @param rank it */
    PhaseVote Get(RankId rank) const;
    /** @return the ask of a rank that counts @param rank one that takes part */
    const PhaseAsk& GetAsk(RankId rank) const;

    /** A rank asks. @param rank any @param ask for what @return whether that is news */
    bool Ask(RankId rank, const PhaseAsk& ask);

    /**
     * A rank needs the circuits no more.
     * @param rank any
     * @param unused whether it withdraws a guess or gives back what it holds; else it is through
     * with the phase
     * @param ask that it releases
     * @return whether that is news
     */
    bool Release(RankId rank, bool unused, uint64_t ask);

    /**
     * A rank is through with the phase's operation, but not by what it holds here: what it asked
     * does not count any more.
     * @param rank any
     * @return whether that is news
     */
    bool Finish(RankId rank);

    /** A rank that wants circuits has them. @param rank it @param joins others have them already */
    void Hold(RankId rank, bool joins);
    /** @return whether a rank holds circuits @param rank one that takes part */
    bool IsHolding(RankId rank) const;
    /** @return whether a rank got them later than others @param rank one that takes part */
    bool HasJoined(RankId rank) const;
    /** @return the ranks that hold circuits */
    std::vector<RankId> GetHolding() const;
    /** @return how many ranks hold circuits */
    uint32_t CountHolding() const;
    /** @return the ranks that want circuits: in advance, or not */
    std::vector<RankId> GetWanting() const;

    /** @return the operation that all ranks that want circuits would go to; the greatest if none */
    uint64_t GetUntil() const;
    /** @return links of a pair that all ranks that want circuits allow; 0: any number */
    uint32_t GetLinks() const;

    /** @return whether nobody is missing, and somebody wants circuits */
    bool IsComplete() const;
    /** @return whether all ranks are through with it */
    bool IsOver() const;
    /** @return whether no rank has asked or is through with it */
    bool IsGuess() const;
    /** @return how many have said that @param vote what */
    uint32_t Count(PhaseVote vote) const;
    /** @return how many ranks are known to take part */
    uint32_t CountKnown() const;
    /** @return how many ranks take part */
    uint32_t CountWhole() const;
    /** @return the ranks that have said that @param vote what */
    std::vector<RankId> GetRanks(PhaseVote vote) const;
    /** @return all that are known to take part */
    std::vector<RankId> GetRanks() const;
    /** @return whether a rank takes part in both @param other votes of another phase */
    bool SharesRankWith(const PhaseVotes& other) const;

  private:
    /** What a rank has said. */
    struct Ballot
    {
        PhaseVote vote{PhaseVote::NONE};
        PhaseAsk ask; //!< its vote is the one that was asked with
        bool holds{false};
        bool joined{false};
    };

    /** Changes a vote. */
    void Set(Ballot& ballot, PhaseVote vote);
    /** A rank has circuits from now on, or has not. */
    void SetHolding(Ballot& ballot, bool holds);

    uint32_t m_whole{0}; //!< ranks that take part
    std::map<RankId, Ballot> m_votes;
    std::array<uint32_t, 4> m_counts{};
    uint32_t m_holding{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_VOTES_H */
