/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-progress.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace ns3
{

namespace
{

/** @return the place of a stage, or of the next one */
template <typename Through>
auto
FindStage(Through& through, uint32_t stage)
{
    return std::lower_bound(through.begin(),
                            through.end(),
                            stage,
                            [](const auto& one, uint32_t its) { return one.first < its; });
}

} // namespace

void
RankProgress::Raise(const OpusPhase& phase, RankId rank, uint64_t operation, uint32_t stage)
{
    Through& through = m_byFlow[phase].Add(rank).first;
    const auto place = FindStage(through, stage);
    if (place == through.end() || place->first != stage)
    {
        through.insert(place, {stage, operation});
        return;
    }
    place->second = std::max(place->second, operation);
}

const RankProgress::Through*
RankProgress::Find(const OpusPhase& phase, RankId rank) const
{
    const auto ranks = m_byFlow.find(phase);
    return ranks == m_byFlow.end() ? nullptr : ranks->second.Find(rank);
}

bool
RankProgress::IsThrough(const OpusPhase& phase, RankId rank) const
{
    const Through* through = Find(phase, rank);
    return through && std::any_of(through->begin(), through->end(), [&phase](const auto& last) {
               return last.second > phase.operation ||
                      (last.second == phase.operation && last.first == phase.stage);
           });
}

uint64_t
RankProgress::GetOperation(const OpusPhase& phase, RankId rank) const
{
    const Through* through = Find(phase, rank);
    if (!through)
    {
        return phase.operation;
    }
    const auto place = FindStage(*through, phase.stage);
    const bool isKnown = place != through->end() && place->first == phase.stage;
    return isKnown ? std::max(phase.operation, place->second) : phase.operation;
}

std::string
RankProgress::Describe() const
{
    std::ostringstream words;
    for (const auto* flow : ListInOrder(m_byFlow))
    {
        const OpusPhase& flowKey = flow->first;
        const auto& ranks = flow->second;
        words << "job " << flowKey.job << ", group " << flowKey.group;
        if (flowKey.pointToPoint)
        {
            words << ", sends from rank " << flowKey.from << " to rank " << flowKey.to;
        }
        for (std::size_t i = 0; i < ranks.size(); ++i)
        {
            for (const auto& [stage, operation] : ranks.GetValues()[i])
            {
                words << "; rank " << ranks.GetIds()[i] << " is through with operation "
                      << operation << ", stage " << stage;
            }
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
