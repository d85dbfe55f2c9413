/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-calm.h"

#include "ns3/assert.h"
#include "ns3/frame-clock.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

namespace
{

/** @return the load of the memory */
SwitchCalm::Load
Sum(const SwitchCalm::Loads& loads)
{
    SwitchCalm::Load all{loads.anywhere, 0};
    for (const SwitchCalm::Load& load : loads.ports)
    {
        all.bytes += load.bytes;
        all.bitsPerSecond += load.bitsPerSecond;
    }
    return all;
}

/** @return whether a quarter of a limit is left */
bool
LeavesAQuarter(uint64_t bytes, uint64_t limit)
{
    return bytes < limit && limit - bytes > limit / 4;
}

} // namespace

void
SwitchCalm::AddPort(uint64_t bytes)
{
    m_ports.push_back(bytes);
    m_least = std::min(m_least, bytes);
}

bool
SwitchCalm::HasRoom(const Loads& loads) const
{
    NS_ASSERT(loads.ports.size() == m_ports.size());
    for (std::size_t p = 0; p < m_ports.size(); ++p)
    {
        if (!LeavesAQuarter(loads.ports[p].bytes + loads.anywhere, m_ports[p]))
        {
            return false;
        }
    }
    return LeavesAQuarter(Sum(loads).bytes, m_memory);
}

SwitchCalm::Forecast
SwitchCalm::Foresee(Picoseconds now,
                    const Loads& loads,
                    uint64_t perPost,
                    uint64_t mostPosts,
                    uint64_t leastRate) const
{
    NS_ASSERT(loads.ports.size() == m_ports.size());
    const Load all = Sum(loads);
    if (all.bytes >= m_memory)
    {
        return {0, now};
    }
    // one half for messages that are posted, the other for what increases with time
    Forecast forecast{std::min((m_memory - all.bytes) / 2 / perPost, mostPosts), NEVER};
    for (std::size_t p = 0; p < m_ports.size(); ++p)
    {
        const uint64_t bytes = loads.ports[p].bytes + loads.anywhere;
        if (bytes >= m_ports[p])
        {
            return {0, now};
        }
        forecast.posts = std::min(forecast.posts, (m_ports[p] - bytes) / 2 / perPost);
    }
    const auto until = [&](uint64_t bytes, uint64_t bitsPerSecond, uint64_t limit) {
        const FrameClock rate(std::max(bitsPerSecond, leastRate));
        return now + rate.Span(limit - bytes - forecast.posts * perPost) - 1;
    };
    forecast.until = until(all.bytes, all.bitsPerSecond, m_memory);
    for (std::size_t p = 0; p < m_ports.size(); ++p)
    {
        const Load& load = loads.ports[p];
        forecast.until =
            std::min(forecast.until,
                     until(load.bytes + loads.anywhere, load.bitsPerSecond, m_ports[p]));
    }
    return forecast;
}

} // namespace ns3
