/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ack-timer.h"

namespace ns3
{

void
AckTimer::Add(uint64_t frame, Picoseconds last)
{
    m_requested.push_back({frame, last});
    // nearly always in order: only a repeated frame comes before others
    for (std::size_t i = m_requested.size() - 1; i > 0 && m_requested[i - 1].first > frame; --i)
    {
        std::swap(m_requested[i - 1], m_requested[i]);
    }
}

} // namespace ns3
