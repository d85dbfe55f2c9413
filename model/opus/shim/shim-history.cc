/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-history.h"

#include "ns3/phase-history.h"

#include <algorithm>

namespace ns3
{

uint64_t
ShimHistory::GetNumber(const OpusPhase& phase) const
{
    const auto number = m_numbers.find(phase);
    return number == m_numbers.end() ? 0 : number->second;
}

void
ShimHistory::SetNumber(const OpusPhase& phase, uint64_t number)
{
    m_numbers[phase] = number;
}

void
ShimHistory::Finish(const OpusPhase& phase)
{
    const ShimCall::Place place = GetPlace(phase);
    const OpusPhase flowKey = GetFlowKey(phase);
    ShimCall::Place& through = m_through.try_emplace(flowKey, place).first->second;
    through = std::max(through, place);
    OpusPhase last = flowKey;
    last.operation = through.first;
    last.stage = through.second;
    m_numbers.erase(m_numbers.lower_bound(flowKey), m_numbers.upper_bound(last));
}

bool
ShimHistory::IsThrough(const OpusPhase& phase) const
{
    const ShimCall::Place* through = GetThrough(GetFlowKey(phase));
    return through && !(*through < GetPlace(phase));
}

const ShimCall::Place*
ShimHistory::GetThrough(const OpusPhase& flowKey) const
{
    const auto through = m_through.find(flowKey);
    return through == m_through.end() ? nullptr : &through->second;
}

const std::map<OpusPhase, ShimCall::Place>&
ShimHistory::GetAllThrough() const
{
    return m_through;
}

void
ShimHistory::Grant(const ShimRequest& request)
{
    Circuits& last = m_last[GetFlowKey(request.GetPhase())];
    last = {request.GetPairs(), request.GetCircuits(), std::max(last.until, request.GetUntil())};
}

const ShimHistory::Circuits*
ShimHistory::GetLast(const OpusPhase& phase) const
{
    const auto last = m_last.find(GetFlowKey(phase));
    return last == m_last.end() ? nullptr : &last->second;
}

void
ShimHistory::Refuse(const OpusPhase& phase, const std::string& reason)
{
    m_refused.emplace_back(phase, reason);
    if (m_refused.size() > PhaseHistory::KEPT)
    {
        m_refused.pop_front();
    }
}

const std::deque<std::pair<OpusPhase, std::string>>&
ShimHistory::GetRefused() const
{
    return m_refused;
}

} // namespace ns3
