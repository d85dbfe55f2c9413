/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-calls.h"

#include <algorithm>
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

/** @return whether the ranks of a stage need both circuits and the fabric */
bool
UsesBoth(const CircuitRequest& request)
{
    return request.pairs && !request.pairs->empty() && request.intraNode &&
           !request.intraNode->empty();
}

} // namespace

std::list<ServerCalls::Stage>::iterator
ServerCalls::FindOrOpen(const CircuitRequest& request)
{
    const ShimCall::Place place = GetPlace(request);
    const auto known =
        std::find_if(m_incomplete.begin(), m_incomplete.end(), [&](const Stage& stage) {
            return stage.group == request.group && stage.place == place &&
                   stage.uncalled.count(request.rank) > 0;
        });
    return known != m_incomplete.end()
               ? known
               : m_incomplete.insert(known, {request.group, place, FindJoined(request), {}});
}

bool
ServerCalls::IsFirst(const CircuitRequest& request)
{
    const ShimCall::Place place = GetPlace(request);
    const auto [last, isNew] = m_called.try_emplace({request.rank, request.group}, place);
    const bool isFirst = isNew || last->second < place;
    last->second = std::max(last->second, place);
    return isFirst;
}

std::vector<CircuitRequest>
ServerCalls::Call(const CircuitRequest& request)
{
    std::vector<CircuitRequest> own;
    if (request.NeedsCircuits())
    {
        own.push_back(request);
    }
    if (!UsesBoth(request) || !IsFirst(request))
    {
        return own;
    }
    const auto stage = FindOrOpen(request);
    stage->uncalled.erase(request.rank);
    stage->held.insert(stage->held.end(), own.begin(), own.end());
    if (!stage->uncalled.empty())
    {
        return {};
    }
    std::vector<CircuitRequest> complete = std::move(stage->held);
    m_incomplete.erase(stage);
    std::sort(complete.begin(), complete.end(), [](const auto& one, const auto& other) {
        return one.rank < other.rank;
    });
    return complete;
}

bool
ServerCalls::Take(const CircuitRequest& request)
{
    for (Stage& stage : m_incomplete)
    {
        if (stage.group == request.group && stage.place == GetPlace(request) &&
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
    for (Stage& stage : m_incomplete)
    {
        Remove(stage, rank);
    }
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
