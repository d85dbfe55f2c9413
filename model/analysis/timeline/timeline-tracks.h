/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_TRACKS_H
#define PHOTONIC_RAILS_TIMELINE_TRACKS_H

#include "timeline.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Parallel tracks for spans that may overlap: "rail 0", and "rail 0 (2)" as soon as two
 * overlap. So slices of one track never overlap.
 */
class TimelineTracks
{
  public:
    /**
     * @param process of the tracks
     * @param name of the first track
     * @param place their position in the process
     */
    TimelineTracks(std::shared_ptr<Timeline> timeline,
                   TimelineProcess process,
                   std::string name,
                   uint32_t place);

    /** @return a free track @param from begin of its use @param until end of its use */
    TimelineTrack Take(Time from, Time until);

    /** Frees a track before the end that Take() had. @param when the new end of its use */
    void Free(TimelineTrack track, Time when);

  private:
    /** A track. */
    struct Track
    {
        TimelineTrack track;
        Time free{0}; //!< instant from which it is free
    };

    std::shared_ptr<Timeline> m_timeline;
    TimelineProcess m_process;
    std::string m_name;
    uint32_t m_place;
    std::vector<Track> m_tracks;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_TRACKS_H */
