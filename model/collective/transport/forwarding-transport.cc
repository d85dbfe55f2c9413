/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "forwarding-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ForwardingTransport");

NS_OBJECT_ENSURE_REGISTERED(ForwardingTransport);

TypeId
ForwardingTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ForwardingTransport")
            .SetParent<Transport>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<ForwardingTransport>()
            .AddTraceSource("MessageForwarded",
                            "A message of other ranks is whole here and goes on, over the "
                            "rail or over the fabric inside the server.",
                            MakeTraceSourceAccessor(&ForwardingTransport::m_messageForwarded),
                            "ns3::ForwardingTransport::MessageTracedCallback");
    return tid;
}

ForwardingTransport::ForwardingTransport()
{
    NS_LOG_FUNCTION(this);
}

ForwardingTransport::~ForwardingTransport()
{
    NS_LOG_FUNCTION(this);
    Leave(); // the two transports may outlive one that was not disposed of
}

void
ForwardingTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    const Ptr<Transport> rail = m_rail;
    const Ptr<Transport> scaleUp = m_scaleUp;
    Leave();
    for (const Ptr<Transport>& one : {rail, scaleUp})
    {
        if (one)
        {
            one->Dispose(); // nothing else refers to it
        }
    }
    Transport::DoDispose();
}

void
ForwardingTransport::Leave()
{
    if (!m_rail)
    {
        return;
    }
    for (const Ptr<Transport>& one : {m_rail, Ptr<Transport>(m_scaleUp)})
    {
        one->SetArrivedCallback({});
        one->SetSettledCallback({});
        one->SetFailedCallback({});
    }
    m_scaleUp->SetParcelCallback({});
    m_instant.Clear();
    m_rail = nullptr;
    m_scaleUp = nullptr;
}

void
ForwardingTransport::Join(Ptr<ScaleUpTransport> scaleUp, Ptr<Transport> rail)
{
    NS_LOG_FUNCTION(this << scaleUp << rail);
    NS_ABORT_MSG_UNLESS(scaleUp && rail,
                        "ForwardingTransport::Join: it needs a scale-up transport and a rail "
                        "transport, and one of them is null");
    NS_ABORT_MSG_IF(m_rail,
                    "ForwardingTransport: rank " << scaleUp->GetRank()
                                                 << " has joined already; create one for each "
                                                    "rank");
    m_scaleUp = scaleUp;
    m_rail = rail;
    m_rail->SetArrivedCallback(MakeCallback(&ForwardingTransport::RailArrived, this));
    m_rail->SetSettledCallback(MakeCallback(&ForwardingTransport::RailSettled, this));
    m_rail->SetFailedCallback(MakeCallback(&ForwardingTransport::RailFailed, this));
    m_scaleUp->SetArrivedCallback(MakeCallback(&ForwardingTransport::NotifyArrived, this));
    m_scaleUp->SetSettledCallback(MakeCallback(&ForwardingTransport::NotifySettled, this));
    m_scaleUp->SetFailedCallback(MakeCallback(&ForwardingTransport::NotifyFailed, this));
    m_scaleUp->SetParcelCallback(MakeCallback(&ForwardingTransport::TakeParcel, this));
}

void
ForwardingTransport::Send(const TransportMessage& message)
{
    NS_ABORT_MSG_UNLESS(m_rail, "ForwardingTransport: it has no transports; call Join() first");
    const RankId self = m_scaleUp->GetRank();
    NS_ABORT_MSG_UNLESS(message.from == self,
                        "ForwardingTransport: rank "
                            << self << " sends a message of rank " << message.from
                            << "; who forwards finds the origin by it, so send one's own only");
    const RankId first = message.GetFirst();
    NS_LOG_FUNCTION(this << message.from << message.to << first << message.bytes);
    if (m_scaleUp->Reaches(message.to))
    {
        m_scaleUp->Send(message);
    }
    else if (first == self)
    {
        m_rail->Send(message);
    }
    else
    {
        m_scaleUp->SendParcel(first, {ScaleUpParcel::TO_FORWARD, message, ""}, message.bytes);
    }
}

void
ForwardingTransport::Prepare(const TransportMessage& message)
{
    if (!m_scaleUp->Reaches(message.to) && message.GetFirst() == m_scaleUp->GetRank())
    {
        m_rail->Prepare(message);
    }
}

ScaleUpPort
ForwardingTransport::FindPort(RankId rank) const
{
    return m_scaleUp->FindPort(rank);
}

std::string
ForwardingTransport::Describe(const TransportMessage& message) const
{
    NS_ABORT_MSG_UNLESS(m_rail, "ForwardingTransport: it has no transports; call Join() first");
    if (m_scaleUp->Reaches(message.to))
    {
        return m_scaleUp->Describe(message);
    }
    const RankId first = message.GetFirst();
    if (first == m_scaleUp->GetRank())
    {
        return m_rail->Describe(message);
    }
    std::ostringstream text; // the state at the relay is not known here
    TransportMessage toRelay = message;
    toRelay.to = first;
    text << m_scaleUp->Describe(toRelay) << ", and the rail of rank " << first
         << ", which forwards it";
    return text.str();
}

uint64_t
ForwardingTransport::GetForwarded() const
{
    return m_forwarded;
}

uint64_t
ForwardingTransport::GetForwardedBytes() const
{
    return m_forwardedBytes;
}

void
ForwardingTransport::Forward(const TransportMessage& message, bool isFromRail)
{
    ++m_forwarded;
    m_forwardedBytes += message.bytes;
    m_messageForwarded(message);
    // by receiver too: a send to it and a report from it may be on equal channels
    const InstantQueue::Key key{isFromRail,
                                uint64_t{message.from.Get()} << 32 | message.to.Get(),
                                uint64_t{message.group.Get()} << 32 | message.channel};
    m_instant.Add(key, [this, message, isFromRail]() {
        if (isFromRail)
        {
            m_scaleUp->SendParcel(message.to,
                                  {ScaleUpParcel::FROM_RAIL, message, ""},
                                  message.bytes);
            return;
        }
        m_rail->Send(message);
    });
}

void
ForwardingTransport::TakeParcel(const ScaleUpParcel& parcel)
{
    switch (parcel.purpose)
    {
    case ScaleUpParcel::TO_FORWARD:
        Forward(parcel.message, false);
        break;
    case ScaleUpParcel::FROM_RAIL:
        NotifyArrived(parcel.message);
        break;
    case ScaleUpParcel::FORWARDED:
        NotifySettled(parcel.message);
        break;
    case ScaleUpParcel::FAILED:
        NotifyFailed(parcel.message, parcel.why);
        break;
    case ScaleUpParcel::PLAIN:
        break; // the scale-up transport handles those
    }
}

void
ForwardingTransport::RailArrived(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    if (message.to == m_scaleUp->GetRank())
    {
        NotifyArrived(message);
        return;
    }
    Forward(message, true);
}

void
ForwardingTransport::RailSettled(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    if (message.from == m_scaleUp->GetRank())
    {
        NotifySettled(message);
        return;
    }
    m_scaleUp->SendParcel(message.from, {ScaleUpParcel::FORWARDED, message, ""}, 0);
}

void
ForwardingTransport::RailFailed(const TransportMessage& message, const std::string& why)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes << why);
    const RankId self = m_scaleUp->GetRank();
    if (message.from == self)
    {
        NotifyFailed(message, why);
        return;
    }
    std::ostringstream text;
    text << "rank " << self << ", which forwards it: " << why;
    m_scaleUp->SendParcel(message.from, {ScaleUpParcel::FAILED, message, text.str()}, 0);
}

} // namespace ns3
