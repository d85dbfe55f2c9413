/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "endpoint-timeline.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

EndpointTimeline::EndpointTimeline(std::shared_ptr<Timeline> timeline,
                                   std::shared_ptr<OpusMarks> marks,
                                   const std::string& name)
    : m_timeline(std::move(timeline)),
      m_marks(std::move(marks)),
      m_process(m_timeline->AddProcess(name)),
      m_messages(m_timeline->AddTrack(m_process, "messages", 0))
{
}

void
EndpointTimeline::ConnectMessages(OpusEndpoint& endpoint, const Ptr<EndpointTimeline>& source)
{
    Listen(endpoint, "MessageSent", MakeCallback(&EndpointTimeline::Sent, source));
    Listen(endpoint, "MessageReceived", MakeCallback(&EndpointTimeline::Received, source));
    Listen(endpoint, "MessageFailed", MakeCallback(&EndpointTimeline::Failed, source));
    Listen(endpoint, "InputProcessed", MakeCallback(&EndpointTimeline::Processed, source));
    Listen(endpoint, "QueueLength", MakeCallback(&EndpointTimeline::QueueChanged, source));
}

void
EndpointTimeline::Sent(const OpusMessage& message, const OpusPeer&)
{
    m_marks->Sent(m_messages, message);
}

void
EndpointTimeline::Received(const OpusMessage& message, const OpusPeer&)
{
    m_marks->Received(m_messages, message);
}

void
EndpointTimeline::Failed(const OpusMessage& message, const OpusPeer&, const std::string&)
{
    m_marks->Failed(message);
}

void
EndpointTimeline::Processed(Time arrived, Time begun, Time ended)
{
    if (!m_processing)
    {
        m_processing = m_timeline->AddTrack(m_process, "processing", 0);
    }
    TimelineArguments arguments;
    arguments.AddMicroseconds("waited_us", begun - arrived);
    m_timeline->Slice(*m_processing, "processes", begun, ended, arguments);
}

void
EndpointTimeline::QueueChanged(uint32_t, uint32_t now)
{
    m_timeline->Counter(m_process, "queue", Simulator::Now(), now);
}

} // namespace ns3
