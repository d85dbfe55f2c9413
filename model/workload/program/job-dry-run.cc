/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-dry-run.h"

#include <algorithm>

namespace ns3
{

JobDryRun::JobDryRun(const JobPrograms& job, bool sendsWait)
    : m_sendsWait(sendsWait)
{
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        Add(job, rank);
    }
    const std::size_t all = m_steps.size();
    for (uint32_t step = 0; step < all; ++step)
    {
        Release(step, 0); // an extra dependency until all steps exist
    }
    while (!m_over.empty())
    {
        const uint32_t step = m_over.back();
        m_over.pop_back();
        --m_left;
        for (const uint32_t later : m_steps[step].before)
        {
            Release(later, m_steps[step].end);
        }
    }
}

void
JobDryRun::Add(const JobPrograms& job, uint32_t rank)
{
    const uint32_t first = m_steps.size();
    m_firstOf.push_back(first);
    const JobPrograms::Rank& its = job.ranks[rank];
    std::map<uint32_t, uint32_t> lastOf; // by stream
    std::map<std::vector<uint32_t>, uint32_t> calls;
    for (const RankOperation& one : its.program->GetOperations())
    {
        const uint32_t step = m_steps.size();
        m_steps.emplace_back().duration = one.duration.GetTimeStep();
        ++m_left;
        const auto last = lastOf.find(one.stream);
        if (last != lastOf.end())
        {
            Order(last->second, step);
        }
        lastOf[one.stream] = step;
        for (const uint32_t earlier : one.after)
        {
            Order(first + earlier, step);
        }
        if (one.IsExchange())
        {
            const uint32_t group = its.groups[one.group];
            const std::vector<uint32_t>& ranks = job.groups[group].ranks;
            const bool isSend = one.kind == RankOperation::Kind::SEND;
            std::vector<uint32_t> key{group}; // and the sending and receiving ranks
            if (one.kind != RankOperation::Kind::COLLECTIVE)
            {
                key.push_back(isSend ? rank : ranks[one.place]);
                key.push_back(isSend ? ranks[one.place] : rank);
            }
            const uint32_t members = key.size() == 1 ? ranks.size() : 2;
            key.push_back(calls[key]++);
            uint32_t& number = m_numbers[key];
            if (number == 0)
            {
                m_meetings.push_back({members, 0, {}});
                number = m_meetings.size();
            }
            m_steps[step].meeting = number;
            m_steps[step].goesOn = isSend && !m_sendsWait;
        }
    }
}

void
JobDryRun::Order(uint32_t earlier, uint32_t later)
{
    m_steps[earlier].before.push_back(later);
    ++m_steps[later].waitsFor;
}

void
JobDryRun::End(uint32_t step, Picoseconds when)
{
    m_steps[step].end = when;
    m_over.push_back(step);
}

void
JobDryRun::Release(uint32_t step, Picoseconds when)
{
    Step& its = m_steps[step];
    its.begin = std::max(its.begin, when);
    if (--its.waitsFor > 0)
    {
        return;
    }
    if (its.goesOn || its.meeting == 0)
    {
        End(step, its.begin + its.duration);
    }
    if (its.meeting == 0)
    {
        return;
    }
    Meeting& meeting = m_meetings[its.meeting - 1];
    meeting.begin = std::max(meeting.begin, its.begin);
    if (!its.goesOn)
    {
        meeting.waiting.push_back(step);
    }
    if (--meeting.missing == 0)
    {
        for (const uint32_t waiting : meeting.waiting)
        {
            End(waiting, meeting.begin);
        }
    }
}

} // namespace ns3
