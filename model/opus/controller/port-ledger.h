/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_LEDGER_H
#define PHOTONIC_RAILS_PORT_LEDGER_H

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/circuit-planner.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"
#include "ns3/port-use.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a controller knows of each switch port: whose it is, what circuit stands on it, which
 * phases have traffic in flight on it, and until when it is reconfiguring.
 *
 * It knows what agents and shims said, no more. A circuit stands from the agent's DONE on to the
 * PROGRAM that takes it down; between PROGRAM and the answer the ports that get a circuit are
 * reconfiguration, and if no answer comes all ports of the plan are in doubt, and not to be used. A
 * port that only loses its circuit is dark, and free, at once: the agent takes plans in the order
 * in which it is sent them. If it then says that nothing was changed, the circuit still stands,
 * unless a plan that came later and was made has one of its ports; while such a plan is open,
 * nobody else gets them. Traffic of a phase is in flight on its circuits from the decision to grant
 * it, so that nobody takes the ones that stand while others are still turned, to the release by its
 * last rank.
 *
 * In a new term nothing is known at first (BeginTerm): the rails of agents that have not said what
 * stands are not to be touched, nor granted; and of a circuit at one of whose ends is a rank whose
 * shim has not said what it holds, anybody may have the use.
 *
 * Two things never happen, and an attempt aborts: two circuits on a port, and a change of a port
 * with traffic in flight or reconfiguration. Where a switch reconfigures as a whole, all circuits
 * of its rail go dark with every change: there all ports count as reconfiguration as soon as one
 * does, and none may be changed while there is traffic on any.
 */
class PortLedger : public PortUse
{
  public:
    /** @param cabling whose ports; all are dark @param wholeSwitch rails that turn as a whole */
    explicit PortLedger(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch = {});

    /** @return the circuits that stand, rail by rail */
    const RailCircuits& GetCircuits() const;
    /** @return whose port it is, if anybody's @param port any */
    std::optional<JobId> FindOwner(const RailPort& port) const;
    /** @return the phases that have traffic in flight on a port @param port any */
    std::vector<OpusPhase> GetPhases(const RailPort& port) const;
    /** @return when a reconfiguring port is to be done at the latest, if it turns @param port any
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
    /**
     * A plan of which its agent has not been told yet is for more.
     * @param number of it
     * @param plan what is added, and may be made
     */
    void Extend(uint64_t number, const CircuitPlan& plan);

    /** @return whether a plan has been started and not been answered @param number of it */
    bool IsOpen(uint64_t number) const;
    /** @return the rail of an open plan @param number of it */
    RailId GetRail(uint64_t number) const;
    /** @return the change of an open plan @param number of it */
    const CircuitPlan& GetPlan(uint64_t number) const;

    /** It is not known whether an open plan will ever be done. @param number of it */
    void MarkUncertain(uint64_t number);
    /**
     * An open plan is done.
     * @param number of it
     * @param dark circuits of it that get no light, and have been taken down again; others are not
     * looked at
     * @return the ranks at ports that may have become free
     */
    std::set<RankId> Done(uint64_t number, const std::vector<Circuit>& dark = {});
    /** An open plan changed nothing. @return the same @param number of it */
    std::set<RankId> Abandon(uint64_t number);

    /** Traffic is in flight from now. @param phase of the traffic @param circuits that carry it */
    void Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** No more. @return the ranks at the ports @param phase that began, or not */
    std::set<RankId> End(const OpusPhase& phase);

    /** Circuits were set up for a guess. @param phase of it @param circuits that were */
    void Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** The guess came true or not. @param phase of it, or any */
    void EndPrepared(const OpusPhase& phase);

    /** Another's state is taken over: nothing is known, neither of rails nor of shims. */
    void BeginTerm();
    /** An agent says what stands, for the first time. @param rail of it @param circuits all */
    void Learn(RailId rail, const std::vector<Circuit>& circuits);
    /** All is known that a job's ranks on a server hold. @param job it @param server of them */
    void Learn(JobId job, ServerId server);
    /** @return whether it is known what stands @param rail of it */
    bool IsKnown(RailId rail) const;
    /** @return whether it is known what a job's ranks on a server hold @param job @param server */
    bool IsKnown(JobId job, ServerId server) const;
    /** @return whether everything is known of all rails and shims */
    bool IsAllKnown() const;
    /** @return whether anybody may use a circuit of whom nothing is known @param rail of it */
    bool MayBeUsed(RailId rail) const;

    /** @return the ledger in words, the same for equal ones */
    std::string Describe() const;

  private:
    /** A plan that has not been answered. */
    struct OpenPlan
    {
        RailId rail;
        CircuitPlan plan;
        Picoseconds busyUntil{0};
        bool uncertain{false};
        std::vector<Circuit> taken; //!< that it takes down, and that stand if it changed nothing
    };

    /** A circuit that an abandoned plan was to take down, while an open one is to use its ports. */
    struct LostCircuit
    {
        RailId rail;
        Circuit circuit;
    };

    /** @return the plan that turns a port, or the rail as a whole */
    std::optional<uint64_t> FindPlan(const RailPort& port) const;
    /** @return a phase with traffic on a port, or on the rail if it reconfigures as a whole */
    const OpusPhase* FindTraffic(const RailPort& port) const;
    /** @return a circuit that may still be at a port */
    const LostCircuit* FindLost(const RailPort& port) const;
    /** Forgets a plan. @return the ranks at ports that may have become free */
    std::set<RankId> Close(uint64_t number);
    /** Circuits that may still stand at the ports that a plan has joined do not. */
    void Forget(RailId rail, const std::vector<PortId>& ports);
    /** Lost circuits stand after all if no open plan has their ports. @return the ranks there */
    std::set<RankId> Restore();
    /** Ports that a plan in doubt is to turn, or may not have made dark, are kept from others. */
    void KeepUncertain();
    /** @return whether a shim that may use a circuit at a port has not said what it holds */
    bool MayBeUsed(const RailPort& port) const;
    /** @return whether nothing is known of the shim of who owns a port */
    bool IsUnconfirmed(const RailPort& port) const;
    /** @return the rank at a port that is cabled */
    RankId RankAt(const RailPort& port) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_wholeSwitch;
    RailCircuits m_circuits;
    std::map<uint64_t, OpenPlan> m_plans;
    std::map<RailPort, uint64_t> m_reconfiguring; //!< the plan that turns a port
    std::vector<LostCircuit> m_lost;
    std::map<RailPort, std::set<OpusPhase>> m_inFlight;
    std::map<OpusPhase, std::vector<RailPort>> m_ports; //!< of each phase in flight
    std::map<OpusPhase, std::set<RailPort>> m_guesses;  //!< ports that were set up for each
    std::map<RailPort, uint32_t> m_prepared;            //!< for how many guesses
    std::set<RailId> m_unknown;                         //!< rails of which nothing is known
    std::set<std::pair<JobId, ServerId>> m_unconfirmed; //!< shims that have not said what they hold
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_LEDGER_H */
