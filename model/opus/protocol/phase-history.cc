/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-history.h"

#include "opus-words.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return the place of a phase among those of a flow that are kept, or of the next one */
template <typename Ended>
auto
FindKept(Ended& ended, const OpusPhase& phase)
{
    return std::lower_bound(ended.kept.begin() + ended.first,
                            ended.kept.end(),
                            phase,
                            [](const auto& one, const auto& its) { return one.first < its; });
}

} // namespace

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
    Ended& ended = m_byFlow[phase];
    const auto place = FindKept(ended, phase);
    // hardly any is refused, so that words are kept beside the phase
    const auto words = refusal.empty() ? nullptr : std::make_shared<const std::string>(refusal);
    if (place != ended.kept.end() && place->first == phase)
    {
        place->second = words;
    }
    else
    {
        ended.kept.insert(place, {phase, words});
    }
    if (ended.kept.size() > ended.first + KEPT)
    {
        ended.forgotten = ended.kept[ended.first].first;
        ended.kept[ended.first].second.reset();
        ++ended.first;
    }
    if (ended.first == KEPT)
    {
        ended.kept.erase(ended.kept.begin(), ended.kept.begin() + KEPT);
        ended.first = 0;
    }
}

std::optional<std::string>
PhaseHistory::Find(const OpusPhase& phase) const
{
    const auto flowKey = m_byFlow.find(phase);
    if (flowKey == m_byFlow.end())
    {
        return std::nullopt;
    }
    const Ended& ended = flowKey->second;
    const auto kept = FindKept(ended, phase);
    if (kept != ended.kept.end() && kept->first == phase)
    {
        return kept->second ? *kept->second : "";
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
    for (const auto* flow : ListInOrder(m_byFlow))
    {
        const Ended& ended = flow->second;
        for (std::size_t i = ended.first; i < ended.kept.size(); ++i)
        {
            const auto& [phase, refusal] = ended.kept[i];
            words += ToWords(phase) + " is over: " + (refusal ? *refusal : "") + "\n";
        }
    }
    return words;
}

} // namespace ns3
