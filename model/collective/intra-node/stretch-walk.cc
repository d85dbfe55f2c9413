/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "stretch-walk.h"

#include <algorithm>
#include <utility>

namespace ns3
{

StretchWalk::StretchWalk(const IntraNodeRun& run,
                         const StretchSteps& steps,
                         const Plans& plans,
                         std::shared_ptr<const IntraNodeRanks> ranks,
                         std::size_t first,
                         const std::vector<Picoseconds>& calls)
    : m_run(run),
      m_steps(steps),
      m_plans(plans),
      m_ranks(std::move(ranks)),
      m_first(first),
      m_operation(steps.size() - first)
{
    for (const Picoseconds call : calls)
    {
        m_walkers.push_back({first, call, false});
    }
    m_part.spans.resize(calls.size());
    m_part.waited.resize(calls.size());
}

StretchPart
StretchWalk::Go()
{
    do
    {
        const Picoseconds call = FindCall();
        if (!GoUntilEnds(call))
        {
            m_run.Advance(call);
            Call(call);
        }
        TakeEnds();
    } while (!IsOver());
    m_part.steps = m_walkers.front().step - m_first;
    for (const MemberId member : m_ranks->members)
    {
        m_part.busy.push_back(m_run.GetBusy(member));
    }
    return std::move(m_part);
}

bool
StretchWalk::IsOver() const
{
    const std::size_t step = m_walkers.front().step;
    if (!std::all_of(m_walkers.begin(), m_walkers.end(), [&](const Walker& one) {
            return one.step == step && !one.waits &&
                   (step == m_steps.size() || one.call >= m_part.last);
        }))
    {
        return false;
    }
    // all that was called is over everywhere: its messages are delivered, and ports are as they
    // stay
    const Picoseconds call = step == m_steps.size() ? NEVER : FindCall();
    return call == NEVER ||
           std::all_of(m_ranks->members.begin(), m_ranks->members.end(), [&](MemberId member) {
               const ScaleUpBusy busy = m_run.GetBusy(member);
               const ScaleUpClock::Fraction from = m_run.GetClock().FromPicoseconds(call);
               return busy.out <= from && busy.in <= from;
           });
}

Picoseconds
StretchWalk::FindCall() const
{
    Picoseconds call = NEVER;
    for (const Walker& one : m_walkers)
    {
        call = one.waits || one.step == m_steps.size() ? call : std::min(call, one.call);
    }
    return call;
}

bool
StretchWalk::GoUntilEnds(Picoseconds call)
{
    while (m_run.CountEnds() == m_ends && m_run.GoOn(call))
    {
    }
    return m_run.CountEnds() != m_ends;
}

void
StretchWalk::TakeEnds()
{
    if (m_run.CountEnds() == m_ends)
    {
        return;
    }
    m_ends = m_run.CountEnds();
    for (uint32_t place = 0; place < m_walkers.size(); ++place)
    {
        const Walker& one = m_walkers[place];
        if (!one.waits)
        {
            continue;
        }
        const Picoseconds end = m_run.GetEnd(*m_operation[one.step - m_first], place);
        if (end != NEVER)
        {
            GoOn(place, end); // it is not before the present instant, so neither is the next call
        }
    }
}

void
StretchWalk::GoOn(uint32_t place, Picoseconds end)
{
    Walker& one = m_walkers[place];
    std::vector<StretchPart::Span>& spans = m_part.spans[place];
    spans.push_back({one.call, end});
    m_part.last = std::max(m_part.last, end);
    one.waits = false;
    one.call = end;
    for (++one.step; one.step < m_steps.size() && !m_steps[one.step].IsCollective(); ++one.step)
    {
        spans.push_back({one.call, one.call + m_steps[one.step].duration});
        one.call = spans.back().end;
    }
}

void
StretchWalk::Call(Picoseconds at)
{
    for (uint32_t place = 0; place < m_walkers.size(); ++place)
    {
        Walker& one = m_walkers[place];
        if (one.waits || one.call != at || one.step == m_steps.size())
        {
            continue;
        }
        std::optional<uint32_t>& operation = m_operation[one.step - m_first];
        if (!operation)
        {
            operation = m_run.Add(m_plans[one.step], m_ranks);
        }
        m_run.Call(*operation, place, at);
        one.waits = true;
        m_part.waited[place] = std::max(m_part.waited[place], m_run.GetEarly(*operation, place));
    }
}

} // namespace ns3
