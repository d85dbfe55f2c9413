/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-reference-run.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace ns3
{

TrainingReferenceRun::TrainingReferenceRun(const TrainingJob& job)
    : m_groups(job.GetGroups().GetGroups())
{
    for (uint32_t rank = 0; rank < job.GetLayout().GetRanks(); ++rank)
    {
        AddRank(job.GetProgram(rank), job.GetGroups().GetGroupsOf(rank));
    }
}

TrainingReferenceRun::TrainingReferenceRun(std::vector<JobGroup> groups)
    : m_groups(std::move(groups))
{
}

void
TrainingReferenceRun::AddRank(const Program& program, const std::vector<uint32_t>& groups)
{
    Rank rank;
    rank.program = program;
    rank.groups = groups;
    auto& order = m_orders[program.get()];
    order = order ? order : std::make_shared<const Order>(MakeOrder(*program));
    rank.order = order;
    rank.waits = order->waits;
    m_ranks.push_back(std::move(rank));
}

TrainingReferenceRun::Order
TrainingReferenceRun::MakeOrder(const RankProgram& program)
{
    const auto& operations = program.GetOperations();
    Order order;
    order.waits.resize(operations.size());
    order.next.resize(operations.size());
    std::map<uint32_t, uint32_t> onStream;
    std::map<std::tuple<uint32_t, RankOperation::Kind, uint32_t>, uint32_t> ofFlow;
    for (uint32_t o = 0; o < operations.size(); ++o)
    {
        const RankOperation& operation = operations[o];
        std::vector<uint32_t> before = operation.after;
        if (const auto last = onStream.find(operation.stream); last != onStream.end())
        {
            before.push_back(last->second);
        }
        onStream[operation.stream] = o;
        if (operation.IsExchange())
        {
            const bool all = operation.kind == RankOperation::Kind::COLLECTIVE;
            const auto name =
                std::make_tuple(operation.group, operation.kind, all ? 0 : operation.place);
            if (const auto last = ofFlow.find(name); last != ofFlow.end())
            {
                before.push_back(last->second);
            }
            ofFlow[name] = o;
        }
        order.waits[o] = before.size();
        for (const uint32_t earlier : before)
        {
            order.next[earlier].push_back(o);
        }
    }
    return order;
}

TrainingReferenceRun::FlowKey
TrainingReferenceRun::NameOf(const ReferenceExchange& exchange)
{
    return {exchange.group, exchange.message, exchange.from, exchange.to};
}

ReferenceExchange
TrainingReferenceRun::ExchangeOf(uint32_t rank, const RankOperation& operation) const
{
    ReferenceExchange exchange;
    exchange.group = m_ranks[rank].groups.at(operation.group);
    exchange.bytes = operation.bytes;
    if (operation.kind == RankOperation::Kind::COLLECTIVE)
    {
        exchange.kind = operation.collective;
        return exchange;
    }
    const auto& ranks = m_groups.at(exchange.group).ranks;
    const uint32_t own = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
    const bool sends = operation.kind == RankOperation::Kind::SEND;
    exchange.message = true;
    exchange.from = sends ? own : operation.place;
    exchange.to = sends ? operation.place : own;
    return exchange;
}

std::string
TrainingReferenceRun::Run()
{
    std::size_t left = 0;
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        left += m_ranks[rank].waits.size();
        for (uint32_t o = 0; o < m_ranks[rank].waits.size(); ++o)
        {
            if (m_ranks[rank].order->waits[o] == 0)
            {
                Call(rank, o);
            }
        }
    }
    for (; !m_pending.empty() && m_error.empty();)
    {
        const End end = m_pending.top();
        m_pending.pop();
        m_now = end.at;
        if (end.meeting)
        {
            left -= end.meeting->callers.size();
            EndMeeting(*end.meeting);
        }
        else
        {
            --left;
            Settle(end.rank, end.operation);
        }
    }
    m_ends.push_back(m_now);
    m_ends.erase(m_ends.begin()); // the first begins at once
    return m_error.empty() && left > 0 ? DescribeDeadlock() : m_error;
}

void
TrainingReferenceRun::Call(uint32_t rank, uint32_t operation)
{
    Rank& who = m_ranks[rank];
    const RankOperation& what = who.program->GetOperations()[operation];
    if (what.IsExchange())
    {
        Join(rank, operation);
        return;
    }
    if (what.kind == RankOperation::Kind::ITERATION)
    {
        m_ends.resize(std::max<std::size_t>(m_ends.size(), ++who.iterations));
        m_ends[who.iterations - 1] = m_now; // times grow: in the end it is the last rank's
    }
    who.busy += what.duration.GetTimeStep();
    m_pending.push({m_now + what.duration.GetTimeStep(), m_begun++, nullptr, rank, operation});
}

void
TrainingReferenceRun::Join(uint32_t rank, uint32_t operation)
{
    const ReferenceExchange exchange =
        ExchangeOf(rank, m_ranks[rank].program->GetOperations()[operation]);
    Meeting& meeting = m_meetings[NameOf(exchange)];
    if (meeting.callers.empty())
    {
        const auto& ranks = m_groups.at(exchange.group).ranks;
        meeting.exchange = exchange;
        meeting.ranks = exchange.message
                            ? std::vector<uint32_t>{ranks.at(exchange.from), ranks.at(exchange.to)}
                            : ranks;
    }
    if (meeting.exchange.kind != exchange.kind || meeting.exchange.bytes != exchange.bytes)
    {
        std::ostringstream error;
        error << "in " << m_groups[exchange.group].name << " rank " << rank << " calls "
              << ToString(exchange.kind) << " of " << exchange.bytes << " bytes, rank "
              << meeting.callers.front().first << " " << ToString(meeting.exchange.kind) << " of "
              << meeting.exchange.bytes;
        m_error = error.str();
        return;
    }
    meeting.callers.emplace_back(rank, operation);
    if (meeting.callers.size() < meeting.ranks.size())
    {
        return;
    }
    if (!m_strict || m_groups[exchange.group].inScaleUp)
    {
        Begin(meeting);
        return;
    }
    m_complete.push_back(&meeting);
    Grant();
}

void
TrainingReferenceRun::Begin(Meeting& meeting)
{
    const Picoseconds duration = m_duration ? m_duration(meeting.exchange) : 0;
    for (const auto& [rank, operation] : meeting.callers)
    {
        m_ranks[rank].exchanges.push_back({operation, m_now, m_now + duration});
        if (!m_groups[meeting.exchange.group].inScaleUp)
        {
            ++m_ranks[rank].serving;
            m_ranks[rank].parallelism = ParallelismNameOf(m_groups[meeting.exchange.group].name);
        }
    }
    m_pending.push({m_now + duration, m_begun++, &meeting, 0, 0});
}

bool
TrainingReferenceRun::IsInTheWay(const Meeting& meeting) const
{
    const std::string parallelism = ParallelismNameOf(m_groups[meeting.exchange.group].name);
    return std::any_of(meeting.ranks.begin(), meeting.ranks.end(), [&](uint32_t rank) {
        return m_ranks[rank].serving > 0 && m_ranks[rank].parallelism != parallelism;
    });
}

void
TrainingReferenceRun::Grant()
{
    std::vector<Meeting*> waiting;
    std::vector<bool> claimed(m_ranks.size());
    for (Meeting* meeting : m_complete)
    {
        const bool later = std::any_of(meeting->ranks.begin(),
                                       meeting->ranks.end(),
                                       [&](uint32_t rank) { return claimed[rank]; });
        if (!later && !IsInTheWay(*meeting))
        {
            Begin(*meeting);
            continue;
        }
        waiting.push_back(meeting);
        for (const uint32_t rank : meeting->ranks)
        {
            claimed[rank] = true;
        }
    }
    m_complete = std::move(waiting);
}

void
TrainingReferenceRun::EndMeeting(Meeting& meeting)
{
    const auto callers = std::move(meeting.callers);
    meeting.callers.clear();
    const bool onRails = !m_groups[meeting.exchange.group].inScaleUp;
    for (const auto& [rank, operation] : callers)
    {
        m_ranks[rank].serving -= onRails ? 1 : 0;
    }
    if (m_strict)
    {
        Grant();
    }
    for (const auto& [rank, operation] : callers)
    {
        Settle(rank, operation);
    }
}

void
TrainingReferenceRun::Settle(uint32_t rank, uint32_t operation)
{
    for (const uint32_t next : m_ranks[rank].order->next[operation])
    {
        if (--m_ranks[rank].waits[next] == 0)
        {
            Call(rank, next);
        }
    }
}

std::string
TrainingReferenceRun::DescribeDeadlock() const
{
    std::ostringstream report;
    report << "deadlock at " << m_now << " ps";
    for (const auto& [name, meeting] : m_meetings)
    {
        for (const auto& [rank, operation] : meeting.callers)
        {
            report << "\n  rank " << rank << " in operation " << operation << " ("
                   << m_groups[meeting.exchange.group].name << ", "
                   << m_ranks[rank].program->GetOperations()[operation].label << ") waits for";
            for (const uint32_t other : meeting.ranks)
            {
                const bool called =
                    std::any_of(meeting.callers.begin(),
                                meeting.callers.end(),
                                [&](const auto& one) { return one.first == other; });
                report << (called ? "" : " " + std::to_string(other));
            }
        }
    }
    return report.str();
}

} // namespace ns3
