/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-inbox.h"

#include <algorithm>
#include <utility>

namespace ns3
{

std::array<uint64_t, 3>
ControllerInbox::GetTurn(const OpusMessage& message)
{
    const bool isAgent =
        message.Is<OpusDone>() || message.Is<OpusAlarm>() || message.Is<OpusAccept>();
    return isAgent ? std::array<uint64_t, 3>{0, message.rail.Get(), 0}
                   : std::array<uint64_t, 3>{1, message.GetJob().Get(), message.server.Get()};
}

void
ControllerInbox::Add(OpusMessage message)
{
    m_messages.push_back(std::move(message));
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
    const auto isBefore = [](const auto& one, const auto& other) {
        return GetTurn(one) < GetTurn(other);
    };
    if (!std::is_sorted(messages.begin(), messages.end(), isBefore))
    {
        std::stable_sort(messages.begin(), messages.end(), isBefore); // which allocates memory
    }
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
