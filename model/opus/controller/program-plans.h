/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_PLANS_H
#define PHOTONIC_RAILS_PROGRAM_PLANS_H

#include "controller-outbox.h"
#include "controller-phase.h"
#include "controller-record.h"
#include "open-phases.h"
#include "port-ledger.h"

#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The plans without an answer, and the phases of each.
 *
 * The decisions of one instant make one plan for each rail's agent, except for phases that need
 * separate plans (ControllerPhase::alone). Plans are sent when the instant is over: until then a
 * plan may grow. The number of a plan has the term in its upper half, and a counter in its lower
 * half. A plan is here exactly as long as it is open in the PortLedger and a phase has not received
 * its answer.
 */
class ProgramPlans
{
  public:
    /** @param outbox for messages to agents */
    ProgramPlans(PortLedger& ledger, ControllerRecord& record, ControllerOutbox& outbox);

    /** Adds a rail's changes for a phase, to one plan with those of other phases. */
    void Add(ControllerPhase& phase, RailId rail, const CircuitPlan& plan);
    /** Sends the plans that were added since the last call. */
    void Send();

    /** @return whether an agent's message answers one of its open plans */
    bool IsAnswer(const OpusMessage& message) const;
    /** @return the phases of an open plan, in the order in which they were added */
    const std::vector<OpusPhase>& GetPhases(uint64_t number) const;
    /** Closes a plan that is answered. @return those of its phases that still wait for it */
    std::vector<OpusPhase> Close(uint64_t number, OpenPhases& phases);
    /** @return the number of plans so far */
    uint64_t GetCount() const;

  private:
    PortLedger& m_ledger;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
    std::map<uint64_t, std::vector<OpusPhase>> m_open; //!< phases of each plan
    std::set<uint64_t> m_unsent;
    std::map<RailId, uint64_t> m_growing; //!< of them, the one that may grow, by rail
    uint64_t m_count{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_PLANS_H */
