/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "send-past.h"

#include "message-tag.h"

#include "ns3/send-rendezvous.h"

namespace ns3
{

SendPast::SendPast(const OperationPast::Operation& operation,
                   const MemoizedSend& send,
                   Ptr<Transport> rail,
                   bool isReady)
    : m_data(operation, rail, nullptr),
      m_send(send),
      m_number(operation.number),
      m_rail(rail),
      m_isReady(isReady)
{
}

bool
SendPast::Concerns(const TransportMessage& message) const
{
    const bool isReport = (message.channel & TransportMessage::CLEAR_TO_SEND) != 0;
    return message.group == m_send.group && (isReport ? message.to : message.from) == m_send.from &&
           (isReport ? message.tag == SendRendezvous::MakeReport(m_number)
                     : MessageTag::IsOf(message.tag, m_number));
}

std::map<uint64_t, uint64_t>
SendPast::ListSizes(uint32_t way) const
{
    return m_send.isSender ? m_data.ListSizes(way)
                           : std::map<uint64_t, uint64_t>{{SendRendezvous::REPORT_BYTES, 1}};
}

uint64_t
SendPast::BeginInside()
{
    return 0; // it takes circuits
}

void
SendPast::SetWays(const std::vector<TransportMessage>& out)
{
    m_data.SetWays(out);
    m_out = out;
}

void
SendPast::Begin()
{
    m_hasBegun = true;
    if (!m_send.isSender)
    {
        TransportMessage report = m_out.front();
        report.tag = SendRendezvous::MakeReport(m_number);
        report.bytes = SendRendezvous::REPORT_BYTES;
        m_rail->Send(report);
    }
    else if (m_isReady)
    {
        m_data.Begin();
    }
}

MemoizedMessage
SendPast::Arrived(const TransportMessage& message)
{
    m_isReady = true; // a sender has the report
    if (m_send.isSender && m_hasBegun)
    {
        m_data.Begin();
    }
    return OperationPast::Make(message, GetPeer());
}

MemoizedMessage
SendPast::Settled(const TransportMessage& message)
{
    return OperationPast::Make(message, GetPeer());
}

} // namespace ns3
