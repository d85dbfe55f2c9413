/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-past.h"

#include "message-tag.h"

#include "ns3/abort.h"
#include "ns3/message-sizes.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/** @return the sizes of the messages of a chunk on wires, and how many have each */
std::map<uint64_t, uint64_t>
SizesOf(const OperationPast::Operation& operation, uint32_t chunk)
{
    return ListMessageSizes(*operation.part->schedule,
                            chunk,
                            operation.bytes,
                            operation.messageSize,
                            operation.protocol);
}

} // namespace

OperationPast::OperationPast(Operation operation, Ptr<Transport> rail, Ptr<Transport> inside)
    : m_operation(std::move(operation)),
      m_rail(rail),
      m_inside(inside),
      m_awaitsBegin(IsInside(*m_operation.part))
{
    const auto& ways = m_operation.part->waysOut;
    for (uint32_t way = 0; way < ways.size(); ++way)
    {
        if (ways[way].wires == CollectiveTransfer::Wires::RAIL)
        {
            m_onRail.push_back(way);
        }
    }
}

bool
OperationPast::IsInside(const RankSchedule& part)
{
    const auto isInside = [](const RankSchedule::Way& way) {
        return way.wires == CollectiveTransfer::Wires::SCALE_UP;
    };
    return std::any_of(part.waysOut.begin(), part.waysOut.end(), isInside) ||
           std::any_of(part.waysIn.begin(), part.waysIn.end(), isInside);
}

bool
OperationPast::Concerns(const TransportMessage& message) const
{
    return message.group == m_operation.group &&
           message.channel < TransportMessage::POINT_TO_POINT &&
           MessageTag::IsOf(message.tag, m_operation.number);
}

std::map<uint64_t, uint64_t>
OperationPast::ListSizes(uint32_t way) const
{
    std::map<uint64_t, uint64_t> sizes;
    const RankSchedule& part = *m_operation.part;
    for (const uint32_t transfer : part.waysOut[m_onRail[way]].transfers)
    {
        for (const auto& [bytes, messages] : SizesOf(m_operation, part.outgoing[transfer].chunk))
        {
            sizes[bytes] += messages;
        }
    }
    return sizes;
}

ScaleUpCount
OperationPast::CountInside(const Operation& operation)
{
    ScaleUpCount count;
    const RankSchedule& part = *operation.part;
    const auto add = [&operation](const std::vector<RankSchedule::Transfer>& transfers,
                                  const std::vector<RankSchedule::Way>& ways,
                                  uint64_t& messages,
                                  uint64_t& bytes) {
        for (const RankSchedule::Transfer& transfer : transfers)
        {
            if (ways[transfer.way].wires == CollectiveTransfer::Wires::RAIL)
            {
                continue;
            }
            for (const auto& [size, number] : SizesOf(operation, transfer.chunk))
            {
                messages += number;
                bytes += size * number;
            }
        }
    };
    add(part.outgoing, part.waysOut, count.messagesSent, count.bytesSent);
    add(part.incoming, part.waysIn, count.messagesDelivered, count.bytesDelivered);
    return count;
}

void
OperationPast::SetWays(const std::vector<TransportMessage>& out)
{
    m_out = out;
}

void
OperationPast::BecomeActive()
{
    if (m_run)
    {
        return;
    }
    CollectiveRun::Owner& self = *this; // conversion that is private to make_unique
    m_run = std::make_unique<CollectiveRun>(m_operation.part,
                                            m_operation.bytes,
                                            m_operation.messageSize,
                                            self,
                                            m_operation.protocol);
    m_run->Start(); // its messages on circuits wait for them
}

uint64_t
OperationPast::BeginInside()
{
    m_awaitsBegin = false;
    BecomeActive();
    uint64_t before = 0;
    for (const Early& early : m_early)
    {
        before += early.at < NowPicoseconds() ? 1 : 0;
        Deliver(early.message);
    }
    m_early.clear();
    return before;
}

void
OperationPast::Begin()
{
    BecomeActive();
    m_run->OpenStage(m_operation.stage);
}

void
OperationPast::SendMessage(CollectiveRun&, const CollectiveRun::Message& message)
{
    const uint32_t tag = MessageTag::Make(m_operation.number, message.ordinal);
    if (message.wires == CollectiveTransfer::Wires::SCALE_UP)
    {
        TransportMessage out;
        out.from = m_operation.rank;
        out.to = m_operation.ranks[message.peer];
        out.group = m_operation.group;
        out.channel = message.channel;
        out.tag = tag;
        out.bytes = message.bytes;
        out.place = message.place;
        m_inside->Send(out);
        return;
    }
    const auto way =
        std::find(m_onRail.begin(), m_onRail.end(), m_operation.part->outgoing[message.place].way);
    TransportMessage out = m_out[way - m_onRail.begin()];
    out.tag = tag;
    out.bytes = message.bytes;
    m_rail->Send(out);
}

MemoizedMessage
OperationPast::Make(const TransportMessage& message, uint32_t place)
{
    MemoizedMessage made;
    made.peer = place;
    made.channel = message.channel & ~TransportMessage::POINT_TO_POINT;
    made.ordinal = MessageTag::GetOrdinal(message.tag);
    made.bytes = message.bytes;
    return made;
}

uint32_t
OperationPast::GetPlace(RankId rank) const
{
    const std::vector<RankId>& ranks = m_operation.ranks;
    return std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
}

MemoizedMessage
OperationPast::Arrived(const TransportMessage& message)
{
    const MemoizedMessage made = Make(message, GetPlace(message.from));
    if (m_awaitsBegin)
    {
        m_early.push_back({made, NowPicoseconds()});
        return made;
    }
    BecomeActive(); // it takes messages before it has circuits
    Deliver(made);
    return made;
}

void
OperationPast::Deliver(const MemoizedMessage& message)
{
    const std::string mistake =
        m_run->Arrived(message.peer, message.channel, message.ordinal, message.bytes);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "OperationPast: " << mistake);
}

MemoizedMessage
OperationPast::Settled(const TransportMessage& message)
{
    return Make(message, GetPlace(message.to));
}

} // namespace ns3
