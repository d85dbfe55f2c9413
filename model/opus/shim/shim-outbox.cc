/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-outbox.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ns3
{

namespace
{

// Whether two messages differ only in their ranks, and in the pairs and bytes of these.

bool
IsSameMessage(const OpusRegisterGroup& one, const OpusRegisterGroup& other)
{
    return one.job == other.job && one.group == other.group && one.whole == other.whole &&
           one.digest == other.digest;
}

bool
IsSameMessage(const OpusRelease& one, const OpusRelease& other)
{
    return one.phase == other.phase && one.isUnused == other.isUnused &&
           one.number == other.number && one.until == other.until;
}

bool
IsSameMessage(const OpusCalled& one, const OpusCalled& other)
{
    return one.phase == other.phase && one.whole == other.whole && one.slot == other.slot &&
           one.at == other.at && one.chooses == other.chooses;
}

bool
IsSameMessage(const OpusRequest& one, const OpusRequest& other)
{
    return one.phase == other.phase && one.isAhead == other.isAhead && one.number == other.number &&
           one.until == other.until && one.links == other.links && one.due == other.due &&
           one.whole == other.whole && one.digest == other.digest;
}

} // namespace

ShimOutbox::ShimOutbox(ServerId server, ShimCounters& counters)
    : m_server(server),
      m_counters(counters)
{
}

void
ShimOutbox::Add(OpusRegisterGroup registration)
{
    m_registrations.push_back(std::move(registration));
}

void
ShimOutbox::Add(OpusCalled called)
{
    m_called.push_back(std::move(called));
}

void
ShimOutbox::Add(OpusOutage outage)
{
    const auto isSame = [&outage](const OpusOutage& one) {
        return one.phase == outage.phase && one.number == outage.number &&
               one.ranks == outage.ranks;
    };
    const auto same = std::find_if(m_outages.begin(), m_outages.end(), isSame);
    if (same == m_outages.end())
    {
        m_outages.push_back(std::move(outage));
        return;
    }
    for (const RankCircuit& circuit : outage.circuits)
    {
        if (std::find(same->circuits.begin(), same->circuits.end(), circuit) ==
            same->circuits.end())
        {
            same->circuits.push_back(circuit);
        }
    }
    std::sort(same->circuits.begin(), same->circuits.end());
}

void
ShimOutbox::Add(OpusRelease release)
{
    m_releases.push_back(std::move(release));
}

void
ShimOutbox::BeginTerm(const std::vector<OpusMessage>& statement)
{
    m_statement = statement;
    // they are in the statement, or have no effect at a new controller
    m_registrations.clear();
    m_outages.clear();
    m_releases.clear();
    m_called.clear();
}

void
ShimOutbox::SetDue(RankId rank, const OpusPhase& phase)
{
    m_due.emplace_back(rank, phase);
}

std::vector<std::pair<RankId, OpusPhase>>
ShimOutbox::TakeDue()
{
    // a rank needs circuits in the order of its calls: a send before a gather for a later pass
    const auto isLower = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(m_due.begin(), m_due.end(), isLower);
    return std::exchange(m_due, {});
}

void
ShimOutbox::AddRequest(OpusRequest request, const CallPairs& pairs, bool nameAll)
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
        m_whole.clear(); // a program without repetition
    }
    return m_whole.try_emplace(pairs, pairs).first->second;
}

std::vector<OpusMessage>
ShimOutbox::Take(uint32_t term)
{
    std::vector<OpusMessage> outbox = std::exchange(m_statement, {});
    const auto isGroupBefore = [](const OpusRegisterGroup& one, const OpusRegisterGroup& other) {
        return std::tie(one.ranks.front(), one.job, one.group) <
               std::tie(other.ranks.front(), other.job, other.group);
    };
    const auto isReleaseBefore = [](const OpusRelease& one, const OpusRelease& other) {
        return std::tie(one.ranks.front(), one.phase) < std::tie(other.ranks.front(), other.phase);
    };
    const auto isOutageBefore = [](const OpusOutage& one, const OpusOutage& other) {
        return std::tie(one.ranks.front(), one.phase) < std::tie(other.ranks.front(), other.phase);
    };
    const auto isCallBefore = [](const OpusCalled& one, const OpusCalled& other) {
        return std::tie(one.ranks.front(), one.phase) < std::tie(other.ranks.front(), other.phase);
    };
    std::stable_sort(m_called.begin(), m_called.end(), isCallBefore);
    std::stable_sort(m_registrations.begin(), m_registrations.end(), isGroupBefore);
    std::stable_sort(m_outages.begin(), m_outages.end(), isOutageBefore);
    std::stable_sort(m_releases.begin(), m_releases.end(), isReleaseBefore);
    for (const OpusRegisterGroup& registration : std::exchange(m_registrations, {}))
    {
        Coalesce(outbox, registration);
    }
    for (OpusOutage& outage : std::exchange(m_outages, {}))
    {
        outbox.push_back({0, m_server, RailId(), std::move(outage)});
    }
    for (const OpusRelease& release : std::exchange(m_releases, {}))
    {
        Coalesce(outbox, release);
    }
    for (const OpusRequest& request : std::exchange(m_requests, {}))
    {
        Coalesce(outbox, request);
    }
    for (const OpusCalled& called : std::exchange(m_called, {}))
    {
        Coalesce(outbox, called);
    }
    for (OpusMessage& message : outbox)
    {
        message.term = term;
    }
    return outbox;
}

template <typename Content>
void
ShimOutbox::Coalesce(std::vector<OpusMessage>& outbox, const Content& content)
{
    constexpr bool isRequest = std::is_same_v<Content, OpusRequest>;
    const auto found = std::find_if(outbox.begin(), outbox.end(), [&](const OpusMessage& other) {
        const Content* one = other.Find<Content>();
        return one && IsSameMessage(content, *one);
    });
    if (found == outbox.end())
    {
        m_counters.requests += isRequest ? 1 : 0;
        outbox.push_back({0, m_server, RailId(), content});
        return;
    }
    Content& same = std::get<Content>(found->content);
    for (const RankId rank : content.ranks)
    {
        if (std::find(same.ranks.begin(), same.ranks.end(), rank) != same.ranks.end())
        {
            continue;
        }
        same.ranks.push_back(rank);
        if constexpr (isRequest)
        {
            ++m_counters.coalesced;
            same.bytes += content.bytes;
        }
    }
    if constexpr (isRequest)
    {
        same.pairs.insert(same.pairs.end(), content.pairs.begin(), content.pairs.end());
        same.pairs = NormalizePairs(same.pairs);
    }
}

bool
ShimOutbox::IsEmpty() const
{
    return m_statement.empty() && m_registrations.empty() && m_outages.empty() &&
           m_releases.empty() && m_due.empty() && m_called.empty();
}

std::size_t
ShimOutbox::GetSize() const
{
    return m_registrations.size() + m_outages.size() + m_releases.size() + m_called.size();
}

} // namespace ns3
