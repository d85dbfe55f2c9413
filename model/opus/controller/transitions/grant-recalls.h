/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANT_RECALLS_H
#define PHOTONIC_RAILS_GRANT_RECALLS_H

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3
{

class ControllerOutbox;

/**
 * @ingroup photonic-rails
 * @brief The early end of a grant: the RECALLs to its ranks.
 *
 * A grant is recalled in one of three ways. It is called in and called back once at most, and
 * shortened only to an earlier operation than before:
 *
 * - shortened: a rank released it after an earlier operation, and the others go equally far;
 * - called in: its ranks release it when they are idle, because others wait for its rails;
 * - called back: its ranks release it at once, unused. After that there is no other recall.
 */
class GrantRecalls
{
  public:
    GrantRecalls(OpenPhases& phases, ControllerRecord& record, ControllerOutbox& outbox);

    /** Shortens a granted phase that a rank has released: others go only as far as this rank. */
    void Shorten(ControllerPhase& phase, uint64_t until);
    /** Calls back a granted phase. */
    void CallBack(ControllerPhase& phase, const std::string& why);
    /** Calls back phases from all ranks, because one of them could not be informed of the grant. */
    void CallBackUndelivered(const std::set<OpusPhase>& undelivered);
    /** Calls back a granted phase in which a rank is missing, so that it may never end. */
    void CallBackIfTorn(ControllerPhase& phase);
    /** Calls in a granted phase. */
    void CallIn(ControllerPhase& phase);
    /** Sends the recalls of a phase again, which its ranks may have missed in an earlier term. */
    void Repeat(const ControllerPhase& phase);

  private:
    /** Sends the ranks of a phase a RECALL, see ControllerOutbox. */
    void Recall(const ControllerPhase& phase, const std::string& why, uint64_t until, bool all);

    OpenPhases& m_phases;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANT_RECALLS_H */
