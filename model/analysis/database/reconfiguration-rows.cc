/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reconfiguration-rows.h"

#include "ns3/job-groups.h"
#include "ns3/opus-controller-app.h"

#include <optional>

namespace ns3
{

ReconfigurationRows::ReconfigurationRows(std::shared_ptr<ResultWriter> writer, uint32_t job)
    : ResultSource(std::move(writer), "reconfigurations"),
      m_job(job)
{
}

void
ReconfigurationRows::Record(const OpusControlPlane& plane,
                            const std::shared_ptr<ResultWriter>& writer,
                            uint32_t job)
{
    const auto source = Create<ReconfigurationRows>(writer, job);
    for (const Ptr<OpusControllerApp>& controller : {plane.controller, plane.standby})
    {
        if (controller)
        {
            Listen(*controller, "Decision", MakeCallback(&ReconfigurationRows::Decided, source));
            Listen(*controller,
                   "MessageReceived",
                   MakeCallback(&ReconfigurationRows::Received, source));
        }
    }
}

void
ReconfigurationRows::Received(const OpusMessage& message, const OpusPeer&)
{
    if (const OpusRegisterGroup* registration = message.Find<OpusRegisterGroup>())
    {
        m_names.emplace(std::make_pair(registration->job, registration->group), registration->name);
    }
}

void
ReconfigurationRows::Decided(const ControllerNote& note)
{
    if (note.kind != ControllerNote::Kind::RECONFIGURED)
    {
        return;
    }
    const OpusPhase& phase = note.phase;
    const auto found = m_names.find({phase.job, phase.group});
    const std::string group = found == m_names.end() ? "" : found->second;
    const auto ofSend = [&phase](RankId rank) {
        return phase.pointToPoint ? std::make_optional(rank) : std::nullopt;
    };
    Add(note.when - note.dark,
        note.when,
        note.dark,
        note.linkUp,
        note.exposed,
        note.GetHidden(),
        m_job + phase.job.Get(),
        group,
        group.empty() ? "" : ParallelismNameOf(group),
        phase.operation,
        phase.stage,
        ofSend(phase.from),
        ofSend(phase.to));
}

} // namespace ns3
