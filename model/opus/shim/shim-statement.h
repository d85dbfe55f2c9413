/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_STATEMENT_H
#define PHOTONIC_RAILS_SHIM_STATEMENT_H

#include "shim-groups.h"
#include "shim-history.h"
#include "shim-request-table.h"
#include "shim-settings.h"

#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The state of a shim, for a controller that begins a term: groups, then the held circuits
 * of ranks, their refused phases and the phases that they are through with, and an end mark.
 *
 * Open requests are not in it: they follow it. Phases that ranks are through with come after all
 * held circuits: those of a rank that holds circuits count only after these.
 * @code
 * ShimStatement statement(settings);
 * statement.AddGroups(groups);
 * statement.AddHeld(rank, requests);          // of all ranks
 * statement.AddHistory(rank, requests, history); // then of all ranks
 * outbox.BeginTerm(statement.Finish());
 * @endcode
 */
class ShimStatement
{
  public:
    /** @param settings of the shim; they must outlive it */
    explicit ShimStatement(const ShimSettings& settings);

    /** Registers groups. */
    void AddGroups(const ShimGroups& groups);
    /** Adds the circuits that a rank holds. */
    void AddHeld(RankId rank, const ShimRequestTable& requests);
    /**
     * Adds the phases that a rank was refused for good, so that no rank gets them, and the phases
     * that it is through with.
     */
    void AddHistory(RankId rank, const ShimRequestTable& requests, const ShimHistory& history);
    /** @return all messages; the last one marks the end */
    std::vector<OpusMessage> Finish();

  private:
    /** Adds a message of the shim; ShimOutbox writes its term. */
    void Add(OpusMessage::Content content);
    /** Adds that a rank is through with all phases of a flow before a place. */
    void AddThrough(RankId rank, const OpusPhase& flowKey, const ShimCall::Place& next);

    const ShimSettings& m_settings;
    std::vector<OpusMessage> m_messages;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_STATEMENT_H */
