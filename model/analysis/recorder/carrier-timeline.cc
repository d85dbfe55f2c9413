/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "carrier-timeline.h"

#include "ns3/simulator.h"

#include <cstdint>
#include <sstream>
#include <utility>

namespace ns3
{

CarrierTimeline::CarrierTimeline(std::shared_ptr<Timeline> timeline,
                                 TimelineTrack track,
                                 const Ptr<RailNetDevice>& nic)
    : m_timeline(std::move(timeline)),
      m_track(track),
      m_nic(PeekPointer(nic))
{
}

void
CarrierTimeline::Record(const Rail& rail, TimelineRecording& recording)
{
    std::ostringstream name;
    name << "rail " << rail.GetId() << " NIC ports";
    Timeline& timeline = recording.Get();
    const TimelineProcess nics = timeline.AddProcess(name.str());
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            std::ostringstream port;
            port << "GPU " << g << " port " << p;
            Record(rail.GetNic(g, p), timeline.AddTrack(nics, port.str()), recording);
        }
    }
}

void
CarrierTimeline::Record(Ptr<RailNetDevice> nic, TimelineTrack track, TimelineRecording& recording)
{
    const auto source = Create<CarrierTimeline>(recording.Share(), track, nic);
    Listen(*nic, "Carrier", MakeCallback(&CarrierTimeline::Changed, source));
    Simulator::ScheduleNow(&CarrierTimeline::Look, source);
    recording.AddSource(TimelineRecording::Layer::RAILS, source);
}

void
CarrierTimeline::Look()
{
    if (!m_since && m_nic->HasCarrier())
    {
        m_since = Simulator::Now();
    }
}

void
CarrierTimeline::Changed(bool carrier)
{
    if (carrier)
    {
        m_since = Simulator::Now();
        return;
    }
    Close(Simulator::Now());
}

void
CarrierTimeline::Close(Time end)
{
    if (m_since && *m_since < end)
    {
        m_timeline->Slice(m_track, "carrier", *m_since, end);
    }
    m_since.reset();
}

} // namespace ns3
