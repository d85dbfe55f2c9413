/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_OUTCOMES_H
#define PHOTONIC_RAILS_PHASE_OUTCOMES_H

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-history.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class ControllerOutbox;

/**
 * @ingroup photonic-rails
 * @brief The outcomes of the phases that have ended, and the REFUSEs to ranks.
 *
 * Each refusal is counted, noted and sent. The outcome of a phase that is over, or is refused for
 * good, is kept (PhaseHistory): a request that comes later gets the same answer. A refusal of one
 * server's request is no outcome of the phase.
 */
class PhaseOutcomes
{
  public:
    PhaseOutcomes(ControllerRecord& record, ControllerOutbox& outbox);

    /** Refuses a phase to all its ranks. @param isFinal for good */
    void Refuse(const ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** Refuses a phase to ranks of a server. @param isFinal whether they may not request it again
     */
    void Refuse(ServerId server,
                const OpusPhase& phase,
                const std::vector<RankId>& ranks,
                const std::string& reason,
                bool isFinal);
    /** Keeps the refusal of a phase that is not open; its ranks get it when they request it. */
    void RefuseUnopened(const OpusPhase& phase, const std::string& reason);
    /** Notes that all ranks are through with a phase. */
    void Finish(const OpusPhase& phase);

    /** @return of a phase that has ended: its refusal, or empty words; else nothing */
    std::optional<std::string> Find(const OpusPhase& phase) const;
    /** Sends ranks of a server the refusal of a phase, if it was refused, again. */
    void Repeat(ServerId server, const OpusPhase& phase, const std::vector<RankId>& ranks);
    /** @return the outcomes in words; equal outcomes have equal words */
    std::string Describe() const;

  private:
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
    PhaseHistory m_history;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_OUTCOMES_H */
