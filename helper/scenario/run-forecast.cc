/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-forecast.h"

#include "progress-line.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double ENOUGH = 0.05; //!< progress of a run that shows its speed

} // namespace

RunForecast::RunForecast(const std::vector<double>& weights, uint32_t processes)
    : m_weights(weights),
      m_processes(processes)
{
}

std::optional<RunForecast::Estimate>
RunForecast::GetEstimate(const std::vector<SideBySide::Outcome>& outcomes) const
{
    double weight = 0;
    double whole = 0; // seconds that runs of that weight take
    double done = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
    {
        done += outcomes[i].seconds;
        if (outcomes[i].share >= ENOUGH)
        {
            weight += m_weights[i];
            whole += outcomes[i].seconds / outcomes[i].share;
        }
    }
    double left = 0;
    double longest = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
    {
        const SideBySide::Outcome& one = outcomes[i];
        const double all = one.share >= ENOUGH ? one.seconds / one.share
                                               : m_weights[i] * whole / std::max(1e-12, weight);
        const double rest = one.isOver ? 0 : std::max(0.0, all - one.seconds);
        left += rest;
        longest = std::max(longest, rest);
    }
    if (weight <= 0)
    {
        return std::nullopt;
    }
    return Estimate{done / (done + left), std::max(longest, left / m_processes)};
}

std::string
RunForecast::Describe(const std::vector<SideBySide::Outcome>& outcomes)
{
    std::ostringstream line;
    std::size_t over = 0;
    for (const SideBySide::Outcome& one : outcomes)
    {
        over += one.isOver ? 1 : 0;
        if (!one.isOver && one.share > 0)
        {
            line << ", " << one.name << " " << std::lround(100 * one.share) << " %";
        }
    }
    return std::to_string(over) + " of " + std::to_string(outcomes.size()) + " runs" + line.str();
}

void
RunForecast::Report(const std::vector<SideBySide::Outcome>& outcomes) const
{
    if (const std::optional<Estimate> estimate = GetEstimate(outcomes))
    {
        ProgressLine::SetShare(estimate->share, estimate->secondsLeft);
    }
    ProgressLine::ShowAction(Describe(outcomes));
}

} // namespace ns3
