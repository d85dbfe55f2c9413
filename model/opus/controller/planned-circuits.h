/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PLANNED_CIRCUITS_H
#define PHOTONIC_RAILS_PLANNED_CIRCUITS_H

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
 * @brief The circuits that stand on switches as far as agents have said, and the plans that are to
 * change them and have not been answered.
 *
 * A circuit stands from the agent's DONE on to the PROGRAM that takes it down; between PROGRAM and
 * the answer the ports that get a circuit are reconfiguring, and if no answer comes all ports of
 * the plan are in doubt. A port that only loses its circuit is dark, and free, at once: the agent
 * takes plans in the order in which it is sent them. If it then says that nothing was changed, the
 * circuit still stands, unless a plan that came later and was made has one of its ports; while such
 * a plan is open, the circuit is lost: it may stand, and no other plan gets its ports.
 *
 * No port ever has two circuits. Where a switch reconfigures as a whole, all its ports count as
 * reconfiguring as soon as one does.
 */
class PlannedCircuits
{
  public:
    /** @param cabling of the ports; all are dark @param wholeSwitch rails that change as a whole */
    PlannedCircuits(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch);

    /** @return the circuits that stand, rail by rail */
    const RailCircuits& GetCircuits() const;
    /** Circuits stand on a rail. @return whether they can, beside those that are there already */
    bool Adopt(RailId rail, const CircuitPlan& standing);

    /** A plan, which changes nothing yet, is open. @param busyUntil the time of its last answer */
    void Start(uint64_t number, RailId rail, Picoseconds busyUntil);
    /** An open plan is for more changes, which can be made. */
    void Extend(uint64_t number, const CircuitPlan& plan);
    /** It is not known whether an open plan will ever be done. */
    void MarkUncertain(uint64_t number);
    /**
     * An open plan is done.
     * @param dark circuits of it that get no light, and have been taken down again; others are not
     * looked at
     * @return the ranks at ports that may have become free
     */
    std::set<RankId> Done(uint64_t number, const std::vector<Circuit>& dark);
    /** An open plan changed nothing. @return the ranks at ports that may have become free */
    std::set<RankId> Abandon(uint64_t number);

    bool IsOpen(uint64_t number) const;
    /** @return whether it is not known if an open plan will ever be done */
    bool IsUncertain(uint64_t number) const;
    /** @return the rail of an open plan */
    RailId GetRail(uint64_t number) const;
    /** @return the change of an open plan */
    const CircuitPlan& GetPlan(uint64_t number) const;

    /** @return the plan that reconfigures a port, or its rail as a whole */
    std::optional<uint64_t> FindPlan(const RailPort& port) const;
    /** @return when a reconfiguring port is to be done at the latest, in picoseconds */
    std::optional<Picoseconds> FindBusyUntil(const RailPort& port) const;
    /** @return the port that a reconfiguring port is about to be joined to */
    std::optional<PortId> FindComing(const RailPort& port) const;
    /** @return a lost circuit at a port */
    std::optional<Circuit> FindLost(const RailPort& port) const;

    /** @return the state in words, the same for equal ones */
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

    /** Forgets a plan. @return the ranks at ports that may have become free */
    std::set<RankId> Close(uint64_t number);
    /** Circuits that may still stand at the ports that a plan has joined do not. */
    void Forget(RailId rail, const std::vector<PortId>& ports);
    /** Lost circuits stand after all if no open plan has their ports. @return the ranks there */
    std::set<RankId> Restore();
    /** Ports that a plan in doubt is to change, or may not have made dark, are kept from others. */
    void KeepUncertain();
    /** @return the rank at a port that is cabled */
    RankId RankAt(const RailPort& port) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_wholeSwitch;
    RailCircuits m_circuits;
    std::map<uint64_t, OpenPlan> m_plans;
    std::map<RailPort, uint64_t> m_reconfiguring; //!< the plan that changes a port
    std::vector<LostCircuit> m_lost;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PLANNED_CIRCUITS_H */
