/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-circuits.h"

#include <algorithm>

namespace ns3
{

void
OperationCircuits::Add(const CircuitRequest& request)
{
    m_stages.push_back({request});
}

void
OperationCircuits::Open(uint32_t place, const CircuitAnswer& answer, Picoseconds now)
{
    if (CountLit() == 0)
    {
        m_waited += now - m_dark;
    }
    Stage& stage = m_stages[place];
    stage.state = State::OPEN;
    stage.answer = answer;
    const uint32_t number = stage.request.stage; // its links are found anew
    m_links.erase(std::remove_if(m_links.begin(),
                                 m_links.end(),
                                 [number](const Links& one) { return one.stage == number; }),
                  m_links.end());
}

bool
OperationCircuits::Withdraw(uint32_t place)
{
    Stage& stage = m_stages[place];
    if (stage.state != State::OPEN)
    {
        return false;
    }
    stage.state = State::WITHDRAWN;
    return true;
}

void
OperationCircuits::Close(uint32_t place, bool isOver, Picoseconds now)
{
    m_stages[place].state = isOver ? State::OVER : State::REQUESTED;
    m_dark = CountLit() == 0 ? now : m_dark;
}

bool
OperationCircuits::AreOver() const
{
    return std::all_of(m_stages.begin(), m_stages.end(), [](const Stage& stage) {
        return stage.state == State::OVER;
    });
}

bool
OperationCircuits::UseHostNetwork() const
{
    return std::any_of(m_stages.begin(), m_stages.end(), [](const Stage& stage) {
        return stage.answer.network == CircuitAnswer::Network::HOST;
    });
}

const CircuitAnswer&
OperationCircuits::GetAnswer(uint32_t stage) const
{
    return std::lower_bound(
               m_stages.begin(),
               m_stages.end(),
               stage,
               [](const Stage& one, uint32_t number) { return one.request.stage < number; })
        ->answer;
}

const OperationCircuits::Links&
OperationCircuits::GetLinks(uint32_t stage, RankId from, RankId to)
{
    for (const Links& one : m_links)
    {
        if (one.stage == stage && one.to == to)
        {
            return one;
        }
    }
    const Connectivity& links = *GetAnswer(stage).links;
    m_links.push_back(
        {stage, to, links.GetLinks(from, to), links.GetRelays(from, to), links.GetPaths(from, to)});
    const std::vector<SharedRailPath>& paths = m_links.back().paths;
    m_usesHops = m_usesHops || (!paths.empty() && paths.front());
    return m_links.back();
}

std::size_t
OperationCircuits::CountLit() const
{
    return std::count_if(m_stages.begin(), m_stages.end(), [](const Stage& stage) {
        return stage.HasCircuits();
    });
}

} // namespace ns3
