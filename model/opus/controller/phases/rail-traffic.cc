/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-traffic.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RailTraffic::RailTraffic(bool wholeRails, std::set<RailId> wholeSwitch, bool wholeNetwork)
    : m_wholeRails(wholeRails),
      m_wholeSwitch(std::move(wholeSwitch)),
      m_wholeNetwork(wholeNetwork)
{
}

bool
RailTraffic::HasWholeRails() const
{
    return m_wholeRails;
}

bool
RailTraffic::IsWhole(RailId rail) const
{
    return m_wholeRails || m_wholeSwitch.count(rail) != 0;
}

bool
RailTraffic::HasAnyWhole() const
{
    return m_wholeRails || m_wholeNetwork || !m_wholeSwitch.empty();
}

std::set<RailId>
RailTraffic::SelectWhole(const std::set<RailId>& rails) const
{
    std::set<RailId> whole;
    for (const RailId rail : rails)
    {
        if (IsWhole(rail))
        {
            whole.insert(rail);
        }
    }
    return whole;
}

void
RailTraffic::Begin(const ControllerPhase& phase)
{
    for (const RailId rail : phase.rails)
    {
        ++m_underWay[rail][phase.parallelism];
    }
}

void
RailTraffic::End(const ControllerPhase& phase)
{
    for (const RailId rail : phase.rails)
    {
        std::map<std::string, uint32_t>& phases = m_underWay[rail];
        if (--phases[phase.parallelism] == 0)
        {
            phases.erase(phase.parallelism);
        }
    }
}

bool
RailTraffic::IsFreeFor(const std::string& parallelism, RailId rail) const
{
    const auto found = m_underWay.find(rail);
    return found == m_underWay.end() || found->second.empty() ||
           (found->second.size() == 1 && found->second.begin()->first == parallelism);
}

bool
RailTraffic::IsInTheWay(const ControllerPhase& granted, const ControllerPhase& waiting) const
{
    if (m_wholeNetwork)
    {
        return true;
    }
    const bool sharesRails = !m_wholeRails || granted.parallelism == waiting.parallelism;
    return std::any_of(granted.rails.begin(), granted.rails.end(), [&](RailId rail) {
        return waiting.rails.count(rail) != 0 && (!sharesRails || m_wholeSwitch.count(rail) != 0);
    });
}

} // namespace ns3
