/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-words.h"

#include <sstream>

namespace ns3
{

std::string
ToWords(const OpusPhase& phase)
{
    std::ostringstream words;
    if (phase.pointToPoint)
    {
        words << "send " << phase.operation << " from rank " << phase.from << " to rank "
              << phase.to;
    }
    else
    {
        words << "operation " << phase.operation;
    }
    words << ", stage " << phase.stage << " of group " << phase.group << " of job " << phase.job;
    return words.str();
}

std::string
ToWords(const std::vector<RankId>& ranks)
{
    std::ostringstream words;
    words << (ranks.size() == 1 ? "rank" : "ranks");
    for (const RankId rank : ranks)
    {
        words << " " << rank;
    }
    return words.str();
}

std::string
ToMilliseconds(Picoseconds span)
{
    std::ostringstream words;
    words << static_cast<double>(span) / 1e9 << " ms";
    return words.str();
}

} // namespace ns3
