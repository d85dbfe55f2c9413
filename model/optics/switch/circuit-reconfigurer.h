/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_RECONFIGURER_H
#define PHOTONIC_RAILS_CIRCUIT_RECONFIGURER_H

#include "circuit-map.h"
#include "circuit-plan-report.h"

#include "ns3/callback.h"
#include "ns3/picoseconds.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a CircuitReconfigurer asks of the switch whose circuits it turns, and tells it.
 */
class SwitchOptics
{
  public:
    virtual ~SwitchOptics() = default;

    /** @return one reconfiguration time */
    virtual Picoseconds DrawReconfigurationTime() = 0;
    /** @return whether a change darkens all ports */
    virtual bool ReconfiguresAsAWhole() const = 0;
    /** @return whether a plan on ports that reconfigure waits; otherwise it is refused */
    virtual bool QueuesPlans() const = 0;
    /** @return whether the simulation has begun: before, plans take effect at once */
    virtual bool HasBegun() const = 0;

    /** @return whether a port is lit now */
    virtual bool IsLit(PortId port) const = 0;
    /** A circuit that is lit loses its light, now. */
    virtual void Darken(const Circuit& circuit) = 0;
    /** A circuit gets light, now. */
    virtual void Light(const Circuit& circuit, uint64_t epoch) = 0;

    /** A plan is being carried out. */
    virtual void NotifyAccepted(uint64_t plan, const CircuitPlan& what) = 0;
    /** A plan waits. */
    virtual void NotifyQueued(uint64_t plan, const CircuitPlan& what) = 0;
    /** A plan was refused. */
    virtual void NotifyRefused(const CircuitPlanReport& report) = 0;
    /** A plan is done or failed. */
    virtual void NotifyEnded(const CircuitPlanReport& report) = 0;
    /** Something is the matter with a port. */
    virtual void NotifyAlarm(PortId port, PortFault fault) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief Carries out plans over time: which ports reconfigure until when, which plans wait, which
 * ports are faulty.
 *
 * A plan starts when none of its ports turns and no plan that came earlier waits for one of them.
 * Ports that are due at an instant are at rest for whoever gives the turner something to do at that
 * very instant, whichever event runs first.
 */
class CircuitReconfigurer
{
  public:
    /** Told once how a plan ended: DONE, FAILED or REFUSED. */
    typedef Callback<void, const CircuitPlanReport&> PlanEnded;

    /** @param mirrors the switch; it must outlive this */
    explicit CircuitReconfigurer(SwitchOptics& optics);

    /** Adds a port, at rest. @return its number */
    PortId AddPort();

    /** @return the circuits as they are set, lit or not yet */
    const CircuitMap& GetMap() const;

    /**
     * @param plan what to take down and set up
     * @param ended told, at a later event, how it ended; not for a plan that is refused at once
     * @return where the plan stands
     */
    CircuitPlanReport Apply(const CircuitPlan& plan, PlanEnded ended);

    /** @return whether it is reconfiguring now */
    bool IsReconfiguring(PortId port) const;

    /**
     * @param fault what is the matter with it from now on
     * @param slower for SLOW, what it adds to the reconfiguration time
     */
    void SetFault(PortId port, PortFault fault, Picoseconds slower);

    /** A port is mended, now. A circuit that it kept dark turns anew. */
    void ClearFault(PortId port);

    /** @return what is the matter with it */
    PortFault GetFault(PortId port) const;

    /** @return plans that wait or are being carried out */
    std::size_t GetOpenPlans() const;

    /** Forgets all plans. */
    void Dispose();

  private:
    /** A port, beside its place in the map. */
    struct Port
    {
        Picoseconds restsFrom{ALWAYS_BEFORE}; //!< NEVER, while it is not known
        PortFault fault{PortFault::NONE};
        Picoseconds slower{0};
    };

    /** A plan that waits. */
    struct Waiting
    {
        uint64_t number;
        CircuitPlan plan;
        PlanEnded ended;
    };

    /** A plan that is being carried out. */
    struct Work
    {
        CircuitPlanReport report;
        PlanEnded ended;
        std::size_t unsettled{0}; //!< batches that still turn
    };

    /** What settles at one instant. */
    struct Batch
    {
        std::vector<Circuit> circuits; //!< they get light
        std::shared_ptr<Work> work;    //!< for which plan
    };

    /** @return whether a plan must wait, with so many plans in the queue before it */
    bool MustWait(const CircuitPlan& plan, std::size_t plansBefore) const;
    /** Carries a plan out, now. @return where it stands */
    CircuitPlanReport Start(uint64_t number, const CircuitPlan& plan, PlanEnded ended);
    /** Takes circuits down that a change removes, and all others if the switch reconfigures as a
     * whole. */
    void DarkenFor(CircuitChange& change);
    /** Turns circuits that get light when they have settled; for none, it takes the time alone. */
    void Reconfigure(const std::vector<Circuit>& circuits, std::shared_ptr<Work> work);
    /** All batches that are due have settled. */
    void SettleDue();
    /** A batch has settled. */
    void Settle(const Batch& batch);
    /** Tells how a plan ended. */
    void Finish(std::shared_ptr<Work> work);
    /** Starts the plans that need no longer wait. */
    void StartWaiting();

    SwitchOptics& m_optics;
    CircuitMap m_map;
    std::vector<Port> m_ports;
    std::deque<Waiting> m_waiting;                //!< in the order in which they came
    std::multimap<Picoseconds, Batch> m_settling; //!< by when they are due
    uint64_t m_plans{0};                          //!< given numbers so far
    std::size_t m_working{0};                     //!< plans that are being carried out
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_RECONFIGURER_H */
