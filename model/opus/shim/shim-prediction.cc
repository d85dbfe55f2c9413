/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-prediction.h"

namespace ns3
{

ShimPrediction::ShimPrediction(RankId rank, const ShimSettings& settings, const ShimGroups& groups)
    : m_rank(rank),
      m_settings(settings),
      m_groups(groups),
      m_profile(rank, settings.profileIterations, settings.ports)
{
}

bool
ShimPrediction::BeginIteration()
{
    return m_settings.mode != ShimMode::CO_SCHEDULED && m_profile.BeginIteration();
}

bool
ShimPrediction::End()
{
    return m_profile.End();
}

bool
ShimPrediction::Foresee(ShimCall& call)
{
    const CircuitRequest& request = call.request;
    call.until = request.operation;
    if (m_settings.mode == ShimMode::CO_SCHEDULED)
    {
        return true;
    }
    const CallForecast forecast = m_profile.Called({GetPhase(m_settings.job, request),
                                                    request.stages,
                                                    request.pairs,
                                                    m_groups.GetParallelism(request),
                                                    request.bytes});
    call.until = forecast.until;
    call.run = forecast.run;
    return !forecast.misprediction;
}

void
ShimPrediction::ForeseeAgain(ShimCall& call) const
{
    if (!m_profile.IsPredicting())
    {
        call.until = call.request.operation;
        call.run = 0;
    }
}

std::vector<ShimCall>
ShimPrediction::GetFirst(Picoseconds now) const
{
    return MakeCalls(m_profile.ForeseeFirst(), now);
}

std::vector<ShimCall>
ShimPrediction::Finish(const OpusPhase& phase, Picoseconds now)
{
    return MakeCalls(m_profile.Finish(phase), now);
}

std::vector<ShimCall>
ShimPrediction::MakeCalls(const std::vector<ForeseenCall>& foreseen, Picoseconds now) const
{
    std::vector<ShimCall> calls;
    if (m_settings.mode != ShimMode::PROVISIONED)
    {
        return calls;
    }
    for (const ForeseenCall& one : foreseen)
    {
        const OpusPhase& phase = one.call.phase;
        ShimCall call;
        call.request.rank = m_rank;
        call.request.group = phase.group;
        call.request.operation = phase.operation;
        call.request.pointToPoint = phase.pointToPoint;
        call.request.from = phase.from;
        call.request.to = phase.to;
        call.request.stage = phase.stage;
        call.request.stages = one.call.stages;
        call.request.bytes = one.call.bytes;
        call.request.pairs = one.call.pairs;
        call.requested = now;
        call.until = one.until;
        call.run = one.run;
        calls.push_back(call);
    }
    return calls;
}

uint32_t
ShimPrediction::GetLinks(const OpusPhase& phase) const
{
    return phase.pointToPoint ? m_profile.GetLinks(phase.group) : 0;
}

std::string
ShimPrediction::Describe() const
{
    return m_profile.Describe();
}

} // namespace ns3
