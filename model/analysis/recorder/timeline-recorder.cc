/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline-recorder.h"

#include "carrier-timeline.h"
#include "control-plane-timeline.h"
#include "fault-timeline.h"
#include "rank-timeline.h"
#include "switch-timeline.h"

#include "ns3/collective-application.h"
#include "ns3/fault-injector.h"

namespace ns3
{

void
TimelineRecorder::Add(const Rail& rail)
{
    if (!IsOn())
    {
        return;
    }
    Begin();
    if (rail.GetOpticalSwitch())
    {
        SwitchTimeline::Record(rail, *this);
    }
    CarrierTimeline::Record(rail, *this);
}

void
TimelineRecorder::Add(const std::vector<Rail>& rails)
{
    for (const Rail& rail : rails)
    {
        Add(rail);
    }
}

void
TimelineRecorder::Add(const OpusControlPlane& plane)
{
    if (IsOn())
    {
        Begin();
        RecordControlPlane(plane, *this);
    }
}

void
TimelineRecorder::Add(const Ptr<FaultInjector>& injector)
{
    if (IsOn() && injector)
    {
        Begin();
        FaultTimeline::Record(*injector, *this);
    }
}

void
TimelineRecorder::Add(const ApplicationContainer& applications)
{
    if (!IsOn())
    {
        return;
    }
    Begin();
    for (auto one = applications.Begin(); one != applications.End(); ++one)
    {
        if (const auto application = DynamicCast<CollectiveApplication>(*one))
        {
            RankTimeline::Record(application, *this);
        }
    }
}

} // namespace ns3
