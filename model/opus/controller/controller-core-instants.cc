/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

// All that comes at an instant is taken before anything is decided, in an order of its own: which
// of it came first is of no importance.

namespace ns3
{

namespace
{

/** @return a number for each peer; messages of a peer stay in order */
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
ControllerCore::Collect(const OpusMessage& message)
{
    ++m_inputs;
    m_arrived.push_back(message);
}

void
ControllerCore::NotTold(const OpusMessage& grant)
{
    if (grant.term == m_term)
    {
        m_untold.insert(grant.phase);
    }
}

ControllerCore::Outbox
ControllerCore::Take(const OpusMessage& message, Picoseconds now)
{
    m_arrived.push_back(message);
    Decide(now);
    return Finish();
}

ControllerCore::Outbox
ControllerCore::TimePassed(Picoseconds now)
{
    Decide(now);
    return Finish();
}

void
ControllerCore::Decide(Picoseconds now)
{
    m_now = now;
    std::vector<OpusMessage> arrived;
    arrived.swap(m_arrived);
    std::stable_sort(arrived.begin(), arrived.end(), [](const auto& one, const auto& other) {
        return GetSender(one) < GetSender(other);
    });
    for (const OpusMessage& message : arrived)
    {
        Hear(message);
    }
    CallBackUntold();
    // a vote that comes at the limit is in time
    while (!m_deadlines.empty() && m_deadlines.begin()->first <= now)
    {
        Expire(m_phases.at(m_deadlines.begin()->second));
    }
    if (m_rotation.end <= now)
    {
        EndSlot();
    }
    Settle();
}

void
ControllerCore::Hear(const OpusMessage& message)
{
    if (message.term != m_term)
    {
        ++m_counters.stale;
        return;
    }
    switch (message.type)
    {
    case OpusMessage::Type::REGISTER_GROUP:
        TakeRegistration(message);
        break;
    case OpusMessage::Type::REQUEST:
        TakeRequest(message);
        break;
    case OpusMessage::Type::RELEASE:
        TakeRelease(message);
        break;
    case OpusMessage::Type::DONE:
        TakeDone(message);
        break;
    case OpusMessage::Type::ALARM:
        TakeAlarm(message);
        break;
    case OpusMessage::Type::ACCEPT:
        TakeAccept(message);
        break;
    case OpusMessage::Type::HOLD:
        TakeHold(message);
        break;
    case OpusMessage::Type::REFUSE:
        TakeRefusal(message);
        break;
    case OpusMessage::Type::TERM:
        TakeTerm(message);
        break;
    default:
        ++m_counters.unknown;
        break;
    }
}

void
ControllerCore::AssignTurns()
{
    std::vector<OpusPhase> completed;
    completed.swap(m_completed);
    for (const OpusPhase& key : completed)
    {
        const auto phase = m_phases.find(key);
        if (phase != m_phases.end() && phase->second.state == State::WAITING)
        {
            phase->second.turn.number = ++m_turns;
            Review(GetFlowKey(key));
        }
    }
}

} // namespace ns3
