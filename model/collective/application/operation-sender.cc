/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-sender.h"

#include "message-tag.h"

#include "ns3/abort.h"
#include "ns3/send-rendezvous.h"

namespace ns3
{

OperationSender::OperationSender(const RankConnections& connections,
                                 const OperationRecord& record,
                                 GroupId group,
                                 const std::vector<RankId>& ranks,
                                 OperationCircuits& circuits,
                                 MessagePoster& poster)
    : m_connections(connections),
      m_record(record),
      m_group(group),
      m_ranks(ranks),
      m_circuits(circuits),
      m_poster(poster)
{
}

void
OperationSender::Send(const CollectiveRun::Message& message)
{
    TransportMessage out;
    out.from = m_record.rank;
    out.to = m_ranks[message.peer];
    out.group = m_group;
    out.channel = message.channel;
    if (m_record.call.kind != RankOperation::Kind::COLLECTIVE)
    {
        out.channel |= TransportMessage::POINT_TO_POINT;
    }
    out.tag = MessageTag::Make(m_record.number, message.ordinal);
    out.bytes = message.bytes;
    out.place = message.place;
    SendOn(message, out);
}

void
OperationSender::SendClearToSend(const RankSchedule& part)
{
    const RankSchedule::Way& back = part.waysIn.front();
    CollectiveRun::Message path;
    path.peer = back.peer;
    path.channel = back.channel;
    path.wires = back.wires;
    path.stage = part.incoming.front().stage;
    TransportMessage out;
    out.from = m_record.rank;
    out.to = m_ranks.front();
    out.group = m_group;
    out.channel = TransportMessage::POINT_TO_POINT | TransportMessage::CLEAR_TO_SEND;
    out.tag = SendRendezvous::MakeReport(m_record.number);
    out.bytes = SendRendezvous::REPORT_BYTES;
    SendOn(path, out);
}

void
OperationSender::SendOn(const CollectiveRun::Message& path, const TransportMessage& message)
{
    if (path.wires == CollectiveRun::Wires::SCALE_UP)
    {
        NS_ABORT_MSG_UNLESS(m_connections.scaleUp,
                            "CollectiveApplication: \""
                                << m_record.algorithm << "\" sends inside the server, and rank "
                                << m_record.rank << " has no scale-up network: install one");
        Post(TransportKind::SCALE_UP, m_connections.scaleUp, message);
        return;
    }
    if (m_circuits.GetAnswer(path.stage).network == CircuitAnswer::Network::HOST)
    {
        NS_ABORT_MSG_UNLESS(m_connections.host,
                            "CollectiveApplication: the broker sends rank "
                                << m_record.rank << " to the hosts' network, and there is none");
        const bool isInside = m_connections.broker->AreIntraNode(message.from, message.to);
        Post(isInside ? TransportKind::SCALE_UP : TransportKind::HOST,
             isInside ? m_connections.rail : m_connections.host,
             message);
        return;
    }
    const OperationCircuits::Links& way =
        m_circuits.GetLinks(path.stage, m_record.rank, m_ranks[path.peer]);
    NS_ABORT_MSG_IF(way.links.empty(),
                    "CollectiveApplication: the broker granted circuits, and none joins rank "
                        << m_record.rank << " and rank " << message.to);
    TransportMessage out = message;
    const std::size_t link = path.channel % way.links.size();
    out.link = way.links[link];
    out.path = way.paths.empty() ? nullptr : way.paths[link];
    out.relays = way.relays;
    const bool isInside =
        m_poster.TakesTime() && m_connections.broker->AreIntraNode(message.from, message.to);
    Post(isInside ? TransportKind::SCALE_UP : TransportKind::RAIL, m_connections.rail, out);
}

void
OperationSender::Post(TransportKind kind, Ptr<Transport> transport, const TransportMessage& message)
{
    m_last = message;
    m_lastOn = transport;
    if (!m_replaying)
    {
        m_poster.Post(kind, transport, message);
    }
}

std::string
OperationSender::DescribeLast() const
{
    return m_lastOn->Describe(m_last);
}

std::string
OperationSender::DescribePath(const TransportMessage& message) const
{
    return (m_circuits.UseHostNetwork() ? m_connections.host : m_connections.rail)
        ->Describe(message);
}

} // namespace ns3
