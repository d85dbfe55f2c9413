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
 * @brief The controller: on a node of its own, it takes the messages of shims and agents, and sends
 * what a ControllerCore decides. It decides in no time, when an instant is over: after all messages
 * that come at it, however their events are ordered.
 *
 * **A standby.** Two of them can be a pair. While any shim is registered the one in charge says
 * every HeartbeatInterval that it is alive. When the other one has heard nothing for TakeoverAfter,
 * it is a candidate: it asks the agents of all switches for a term of its own (ControllerTerm), and
 * is in charge as soon as more than half of them have accepted it: 1 of 1, 2 of 2 or 3, 3 of 4.
 * Before that it grants nothing, sends no plan, and tells no shim of the term. Then it begins with
 * a ControllerCore that knows nothing, tells all shims of the term, and learns from agents what
 * stands, and from shims what they hold (ControllerCore::BeginTerm). So no state is copied from the
 * one to the other, what it did alone can't be missed, and a decision costs nothing more where
 * there is a standby.
 *
 * Agents and shims do not listen to earlier terms any more, and tell whoever speaks in one of the
 * later one. A controller in charge that hears of a later term retires: it decides nothing any
 * more, and asks the other one to stand by for it (JOIN). One that crashed and is restarted does
 * the same. It is a standby when it hears the other one's heartbeats. If the other one does not
 * answer for RetryFor, or is not in charge, it is a candidate.
 *
 * A shim that is registered and that nothing is heard of for RetryFor is asked whether it is there;
 * one that is not counts no more. One that does not say what it holds for RetryFor from the
 * beginning of a term counts as holding nothing.
 *
 * OpusHelper makes these.
 */
class OpusControllerApp : public OpusEndpoint
{
  public:
    /** Whether parallelisms share a rail, see CircuitGranularity. */
    enum Granularity
    {
        GROUP,
        RAIL,
    };

    /** What becomes of guesses, see SpeculationRule. */
    enum Speculation
    {
        GRANT,
        PREPARE,
    };

    /** Whether it decides. */
    enum class Role : uint8_t
    {
        IN_CHARGE,
        STANDBY,
        RETIRED,   //!< it heard of a greater term, or was restarted, and asks to stand by
        CANDIDATE, //!< it asks agents for a term
    };

    /** @return the type */
    static TypeId GetTypeId();

    OpusControllerApp();
    ~OpusControllerApp() override;

    /** @param cabling where fibers lead, and which job may use which ports */
    void SetCabling(std::shared_ptr<const Cabling> cabling);
    /** @param demand of a job, for policies that want to know; before it starts */
    void AddDemand(const JobDemand& demand);
    /** @param rail whose switch has no single ports that reconfigure alone */
    void AddWholeSwitch(RailId rail);
    /** @param job @param server @param peer where the shim of the job on the server listens */
    void AddShim(JobId job, ServerId server, const OpusPeer& peer);
    /** @param rail @param peer where the agent of its switch listens */
    void AddAgent(RailId rail, const OpusPeer& peer);
    /** @param peer where the standby listens */
    void SetStandby(const OpusPeer& peer);
    /** @param peer where the one listens that this is the standby of */
    void SetStandbyOf(const OpusPeer& peer);

    /** @return whether it knows the cabling: shims know its policy then, which can't be set any
     * more */
    bool IsInstalled() const;

    /**
     * After a crash it begins anew, now: it knows what it was told at set-up, the other one's
     * address, and the greatest term, and nothing else. Does nothing where there was no crash.
     */
    void Restart();

    /** @return whether it decides */
    Role GetRole() const;
    /** @return its decisions; aborts before it has started */
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
    /** @return settings as the attributes say */
    ControllerSettings MakeSettings() const;
    /** Aborts where a limit is too short. */
    void CheckLimits() const;
    /** The core is told all that came at an instant. */
    void Decide();
    /** The core was told something. @param outgoing messages that it has to send */
    void Say(const ControllerCore::Outbox& outbox);
    /** Tells traces what the core did. */
    void TellNotes();
    /** Sends outgoing messages. */
    void Deliver(const ControllerCore::Outbox& outbox);
    /** Sees to it that the core is told when a wait is over. */
    void SetTimer();
    void HandleTimer();
    /** Hears of a shim. */
    void Notice(const OpusMessage& message);
    /** A shim is not there any more, or has nothing to do. */
    void Left(const ShimName& shim);
    /** Asks shims that were silent for long whether they are there. */
    void Probe();
    /** Says that it is alive, and again later, as long as a shim is registered. */
    void Beat();
    /** Says that it is alive, and in charge. */
    void SendHeartbeat(bool idle);
    /** The one in charge was heard of. */
    void NoteContact(bool idle);
    /** @return whether a message is of a controller, at whichever port @param peer of whom */
    bool IsOther(const OpusPeer& peer) const;
    /** Takes a message of the other controller. */
    void TakeOfOther(const OpusMessage& message, const OpusPeer& peer);
    /** Takes an agent's answer to a claim. */
    void TakeAnswer(const OpusMessage& message);
    /** It is something else from now on. */
    void SetRole(Role role, uint32_t term);
    /** Another controller has a greater term: this one does not decide any more. */
    void Retire();
    /** Asks the other one to stand by for it; where there is none, it is a candidate. */
    void Join();
    /** It is a candidate. */
    void Stand();
    /** Asks all agents for its term. */
    void SendClaims(bool onlyAsked);
    /** It is in charge from now on. */
    void TakeOver();
    /** A shim has not said for RetryFor what it holds. */
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
    OpusPeer m_other;         //!< the other one of the pair
    bool m_hasOther{false};   //!< there is one
    bool m_hasStandby{false}; //!< and it listens
    Role m_role{Role::IN_CHARGE};
    ControllerTerm m_term;
    std::vector<OpusMessage> m_accepts; //!< of the term that is claimed
    std::unique_ptr<ControllerCore> m_core;
    std::vector<OpusMessage> m_arrived; //!< at this instant
    bool m_isDue{false};                //!< a wait of the core is over
    ActiveShims m_active;
    EventId m_timer;
    Picoseconds m_timerAt{NEVER};
    EventId m_beat;
    EventId m_watch; //!< the one in charge has been silent for too long
    TracedCallback<const ControllerNote&> m_decision;
    TracedCallback<Role, uint32_t> m_roleChanged;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H */
