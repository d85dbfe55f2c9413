/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_CIRCUIT_SWITCH_H
#define PHOTONIC_RAILS_OPTICAL_CIRCUIT_SWITCH_H

#include "circuit-reconfigurer.h"
#include "ocs-technology.h"
#include "optical-switch-port.h"

#include "ns3/frame-drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An optical circuit switch: mirrors that join ports one to one and take time to turn.
 *
 * **What it models.** Light that enters a port leaves from the port it is joined to, after
 * `PropagationDelay`; nothing is read, stored, queued or serialised. A circuit works both ways. At
 * most one circuit a port, always. Aggregate it to a Node; AddPort() gives the node a device for
 * every port.
 *
 * **Reconfiguration.** Apply() takes down some circuits and sets up others as one change. At that
 * instant the ports whose circuit changes go dark; `ReconfigurationTime` later (drawn once a plan,
 * in seconds) the new circuits carry light. A port that only loses its circuit does not turn: it
 * can have another at once. Other ports are not disturbed, unless `Granularity` says that the whole
 * switch goes dark. A plan whose ports are still reconfiguration for an earlier one is
 * queued behind it or refused, as `WhenReconfiguring` says. A plan that cannot be carried out is
 * refused with a message, and nothing changes. Before the simulation begins, plans take effect at
 * once: the switch has been left like that.
 *
 * **Cutting.** A frame takes the circuit that is up at its ingress port when its first bit arrives,
 * and must find the same circuit there, of the same epoch, at its last bit; a last bit that arrives
 * at the very instant of the cut still passes. Otherwise the frame is dropped here, with a reason.
 * Light passes on, or not, in the same way: the far end sees it go when it goes.
 *
 * **Faults.** SetFault() makes a port stuck dark or slow to settle; the `Alarm` trace fires when
 * the switch can notice. ClearFault() mends it: a circuit that it kept dark is turned anew.
 *
 * Left out: loss and crosstalk budgets, light of single wavelengths.
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
    /** Which ports go dark for a plan. */
    enum Granularity
    {
        BY_TECHNOLOGY, //!< as the technology says
        PER_PORT,      //!< those whose circuit changes
        WHOLE_SWITCH,  //!< all
    };

    /** What becomes of a plan whose ports are reconfiguring. */
    enum WhenReconfiguring
    {
        QUEUE,  //!< it waits
        REFUSE, //!< it is refused
    };

    /** Told once how a plan ended: DONE, FAILED or REFUSED. */
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

    /** @return the number of ports there are */
    uint32_t GetPorts() const;

    /** @return the most ports there may be */
    uint32_t GetRadix() const;

    /** @return the technology */
    const OcsTechnology& GetTechnology() const;

    /**
     * Changes circuits as one.
     * @param plan what to take down and set up
     * @param ended told, at a later event, how it ended; not for a plan that is refused at once
     * @return where the plan stands: RECONFIGURING or QUEUED, or DONE if it took effect at once
     * (nothing to change, or the simulation has not begun), or REFUSED
     */
    CircuitPlanReport Apply(const CircuitPlan& plan, PlanEnded ended = PlanEnded());

    /**
     * Sets up one circuit.
     * @return as Apply()
     */
    CircuitPlanReport Connect(PortId a, PortId b);

    /**
     * Takes down one circuit.
     * @param b the port it is joined to
     * @return as Apply()
     */
    CircuitPlanReport Disconnect(PortId a, PortId b);

    /** @return the circuits as they are set, lit or not yet */
    const CircuitMap& GetMap() const;

    /** @return whether all ports go dark for any plan */
    bool IsWholeSwitch() const;

    /**
     * Tells a control plane IsWholeSwitch(), for good: Granularity and Technology can't be set any
     * more.
     * @return it
     */
    bool FetchGranularity();
    /** @return whether a control plane was told the granularity */
    bool IsGranularityTold() const;

    /** @return whether it is reconfiguring now */
    bool IsReconfiguring(PortId port) const;

    /** @return whether its circuit lets light pass now */
    bool IsUp(PortId port) const;

    /**
     * Something goes wrong with a port, now.
     * @param extra for SLOW, how much longer it takes to settle than the others
     */
    void SetFault(PortId port, PortFault fault, Time extra = Time(0));

    /** A port is mended, now. A circuit that it kept dark turns anew. */
    void ClearFault(PortId port);

    /** @return what is the matter with it */
    PortFault GetFault(PortId port) const;

    /**
     * Fixes the random draws of the reconfiguration time.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /** What has become of the frames that came in. */
    struct Counters
    {
        uint64_t received{0};
        uint64_t passed{0};
        uint64_t dropped{0};
    };

    /** @return what has become of the frames that came in */
    const Counters& GetCounters() const;

    /** @return the time light takes from port to port */
    Time GetPropagationDelay() const;

    /** @return plans that wait or are being carried out */
    std::size_t GetOpenPlans() const;

    /** @return whether a trace that fires for every frame is connected */
    bool IsObserved() const;

    /** Signature of CircuitUp and CircuitDown: two ports, lower first, and the epoch. */
    typedef void (*CircuitCallback)(PortId low, PortId high, uint64_t epoch);
    /** Signature of PlanAccepted, PlanQueued: the plan's number and what it asks. */
    typedef void (*PlanCallback)(uint64_t plan, const CircuitPlan& what);
    /** Signature of PlanRefused, PlanEnded. */
    typedef void (*ReportCallback)(const CircuitPlanReport& report);
    /** Signature of FrameDropped: the ingress port, the frame and why. */
    typedef void (*FrameDroppedCallback)(PortId port,
                                         const WireFrame& frame,
                                         FrameDropReason reason);
    /** Signature of FramePassed: the ingress port, the egress port, the frame at the ingress. */
    typedef void (*FramePassedCallback)(PortId in, PortId out, const WireFrame& frame);
    /** Signature of Alarm: the port and what is the matter. */
    typedef void (*AlarmCallback)(PortId port, PortFault fault);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    class Port;

    /** A frame came out of a port's fiber, down to its last bit, now. */
    void Relay(const OpticalSwitchPort& ingress, WireFrame&& frame);
    /** The light that comes into a port has come or gone, now. */
    void PassLight(const OpticalSwitchPort& ingress);
    /** @return whether light leaves the switch at a port */
    bool LightLeaves(const OpticalSwitchPort& egress) const;
    /** Counts frames that came in and were passed on in trains. */
    void CountRelayed(uint64_t frames);

    /** Somebody began or ceased to listen to every frame. */
    void NotifyObservers();

    /** Sets the technology; aborts if there is none of that name. */
    void SetTechnology(std::string name);
    /** @return the name of the technology */
    std::string GetTechnologyName() const;

    /** Sets the propagation delay. */
    void SetPropagationDelay(Time delay);
    /** Something changes, at a port, that trains do not bear. */
    void LeaveTrain(PortId port, const char* why);

    /** Sends light out of a port, or none, as things stand now. */
    void UpdateEgress(PortId port);

    /** @return a port; aborts, in the name of the caller, if there is none of that number */
    const Ptr<OpticalSwitchPort>& At(PortId port, const char* caller) const;

    // SwitchOptics
    Picoseconds DrawReconfigurationTime() override;
    bool ReconfiguresAsAWhole() const override;
    bool QueuesPlans() const override;
    bool HasBegun() const override;
    bool IsLit(PortId port) const override;
    void Darken(const Circuit& circuit) override;
    void Light(const Circuit& circuit, uint64_t epoch) override;
    void NotifyAccepted(uint64_t plan, const CircuitPlan& what) override;
    void NotifyQueued(uint64_t plan, const CircuitPlan& what) override;
    void NotifyRefused(const CircuitPlanReport& report) override;
    void NotifyEnded(const CircuitPlanReport& report) override;
    void NotifyAlarm(PortId port, PortFault fault) override;

    std::vector<Ptr<OpticalSwitchPort>> m_ports;
    CircuitReconfigurer m_reconfigurer;
    bool m_observed{false}; //!< somebody listens to every frame
    Counters m_counters;

    std::string m_technology;
    uint32_t m_radix;
    Ptr<RandomVariableStream> m_reconfigurationTime;
    Time m_propagationDelay;
    Granularity m_granularity;
    bool m_granularityTold{false};
    WhenReconfiguring m_whenReconfiguring;

    TracedCallback<PortId, PortId, uint64_t> m_circuitUp;
    TracedCallback<PortId, PortId, uint64_t> m_circuitDown;
    TracedCallback<uint64_t, const CircuitPlan&> m_planAccepted;
    TracedCallback<uint64_t, const CircuitPlan&> m_planQueued;
    TracedCallback<const CircuitPlanReport&> m_planRefused;
    TracedCallback<const CircuitPlanReport&> m_planEnded;
    TracedCallback<PortId, const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<PortId, PortId, const WireFrame&> m_framePassed;
    TracedCallback<PortId, PortFault> m_alarm;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_CIRCUIT_SWITCH_H */
