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

class FaultInjector;
struct OpusControlPlane;

/**
 * @ingroup photonic-rails
 * @brief Draws a run as a timeline (Timeline): operations of ranks, circuits, carrier, and messages
 * of the control plane. It gives a program the option `--timeline=FILE`.
 *
 * | process              | a track each | slices                                                  |
 * |----------------------|--------------|---------------------------------------------------------|
 * | rank 3               | stream       | operations, by label or else kind                       |
 * | rail 0 switch        | port         | circuits ("3-7"), "reconfiguring", "dark" by a fault    |
 * |                      | "plans"      | instants: plans as they are begun, queued or refused    |
 * | rail 0 NIC ports     | NIC port     | "carrier"                                               |
 * | controller, standby  | "decisions"  | instants: votes complete, conflict, granted, ...        |
 * |                      | rail         | plans, from PROGRAM to DONE or ALARM                    |
 * | server 3 shim        | rank         | request to answer: "waits for dp, operation 3"; answer  |
 * |                      |              | to carrier: "waits for link-up, dp, operation 3"        |
 * | rail 0 agent         | "agent"      | "reconfiguring": plans that it has the switch carry out |
 * | all of the last four | "messages"   | a mark each, with arrows (OpusMarks)                    |
 * |                      | "processing" | "processes": an input each, with a ProcessingTime, and  |
 * |                      |              | a counter "queue"                                       |
 * | faults               | component    | kinds of faults, from the first to the repair           |
 *
 * Overlapping slices on a track of the control plane get a second track beside it, "rank 3 (2)". It
 * connects no trace source that fires for every frame, so packet trains run as without it.
 * Processes appear in the order of the Add() calls. Add() may be called during the run: open spans
 * are then drawn from that instant on, and circuits from before the simulation from 0 on.
 *
 * TimelineRecording defines when the file is complete, and the end of circuits and carrier.
 * Operations that have not ended by then have the argument "unfinished".
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
     * Records a control plane, if the timeline is on: the waits of its ranks, its decisions and its
     * messages. One without a controller adds no track.
     */
    void Add(const OpusControlPlane& plane);

    /** Records the faults of a cluster, if the timeline is on. */
    void Add(const Ptr<FaultInjector>& injector);

    /**
     * Records the operations of ranks, if the timeline is on.
     * @param applications only those of type CollectiveApplication are recorded
     */
    void Add(const ApplicationContainer& applications);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_RECORDER_H */
