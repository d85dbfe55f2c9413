/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PLANNED_CIRCUITS_H
#define PHOTONIC_RAILS_PLANNED_CIRCUITS_H

#include "port-table.h"

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"
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
 * @brief The circuits that stand on switches according to the agents, and the plans without an
 * answer that are to change them.
 *
 * A circuit stands from the agent's DONE on to the PROGRAM that takes it down; between PROGRAM and
 * the answer the ports that get a circuit are reconfiguring, and if no answer comes all ports of
 * the plan are uncertain. A port that only loses its circuit is dark, and free, at once, because
 * the agent takes plans in the order of sending. If the agent then reports that nothing was
 * changed, the circuit still stands, unless a later plan that was done has one of its ports. While
 * such a later plan is open, the circuit is lost: it may stand, and no other plan gets its ports.
 *
 * No port ever has two circuits. Where a switch reconfigures as a whole, all its ports count as
 * reconfiguring as soon as one does.
 */
class PlannedCircuits
{
  public:
    /**
     * @param cabling of the ports; all of them are dark
     * @param wholeSwitch rails that change as a whole
     */
    PlannedCircuits(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch);

    /** @return the circuits that stand, rail by rail */
    const RailCircuits& GetCircuits() const;
    /** Adds circuits that stand on a rail. @return whether they fit beside the present ones */
    bool Adopt(RailId rail, const CircuitPlan& standing);

    /** Opens a plan without changes. @param busyUntil the latest time of its answer */
    void Start(uint64_t number, RailId rail, Picoseconds busyUntil);
    /** Adds changes to an open plan, which must be possible. */
    void Extend(uint64_t number, const CircuitPlan& plan);
    /** Marks an open plan that may never be done. */
    void MarkUncertain(uint64_t number);
    /**
     * Closes a plan that is done.
     * @param dark circuits of it that get no light, and have been taken down again; other circuits
     * are ignored
     * @return the ranks at ports that may have become free, in order
     */
    std::vector<RankId> Done(uint64_t number, const std::vector<Circuit>& dark);
    /**
     * Closes an open plan that changed nothing.
     * @return the ranks at ports that may have become free, in order
     */
    std::vector<RankId> Abandon(uint64_t number);

    bool IsOpen(uint64_t number) const;
    /** @return whether any plan is open */
    bool HasOpen() const;
    /** @return whether an open plan may never be done */
    bool IsUncertain(uint64_t number) const;
    /** @return whether any open plan may never be done */
    bool HasUncertain() const;
    /** @return the ports of such plans */
    std::set<RailPort> ListUncertain() const;
    /** @return the rail of an open plan */
    RailId GetRail(uint64_t number) const;
    /** @return the change of an open plan */
    const CircuitPlan& GetPlan(uint64_t number) const;

    /** @return the plan that reconfigures a port, or its rail as a whole; empty if there is none */
    std::optional<uint64_t> FindPlan(const RailPort& port) const;
    /**
     * @return the latest end of a port's reconfiguration, in picoseconds; empty if it is not
     * reconfiguring
     */
    std::optional<Picoseconds> FindBusyUntil(const RailPort& port) const;
    /** @return the port that a reconfiguring port will be joined to */
    std::optional<PortId> FindComing(const RailPort& port) const;

    /** @return whether any circuit is lost */
    bool HasLost() const
    {
        return !m_lost.empty();
    }

    /** @return a lost circuit at a port */
    std::optional<Circuit> FindLost(const RailPort& port) const;

    /** @return the state in words; equal states have equal words */
    std::string Describe() const;

  private:
    /** A plan without an answer. */
    struct OpenPlan
    {
        RailId rail;
        CircuitPlan plan;
        Picoseconds busyUntil{0};
        bool uncertain{false};
        std::vector<Circuit> taken; //!< that it takes down, and that stand if it changes nothing
    };

    /**
     * A circuit of an abandoned plan that was to take it down, while an open plan has its ports.
     */
    struct LostCircuit
    {
        RailId rail;
        Circuit circuit;
    };

    /** The change of a port by an open plan. */
    struct Reconfiguration
    {
        std::optional<uint64_t> plan; //!< empty: there is none
        std::optional<PortId> coming; //!< the port that it will be joined to
    };

    /** Removes a plan. @return the ranks at ports that may have become free, in order */
    std::vector<RankId> Close(uint64_t number);
    /** Removes from other plans the circuits that they took down at ports of a plan that is done.
     */
    void Forget(uint64_t done);
    /** Restores the lost circuits whose ports no open plan has. @param ranks get those there */
    void Restore(std::vector<RankId>& ranks);
    /** Notes that a plan changes a port. @return the change */
    Reconfiguration& Reconfigure(const RailPort& port, uint64_t number);
    /** @return the change of a port; null if there is none */
    const Reconfiguration* FindReconfiguration(const RailPort& port) const;
    /**
     * Keeps the ports of uncertain plans from others: those that change, or may not have become
     * dark.
     */
    void KeepUncertain();
    /** @return the rank at a port that is cabled */
    RankId RankAt(const RailPort& port) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_wholeSwitch;
    RailCircuits m_circuits;
    std::map<uint64_t, OpenPlan> m_plans;
    PortTable<Reconfiguration> m_reconfiguring;
    std::set<RailPort> m_onWhole; //!< ports that change, of switches that change as a whole
    std::vector<LostCircuit> m_lost;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PLANNED_CIRCUITS_H */
