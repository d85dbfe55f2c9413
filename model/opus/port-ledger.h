/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_LEDGER_H
#define PHOTONIC_RAILS_PORT_LEDGER_H

#include "cabling.h"
#include "circuit-planner.h"
#include "opus-message.h"

#include "ns3/circuit-plan.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a controller knows of each switch port: whose it is, what circuit stands on it, which
 * phases have traffic in flight on it, and until when it is turning.
 *
 * It knows what agents and shims said, no more. A circuit stands from the agent's DONE on; between
 * PROGRAM and the answer the ports of the plan are turning, and if no answer comes they stay so: in
 * doubt, and not to be used. Traffic of a phase is in flight on its circuits from the decision to
 * grant it, so that nobody takes the ones that stand while others are still turned, to the release
 * by its last rank.
 *
 * Two things never happen, and an attempt aborts: two circuits on a port, and a change of a port
 * with traffic in flight or turning.
 */
class PortLedger
{
  public:
    /** @param cabling whose ports; all are dark */
    explicit PortLedger(std::shared_ptr<const Cabling> cabling);

    /** @return the circuits that stand, rail by rail */
    const RailCircuits& GetCircuits() const;
    /** @return whose port it is, if anybody's @param port any */
    std::optional<JobId> FindOwner(const RailPort& port) const;
    /** @return the phases that have traffic in flight on a port @param port any */
    std::vector<OpusPhase> GetPhases(const RailPort& port) const;
    /** @return when a turning port is to be done at the latest, if it turns @param port any */
    std::optional<Picoseconds> FindBusyUntil(const RailPort& port) const;
    /** @return whether a rank has a port that is turning or in doubt @param rank one with ports */
    bool IsTurning(RankId rank) const;

    /**
     * @param rail of a switch
     * @param plan a change of its circuits
     * @return why it may not be made now; empty if it may
     */
    std::string GetWhyNot(RailId rail, const CircuitPlan& plan) const;

    /**
     * An agent is told of a plan that may be made.
     * @param number of the plan, its own
     * @param rail of the switch
     * @param plan the change
     * @param busyUntil when it is to be done at the latest
     */
    void Start(uint64_t number, RailId rail, const CircuitPlan& plan, Picoseconds busyUntil);

    /** @return whether a plan has been started and not been answered @param number of it */
    bool IsOpen(uint64_t number) const;
    /** @return the rail of an open plan @param number of it */
    RailId GetRail(uint64_t number) const;
    /** @return the change of an open plan @param number of it */
    const CircuitPlan& GetPlan(uint64_t number) const;

    /** An open plan is done. @return the ranks at its ports @param number of it */
    std::set<RankId> Done(uint64_t number);
    /** An open plan changed nothing. @return the ranks at its ports @param number of it */
    std::set<RankId> Abandon(uint64_t number);

    /** Traffic is in flight from now. @param phase of the traffic @param circuits that carry it */
    void Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** No more. @return the ranks at the ports @param phase that began, or not */
    std::set<RankId> End(const OpusPhase& phase);

    /** @return the ledger in words, the same for equal ones */
    std::string Describe() const;

  private:
    /** A plan that has not been answered. */
    struct OpenPlan
    {
        RailId rail;
        CircuitPlan plan;
        Picoseconds busyUntil{0};
    };

    /** Forgets a plan. @return the ranks at its ports */
    std::set<RankId> Close(uint64_t number);

    std::shared_ptr<const Cabling> m_cabling;
    RailCircuits m_circuits;
    std::map<uint64_t, OpenPlan> m_plans;
    std::map<RailPort, uint64_t> m_turning; //!< the plan that turns a port
    std::map<RailPort, std::set<OpusPhase>> m_inFlight;
    std::map<OpusPhase, std::vector<RailPort>> m_ports; //!< of each phase in flight
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_LEDGER_H */
