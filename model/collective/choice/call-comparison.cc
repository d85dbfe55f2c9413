/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "call-comparison.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

std::optional<LatenessSample>
CallComparison::Take(const RankCall& call)
{
    const auto [slot, isNew] = m_slots.try_emplace(call.slot, Calls{call.operation, {}});
    Calls& calls = slot->second;
    if (call.operation < calls.operation ||
        (!isNew && call.operation == calls.operation && calls.at.empty()))
    {
        return std::nullopt; // of an operation that is over
    }
    if (call.operation > calls.operation)
    {
        calls = {call.operation, {}};
    }
    calls.at[call.rank] = call.at;
    if (calls.at.size() < call.ranks)
    {
        return std::nullopt;
    }
    std::vector<std::pair<Picoseconds, RankId>> order;
    for (const auto& [rank, at] : std::exchange(calls.at, {}))
    {
        order.emplace_back(at, rank);
    }
    std::sort(order.begin(), order.end());
    const Picoseconds before = order[order.size() - std::min<std::size_t>(2, order.size())].first;
    return LatenessSample{order.back().second, order.back().first - before};
}

} // namespace ns3
