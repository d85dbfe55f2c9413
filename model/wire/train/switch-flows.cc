/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-flows.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3
{

namespace
{

/** Orders flows by their ends. */
bool
IsBefore(const SwitchFlow& one, const std::pair<uint32_t, uint32_t>& other)
{
    return std::pair(one.from, one.to) < other;
}

} // namespace

void
SwitchFlows::Add(const SwitchFlow& flow)
{
    const auto place =
        std::lower_bound(m_flows.begin(), m_flows.end(), std::pair(flow.from, flow.to), IsBefore);
    if (place == m_flows.end() || place->from != flow.from || place->to != flow.to)
    {
        m_flows.insert(place, flow);
        return;
    }
    place->frameBytes = std::min(place->frameBytes, flow.frameBytes);
}

void
SwitchFlows::Add(const SwitchFlows& other)
{
    for (const SwitchFlow& flow : other.m_flows)
    {
        Add(flow);
    }
}

bool
SwitchFlows::Includes(const SwitchFlows& other) const
{
    return std::all_of(other.m_flows.begin(), other.m_flows.end(), [this](const SwitchFlow& flow) {
        const auto place = std::lower_bound(m_flows.begin(),
                                            m_flows.end(),
                                            std::pair(flow.from, flow.to),
                                            IsBefore);
        return place != m_flows.end() && place->from == flow.from && place->to == flow.to &&
               place->frameBytes <= flow.frameBytes;
    });
}

bool
SwitchFlows::Has(uint32_t from, uint32_t to) const
{
    const auto place =
        std::lower_bound(m_flows.begin(), m_flows.end(), std::pair(from, to), IsBefore);
    return place != m_flows.end() && place->from == from && place->to == to;
}

std::vector<uint64_t>
SwitchFlows::GetGrowth(const std::vector<uint64_t>& inRates,
                       const std::vector<uint64_t>& outRates,
                       uint32_t answer) const
{
    std::vector<uint64_t> growth(outRates.size());
    std::vector<uint64_t> rates(outRates.size());
    for (std::size_t i = 0; i < m_flows.size();)
    {
        const uint32_t from = m_flows[i].from;
        uint32_t frameBytes = m_flows[i].frameBytes;
        for (; i < m_flows.size() && m_flows[i].from == from; ++i)
        {
            frameBytes = std::min(frameBytes, m_flows[i].frameBytes);
            rates[m_flows[i].to] += inRates[from];
        }
        growth[from] += inRates[from] / frameBytes * answer + answer;
    }
    for (std::size_t to = 0; to < rates.size(); ++to)
    {
        growth[to] += rates[to] > outRates[to] ? rates[to] - outRates[to] : 0;
    }
    return growth;
}

} // namespace ns3
