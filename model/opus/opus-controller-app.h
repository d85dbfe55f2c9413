/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H
#define PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H

#include "controller-core.h"
#include "opus-endpoint.h"

#include "ns3/event-id.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The controller: on a node of its own, it takes the messages of shims and agents, and sends
 * what a ControllerCore decides. It decides in no time, when an instant is over: after all messages
 * that come at it, however their events are ordered.
 *
 * **A standby.** Two of them can be a pair. The one in charge writes each of its inputs, with the
 * instant and whether it is the last one of it, into a log, and sends what it decided only when the
 * standby has that entry, one round trip later; so the standby's state is never behind what anybody
 * was told. While any shim is registered it also says every HeartbeatInterval that it is alive.
 * When the standby has heard nothing for TakeoverAfter, it takes over: it tells all shims and
 * agents of a new term, and says again what may have been lost. Agents and shims do not listen to
 * the old term any more, and tell whoever speaks in it of the new one; a controller that hears of a
 * greater term gives up. Does the standby fail to acknowledge, the one in charge goes on alone. A
 * shim that is registered and that nothing is heard of for RetryFor is asked whether it is there;
 * one that is not counts no more.
 *
 * Left out: joining again after a crash, more than one standby, agreement among several: a standby
 * that is cut off from everybody takes over too, and is believed when it is mended.
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
        RETIRED, //!< it heard of a greater term
    };

    /** @return the type */
    static TypeId GetTypeId();

    OpusControllerApp();
    ~OpusControllerApp() override;

    /** @param cabling where fibers lead, and who may use which ports */
    void SetCabling(std::shared_ptr<const Cabling> cabling);
    /** @param demand of a job, for policies that want to know; before it starts */
    void AddDemand(const JobDemand& demand);
    /** @param rail whose switch has no single ports that turn alone */
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
    /** The shim of a job on a server. */
    using Shim = std::pair<JobId, ServerId>;

    /** What a ControllerCore is told. */
    enum class Input : uint8_t
    {
        START,
        MESSAGE,      //!< others of its instant follow
        LAST_MESSAGE, //!< of its instant
        TIME,         //!< an instant without messages
    };

    /** What was decided, and waits for the standby to know why. */
    struct Held
    {
        uint64_t entry{0};
        ControllerCore::Letters letters;
    };

    /** @return settings as the attributes say */
    ControllerSettings MakeSettings() const;
    /** Aborts where a limit is too short. */
    void CheckLimits() const;
    /** The core is told something. @return what it wants to say */
    ControllerCore::Letters Tell(Input input, const OpusMessage& message, Picoseconds now);
    /** The core is told all that came at an instant. */
    void Decide();
    /** The core is told something, and the standby too. */
    void Enter(Input input, const OpusMessage& message);
    /** Tells traces what the core did. */
    void TellNotes();
    /** Sends letters. */
    void Deliver(const ControllerCore::Letters& letters);
    /** Sends what need not be held any more. @param entry that the standby has */
    void Release(uint64_t entry);
    /** Tells one that speaks in an earlier term of this one. @param peer who */
    void SayTerm(const OpusPeer& peer);
    /** The standby is not there any more. */
    void GoOnAlone();
    /** Sees to it that the core is told when a wait is over. */
    void SetTimer();
    void HandleTimer();
    /** Hears of somebody's shim. */
    void Notice(const OpusMessage& message);
    /** A shim is not there any more, or has nothing to do. */
    void Left(const Shim& shim);
    /** Asks shims that were silent for long whether they are there. */
    void Probe();
    /** Says that it is alive, and again later, as long as somebody is registered. */
    void Beat();
    /** Says that it is alive. */
    void SendHeartbeat(bool idle);
    /** The one in charge was heard of. */
    void Heard(bool idle);
    /** As a standby, takes a message of the one in charge. */
    void Follow(const OpusMessage& message);
    /** It is in charge from now on. */
    void TakeOver();

    std::string m_policy;
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
    std::map<Shim, OpusPeer> m_shims;
    std::map<RailId, OpusPeer> m_agents;
    OpusPeer m_other;         //!< the other one of the pair
    bool m_hasStandby{false}; //!< and it is there
    Role m_role{Role::IN_CHARGE};
    std::unique_ptr<ControllerCore> m_core;
    std::vector<OpusMessage> m_arrived; //!< at this instant
    bool m_isDue{false};                //!< a wait of the core is over
    std::deque<Held> m_held;
    std::map<Shim, Picoseconds> m_active; //!< that have registered, and not left; last heard of
    uint64_t m_acknowledged{0};           //!< the last entry that the standby has
    EventId m_timer;
    Picoseconds m_timerAt{NEVER};
    EventId m_beat;
    EventId m_watch; //!< the one in charge has been silent for too long
    TracedCallback<const ControllerNote&> m_decision;
    TracedCallback<Role, uint32_t> m_roleChanged;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_APP_H */
