/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-outbox.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/** @return whether two messages differ in nothing but their ranks and what these add to it */
bool
SaysTheSame(const OpusMessage& one, const OpusMessage& other)
{
    return one.type == other.type && one.phase == other.phase &&
           one.speculative == other.speculative && one.plan == other.plan &&
           one.until == other.until && one.links == other.links && one.whole == other.whole &&
           one.digest == other.digest;
}

/** @return whether one message leaves before another: by rank and phase, releases last */
bool
IsBefore(const OpusMessage& one, const OpusMessage& other)
{
    const auto key = [](const OpusMessage& message) {
        const bool isRelease = message.type == OpusMessage::Type::RELEASE;
        return std::make_tuple(isRelease, message.ranks.front(), message.phase);
    };
    return key(one) < key(other);
}

} // namespace

ShimOutbox::ShimOutbox(ServerId server, ShimCounters& counters)
    : m_server(server),
      m_counters(counters)
{
}

OpusMessage
ShimOutbox::Make(RankId rank, OpusMessage::Type type, const OpusPhase& phase) const
{
    OpusMessage message;
    message.type = type;
    message.server = m_server;
    message.phase = phase;
    message.ranks = {rank};
    return message;
}

void
ShimOutbox::Add(const OpusMessage& message)
{
    m_messages.push_back(message);
}

void
ShimOutbox::BeginTerm(const std::vector<OpusMessage>& statement)
{
    m_statement = statement;
    m_messages.clear(); // the statement says it, or it means nothing to a controller that is new
}

void
ShimOutbox::SetDue(RankId rank, const OpusPhase& phase)
{
    m_due.emplace_back(rank, phase);
}

std::vector<std::pair<RankId, OpusPhase>>
ShimOutbox::TakeDue()
{
    // what a rank calls first it needs first: a send before a gather for a later pass
    const auto isLower = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(m_due.begin(), m_due.end(), isLower);
    return std::exchange(m_due, {});
}

void
ShimOutbox::AddRequest(OpusMessage request, const CallPairs& pairs, bool nameAll)
{
    WholePairs& whole = GetWhole(pairs);
    if (nameAll)
    {
        whole.NameAll(request);
    }
    else
    {
        whole.Name(request);
    }
    m_requests.push_back(std::move(request));
}

WholePairs&
ShimOutbox::GetWhole(const CallPairs& pairs)
{
    constexpr std::size_t REMEMBERED = 1024;
    if (m_whole.size() >= REMEMBERED && m_whole.count(pairs) == 0)
    {
        m_whole.clear(); // a program that never repeats itself
    }
    return m_whole.try_emplace(pairs, pairs).first->second;
}

std::vector<OpusMessage>
ShimOutbox::Take(uint32_t term)
{
    std::vector<OpusMessage> outbox = std::exchange(m_statement, {});
    std::stable_sort(m_messages.begin(), m_messages.end(), IsBefore);
    for (const OpusMessage& message : std::exchange(m_messages, {}))
    {
        Coalesce(outbox, message);
    }
    for (const OpusMessage& request : std::exchange(m_requests, {}))
    {
        Coalesce(outbox, request);
    }
    for (OpusMessage& message : outbox)
    {
        message.term = term;
    }
    return outbox;
}

void
ShimOutbox::Coalesce(std::vector<OpusMessage>& outbox, const OpusMessage& message)
{
    const bool isRequest = message.type == OpusMessage::Type::REQUEST;
    const auto same = std::find_if(outbox.begin(), outbox.end(), [&](const OpusMessage& other) {
        return SaysTheSame(message, other);
    });
    if (same == outbox.end())
    {
        m_counters.requests += isRequest ? 1 : 0;
        outbox.push_back(message);
        return;
    }
    for (const RankId rank : message.ranks)
    {
        if (std::find(same->ranks.begin(), same->ranks.end(), rank) == same->ranks.end())
        {
            m_counters.coalesced += isRequest ? 1 : 0;
            same->ranks.push_back(rank);
            same->bytes += message.bytes;
        }
    }
    if (isRequest)
    {
        same->pairs.insert(same->pairs.end(), message.pairs.begin(), message.pairs.end());
        same->pairs = NormalizePairs(same->pairs);
    }
}

bool
ShimOutbox::IsEmpty() const
{
    return m_statement.empty() && m_messages.empty() && m_due.empty();
}

std::size_t
ShimOutbox::GetSize() const
{
    return m_messages.size();
}

} // namespace ns3
