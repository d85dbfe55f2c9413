/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CORE_H
#define PHOTONIC_RAILS_SHIM_CORE_H

#include "link-up-watch.h"
#include "shim-answers.h"
#include "shim-circuits.h"
#include "shim-fallback.h"
#include "shim-groups.h"
#include "shim-inbox.h"
#include "shim-outbox.h"
#include "shim-rank.h"
#include "shim-settings.h"
#include "shim-statistics.h"

#include "ns3/call-comparison.h"
#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"
#include "ns3/server-calls.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The decisions of the shim of a server, between its ranks' collectives and the controller:
 * inputs are calls, messages and the time, outputs are answers and outgoing messages.
 *
 *     call of a rank -> ShimRank -> ShimPrediction, ShimCircuits -> ShimOutbox -> REQUEST
 *     GRANT -> ShimInbox -> ShimRank -> ShimCircuits -> ShimAnswers -> answer
 *
 * - A request serves the operations of its flow up to `until` of the GRANT, if they
 *   have its pairs and one stage. It is released when the last of them is over (ShimRequest).
 * - The calls of an iteration are foreseen after the first ones (CallProfile), and determine how
 *   far a REQUEST reaches. In PROVISIONED, a rank that is through with a run of one parallelism
 *   requests the first circuits of the next in advance (ShimPrediction).
 * - Circuits that a rank holds and does not use are released early if it waits for others: those
 *   of the present run only if not all fit at its ports, or after KeepIdle
 *   (ShimRequestTable). So a wrong prediction costs time and messages and never blocks a rank for
 *   good.
 * - RECALL withdraws calls under way beyond the last operation that is left of a request: the rank
 *   calls Finish() when its messages are settled and, unless it is through with the stage,
 *   Request() again in the same instant. Only Flush() can distinguish the two (ShimRank).
 * - A call without an answer within GiveUpAfter is answered by ShimSettings::whenGivenUp. Its
 *   request is released when it is over, granted or not (ShimAnswers).
 * - With WhenGivenUp::RING such a call makes the shim leave the controller (ShimFallback). When
 *   giant rings are up it grants all requests itself.
 * - Calls that are to be compared (Called()) are compared here if the group is in the server, else
 *   the controller gets a CALLED, and returns a LATENESS for the rank that chooses.
 * - In CO_SCHEDULED, circuits are prefetched, acquired and released by Hint(); circuits with a hint
 *   are kept while no call is under way.
 *
 * Messages leave in Flush(), once for all calls of an instant (ShimOutbox). A new controller has a
 * greater term and no state (ShimInbox): it gets a ShimStatement. Messages of earlier terms are
 * ignored, so only circuits of the statement and later grants are held.
 *
 * Requests are numbered as ControllerCore expects it. Memory is bounded by the open requests, by
 * flows and by the length of an iteration.
 * @code
 * ShimCore shim(settings);
 * Deliver(shim.Request(request, now).answers);
 * Deliver(shim.Take(message, now).answers); // at each message
 * Deliver(shim.TimePassed(now).answers);    // at shim.GetNextDeadline()
 * Send(shim.Flush(now).outbox);             // at the end of an instant, if shim.HasOutgoing()
 * @endcode
 */
class ShimCore
{
  public:
    /** @param settings given at set-up */
    explicit ShimCore(const ShimSettings& settings);

    // Not copyable: its parts have references to each other
    ShimCore(const ShimCore&) = delete;
    ShimCore& operator=(const ShimCore&) = delete;

    /** A rank of the server takes part in a group. */
    void Join(RankId rank, const CommunicationGroup& group);
    /** A rank begins another iteration of its training loop. */
    void BeginIteration(RankId rank);
    /** A rank's program is over: nothing is foreseen or held any more. */
    void End(RankId rank);

    /** A rank requests circuits. @return answers */
    ShimOutcome Request(const CircuitRequest& request, Picoseconds now);
    /** A rank is through with a call, or gives it back. @return answers */
    ShimOutcome Finish(const CircuitRequest& request, Picoseconds now);
    /** A rank calls an operation whose calls are compared. @return a sample, if it is known here */
    ShimOutcome Called(const CallNotice& notice, Picoseconds now);
    /** A rank gives a circuit hint. @return answers */
    ShimOutcome Hint(const CircuitHint& hint, Picoseconds now);
    /** The link of a rank's granted circuits is up. @param outcome with times of the shim */
    void LinkUp(const CircuitRequest& request, const LinkUpWatch::Outcome& outcome);
    /**
     * Messages of a rank have failed on a circuit of its grant: the controller gets an OUTAGE, also
     * the next one, if that takes over before the grant has been recalled.
     * @param request that the circuits are for; nothing happens if the rank does not hold it
     */
    void LinkFailed(const CircuitRequest& request, const RankCircuit& circuit);
    /** Takes a message of the controller. @return answers */
    ShimOutcome Take(const OpusMessage& message, Picoseconds now);
    /**
     * Takes a FALLBACK of an agent.
     * @param rail of the agent
     * @return answers
     */
    ShimOutcome TakeFallback(RailId rail, const OpusFallback& fallback, Picoseconds now);
    /**
     * @return FALLBACKs for the agents of the ranks' rails, when the shim has left the controller
     * and no rank holds circuits; each once
     */
    std::map<RailId, OpusFallback> TakeFallbacks();
    /** @return whether it has left the controller for giant rings: it sends it nothing more */
    bool HasFallenBack() const;
    /** Ends waits that are over their limit. @return answers */
    ShimOutcome TimePassed(Picoseconds now);
    /** An instant ends. @return answers and outgoing messages */
    ShimOutcome Flush(Picoseconds now);

    /** @return whether Flush() has something to do */
    bool HasOutgoing() const;
    /** @return the time of the next call of TimePassed(); NEVER if none is needed */
    Picoseconds GetNextDeadline() const;
    /** @return the greatest term that has arrived */
    uint32_t GetTerm() const;
    /** @return the counters */
    const ShimCounters& GetCounters() const;
    /** @return how long ranks have waited for circuits, the sum over ranks; see ShimStatistics */
    Time GetExposed() const;
    /** @return of that, link-up */
    Time GetExposedLinkUp() const;
    /** @return answers since the last call; the list grows until it is taken */
    std::vector<ShimNote> TakeNotes();
    /** @return link-ups since the last call; the list grows until it is taken */
    std::vector<LinkUpNote> TakeLinkUps();
    /** @return whether nothing is to be sent, and no rank has requests but those held for good */
    bool IsIdle() const;
    /** @return all of its state as text */
    std::string Describe() const;

  private:
    /** @return the state of a rank; new if there is none */
    ShimRank& RankOf(RankId rank);
    /** A controller begins a term: it gets the whole state. */
    void BeginTerm();
    /** Forgets the outages of circuits that no rank holds any more. */
    void ForgetOutages();
    /** Leaves the controller, if it has not yet. */
    void LeaveController();
    /** Has the ranks' requests that are due written. */
    void SendDue();
    /** Grants the requests that have become due, over giant rings. @param answers gets the answers
     */
    void GrantOverRings(std::vector<ShimAnswer>& answers);
    /** @return the answers that are due to ranks; calls that waited for them are passed on */
    ShimOutcome TakeAnswers();

    ShimSettings m_settings;
    ShimGroups m_groups;
    ShimStatistics m_statistics;
    ShimAnswers m_answers;
    ShimOutbox m_outbox;
    ShimInbox m_inbox;
    ShimFallback m_fallback;
    ServerCalls m_calls;
    std::map<GroupId, CallComparison> m_comparisons; //!< of groups in the server
    std::map<GroupId, RankId> m_choose;              //!< of these: the rank that chooses
    std::map<RankId, ShimRank> m_ranks;
    std::vector<OpusOutage> m_outages; //!< of grants that may not be recalled yet
    Picoseconds m_now{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CORE_H */
