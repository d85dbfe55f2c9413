/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-stretch.h"

#include "stretch-walk.h"

#include <algorithm>
#include <utility>

namespace ns3
{

IntraNodeStretch::IntraNodeStretch(const StretchEntry& first,
                                   std::shared_ptr<const IntraNodeRanks> ranks,
                                   Ptr<const ScaleUpDomain> domain,
                                   Ptr<IntraNodeMemory> memory)
    : m_steps(first.steps),
      m_number(first.number),
      m_group(first.group),
      m_ranks(std::move(ranks)),
      m_domain(std::move(domain)),
      m_memory(std::move(memory)),
      m_parties(m_ranks->ranks.size())
{
    FindPlans();
}

bool
IntraNodeStretch::Fits(const StretchEntry& entry) const
{
    return entry.group->GetId() == m_ranks->group && entry.number == m_number &&
           m_parties[entry.place].library == nullptr &&
           (entry.steps == m_steps || *entry.steps == *m_steps);
}

void
IntraNodeStretch::Enter(const StretchEntry& entry, Picoseconds at)
{
    Party& party = m_parties[entry.place];
    party.library = entry.library;
    party.times.reserve(m_steps->size());
    for (const StretchStep& step : *m_steps)
    {
        StretchTime time;
        time.start = at;
        if (step.IsCollective())
        {
            party.times.push_back(time);
            break;
        }
        at += step.duration;
        time.end = at;
        party.times.push_back(time);
    }
    ++m_entered;
}

bool
IntraNodeStretch::WorkOut()
{
    Course course;
    course.times.resize(m_parties.size());
    for (std::size_t place = 0; place < m_parties.size(); ++place)
    {
        course.now.push_back(m_parties[place].times.front().start);
        course.times[place].reserve(m_steps->size());
    }
    while (course.step < m_steps->size())
    {
        if (!m_plans[course.step])
        {
            Compute(course);
            continue;
        }
        const Picoseconds from = *std::min_element(course.now.begin(), course.now.end());
        if (m_worked.empty() && !AreIdle(from))
        {
            return false;
        }
        std::vector<Picoseconds> calls;
        for (const Picoseconds at : course.now)
        {
            calls.push_back(at - from);
        }
        m_worked.push_back({course.step, from, FindPart(course.step, calls)});
        GoThrough(m_worked.back(), course);
    }
    for (std::size_t place = 0; place < m_parties.size(); ++place)
    {
        m_parties[place].times = std::move(course.times[place]);
    }
    m_isWorkedOut = true;
    return true;
}

void
IntraNodeStretch::FindPlans()
{
    for (const StretchStep& step : *m_steps)
    {
        m_plans.push_back(step.IsCollective() ? m_memory->GetPlan(step.choice->schedule,
                                                                  step.bytes,
                                                                  step.messageSize,
                                                                  step.choice->protocol)
                                              : nullptr);
    }
}

bool
IntraNodeStretch::NeedsAll() const
{
    return std::all_of(m_plans.begin(), m_plans.end(), [](const auto& plan) {
        return !plan || (plan->NeedsAll() && !plan->IsSpecial());
    });
}

bool
IntraNodeStretch::AreIdle(Picoseconds from) const
{
    const ScaleUpClock::Fraction since = m_domain->GetClock().FromPicoseconds(from);
    return std::all_of(m_ranks->members.begin(), m_ranks->members.end(), [&](MemberId member) {
        const ScaleUpBusy busy = m_domain->GetBusy(member);
        return busy.out <= since && busy.in <= since;
    });
}

void
IntraNodeStretch::Compute(Course& course) const
{
    const Picoseconds duration = (*m_steps)[course.step].duration;
    for (std::size_t place = 0; place < m_parties.size(); ++place)
    {
        Picoseconds& now = course.now[place];
        course.times[place].push_back({now, now + duration, {}});
        now += duration;
    }
    ++course.step;
}

void
IntraNodeStretch::GoThrough(const Worked& worked, Course& course) const
{
    const StretchPart& part = *worked.part;
    for (std::size_t place = 0; place < m_parties.size(); ++place)
    {
        for (std::size_t s = 0; s < part.steps; ++s)
        {
            const StretchPart::Span& span = part.spans[place][s];
            StretchTime time{worked.from + span.start, worked.from + span.end, {}};
            if (const auto& plan = m_plans[course.step + s])
            {
                const IntraNodePlan::Place& its = plan->GetPlaces()[place];
                time.totals = {its.messagesOut, its.dataOut, its.messagesIn, its.dataIn};
            }
            course.times[place].push_back(time);
        }
        course.now[place] = course.times[place].back().end;
    }
    course.step += part.steps;
}

std::shared_ptr<const StretchPart>
IntraNodeStretch::FindPart(std::size_t first, const std::vector<Picoseconds>& calls) const
{
    IntraNodeMemory::Key key{reinterpret_cast<intptr_t>(m_steps.get()),
                             static_cast<int64_t>(first),
                             static_cast<int64_t>(m_domain->GetClock().GetRate()),
                             m_domain->GetLatency().GetTimeStep()};
    key.insert(key.end(), m_ranks->distances.begin(), m_ranks->distances.end());
    key.insert(key.end(), calls.begin(), calls.end());
    if (auto known = m_memory->GetParts().Find(key))
    {
        return known;
    }
    const IntraNodeRun run(m_domain->GetClock(),
                           m_domain->GetLatency().GetTimeStep(),
                           m_domain->GetMembers());
    const auto part = std::make_shared<StretchPart>(
        StretchWalk(run, *m_steps, m_plans, m_ranks, first, calls).Go());
    part->of = m_steps; // whose address is in the key
    m_memory->GetParts().Add(key, part);
    return part;
}

Picoseconds
IntraNodeStretch::GetLastEnd() const
{
    Picoseconds last = m_isWorkedOut ? 0 : NEVER;
    for (const Party& party : m_parties)
    {
        last = std::max(last, m_isWorkedOut ? party.times.back().end : NEVER);
    }
    return last;
}

std::size_t
IntraNodeStretch::GetStep(const Party& party, Picoseconds at) const
{
    if (party.isOver)
    {
        return m_steps->size();
    }
    std::size_t step = 0;
    while (step < party.times.size() && party.times[step].end < at)
    {
        ++step;
    }
    return step;
}

std::size_t
IntraNodeStretch::CountShared(Picoseconds at) const
{
    std::size_t shared = 0;
    for (const Worked& one : m_worked)
    {
        const bool isOver = m_isWorkedOut && one.from + one.part->last < at;
        shared = isOver ? one.first + one.part->steps : shared;
    }
    return shared;
}

ScaleUpCount
IntraNodeStretch::GetCount(std::size_t place, std::size_t steps) const
{
    ScaleUpCount count;
    for (std::size_t s = 0; s < steps; ++s)
    {
        if (m_plans[s])
        {
            const IntraNodePlan::Place& its = m_plans[s]->GetPlaces()[place];
            count += {its.messagesOut, its.bytesOut, its.messagesIn, its.bytesIn};
        }
    }
    return count;
}

void
IntraNodeStretch::SetBusy(ScaleUpDomain& domain, std::size_t steps) const
{
    const Worked* before = nullptr;
    for (const Worked& one : m_worked)
    {
        before = one.first < steps ? &one : before;
    }
    for (std::size_t place = 0; before != nullptr && place < m_parties.size(); ++place)
    {
        const ScaleUpClock::Fraction since = domain.GetClock().FromPicoseconds(before->from);
        const ScaleUpBusy& busy = before->part->busy[place];
        domain.SetBusy(m_ranks->members[place], {busy.out + since, busy.in + since});
    }
}

uint64_t
IntraNodeStretch::GetEarly(std::size_t place, std::size_t steps) const
{
    uint64_t most = 0;
    for (const Worked& one : m_worked)
    {
        most = one.first < steps ? std::max(most, one.part->waited[place]) : most;
    }
    return most;
}

uint64_t
IntraNodeStretch::GetNumber(std::size_t step) const
{
    const auto isCollective = [](const StretchStep& one) { return one.IsCollective(); };
    return m_number + std::count_if(m_steps->begin(), m_steps->begin() + step, isCollective);
}

} // namespace ns3
