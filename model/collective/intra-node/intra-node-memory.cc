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

/** The most messages of all plans that are kept: with random demands few occur again. */
constexpr std::size_t MOST_MESSAGES = 1'000'000;

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
        m_results.Clear(); // their keys have addresses of plans
        m_parts.Clear();
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
        m_parts.Clear(); // their keys have addresses of steps
    }
    m_steps.push_back(std::make_shared<const StretchSteps>(std::move(steps)));
    return m_steps.back();
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
