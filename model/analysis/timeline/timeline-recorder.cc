/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline-recorder.h"

#include "opus-timeline.h"
#include "timeline-sources.h"

#include "ns3/abort.h"
#include "ns3/opus-control-plane.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{

TimelineRecorder::TimelineRecorder(const std::string& filename)
    : m_file(filename)
{
    NS_ABORT_MSG_IF(filename.empty(), "TimelineRecorder: give the name of a file");
    Check();
}

TimelineRecorder::~TimelineRecorder()
{
    Finish();
}

void
TimelineRecorder::Check()
{
    if (!m_file.empty() && !m_timeline && !m_finished)
    {
        m_timeline = std::make_shared<Timeline>(m_file);
    }
}

bool
TimelineRecorder::IsOn() const
{
    return !m_file.empty() && !m_finished;
}

Timeline&
TimelineRecorder::Get()
{
    Check();
    NS_ABORT_MSG_UNLESS(m_timeline,
                        "TimelineRecorder: there is no timeline; ask IsOn() first, give it a file, "
                        "and no more after it has ended");
    return *m_timeline;
}

void
TimelineRecorder::FinishWithRun()
{
    if (m_destroy.IsExpired())
    {
        m_destroy = Simulator::ScheduleDestroy(&TimelineRecorder::Finish, this);
    }
}

void
TimelineRecorder::Add(const Rail& rail)
{
    if (!IsOn())
    {
        return;
    }
    Check();
    FinishWithRun();
    if (rail.GetOpticalSwitch())
    {
        m_rails.push_back(SwitchTimeline::Connect(rail, m_timeline));
    }
    std::ostringstream name;
    name << "rail " << rail.GetId() << " NIC ports";
    const TimelineProcess nics = m_timeline->AddProcess(name.str());
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            std::ostringstream port;
            port << "GPU " << g << " port " << p;
            m_rails.push_back(CarrierTimeline::Connect(rail.GetNic(g, p),
                                                       m_timeline,
                                                       m_timeline->AddTrack(nics, port.str())));
        }
    }
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
    if (!IsOn())
    {
        return;
    }
    Check();
    FinishWithRun();
    for (const Ptr<TimelineSource>& source : DrawControlPlane(plane, m_timeline))
    {
        m_planes.push_back(source);
    }
}

void
TimelineRecorder::Add(const ApplicationContainer& applications)
{
    if (!IsOn())
    {
        return;
    }
    Check();
    FinishWithRun();
    for (auto one = applications.Begin(); one != applications.End(); ++one)
    {
        if (const auto application = DynamicCast<CollectiveApplication>(*one))
        {
            m_ranks.push_back(RankTimeline::Connect(application, m_timeline));
        }
    }
}

Picoseconds
TimelineRecorder::GetEnd() const
{
    for (const Ptr<TimelineSource>& rank : m_ranks)
    {
        if (!rank->IsIdle())
        {
            return NowPicoseconds();
        }
    }
    return m_ranks.empty() ? NowPicoseconds() : m_timeline->GetLast();
}

void
TimelineRecorder::Finish()
{
    if (!m_timeline)
    {
        return;
    }
    Simulator::Cancel(m_destroy);
    const Picoseconds end = GetEnd();
    for (auto* sources : {&m_ranks, &m_rails, &m_planes})
    {
        for (const Ptr<TimelineSource>& source : *sources)
        {
            source->Close(end);
        }
        sources->clear();
    }
    m_timeline->Finish();
    m_timeline.reset();
    m_finished = true;
}

} // namespace ns3
