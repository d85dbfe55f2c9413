/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OTHER_RAILS_H
#define PHOTONIC_RAILS_OTHER_RAILS_H

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/controller-outbox.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/controller-settings.h"
#include "ns3/grant-recalls.h"
#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-turns.h"
#include "ns3/port-ledger.h"
#include "ns3/ptr.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Other rails instead of ports without light: phases get circuits of the ports that are
 * left, and where a rank has none, of another rail, to which the fabrics inside servers forward.
 *
 * A circuit is *dark* from the OUTAGE of a rank whose messages failed on it, or the ALARM of the
 * switch. No sign says which of its two ends is faulty, so neither port is used. It stays up, since
 * nothing else can use its ports, and both servers get a WATCH. When both have sent their CARRIER,
 * the circuit is used again. One that the switch has taken down is not used again in this term.
 * Ports of a plan without an answer are not used until the answer comes.
 *
 * While there are such ports, phases get circuits as follows. Pairs of a rail whose ranks both have
 * a port left stay on it. Of the other pairs, those of rail r take one of the n rails on which both
 * servers have ports left: number r modulo n of them, in order. Their messages share its circuits
 * with those of its own ranks. The policy chooses the ports, by a cabling that has only those left.
 *
 * A phase that holds a dark circuit is recalled from all ranks at once. When a circuit is repaired,
 * phases of its ranks are called in, so that the next operation is on the own rail.
 */
class OtherRails
{
  public:
    /**
     * Aborts if the settings have otherRails, and something else that excludes it.
     * @param settings of the controller
     * @param policy of the controller
     */
    OtherRails(const ControllerSettings& settings,
               const CircuitPolicy& policy,
               std::shared_ptr<const Cabling> cabling,
               OpenPhases& phases,
               PhaseTurns& turns,
               GrantRecalls& recalls,
               const PortLedger& ledger,
               ControllerOutbox& outbox,
               ControllerRecord& record);

    /** Messages of ranks have failed on circuits of a phase. */
    void TakeOutage(const OpusOutage& outage);
    /** Ports of dark circuits have carrier again. @param rail of the ports */
    void TakeCarrier(RailId rail, const OpusCarrier& carrier);
    /**
     * Circuits of a phase get no light, and have been taken down.
     * @return whether the phase can be tried again without them
     */
    bool Engage(const ControllerPhase& phase, RailId rail, const std::vector<SwitchCircuit>& dark);
    /**
     * A plan of a phase had no answer in time, and its ports are uncertain.
     * @return whether the phase can be tried again without them
     */
    bool GoWithout(const ControllerPhase& phase);

    /** @return whether there are ports that must not be used */
    bool Apply() const;
    /** Adds the relays that a phase may have on other rails. */
    void AddRanks(ControllerPhase& phase) const;
    /** @return the circuits of a phase while there are ports that must not be used */
    CircuitTarget GetTarget(const CircuitQuestion& question) const;

    /** @return the dark ports in words; equal sets have equal words */
    std::string Describe() const;

  private:
    /** The end of a dark circuit. */
    struct DarkEnd
    {
        PortId other;      //!< the other end
        bool isLit{false}; //!< it has carrier again
    };

    /** @return whether a circuit stands, and is not being changed */
    bool Stands(const RankCircuit& circuit, JobId job) const;
    /** Adds the ends of a dark circuit. @return whether neither was dark before */
    bool AddDark(RailId rail, PortId one, PortId other);
    /** Notes that a circuit that stands is dark. @return whether it was not known */
    bool MarkDark(const RankCircuit& circuit, JobId job);
    /** Phases can be on other rails than before. */
    void ReviewAll();
    /** @return the ports that must not be used */
    std::set<RailPort> ListUnusable() const;
    /** @return the cabling of the ports that may be used, and brings the policy up to it */
    const Cabling& GetLeft() const;
    /** @return the pairs of ranks to be joined so that the pairs of a question are, or a reason */
    RoutedPairs Route(const CircuitQuestion& question) const;

    bool m_isOn;
    ObjectFactory m_policyFactory;
    std::shared_ptr<const Cabling> m_cabling;
    OpenPhases& m_phases;
    PhaseTurns& m_turns;
    GrantRecalls& m_recalls;
    const PortLedger& m_ledger;
    ControllerOutbox& m_outbox;
    ControllerRecord& m_record;
    std::map<RailPort, DarkEnd> m_dark;
    // made anew when the ports that must not be used have changed
    mutable std::set<RailPort> m_unusable;
    mutable std::shared_ptr<const Cabling> m_left;
    mutable Ptr<CircuitPolicy> m_policy;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OTHER_RAILS_H */
