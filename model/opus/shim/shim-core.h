/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CORE_H
#define PHOTONIC_RAILS_SHIM_CORE_H

#include "call-profile.h"
#include "shim-claim.h"
#include "shim-settings.h"

#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/named-pairs.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The decisions of the shim of a server, between its ranks' collectives and the controller:
 * asks, messages and the time go in, answers and outgoing messages come out.
 *
 * A rank's claim to circuits for a phase goes through these states:
 *
 *     GUESSED --called--> ASKED --GRANT--> HELD --through, or RECALL, or in the way--> released
 *        |  \---------------GRANT-----------^ |
 *        +-- wrong prediction: withdrawn      +-- asks that the grant covers are answered at once
 *
 * - A claim serves the operations of its flow up to `until`, as the GRANT says, if they
 *   have its pairs and one stage. It is released when the last of them is over.
 * - What a rank calls in an iteration is foreseen after the first (CallProfile), and says how far a
 *   REQUEST reaches. PROVISIONED, a rank that is through with a run of one parallelism asks for the
 *   first circuits of the next in advance.
 * - Circuits that a rank holds and does not use are given back early if it waits for others: those
 *   of a run that is still going on only if not all fit at its ports, or after KeepIdle. So a wrong
 *   prediction costs time and messages and never blocks anybody for good.
 * - RECALL withdraws what is under way beyond what is left of a claim: the rank says Finish() when
 *   what it sent is settled and, unless it is through with the stage, Ask() again in the same
 *   instant. Only Flush() decides which it was.
 * - What no answer comes to within GiveUpAfter is answered all the same. It is released when it is
 *   over, granted or not.
 * - CO_SCHEDULED, Plead() says what is prefetched, acquired and released; circuits that were
 *   pleaded for are kept though nothing is under way.
 *
 * Letters leave in Flush(), once for all that happened in an instant: releases first, then asks,
 * and those of several ranks that say the same are one. A message of a greater term is a new
 * controller's, which knows nothing: it is told the groups, what the ranks hold, what they were
 * refused and what they are through with, that this was all, and what they want. Letters of an
 * earlier term do not count any more: so nothing else is held in the new one than what it was told
 * of, and what it grants.
 *
 * Asks are numbered as ControllerCore wants it. Memory is bounded by what is open, by
 * flows and by the length of an iteration.
 * @code
 * ShimCore shim(settings);
 * Tell(shim.Ask(ask, now).answers);
 * Tell(shim.Take(message, now).answers);   // whenever one comes
 * Tell(shim.TimePassed(now).answers);      // at shim.GetNextDeadline()
 * Send(shim.Flush(now).outbox);            // at the end of an instant, if shim.HasOutgoing()
 * @endcode
 */
class ShimCore
{
  public:
    /** @param settings given at set-up */
    explicit ShimCore(const ShimSettings& settings);

    /** A rank of the server takes part in a group. @param rank which @param group it */
    void Join(RankId rank, const CommunicationGroup& group);
    /** A rank begins another iteration of its training loop. @param rank which */
    void BeginIteration(RankId rank);
    /** A rank's program is over: nothing is foreseen or held any more. @param rank which */
    void End(RankId rank);

    /** A rank asks. @return what comes of it @param ask for what @param now the time */
    ShimOutcome Ask(const CircuitRequest& ask, Picoseconds now);
    /** A rank is through, or gives back. @return what comes of it @param ask its @param now time */
    ShimOutcome Finish(const CircuitRequest& ask, Picoseconds now);
    /** A rank sees to its circuits. @return what comes of it @param hint its @param now the time */
    ShimOutcome Hint(const CircuitHint& hint, Picoseconds now);
    /** @return what comes of a message @param message of the controller @param now the time */
    ShimOutcome Take(const OpusMessage& message, Picoseconds now);
    /** Waits that are over their limit end. @return what comes of it @param now the time */
    ShimOutcome TimePassed(Picoseconds now);
    /** An instant ends. @return what is to be sent @param now the time */
    ShimOutcome Flush(Picoseconds now);

    /** @return whether Flush() has something to do */
    bool HasOutgoing() const;
    /** @return when TimePassed() is to be called next; NEVER if not */
    Picoseconds GetNextDeadline() const;
    /** @return the controller's term, as far as is known */
    uint32_t GetTerm() const;
    /** @return what it has done */
    const ShimCounters& GetCounters() const;
    /** @return answers since the last call; to be taken now and then, or it grows */
    std::vector<ShimNote> TakeNotes();
    /** @return whether no rank wants, holds or waits for anything but what stands for good */
    bool IsIdle() const;
    /** @return all of its state in words */
    std::string Describe() const;

  private:
    using Call = ShimCall;
    using Claim = ShimClaim;

    /** A group that ranks of the server are in. */
    struct Group
    {
        std::string name;
        std::vector<RankId> ranks; //!< all
        std::vector<RankId> here;  //!< that have joined
    };

    /** Circuits that a flow had last: for SEND. */
    struct LastCircuits
    {
        CallPairs pairs;
        std::shared_ptr<const GrantedCircuits> circuits;
        uint64_t until{0}; //!< they were granted for operations up to this one
    };

    /** A rank of the server. */
    struct Rank
    {
        /** @param id which it is @param settings of the shim */
        Rank(RankId id, const ShimSettings& settings);

        RankId rank;
        CallProfile profile;
        std::map<OpusPhase, Claim> claims;
        std::map<OpusPhase, uint64_t> numbers;     //!< of the next ask, if it is not the first
        std::map<OpusPhase, Claim::Place> through; //!< by flow: the last that is over
        std::map<OpusPhase, LastCircuits> last;    //!< by flow
        std::deque<std::pair<OpusPhase, std::string>> refused; //!< for good, and why: the last ones
    };

    // Ranks
    /** @return what is known of a rank; new if there is nothing */
    Rank& RankOf(RankId rank);
    /** @return the phase of an ask */
    OpusPhase PhaseOf(const CircuitRequest& ask) const;
    /** @return the parallelism that an ask belongs to */
    std::string ParallelismOf(const CircuitRequest& ask) const;
    /** @return the call as a profile has it */
    ProfiledCall ProfileCall(const CircuitRequest& ask) const;
    /** @return a call that its rank gave back in this instant, taken off its claim, if any */
    std::optional<Call> TakeReturned(Rank& rank, const OpusPhase& phase);
    /** Aborts if a rank must not ask for this now. */
    void Check(const Rank& rank, const OpusPhase& phase) const;
    /** @return a call as it begins, foreseen or not */
    Call MakeCall(Rank& rank, const CircuitRequest& ask);
    /** A rank's prediction was wrong. @param but a guess that is all right */
    void HandleMisprediction(Rank& rank, const OpusPhase* but);
    /** Asks in advance. */
    void Guess(Rank& rank, const std::vector<ForeseenCall>& calls);
    /** @return the claim to a flow's circuits that is enough for a call; null if none */
    Claim* FindCover(Rank& rank, const Call& call, const OpusPhase& phase);

    // Claims
    /** Finds circuits for a call, or asks for them. */
    void Put(Rank& rank, const Call& call);
    /** @return a new claim for a call */
    Claim& Open(Rank& rank, const Call& call);
    /** A call that was asked for in advance is made. */
    void MakeGood(Rank& rank, Claim& claim);
    /** A claim's REQUEST is to leave. */
    void Request(Rank& rank, Claim& claim);
    /** A call of a rank is over, and perhaps a run. */
    void Over(Rank& rank, const OpusPhase& phase);
    /** Calls that were given back in this instant, and not asked for again, are over. */
    void DecideReturned();
    /** A call is over, and the rank through with it. */
    void Through(Rank& rank, Claim& claim, const Claim::Place& place);
    /** Releases a claim if nothing more is to come. */
    void Settle(Rank& rank, Claim& claim);
    /**
     * @return the last operation that a rank is through with, and with all before it: what has been
     * withdrawn and is to be asked for again may come before one that is over
     */
    std::optional<uint64_t> GetThrough(const Rank& rank, const Claim& claim) const;
    /** Gives a claim back; it is gone then. */
    void Release(Rank& rank, const OpusPhase& phase);
    /** A claim is gone; what waits for it asks anew. */
    void Drop(Rank& rank, const OpusPhase& phase);
    /** Gives back what is not in use and in the way of what the rank waits for. */
    void GiveWay(Rank& rank);
    /** @return until when an idle claim may be kept beside one that waits; ALWAYS_BEFORE: not */
    Picoseconds GetKeptUntil(const Rank& rank, const Claim& idle, const Claim& waiting) const;
    /** @return whether a rank's ports suffice for what waits beside all that it holds */
    bool HasRoom(const Rank& rank, const Claim& waiting) const;

    // Messages
    void Grant(Rank& rank, const OpusMessage& message);
    void GrantNobodyWants(Rank& rank, const OpusMessage& message);
    void Refuse(Rank& rank, const OpusMessage& message);
    void Recall(Rank& rank, const OpusMessage& message);
    /** What was asked is asked under the next number, if the rank is waiting for it. */
    void AskAnew(Rank& rank, Claim& claim);
    /** Circuits are called back of whose grant the rank was never told. */
    void ReturnUnused(Rank& rank, Claim& claim, const OpusMessage& recall);
    /** A claim is to end at an operation; what is under way beyond it is withdrawn. */
    void Shorten(Rank& rank, Claim& claim, uint64_t until);
    /** A call is to be given back. */
    void Withdraw(Call& call, const std::string& why);
    /** A new controller is to be told everything. */
    void BeginTerm(uint32_t term);
    /** It is to be told what a rank holds and wants. */
    void SayClaims(Rank& rank);
    /** It is to be told what a rank was refused for good: who has not heard is not to get it. */
    void SayRefused(const Rank& rank);
    /** It is to be told what a rank is through with. */
    void SayThrough(const Rank& rank);
    /** Waits for an answer are over their limit. */
    void GiveUp(Rank& rank, Claim& claim);
    /** @return what a call gets that no answer comes to */
    CircuitAnswer MakeDefault(const Rank& rank, const Call& call) const;

    // Answers and outgoing messages
    /** A call is answered. */
    void Answer(Call& call, const CircuitAnswer& answer, Claim* claim, bool covered);
    /** A call is answered with the circuits of its claim. */
    void AnswerWithCircuits(Call& call, Claim& claim, bool covered);
    /** @return an outgoing message of the shim for one rank */
    OpusMessage OutgoingOf(RankId rank, OpusMessage::Type type, const OpusPhase& phase) const;
    /** Adds an outgoing message, or its ranks to one that says the same. */
    void Coalesce(std::vector<OpusMessage>& outbox, const OpusMessage& outgoing);
    /** @return the outgoing message that registers ranks of the server in a group */
    OpusMessage RegistrationOf(GroupId id, const std::vector<RankId>& ranks) const;
    /** @return pairs as requests name them; remembered, for the same lists come again and again */
    WholePairs& WholeOf(const CallPairs& pairs);
    /** @return whether others may be through with what a claim asks for: it was granted before, or
     * asked for in an earlier term */
    bool IsAskedAgain(const Rank& rank, const Claim& claim) const;
    /** @return what a call came to, and forgets it */
    ShimOutcome TakeOutcome();

    ShimSettings m_settings;
    std::map<RankId, Rank> m_ranks;
    std::map<GroupId, Group> m_groups;
    std::map<CallPairs, WholePairs> m_whole;
    ShimCounters m_counters;
    uint32_t m_term{0};
    Picoseconds m_now{0};
    bool m_hasReturned{false};            //!< calls, in this instant
    std::vector<OpusMessage> m_statement; //!< for a controller that begins a term, in order
    std::vector<OpusMessage> m_news;      //!< all but requests
    std::vector<std::pair<RankId, OpusPhase>> m_requests; //!< claims that ask
    ShimOutcome m_outcome;
    std::vector<ShimNote> m_notes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CORE_H */
