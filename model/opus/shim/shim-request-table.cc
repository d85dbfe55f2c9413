/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-request-table.h"

#include "ns3/phase-history.h"

#include <algorithm>
#include <set>

namespace ns3
{

ShimRequestTable::ShimRequestTable(RankId rank, const ShimSettings& settings)
    : m_rank(rank),
      m_settings(settings)
{
}

ShimRequest&
ShimRequestTable::Open(const OpusPhase& phase)
{
    return m_requests.try_emplace(phase, phase).first->second;
}

void
ShimRequestTable::Remove(const OpusPhase& phase)
{
    m_requests.erase(phase);
}

ShimRequest*
ShimRequestTable::Find(const OpusPhase& phase)
{
    const auto found = m_requests.find(phase);
    return found == m_requests.end() ? nullptr : &found->second;
}

ShimRequest&
ShimRequestTable::At(const OpusPhase& phase)
{
    return m_requests.at(phase);
}

ShimRequestTable::Requests&
ShimRequestTable::GetAll()
{
    return m_requests;
}

const ShimRequestTable::Requests&
ShimRequestTable::GetAll() const
{
    return m_requests;
}

ShimRequestTable::Range
ShimRequestTable::GetFlow(const OpusPhase& phase) const
{
    const OpusPhase flowKey = GetFlowKey(phase);
    const auto begin = m_requests.lower_bound(flowKey);
    const auto end = std::find_if(begin, m_requests.end(), [&flowKey](const auto& entry) {
        return !(GetFlowKey(entry.first) == flowKey);
    });
    return {begin, end};
}

ShimRequest*
ShimRequestTable::FindCover(const ShimCall& call, const OpusPhase& phase)
{
    const auto [begin, end] = GetFlow(phase);
    const auto found = std::find_if(begin, end, [&](const auto& entry) {
        return entry.second.Covers(call, phase);
    });
    return found == end ? nullptr : Find(found->first);
}

ShimRequest*
ShimRequestTable::FindCall(const OpusPhase& phase)
{
    const ShimCall::Place place = GetPlace(phase);
    const auto [begin, end] = GetFlow(phase);
    const auto found =
        std::find_if(begin, end, [&place](const auto& entry) { return entry.second.Has(place); });
    return found == end ? nullptr : Find(found->first);
}

const ShimRequest*
ShimRequestTable::FindGrantOf(const OpusPhase& phase) const
{
    const auto [begin, end] = GetFlow(phase);
    const auto found = std::find_if(begin, end, [place = GetPlace(phase)](const auto& entry) {
        return entry.second.IsGranted() && entry.second.Has(place);
    });
    return found == end ? nullptr : &found->second;
}

bool
ShimRequestTable::IsGranted(const OpusPhase& phase, uint64_t number) const
{
    const auto found = m_requests.find(phase);
    return found != m_requests.end() && found->second.IsGranted() &&
           found->second.GetNumber() == number;
}

bool
ShimRequestTable::HasCall(const OpusPhase& phase) const
{
    const auto [begin, end] = GetFlow(phase);
    return std::any_of(begin, end, [place = GetPlace(phase)](const auto& entry) {
        return entry.second.Has(place);
    });
}

std::vector<OpusPhase>
ShimRequestTable::GetReturned() const
{
    std::vector<OpusPhase> returned;
    for (const auto& [phase, request] : m_requests)
    {
        for (const auto& [place, call] : request.GetCalls())
        {
            if (call.state == ShimCall::State::RETURNED)
            {
                returned.push_back(phase);
                returned.back().operation = place.first;
                returned.back().stage = place.second;
            }
        }
    }
    return returned;
}

std::vector<OpusPhase>
ShimRequestTable::GetAhead() const
{
    std::vector<OpusPhase> ahead;
    for (const auto& [phase, request] : m_requests)
    {
        if (request.IsAhead())
        {
            ahead.push_back(phase);
        }
    }
    return ahead;
}

// ---------------------------------------------------------------- calls that are over

std::optional<uint64_t>
ShimRequestTable::GetThrough(const ShimRequest& request, const ShimHistory& history) const
{
    if (!request.GetThrough())
    {
        return std::nullopt;
    }
    const OpusPhase& phase = request.GetPhase();
    uint64_t next = *request.GetThrough() + 1;
    const ShimCall::Place* through = history.GetThrough(GetFlowKey(phase));
    if (phase.stage == 0 && through)
    {
        next = std::max(next, through->first + 1);
    }
    const auto stopAt = [&next, first = GetPlace(phase)](const ShimCall::Place& open) {
        if (!(open < first)) // an earlier operation is not of this request
        {
            next = std::min(next, open.second > first.second ? open.first + 1 : open.first);
        }
    };
    const auto [begin, end] = GetFlow(phase);
    for (auto other = begin; other != end; ++other)
    {
        for (const auto& [place, call] : other->second.GetCalls())
        {
            stopAt(place);
        }
        for (const ShimCall& call : other->second.GetParked())
        {
            stopAt(GetPlace(call.request));
        }
    }
    return next > phase.operation ? std::optional<uint64_t>(next - 1) : std::nullopt;
}

ShimCall::Place
ShimRequestTable::GetFirstOpen(const OpusPhase& flowKey, ShimCall::Place place) const
{
    const auto [begin, end] = GetFlow(flowKey);
    for (auto request = begin; request != end; ++request)
    {
        for (const auto& [open, call] : request->second.GetCalls())
        {
            place = std::min(place, open);
        }
        for (const ShimCall& call : request->second.GetParked())
        {
            place = std::min(place, GetPlace(call.request));
        }
    }
    return place;
}

// --------------------------------------------------------- requests that are in the way

bool
ShimRequestTable::HasRoom(const ShimRequest& waiting) const
{
    std::set<RankId> partners;
    for (const auto& [one, other] : *waiting.GetPairs())
    {
        if (one == m_rank || other == m_rank)
        {
            partners.insert(one == m_rank ? other : one);
        }
    }
    std::set<uint32_t> used;
    std::set<RankId> joined;
    for (const auto& [phase, request] : m_requests)
    {
        if (!request.IsGranted())
        {
            continue;
        }
        if (IsSamePairs(request.GetPairs(), waiting.GetPairs()))
        {
            return true;
        }
        const std::vector<uint32_t> ports = request.GetCircuits()->GetPorts(m_rank);
        used.insert(ports.begin(), ports.end());
        for (const RankId partner : partners)
        {
            if (!request.GetCircuits()->GetLinks(m_rank, partner).empty())
            {
                joined.insert(partner);
            }
        }
    }
    const std::size_t missing = partners.size() - joined.size();
    return waiting.GetLinks() != 0 &&
           used.size() + missing * waiting.GetLinks() <= m_settings.ports;
}

Picoseconds
ShimRequestTable::GetKeptUntil(const ShimRequest& idle, const ShimRequest& waiting) const
{
    const bool isWanted =
        idle.IsHinted() || (idle.GetRun() != 0 && idle.GetRun() == waiting.GetRun());
    if (!isWanted || !HasRoom(waiting))
    {
        return ALWAYS_BEFORE;
    }
    const Picoseconds since = std::max(idle.GetIdleSince(), waiting.GetWaitingSince());
    return m_settings.keepIdle < NEVER - since ? since + m_settings.keepIdle : NEVER;
}

std::vector<OpusPhase>
ShimRequestTable::GetInTheWay(Picoseconds now) const
{
    std::vector<OpusPhase> inTheWay;
    for (const auto& [phase, idle] : m_requests)
    {
        const auto isBlocked = [this, now, &mine = idle](const auto& other) {
            const ShimRequest& request = other.second;
            return !request.IsGranted() && request.IsWaiting() &&
                   GetKeptUntil(mine, request) <= now;
        };
        if (idle.IsSpare() && std::any_of(m_requests.begin(), m_requests.end(), isBlocked))
        {
            inTheWay.push_back(phase);
        }
    }
    return inTheWay;
}

// -------------------------------------------------------------------------- waits

std::vector<OpusPhase>
ShimRequestTable::GetLate(Picoseconds now) const
{
    std::vector<OpusPhase> late;
    for (const auto& [phase, request] : m_requests)
    {
        const Picoseconds since = request.GetWaitingSince();
        if (m_settings.giveUpAfter != NEVER && since != NEVER &&
            since <= now - m_settings.giveUpAfter)
        {
            late.push_back(phase);
        }
    }
    return late;
}

Picoseconds
ShimRequestTable::GetNextDeadline() const
{
    const auto isSpare = [](const auto& one) { return one.second.IsSpare(); };
    const bool areSpare = std::any_of(m_requests.begin(), m_requests.end(), isSpare);
    Picoseconds next = NEVER;
    for (const auto& [phase, request] : m_requests)
    {
        const Picoseconds since = request.IsGranted() ? NEVER : request.GetWaitingSince();
        if (since == NEVER)
        {
            continue;
        }
        if (m_settings.giveUpAfter < NEVER - since)
        {
            next = std::min(next, since + m_settings.giveUpAfter);
        }
        if (!areSpare)
        {
            continue; // as nearly always
        }
        for (const auto& [other, idle] : m_requests)
        {
            next = idle.IsSpare() ? std::min(next, GetKeptUntil(idle, request)) : next;
        }
    }
    return next;
}

Picoseconds
ShimRequestTable::GetFirstCalled() const
{
    Picoseconds first = NEVER;
    for (const auto& [phase, request] : m_requests)
    {
        first = std::min(first, request.GetWaitingSince());
        for (const auto& [place, call] : request.GetCalls())
        {
            first = std::min(first, call.requested);
        }
        for (const ShimCall& call : request.GetParked())
        {
            first = std::min(first, call.requested);
        }
    }
    return first;
}

bool
ShimRequestTable::HasGranted() const
{
    return std::any_of(m_requests.begin(), m_requests.end(), [](const auto& one) {
        return one.second.IsGranted();
    });
}

bool
ShimRequestTable::IsIdle() const
{
    return std::all_of(m_requests.begin(), m_requests.end(), [](const auto& entry) {
        return entry.second.GetUntil() == ShimRequest::FOR_GOOD && entry.second.GetCalls().empty();
    });
}

std::string
ShimRequestTable::Describe() const
{
    std::string words;
    for (const auto& [phase, request] : m_requests)
    {
        words += "  " + request.Describe() + "\n";
    }
    return words;
}

} // namespace ns3
