/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-inbox.h"

namespace ns3
{

ShimInbox::ShimInbox(const ShimSettings& settings, ShimCounters& counters)
    : m_settings(settings),
      m_counters(counters)
{
}

ShimInbox::Sender
ShimInbox::Receive(const OpusMessage& message)
{
    if (message.term < m_term)
    {
        ++m_counters.stale;
        return Sender::REPLACED;
    }
    const bool isNew = message.term > m_term;
    m_term = message.term;
    return isNew ? Sender::NEW : Sender::IN_CHARGE;
}

const OpusLateness*
ShimInbox::FindLateness(const OpusMessage& message) const
{
    const bool isMine = message.server == m_settings.server && message.GetJob() == m_settings.job;
    return isMine ? message.Find<OpusLateness>() : nullptr;
}

std::vector<RankId>
ShimInbox::GetRanks(const OpusMessage& message)
{
    if (message.Is<OpusHeartbeat>() || message.Is<OpusTerm>())
    {
        return {}; // it has nothing but its term
    }
    const bool isForRanks =
        message.Is<OpusGrant>() || message.Is<OpusRefuse>() || message.Is<OpusRecall>();
    const bool isMine =
        isForRanks && message.server == m_settings.server && message.GetJob() == m_settings.job;
    m_counters.unknown += isMine ? 0 : 1;
    return isMine ? message.GetRanks() : std::vector<RankId>();
}

uint32_t
ShimInbox::GetTerm() const
{
    return m_term;
}

} // namespace ns3
