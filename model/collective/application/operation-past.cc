/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-past.h"

#include "message-tag.h"

#include "ns3/abort.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

OperationPast::OperationPast(Operation operation,
                             std::vector<TransportMessage> out,
                             Ptr<Transport> rail)
    : m_operation(std::move(operation)),
      m_out(std::move(out)),
      m_rail(rail)
{
}

bool
OperationPast::Concerns(const TransportMessage& message) const
{
    return MessageTag::IsOf(message.tag, m_operation.number);
}

std::map<uint64_t, uint64_t>
OperationPast::ListSizes(uint32_t way) const
{
    std::map<uint64_t, uint64_t> sizes;
    const RankSchedule& part = *m_operation.part;
    for (const uint32_t transfer : part.waysOut[way].transfers)
    {
        const uint32_t chunk = part.outgoing[transfer].chunk;
        const uint64_t bytes = part.schedule->GetBytes(chunk, m_operation.bytes);
        const uint64_t whole = bytes == 0 ? 0 : (bytes - 1) / m_operation.messageSize;
        if (whole > 0)
        {
            sizes[GetWireBytes(m_operation.protocol, m_operation.messageSize)] += whole;
        }
        ++sizes[GetWireBytes(m_operation.protocol, bytes - whole * m_operation.messageSize)];
    }
    return sizes;
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
    m_run->Start(); // its messages wait for circuits
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
    const auto& ways = m_operation.part->waysOut;
    const auto way = std::find_if(ways.begin(), ways.end(), [&message](const auto& one) {
        return one.peer == message.peer && one.channel == message.channel;
    });
    TransportMessage out = m_out[way - ways.begin()];
    out.tag = MessageTag::Make(m_operation.number, message.ordinal);
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
    BecomeActive(); // it takes messages before it has circuits
    const MemoizedMessage made = Make(message, GetPlace(message.from));
    const std::string mistake = m_run->Arrived(made.peer, made.channel, made.ordinal, made.bytes);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "OperationPast: " << mistake);
    return made;
}

MemoizedMessage
OperationPast::Settled(const TransportMessage& message)
{
    return Make(message, GetPlace(message.to));
}

} // namespace ns3
