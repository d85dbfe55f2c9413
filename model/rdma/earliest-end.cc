/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "earliest-end.h"

#include <algorithm>

namespace ns3
{

using Outlook = BatchOffload::Outlook;

void
EarliestEnd::Add(const QueuePairSender::Ahead& ahead)
{
    m_least = std::min(m_least, ahead.bytes);
    if (m_count < FEW)
    {
        m_few[m_count] = ahead;
    }
    ++m_count;
}

uint64_t
EarliestEnd::GetBytes(bool answers) const
{
    if (m_count < 2 || m_count > FEW)
    {
        return m_least;
    }
    uint64_t inTurn = Outlook::NOTHING;
    for (std::size_t i = 0; i < m_count; ++i)
    {
        uint64_t bytes = m_few[i].bytes;
        for (std::size_t j = 0; j < m_count; ++j)
        {
            if (j != i)
            {
                bytes += std::min({m_few[j].available, m_few[i].toEnd - 1, m_few[j].toEnd - 1}) *
                         (answers ? Outlook::LEAST : m_few[j].each);
            }
        }
        inTurn = std::min(inTurn, bytes);
    }
    return inTurn;
}

} // namespace ns3
