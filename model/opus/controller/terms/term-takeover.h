/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TERM_TAKEOVER_H
#define PHOTONIC_RAILS_TERM_TAKEOVER_H

#include "resumed-phases.h"
#include "unnamed-ranks.h"

#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/job-starts.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-turns.h"
#include "ns3/port-ledger.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The order in which a controller takes over a term: the reports of agents and shims, and
 * the continuation after each.
 *
 * An ACCEPT of an agent has the circuits that stand. A shim reports the phases that its ranks hold
 * or are through with (HeldPhases) and those that were refused (ReportedRefusals), and a TERM ends
 * its report. After each ACCEPT and each TERM, the held phases whose state is complete go on
 * (ResumedPhases), and all phases that wait are tried again. When everything is known, the jobs
 * start that have not started.
 */
class TermTakeover
{
  public:
    TermTakeover(PortLedger& ledger,
                 ResumedPhases& resumed,
                 UnnamedRanks& unnamed,
                 JobStarts& starts,
                 PhaseTurns& turns,
                 ControllerRecord& record);

    /** Begins the term: the state of rails and shims is unknown. */
    void Begin();
    /** Takes the circuits that stand. @param rail of the agent */
    void TakeAccept(RailId rail, const OpusAccept& accept);
    /** Takes the end of a report. @param server of the shim */
    void TakeTerm(ServerId server, const OpusTerm& end);

  private:
    /** Continues after a report of an agent or a shim. */
    void GoOn();

    PortLedger& m_ledger;
    ResumedPhases& m_resumed;
    UnnamedRanks& m_unnamed;
    JobStarts& m_starts;
    PhaseTurns& m_turns;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TERM_TAKEOVER_H */
