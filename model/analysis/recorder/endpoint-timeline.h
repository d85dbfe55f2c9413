/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ENDPOINT_TIMELINE_H
#define PHOTONIC_RAILS_ENDPOINT_TIMELINE_H

#include "opus-marks.h"

#include "ns3/opus-endpoint.h"
#include "ns3/opus-message.h"
#include "ns3/timeline-source.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An endpoint of a control plane: a process, with a track for messages. With a
 * ProcessingTime it has a track "processing" with a slice for each input, and a counter "queue".
 */
class EndpointTimeline : public TimelineSource
{
  protected:
    /**
     * @param marks of all messages
     * @param name of the process
     */
    EndpointTimeline(std::shared_ptr<Timeline> timeline,
                     std::shared_ptr<OpusMarks> marks,
                     const std::string& name);

    virtual void Sent(const OpusMessage& message, const OpusPeer& peer);
    virtual void Received(const OpusMessage& message, const OpusPeer& peer);
    void Failed(const OpusMessage& message, const OpusPeer& peer, const std::string& why);

    /**
     * Connects to the trace sources of messages and processing of an endpoint.
     * @param source receives the calls
     */
    static void ConnectMessages(OpusEndpoint& endpoint, const Ptr<EndpointTimeline>& source);

    std::shared_ptr<Timeline> m_timeline;
    std::shared_ptr<OpusMarks> m_marks;
    TimelineProcess m_process;
    TimelineTrack m_messages;

  private:
    void Processed(Time arrived, Time begun, Time ended);
    void QueueChanged(uint32_t before, uint32_t now);

    std::optional<TimelineTrack> m_processing; //!< none: no input has been processed
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ENDPOINT_TIMELINE_H */
