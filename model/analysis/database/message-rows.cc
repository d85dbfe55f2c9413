/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-rows.h"

#include "ns3/rdma-engine.h"
#include "ns3/rdma-message.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

MessageRows::MessageRows(std::shared_ptr<ResultWriter> writer, RailId rail, uint32_t server)
    : ResultSource(std::move(writer), "messages"),
      m_rail(rail),
      m_server(server)
{
}

void
MessageRows::Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer)
{
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        if (const auto engine = rail.GetGpu(gpu)->GetObject<RdmaEngine>())
        {
            const auto source = Create<MessageRows>(writer, rail.GetId(), gpu);
            Listen(*engine, "MessageArrived", MakeCallback(&MessageRows::Arrived, source));
            Listen(*engine, "MessageSettled", MakeCallback(&MessageRows::Settled, source));
            Listen(*engine, "MessageFailed", MakeCallback(&MessageRows::Failed, source));
        }
    }
}

void
MessageRows::Arrived(const RdmaQueuePair& queuePair, const RdmaMessage& message)
{
    Write("arrived", queuePair, message, "");
}

void
MessageRows::Settled(const RdmaQueuePair& queuePair, const RdmaMessage& message)
{
    Write("settled", queuePair, message, "");
}

void
MessageRows::Failed(const RdmaQueuePair& queuePair,
                    const RdmaMessage& message,
                    const std::string& why)
{
    Write("failed", queuePair, message, why);
}

void
MessageRows::Write(const char* event,
                   const RdmaQueuePair& queuePair,
                   const RdmaMessage& message,
                   const std::string& why)
{
    Add(Simulator::Now(),
        event,
        m_rail,
        m_server,
        queuePair.GetNumber(),
        message.id,
        ToString(message.verb),
        message.bytes,
        why);
}

} // namespace ns3
