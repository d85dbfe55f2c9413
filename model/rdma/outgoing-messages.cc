/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "outgoing-messages.h"

#include <algorithm>

namespace ns3
{

const MessageInOrder&
OutgoingMessages::Add(RdmaMessage message, uint32_t mtu, uint64_t begin)
{
    message.id = m_ids++;
    const MessageFrames frames(message.verb, message.bytes, mtu);
    m_leastFrames = GetOpen() == 0 ? frames.GetCount() : std::min(m_leastFrames, frames.GetCount());
    m_messages.push_back({message, frames, begin});
    return m_messages.back();
}

void
OutgoingMessages::SettleUpTo(uint64_t frame, std::vector<RdmaMessage>& settled)
{
    while (WouldSettle(frame))
    {
        settled.push_back(m_messages[m_settled].message);
        ++m_settled;
    }
}

std::vector<RdmaMessage>
OutgoingMessages::CloseAll()
{
    std::vector<RdmaMessage> open;
    for (; m_settled < m_messages.size(); ++m_settled)
    {
        open.push_back(m_messages[m_settled].message);
    }
    return open;
}

} // namespace ns3
