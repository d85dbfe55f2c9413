/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_TRACKS_H
#define PHOTONIC_RAILS_TIMELINE_TRACKS_H

#include "timeline.h"

#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Tracks beside each other for things that may go on at once: "rail 0", and "rail 0 (2)" as
 * soon as two overlap. So slices of one track never do.
 */
class TimelineTracks
{
  public:
    /**
     * @param timeline where to draw
     * @param process of the tracks
     * @param name of the first of them
     * @param place of them among those of the process
     */
    TimelineTracks(std::shared_ptr<Timeline> timeline,
                   TimelineProcess process,
                   std::string name,
                   uint32_t place);

    /** @return a track that is free @param from since when @param until when it is free again */
    TimelineTrack Take(Picoseconds from, Picoseconds until);

    /** A track is free earlier than it was taken for. @param when since when */
    void Free(TimelineTrack track, Picoseconds when);

  private:
    /** A track. */
    struct Track
    {
        TimelineTrack track;
        Picoseconds free{0}; //!< from when on
    };

    std::shared_ptr<Timeline> m_timeline;
    TimelineProcess m_process;
    std::string m_name;
    uint32_t m_place;
    std::vector<Track> m_tracks;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_TRACKS_H */
