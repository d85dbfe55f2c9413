/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-traffic.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

PortTraffic::PortTraffic(std::shared_ptr<const Cabling> cabling, std::set<RailId> wholeSwitch)
    : m_cabling(std::move(cabling)),
      m_wholeSwitch(std::move(wholeSwitch))
{
}

void
PortTraffic::Begin(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    const auto entry = m_ports.try_emplace(phase).first;
    const OpusPhase* key = &entry->first;
    std::vector<RailPort>& ports = entry->second;
    ports.reserve(ports.size() + 2 * circuits.size());
    for (const RankCircuit& circuit : circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            Phases& phases = m_inFlight[port];
            const auto place = FindPlace(phases, *key);
            if (place == phases.end() || *place != key)
            {
                phases.insert(place, key);
                ports.push_back(port);
            }
            if (m_wholeSwitch.count(port.rail) != 0)
            {
                m_onWhole.insert(port);
            }
        }
    }
}

std::vector<RankId>
PortTraffic::End(const OpusPhase& phase)
{
    std::vector<RankId> ranks;
    const auto ended = m_ports.find(phase);
    if (ended == m_ports.end())
    {
        return ranks;
    }
    ranks.reserve(ended->second.size());
    for (const RailPort& port : ended->second)
    {
        ranks.push_back(m_cabling->FindNicPort(port)->rank);
        Phases& phases = *m_inFlight.Find(port);
        phases.erase(FindPlace(phases, ended->first));
        if (phases.empty())
        {
            m_onWhole.erase(port);
        }
    }
    m_ports.erase(ended);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

PortTraffic::Phases::iterator
PortTraffic::FindPlace(Phases& phases, const OpusPhase& phase)
{
    return std::lower_bound(phases.begin(),
                            phases.end(),
                            phase,
                            [](const OpusPhase* one, const OpusPhase& its) { return *one < its; });
}

bool
PortTraffic::IsEmpty() const
{
    return m_ports.empty();
}

bool
PortTraffic::IsOn(const RailPort& port) const
{
    const Phases* phases = m_inFlight.Find(port);
    return phases && !phases->empty();
}

std::vector<OpusPhase>
PortTraffic::GetPhases(const RailPort& port) const
{
    std::vector<OpusPhase> found;
    if (const Phases* phases = m_inFlight.Find(port))
    {
        for (const OpusPhase* phase : *phases)
        {
            found.push_back(*phase);
        }
    }
    return found;
}

const OpusPhase*
PortTraffic::Find(const RailPort& port) const
{
    if (!m_onWhole.empty() && m_wholeSwitch.count(port.rail) != 0)
    {
        const auto first = m_onWhole.lower_bound({port.rail, PortId(0)});
        return first != m_onWhole.end() && first->rail == port.rail
                   ? m_inFlight.Find(*first)->front()
                   : nullptr;
    }
    const Phases* phases = m_inFlight.Find(port);
    return phases && !phases->empty() ? phases->front() : nullptr;
}

std::string
PortTraffic::Describe() const
{
    std::ostringstream words;
    m_inFlight.ForEach([&words](const RailPort& port, const Phases& phases) {
        if (phases.empty())
        {
            return;
        }
        words << port << ":";
        for (const OpusPhase* phase : phases)
        {
            words << " " << ToWords(*phase) << ";";
        }
        words << "\n";
    });
    return words.str();
}

} // namespace ns3
