/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-control-plane.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Aborts the program if a job is refused. */
void
AbortIfRefused(std::string context, const ControllerNote& note)
{
    NS_ABORT_MSG_IF(note.kind == ControllerNote::Kind::REFUSED, context << note.words);
}

} // namespace

Ptr<OpusControllerApp>
OpusControlPlane::GetInCharge() const
{
    const auto isInCharge = [](const Ptr<OpusControllerApp>& one) {
        return one && one->GetRole() == OpusControllerApp::Role::IN_CHARGE;
    };
    // a controller that is cut off may not have received the later term yet
    const bool isStandby =
        isInCharge(standby) &&
        (!isInCharge(controller) || controller->GetCore().GetTerm() < standby->GetCore().GetTerm());
    return isStandby ? standby : controller;
}

void
OpusControlPlane::Describe(const JobDemand& demand) const
{
    for (const Ptr<OpusControllerApp>& one : {controller, standby})
    {
        if (one)
        {
            one->AddDemand(demand);
        }
    }
}

void
OpusControlPlane::AbortOnRefusal(const std::string& context) const
{
    if (controller)
    {
        controller->TraceConnectWithoutContext("Decision",
                                               MakeBoundCallback(&AbortIfRefused, context));
    }
}

uint64_t
OpusControlPlane::GetMessages() const
{
    uint64_t messages = 0;
    for (const Ptr<OpusControllerApp>& one : {controller, standby})
    {
        messages += one ? one->GetChannelCounters().sent : 0;
    }
    for (const Ptr<OpusShimApp>& shim : shims)
    {
        messages += shim->GetChannelCounters().sent;
    }
    for (const Ptr<OcsAgent>& agent : agents)
    {
        messages += agent->GetChannelCounters().sent;
    }
    return messages;
}

OpusTimes
OpusControlPlane::GetTimes(JobId job) const
{
    OpusTimes times;
    uint64_t ranks = 0;
    for (const Ptr<OpusShimApp>& shim : shims)
    {
        if (shim->GetJob() != job)
        {
            continue;
        }
        const ShimCounters& counters = shim->GetCore().GetCounters();
        Picoseconds exposed = 0;
        for (const auto& [parallelism, sums] : counters.parallelisms)
        {
            exposed += sums.exposed;
            times.hidden += sums.hidden;
        }
        ranks += shim->GetRanks();
        times.exposed += exposed;
        times.exposedMost =
            std::max(times.exposedMost, exposed / std::max<Picoseconds>(1, shim->GetRanks()));
        times.wrongPredictions += counters.wrongPredictions;
        times.requests += counters.requests;
        times.covered += counters.covered;
    }
    times.exposed /= std::max<uint64_t>(1, ranks);
    times.hidden /= std::max<uint64_t>(1, ranks);
    return times;
}

int64_t
OpusControlPlane::AssignStreams(int64_t stream) const
{
    return controller ? network.AssignStreams(stream) : 0;
}

} // namespace ns3
