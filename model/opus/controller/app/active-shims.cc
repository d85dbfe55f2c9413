/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "active-shims.h"

namespace ns3
{

void
ActiveShims::Register(const ShimName& shim, Picoseconds now)
{
    m_lastContact[shim] = now;
}

void
ActiveShims::NoteContact(const ShimName& shim, Picoseconds now)
{
    const auto active = m_lastContact.find(shim);
    if (active != m_lastContact.end())
    {
        active->second = now;
    }
}

bool
ActiveShims::Remove(const ShimName& shim)
{
    return m_lastContact.erase(shim) > 0 && m_lastContact.empty();
}

void
ActiveShims::Clear()
{
    m_lastContact.clear();
}

bool
ActiveShims::IsEmpty() const
{
    return m_lastContact.empty();
}

std::vector<ShimName>
ActiveShims::TakeSilent(Picoseconds now, Picoseconds limit)
{
    std::vector<ShimName> silent;
    for (auto& [shim, lastContact] : m_lastContact)
    {
        if (now - lastContact >= limit)
        {
            lastContact = now;
            silent.push_back(shim);
        }
    }
    return silent;
}

} // namespace ns3
