/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_RECORDER_H
#define PHOTONIC_RAILS_TIMELINE_RECORDER_H

#include "timeline.h"

#include "ns3/application-container.h"
#include "ns3/event-id.h"
#include "ns3/rail.h"
#include "ns3/simple-ref-count.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

struct OpusControlPlane;

/**
 * @ingroup photonic-rails
 * @brief Something of a run that is drawn on tracks of a timeline, as its trace sources tell.
 */
class TimelineSource : public SimpleRefCount<TimelineSource>
{
  public:
    virtual ~TimelineSource() = default;

    /** The timeline ends: what goes on is drawn up to there. @param end where */
    virtual void Close(Picoseconds end) = 0;

    /** @return whether nothing goes on that is to come to an end by itself */
    virtual bool IsIdle() const
    {
        return true;
    }
};

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
 * The file is complete after Simulator::Destroy(), or when the recorder is gone, whichever is
 * first. Operations that are not over then have the argument "unfinished". Where ranks are recorded
 * and all their operations are over, circuits and carrier are drawn up to the last thing that
 * happened, else up to now: a run may go on for minutes until its last timer has run out.
 *
 * @code
 * TimelineRecorder timeline("timeline.json");
 * timeline.Add(applications);
 * timeline.Add(rail);
 * Simulator::Run();
 * @endcode
 */
class TimelineRecorder
{
  public:
    /** Records nothing. */
    TimelineRecorder() = default;

    /** @param filename of the file, which is begun anew; aborts if it cannot be written */
    explicit TimelineRecorder(const std::string& filename);

    ~TimelineRecorder();
    TimelineRecorder(const TimelineRecorder&) = delete;
    TimelineRecorder& operator=(const TimelineRecorder&) = delete;

    /** Begins the file of --timeline; aborts if it cannot be written. Add() does so too. */
    void Check();

    /** @return whether there is a timeline */
    bool IsOn() const;

    /** @return the timeline, for tracks, slices and arrows of one's own; aborts if it is not on */
    Timeline& Get();

    /** Records circuits and carrier of a rail, if it is on. @param rail it */
    void Add(const Rail& rail);

    /** Records each of some rails, if it is on. @param rails them */
    void Add(const std::vector<Rail>& rails);

    /**
     * Records a control plane, if it is on: what its ranks wait for, what it decides and says. One
     * without a controller adds nothing.
     * @param plane it
     */
    void Add(const OpusControlPlane& plane);

    /**
     * Records the operations of ranks, if it is on.
     * @param applications those that are CollectiveApplication are recorded
     */
    void Add(const ApplicationContainer& applications);

    /** Completes the file, now. */
    void Finish();

  private:
    /** The run is to complete the file. */
    void FinishWithRun();
    /** @return where what goes on is drawn up to, if the timeline ends now */
    Picoseconds GetEnd() const;

    std::string m_file; //!< empty: nowhere
    std::shared_ptr<Timeline> m_timeline;
    std::vector<Ptr<TimelineSource>> m_ranks;
    std::vector<Ptr<TimelineSource>> m_rails;
    std::vector<Ptr<TimelineSource>> m_planes;
    EventId m_destroy; //!< completes the file
    bool m_finished{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_RECORDER_H */
