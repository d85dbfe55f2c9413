/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_CIRCUIT_SWITCH_H
#define PHOTONIC_RAILS_OPTICAL_CIRCUIT_SWITCH_H

#include "circuit-light.h"
#include "circuit-reconfigurer.h"
#include "fabric-routes.h"
#include "ocs-technology.h"
#include "optical-switch-port.h"

#include "ns3/frame-drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-fabric.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An optical circuit switch: it connects ports one to one, and a reconfiguration takes time.
 *
 * **Model.** Light that enters a port leaves from the other port of its circuit, after
 * `PropagationDelay`; the switch does not read, store, queue or serialise frames. A circuit is
 * bidirectional. A port always has at most one circuit. Aggregate the switch to a Node; AddPort()
 * gives the node a device for every port.
 *
 * **Reconfiguration.** Apply() takes down some circuits and sets up others as one change. At that
 * instant the dark time of the ports whose circuit changes begins; `ReconfigurationTime` later
 * (drawn once a plan, in seconds) the new circuits carry light. A port that only loses its circuit
 * does not reconfigure: it can have another at once. Other ports are not disturbed, unless
 * `Granularity` selects the whole switch. A plan whose ports still reconfigure for an earlier one
 * is queued behind it or refused, by `WhenReconfiguring`. A plan that cannot be carried out is
 * refused with a message, and nothing changes. Before the simulation begins, plans take effect at
 * once, as the initial state.
 *
 * **Cutting.** A frame takes the circuit that is up at its ingress port when its first bit arrives,
 * and must find the same circuit there, of the same epoch, at its last bit; a last bit that arrives
 * at the instant of the cut still passes. Otherwise the switch drops the frame, with a reason.
 * Light follows the same circuits: the far end loses it with the circuit.
 *
 * **Faults.** SetFault() makes a port stuck dark or slow to settle; the `Alarm` trace fires when
 * the switch can detect the fault. ClearFault() repairs the port: a circuit that it kept dark is
 * reconfigured again. Misconnect() swaps the fibers of two ports, which the switch cannot detect:
 * light, and frames, come out at the wrong fiber.
 *
 * **Power.** Without power no port passes light, and plans are refused. When it is back, a
 * `Latching` switch has the circuits that were set, at once, in new epochs; another one has none.
 * Circuits in reconfiguration are lost in both cases, and their plan fails.
 *
 * **Fabric.** The inside of the switch is a SwitchFabric. The default, an ideal crossbar, joins any
 * ports. A mesh of 2x2 cells does not set all circuits together: a plan whose circuits have no
 * routes is refused, with the reason. Circuits that a plan does not name keep their routes, unless
 * `Rearrange` lets them move; those that move are dark for the reconfiguration time. The route of a
 * circuit adds to the delay, and has a loss.
 *
 * **Link budget.** A circuit gets no light if the power that a transceiver at one of its ends
 * launches, less the loss of its route, is below the sensitivity of the one at the other end. Its
 * plan fails, with the reason, as with a port that is stuck dark. The NICs' attributes are at the
 * fibers' far ends; the default sensitivity is no limit. A chain of switches has no budget.
 *
 * Not modelled: single wavelengths, amplifiers, and the penalty of crosstalk, which is reported.
 *
 * @code
 * Ptr<OpticalCircuitSwitch> ocs = CreateObject<OpticalCircuitSwitch>();
 * node->AggregateObject(ocs);
 * ocs->SetAttribute("Technology", StringValue("mems"));
 * ... ocs->AddPort(), with a fiber to each, or PhotonicRailHelper for all of this ...
 * ocs->Connect(PortId(0), PortId(1));
 * @endcode
 */
class OpticalCircuitSwitch : public Object, private SwitchOptics
{
  public:
    /** The ports that have dark time for a plan. */
    enum Granularity
    {
        BY_TECHNOLOGY, //!< by the technology
        PER_PORT,      //!< those whose circuit changes
        WHOLE_SWITCH,  //!< all
    };

    /** The treatment of a plan whose ports reconfigure. */
    enum WhenReconfiguring
    {
        QUEUE,  //!< it waits
        REFUSE, //!< it is refused
    };

    /** Called once, at the end of a plan: DONE, FAILED or REFUSED. */
    typedef CircuitReconfigurer::PlanEnded PlanEnded;

    /** @return the type */
    static TypeId GetTypeId();

    OpticalCircuitSwitch();
    ~OpticalCircuitSwitch() override;

    /**
     * Adds a port to the switch and to its node. Aborts beyond the radix.
     * @return the port, for a fiber
     */
    Ptr<OpticalSwitchPort> AddPort();

    /**
     * @param port a port of the switch
     * @return its device
     */
    Ptr<OpticalSwitchPort> GetPort(PortId port) const;

    /** @return the number of ports */
    uint32_t GetPorts() const;

    /** @return the largest number of ports */
    uint32_t GetRadix() const;

    /** @return the technology */
    const OcsTechnology& GetTechnology() const;

    /**
     * Changes circuits as one.
     * @param plan the circuits to take down and to set up
     * @param ended called in a later event when the plan has ended; not for a plan that is refused
     *        at once
     * @return the status of the plan: RECONFIGURING or QUEUED, or DONE if it took effect at once
     *         (nothing to change, or the simulation has not begun), or REFUSED
     */
    CircuitPlanReport Apply(const CircuitPlan& plan, PlanEnded ended = PlanEnded());

    /**
     * Sets up one circuit.
     * @return as Apply()
     */
    CircuitPlanReport Connect(PortId a, PortId b);

    /**
     * Takes down one circuit.
     * @param b the other end of the circuit of `a`
     * @return as Apply()
     */
    CircuitPlanReport Disconnect(PortId a, PortId b);

    /** @return the circuits as they are set, with or without light */
    const CircuitMap& GetMap() const;

    /**
     * Describes the fabric, for all ports that the switch has now: Fabric can't be set any more,
     * and, if it is not the ideal crossbar, no port can be added.
     * @return the description; null: any circuits go together
     */
    std::shared_ptr<const FabricDescription> FetchFabric();
    /** @return whether the fabric is described */
    bool IsFabricSet() const;

    /**
     * @param plan that the map accepts
     * @return the reason why the fabric has no routes for it now, unless circuits that it does not
     * name move; empty: it has
     */
    std::string GetWhyBlocked(const CircuitPlan& plan) const;

    /**
     * @param port that has a circuit
     * @return what light meets on the circuit's route through the fabric
     */
    FabricPath GetPath(PortId port) const;

    /** @return the reason why the circuit of a port has no light and will have none; empty: it has,
     * or is being set up */
    std::string GetWhyDark(PortId port) const;

    /** @return the time of a reconfiguration that the technology or the fabric gives */
    Time GetUsualReconfigurationTime() const;

    /** @return whether all ports have dark time for any plan */
    bool IsWholeSwitch() const;

    /**
     * Fixes IsWholeSwitch() for a control plane: Granularity and Technology can't be set any more.
     * @return IsWholeSwitch()
     */
    bool FetchGranularity();
    /** @return whether FetchGranularity() was called */
    bool IsGranularitySet() const;

    /** @return whether a port reconfigures now */
    bool IsReconfiguring(PortId port) const;

    /** @return whether the circuit of a port passes light now */
    bool IsUp(PortId port) const;

    /**
     * Sets a fault of a port, now.
     * @param extra for SLOW, the additional time to settle
     */
    void SetFault(PortId port, PortFault fault, Time extra = Time(0));

    /** A port is repaired, now. A circuit that it kept dark is reconfigured again. */
    void ClearFault(PortId port);

    /** @return the fault of a port */
    PortFault GetFault(PortId port) const;

    /**
     * Swaps fibers, now: what the switch sets for one port goes to the fiber of the other. GetMap()
     * and plans have the ports that the switch sets, frames and traces of frames those of fibers.
     * @param swaps pairs of ports, swapped one after another; none: each port has its own fiber
     */
    void Misconnect(const std::vector<std::pair<PortId, PortId>>& swaps);

    /** The power goes, now, or is back. */
    void SetPower(bool isOn);
    /** @return whether there is power */
    bool HasPower() const;

    /**
     * Fixes the random draws of the reconfiguration time.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /** Counts of the frames that came in. */
    struct Counters
    {
        uint64_t received{0}; //!< came out of fibers
        uint64_t passed{0};   //!< of them, sent into fibers
        uint64_t dropped{0};  //!< of them, without one circuit all the way, or without a fiber
    };

    /** @return the counts of the frames that came in */
    const Counters& GetCounters() const;

    /** @return the time light takes from port to port inside the switch */
    Time GetPropagationDelay() const;

    /** @return the number of plans that wait or are being carried out */
    std::size_t GetOpenPlans() const;

    /** @return the number of plans so far, which is that of the latest one */
    uint64_t GetPlans() const;

    /** @return whether a trace that fires for every frame is connected */
    bool IsObserved() const;

    /** Signature of CircuitUp and CircuitDown: two ports, lower first, and the epoch. */
    typedef void (*CircuitCallback)(PortId low, PortId high, uint64_t epoch);
    /** Signature of PlanAccepted, PlanQueued: the plan's number and the plan. */
    typedef void (*PlanCallback)(uint64_t plan, const CircuitPlan& what);
    /** Signature of PlanRefused, PlanEnded. */
    typedef void (*ReportCallback)(const CircuitPlanReport& report);
    /** Signature of FrameDropped: the ingress port, the frame and the reason. */
    typedef void (*FrameDroppedCallback)(PortId port,
                                         const WireFrame& frame,
                                         FrameDropReason reason);
    /** Signature of FramePassed: the ingress port, the egress port, the frame at the ingress. */
    typedef void (*FramePassedCallback)(PortId in, PortId out, const WireFrame& frame);
    /** Signature of Power. */
    typedef void (*PowerCallback)(bool isOn);
    /** Signature of Alarm: the port and its fault. */
    typedef void (*AlarmCallback)(PortId port, PortFault fault);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    class Port;

    /** A frame has left a port's fiber, down to its last bit, now. */
    void Relay(const OpticalSwitchPort& ingress, WireFrame&& frame);
    /** A frame is to leave a port's fiber. @return whether it has been passed on ahead of that */
    bool RelayAhead(const OpticalSwitchPort& ingress, WireFrame& frame);
    /** Frames that were passed on ahead by the circuit of a port, and have not come, return. */
    void Withdraw(const OpticalSwitchPort& port);
    /** The same for one direction of the circuit. */
    void WithdrawFrom(const OpticalSwitchPort& ingress);
    /** Counts a frame that is not passed on, and reports it. */
    void Drop(const OpticalSwitchPort& ingress, const WireFrame& frame, FrameDropReason reason);
    /** Counts frames that came in and were passed on in trains. */
    void CountRelayed(uint64_t frames);

    /** A callback for every frame was connected or disconnected. */
    void NotifyObservers();

    /** Sets the technology; aborts if there is none of that name. */
    void SetTechnology(std::string name);
    /** @return the name of the technology */
    std::string GetTechnologyName() const;

    /** Sets the propagation delay. */
    void SetPropagationDelay(Time delay);
    /** @return a port; aborts with the name of the caller if there is no such port */
    const Ptr<OpticalSwitchPort>& At(PortId port, const char* caller) const;

    // SwitchOptics
    Picoseconds DrawReconfigurationTime() override;
    bool ReconfiguresAsAWhole() const override;
    bool QueuesPlans() const override;
    bool HasBegun() const override;
    bool IsLit(PortId port) const override;
    void Darken(const Circuit& circuit) override;
    void Light(const Circuit& circuit, uint64_t epoch) override;
    RouteChange ChangeRoutes(const CircuitChange& change) override;
    std::string GetWhyTooWeak(const Circuit& circuit) const override;
    Picoseconds GetClearFrom(const Circuit& circuit) const override;
    void NotifyAccepted(uint64_t plan, const CircuitPlan& what) override;
    void NotifyQueued(uint64_t plan, const CircuitPlan& what) override;
    void NotifyRefused(const CircuitPlanReport& report) override;
    void NotifyEnded(const CircuitPlanReport& report) override;
    void NotifyAlarm(PortId port, PortFault fault) override;

    /** @return the fabric; until it is described, one with its present attributes */
    Ptr<SwitchFabric> GetFabric() const;
    /** @return the circuits that may move for a plan */
    std::vector<Circuit> GetMovable(const CircuitChange& change) const;

    CircuitLight m_light;
    CircuitReconfigurer m_reconfigurer;
    ObjectFactory m_fabricFactory;
    Ptr<SwitchFabric> m_fabric; //!< null until it is described
    bool m_rearrange{false};
    FabricRoutes m_routes;
    bool m_observed{false}; //!< a callback for every frame is connected
    Counters m_counters;

    std::string m_technology;
    uint32_t m_radix;
    Ptr<RandomVariableStream> m_reconfigurationTime;
    Granularity m_granularity;
    bool m_granularitySet{false};
    WhenReconfiguring m_whenReconfiguring;
    bool m_isLatching;
    std::vector<std::pair<PortId, PortId>> m_swaps; //!< ports whose fibers are swapped

    TracedCallback<PortId, PortId, uint64_t> m_circuitUp;
    TracedCallback<PortId, PortId, uint64_t> m_circuitDown;
    TracedCallback<uint64_t, const CircuitPlan&> m_planAccepted;
    TracedCallback<uint64_t, const CircuitPlan&> m_planQueued;
    TracedCallback<const CircuitPlanReport&> m_planRefused;
    TracedCallback<const CircuitPlanReport&> m_planEnded;
    TracedCallback<PortId, const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<PortId, PortId, const WireFrame&> m_framePassed;
    TracedCallback<PortId, PortFault> m_alarm;
    TracedCallback<bool> m_powerTrace;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_CIRCUIT_SWITCH_H */
