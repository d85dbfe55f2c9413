/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "early-messages.h"

#include <algorithm>

namespace ns3
{

std::size_t
EarlyMessages::Keep(const FlowMessage& message)
{
    m_messages.push_back(message);
    return m_messages.size();
}

std::size_t
EarlyMessages::Count(Picoseconds before) const
{
    return std::count_if(m_messages.begin(), m_messages.end(), [before](const FlowMessage& one) {
        return one.at < before;
    });
}

void
EarlyMessages::Take(const CollectiveRun& run,
                    const std::function<void(const FlowMessage&)>& deliver)
{
    std::deque<FlowMessage> early;
    early.swap(m_messages);
    std::deque<FlowMessage> others;
    while (!early.empty() && !run.HasReceivedAll())
    {
        const FlowMessage one = early.front();
        early.pop_front();
        if (run.Awaits(one.peer, one.channel))
        {
            deliver(one);
        }
        else
        {
            others.push_back(one);
        }
    }
    early.insert(early.begin(), others.begin(), others.end());
    early.insert(early.end(), m_messages.begin(), m_messages.end());
    m_messages.swap(early);
}

} // namespace ns3
