/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application.h"
#include "collective-operation.h"

#include "ns3/picosecond-resolution.h"

// How a CollectiveApplication keeps sends from getting ahead of their receives.

namespace ns3
{

namespace
{

/** An entry of the list that NCCL's receiver writes to its sender (struct ncclIbSendFifo). */
constexpr uint64_t CLEAR_TO_SEND_BYTES = 64;

} // namespace

void
CollectiveApplication::TellSender(Operation& operation)
{
    if (!operation.mustTell)
    {
        return;
    }
    operation.mustTell = false;
    ++operation.notices;
    const RankSchedule::Way& back = operation.run->GetPart().waysIn.front();
    CollectiveRun::Message path;
    path.peer = back.peer;
    path.channel = back.channel;
    path.wires = back.wires;
    path.stage = operation.run->GetPart().incoming.front().stage;
    TransportMessage out;
    out.from = m_rank;
    out.to = operation.ranks.front();
    out.group = operation.flowKey.group;
    out.channel = TransportMessage::POINT_TO_POINT | TransportMessage::CLEAR_TO_SEND;
    out.tag = SendRendezvous::Say(operation.record.number);
    out.bytes = CLEAR_TO_SEND_BYTES;
    SendOn(operation, path, out);
}

void
CollectiveApplication::ReceiverIsReady(const FlowKey& flowKey, uint32_t word)
{
    Exchange& exchange = m_exchanges.at(flowKey);
    exchange.rendezvous.Told(word);
    Operation* operation = exchange.now;
    if (operation != nullptr && operation->held &&
        exchange.rendezvous.MayGo(m_eager, operation->record.number, operation->record.call.bytes))
    {
        operation->held = false;
        operation->run->Start();
        Follow(*operation);
    }
}

} // namespace ns3
