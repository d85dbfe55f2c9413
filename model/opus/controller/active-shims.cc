/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "active-shims.h"

namespace ns3
{

void
ActiveShims::Register(const ShimName& shim, Picoseconds now)
{
    m_heard[shim] = now;
}

void
ActiveShims::Hear(const ShimName& shim, Picoseconds now)
{
    const auto active = m_heard.find(shim);
    if (active != m_heard.end())
    {
        active->second = now;
    }
}

bool
ActiveShims::Remove(const ShimName& shim)
{
    return m_heard.erase(shim) > 0 && m_heard.empty();
}

void
ActiveShims::Clear()
{
    m_heard.clear();
}

bool
ActiveShims::IsEmpty() const
{
    return m_heard.empty();
}

std::vector<ShimName>
ActiveShims::TakeSilent(Picoseconds now, Picoseconds limit)
{
    std::vector<ShimName> silent;
    for (auto& [shim, heard] : m_heard)
    {
        if (now - heard >= limit)
        {
            heard = now;
            silent.push_back(shim);
        }
    }
    return silent;
}

} // namespace ns3
