/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-inbox.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/** @return the place of a message's sender among all senders */
auto
GetSender(const OpusMessage& message)
{
    const bool isAgent = message.type == OpusMessage::Type::DONE ||
                         message.type == OpusMessage::Type::ALARM ||
                         message.type == OpusMessage::Type::ACCEPT;
    return isAgent ? std::make_tuple(0U, message.rail.Get(), 0U)
                   : std::make_tuple(1U, message.phase.job.Get(), message.server.Get());
}

} // namespace

void
ControllerInbox::Add(const OpusMessage& message)
{
    m_messages.push_back(message);
}

void
ControllerInbox::AddUntold(const OpusPhase& phase)
{
    m_untold.insert(phase);
}

std::vector<OpusMessage>
ControllerInbox::TakeMessages()
{
    std::vector<OpusMessage> messages;
    messages.swap(m_messages);
    std::stable_sort(messages.begin(), messages.end(), [](const auto& one, const auto& other) {
        return GetSender(one) < GetSender(other);
    });
    return messages;
}

std::set<OpusPhase>
ControllerInbox::TakeUntold()
{
    std::set<OpusPhase> untold;
    untold.swap(m_untold);
    return untold;
}

std::size_t
ControllerInbox::CountMessages() const
{
    return m_messages.size();
}

} // namespace ns3
