/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_RECORDER_H
#define PHOTONIC_RAILS_TIMELINE_RECORDER_H

#include "ns3/application-container.h"
#include "ns3/rail.h"
#include "ns3/timeline-recording.h"

#include <vector>

namespace ns3
{

struct OpusControlPlane;

/**
 * @ingroup photonic-rails
 * @brief Draws a run as a timeline (Timeline): what ranks did, which circuits there were, where
 * there was carrier, what the control plane said. Gives a program the option `--timeline=FILE`.
 *
 * | process              | a track each | slices                                                  |
 * |----------------------|--------------|---------------------------------------------------------|
 * | rank 3               | stream       | operations, by label or else kind                       |
 * | rail 0 switch        | port         | circuits ("3-7"), "reconfiguring", "dark" by a fault    |
 * |                      | "plans"      | instants: plans as they are begun, queued or refused    |
 * | rail 0 NIC ports     | NIC port     | "carrier"                                               |
 * | controller, standby  | "decisions"  | instants: votes complete, conflict, granted, ...        |
 * |                      | rail         | plans, from PROGRAM to DONE or ALARM                    |
 * | server 3 shim        | rank         | from ask to answer: "waits for dp, operation 3"         |
 * | rail 0 agent         | "agent"      | "reconfiguring": plans that it has the switch carry out |
 * | all of the last four | "messages"   | a mark each, with arrows (OpusMarks)                    |
 *
 * What overlaps on a track of the control plane has a second one beside it, "rank 3 (2)".
 * It connects no trace source that fires for every frame, so packet trains go on as without it.
 * Processes are shown in the order in which things are added. It can be added to during the run;
 * what goes on then is drawn from there on, and circuits from before the beginning from 0 on.
 *
 * TimelineRecording says when the file is complete, and up to where circuits and carrier are drawn.
 * Operations that are not over then have the argument "unfinished".
 *
 * @code
 * TimelineRecorder timeline("timeline.json");
 * timeline.Add(applications);
 * timeline.Add(rail);
 * Simulator::Run();
 * @endcode
 */
class TimelineRecorder : public TimelineRecording
{
  public:
    using TimelineRecording::TimelineRecording;

    /** Records circuits and carrier of a rail, if the timeline is on. */
    void Add(const Rail& rail);

    /** Records each rail, if the timeline is on. */
    void Add(const std::vector<Rail>& rails);

    /**
     * Records a control plane, if the timeline is on: what its ranks wait for, what it decides and
     * which messages it sends. One without a controller adds nothing.
     */
    void Add(const OpusControlPlane& plane);

    /**
     * Records the operations of ranks, if the timeline is on.
     * @param applications those that are CollectiveApplication are recorded
     */
    void Add(const ApplicationContainer& applications);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_RECORDER_H */
