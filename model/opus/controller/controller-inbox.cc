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
    const bool isAgent =
        message.Is<OpusDone>() || message.Is<OpusAlarm>() || message.Is<OpusAccept>();
    return isAgent ? std::make_tuple(0U, message.rail.Get(), 0U)
                   : std::make_tuple(1U, message.GetJob().Get(), message.server.Get());
}

} // namespace

void
ControllerInbox::Add(const OpusMessage& message)
{
    m_messages.push_back(message);
}

void
ControllerInbox::AddUndelivered(const OpusPhase& phase)
{
    m_undelivered.insert(phase);
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
ControllerInbox::TakeUndelivered()
{
    std::set<OpusPhase> undelivered;
    undelivered.swap(m_undelivered);
    return undelivered;
}

std::size_t
ControllerInbox::CountMessages() const
{
    return m_messages.size();
}

} // namespace ns3
