/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_RECONFIGURER_H
#define PHOTONIC_RAILS_CIRCUIT_RECONFIGURER_H

#include "circuit-map.h"
#include "circuit-plan-report.h"
#include "fabric-routes.h"

#include "ns3/callback.h"
#include "ns3/picoseconds.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The interface of a CircuitReconfigurer to its switch: parameters, light and notifications.
 */
class SwitchOptics
{
  public:
    virtual ~SwitchOptics() = default;

    /** @return one reconfiguration time */
    virtual Picoseconds DrawReconfigurationTime() = 0;
    /** @return whether a plan takes the light of all ports */
    virtual bool ReconfiguresAsAWhole() const = 0;
    /** @return whether a plan waits for ports that reconfigure; otherwise it is refused */
    virtual bool QueuesPlans() const = 0;
    /** @return whether the simulation has begun: before, plans take effect at once */
    virtual bool HasBegun() const = 0;

    /** @return whether a port is lit now */
    virtual bool IsLit(PortId port) const = 0;
    /** A circuit that is lit loses its light, now. */
    virtual void Darken(const Circuit& circuit) = 0;
    /** A circuit gets light, now. */
    virtual void Light(const Circuit& circuit, uint64_t epoch) = 0;

    /** Gives new circuits their routes, if there are some. */
    virtual RouteChange ChangeRoutes(const CircuitChange& change) = 0;
    /** @return the reason why the light of a circuit would be too weak; empty: it is not */
    virtual std::string GetWhyTooWeak(const Circuit& circuit) const = 0;
    /** @return the earliest instant at which a circuit may get light */
    virtual Picoseconds GetClearFrom(const Circuit& circuit) const = 0;

    /** A plan is being carried out. */
    virtual void NotifyAccepted(uint64_t plan, const CircuitPlan& what) = 0;
    /** A plan waits. */
    virtual void NotifyQueued(uint64_t plan, const CircuitPlan& what) = 0;
    /** A plan was refused. */
    virtual void NotifyRefused(const CircuitPlanReport& report) = 0;
    /** A plan is done or failed. */
    virtual void NotifyEnded(const CircuitPlanReport& report) = 0;
    /** The switch has detected a fault of a port. */
    virtual void NotifyAlarm(PortId port, PortFault fault) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief Carries out plans over time. It keeps the ports that reconfigure, the plans that wait and
 * the faults of ports.
 *
 * A plan starts when none of its ports reconfigures and no earlier plan waits for one of them.
 * Ports whose reconfiguration ends at an instant are ready for a plan of that instant, in either
 * order of the two events.
 *
 * Without power it refuses all plans.
 *
 * The fabric of the switch is asked for the routes of a plan when it starts. A circuit that moves
 * to another route for it is dark meanwhile, like the circuits of the plan.
 */
class CircuitReconfigurer
{
  public:
    /** Called once, at the end of a plan: DONE, FAILED or REFUSED. */
    typedef Callback<void, const CircuitPlanReport&> PlanEnded;

    /** @param optics the switch; it must outlive this object */
    explicit CircuitReconfigurer(SwitchOptics& optics);

    /** Adds a port that does not reconfigure. @return its number */
    PortId AddPort();

    /** @return the circuits as they are set, with or without light */
    const CircuitMap& GetMap() const;

    /**
     * @param plan the circuits to take down and to set up
     * @param ended called in a later event when the plan has ended; not for a plan that is refused
     *        at once
     * @return the status of the plan
     */
    CircuitPlanReport Apply(const CircuitPlan& plan, PlanEnded ended);

    /** @return whether a port reconfigures now */
    bool IsReconfiguring(PortId port) const;

    /**
     * @param fault holds from now on
     * @param slower for SLOW, the addition to the reconfiguration time
     */
    void SetFault(PortId port, PortFault fault, Picoseconds slower);

    /** A port is repaired, now. A circuit that it kept dark is reconfigured again. */
    void ClearFault(PortId port);

    /** @return the fault of a port */
    PortFault GetFault(PortId port) const;

    /** @return the reason why a circuit that is set would get no light; empty: it gets light */
    std::string GetWhyNoLight(const Circuit& circuit) const;
    /** @return the reason why light does not pass ports that are stuck dark */
    static std::string GetWhyStuck(const std::vector<PortId>& ports);

    /**
     * The power goes, now: no circuit carries light, the plans that are being carried out fail, and
     * those that wait are refused.
     * @param isLatching whether circuits stay set, but for those in reconfiguration
     */
    void LosePower(bool isLatching);
    /** The power is back, now: circuits that are set carry light. */
    void RegainPower();
    /** @return whether there is power */
    bool HasPower() const;

    /**
     * Changes what ports lead to, now: their circuits that are set are other circuits after it.
     * @param ports in any order
     * @param change carries it out while they carry no light
     */
    void Rewire(const std::vector<PortId>& ports, const std::function<void()>& change);

    /** @return plans that wait or are being carried out */
    std::size_t GetOpenPlans() const;

    /** @return the number of plans so far */
    uint64_t GetPlans() const
    {
        return m_plans;
    }

    /** Drops all plans. */
    void Dispose();

  private:
    /** The state of a port, besides its entry in the map. */
    struct Port
    {
        Picoseconds restsFrom{ALWAYS_BEFORE}; //!< NEVER while it is unknown
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
        std::size_t unsettled{0};        //!< batches that still reconfigure
        std::vector<PortId> faulty{};    //!< that are stuck dark
        std::vector<std::string> weak{}; //!< circuits whose loss is too high, in words
    };

    /** The ports and circuits that settle at one instant. */
    struct Batch
    {
        std::vector<Circuit> circuits; //!< the circuits that get light
        std::shared_ptr<Work> work;    //!< the plan that they belong to
    };

    /**
     * @return whether a plan must wait
     * @param plansBefore number of plans in the queue before it
     */
    bool MustWait(const CircuitPlan& plan, std::size_t plansBefore) const;
    /** Carries a plan out, now. @return its status */
    CircuitPlanReport Start(uint64_t number, const CircuitPlan& plan, PlanEnded ended);
    /** Takes the light of circuits that have some. */
    void DarkenAll(const std::vector<Circuit>& circuits);
    /**
     * Takes the light of circuits that a change removes, and of all others if the switch
     * reconfigures as a whole.
     */
    void DarkenFor(CircuitChange& change);
    /**
     * Reconfigures circuits, which get light when they have settled; without circuits it only takes
     * the time.
     */
    void Reconfigure(const std::vector<Circuit>& circuits, std::shared_ptr<Work> work);
    /** All batches that are due have settled. */
    void SettleDue();
    /** A batch has settled. */
    void Settle(const Batch& batch);
    /** @return the ports of a circuit that are stuck dark */
    std::vector<PortId> FindStuck(const Circuit& circuit) const;
    /** A circuit that is set and dark is another one from now on, if it gets light. */
    void LightAnew(const Circuit& circuit);
    /** Lights circuits that get light. Notes the others. */
    void LightAll(const std::vector<Circuit>& circuits, Work& work);
    /** Completes the report of a plan whose circuits are settled. */
    static void Conclude(Work& work);
    /** Reports the end of a plan. */
    void Finish(std::shared_ptr<Work> work);
    /** Reports that the power is lost. */
    void FailForPower(Work& work);
    /** @return a report of a plan that is refused because there is no power */
    CircuitPlanReport RefuseForPower(uint64_t number, const CircuitPlan& plan);
    /** Starts the plans that no longer wait. */
    void StartWaiting();

    SwitchOptics& m_optics;
    CircuitMap m_map;
    std::vector<Port> m_ports;
    std::deque<Waiting> m_waiting;                //!< in the order in which they came
    std::multimap<Picoseconds, Batch> m_settling; //!< by the instant at which they settle
    bool m_hasPower{true};
    uint64_t m_plans{0};      //!< number of plans so far
    std::size_t m_working{0}; //!< plans that are being carried out
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_RECONFIGURER_H */
