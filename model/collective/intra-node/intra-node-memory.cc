/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-memory.h"

#include "ns3/mix-bits.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/**
 * The most messages of all plans, and the most results, that are kept: with random computing times
 * or demands few occur again.
 */
constexpr std::size_t MOST_MESSAGES = 1'000'000;
constexpr std::size_t MOST_RESULTS = 1024;

} // namespace

std::shared_ptr<const IntraNodePlan>
IntraNodeMemory::GetPlan(const std::shared_ptr<const CollectiveSchedule>& schedule,
                         uint64_t buffer,
                         uint64_t messageSize,
                         CollectiveProtocol protocol)
{
    const auto key = std::make_tuple(schedule.get(), buffer, messageSize, protocol);
    const auto known = m_plans.find(key);
    if (known != m_plans.end())
    {
        return known->second.plan;
    }
    const auto plan =
        std::make_shared<const IntraNodePlan>(*schedule, buffer, messageSize, protocol);
    m_messages += plan->GetMessages().size();
    if (m_messages > MOST_MESSAGES)
    {
        m_plans.clear();
        m_results.clear(); // their keys have addresses of plans
        m_parts.clear();
        m_messages = plan->GetMessages().size();
    }
    m_plans.emplace(key, Known{schedule, plan});
    return plan;
}

std::shared_ptr<const StretchSteps>
IntraNodeMemory::ShareSteps(StretchSteps&& steps)
{
    const auto known = std::find_if(m_steps.begin(), m_steps.end(), [&steps](const auto& one) {
        return *one == steps;
    });
    if (known != m_steps.end())
    {
        return *known;
    }
    if (m_steps.size() >= MOST_RESULTS)
    {
        m_steps.clear();
        m_parts.clear(); // their keys have addresses of steps
    }
    m_steps.push_back(std::make_shared<const StretchSteps>(std::move(steps)));
    return m_steps.back();
}

std::shared_ptr<const StretchPart>
IntraNodeMemory::FindPart(const Key& key) const
{
    const auto known = m_parts.find(key);
    return known == m_parts.end() ? nullptr : known->second;
}

void
IntraNodeMemory::AddPart(const Key& key, std::shared_ptr<const StretchPart> part)
{
    if (m_parts.size() >= MOST_RESULTS)
    {
        m_parts.clear();
    }
    m_parts[key] = std::move(part);
}

std::shared_ptr<const IntraNodeResult>
IntraNodeMemory::FindResult(const Key& key) const
{
    const auto known = m_results.find(key);
    return known == m_results.end() ? nullptr : known->second;
}

void
IntraNodeMemory::AddResult(const Key& key, std::shared_ptr<const IntraNodeResult> result)
{
    if (m_results.size() >= MOST_RESULTS)
    {
        m_results.clear();
    }
    m_results[key] = std::move(result);
}

std::size_t
IntraNodeMemory::Hash::operator()(const Key& key) const
{
    uint64_t hash = key.size();
    for (const int64_t number : key)
    {
        hash = MixBits(hash ^ static_cast<uint64_t>(number));
    }
    return hash;
}

} // namespace ns3
