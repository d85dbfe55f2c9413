/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "call-pattern.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

void
CallPattern::BeginIteration()
{
    ++m_iteration;
}

void
CallPattern::Called(const CircuitRequest& request, Picoseconds now)
{
    if (m_iteration != 1 || request.stage != 0)
    {
        return;
    }
    if (m_runs.empty() || m_runs.back().group != request.group)
    {
        m_runs.push_back({request.group, 0, now, now});
    }
    ++m_runs.back().operations;
    const Key key{request.group.Get(), request.pointToPoint};
    m_firsts.emplace(key, request.operation);
    m_runsOf[key].push_back(m_runs.size() - 1);
}

void
CallPattern::Ended(const CircuitRequest& request, Picoseconds now)
{
    for (auto run = m_runs.rbegin(); m_iteration == 1 && run != m_runs.rend(); ++run)
    {
        if (run->group == request.group)
        {
            run->end = std::max(run->end, now);
            return;
        }
    }
}

void
CallPattern::Complete(const CostQuestion& question, PathCosts& costs) const
{
    const Key key{question.group.Get(), question.pointToPoint};
    const auto runs = m_runsOf.find(key);
    if (m_iteration < 2 || runs == m_runsOf.end())
    {
        return;
    }
    // the same number in the iteration, which has as many operations of the group as the first
    const uint64_t first = m_firsts.at(key);
    if (question.operation < first)
    {
        return;
    }
    const std::size_t number = (question.operation - first) % runs->second.size();
    const std::size_t place = runs->second[number];
    const Run& run = m_runs[place];
    const Run& before = m_runs[(place + m_runs.size() - 1) % m_runs.size()];
    const Run& after = m_runs[(place + 1) % m_runs.size()];
    const bool alone = m_runs.size() == 1;
    costs.operations = run.operations;
    costs.reconfigurationsBack = alone ? 0 : 1;
    if (place > 0)
    {
        costs.window = ToTime(std::max<Picoseconds>(0, run.start - before.end));
    }
    if (place + 1 < m_runs.size())
    {
        costs.windowAfter = ToTime(std::max<Picoseconds>(0, after.start - run.end));
    }
}

} // namespace ns3
