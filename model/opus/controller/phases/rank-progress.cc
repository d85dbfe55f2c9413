/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-progress.h"

#include "ns3/phase-history.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

void
RankProgress::Raise(const OpusPhase& phase, RankId rank, uint64_t operation, uint32_t stage)
{
    uint64_t& last = m_byFlow[GetFlowKey(phase)][rank].try_emplace(stage, operation).first->second;
    last = std::max(last, operation);
}

const RankProgress::Through*
RankProgress::Find(const OpusPhase& phase, RankId rank) const
{
    const auto ranks = m_byFlow.find(GetFlowKey(phase));
    if (ranks == m_byFlow.end())
    {
        return nullptr;
    }
    const auto through = ranks->second.find(rank);
    return through == ranks->second.end() ? nullptr : &through->second;
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
    const bool isKnown = through && through->count(phase.stage) != 0;
    return isKnown ? std::max(phase.operation, through->at(phase.stage)) : phase.operation;
}

std::string
RankProgress::Describe() const
{
    std::ostringstream words;
    for (const auto& [flowKey, ranks] : m_byFlow)
    {
        words << "job " << flowKey.job << ", group " << flowKey.group;
        if (flowKey.pointToPoint)
        {
            words << ", sends from rank " << flowKey.from << " to rank " << flowKey.to;
        }
        for (const auto& [rank, through] : ranks)
        {
            for (const auto& [stage, operation] : through)
            {
                words << "; rank " << rank << " is through with operation " << operation
                      << ", stage " << stage;
            }
        }
        words << "\n";
    }
    return words.str();
}

} // namespace ns3
