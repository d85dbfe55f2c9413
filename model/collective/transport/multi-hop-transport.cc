/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "multi-hop-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <memory>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MultiHopTransport");

NS_OBJECT_ENSURE_REGISTERED(MultiHopTransport);

namespace
{

constexpr uint64_t ARRIVED_BYTES = 0; //!< of the notice of a message that has arrived
constexpr uint64_t FAILED_BYTES = 1;  //!< of the notice of one that failed

} // namespace

TypeId
MultiHopTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MultiHopTransport")
            .SetParent<Transport>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<MultiHopTransport>()
            .AddTraceSource("MessageForwarded",
                            "A message of other ranks is whole here and goes on over the next "
                            "link of its path.",
                            MakeTraceSourceAccessor(&MultiHopTransport::m_messageForwarded),
                            "ns3::MultiHopTransport::MessageTracedCallback");
    return tid;
}

MultiHopTransport::MultiHopTransport()
{
    NS_LOG_FUNCTION(this);
}

MultiHopTransport::~MultiHopTransport()
{
    NS_LOG_FUNCTION(this);
    Leave(); // the transport of the rail may outlive one that was not disposed of
}

void
MultiHopTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    const Ptr<Transport> rail = m_rail;
    Leave();
    m_open.clear();
    if (rail)
    {
        rail->Dispose(); // nothing else refers to it
    }
    Transport::DoDispose();
}

void
MultiHopTransport::Leave()
{
    if (!m_rail)
    {
        return;
    }
    m_rail->SetArrivedCallback({});
    m_rail->SetSettledCallback({});
    m_rail->SetFailedCallback({});
    m_instant.Clear();
    m_rail = nullptr;
}

void
MultiHopTransport::Join(RankId rank, Ptr<Transport> rail)
{
    NS_LOG_FUNCTION(this << rank << rail);
    NS_ABORT_MSG_UNLESS(
        rail,
        "MultiHopTransport::Join: it needs the transport of a rail, and it is null");
    NS_ABORT_MSG_IF(m_rail,
                    "MultiHopTransport: rank " << m_rank
                                               << " has joined already; create one for each rank");
    m_rank = rank;
    m_rail = rail;
    m_rail->SetArrivedCallback(MakeCallback(&MultiHopTransport::RailArrived, this));
    m_rail->SetSettledCallback(MakeCallback(&MultiHopTransport::RailSettled, this));
    m_rail->SetFailedCallback(MakeCallback(&MultiHopTransport::RailFailed, this));
}

MultiHopTransport::OpenKey
MultiHopTransport::KeyOf(const TransportMessage& message)
{
    return {message.from, message.to, message.group, message.channel, message.tag};
}

void
MultiHopTransport::Send(const TransportMessage& message)
{
    NS_ABORT_MSG_UNLESS(m_rail, "MultiHopTransport: it has no transport; call Join() first");
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    if (message.path)
    {
        m_open[KeyOf(message)] = message;
    }
    m_rail->Send(message);
}

void
MultiHopTransport::Prepare(const TransportMessage& message)
{
    m_rail->Prepare(message);
}

std::string
MultiHopTransport::Describe(const TransportMessage& message) const
{
    NS_ABORT_MSG_UNLESS(m_rail, "MultiHopTransport: it has no transport; call Join() first");
    std::ostringstream words;
    words << m_rail->Describe(message);
    for (std::size_t i = message.hop + 1; message.path && i < message.path->links.size(); ++i)
    {
        words << (i == message.hop + 1 ? ", forwarded by rank " : ", ") << message.path->ranks[i];
    }
    return words.str();
}

uint64_t
MultiHopTransport::GetForwarded() const
{
    return m_forwarded;
}

uint64_t
MultiHopTransport::GetForwardedBytes() const
{
    return m_forwardedBytes;
}

void
MultiHopTransport::Forward(const TransportMessage& message)
{
    TransportMessage next = message;
    ++next.hop;
    next.link = next.path->links[next.hop];
    if (!next.isNotice)
    {
        ++m_forwarded;
        m_forwardedBytes += next.bytes;
        m_messageForwarded(next);
    }
    const InstantQueue::Key key{next.isNotice,
                                uint64_t{next.from.Get()} << 32 | next.to.Get(),
                                uint64_t{next.group.Get()} << 32 | next.channel};
    m_instant.Add(key, [this, next]() { m_rail->Send(next); });
}

void
MultiHopTransport::SendNotice(const TransportMessage& message, uint64_t bytes)
{
    RailPath passed = *message.path;
    passed.ranks.resize(message.hop + (bytes == ARRIVED_BYTES ? 2 : 1));
    passed.links.resize(passed.ranks.size() - 1);
    TransportMessage notice = message;
    notice.path = std::make_shared<const RailPath>(passed.GetReverse());
    notice.hop = 0;
    notice.link = notice.path->links.front();
    notice.bytes = bytes;
    notice.isNotice = true;
    m_rail->Send(notice);
}

void
MultiHopTransport::TakeNotice(const TransportMessage& notice)
{
    const auto open = m_open.find(KeyOf(notice));
    if (open == m_open.end())
    {
        return; // it failed, and its notice came as well
    }
    const TransportMessage message = open->second;
    m_open.erase(open);
    if (notice.bytes == ARRIVED_BYTES)
    {
        NotifySettled(message);
        return;
    }
    std::ostringstream why;
    why << "rank " << notice.path->ranks.front() << ", which forwards it, could not send it on";
    NotifyFailed(message, why.str());
}

void
MultiHopTransport::RailArrived(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    if (!message.IsOnLastLink())
    {
        Forward(message);
    }
    else if (message.isNotice)
    {
        TakeNotice(message);
    }
    else
    {
        NotifyArrived(message);
        if (message.path && m_rail)
        {
            SendNotice(message, ARRIVED_BYTES);
        }
    }
}

void
MultiHopTransport::RailSettled(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    if (!message.path)
    {
        NotifySettled(message);
    }
}

void
MultiHopTransport::RailFailed(const TransportMessage& message, const std::string& why)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes << why);
    if (message.isNotice)
    {
        NS_LOG_WARN("rank " << m_rank << " cannot send a notice to rank "
                            << message.path->ranks.back() << ": " << why);
    }
    else if (message.path && message.hop > 0)
    {
        NS_LOG_WARN("rank " << m_rank << " cannot forward a message from rank " << message.from
                            << " to rank " << message.to << ": " << why);
        SendNotice(message, FAILED_BYTES);
    }
    else
    {
        m_open.erase(KeyOf(message));
        NotifyFailed(message, why);
    }
}

} // namespace ns3
