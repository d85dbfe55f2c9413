/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_REFERENCE_RUN_H
#define PHOTONIC_RAILS_TRAINING_REFERENCE_RUN_H

#include "ns3/picoseconds.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** The common operations of ranks: a collective, or a message from one to another. */
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
 * Runs the programs of all ranks of a job, with no network: durations are a function.
 *
 * Operations begin as RankProgram defines: after the one before them on the stream, and after those
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
    explicit TrainingReferenceRun(const TrainingJob& job);
    /** @param groups of ranks that AddRank() gives programs */
    explicit TrainingReferenceRun(std::vector<JobGroup> groups);
    /** Adds the next rank. @param program its @param groups which it means, by number */
    void AddRank(const Program& program, const std::vector<uint32_t>& groups);

    /** @param duration how long common operations of ranks take; 0 without it */
    void SetDuration(std::function<Picoseconds(const ReferenceExchange&)> duration)
    {
        m_duration = std::move(duration);
    }

    /**
     * From now on the rail of a rank serves one parallelism at a time, as circuits do: an operation
     * goes on when the rails of its ranks serve no other, and no operation that was complete before
     * it waits for one of them.
     */
    void ServeOneParallelismAtATime()
    {
        m_strict = true;
    }

    /** Runs all. @return the error; empty: every operation was run */
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
    /** The order of operations in a program. */
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
        uint32_t serving{0};     //!< operations that its rail serves
        std::string parallelism; //!< of these
    };

    /** Operations that go one after another: a group's collectives, or its messages between two. */
    using FlowKey = std::tuple<uint32_t, bool, uint32_t, uint32_t>;

    /** The ranks that have called the next operation of a flow. */
    struct Meeting
    {
        ReferenceExchange exchange;
        std::vector<uint32_t> ranks;                        //!< that take part
        std::vector<std::pair<uint32_t, uint32_t>> callers; //!< rank and operation
    };

    /** An end: of a rank's computing, or of a common operation. */
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
    /** @return the common name of an operation for all ranks that take part in it */
    ReferenceExchange ExchangeOf(uint32_t rank, const RankOperation& operation) const;
    /** An operation waits for nothing that the rank itself does. */
    void Call(uint32_t rank, uint32_t operation);
    /** It is one that others take part in. */
    void Join(uint32_t rank, uint32_t operation);
    /** All have called. */
    void Begin(Meeting& meeting);
    /** Begins operations that may begin, if rails serve one parallelism at a time. */
    void Grant();
    /** @return whether a rail of its ranks serves another parallelism */
    bool IsInTheWay(const Meeting& meeting) const;
    /** A common operation is over. */
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

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_REFERENCE_RUN_H */
