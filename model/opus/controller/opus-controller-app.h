/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H
#define PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H

#include "active-shims.h"
#include "controller-core.h"
#include "controller-peers.h"

#include "ns3/controller-term.h"
#include "ns3/event-id.h"
#include "ns3/opus-endpoint.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The controller. On a separate node, it takes the messages of shims and agents, and sends
 * the outgoing messages of a ControllerCore. A decision takes no time. It is made when an instant
 * is over: after all messages of the instant, in whatever order their events are.
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
 * A registered shim that sends nothing for RetryFor is probed; if it does not answer, it does not
 * count any more. A shim that does not report its grants within RetryFor from the beginning of a
 * term counts as holding none.
 *
 * OpusHelper installs it.
 */
class OpusControllerApp : public OpusEndpoint
{
  public:
    /** How parallelisms share a rail, see CircuitGranularity. */
    enum Granularity
    {
        GROUP,
        RAIL,
    };

    /** How guesses are handled, see SpeculationRule. */
    enum Speculation
    {
        GRANT,
        PREPARE,
    };

    /** The role of a controller in its pair. */
    enum class Role : uint8_t
    {
        IN_CHARGE,
        STANDBY,
        RETIRED,   //!< it received a greater term, or was restarted, and wants to be the standby
        CANDIDATE, //!< it requests a term from agents
    };

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

  private:
    /** @return the settings from the attributes */
    ControllerSettings MakeSettings() const;
    /** Aborts if a limit is too short. */
    void CheckLimits() const;
    /** Gives the core all messages of an instant. */
    void Decide();
    /** Sends the messages of the core after an input. @param outbox the core's outgoing messages */
    void Say(const ControllerCore::Outbox& outbox);
    /** Reports the notes of the core to traces. */
    void TellNotes();
    /** Sends outgoing messages. */
    void Deliver(const ControllerCore::Outbox& outbox);
    /** Schedules the end of the core's next wait. */
    void SetTimer();
    void HandleTimer();
    /** Notes a message of a shim. */
    void Notice(const OpusMessage& message);
    /** Removes a shim that has left or is idle. */
    void Left(const ShimName& shim);
    /** Probes shims that were silent for RetryFor. */
    void Probe();
    /** Sends a heartbeat, and repeats it as long as a shim is registered. */
    void Beat();
    /** Sends a heartbeat, as the controller in charge. */
    void SendHeartbeat(bool idle);
    /** Notes a message of the controller in charge. */
    void NoteContact(bool idle);
    /** @return whether an address is of the other controller, at any port */
    bool IsOther(const OpusPeer& peer) const;
    /** Takes a message of the other controller. */
    void TakeOfOther(const OpusMessage& message, const OpusPeer& peer);
    /** Takes an agent's answer to a claim. */
    void TakeAnswer(const OpusMessage& message);
    /** Changes the role. */
    void SetRole(Role role, uint32_t term);
    /** Retires, because another controller has a greater term. */
    void Retire();
    /**
     * Requests to be the standby of the other controller; without another one, becomes a candidate.
     */
    void Join();
    /** Becomes a candidate. */
    void Stand();
    /** Requests its term from all agents. */
    void SendClaims(bool onlyAsked);
    /** Becomes the controller in charge. */
    void TakeOver();
    /** Gives up a shim that has not reported its grants for RetryFor. */
    void GiveUp(const ShimName& shim);

    ObjectFactory m_policy;
    Granularity m_granularity;
    Speculation m_speculation;
    Time m_voteLimit;
    Time m_portLimit;
    Time m_programLimit;
    Time m_trafficLimit;
    Time m_heartbeatInterval;
    Time m_takeoverAfter;

    std::shared_ptr<const Cabling> m_cabling;
    std::vector<JobDemand> m_demands;
    std::set<RailId> m_wholeSwitches;
    ControllerPeers m_peers;
    OpusPeer m_other;         //!< the other controller of the pair
    bool m_hasOther{false};   //!< there is another one
    bool m_hasStandby{false}; //!< the other one is there as a standby
    Role m_role{Role::IN_CHARGE};
    ControllerTerm m_term;
    std::vector<OpusMessage> m_accepts; //!< for the term that is claimed
    std::unique_ptr<ControllerCore> m_core;
    std::vector<OpusMessage> m_arrived; //!< at this instant
    bool m_isDue{false};                //!< a wait of the core is over
    ActiveShims m_active;
    EventId m_timer;
    Picoseconds m_timerAt{NEVER};
    EventId m_beat;
    EventId m_watch; //!< fires when the controller in charge has been silent for too long
    TracedCallback<const ControllerNote&> m_decision;
    TracedCallback<Role, uint32_t> m_roleChanged;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H */
