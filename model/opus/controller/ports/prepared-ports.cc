/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "prepared-ports.h"

#include "ns3/opus-words.h"

#include <sstream>
#include <utility>

namespace ns3
{

PreparedPorts::PreparedPorts(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

void
PreparedPorts::Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    End(phase);
    for (const RankCircuit& circuit : circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            m_guesses[phase].insert(port);
            ++m_prepared[port];
        }
    }
}

void
PreparedPorts::End(const OpusPhase& phase)
{
    const auto guess = m_guesses.find(phase);
    if (guess == m_guesses.end())
    {
        return;
    }
    for (const RailPort& port : guess->second)
    {
        const auto prepared = m_prepared.find(port);
        if (--prepared->second == 0)
        {
            m_prepared.erase(prepared);
        }
    }
    m_guesses.erase(guess);
}

bool
PreparedPorts::Has(const RailPort& port) const
{
    return m_prepared.count(port) != 0;
}

std::string
PreparedPorts::Describe() const
{
    std::ostringstream words;
    for (const auto& [phase, ports] : m_guesses)
    {
        words << "for " << ToWords(phase) << ":";
        for (const RailPort& port : ports)
        {
            words << " " << port << ";";
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
