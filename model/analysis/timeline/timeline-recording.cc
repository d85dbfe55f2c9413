/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline-recording.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

TimelineRecording::TimelineRecording(const std::string& filename)
    : m_file(filename)
{
    NS_ABORT_MSG_IF(filename.empty(), "TimelineRecorder: give the name of a file");
    Check();
}

TimelineRecording::~TimelineRecording()
{
    Finish();
}

void
TimelineRecording::Check()
{
    if (!m_file.empty() && !m_timeline && !m_finished)
    {
        m_timeline = std::make_shared<Timeline>(m_file);
    }
}

bool
TimelineRecording::IsOn() const
{
    return !m_file.empty() && !m_finished;
}

Timeline&
TimelineRecording::Get()
{
    return *Share();
}

std::shared_ptr<Timeline>
TimelineRecording::Share()
{
    Check();
    NS_ABORT_MSG_UNLESS(m_timeline,
                        "TimelineRecorder: there is no timeline; ask IsOn() first, give it a file, "
                        "and no more after it has ended");
    return m_timeline;
}

void
TimelineRecording::Begin()
{
    Check();
    if (m_destroy.IsExpired())
    {
        m_destroy = Simulator::ScheduleDestroy(&TimelineRecording::Finish, this);
    }
}

void
TimelineRecording::AddSource(Layer layer, Ptr<TimelineSource> source)
{
    m_sources[layer].push_back(source);
}

Time
TimelineRecording::GetEnd() const
{
    const auto ranks = m_sources.find(Layer::RANKS);
    const bool allOver =
        ranks != m_sources.end() &&
        std::all_of(ranks->second.begin(),
                    ranks->second.end(),
                    [](const Ptr<TimelineSource>& rank) { return rank->IsIdle(); });
    return allOver ? m_timeline->GetLast() : Simulator::Now();
}

void
TimelineRecording::Finish()
{
    if (!m_timeline)
    {
        return;
    }
    Simulator::Cancel(m_destroy);
    const Time end = GetEnd();
    for (const auto& [layer, sources] : m_sources)
    {
        for (const Ptr<TimelineSource>& source : sources)
        {
            source->Close(end);
        }
    }
    m_sources.clear();
    m_timeline->Finish();
    m_timeline.reset();
    m_finished = true;
}

} // namespace ns3
