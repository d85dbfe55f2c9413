/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-call.h"

namespace ns3
{

ShimCall::Place
GetPlace(const CircuitRequest& request)
{
    return {request.operation, request.stage};
}

ShimCall::Place
GetPlace(const OpusPhase& phase)
{
    return {phase.operation, phase.stage};
}

OpusPhase
GetPhase(JobId job, const CircuitRequest& request)
{
    OpusPhase phase;
    phase.job = job;
    phase.group = request.group;
    phase.pointToPoint = request.pointToPoint;
    phase.from = request.pointToPoint ? request.from : RankId(0);
    phase.to = request.pointToPoint ? request.to : RankId(0);
    phase.operation = request.operation;
    phase.stage = request.stage;
    return phase;
}

} // namespace ns3
