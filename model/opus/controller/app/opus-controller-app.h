/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H
#define PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H

#include "controller-peers.h"
#include "controller-succession.h"
#include "core-inputs.h"
#include "standby-heartbeats.h"

#include "ns3/cabling.h"
#include "ns3/identifier.h"
#include "ns3/object-factory.h"
#include "ns3/opus-endpoint.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class ControllerCore;
struct ControllerNote;
struct ControllerSettings;
struct JobDemand;
struct OutgoingMessage;

/**
 * @ingroup photonic-rails
 * @brief The controller. On a separate node, it takes the messages of shims and agents, and sends
 * the outgoing messages of a ControllerCore. A decision takes no time. It is made when an instant
 * is over: after all messages of the instant, in whatever order their events are. With a
 * ProcessingTime it is made after each message, when that is processed; messages of one instant are
 * processed in the order of ControllerInbox.
 *
 * **A standby.** Two controllers can be a pair. While any shim is registered, the controller in
 * charge sends a heartbeat every HeartbeatInterval. When the standby has received nothing for
 * TakeoverAfter, it is a candidate: it requests a new term from the agents of all switches
 * (ControllerTerm), and is in charge as soon as more than half of them have accepted it: 1 of 1, 2
 * of 2 or 3, 3 of 4. Before that it grants nothing, sends no plan, and announces the term to no
 * shim. Then it begins with an empty ControllerCore, announces the term to all shims, and gets the
 * standing circuits from agents and the held grants from shims (ControllerCore::BeginTerm). So no
 * state is copied from one controller to the other, no decision of the first one is missed, and a
 * standby adds no cost to a decision.
 *
 * Agents and shims ignore messages of earlier terms, and report the later term to their sender. A
 * controller in charge that receives a later term retires: it decides nothing any more, and
 * requests to be the standby of the other one (JOIN). A controller that crashed and is restarted
 * does the same. It is a standby when it receives the other one's heartbeats. If the other one does
 * not answer for RetryFor, or is not in charge, it is a candidate.
 *
 * An agent or a shim whose process has begun anew sends a JOIN. The controller in charge then
 * begins another term, as after a crash of its own: it learns what stands and what is held, and
 * nothing of what it believed before counts.
 *
 * A registered shim that sends nothing for RetryFor is probed; if it does not answer, it does not
 * count any more. A shim that does not report its grants within RetryFor from the beginning of a
 * term counts as holding none.
 *
 * With `TakeDownAtEnd` it takes all circuits down when the last shim has left, and notes RETURNED
 * when no circuit stands (JobEnds).
 *
 * The parts of its state are the role in the pair (ControllerSuccession), the heartbeats to the
 * standby (StandbyHeartbeats), the inputs of the present instant (CoreInputs), and the decisions
 * (ControllerCore). `NS_LOG=OpusController=info` prints all its decisions.
 *
 * OpusHelper installs it.
 */
class OpusControllerApp : public OpusEndpoint, private SuccessionActions
{
  public:
    /** How parallelisms share rails, see CircuitGranularity. */
    enum Granularity
    {
        GROUP,
        RAIL,
        NETWORK,
    };

    /** How guesses are handled, see SpeculationRule. */
    enum Speculation
    {
        GRANT,
        PREPARE,
    };

    /** The treatment of phases whose circuits get no light, see RingFallback. */
    enum Fallback
    {
        NO_FALLBACK,
        GIANT_RING,
        OTHER_RAIL,
    };

    /** The role of a controller in its pair. */
    using Role = ControllerRole;

    /** @return the type */
    static TypeId GetTypeId();

    OpusControllerApp();
    ~OpusControllerApp() override;

    /** @param cabling of fibers, and the ports of each job */
    void SetCabling(std::shared_ptr<const Cabling> cabling);
    /** @param demand of a job, for policies that use it; before the start */
    void AddDemand(const JobDemand& demand);
    /** @param rail whose switch reconfigures as a whole, and not port by port */
    void AddWholeSwitch(RailId rail);
    /** @param peer address of the shim of the job on the server */
    void AddShim(JobId job, ServerId server, const OpusPeer& peer);
    /** @param peer address of the agent of the rail's switch */
    void AddAgent(RailId rail, const OpusPeer& peer);
    /** @param peer address of the standby */
    void SetStandby(const OpusPeer& peer);
    /** @param peer address of the controller of which this is the standby */
    void SetStandbyOf(const OpusPeer& peer);

    /**
     * @return whether it has the cabling. Shims have its policy then, which can't be set any more
     */
    bool IsInstalled() const;

    /**
     * Restarts after a crash, now. The controller keeps its settings, the other one's address, and
     * the greatest term, and nothing else. Does nothing without a crash before it.
     */
    void Restart();

    /**
     * Takes all circuits down, as the ranks of its jobs have been stopped, on all servers. What
     * they requested is refused, and what they held is free. Notes RETURNED when no circuit stands.
     * Does nothing unless it is in charge. To be called on the controller's node.
     * @param reason in words
     */
    void Abandon(const std::string& reason);

    /** @return the role */
    Role GetRole() const;
    /** @return the core that decides; aborts before the start */
    const ControllerCore& GetCore() const;

    /** Signature of Decision. */
    typedef void (*DecisionCallback)(const ControllerNote& note);
    /** Signature of RoleChanged. */
    typedef void (*RoleCallback)(Role role, uint32_t term);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    void Take(const OpusMessage& message, const OpusPeer& peer) override;
    void Acknowledged(const OpusMessage& message, const OpusPeer& peer) override;
    bool IsWorthRepeating(const OpusMessage& message) const override;
    void Failed(const OpusMessage& message, const OpusPeer& peer) override;
    void InstantOver() override;
    InputProcessor::Turn GetTurn(const OpusMessage& message, const OpusPeer& peer) const override;

  private:
    // SuccessionActions
    void ChangeRole(Role role, uint32_t term) override;
    void StopDeciding() override;
    void SendJoin(uint32_t greatest) override;
    void SendClaims(uint32_t term, bool isProposal) override;
    void BeginTerm(uint32_t term, const std::vector<OpusMessage>& accepts) override;

    /** @return the settings from the attributes */
    ControllerSettings MakeSettings() const;
    /** Aborts if a limit is too short. */
    void CheckLimits() const;
    /** Gives the core all messages of an instant. */
    void Decide();
    /** Sends the messages of the core after an input. @param outbox the core's outgoing messages */
    void SendOutbox(const std::vector<OutgoingMessage>& outbox);
    /** Reports the notes of the core to traces and to the log. */
    void ReportNotes();
    /** Sends outgoing messages. */
    void Deliver(const std::vector<OutgoingMessage>& outbox);
    /** Makes the present instant go to the core, when it is over. */
    void Wake();
    /** Notes a message of a shim. */
    void Notice(const OpusMessage& message);
    /** Probes shims that were silent for RetryFor. */
    void Probe();
    /** Sends a heartbeat, as the controller in charge. */
    void SendHeartbeat(bool idle);
    /** @return whether an address is of the other controller, at any port */
    bool IsOther(const OpusPeer& peer) const;
    /** Takes a message of the other controller. */
    void TakeOfOther(const OpusMessage& message, const OpusPeer& peer);
    /** Announces a new term to all shims. */
    void AnnounceTerm(uint32_t term);
    /** Gives up a shim that has not reported its grants for RetryFor. */
    void GiveUp(const ShimName& shim);

    ObjectFactory m_policy;
    Granularity m_granularity;
    Time m_gatherTime;
    Speculation m_speculation;
    Fallback m_fallback;
    Time m_voteLimit;
    Time m_portLimit;
    Time m_programLimit;
    Time m_trafficLimit;
    Time m_heartbeatInterval;
    Time m_takeoverAfter;
    bool m_takesDown;

    std::shared_ptr<const Cabling> m_cabling;
    std::vector<JobDemand> m_demands;
    std::set<RailId> m_wholeSwitches;
    ControllerPeers m_peers;
    OpusPeer m_other; //!< the other controller of the pair
    ControllerSuccession m_succession;
    StandbyHeartbeats m_heartbeats;
    CoreInputs m_inputs;
    std::unique_ptr<ControllerCore> m_core;
    TracedCallback<const ControllerNote&> m_decision;
    TracedCallback<Role, uint32_t> m_roleChanged;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H */
