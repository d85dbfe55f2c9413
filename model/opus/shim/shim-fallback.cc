/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-fallback.h"

#include "ns3/circuit-planner.h"

#include <algorithm>
#include <optional>

namespace ns3
{

ShimFallback::ShimFallback(const ShimSettings& settings)
    : m_settings(settings)
{
}

void
ShimFallback::AddRank(RankId rank)
{
    m_ranks.insert(rank);
}

bool
ShimFallback::Begin()
{
    if (m_state != State::OFF || !m_settings.rings)
    {
        return false;
    }
    m_state = State::LEAVING;
    return true;
}

bool
ShimFallback::IsOn() const
{
    return m_state != State::OFF;
}

bool
ShimFallback::IsUp() const
{
    return m_state == State::UP;
}

bool
ShimFallback::TakeReady(bool isIdle)
{
    if (m_state != State::LEAVING || !isIdle)
    {
        return false;
    }
    m_state = State::READY;
    return true;
}

std::map<RailId, std::vector<SwitchCircuit>>
ShimFallback::GetWanted() const
{
    std::map<RailId, std::vector<SwitchCircuit>> wanted;
    for (uint32_t rail = 0; rail < m_settings.cabling->GetRails(); ++rail)
    {
        for (const RankCircuit& circuit : m_settings.rings->GetCircuits(RailId(rail)))
        {
            if (m_settings.cabling->GetServer(circuit.one) == m_settings.server)
            {
                const auto [one, other] = GetRailPorts(circuit, *m_settings.cabling);
                wanted[RailId(rail)].push_back({one.port, other.port});
            }
        }
    }
    for (const RankId rank : m_ranks)
    {
        wanted.try_emplace(m_settings.cabling->GetRail(rank)); // its agent has to know, too
    }
    return wanted;
}

bool
ShimFallback::TakeUp(RailId rail, const std::vector<SwitchCircuit>& dark)
{
    for (const SwitchCircuit& circuit : dark)
    {
        const std::optional<NicPort> one = m_settings.cabling->FindNicPort({rail, circuit.one});
        const std::optional<NicPort> other = m_settings.cabling->FindNicPort({rail, circuit.other});
        if (one && other)
        {
            m_gaps.insert(std::minmax(one->rank, other->rank));
        }
    }
    m_rails.insert(rail);
    const bool areAllUp = std::all_of(m_ranks.begin(), m_ranks.end(), [this](RankId rank) {
        return m_rails.count(m_settings.cabling->GetRail(rank)) != 0;
    });
    if (m_state != State::READY || !areAllUp)
    {
        return false;
    }
    m_state = State::UP;
    return true;
}

OpusGrant
ShimFallback::MakeGrant(const OpusRequest& request) const
{
    OpusGrant grant;
    grant.phase = request.phase;
    grant.ranks = request.ranks;
    grant.number = request.number;
    grant.isAhead = request.isAhead;
    grant.until = UINT64_MAX; // they stay
    for (uint32_t rail = 0; rail < m_settings.cabling->GetRails(); ++rail)
    {
        for (const RankCircuit& circuit : m_settings.rings->GetCircuits(RailId(rail)))
        {
            const bool isHere = m_settings.cabling->GetServer(circuit.one) == m_settings.server ||
                                m_settings.cabling->GetServer(circuit.other) == m_settings.server;
            if (isHere && m_gaps.count(std::minmax(circuit.one, circuit.other)) == 0)
            {
                grant.circuits.push_back(circuit);
            }
        }
    }
    grant.isOverRings = true;
    grant.gaps.assign(m_gaps.begin(), m_gaps.end());
    return grant;
}

} // namespace ns3
