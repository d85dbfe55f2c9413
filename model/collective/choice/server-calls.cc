/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

namespace
{

/** @return the ranks that a fabric joins with the rank of a request, and that rank */
std::set<RankId>
FindJoined(const CircuitRequest& request)
{
    std::set<RankId> joined{request.rank};
    for (std::size_t before = 0; before != joined.size();)
    {
        before = joined.size();
        for (const auto& [one, other] : *request.intraNode)
        {
            if (joined.count(one) + joined.count(other) == 1)
            {
                joined.insert({one, other});
            }
        }
    }
    return joined;
}

/** @return whether other ranks wait for a rank that a fabric joins with them in this stage */
bool
IsAwaited(const CircuitRequest& request)
{
    const bool hasCircuits = request.pairs && !request.pairs->empty();
    const bool hasFabric = request.intraNode && !request.intraNode->empty();
    return !request.pointToPoint && hasFabric && (hasCircuits || request.stages > 1);
}

/** @return whether two calls are of one operation */
bool
IsSameOperation(const CircuitRequest& one, const CircuitRequest& other)
{
    return one.group == other.group && one.operation == other.operation &&
           one.pointToPoint == other.pointToPoint;
}

} // namespace

std::vector<CircuitRequest>
ServerCalls::Call(const CircuitRequest& request)
{
    std::vector<CircuitRequest> passed;
    if (WaitsForEarlier(request, m_later.end()))
    {
        m_later.push_back(request);
        return passed;
    }
    Enter(request, passed);
    EnterLater(passed);
    return passed;
}

std::vector<CircuitRequest>
ServerCalls::Answered(const CircuitRequest& request)
{
    std::vector<CircuitRequest> passed;
    const Place place(request.operation, request.stage);
    for (auto stage = m_stages.begin(); stage != m_stages.end(); ++stage)
    {
        if (stage->group == request.group && stage->place == place && !request.pointToPoint &&
            stage->unanswered.erase(request.rank) > 0)
        {
            if (stage->unanswered.empty())
            {
                m_stages.erase(stage);
                EnterLater(passed);
            }
            break;
        }
    }
    return passed;
}

bool
ServerCalls::WaitsForEarlier(const CircuitRequest& request,
                             std::list<CircuitRequest>::const_iterator last) const
{
    if (request.stages == 1 || request.pointToPoint)
    {
        return false;
    }
    const auto isEarlier = [&request](const Stage& stage) {
        return stage.group == request.group && stage.place.first == request.operation &&
               stage.place.second < request.stage && stage.ranks.count(request.rank) > 0;
    };
    const auto isBefore = [&request](const CircuitRequest& one) {
        return one.rank == request.rank && IsSameOperation(one, request) &&
               one.stage < request.stage; // a stage may be called again when later ones wait
    };
    return std::any_of(m_stages.begin(), m_stages.end(), isEarlier) ||
           std::any_of(m_later.begin(), last, isBefore);
}

void
ServerCalls::EnterLater(std::vector<CircuitRequest>& passed)
{
    for (auto later = m_later.begin(); later != m_later.end();)
    {
        if (WaitsForEarlier(*later, later))
        {
            ++later;
            continue;
        }
        const CircuitRequest request = *later;
        m_later.erase(later);
        Enter(request, passed);
        later = m_later.begin(); // its stage may be over at once
    }
}

void
ServerCalls::Enter(const CircuitRequest& request, std::vector<CircuitRequest>& passed)
{
    const bool needsCircuits = request.NeedsCircuits();
    if (!IsAwaited(request) || !IsFirst(request))
    {
        if (needsCircuits)
        {
            passed.push_back(request);
        }
        return;
    }
    const auto stage = FindOrOpen(request);
    stage->uncalled.erase(request.rank);
    if (needsCircuits)
    {
        stage->held.push_back(request);
    }
    if (!stage->uncalled.empty())
    {
        return;
    }
    std::sort(stage->held.begin(), stage->held.end(), [](const auto& one, const auto& other) {
        return one.rank < other.rank;
    });
    for (CircuitRequest& complete : stage->held)
    {
        stage->unanswered.insert(complete.rank);
        passed.push_back(std::move(complete));
    }
    stage->held.clear();
    if (stage->unanswered.empty() || request.stages == 1)
    {
        m_stages.erase(stage);
    }
}

std::list<ServerCalls::Stage>::iterator
ServerCalls::FindOrOpen(const CircuitRequest& request)
{
    const Place place(request.operation, request.stage);
    const auto known = std::find_if(m_stages.begin(), m_stages.end(), [&](const Stage& stage) {
        return stage.group == request.group && stage.place == place &&
               stage.uncalled.count(request.rank) > 0;
    });
    if (known != m_stages.end())
    {
        return known;
    }
    const std::set<RankId> joined = FindJoined(request);
    return m_stages.insert(known, {request.group, place, joined, joined, {}, {}});
}

bool
ServerCalls::IsFirst(const CircuitRequest& request)
{
    const Place place(request.operation, request.stage);
    const auto [last, isNew] = m_called.try_emplace({request.rank, request.group}, place);
    const bool isFirst = isNew || last->second < place;
    last->second = std::max(last->second, place);
    return isFirst;
}

bool
ServerCalls::Take(const CircuitRequest& request)
{
    const Place place(request.operation, request.stage);
    for (Stage& stage : m_stages)
    {
        if (stage.group == request.group && stage.place == place && !request.pointToPoint &&
            Remove(stage, request.rank))
        {
            return true;
        }
    }
    return false;
}

void
ServerCalls::Leave(RankId rank)
{
    for (Stage& stage : m_stages)
    {
        Remove(stage, rank);
    }
    m_later.remove_if([rank](const CircuitRequest& later) {
        return later.rank == rank && later.NeedsCircuits();
    });
}

bool
ServerCalls::Remove(Stage& stage, RankId rank)
{
    const auto held = std::find_if(stage.held.begin(), stage.held.end(), [rank](const auto& one) {
        return one.rank == rank;
    });
    if (held == stage.held.end())
    {
        return false;
    }
    stage.held.erase(held);
    return true;
}

} // namespace ns3
