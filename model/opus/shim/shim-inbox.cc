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

std::vector<RankId>
ShimInbox::GetRanks(const OpusMessage& message)
{
    using Type = OpusMessage::Type;
    const Type type = message.type;
    if (type == Type::HEARTBEAT || type == Type::TERM)
    {
        return {}; // all that it says is the term
    }
    const bool isMine = message.server == m_settings.server &&
                        message.phase.job == m_settings.job &&
                        (type == Type::GRANT || type == Type::REFUSE || type == Type::RECALL);
    m_counters.unknown += isMine ? 0 : 1;
    return isMine ? message.ranks : std::vector<RankId>();
}

uint32_t
ShimInbox::GetTerm() const
{
    return m_term;
}

} // namespace ns3
