/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_PLANS_H
#define PHOTONIC_RAILS_PROGRAM_PLANS_H

#include "ns3/circuit-plan.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/opus-phase.h"
#include "ns3/port-ledger.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3
{

class ControllerOutbox;

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
    /** The consequences of an answer. */
    struct Closed
    {
        std::vector<RankId> ranks;             //!< at ports that may have become free
        std::vector<ControllerPhase*> waiting; //!< phases that waited for the plan
    };

    /** @param outbox for messages to agents */
    ProgramPlans(OpenPhases& phases,
                 PortLedger& ledger,
                 ControllerRecord& record,
                 ControllerOutbox& outbox);

    /** Adds a rail's changes for a phase, to one plan with those of other phases. */
    void Add(ControllerPhase& phase, RailId rail, const CircuitPlan& plan);
    /** Sends the plans that were added since the last call. */
    void Send();

    /** @return whether the agent of a rail has not answered a plan, which is for it */
    bool IsAnswer(RailId rail, uint64_t number) const;
    /** @return the phases of an open plan, in the order in which they were added */
    const std::vector<OpusPhase>& GetPhases(uint64_t number) const;
    /**
     * Closes an open plan that is done.
     * @param dark circuits of it that get no light, see PortLedger
     */
    Closed Done(uint64_t number, const std::vector<Circuit>& dark = {});
    /** Closes an open plan that changed nothing. */
    Closed Abandon(uint64_t number);
    /** @return the number of plans so far */
    uint64_t GetCount() const;

  private:
    /** Removes a plan. @return those of its phases that still wait for it */
    std::vector<ControllerPhase*> Close(uint64_t number);

    OpenPhases& m_phases;
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
