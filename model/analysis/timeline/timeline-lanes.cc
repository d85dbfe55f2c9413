/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline-lanes.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** Places for the lanes of one thing; if there are more, they come among those of the next. */
constexpr uint32_t PLACES = 256;

} // namespace

TimelineLanes::TimelineLanes(std::shared_ptr<Timeline> timeline,
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
TimelineLanes::Take(Picoseconds from, Picoseconds until)
{
    const auto isFree = [from](const Lane& lane) { return lane.free <= from; };
    auto lane = std::find_if(m_lanes.begin(), m_lanes.end(), isFree);
    if (lane == m_lanes.end())
    {
        const std::size_t number = m_lanes.size() + 1;
        const std::string name =
            number == 1 ? m_name : m_name + " (" + std::to_string(number) + ")";
        const uint32_t place = m_place * PLACES + number;
        lane = m_lanes.insert(lane, {m_timeline->AddTrack(m_process, name, place), 0});
    }
    lane->free = until;
    return lane->track;
}

void
TimelineLanes::Free(TimelineTrack track, Picoseconds when)
{
    for (Lane& lane : m_lanes)
    {
        if (lane.track == track)
        {
            lane.free = when;
        }
    }
}

} // namespace ns3
