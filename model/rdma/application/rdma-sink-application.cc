/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-sink-application.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSinkApplication");

NS_OBJECT_ENSURE_REGISTERED(RdmaSinkApplication);

TypeId
RdmaSinkApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaSinkApplication")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RdmaSinkApplication>()
            .AddTraceSource("Rx",
                            "A message has arrived whole.",
                            MakeTraceSourceAccessor(&RdmaSinkApplication::m_rxTrace),
                            "ns3::RdmaSinkApplication::MessageTracedCallback");
    return tid;
}

RdmaSinkApplication::RdmaSinkApplication()
{
    NS_LOG_FUNCTION(this);
}

RdmaSinkApplication::~RdmaSinkApplication()
{
    NS_LOG_FUNCTION(this);
}

void
RdmaSinkApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Disconnect();
    Application::DoDispose();
}

uint64_t
RdmaSinkApplication::GetMessages() const
{
    return m_messages;
}

uint64_t
RdmaSinkApplication::GetTotalRx() const
{
    return m_bytes;
}

Time
RdmaSinkApplication::GetLastArrival() const
{
    return m_lastArrival;
}

void
RdmaSinkApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    const Ptr<RdmaEngine> engine = GetNode()->GetObject<RdmaEngine>();
    NS_ABORT_MSG_UNLESS(engine,
                        "RdmaSinkApplication: node "
                            << GetNode()->GetId()
                            << " has no RdmaEngine; install one with RdmaHelper");
    engine->TraceConnectWithoutContext("MessageArrived",
                                       MakeCallback(&RdmaSinkApplication::Arrived, this));
    m_listens = true;
}

void
RdmaSinkApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Disconnect();
}

void
RdmaSinkApplication::Disconnect()
{
    const Ptr<RdmaEngine> engine = m_listens ? GetNode()->GetObject<RdmaEngine>() : nullptr;
    if (engine)
    {
        engine->TraceDisconnectWithoutContext("MessageArrived",
                                              MakeCallback(&RdmaSinkApplication::Arrived, this));
    }
    m_listens = false;
}

void
RdmaSinkApplication::Arrived(const RdmaQueuePair&, const RdmaMessage& message)
{
    NS_LOG_FUNCTION(this << message.id);
    ++m_messages;
    m_bytes += message.bytes;
    m_lastArrival = Simulator::Now();
    m_rxTrace(message);
}

} // namespace ns3
