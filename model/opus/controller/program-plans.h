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
 * @brief The plans that agents have not answered, and the phases that each is for.
 *
 * Of all that is decided at one instant, each rail's agent gets one plan, but for phases that want
 * plans of their own (ControllerPhase::alone). Agents are told when the instant is over: until then
 * a plan may grow. Plans have the term in the upper half of their numbers, and a counter below it.
 * A plan stands here exactly as long as it is open in the PortLedger and a phase has not been told
 * of its answer.
 */
class ProgramPlans
{
  public:
    /** @param ledger of ports @param record of what is done @param outbox for agents */
    ProgramPlans(PortLedger& ledger, ControllerRecord& record, ControllerOutbox& outbox);

    /** A rail's circuits are to be changed for a phase, by one plan with those of others. */
    void Add(ControllerPhase& phase, RailId rail, const CircuitPlan& plan);
    /** Agents are told of the plans that were added since the last call. */
    void Send();

    /** @return whether an agent's message answers an open plan of its own */
    bool IsAnswer(const OpusMessage& message) const;
    /** @return the phases that an open plan is for, in the order in which they were added */
    const std::vector<OpusPhase>& GetPhases(uint64_t number) const;
    /** An open plan is answered. @return those of its phases that still wait for it */
    std::vector<OpusPhase> Close(uint64_t number, OpenPhases& phases);
    /** @return how many plans there were */
    uint64_t GetCount() const;

  private:
    PortLedger& m_ledger;
    ControllerRecord& m_record;
    ControllerOutbox& m_outbox;
    std::map<uint64_t, std::vector<OpusPhase>> m_open; //!< for whom each plan is
    std::set<uint64_t> m_unsent;
    std::map<RailId, uint64_t> m_growing; //!< of them, the one that takes more, by rail
    uint64_t m_count{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_PLANS_H */
