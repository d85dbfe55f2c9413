/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "early-messages.h"

#include "message-tag.h"

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

bool
EarlyMessages::HasOthers(uint64_t number) const
{
    return std::any_of(m_messages.begin(), m_messages.end(), [number](const FlowMessage& one) {
        return !MessageTag::IsOf(one.tag, number);
    });
}

void
EarlyMessages::Take(const CollectiveRun& run,
                    const std::function<void(const FlowMessage&)>& deliver)
{
    std::vector<FlowMessage> early;
    early.swap(m_messages);
    std::vector<FlowMessage> others;
    std::size_t next = 0;
    for (; next < early.size() && !run.HasReceivedAll(); ++next)
    {
        const FlowMessage one = early[next];
        if (run.Awaits(one.peer, one.channel))
        {
            deliver(one);
        }
        else
        {
            others.push_back(one);
        }
    }
    others.insert(others.end(), early.begin() + next, early.end());
    others.insert(others.end(), m_messages.begin(), m_messages.end());
    m_messages.swap(others);
}

} // namespace ns3
