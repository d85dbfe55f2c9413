/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CARRIER_TIMELINE_H
#define PHOTONIC_RAILS_CARRIER_TIMELINE_H

#include "ns3/rail-net-device.h"
#include "ns3/rail.h"
#include "ns3/timeline-recording.h"
#include "ns3/timeline-source.h"
#include "ns3/timeline.h"

#include <memory>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The carrier of a NIC port: a track.
 */
class CarrierTimeline : public TimelineSource
{
  public:
    /** @param track of the port */
    CarrierTimeline(std::shared_ptr<Timeline> timeline,
                    TimelineTrack track,
                    const Ptr<RailNetDevice>& nic);

    /** Records the NIC ports of a rail on a timeline that is on: a process, with a track each. */
    static void Record(const Rail& rail, TimelineRecording& recording);

    void Close(Time end) override;

  private:
    /** Records a NIC port on a track of its own. */
    static void Record(Ptr<RailNetDevice> nic, TimelineTrack track, TimelineRecording& recording);
    /** Begins: circuits from before the simulation are set now. */
    void Look();
    void Changed(bool carrier);

    std::shared_ptr<Timeline> m_timeline;
    TimelineTrack m_track;
    RailNetDevice* m_nic;        //!< which holds the callbacks to this object
    std::optional<Time> m_since; //!< since when there is carrier, if there is any
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CARRIER_TIMELINE_H */
