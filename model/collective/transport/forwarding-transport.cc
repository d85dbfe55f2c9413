/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "forwarding-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <sstream>
#include <utility>

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
                            "A message of another rank of the server is whole here and goes on "
                            "over the rail.",
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
    m_relay = nullptr;
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
    m_rail = nullptr;
    m_scaleUp = nullptr;
}

void
ForwardingTransport::Join(Ptr<ScaleUpTransport> scaleUp, Ptr<Transport> rail, RelayFunction relay)
{
    NS_LOG_FUNCTION(this << scaleUp << rail);
    NS_ABORT_MSG_UNLESS(
        scaleUp && rail && relay,
        "ForwardingTransport::Join: it needs a scale-up transport, a rail transport "
        "and a relay function, and one of them is null");
    NS_ABORT_MSG_IF(m_rail,
                    "ForwardingTransport: rank " << scaleUp->GetRank()
                                                 << " has joined already; create one for each "
                                                    "rank");
    m_scaleUp = scaleUp;
    m_rail = rail;
    m_relay = std::move(relay);
    m_rail->SetArrivedCallback(MakeCallback(&ForwardingTransport::NotifyArrived, this));
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
    const RankId relay = m_relay(message.to);
    NS_LOG_FUNCTION(this << message.from << message.to << relay << message.bytes);
    if (relay == self)
    {
        m_rail->Send(message);
    }
    else if (relay == message.to)
    {
        m_scaleUp->Send(message);
    }
    else
    {
        m_scaleUp->SendParcel(relay, {ScaleUpParcel::TO_FORWARD, message, ""}, message.bytes);
    }
}

std::string
ForwardingTransport::Describe(const TransportMessage& message) const
{
    NS_ABORT_MSG_UNLESS(m_rail, "ForwardingTransport: it has no transports; call Join() first");
    const RankId relay = m_relay(message.to);
    if (relay == m_scaleUp->GetRank())
    {
        return m_rail->Describe(message);
    }
    if (relay == message.to)
    {
        return m_scaleUp->Describe(message);
    }
    std::ostringstream text; // the state at the relay is not known here
    TransportMessage toRelay = message;
    toRelay.to = relay;
    text << m_scaleUp->Describe(toRelay) << ", and the rail of rank " << relay
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
ForwardingTransport::TakeParcel(const ScaleUpParcel& parcel)
{
    switch (parcel.purpose)
    {
    case ScaleUpParcel::TO_FORWARD:
        ++m_forwarded;
        m_forwardedBytes += parcel.message.bytes;
        m_messageForwarded(parcel.message);
        m_rail->Send(parcel.message);
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
