/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CORE_H
#define PHOTONIC_RAILS_SHIM_CORE_H

#include "shim-answers.h"
#include "shim-circuits.h"
#include "shim-groups.h"
#include "shim-inbox.h"
#include "shim-outbox.h"
#include "shim-rank.h"
#include "shim-settings.h"
#include "shim-statistics.h"

#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The decisions of the shim of a server, between its ranks' collectives and the controller:
 * calls, messages and the time go in, answers and outgoing messages come out.
 *
 *     call of a rank -> ShimRank -> ShimPrediction, ShimCircuits -> ShimOutbox -> REQUEST
 *     GRANT -> ShimInbox -> ShimRank -> ShimCircuits -> ShimAnswers -> answer
 *
 * - A request serves the operations of its flow up to `until`, as the GRANT says, if they
 *   have its pairs and one stage. It is released when the last of them is over (ShimRequest).
 * - What a rank calls in an iteration is foreseen after the first (CallProfile), and says how far a
 *   REQUEST reaches. PROVISIONED, a rank that is through with a run of one parallelism requests the
 *   first circuits of the next in advance (ShimPrediction).
 * - Circuits that a rank holds and does not use are released early if it waits for others: those
 *   of a run that is still going on only if not all fit at its ports, or after KeepIdle
 *   (ShimRequestTable). So a wrong prediction costs time and messages and never blocks a rank for
 *   good.
 * - RECALL withdraws what is under way beyond what is left of a request: the rank says Finish()
 *   when what it sent is settled and, unless it is through with the stage, Request() again in the
 *   same instant. Only Flush() decides which it was (ShimRank).
 * - What no answer comes to within GiveUpAfter is answered all the same. It is released when it is
 *   over, granted or not (ShimAnswers).
 * - CO_SCHEDULED, Hint() says what is prefetched, acquired and released; circuits that were
 *   hinted at are kept though nothing is under way.
 *
 * Messages leave in Flush(), once for all that happened in an instant (ShimOutbox). A message of a
 * greater term is a new controller's, which knows nothing (ShimInbox): it is told all
 * (ShimStatement). Messages of an earlier term do not count any more: so nothing else is held in
 * the new one than what it was told of, and what it grants.
 *
 * Requests are numbered as ControllerCore wants it. Memory is bounded by what is open, by
 * flows and by the length of an iteration.
 * @code
 * ShimCore shim(settings);
 * Tell(shim.Request(request, now).answers);
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

    // Its parts know each other
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
    /** A rank is through, or gives back. @return answers */
    ShimOutcome Finish(const CircuitRequest& request, Picoseconds now);
    /** A rank sees to its circuits. @return answers */
    ShimOutcome Hint(const CircuitHint& hint, Picoseconds now);
    /** The controller says something. @return answers */
    ShimOutcome Take(const OpusMessage& message, Picoseconds now);
    /** Waits that are over their limit end. @return answers */
    ShimOutcome TimePassed(Picoseconds now);
    /** An instant ends. @return what is to be sent */
    ShimOutcome Flush(Picoseconds now);

    /** @return whether Flush() has something to do */
    bool HasOutgoing() const;
    /** @return when TimePassed() is to be called next; NEVER if not */
    Picoseconds GetNextDeadline() const;
    /** @return the controller's term, as far as is known */
    uint32_t GetTerm() const;
    /** @return what it has done */
    const ShimCounters& GetCounters() const;
    /** @return how long ranks have waited for circuits, the sum over ranks; see ShimStatistics */
    Time GetExposed() const;
    /** @return answers since the last call; to be taken now and then, or it grows */
    std::vector<ShimNote> TakeNotes();
    /** @return whether no rank wants, holds or waits for anything but what stands for good */
    bool IsIdle() const;
    /** @return all of its state in words */
    std::string Describe() const;

  private:
    /** @return what is known of a rank; new if there is nothing */
    ShimRank& RankOf(RankId rank);
    /** A controller begins a term: it is to be told everything. */
    void BeginTerm();
    /** @return the answers that ranks are still to get */
    ShimOutcome TakeAnswers();

    ShimSettings m_settings;
    ShimGroups m_groups;
    ShimStatistics m_statistics;
    ShimAnswers m_answers;
    ShimOutbox m_outbox;
    ShimInbox m_inbox;
    std::map<RankId, ShimRank> m_ranks;
    Picoseconds m_now{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CORE_H */
