/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline-tracks.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** Positions for parallel tracks; further tracks get positions among those of the next name. */
constexpr uint32_t PLACES = 256;

} // namespace

TimelineTracks::TimelineTracks(std::shared_ptr<Timeline> timeline,
                               TimelineProcess process,
                               std::string name,
                               uint32_t place)
    : m_timeline(std::move(timeline)),
      m_process(process),
      m_name(std::move(name)),
      m_place(place)
{
}

TimelineTrack
TimelineTracks::Take(Time from, Time until)
{
    const auto isFree = [from](const Track& track) { return track.free <= from; };
    auto track = std::find_if(m_tracks.begin(), m_tracks.end(), isFree);
    if (track == m_tracks.end())
    {
        const std::size_t number = m_tracks.size() + 1;
        const std::string name =
            number == 1 ? m_name : m_name + " (" + std::to_string(number) + ")";
        const uint32_t place = m_place * PLACES + number;
        track = m_tracks.insert(track, {m_timeline->AddTrack(m_process, name, place), Time(0)});
    }
    track->free = until;
    return track->track;
}

void
TimelineTracks::Free(TimelineTrack track, Time when)
{
    for (Track& one : m_tracks)
    {
        if (one.track == track)
        {
            one.free = when;
        }
    }
}

} // namespace ns3
