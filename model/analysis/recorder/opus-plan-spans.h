/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_PLAN_SPANS_H
#define PHOTONIC_RAILS_OPUS_PLAN_SPANS_H

#include "ns3/nstime.h"
#include "ns3/opus-message.h"
#include "ns3/timeline-tracks.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The plans of a control plane on a timeline, as one endpoint has them: each is a slice,
 * from its PROGRAM to its DONE or ALARM.
 */
class OpusPlanSpans
{
  public:
    /** @param name of the slices */
    OpusPlanSpans(std::shared_ptr<Timeline> timeline, std::string name);

    /** Adds the tracks for plans of a rail. */
    void Add(RailId rail, const TimelineTracks& tracks);

    /** A plan begins now, unless it was open already. */
    void Begin(const OpusMessage& program);
    /** A plan is answered, now. No effect if it is not open. @param answer DONE or ALARM */
    void End(const OpusMessage& answer);
    /** Draws all open plans. @param end their end @param why the reason of the end, an argument */
    void EndAll(Time end, const std::string& why);

  private:
    /** An open plan. */
    struct Plan
    {
        OpusMessage program;
        TimelineTrack track;
        Time since{0};
    };

    std::shared_ptr<Timeline> m_timeline;
    std::string m_name;
    std::map<RailId, TimelineTracks> m_rails;
    std::map<uint64_t, Plan> m_plans; //!< by number
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_PLAN_SPANS_H */
