/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-client-application.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/rdma-engine.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaClientApplication");

NS_OBJECT_ENSURE_REGISTERED(RdmaClientApplication);

namespace
{

/** @return the node with a port of that address, and the port's number in its RdmaEngine */
std::pair<Ptr<Node>, uint32_t>
FindPeer(Mac48Address address)
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const Ptr<RdmaEngine> engine = (*node)->GetObject<RdmaEngine>();
        for (uint32_t port = 0; engine && port < engine->GetPorts(); ++port)
        {
            if (engine->GetPort(port).GetMac() == address)
            {
                return {*node, port};
            }
        }
    }
    NS_ABORT_MSG("RdmaClientApplication: no RdmaEngine has a port with the address "
                 << address
                 << "; set Remote to the address of a NIC port whose node has one by RdmaHelper");
}

} // namespace

TypeId
RdmaClientApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaClientApplication")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RdmaClientApplication>()
            .AddAttribute(
                "Remote",
                "Address of the NIC port that messages go to.",
                Mac48AddressValue(Mac48Address("00:00:00:00:00:00")),
                MakeReadOnceAccessor("RdmaClientApplication::Remote",
                                     &RdmaClientApplication::HasStarted,
                                     MakeMac48AddressAccessor(&RdmaClientApplication::m_remote)),
                MakeMac48AddressChecker())
            .AddAttribute(
                "Port",
                "The port of this node that they leave by, as its RdmaEngine counts.",
                UintegerValue(0),
                MakeReadOnceAccessor("RdmaClientApplication::Port",
                                     &RdmaClientApplication::HasStarted,
                                     MakeUintegerAccessor(&RdmaClientApplication::m_port)),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "MessageSize",
                "Bytes of payload of each message.",
                UintegerValue(1 << 20),
                MakeReadOnceAccessor("RdmaClientApplication::MessageSize",
                                     &RdmaClientApplication::HasStarted,
                                     MakeUintegerAccessor(&RdmaClientApplication::m_messageSize)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Messages",
                "How many messages are posted; 0: one after the other until the application stops.",
                UintegerValue(1),
                MakeReadOnceAccessor("RdmaClientApplication::Messages",
                                     &RdmaClientApplication::HasStarted,
                                     MakeUintegerAccessor(&RdmaClientApplication::m_messages)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Interval",
                "From the instant at which a message is posted to that of the next; 0: all are "
                "posted at once.",
                TimeValue(Time(0)),
                MakeReadOnceAccessor("RdmaClientApplication::Interval",
                                     &RdmaClientApplication::HasStarted,
                                     MakeTimeAccessor(&RdmaClientApplication::m_interval)),
                MakeTimeChecker(Time(0)))
            .AddTraceSource("Tx",
                            "A message is posted.",
                            MakeTraceSourceAccessor(&RdmaClientApplication::m_txTrace),
                            "ns3::RdmaClientApplication::MessageTracedCallback")
            .AddTraceSource("Completed",
                            "The acknowledgement of a message has come.",
                            MakeTraceSourceAccessor(&RdmaClientApplication::m_completedTrace),
                            "ns3::RdmaClientApplication::MessageTracedCallback")
            .AddTraceSource("Failed",
                            "A message is given up, and why.",
                            MakeTraceSourceAccessor(&RdmaClientApplication::m_failedTrace),
                            "ns3::RdmaClientApplication::FailureTracedCallback");
    return tid;
}

RdmaClientApplication::RdmaClientApplication()
{
    NS_LOG_FUNCTION(this);
}

RdmaClientApplication::~RdmaClientApplication()
{
    NS_LOG_FUNCTION(this);
}

void
RdmaClientApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Simulator::Cancel(m_next);
    if (m_queuePair)
    {
        m_queuePair->SetSettledCallback({});
        m_queuePair->SetFailedCallback({});
        m_queuePair = nullptr;
    }
    Application::DoDispose();
}

uint64_t
RdmaClientApplication::GetPosted() const
{
    return m_posted;
}

uint64_t
RdmaClientApplication::GetCompleted() const
{
    return m_completed;
}

Time
RdmaClientApplication::GetLastCompletion() const
{
    return m_lastCompletion;
}

bool
RdmaClientApplication::HasStarted() const
{
    return m_queuePair != nullptr;
}

void
RdmaClientApplication::CheckAttributes() const
{
    RequireAtMost(m_interval, LONGEST_TIME, "RdmaClientApplication::Interval");
    NS_ABORT_MSG_IF(m_messages == 0 && m_interval.IsZero(),
                    "RdmaClientApplication: Messages of 0 and an Interval of 0 s would post "
                    "messages without end at one instant; set Messages to 1 or more, or Interval "
                    "to 1 ps or more");
}

void
RdmaClientApplication::Connect()
{
    const auto [peer, port] = FindPeer(m_remote);
    m_queuePair = RdmaEngine::Connect(GetNode(), peer, {{m_port, port}}).first;
    m_queuePair->SetSettledCallback(MakeCallback(&RdmaClientApplication::Settled, this));
    m_queuePair->SetFailedCallback(MakeCallback(&RdmaClientApplication::Failed, this));
}

void
RdmaClientApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    CheckAttributes();
    Connect();
    NS_LOG_INFO("node " << GetNode()->GetId() << " sends to " << m_remote);
    Post();
}

void
RdmaClientApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Simulator::Cancel(m_next);
}

void
RdmaClientApplication::Post()
{
    NS_LOG_FUNCTION(this);
    const RdmaQueuePair::Posted posted = m_queuePair->Post(RdmaVerb::SEND, m_messageSize);
    if (!posted.accepted)
    {
        NS_LOG_INFO("node " << GetNode()->GetId() << " posts no more: " << posted.why);
        return;
    }
    ++m_posted;
    m_txTrace({posted.id, RdmaVerb::SEND, m_messageSize});
    if (m_posted != m_messages)
    {
        m_next = Simulator::Schedule(m_interval, &RdmaClientApplication::Post, this);
    }
}

void
RdmaClientApplication::Settled(Ptr<RdmaQueuePair>, const RdmaMessage& message)
{
    NS_LOG_FUNCTION(this << message.id);
    ++m_completed;
    m_lastCompletion = Simulator::Now();
    m_completedTrace(message);
}

void
RdmaClientApplication::Failed(Ptr<RdmaQueuePair>,
                              const RdmaMessage& message,
                              const std::string& why)
{
    NS_LOG_FUNCTION(this << message.id << why);
    Simulator::Cancel(m_next);
    m_failedTrace(message, why);
}

} // namespace ns3
