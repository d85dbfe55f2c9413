/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "control-plane-timeline.h"

#include "agent-timeline.h"
#include "controller-timeline.h"
#include "opus-marks.h"
#include "shim-timeline.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace ns3
{

namespace
{

constexpr auto LAYER = TimelineRecording::Layer::CONTROL_PLANES;

using Marks = std::shared_ptr<OpusMarks>;

void
RecordControllers(const OpusControlPlane& plane, const Marks& marks, TimelineRecording& recording)
{
    const auto add = [&](const Ptr<OpusControllerApp>& one,
                         const Ptr<OpusControllerApp>& other,
                         const char* name) {
        const auto source = Create<ControllerTimeline>(recording.Share(),
                                                       marks,
                                                       name,
                                                       uint32_t(plane.agents.size()));
        ControllerTimeline::Connect(*one, source, PeekPointer(other));
        recording.AddSource(LAYER, source);
    };
    add(plane.controller, plane.standby, "controller");
    if (plane.standby)
    {
        add(plane.standby, plane.controller, "standby");
    }
}

void
RecordShims(const OpusControlPlane& plane, const Marks& marks, TimelineRecording& recording)
{
    std::set<JobId> jobs;
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        jobs.insert(shim->GetJob());
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        std::string name = "server " + std::to_string(shim->GetServer().Get()) + " shim";
        if (jobs.size() > 1)
        {
            name += " of job " + std::to_string(shim->GetJob().Get());
        }
        const auto source = Create<ShimTimeline>(recording.Share(), marks, name);
        ShimTimeline::Connect(*shim, source);
        recording.AddSource(LAYER, source);
    }
}

void
RecordAgents(const OpusControlPlane& plane, const Marks& marks, TimelineRecording& recording)
{
    for (uint32_t rail = 0; rail < plane.agents.size(); ++rail)
    {
        const auto source = Create<AgentTimeline>(recording.Share(), marks, RailId(rail));
        AgentTimeline::Connect(*plane.agents[rail], source);
        recording.AddSource(LAYER, source);
    }
}

} // namespace

void
RecordControlPlane(const OpusControlPlane& plane, TimelineRecording& recording)
{
    if (!plane.controller)
    {
        return;
    }
    const auto marks = std::make_shared<OpusMarks>(recording.Share());
    RecordControllers(plane, marks, recording);
    RecordShims(plane, marks, recording);
    RecordAgents(plane, marks, recording);
}

} // namespace ns3
