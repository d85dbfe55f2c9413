/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OCS_AGENT_H
#define PHOTONIC_RAILS_OCS_AGENT_H

#include "ns3/controller-term.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-endpoint.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The management agent of an optical circuit switch: on the switch's node, it carries out
 * the plans of a controller, and answers when they are done.
 *
 * A PROGRAM is carried out once, whatever comes twice; the answer, DONE or ALARM, goes to whoever
 * is in charge when the mirrors have turned: to the controller that spoke last, of those with the
 * greatest term. Circuits of a plan that get no light, for a port is stuck, are taken down again:
 * the controller is not to believe in them. When the switch notices that a port is faulty, an ALARM
 * of plan 0 says so.
 *
 * It accepts a CLAIM of a term that is greater than the one it has accepted, and from then on takes
 * nothing of earlier ones: who speaks in those is told that it has been replaced. ACCEPT says which
 * circuits stand, and leaves when all plans of earlier terms have ended, so that these are all that
 * will stand until the new controller changes any.
 *
 * The switch is the one that is aggregated to the node. The last REMEMBERED answers are kept; a
 * plan that is repeated later than that is refused, and not carried out.
 */
class OcsAgent : public OpusEndpoint
{
  public:
    /** Answers that are kept, of plans that were carried out. */
    static constexpr std::size_t REMEMBERED = 1024;

    /** What it has counted. */
    struct Counters
    {
        uint64_t programs{0}; //!< plans begun
        uint64_t done{0};     //!< plans carried out
        uint64_t alarms{0};   //!< plans that failed or were refused, and faults
        uint64_t repetitions{0};
        uint64_t stale{0}; //!< plans of a controller that was replaced
        Picoseconds reconfiguration{
            0}; //!< from the PROGRAM to the end, all plans that were carried out
    };

    /** @return the type */
    static TypeId GetTypeId();

    OcsAgent();
    ~OcsAgent() override;

    /** @param rail whose switch it is */
    void SetRail(RailId rail);

    /** @return what it has counted */
    const Counters& GetCounters() const;

    /** Signature of PlanBegun: the controller's message. */
    typedef void (*ProgramCallback)(const OpusMessage& program);
    /** Signature of PlanEnded: the controller's message and the answer. */
    typedef void (*AnswerCallback)(const OpusMessage& program, const OpusMessage& answer);

  protected:
    void Begin() override;
    void End() override;
    void DoDispose() override;
    void Take(const OpusMessage& message, const OpusPeer& peer) override;

  private:
    /** A plan that it knows. */
    struct Plan
    {
        OpusMessage program;
        OpusMessage answer; //!< once it is answered
        Picoseconds begun{0};
        bool answered{false};
    };

    /** @return whether a message is of a controller in charge, which is the one from now on */
    bool IsInCharge(const OpusMessage& message, const OpusPeer& peer);
    void TakeProgram(const OpusMessage& message);
    /** The switch says that it has ended a plan, by the controller's number. */
    void HandleEnded(uint64_t number, const CircuitPlanReport& report);
    /** A controller wants its term to be accepted. */
    void TakeClaim(const OpusMessage& message, const OpusPeer& peer);
    /** Says what stands to who has claimed a term, if nothing is reconfiguring any more. */
    void SendAccept();
    /** Tells one that has been replaced. */
    void SayTerm(const OpusPeer& peer);
    /** The switch has ended a plan, by the controller's number. */
    void Ended(uint64_t number, const CircuitPlanReport& report, Picoseconds when);
    /** Answers a plan, for which an answer may be begun. */
    void Answer(Plan& plan, OpusMessage::Type type, const std::string& reason);
    /** Takes down circuits of a plan that get no light, and says so in the answer. */
    void TakeDownDark(Plan& plan, const CircuitPlanReport& report);
    /** Forgets the oldest answer, if there are too many. */
    void Forget();
    /** The switch says that it has noticed a fault. */
    void HandleFault(PortId port, PortFault fault);
    /** The switch has noticed a fault. */
    void Faulty(PortId port, PortFault fault);

    RailId m_rail;
    Ptr<OpticalCircuitSwitch> m_switch;
    TermPromise m_promise;
    OpusPeer m_controller; //!< whose plans it takes
    bool m_known{false};   //!< somebody has spoken
    bool m_isOwed{false};  //!< an ACCEPT
    std::size_t m_open{0}; //!< plans that are not answered
    std::map<uint64_t, Plan> m_plans;
    std::size_t m_answers{0}; //!< of them
    uint64_t m_forgotten{0};  //!< plans up to this one are
    Counters m_counters;
    TracedCallback<const OpusMessage&> m_planBegun;
    TracedCallback<const OpusMessage&, const OpusMessage&> m_planEnded;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OCS_AGENT_H */
