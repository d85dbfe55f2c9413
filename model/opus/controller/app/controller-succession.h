/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_SUCCESSION_H
#define PHOTONIC_RAILS_CONTROLLER_SUCCESSION_H

#include "ns3/controller-term.h"
#include "ns3/event-id.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The role of a controller in its pair. */
enum class ControllerRole : uint8_t
{
    IN_CHARGE,
    STANDBY,
    RETIRED,   //!< it received a greater term, or was restarted, and wants to be the standby
    CANDIDATE, //!< it requests a term from agents
};

/** @return the name of a role in lower case */
const char* ToString(ControllerRole role);

/** The actions of a controller that a change of its role needs. */
class SuccessionActions
{
  public:
    virtual ~SuccessionActions() = default;

    /** Reports that the role has changed. @param term that it has, requests, or has received */
    virtual void ChangeRole(ControllerRole role, uint32_t term) = 0;
    /** Stops deciding, because another controller has a greater term. It has no standby then. */
    virtual void StopDeciding() = 0;
    /** Requests to be the standby of the other controller. */
    virtual void SendJoin(uint32_t greatest) = 0;
    /**
     * Requests a term from all agents.
     * @param isProposal whether it is only requested whether they would accept
     */
    virtual void SendClaims(uint32_t term, bool isProposal) = 0;
    /** Begins a term as the controller in charge. @param accepts of agents, with their circuits */
    virtual void BeginTerm(uint32_t term, const std::vector<OpusMessage>& accepts) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief The role of a controller in its pair, and the choice of the one in charge.
 *
 *     IN_CHARGE --greater term--> RETIRED --heartbeat of the other--> STANDBY
 *        ^                           |                                   |
 *        |                           | the other is gone, or retired     | silence
 *        |                           v                                   |
 *        +---- most agents accept CANDIDATE <----------------------------+
 *
 * A standby is a candidate when it has received nothing of the controller in charge for
 * TakeoverAfter, unless that one is idle. A candidate requests a term (ControllerTerm) from the
 * agents, and is in charge when more than half of them have accepted it. A candidate that receives
 * a greater term is a standby again.
 */
class ControllerSuccession
{
  public:
    /** @param actions of the controller; they must outlive this object */
    explicit ControllerSuccession(SuccessionActions& actions);
    ~ControllerSuccession();
    ControllerSuccession(const ControllerSuccession&) = delete;
    ControllerSuccession& operator=(const ControllerSuccession&) = delete;

    /** @param rail of an agent that counts for the majority */
    void AddAgent(RailId rail);
    /** Notes that there is another controller, which is the standby of this one. */
    void HasStandby();
    /** Makes it the standby of another controller. */
    void BeStandby();
    /** Makes it retired, after a crash: it keeps the greatest term only. */
    void Retired();

    /**
     * Begins in the role from set-up. The first term of the controller in charge needs no claim.
     * @param takeoverAfter the limit of the other controller's silence
     */
    void Begin(Time takeoverAfter);
    /** Ends the wait for the other controller, and the claim or the term. */
    void End();

    /** @return the role */
    ControllerRole GetRole() const;
    /** @return whether there is another controller */
    bool HasOther() const;
    /**
     * @param term of a CLAIM
     * @param isProposal of the CLAIM
     * @return whether agents still have to get it
     */
    bool IsOpen(uint32_t term, bool isProposal) const;

    /**
     * Requests a term anew, if it is in charge, or requests one already: an agent or a shim has
     * forgotten what it knew.
     */
    void Renew();
    /** Takes the term of a message, which may end its own. */
    void NoteTerm(uint32_t term);
    /** Takes an agent's answer to a claim, as a candidate. */
    void TakeAccept(const OpusMessage& message);
    /** Takes the other controller's request to be the standby, when this one is not in charge. */
    void TakeJoin();
    /**
     * Takes a heartbeat of the other controller, when this one is not in charge.
     * @param idle whether that one needs no standby at present
     * @return whether that one is in charge; if not, it has been replaced
     */
    bool TakeHeartbeat(uint32_t term, bool idle);
    /** Notes that the other controller has the request to be its standby. */
    void JoinArrived();
    /**
     * Notes that the other controller does not answer that request.
     * @return whether it matters; not if the role has changed since
     */
    bool JoinFailed();

  private:
    void SetRole(ControllerRole role, uint32_t term);
    /** Starts the limit of the other controller's silence anew. */
    void NoteContact(bool idle);
    /** Retires, because another controller has a greater term. */
    void Retire();
    /**
     * Requests to be the standby of the other controller; without another one, becomes a candidate.
     */
    void Join();
    /** Becomes a candidate. */
    void Stand();

    SuccessionActions& m_actions;
    ControllerRole m_role{ControllerRole::IN_CHARGE};
    bool m_hasOther{false};
    ControllerTerm m_term;
    std::vector<OpusMessage> m_accepts; //!< for the term that is claimed
    Time m_takeoverAfter;
    EventId m_watch; //!< fires when the controller in charge has been silent for too long
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_SUCCESSION_H */
