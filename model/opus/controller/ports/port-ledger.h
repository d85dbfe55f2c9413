/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_LEDGER_H
#define PHOTONIC_RAILS_PORT_LEDGER_H

#include "planned-circuits.h"
#include "port-traffic.h"
#include "prepared-ports.h"
#include "term-knowledge.h"

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/circuit-planner.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"
#include "ns3/port-use.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A controller's state of each switch port: its owner, its circuit and its reconfiguration
 * (PlannedCircuits), the phases with traffic in flight on it (PortTraffic), and the guesses that it
 * is prepared for (PreparedPorts).
 *
 * The state comes from the reports of agents and shims only. A new term begins without it
 * (TermKnowledge): the rails of agents that have not reported their circuits must not be changed or
 * granted. A circuit may be in use if the shim of a rank at one of its ends has not reported its
 * grants.
 *
 * Two things never happen, and an attempt aborts: two circuits on a port, and a change of a port
 * that has traffic in flight or is reconfiguring. Where a switch reconfigures as a whole, all
 * circuits of its rail go dark with every change: none of them may change while there is traffic on
 * any.
 */
class PortLedger : public PortUse
{
  public:
    /**
     * @param cabling of the ports; all of them are dark
     * @param wholeSwitch rails that change as a whole
     */
    explicit PortLedger(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch = {});

    /** @return the circuits that stand, rail by rail */
    const RailCircuits& GetCircuits() const;
    /** @return the circuits that join two ranks, on any route between them */
    std::vector<RankCircuit> FindCircuits(const JoinedRanks& pair) const;
    /** @return whether a circuit is on a route between two ranks, or on a detour */
    bool IsOnRoute(const RankCircuit& circuit, const JoinedRanks& pair) const;
    /** @return the job that owns a port */
    std::optional<JobId> FindOwner(const RailPort& port) const;
    /** @return the phases that have traffic in flight on a port */
    std::vector<OpusPhase> GetPhases(const RailPort& port) const;
    /**
     * @return the latest end of a port's reconfiguration, in picoseconds; empty if it is not
     * reconfiguring
     */
    std::optional<Picoseconds> FindBusyUntil(const RailPort& port) const;
    /** @return whether any phase has traffic in flight */
    bool HasTraffic() const;

    // PortUse
    bool IsReconfiguring(const RailPort& port) const override;
    bool IsInFlight(const RailPort& port) const override;
    bool IsPrepared(const RailPort& port) const override;
    std::optional<PortId> FindComing(const RailPort& port) const override;
    std::string GetWhyNot(const RailPort& port) const override;

    /** @return the reason why a rail's circuits must not change now; empty if they may */
    std::string GetWhyNot(RailId rail, const CircuitPlan& plan) const;
    /** @return the reason why circuits cannot be set up now; empty if they can */
    std::string GetWhyNot(const CircuitTarget& target) const;
    /**
     * @return the reason of a refusal because a port that changes is not the job's; empty if there
     * is no such port
     */
    std::string FindForeignPort(JobId job, const CircuitTarget& target) const;

    /**
     * Starts a plan, which must be possible, and which goes to its agent.
     * @param number that no other plan has
     * @param busyUntil the latest time of its end, in picoseconds
     */
    void Start(uint64_t number, RailId rail, const CircuitPlan& plan, Picoseconds busyUntil);
    /** Adds changes to a plan that has not gone to its agent yet. They must be possible. */
    void Extend(uint64_t number, const CircuitPlan& plan);

    /** @return whether a plan has been started and has no answer */
    bool IsOpen(uint64_t number) const;
    /** @return whether any plan has been started and has no answer */
    bool HasOpenPlans() const;
    /** @return the rail of an open plan */
    RailId GetRail(uint64_t number) const;
    /** @return the change of an open plan */
    const CircuitPlan& GetPlan(uint64_t number) const;

    /** @return whether an open plan may never be done */
    bool HasUncertain() const;
    /** @return the ports of open plans that may never be done */
    std::set<RailPort> ListUncertain() const;
    /** Marks an open plan that may never be done. */
    void MarkUncertain(uint64_t number);
    /**
     * Closes a plan that is done.
     * @param dark circuits of it that get no light, and have been taken down again; other circuits
     * are ignored
     * @return the ranks at ports that may have become free, in order
     */
    std::vector<RankId> Done(uint64_t number, const std::vector<Circuit>& dark = {});
    /**
     * Closes an open plan that changed nothing.
     * @return the ranks at ports that may have become free, in order
     */
    std::vector<RankId> Abandon(uint64_t number);

    /** Begins the traffic of a phase. */
    void Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** Ends the traffic of a phase. @return the ranks at its ports, in order */
    std::vector<RankId> End(const OpusPhase& phase);

    /** Notes the circuits that were set up for a guess. */
    void Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** Ends a guess, right or wrong; does nothing for a phase that is no guess. */
    void EndPrepared(const OpusPhase& phase);

    /** Begins the term after another controller's: the state of rails and shims is unknown. */
    void BeginTerm();
    /** Takes an agent's first report of the circuits on its rail. */
    void Learn(RailId rail, const std::vector<Circuit>& circuits);
    /** Notes that all grants of a job's ranks on a server are known. */
    void Learn(JobId job, ServerId server);
    /** @return whether the circuits on a rail are known */
    bool IsKnown(RailId rail) const;
    /** @return whether the grants of a job's ranks on a server are known */
    bool IsKnown(JobId job, ServerId server) const;
    /** @return whether the grants of some ranks of a job are known */
    bool IsKnown(JobId job, const std::vector<RankId>& ranks) const;
    /** @return whether the state of all rails and shims is known */
    bool IsAllKnown() const;
    /** @return whether a shim that has not reported its grants may use a circuit of a rail */
    bool MayBeUsed(RailId rail) const;

    /** @return the ledger in words; equal ledgers have equal words */
    std::string Describe() const;

  private:
    /** @return whether a port may be changed now, as far as GetWhyNot() knows */
    bool IsFree(const RailPort& port) const;
    /** @return whether a shim that has not reported its grants may use a circuit at a port */
    bool MayBeUsed(const RailPort& port) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_wholeSwitch;
    PlannedCircuits m_circuits;
    PortTraffic m_traffic;
    PreparedPorts m_prepared;
    TermKnowledge m_knowledge;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_LEDGER_H */
