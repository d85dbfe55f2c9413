/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OCS_AGENT_H
#define PHOTONIC_RAILS_OCS_AGENT_H

#include "ring-votes.h"

#include "ns3/controller-term.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-endpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The management agent of an optical circuit switch: on the switch's node, it executes the
 * circuit plans of a controller, and answers when they are done.
 *
 * A PROGRAM that comes twice is executed once. The answer, DONE or ALARM, goes to the controller in
 * charge at the end of the reconfiguration: the last sender, of those with the greatest term.
 * Circuits of a plan that get no light because a port is stuck are taken down again, so that the
 * controller does not count them. When the switch detects that a port is faulty, the agent sends an
 * ALARM of plan 0.
 *
 * It accepts a CLAIM of a term that is greater than the one it has accepted. From then on it takes
 * no message of earlier terms, and reports to their senders that they are replaced. ACCEPT has the
 * circuits that stand. It is sent when all plans of earlier terms have ended, so that no other
 * circuits stand until the new controller changes any.
 *
 * **Carrier.** A circuit has light when the reconfiguration ends, and carries frames when the NICs
 * at both ends have carrier. With DoneWhen `Reconfigured`, DONE is sent at the end of the
 * reconfiguration: ranks have their grants during the link-up, and their frames wait in the NICs.
 * With `Carrier` the agent then sends a WATCH to the shims of the servers at the new circuits, and
 * DONE when they have answered it for all ports (CARRIER). A switch cannot detect carrier itself,
 * since NICs send light at all times. A watch must not overtake the light: the latency of the
 * management network and HostLatency are more than the delay of a fiber. Ports without a shim,
 * circuits that a later plan changes, and shims that do not answer for RetryFor, are not awaited;
 * neither are those of a plan that fails in part.
 *
 * **Without a controller.** A shim whose controller is silent may want giant rings (FALLBACK, see
 * ShimFallback). From the first one on the agent takes no message of controllers, and forwards the
 * news to its other shims. When all of them have no traffic and no plan is under way, it sets up
 * what they want, and answers them all.
 *
 * **Restarts.** The process of the agent may end and begin anew (EndProcess(), BeginProcess()). The
 * switch goes on meanwhile, and keeps its circuits. The agent forgets its plans. It keeps on its
 * disk the term that it has accepted, with the controller, the greatest plan so far, and what it
 * has promised to shims without a controller. It sends that controller a JOIN, which leads to
 * another term. ACCEPT waits until the switch has ended the plans that the agent has forgotten;
 * their circuits without light are taken down. A plan up to the greatest one is refused, and never
 * executed again.
 *
 * **Several jobs.** A switch may have several agents, each of a controller of its own. An agent
 * knows the ports of its servers only (AddShim()): it refuses plans with other ports, and reports
 * no circuits and faults of others. Without any AddShim() all ports are its own.
 *
 * The switch is aggregated to the node. The last REMEMBERED answers are kept; a plan that is
 * repeated later than that is refused, and not executed.
 */
class OcsAgent : public OpusEndpoint
{
  public:
    /** The number of answers that are kept. */
    static constexpr std::size_t REMEMBERED = 1024;

    /** Counts of plans and faults. */
    struct Counters
    {
        uint64_t programs{0}; //!< plans begun
        uint64_t done{0};     //!< plans carried out
        uint64_t alarms{0};   //!< plans that failed or were refused, and faults
        uint64_t repetitions{0};
        uint64_t stale{0};       //!< plans of a controller that was replaced
        Time reconfiguration{0}; //!< total from PROGRAM to the end, of the plans carried out
        Time linkUp{0};          //!< total from then to the last carrier, of those that waited
    };

    /** When a plan is done. */
    enum DoneWhen
    {
        RECONFIGURED,
        CARRIER,
    };

    /** @return the type */
    static TypeId GetTypeId();

    OcsAgent();
    ~OcsAgent() override;

    /** @param rail of the switch */
    void SetRail(RailId rail);

    /**
     * Adds a server.
     * @param port with a fiber to a NIC port of the server
     * @param shim of the NIC port's rank
     */
    void AddShim(PortId port, const OpusPeer& shim);

    /** @return the counts so far */
    const Counters& GetCounters() const;

    using OpusEndpoint::BeginProcess;
    using OpusEndpoint::EndProcess;

    /** Signature of PlanBegun: the controller's message. */
    typedef void (*ProgramCallback)(const OpusMessage& program);
    /** Signature of PlanEnded: the controller's message and the answer. */
    typedef void (*AnswerCallback)(const OpusMessage& program, const OpusMessage& answer);

  protected:
    void Begin() override;
    void End() override;
    void Restarted() override;
    void DoDispose() override;
    void Take(const OpusMessage& message, const OpusPeer& peer) override;
    void Failed(const OpusMessage& message, const OpusPeer& peer) override;

  private:
    /** A plan of a controller. */
    struct Plan
    {
        OpusMessage program; //!< a PROGRAM
        OpusMessage answer;  //!< a DONE or an ALARM; valid when it is answered
        Time begun{0};
        Time settled{0};          //!< the end of the reconfiguration; valid if carrier is awaited
        std::set<PortId> awaited; //!< ports without carrier, if that is awaited
        bool answered{false};
    };

    /** @return whether a port is of a server that was added, or none was */
    bool IsOwn(PortId port) const;
    /** @return a reason to refuse a plan with ports of others; empty if it has none */
    std::string FindForeignPort(const OpusProgram& program) const;
    /**
     * @return whether a message is of the controller in charge. A message of a greater term, or the
     * first one, makes its sender the one in charge
     */
    bool IsInCharge(const OpusMessage& message, const OpusPeer& peer);
    void TakeProgram(const OpusMessage& message);
    /** Handles a FALLBACK of a shim. */
    void TakeFallback(const OpusFallback& fallback, const OpusPeer& shim);
    /** Sets up the rings, if all shims are ready and no plan is under way. */
    void SetUpRings();
    /** Handles the switch's report of the end of that. */
    void HandleRings(const CircuitPlanReport& report);
    /** The rings are set up, but for stuck ports. */
    void RingsEnded(const CircuitPlanReport& report);
    /** Sends a FALLBACK to all shims but one. @param but null: to all */
    void SendFallback(const OpusFallback& fallback, const OpusPeer* but);
    /** @return the shims at its ports */
    std::set<OpusPeer> GetShims() const;
    /** Handles the switch's report of the end of a plan, by the controller's number. */
    void HandleEnded(uint64_t number, const CircuitPlanReport& report);
    /**
     * Handles a controller's claim of a term.
     * @param isQuery whether it only requests whether the agent would accept
     */
    void TakeClaim(uint32_t term, bool isQuery, const OpusPeer& peer);
    /**
     * Sends the circuits that stand to the controller that has claimed a term, when no
     * reconfiguration is in progress.
     */
    void SendAccept();
    /** Sends the accepted term to a controller that is replaced. */
    void SendTerm(const OpusPeer& peer);
    /** Ends a plan, by the controller's number. */
    void Ended(uint64_t number, const CircuitPlanReport& report, Time when);
    /**
     * Answers a plan that failed.
     * @param isPartial whether it was executed, except for the dark circuits
     */
    void Alarm(Plan& plan,
               const std::string& reason,
               bool isPartial = false,
               std::vector<SwitchCircuit> dark = {});
    /** Answers a plan that may be answered now. @param content a DONE or an ALARM */
    void Answer(Plan& plan, OpusMessage::Content content);
    /** The switch has ended a plan of any agent. */
    void HandleSwitchPlan(const CircuitPlanReport& report);
    /** Takes down own circuits without light, when all forgotten plans have ended. */
    void EndForgotten();
    /** Takes down those of some new circuits that get no light. @return these circuits */
    std::vector<SwitchCircuit> TakeDownDark(const std::vector<SwitchCircuit>& up,
                                            const CircuitPlanReport& report);
    /** Has the carrier of a plan's new circuits watched. @return whether any port is awaited */
    bool AwaitCarrier(Plan& plan);
    /** Awaits ports of a plan no more. Answers the plan if they were the last. */
    void EndWait(uint64_t number, const std::vector<PortId>& ports);
    /** Awaits the ports of a program no more, for earlier plans. */
    void EndWaitsFor(const OpusProgram& program);
    /** Removes the oldest answer, if there are too many. */
    void Forget();
    /** Handles the switch's report of a fault. */
    void HandleFault(PortId port, PortFault fault);
    /** Reports a fault of the switch to the controller. */
    void Faulty(PortId port, PortFault fault);

    DoneWhen m_doneWhen{RECONFIGURED};
    std::map<PortId, OpusPeer> m_shims; //!< by port
    RailId m_rail;
    Ptr<OpticalCircuitSwitch> m_switch;
    TermPromise m_promise;
    OpusPeer m_controller;          //!< the controller in charge
    bool m_known{false};            //!< a controller has sent a message
    bool m_isOwed{false};           //!< an ACCEPT is due
    std::size_t m_open{0};          //!< plans that the switch has not carried out
    std::size_t m_forgottenOpen{0}; //!< plans of the switch from before a restart that go on
    uint64_t m_lastOfSwitch{0};     //!< the last of them, by the switch's number
    std::map<uint64_t, Plan> m_plans;
    std::set<uint64_t> m_linking; //!< plans that wait for carrier
    std::size_t m_answers{0};     //!< plans with an answer that is kept
    uint64_t m_forgotten{0};      //!< the greatest number of a plan whose answer was removed
    RingVotes m_rings;            //!< of shims without a controller
    bool m_hasBegunRings{false};
    std::optional<OpusFallback> m_ringsUp; //!< the answer to all shims, when the rings are up
    Counters m_counters;
    TracedCallback<const OpusMessage&> m_planBegun;
    TracedCallback<const OpusMessage&, const OpusMessage&> m_planEnded;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OCS_AGENT_H */
