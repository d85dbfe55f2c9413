/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memoized-ports.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/** @return whether two counts are equal */
bool
AreEqual(const ScaleUpCount& one, const ScaleUpCount& other)
{
    const auto all = [](const ScaleUpCount& count) {
        return std::tie(count.messagesSent,
                        count.bytesSent,
                        count.messagesDelivered,
                        count.bytesDelivered);
    };
    return all(one) == all(other);
}

} // namespace

// ------------------------------------------------------------------------ Fabric

MemoizedPorts::Fabric::Fabric(const Ptr<ScaleUpDomain>& itsDomain, BatchAhead& ahead)
    : domain(itsDomain),
      m_ahead(ahead)
{
}

void
MemoizedPorts::Fabric::Disturb(MemberId one, MemberId other)
{
    if (Find(one) != nullptr || Find(other) != nullptr)
    {
        m_ahead.Disturb();
    }
}

void
MemoizedPorts::Fabric::DisturbAll()
{
    m_ahead.Disturb();
}

MemoizedPorts::Port*
MemoizedPorts::Fabric::Find(MemberId member)
{
    const auto found = std::find_if(ports.begin(), ports.end(), [member](const Port& port) {
        return port.member == member;
    });
    return found == ports.end() ? nullptr : &*found;
}

// ------------------------------------------------------------------ MemoizedPorts

MemoizedPorts::MemoizedPorts(BatchAhead& ahead)
    : m_ahead(ahead)
{
}

MemoizedPorts::~MemoizedPorts()
{
    Release();
}

MemoizedPorts::Fabric&
MemoizedPorts::Get(const Ptr<ScaleUpDomain>& domain)
{
    for (const std::unique_ptr<Fabric>& fabric : m_fabrics)
    {
        if (fabric->domain == domain)
        {
            return *fabric;
        }
    }
    m_fabrics.push_back(std::make_unique<Fabric>(domain, m_ahead));
    return *m_fabrics.back();
}

bool
MemoizedPorts::Take(const ScaleUpPort& port)
{
    ScaleUpDomain& domain = *port.domain;
    Fabric& fabric = Get(port.domain);
    if (fabric.Find(port.member) != nullptr)
    {
        return true;
    }
    if (domain.IsSplit() || domain.IsObserved() || domain.IsAheadAt(port.member) ||
        !domain.IsQuiet(port.member))
    {
        return false;
    }
    fabric.ports.push_back({port.member, domain.GetCount(port.member)});
    return true;
}

void
MemoizedPorts::Hold()
{
    for (; m_held < m_fabrics.size(); ++m_held)
    {
        m_fabrics[m_held]->domain->AddHeld(m_fabrics[m_held].get());
    }
}

void
MemoizedPorts::Release()
{
    for (; m_held > 0; --m_held)
    {
        m_fabrics[m_held - 1]->domain->RemoveHeld(m_fabrics[m_held - 1].get());
    }
}

void
MemoizedPorts::Expect(const ScaleUpPort& port, const ScaleUpCount& expected)
{
    Get(port.domain).Find(port.member)->expected += expected;
}

bool
MemoizedPorts::HaveSentExpected() const
{
    return std::all_of(m_fabrics.begin(), m_fabrics.end(), [](const auto& fabric) {
        return std::all_of(fabric->ports.begin(), fabric->ports.end(), [&fabric](const Port& port) {
            const ScaleUpCount& now = fabric->domain->GetCount(port.member);
            return AreEqual(now.Without(port.before), port.expected);
        });
    });
}

void
MemoizedPorts::CountExpected() const
{
    for (const std::unique_ptr<Fabric>& fabric : m_fabrics)
    {
        for (const Port& port : fabric->ports)
        {
            fabric->domain->AddCount(port.member, port.expected);
        }
    }
}

} // namespace ns3
