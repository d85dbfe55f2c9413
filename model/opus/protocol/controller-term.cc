/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-term.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

void
ControllerTerm::SetIndex(uint32_t index)
{
    NS_ABORT_MSG_UNLESS(index < CONTROLLERS,
                        "ControllerTerm: controller " << index << "; a pair has 0 and 1");
    m_index = index;
}

void
ControllerTerm::AddAgent(RailId rail)
{
    m_agents.insert(rail);
}

void
ControllerTerm::BeginFirst()
{
    m_state = State::EFFECTIVE;
    m_claim = 0;
}

uint32_t
ControllerTerm::Propose()
{
    m_state = State::PROPOSING;
    m_accepted.clear();
    m_claim = m_greatest + 1;
    while (m_claim % CONTROLLERS != m_index)
    {
        ++m_claim;
    }
    return m_claim;
}

ControllerTerm::Step
ControllerTerm::Accepted(RailId rail, uint32_t term, bool isProposal)
{
    if (!IsOpen(term, isProposal) || m_state == State::EFFECTIVE || m_agents.count(rail) == 0)
    {
        return Step::NOTHING;
    }
    m_accepted.insert(rail);
    if (m_accepted.size() < GetMajority())
    {
        return Step::NOTHING;
    }
    m_accepted.clear();
    if (m_state == State::PROPOSING)
    {
        m_state = State::CLAIMING;
        m_greatest = m_claim;
        return Step::CLAIM;
    }
    m_state = State::EFFECTIVE;
    return Step::BEGIN;
}

bool
ControllerTerm::NoteTerm(uint32_t term)
{
    m_greatest = std::max(m_greatest, term);
    if (m_state == State::RESTING || m_greatest <= m_claim - (m_state == State::PROPOSING ? 1 : 0))
    {
        return false;
    }
    m_state = State::RESTING;
    return true;
}

void
ControllerTerm::Withdraw()
{
    m_state = State::RESTING;
}

ControllerTerm::State
ControllerTerm::GetState() const
{
    return m_state;
}

uint32_t
ControllerTerm::GetClaim() const
{
    return m_claim;
}

uint32_t
ControllerTerm::GetGreatest() const
{
    return m_greatest;
}

bool
ControllerTerm::IsOpen(uint32_t term, bool isProposal) const
{
    return term == m_claim &&
           (isProposal ? m_state == State::PROPOSING
                       : m_state == State::CLAIMING || m_state == State::EFFECTIVE);
}

std::size_t
ControllerTerm::GetMajority() const
{
    return m_agents.size() / 2 + 1;
}

} // namespace ns3
