/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-control-plane.h"

#include "ns3/abort.h"
#include "ns3/circuit-policy.h"
#include "ns3/controller-core.h"
#include "ns3/controller-note.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-core.h"
#include "ns3/shim-statistics.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusControlPlane");

namespace
{

/** @return the mean of a number of times, whole time steps; of none: the sum */
Time
GetMean(Time sum, uint64_t times)
{
    return ToTime(sum.GetTimeStep() / static_cast<int64_t>(std::max<uint64_t>(1, times)));
}

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
    NS_LOG_FUNCTION(demand.job);
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
    NS_LOG_FUNCTION(context);
    if (controller)
    {
        controller->TraceConnectWithoutContext("Decision",
                                               MakeBoundCallback(&AbortIfRefused, context));
    }
}

std::vector<Ptr<OpusEndpoint>>
OpusControlPlane::GetEndpoints() const
{
    std::vector<Ptr<OpusEndpoint>> endpoints(shims.begin(), shims.end());
    endpoints.insert(endpoints.end(), agents.begin(), agents.end());
    for (const Ptr<OpusControllerApp>& one : {controller, standby})
    {
        if (one)
        {
            endpoints.push_back(one);
        }
    }
    return endpoints;
}

uint64_t
OpusControlPlane::GetMessages() const
{
    uint64_t messages = 0;
    for (const Ptr<OpusEndpoint>& endpoint : GetEndpoints())
    {
        messages += endpoint->GetChannelCounters().sent;
    }
    return messages;
}

uint64_t
OpusControlPlane::GetMessagesBefore() const
{
    uint64_t messages = 0;
    for (const Ptr<OpusEndpoint>& endpoint : GetEndpoints())
    {
        messages += endpoint->GetSentBefore();
    }
    return messages;
}

OpusTimes
OpusControlPlane::GetSums(const OpusShimApp& shim)
{
    const ShimCounters& counters = shim.GetCore().GetCounters();
    OpusTimes sums;
    for (const auto& [parallelism, its] : counters.parallelisms)
    {
        sums.hidden += its.hidden;
        sums.hiddenLinkUp += its.hiddenLinkUp;
    }
    sums.exposed = shim.GetCore().GetExposed();
    sums.exposedLinkUp = shim.GetCore().GetExposedLinkUp();
    sums.wrongPredictions = counters.wrongPredictions;
    sums.requests = counters.requests;
    sums.covered = counters.covered;
    return sums;
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
        const OpusTimes sums = GetSums(*shim);
        ranks += shim->GetRanks();
        times.exposed += sums.exposed;
        times.exposedLinkUp += sums.exposedLinkUp;
        times.exposedMost = std::max(times.exposedMost, GetMean(sums.exposed, shim->GetRanks()));
        times.hidden += sums.hidden;
        times.hiddenLinkUp += sums.hiddenLinkUp;
        times.wrongPredictions += sums.wrongPredictions;
        times.requests += sums.requests;
        times.covered += sums.covered;
    }
    times.exposed = GetMean(times.exposed, ranks);
    times.exposedLinkUp = GetMean(times.exposedLinkUp, ranks);
    times.hidden = GetMean(times.hidden, ranks);
    times.hiddenLinkUp = GetMean(times.hiddenLinkUp, ranks);
    return times;
}

int64_t
OpusControlPlane::AssignStreams(int64_t stream) const
{
    if (!controller)
    {
        return 0;
    }
    int64_t next = stream + network.AssignStreams(stream);
    for (const Ptr<OpusControllerApp>& one : {controller, standby})
    {
        next += one ? one->AssignStreams(next) : 0;
    }
    for (const Ptr<OpusShimApp>& shim : shims)
    {
        next += shim->AssignStreams(next);
    }
    for (const Ptr<OcsAgent>& agent : agents)
    {
        next += agent->AssignStreams(next);
    }
    return next - stream;
}

} // namespace ns3
