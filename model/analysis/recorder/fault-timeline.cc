/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-timeline.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

FaultTimeline::FaultTimeline(std::shared_ptr<Timeline> timeline)
    : m_timeline(std::move(timeline))
{
    m_process = m_timeline->AddProcess("faults");
}

void
FaultTimeline::Record(FaultInjector& injector, TimelineRecording& recording)
{
    const auto source = Create<FaultTimeline>(recording.Share());
    for (const Fault& fault : injector.GetActive())
    {
        source->Began(fault, "it was there before");
    }
    Listen(injector, "FaultBegan", MakeCallback(&FaultTimeline::Began, source));
    Listen(injector, "FaultEnded", MakeCallback(&FaultTimeline::Ended, source));
    recording.AddSource(TimelineRecording::Layer::CONTROL_PLANES, source);
}

FaultTimeline::Component&
FaultTimeline::At(const Fault& fault)
{
    const std::string target = DescribeTarget(fault);
    const std::string name = ToString(fault.kind) + (target.empty() ? "" : " of " + target);
    const auto [found, isNew] = m_components.try_emplace(name);
    if (isNew)
    {
        found->second.track =
            m_timeline->AddTrack(m_process, name, static_cast<uint32_t>(m_components.size()));
        found->second.kind = ToString(fault.kind);
    }
    return found->second;
}

void
FaultTimeline::Began(const Fault& fault, const std::string& outcome)
{
    Component& component = At(fault);
    if (component.faults++ == 0)
    {
        component.since = Simulator::Now();
        component.outcome = outcome;
    }
}

void
FaultTimeline::Ended(const Fault& fault, const std::string&)
{
    Component& component = At(fault);
    if (--component.faults == 0)
    {
        Draw(component, Simulator::Now());
    }
}

void
FaultTimeline::Draw(const Component& component, Time end)
{
    if (end > component.since)
    {
        m_timeline->Slice(component.track,
                          component.kind,
                          component.since,
                          end,
                          TimelineArguments().Add("outcome", component.outcome));
    }
}

void
FaultTimeline::Close(Time end)
{
    for (const auto& [name, component] : m_components)
    {
        if (component.faults > 0)
        {
            Draw(component, end);
        }
    }
}

} // namespace ns3
