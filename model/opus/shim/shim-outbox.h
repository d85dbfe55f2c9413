/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_OUTBOX_H
#define PHOTONIC_RAILS_SHIM_OUTBOX_H

#include "call-profile.h"
#include "shim-statistics.h"

#include "ns3/identifier.h"
#include "ns3/named-pairs.h"
#include "ns3/opus-message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of a shim that leave at the end of an instant.
 *
 * A controller that begins a term gets the whole state of the shim first. Then come
 * registrations, then outages, then releases, then requests, then reports of calls, each by rank
 * and phase, not in the order of the events of an instant. Messages of several ranks with the same
 * content leave as one.
 *
 * A request is only noted when it becomes due, and written at the end of the instant: by then it
 * may have been released.
 * @code
 * ShimOutbox outbox(server, counters);
 * outbox.SetDue(rank, phase);
 * for (const auto& [rank, phase] : outbox.TakeDue())
 * {
 *     outbox.AddRequest(message, pairs, false);
 * }
 * Send(outbox.Take(term));
 * @endcode
 */
class ShimOutbox
{
  public:
    /** @param server that the shim is on @param counters of requests; they must outlive it */
    ShimOutbox(ServerId server, ShimCounters& counters);

    /** Adds a registration. */
    void Add(OpusRegisterGroup registration);
    /** Adds a report of circuits on which messages failed. */
    void Add(OpusOutage outage);
    /** Adds a release. */
    void Add(OpusRelease release);
    /** Adds a report of calls. */
    void Add(OpusCalled called);
    /** A term begins; drops registrations, outages, releases and reports of calls. @param statement
     * of the whole state */
    void BeginTerm(const std::vector<OpusMessage>& statement);

    /** Makes a rank's request for a phase due. */
    void SetDue(RankId rank, const OpusPhase& phase);
    /** @return the due requests, by rank, then in the order in which they became due */
    std::vector<std::pair<RankId, OpusPhase>> TakeDue();
    /**
     * Adds a request.
     * @param request without its pairs
     * @param pairs of all ranks
     * @param nameAll whether it names all pairs, and not only those of its ranks: other ranks may
     * be through with the phase, and not name theirs any more
     */
    void AddRequest(OpusRequest request, const CallPairs& pairs, bool nameAll);

    /** @return the messages to send @param term of the controller in charge */
    std::vector<OpusMessage> Take(uint32_t term);

    /** @return whether there is no message to send */
    bool IsEmpty() const;
    /** @return the number of messages to send, without requests and the statement */
    std::size_t GetSize() const;

  private:
    /** Adds a message, or its ranks to one with the same content. */
    template <typename Content>
    void Coalesce(std::vector<OpusMessage>& outbox, const Content& content);
    /** @return pairs as requests name them; cached, because the same lists recur */
    WholePairs& GetWhole(const CallPairs& pairs);

    ServerId m_server;
    ShimCounters& m_counters;
    std::vector<OpusMessage> m_statement;
    std::vector<OpusRegisterGroup> m_registrations;
    std::vector<OpusOutage> m_outages;
    std::vector<OpusRelease> m_releases;
    std::vector<OpusCalled> m_called;
    std::vector<std::pair<RankId, OpusPhase>> m_due;
    std::vector<OpusRequest> m_requests;
    std::map<CallPairs, WholePairs> m_whole;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_OUTBOX_H */
