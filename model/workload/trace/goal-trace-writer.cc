/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-trace-writer.h"

#include "goal-directive.h"
#include "job-export.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-schedule.h"
#include "ns3/rank-schedule.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_CPU = UINT8_MAX;      //!< a cpu is one byte in GOAL's binary form
constexpr std::size_t MOST_IN_LINE = 1'000;   //!< numbers, far from the reader's limit
constexpr std::size_t MOST_OF_LABEL = 16'384; //!< bytes

/** The schedules of collectives: those of their algorithm, or of another that the kind has. */
class LoweredCollectives
{
  public:
    /** @return the schedule of a collective on one channel; null if its kind has none for it */
    std::shared_ptr<const CollectiveSchedule> Find(const RankOperation& call, uint32_t ranks)
    {
        CollectiveParameters parameters;
        parameters.kind = call.collective;
        parameters.ranks = ranks;
        const bool hasRoot = call.collective == CollectiveKind::BROADCAST ||
                             call.collective == CollectiveKind::REDUCE;
        parameters.root = hasRoot ? call.place : 0;
        parameters.straggler = call.straggler;
        parameters.demand = call.demand;
        const std::string key = call.algorithm + " " + parameters.GetKey();
        const auto [known, isNew] = m_schedules.emplace(key, nullptr);
        if (isNew)
        {
            const std::string name = Choose(call, parameters);
            known->second =
                name.empty() ? nullptr : CollectiveAlgorithm::GetSchedule(name, parameters);
        }
        return known->second;
    }

  private:
    /** @return the name of the algorithm; empty if the kind has none that can run so */
    static std::string Choose(const RankOperation& call, const CollectiveParameters& parameters)
    {
        for (const std::string& name : {call.algorithm, std::string("ring")})
        {
            const CollectiveAlgorithm* const algorithm =
                name.empty() ? nullptr : CollectiveAlgorithm::Find(call.collective, name);
            if (algorithm != nullptr && algorithm->GetWhyNot(parameters).empty())
            {
                return name;
            }
        }
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(call.collective))
        {
            if (algorithm->GetWhyNot(parameters).empty())
            {
                return algorithm->name;
            }
        }
        return "";
    }

    std::map<std::string, std::shared_ptr<const CollectiveSchedule>> m_schedules;
};

/** The tags of messages: one for each collective, and one for the sends of each group. */
class GoalTags
{
  public:
    explicit GoalTags(const JobPrograms& job)
    {
        uint64_t next = job.groups.size(); // the sends of group g have tag g
        for (uint32_t number = 0; number < job.groups.size(); ++number)
        {
            m_first.push_back(next);
            next += CountCalls(job, number);
        }
        m_end = next;
    }

    /** @return the tag of a group's collective @param number of the call in the group */
    uint64_t Get(uint32_t group, uint32_t number) const
    {
        return m_first[group] + number;
    }

    /** @return the number of tags */
    uint64_t Count() const
    {
        return m_end;
    }

  private:
    /** @return the number of collectives of a group */
    static uint64_t CountCalls(const JobPrograms& job, uint32_t group)
    {
        const JobPrograms::Rank& first = job.ranks[job.groups[group].ranks.front()];
        const std::vector<RankOperation>& operations = first.program->GetOperations();
        return std::count_if(operations.begin(), operations.end(), [&](const auto& operation) {
            return operation.kind == RankOperation::Kind::COLLECTIVE &&
                   first.groups[operation.group] == group;
        });
    }

    std::vector<uint64_t> m_first; //!< by group
    uint64_t m_end{0};
};

/** Writes the text of one rank. */
class GoalRankWriter
{
  public:
    GoalRankWriter(const JobPrograms& job,
                   uint32_t rank,
                   const GoalTags& tags,
                   LoweredCollectives& lowered,
                   const GoalTraceWriter::Sink& sink)
        : m_job(job),
          m_rank(rank),
          m_own(job.ranks[rank]),
          m_tags(tags),
          m_lowered(lowered),
          m_sink(sink)
    {
    }

    void Write()
    {
        AddLine("");
        AddLine("rank " + std::to_string(m_rank) + " {");
        WriteNumbers("groups", {m_own.groups.begin(), m_own.groups.end()});
        const std::vector<RankOperation>& operations = m_own.program->GetOperations();
        for (uint32_t number = 0; number < operations.size(); ++number)
        {
            WriteOperation(number, operations[number]);
            for (const uint32_t earlier : m_order.Follow(number, operations[number]))
            {
                AddLine(Label(number) + " requires " + EndOf(earlier, operations[earlier]));
            }
        }
        AddLine("}");
        m_sink(m_text);
    }

  private:
    void AddLine(const std::string& line)
    {
        constexpr std::size_t PIECE = 1 << 16;
        m_text += line + "\n";
        if (m_text.size() >= PIECE)
        {
            m_sink(m_text);
            m_text.clear();
        }
    }

    /** Writes a directive with numbers, in several lines if there are many. */
    void WriteNumbers(const std::string& word, const std::vector<uint64_t>& numbers)
    {
        for (std::size_t first = 0; first < numbers.size(); first += MOST_IN_LINE)
        {
            std::string line = "//! " + word;
            for (std::size_t k = first; k < std::min(first + MOST_IN_LINE, numbers.size()); ++k)
            {
                line += " " + std::to_string(numbers[k]);
            }
            AddLine(line);
        }
    }

    /** @return the label of an operation's beginning */
    static std::string Label(uint32_t number)
    {
        return "o" + std::to_string(number);
    }

    /** @return the label of an operation's end */
    static std::string EndOf(uint32_t number, const RankOperation& operation)
    {
        return Label(number) + (operation.kind == RankOperation::Kind::COLLECTIVE ? "e" : "");
    }

    static std::string Cpu(uint32_t stream)
    {
        return " cpu " + std::to_string(stream <= MOST_CPU ? stream : 0);
    }

    /** @return a key with its value, if it differs from the default */
    static std::string Key(const std::string& key, uint64_t value, uint64_t usual)
    {
        return value == usual ? "" : " " + key + " " + std::to_string(value);
    }

    static std::string LabelKey(const RankOperation& operation)
    {
        return operation.label.empty() ? "" : " label " + GoalDirective::Quote(operation.label);
    }

    void WriteOperation(uint32_t number, const RankOperation& operation)
    {
        if (operation.kind == RankOperation::Kind::COLLECTIVE)
        {
            WriteCollective(number, operation);
            return;
        }
        const bool isMessage = operation.kind == RankOperation::Kind::SEND ||
                               operation.kind == RankOperation::Kind::RECEIVE;
        const uint32_t group = isMessage ? m_own.groups[operation.group] : 0;
        const auto picoseconds = static_cast<uint64_t>(operation.duration.GetTimeStep());
        std::string keys;
        if (operation.kind == RankOperation::Kind::ITERATION)
        {
            keys += " iteration";
        }
        if (operation.kind == RankOperation::Kind::COMPUTE && picoseconds % 1000 != 0)
        {
            keys += " ps " + std::to_string(picoseconds);
        }
        keys += operation.stream > MOST_CPU ? Key("stream", operation.stream, 0) : "";
        keys += isMessage ? " group " + std::to_string(group) : "";
        keys += LabelKey(operation);
        if (!keys.empty())
        {
            AddLine("//! next" + keys);
        }
        if (isMessage)
        {
            const bool sends = operation.kind == RankOperation::Kind::SEND;
            WriteMessage(Label(number),
                         sends,
                         operation.bytes,
                         m_job.groups[group].ranks[operation.place],
                         group,
                         operation.stream);
            return;
        }
        const uint64_t nanoseconds = operation.kind == RankOperation::Kind::COMPUTE
                                         ? picoseconds / 1000 + (picoseconds % 1000 != 0 ? 1 : 0)
                                         : 0;
        AddLine(Label(number) + ": calc " + std::to_string(nanoseconds) + Cpu(operation.stream));
    }

    void WriteMessage(const std::string& label,
                      bool sends,
                      uint64_t bytes,
                      uint32_t peer,
                      uint64_t tag,
                      uint32_t stream)
    {
        AddLine(label + (sends ? ": send " : ": recv ") + std::to_string(bytes) +
                (sends ? "b to " : "b from ") + std::to_string(peer) + " tag " +
                std::to_string(tag) + Cpu(stream));
    }

    void WriteCollective(uint32_t number, const RankOperation& call)
    {
        const uint32_t group = m_own.groups[call.group];
        const std::vector<uint32_t>& ranks = m_job.groups[group].ranks;
        const bool hasRoot = call.collective == CollectiveKind::BROADCAST ||
                             call.collective == CollectiveKind::REDUCE;
        std::string line = std::string("//! collective ") + ToString(call.collective) + " group " +
                           std::to_string(group) + " bytes " + std::to_string(call.bytes) +
                           Key("stream", call.stream, 0);
        if (hasRoot)
        {
            line += " root " + std::to_string(ranks[call.place]);
        }
        line += Key("straggler", call.straggler, 0);
        line += call.algorithm.empty() ? "" : " algorithm " + call.algorithm;
        if (call.demand)
        {
            line += " matrix " + std::to_string(WriteMatrix(call.demand.get()));
        }
        AddLine(line + LabelKey(call));
        AddLine(Label(number) + ": calc 0" + Cpu(call.stream));
        WriteTransfers(number, call, ranks, m_tags.Get(group, m_calls[group]++));
        AddLine("//! end");
    }

    /** Writes a matrix, if it is not there yet. @return its number */
    uint64_t WriteMatrix(const DemandMatrix* demand)
    {
        const auto [known, isNew] = m_matrices.emplace(demand, m_matrices.size());
        if (isNew)
        {
            const uint32_t ranks = demand->GetRanks();
            const std::string word = "matrix " + std::to_string(known->second);
            AddLine("//! " + word + " " + std::to_string(ranks));
            std::vector<uint64_t> bytes;
            for (uint32_t from = 0; from < ranks; ++from)
            {
                for (uint32_t to = 0; to < ranks; ++to)
                {
                    bytes.push_back(demand->Get(from, to));
                }
            }
            WriteNumbers(word, bytes);
        }
        return known->second;
    }

    /** Writes the sends and receives of a collective, and its end. */
    void WriteTransfers(uint32_t number,
                        const RankOperation& call,
                        const std::vector<uint32_t>& ranks,
                        uint64_t tag)
    {
        const std::shared_ptr<const CollectiveSchedule> schedule =
            m_lowered.Find(call, ranks.size());
        const uint32_t place = std::find(ranks.begin(), ranks.end(), m_rank) - ranks.begin();
        const std::shared_ptr<const RankSchedule> part = RankSchedule::Get(schedule, place);
        const auto write = [&](const RankSchedule::Transfer& transfer, uint32_t peer, bool sends) {
            const uint64_t bytes = schedule->GetBytes(transfer.chunk, call.bytes);
            const std::string label =
                Label(number) + (sends ? "s" : "r") +
                std::to_string(&transfer - (sends ? part->outgoing : part->incoming).data());
            WriteMessage(label, sends, bytes, ranks[peer], tag, call.stream);
            AddLine(label + " requires " + Label(number));
            return label;
        };
        std::vector<std::string> labels;
        for (const RankSchedule::Transfer& one : part->incoming)
        {
            labels.push_back(write(one, part->waysIn[one.way].peer, false));
        }
        for (const RankSchedule::Transfer& one : part->outgoing)
        {
            labels.push_back(write(one, part->waysOut[one.way].peer, true));
            for (uint32_t arrival = 0; arrival < one.needs; ++arrival)
            {
                AddLine(labels.back() + " requires " + Label(number) + "r" +
                        std::to_string(part->slots[one.slot].incoming[arrival]));
            }
        }
        AddLine(Label(number) + "e: calc 0" + Cpu(call.stream));
        AddLine(Label(number) + "e requires " + Label(number));
        for (const std::string& label : labels)
        {
            AddLine(Label(number) + "e requires " + label);
        }
    }

    const JobPrograms& m_job;
    uint32_t m_rank;
    const JobPrograms::Rank& m_own;
    const GoalTags& m_tags;
    LoweredCollectives& m_lowered;
    const GoalTraceWriter::Sink& m_sink;
    std::string m_text;                                 //!< not in the sink yet
    StreamOrder m_order;                                //!< of the operations so far
    std::map<uint32_t, uint32_t> m_calls;               //!< collectives so far, by the job's group
    std::map<const DemandMatrix*, uint64_t> m_matrices; //!< their numbers
};

} // namespace

GoalTraceWriter::GoalTraceWriter(const JobPrograms& job)
    : m_job(job)
{
}

std::string
GoalTraceWriter::FindWhyNot() const
{
    LoweredCollectives lowered;
    std::set<const RankProgram*> known;
    for (const JobPrograms::Rank& rank : m_job.ranks)
    {
        if (!known.insert(rank.program.get()).second)
        {
            continue;
        }
        for (const RankOperation& operation : rank.program->GetOperations())
        {
            if (operation.kind == RankOperation::Kind::COLLECTIVE &&
                !lowered.Find(operation, m_job.groups[rank.groups[operation.group]].ranks.size()))
            {
                return std::string("there is no algorithm for ") + ToString(operation.collective) +
                       " on one channel, by which it could be written as sends and receives";
            }
        }
    }
    if (GoalTags(m_job).Count() >= UINT32_MAX)
    {
        return std::to_string(GoalTags(m_job).Count()) +
               " tags of collectives and groups, where GOAL has 2^32 - 1";
    }
    return FindFirst(m_job, [](const RankOperation& operation) -> std::string {
        if (operation.kind == RankOperation::Kind::CIRCUITS)
        {
            return "a circuit hint, which GOAL has no word for (the policy co-scheduled adds its "
                   "own)";
        }
        if (operation.label.size() > MOST_OF_LABEL)
        {
            return "a label of " + std::to_string(operation.label.size()) + " bytes, where " +
                   std::to_string(MOST_OF_LABEL) + " are the most";
        }
        const uint32_t ranks = operation.demand ? operation.demand->GetRanks() : 0;
        return ranks > MOST_IN_LINE ? "a matrix of " + std::to_string(ranks) + " ranks, where " +
                                          std::to_string(MOST_IN_LINE) + " are the most"
                                    : "";
    });
}

void
GoalTraceWriter::Write(const Sink& sink) const
{
    std::string head = std::string(GoalDirective::HEADER) + "\nnum_ranks " +
                       std::to_string(m_job.ranks.size()) + "\n";
    for (uint32_t number = 0; number < m_job.groups.size(); ++number)
    {
        const JobPrograms::Group& group = m_job.groups[number];
        head += "//! group " + std::to_string(number) + " " + GoalDirective::Quote(group.name);
        for (std::size_t k = 0; k < group.ranks.size(); ++k)
        {
            head += (k % MOST_IN_LINE == 0 ? "\n//! ranks " + std::to_string(number) : "") + " " +
                    std::to_string(group.ranks[k]);
        }
        head += "\n";
        sink(head);
        head.clear();
    }
    sink(head);
    const GoalTags tags(m_job);
    LoweredCollectives lowered;
    for (uint32_t rank = 0; rank < m_job.ranks.size(); ++rank)
    {
        GoalRankWriter(m_job, rank, tags, lowered, sink).Write();
    }
}

} // namespace ns3
