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
 * @brief All that a controller is told that begins a term and knows nothing: groups, then what the
 * ranks hold, what they were refused and what they are through with, and that this was all.
 *
 * What the ranks still request is not in it: requests follow it. What ranks are through with comes
 * after all that is held: of a rank that holds circuits it counts only once it is known that it
 * holds them.
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
    /** Tells what a rank holds. */
    void AddHeld(RankId rank, const ShimRequestTable& requests);
    /** Tells what a rank was refused for good, so that no rank of the phase gets it, and what it is
     * through with. */
    void AddHistory(RankId rank, const ShimRequestTable& requests, const ShimHistory& history);
    /** @return all messages, the last of which says that this was all */
    std::vector<OpusMessage> Finish();

  private:
    /** Adds a message of the shim, whose term ShimOutbox writes. */
    void Add(OpusMessage::Content content);
    /** Tells that a rank is through with all of a flow before a place. */
    void AddThrough(RankId rank, const OpusPhase& flowKey, const ShimCall::Place& next);

    const ShimSettings& m_settings;
    std::vector<OpusMessage> m_messages;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_STATEMENT_H */
