/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-history.h"

#include "opus-words.h"

namespace ns3
{

OpusPhase
GetFlowKey(const OpusPhase& phase)
{
    OpusPhase flowKey = phase;
    flowKey.operation = 0;
    flowKey.stage = 0;
    if (!phase.pointToPoint)
    {
        flowKey.from = RankId(0);
        flowKey.to = RankId(0);
    }
    return flowKey;
}

void
PhaseHistory::Add(const OpusPhase& phase, const std::string& refusal)
{
    Ended& ended = m_byFlow[GetFlowKey(phase)];
    ended.kept[phase] = refusal;
    if (ended.kept.size() > KEPT)
    {
        ended.forgotten = ended.kept.begin()->first;
        ended.kept.erase(ended.kept.begin());
    }
}

std::optional<std::string>
PhaseHistory::Find(const OpusPhase& phase) const
{
    const auto flowKey = m_byFlow.find(GetFlowKey(phase));
    if (flowKey == m_byFlow.end())
    {
        return std::nullopt;
    }
    const Ended& ended = flowKey->second;
    const auto kept = ended.kept.find(phase);
    if (kept != ended.kept.end())
    {
        return kept->second;
    }
    if (ended.forgotten && !(*ended.forgotten < phase))
    {
        return "many later ones are over, and it is not known any more";
    }
    return std::nullopt;
}

std::string
PhaseHistory::Describe() const
{
    std::string words;
    for (const auto& [flowKey, ended] : m_byFlow)
    {
        for (const auto& [phase, refusal] : ended.kept)
        {
            words += ToWords(phase) + " is over: " + refusal + "\n";
        }
    }
    return words;
}

} // namespace ns3
