/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "communication-time.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

namespace
{

/** @return the length of the union of spans, as far as it is between two instants */
Time
GetUnion(std::vector<std::pair<Time, Time>> spans, Time from, Time to)
{
    std::sort(spans.begin(), spans.end());
    Time length(0);
    Time covered = from; // up to there
    for (const auto& [begin, end] : spans)
    {
        const Time left = std::max(begin, covered);
        const Time right = std::min(end, to);
        if (right > left)
        {
            length += right - left;
            covered = right;
        }
    }
    return length;
}

} // namespace

CommunicationTime::CommunicationTime(uint32_t ranks)
    : m_computing(ranks),
      m_all(ranks)
{
}

void
CommunicationTime::AddComputing(uint32_t rank, Time from, Time to)
{
    m_computing.at(rank).emplace_back(from, to);
    m_all[rank].emplace_back(from, to);
}

void
CommunicationTime::AddExchange(uint32_t rank, Time from, Time to)
{
    m_all.at(rank).emplace_back(from, to);
}

Time
CommunicationTime::GetMean(Time from, Time to) const
{
    Time sum(0);
    for (std::size_t rank = 0; rank < m_all.size(); ++rank)
    {
        sum += GetUnion(m_all[rank], from, to) - GetUnion(m_computing[rank], from, to);
    }
    return m_all.empty() ? sum : TimeStep(sum.GetTimeStep() / static_cast<int64_t>(m_all.size()));
}

} // namespace ns3
