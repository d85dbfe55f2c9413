/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_REFERENCE_RUN_H
#define PHOTONIC_RAILS_TRAINING_REFERENCE_RUN_H

#include "ns3/training-job.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** What ranks do together: a collective, or a message from one to another. */
struct ReferenceExchange
{
    uint32_t group{0};   //!< of all groups of the job
    bool message{false}; //!< a send with its receive
    uint32_t from{0};    //!< of a message: place in the group
    uint32_t to{0};      //!< of a message: place in the group
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0};
};

/** An operation of a rank with others: when it went on. */
struct ReferenceCall
{
    uint32_t operation{0}; //!< its number in the rank's program
    Picoseconds begin{0};
    Picoseconds end{0};
};

/**
 * Runs the programs of all ranks of a job, with no network: what takes how long is a function.
 *
 * Operations begin as RankProgram says: after the one before them on the stream, and after those
 * that they name. Besides, collectives of a group go one after another in the order of the program,
 * and so do messages from one rank of a group to another. A collective goes on when all ranks of
 * the group have called it, a message when both have. Nothing is shared with the code that runs
 * programs in simulations.
 */
class TrainingReferenceRun
{
  public:
    using Program = std::shared_ptr<const RankProgram>;

    /** @param job whose programs are run */
    explicit TrainingReferenceRun(const TrainingJob& job)
        : m_groups(job.GetGroups().GetGroups())
    {
        for (uint32_t rank = 0; rank < job.GetLayout().GetRanks(); ++rank)
        {
            AddRank(job.GetProgram(rank), job.GetGroups().GetGroupsOf(rank));
        }
    }

    /** @param groups of ranks that AddRank() gives programs */
    explicit TrainingReferenceRun(std::vector<JobGroup> groups)
        : m_groups(std::move(groups))
    {
    }

    /** Adds the next rank. @param program its @param groups which it means, by number */
    void AddRank(const Program& program, const std::vector<uint32_t>& groups)
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

    /** @param duration how long what ranks do together takes; 0 without it */
    void SetDuration(std::function<Picoseconds(const ReferenceExchange&)> duration)
    {
        m_duration = std::move(duration);
    }

    /**
     * From now on the rail of a rank serves one dimension at a time, as circuits do: a talk goes on
     * when the rails of its ranks serve no other, and no talk that was complete before it waits for
     * one of them.
     */
    void ServeOneParallelismAtATime()
    {
        m_strict = true;
    }

    /** Runs all. @return what went wrong; empty: every operation was run */
    std::string Run();

    /** @return by iteration: when the last rank ended it */
    const std::vector<Picoseconds>& GetEnds() const
    {
        return m_ends;
    }

    /** @return how long a rank computed, all iterations together @param rank it */
    Picoseconds GetBusy(uint32_t rank) const
    {
        return m_ranks.at(rank).busy;
    }

    /** @return a rank's operations with others, in the order in which they went on @param rank it
     */
    const std::vector<ReferenceCall>& GetExchanges(uint32_t rank) const
    {
        return m_ranks.at(rank).exchanges;
    }

  private:
    /** What comes after what, in a program. */
    struct Order
    {
        std::vector<uint32_t> waits;             //!< by operation: for how many it waits
        std::vector<std::vector<uint32_t>> next; //!< by operation: which wait for it
    };

    /** How far a rank is. */
    struct Rank
    {
        Program program;
        std::shared_ptr<const Order> order;
        std::vector<uint32_t> groups;
        std::vector<uint32_t> waits; //!< those of the order that are left
        std::vector<ReferenceCall> exchanges;
        Picoseconds busy{0};
        uint32_t iterations{0};
        uint32_t serving{0};     //!< talks that its rail serves
        std::string parallelism; //!< of these
    };

    /** Which talks go one after another: a group's collectives, or its messages between two. */
    using FlowKey = std::tuple<uint32_t, bool, uint32_t, uint32_t>;

    /** Who has called what comes next in a flow. */
    struct Meeting
    {
        ReferenceExchange exchange;
        std::vector<uint32_t> ranks;                        //!< that take part
        std::vector<std::pair<uint32_t, uint32_t>> callers; //!< rank and operation
    };

    /** Something ends: computing of a rank, or what ranks of a meeting do. */
    struct End
    {
        Picoseconds at;
        uint64_t number; //!< at equal times: in the order in which they began
        Meeting* meeting;
        uint32_t rank;
        uint32_t operation;

        bool operator<(const End& other) const
        {
            return std::tie(at, number) > std::tie(other.at, other.number);
        }
    };

    static Order MakeOrder(const RankProgram& program);
    static FlowKey NameOf(const ReferenceExchange& exchange);
    /** @return what an operation is for all who take part in it */
    ReferenceExchange ExchangeOf(uint32_t rank, const RankOperation& operation) const;
    /** An operation waits for nothing that the rank itself does. */
    void Call(uint32_t rank, uint32_t operation);
    /** It is one that others take part in. */
    void Join(uint32_t rank, uint32_t operation);
    /** All have called. */
    void Begin(Meeting& meeting);
    /** Begins what may begin, if rails serve one dimension at a time. */
    void Grant();
    /** @return whether a rail of its ranks serves something else */
    bool IsInTheWay(const Meeting& meeting) const;
    /** What ranks did together is over. */
    void EndMeeting(Meeting& meeting);
    /** An operation is over for a rank. */
    void Settle(uint32_t rank, uint32_t operation);
    std::string DescribeDeadlock() const;

    std::vector<JobGroup> m_groups;
    std::map<const RankProgram*, std::shared_ptr<const Order>> m_orders;
    std::vector<Rank> m_ranks;
    std::function<Picoseconds(const ReferenceExchange&)> m_duration;
    bool m_strict{false};
    std::map<FlowKey, Meeting> m_meetings;
    std::vector<Meeting*> m_complete; //!< they wait for rails, in the order of complete calls
    std::priority_queue<End> m_pending;
    uint64_t m_begun{0};
    Picoseconds m_now{0};
    std::vector<Picoseconds> m_ends;
    std::string m_error;
};

inline TrainingReferenceRun::Order
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

inline TrainingReferenceRun::FlowKey
TrainingReferenceRun::NameOf(const ReferenceExchange& exchange)
{
    return {exchange.group, exchange.message, exchange.from, exchange.to};
}

inline ReferenceExchange
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

inline std::string
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

inline void
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
    who.busy += what.duration;
    m_pending.push({m_now + what.duration, m_begun++, nullptr, rank, operation});
}

inline void
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

inline void
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

inline bool
TrainingReferenceRun::IsInTheWay(const Meeting& meeting) const
{
    const std::string parallelism = ParallelismNameOf(m_groups[meeting.exchange.group].name);
    return std::any_of(meeting.ranks.begin(), meeting.ranks.end(), [&](uint32_t rank) {
        return m_ranks[rank].serving > 0 && m_ranks[rank].parallelism != parallelism;
    });
}

inline void
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

inline void
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

inline void
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

inline std::string
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

#endif /* PHOTONIC_RAILS_TRAINING_REFERENCE_RUN_H */
