/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-transport.h"

#include "ns3/scale-up-domain.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Transport);

RailPath
RailPath::GetReverse() const
{
    RailPath back;
    back.ranks.assign(ranks.rbegin(), ranks.rend());
    for (auto link = links.rbegin(); link != links.rend(); ++link)
    {
        back.links.push_back({link->there, link->here});
    }
    return back;
}

TypeId
Transport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Transport").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

void
Transport::DoDispose()
{
    m_arrived = {};
    m_settled = {};
    m_failed = {};
    Object::DoDispose();
}

void
Transport::Prepare(const TransportMessage&)
{
}

ScaleUpPort
Transport::FindPort(RankId) const
{
    return {};
}

void
Transport::SetArrivedCallback(MessageCallback callback)
{
    m_arrived = callback;
}

void
Transport::SetSettledCallback(MessageCallback callback)
{
    m_settled = callback;
}

void
Transport::SetFailedCallback(FailedCallback callback)
{
    m_failed = callback;
}

void
Transport::NotifyArrived(const TransportMessage& message)
{
    if (!m_arrived.IsNull())
    {
        m_arrived(message);
    }
}

void
Transport::NotifySettled(const TransportMessage& message)
{
    if (!m_settled.IsNull())
    {
        m_settled(message);
    }
}

void
Transport::NotifyFailed(const TransportMessage& message, const std::string& why)
{
    if (!m_failed.IsNull())
    {
        m_failed(message, why);
    }
}

} // namespace ns3
