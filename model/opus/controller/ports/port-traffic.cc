/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-traffic.h"

#include "ns3/opus-words.h"

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
    std::vector<RailPort>& ports = m_ports[phase];
    for (const RankCircuit& circuit : circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            m_inFlight[port].insert(phase);
            ports.push_back(port);
        }
    }
}

std::set<RankId>
PortTraffic::End(const OpusPhase& phase)
{
    std::set<RankId> ranks;
    const auto ended = m_ports.find(phase);
    if (ended == m_ports.end())
    {
        return ranks;
    }
    for (const RailPort& port : ended->second)
    {
        ranks.insert(m_cabling->FindNicPort(port)->rank);
        const auto inFlight = m_inFlight.find(port);
        if (inFlight != m_inFlight.end() && inFlight->second.erase(phase) != 0 &&
            inFlight->second.empty())
        {
            m_inFlight.erase(inFlight);
        }
    }
    m_ports.erase(ended);
    return ranks;
}

bool
PortTraffic::IsEmpty() const
{
    return m_ports.empty();
}

bool
PortTraffic::IsOn(const RailPort& port) const
{
    return m_inFlight.count(port) != 0;
}

std::vector<OpusPhase>
PortTraffic::GetPhases(const RailPort& port) const
{
    const auto found = m_inFlight.find(port);
    return found == m_inFlight.end()
               ? std::vector<OpusPhase>()
               : std::vector<OpusPhase>(found->second.begin(), found->second.end());
}

const OpusPhase*
PortTraffic::Find(const RailPort& port) const
{
    const bool whole = m_wholeSwitch.count(port.rail) != 0;
    const auto inFlight =
        whole ? m_inFlight.lower_bound({port.rail, PortId(0)}) : m_inFlight.find(port);
    return inFlight != m_inFlight.end() && inFlight->first.rail == port.rail
               ? &*inFlight->second.begin()
               : nullptr;
}

std::string
PortTraffic::Describe() const
{
    std::ostringstream words;
    for (const auto& [port, phases] : m_inFlight)
    {
        words << port << ":";
        for (const OpusPhase& phase : phases)
        {
            words << " " << ToWords(phase) << ";";
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
