/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-history.h"

#include <algorithm>

namespace ns3
{

QueueHistory::QueueHistory(bool keepsDepths)
    : m_keepsDepths(keepsDepths)
{
}

void
QueueHistory::Add(Time at, uint64_t bytes)
{
    m_area += Wide{m_bytes} * static_cast<uint64_t>((at - m_since).GetTimeStep());
    m_bytes = bytes;
    m_since = at;
    m_peak = std::max(m_peak, bytes);
    if (m_keepsDepths)
    {
        m_depths.push_back({at, bytes});
    }
}

uint64_t
QueueHistory::GetPeak() const
{
    return m_peak;
}

uint64_t
QueueHistory::GetMean(Time until) const
{
    return until.IsZero()
               ? 0
               : static_cast<uint64_t>(m_area / static_cast<uint64_t>(until.GetTimeStep()));
}

const std::vector<QueueHistory::Depth>&
QueueHistory::GetDepths() const
{
    return m_depths;
}

} // namespace ns3
