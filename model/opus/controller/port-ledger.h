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
#include "ns3/opus-message.h"
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
 * @brief What a controller knows of each switch port: whose it is, what circuit stands on it and
 * until when it is reconfiguring (PlannedCircuits), which phases have traffic in flight on it
 * (PortTraffic), and for which guesses it was set up (PreparedPorts).
 *
 * It knows what agents and shims said, no more. In a new term nothing is known at first
 * (TermKnowledge): the rails of agents that have not said what stands are not to be touched, nor
 * granted; and of a circuit at one of whose ends is a rank whose shim has not said what it holds,
 * any rank may have the use.
 *
 * Two things never happen, and an attempt aborts: two circuits on a port, and a change of a port
 * that has traffic in flight or is reconfiguring. Where a switch reconfigures as a whole, all
 * circuits of its rail go dark with every change: there none may be changed while there is traffic
 * on any.
 */
class PortLedger : public PortUse
{
  public:
    /** @param cabling of the ports; all are dark @param wholeSwitch rails that change as a whole */
    explicit PortLedger(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch = {});

    /** @return the circuits that stand, rail by rail */
    const RailCircuits& GetCircuits() const;
    /** @return the job that owns a port */
    std::optional<JobId> FindOwner(const RailPort& port) const;
    /** @return the phases that have traffic in flight on a port */
    std::vector<OpusPhase> GetPhases(const RailPort& port) const;
    /** @return when a port is to be done at the latest, in picoseconds, if it is reconfiguring */
    std::optional<Picoseconds> FindBusyUntil(const RailPort& port) const;
    /** @return whether any phase has traffic in flight */
    bool HasTraffic() const;

    // PortUse
    bool IsReconfiguring(const RailPort& port) const override;
    bool IsInFlight(const RailPort& port) const override;
    bool IsPrepared(const RailPort& port) const override;
    std::optional<PortId> FindComing(const RailPort& port) const override;
    std::string GetWhyNot(const RailPort& port) const override;

    /** @return why a change of a rail's circuits may not be made now; empty if it may */
    std::string GetWhyNot(RailId rail, const CircuitPlan& plan) const;

    /**
     * An agent is told of a plan that may be made.
     * @param number of no other plan
     * @param busyUntil when it is to be done at the latest, in picoseconds
     */
    void Start(uint64_t number, RailId rail, const CircuitPlan& plan, Picoseconds busyUntil);
    /** A plan of which its agent has not been told yet is for more, which may be made. */
    void Extend(uint64_t number, const CircuitPlan& plan);

    /** @return whether a plan has been started and not been answered */
    bool IsOpen(uint64_t number) const;
    /** @return the rail of an open plan */
    RailId GetRail(uint64_t number) const;
    /** @return the change of an open plan */
    const CircuitPlan& GetPlan(uint64_t number) const;

    /** It is not known whether an open plan will ever be done. */
    void MarkUncertain(uint64_t number);
    /**
     * An open plan is done.
     * @param dark circuits of it that get no light, and have been taken down again; others are not
     * looked at
     * @return the ranks at ports that may have become free
     */
    std::set<RankId> Done(uint64_t number, const std::vector<Circuit>& dark = {});
    /** An open plan changed nothing. @return the ranks at ports that may have become free */
    std::set<RankId> Abandon(uint64_t number);

    /** Traffic of a phase is in flight from now on. */
    void Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** No traffic of a phase is in flight any more. @return the ranks at its ports */
    std::set<RankId> End(const OpusPhase& phase);

    /** Circuits were set up for a guess. */
    void Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** A guess came true or not; nothing happens if a phase was none. */
    void EndPrepared(const OpusPhase& phase);

    /** The state of another controller is taken over: nothing is known of rails and shims. */
    void BeginTerm();
    /** An agent says which circuits stand on its rail, for the first time. */
    void Learn(RailId rail, const std::vector<Circuit>& circuits);
    /** All is known that a job's ranks on a server hold. */
    void Learn(JobId job, ServerId server);
    /** @return whether it is known what stands on a rail */
    bool IsKnown(RailId rail) const;
    /** @return whether it is known what a job's ranks on a server hold */
    bool IsKnown(JobId job, ServerId server) const;
    /** @return whether everything is known of all rails and shims */
    bool IsAllKnown() const;
    /** @return whether a shim that has not said what it holds may use a circuit of a rail */
    bool MayBeUsed(RailId rail) const;

    /** @return the ledger in words, the same for equal ones */
    std::string Describe() const;

  private:
    /** @return whether a shim that may use a circuit at a port has not said what it holds */
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
