/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-succession.h"

#include "ns3/event-delay.h"
#include "ns3/simulator.h"

#include <cstddef>

namespace ns3
{

const char*
ToString(ControllerRole role)
{
    static constexpr const char* NAMES[] = {"in charge", "standby", "retired", "candidate"};
    return NAMES[static_cast<std::size_t>(role)];
}

ControllerSuccession::ControllerSuccession(SuccessionActions& actions)
    : m_actions(actions)
{
}

ControllerSuccession::~ControllerSuccession()
{
    m_watch.Cancel(); // after the end of the simulation it cannot be removed
}

void
ControllerSuccession::AddAgent(RailId rail)
{
    m_term.AddAgent(rail);
}

void
ControllerSuccession::HasStandby()
{
    m_hasOther = true;
}

void
ControllerSuccession::BeStandby()
{
    m_hasOther = true;
    m_role = ControllerRole::STANDBY;
    m_term.SetIndex(1);
}

void
ControllerSuccession::Retired()
{
    m_role = ControllerRole::RETIRED;
}

void
ControllerSuccession::Begin(Time takeoverAfter)
{
    m_takeoverAfter = takeoverAfter;
    if (m_role == ControllerRole::RETIRED)
    {
        Join();
    }
    else if (m_role == ControllerRole::IN_CHARGE)
    {
        m_term.BeginFirst();
    }
    else
    {
        NoteContact(false); // the other controller may be gone already
    }
}

void
ControllerSuccession::End()
{
    Simulator::Remove(m_watch); // not Cancel: see OpusControllerApp::End()
    m_term.Withdraw();
}

ControllerRole
ControllerSuccession::GetRole() const
{
    return m_role;
}

bool
ControllerSuccession::HasOther() const
{
    return m_hasOther;
}

bool
ControllerSuccession::IsOpen(uint32_t term, bool isProposal) const
{
    return m_term.IsOpen(term, isProposal);
}

void
ControllerSuccession::SetRole(ControllerRole role, uint32_t term)
{
    if (m_role != role)
    {
        m_role = role;
        m_actions.ChangeRole(role, term);
    }
}

void
ControllerSuccession::Renew()
{
    if (m_role == ControllerRole::IN_CHARGE || m_role == ControllerRole::CANDIDATE)
    {
        m_actions.StopDeciding();
        Stand();
    }
}

void
ControllerSuccession::NoteTerm(uint32_t term)
{
    if (m_term.NoteTerm(term))
    {
        Retire();
    }
}

void
ControllerSuccession::TakeAccept(const OpusMessage& message)
{
    const bool isQuery = message.Get<OpusAccept>().isQuery;
    if (!isQuery && m_term.IsOpen(message.term, false))
    {
        m_accepts.push_back(message);
    }
    switch (m_term.Accepted(message.rail, message.term, isQuery))
    {
    case ControllerTerm::Step::NOTHING:
        break;
    case ControllerTerm::Step::CLAIM:
        m_actions.SendClaims(m_term.GetClaim(), false);
        break;
    case ControllerTerm::Step::BEGIN: {
        const uint32_t term = m_term.GetClaim();
        SetRole(ControllerRole::IN_CHARGE, term);
        std::vector<OpusMessage> accepts;
        accepts.swap(m_accepts);
        m_actions.BeginTerm(term, accepts);
        break;
    }
    }
}

void
ControllerSuccession::TakeJoin()
{
    if (m_role != ControllerRole::CANDIDATE)
    {
        Stand(); // neither of the two is in charge
    }
}

bool
ControllerSuccession::TakeHeartbeat(uint32_t term, bool idle)
{
    if (term < m_term.GetGreatest())
    {
        return false;
    }
    m_term.Withdraw();
    SetRole(ControllerRole::STANDBY, term);
    NoteContact(idle);
    return true;
}

void
ControllerSuccession::JoinArrived()
{
    if (m_role == ControllerRole::RETIRED)
    {
        NoteContact(false); // if it is in charge, there will be heartbeats
    }
}

bool
ControllerSuccession::JoinFailed()
{
    if (m_role != ControllerRole::RETIRED)
    {
        return false;
    }
    Stand(); // there is no other controller
    return true;
}

void
ControllerSuccession::NoteContact(bool idle)
{
    Simulator::Remove(m_watch);
    if (!idle)
    {
        m_watch = Simulator::Schedule(DelayOf(m_takeoverAfter), &ControllerSuccession::Stand, this);
    }
}

void
ControllerSuccession::Retire()
{
    const bool wasInCharge = m_role == ControllerRole::IN_CHARGE;
    m_actions.StopDeciding();
    End();
    SetRole(wasInCharge ? ControllerRole::RETIRED : ControllerRole::STANDBY, m_term.GetGreatest());
    if (wasInCharge)
    {
        Join();
    }
    else
    {
        NoteContact(false); // the controller that claims the term either begins it, or is gone
    }
}

void
ControllerSuccession::Join()
{
    if (m_hasOther)
    {
        m_actions.SendJoin(m_term.GetGreatest());
    }
    else
    {
        Stand();
    }
}

void
ControllerSuccession::Stand()
{
    Simulator::Remove(m_watch);
    m_accepts.clear();
    const uint32_t term = m_term.Propose();
    SetRole(ControllerRole::CANDIDATE, term);
    m_actions.SendClaims(m_term.GetClaim(), true);
}

} // namespace ns3
