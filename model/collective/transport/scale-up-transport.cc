/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-transport.h"

#include "message-bytes.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ScaleUpTransport");

NS_OBJECT_ENSURE_REGISTERED(ScaleUpTransport);

namespace
{

/** Puts a parcel, for a rank on another process. */
void
PutParcel(const std::any& content, ByteWriter& bytes)
{
    const auto& parcel = std::any_cast<const ScaleUpParcel&>(content);
    bytes.Put(parcel.purpose);
    PutMessage(bytes, parcel.message);
    bytes.PutText(parcel.why);
}

/** @return a parcel from another process */
std::any
TakeParcelOf(ByteReader& bytes)
{
    ScaleUpParcel parcel;
    parcel.purpose = bytes.Take<ScaleUpParcel::Purpose>();
    parcel.message = TakeMessage(bytes);
    parcel.why = bytes.TakeText();
    return parcel;
}

} // namespace

ScaleUpOrder
ScaleUpTransport::GetOrder(ScaleUpParcel::Purpose purpose,
                           RankId from,
                           RankId to,
                           GroupId group,
                           uint16_t channel,
                           uint32_t place)
{
    return {uint64_t{purpose} << 32 | place,
            uint64_t{group.Get()} << 32 | channel,
            uint64_t{from.Get()} << 32 | to.Get()};
}

TypeId
ScaleUpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ScaleUpTransport")
                            .SetParent<Transport>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<ScaleUpTransport>();
    return tid;
}

ScaleUpTransport::ScaleUpTransport()
{
    NS_LOG_FUNCTION(this);
}

ScaleUpTransport::~ScaleUpTransport()
{
    NS_LOG_FUNCTION(this);
    Leave(); // the fabric may outlive a transport that was not disposed of
}

void
ScaleUpTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Leave();
    m_parcel = {};
    Transport::DoDispose();
}

void
ScaleUpTransport::Leave()
{
    if (m_domain)
    {
        m_domain->SetDeliveredCallback(m_member, {});
        m_domain->SetSettledCallback(m_member, {});
        m_domain = nullptr;
    }
}

void
ScaleUpTransport::Join(Ptr<ScaleUpDomain> domain, MemberId member, RankId rank)
{
    NS_LOG_FUNCTION(this << domain << member << rank);
    NS_ABORT_MSG_UNLESS(domain, "ScaleUpTransport::Join: the domain is null; give a ScaleUpDomain");
    NS_ABORT_MSG_IF(m_domain,
                    "ScaleUpTransport: rank " << rank
                                              << " would join, but this is the transport of "
                                              << "rank " << m_rank << "; create one for each rank");
    m_domain = domain;
    m_member = member;
    m_rank = rank;
    m_domain->SetContentCodec(&PutParcel, &TakeParcelOf);
    m_domain->SetDeliveredCallback(member, MakeCallback(&ScaleUpTransport::Delivered, this));
    m_domain->SetSettledCallback(member, MakeCallback(&ScaleUpTransport::Settled, this));
}

void
ScaleUpTransport::AddPeer(RankId rank, MemberId member)
{
    NS_ABORT_MSG_IF(rank == m_rank,
                    "ScaleUpTransport: rank " << rank << " is a peer of itself; name another");
    m_peers[rank] = member;
}

RankId
ScaleUpTransport::GetRank() const
{
    return m_rank;
}

bool
ScaleUpTransport::Reaches(RankId rank) const
{
    return m_peers.count(rank) != 0;
}

MemberId
ScaleUpTransport::MemberOf(RankId rank) const
{
    NS_ABORT_MSG_UNLESS(m_domain,
                        "ScaleUpTransport: it is on no fabric; call Join() before sending");
    const auto peer = m_peers.find(rank);
    NS_ABORT_MSG_IF(peer == m_peers.end(),
                    "ScaleUpTransport: rank " << m_rank << " sends to rank " << rank
                                              << ", which is not one of the " << m_peers.size()
                                              << " peers in its server; add it by AddPeer(), or "
                                                 "take a transport that leaves the server");
    return peer->second;
}

void
ScaleUpTransport::Send(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    SendParcel(message.to, {ScaleUpParcel::PLAIN, message, ""}, message.bytes);
}

ScaleUpPort
ScaleUpTransport::FindPort(RankId rank) const
{
    if (rank == m_rank)
    {
        return {m_domain, m_member};
    }
    const auto peer = m_peers.find(rank);
    return peer == m_peers.end() ? ScaleUpPort() : ScaleUpPort{m_domain, peer->second};
}

std::string
ScaleUpTransport::Describe(const TransportMessage& message) const
{
    std::ostringstream text;
    text << "the fabric inside the server, member " << m_member << " to " << MemberOf(message.to);
    return text.str();
}

void
ScaleUpTransport::SendParcel(RankId to, const ScaleUpParcel& parcel, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << to << bytes);
    const MemberId member = MemberOf(to); // aborts if there is none, or no fabric
    const TransportMessage& message = parcel.message;
    const ScaleUpOrder order = GetOrder(parcel.purpose,
                                        message.from,
                                        message.to,
                                        message.group,
                                        message.channel,
                                        message.place);
    m_domain->Send({m_member, member, bytes, parcel, order});
}

void
ScaleUpTransport::SetParcelCallback(ParcelCallback callback)
{
    m_parcel = callback;
}

void
ScaleUpTransport::Delivered(const ScaleUpMessage& message)
{
    NS_LOG_FUNCTION(this << message.bytes);
    const ScaleUpParcel& parcel = std::any_cast<const ScaleUpParcel&>(message.content);
    if (parcel.purpose == ScaleUpParcel::PLAIN)
    {
        NotifyArrived(parcel.message);
        return;
    }
    NS_ABORT_MSG_IF(m_parcel.IsNull(),
                    "ScaleUpTransport: rank " << m_rank << " is to forward a message of rank "
                                              << parcel.message.from
                                              << " but has no ForwardingTransport; give each rank "
                                                 "of the server one");
    m_parcel(parcel);
}

void
ScaleUpTransport::Settled(const ScaleUpMessage& message)
{
    NS_LOG_FUNCTION(this << message.bytes);
    const ScaleUpParcel& parcel = std::any_cast<const ScaleUpParcel&>(message.content);
    if (parcel.purpose == ScaleUpParcel::PLAIN)
    {
        NotifySettled(parcel.message);
    }
}

} // namespace ns3
