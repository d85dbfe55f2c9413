/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "whole-programs.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** The groups of a job, by the number that a trace gives them. */
using GroupNumbers = std::map<uint32_t, uint32_t>;

/** A node of a rank. */
struct NodeOfRank
{
    uint32_t rank{0};
    const TraceNode* node{nullptr};
};

/** Compares the calls of ranks that exchange. */
class CallCheck
{
  public:
    explicit CallCheck(const TraceCollection& collection)
        : m_collection(collection)
    {
    }

    /** A rank calls a collective. @param group of the job @param size number of its ranks */
    TraceResult Collective(uint32_t group, uint32_t size, const NodeOfRank& call)
    {
        std::vector<Called>& calls = m_calls[group];
        const uint32_t number = m_made[{group, call.rank}]++;
        if (number == calls.size())
        {
            calls.push_back({call, size, 1});
            return {};
        }
        Called& known = calls[number];
        ++known.come;
        return IsSame(*known.first.node, *call.node)
                   ? TraceResult()
                   : m_collection.MakeError(
                         call.rank,
                         *call.node,
                         "the call that rank " + std::to_string(known.first.rank) +
                             " makes as its " + Ordinal(number) + " in this group",
                         "another");
    }

    /** A rank sends, or receives. */
    void Message(uint32_t group, uint32_t from, uint32_t to, const NodeOfRank& call)
    {
        auto& [sends, receives] = m_messages[{group, from, to}];
        (call.node->kind == TraceNode::Kind::SEND ? sends : receives).push_back(call);
    }

    /** @return the first call without a match, or whose match differs */
    TraceResult Finish() const
    {
        for (const auto& [group, calls] : m_calls)
        {
            for (const Called& call : calls)
            {
                if (call.come != call.size)
                {
                    return m_collection.MakeError(call.first.rank,
                                                  *call.first.node,
                                                  "all " + std::to_string(call.size) +
                                                      " ranks of the group to call this",
                                                  std::to_string(call.come) + " that do");
                }
            }
        }
        for (const auto& [flow, pair] : m_messages)
        {
            if (TraceResult error = Compare(pair.first, pair.second))
            {
                return error;
            }
        }
        return {};
    }

  private:
    /** A collective, as the first rank calls it. */
    struct Called
    {
        NodeOfRank first;
        uint32_t size;
        uint32_t come;
    };

    /** Sends of a flow, and its receives. */
    using Messages = std::pair<std::vector<NodeOfRank>, std::vector<NodeOfRank>>;

    static std::string Ordinal(uint32_t number)
    {
        return "call " + std::to_string(number);
    }

    static bool IsSame(const TraceNode& one, const TraceNode& other)
    {
        const auto key = [](const TraceNode& node) {
            return std::make_tuple(node.collective, node.bytes, node.ofShare, node.root);
        };
        const auto demand = [](const TraceNode& node) {
            return node.demand ? node.demand->GetKey() : "";
        };
        return key(one) == key(other) && one.algorithm == other.algorithm &&
               one.straggler == other.straggler && demand(one) == demand(other);
    }

    TraceResult Compare(const std::vector<NodeOfRank>& sends,
                        const std::vector<NodeOfRank>& receives) const
    {
        const std::size_t pairs = std::min(sends.size(), receives.size());
        for (std::size_t k = 0; k < pairs; ++k)
        {
            if (sends[k].node->bytes != receives[k].node->bytes)
            {
                return m_collection.MakeError(receives[k].rank,
                                              *receives[k].node,
                                              std::to_string(sends[k].node->bytes) +
                                                  " bytes, as rank " +
                                                  std::to_string(sends[k].rank) + " sends them",
                                              std::to_string(receives[k].node->bytes));
            }
        }
        if (sends.size() == receives.size())
        {
            return {};
        }
        const bool isSend = sends.size() > pairs;
        const NodeOfRank& lone = isSend ? sends[pairs] : receives[pairs];
        return m_collection.MakeError(lone.rank,
                                      *lone.node,
                                      "rank " + std::to_string(lone.node->peer) +
                                          (isSend ? " to receive this" : " to send this"),
                                      isSend ? "no such receive" : "no such send");
    }

    const TraceCollection& m_collection;
    std::map<uint32_t, std::vector<Called>> m_calls;          //!< by group
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_made; //!< calls, by group and rank
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Messages> m_messages; //!< by group, from, to
};

/** Makes the program of one rank. */
class WholeProgram
{
  public:
    /** @param numbers of all groups @param check gets the rank's calls */
    WholeProgram(const TraceCollection& collection,
                 uint32_t rank,
                 const GroupNumbers& numbers,
                 CallCheck& check)
        : m_collection(collection),
          m_rank(rank),
          m_check(check),
          m_program(std::make_shared<RankProgram>())
    {
        for (const TraceProgramGroup& group : *collection.Get(rank).program)
        {
            const uint32_t ofJob = numbers.at(group.number);
            m_own.emplace(std::to_string(group.number),
                          OwnGroup{static_cast<uint32_t>(m_groups.size()), ofJob});
            m_groups.push_back(ofJob);
        }
    }

    /** @return the first error, if any */
    TraceResult Make()
    {
        for (const TraceNode& node : m_collection.Get(m_rank).nodes)
        {
            RankOperation operation;
            operation.stream = node.stream;
            operation.label = node.name;
            TraceResult error = SetDependencies(node, operation);
            error = error ? error : SetKind(node, operation);
            if (error)
            {
                return error;
            }
            m_program->Add(operation);
        }
        return {};
    }

    /** @return the program */
    JobPrograms::Rank Take()
    {
        return {m_program, m_groups};
    }

  private:
    /** A group of the rank's program. */
    struct OwnGroup
    {
        uint32_t place; //!< in the program
        uint32_t ofJob; //!< the job's number of it
    };

    TraceError Mistake(const TraceNode& node,
                       const std::string& expected,
                       const std::string& found) const
    {
        return m_collection.MakeError(m_rank,
                                      node,
                                      expected,
                                      found + " in node " + std::to_string(node.id) + " of rank " +
                                          std::to_string(m_rank));
    }

    /** Sets the earlier operations. */
    TraceResult SetDependencies(const TraceNode& node, RankOperation& operation) const
    {
        const TraceRank& own = m_collection.Get(m_rank);
        for (const uint64_t id : node.after)
        {
            const auto earlier = own.numbers.find(id);
            if (earlier == own.numbers.end() ||
                earlier->second >= m_program->GetOperations().size())
            {
                return Mistake(node,
                               "nodes of a whole program to follow those that they depend on",
                               "a dependency on node " + std::to_string(id));
            }
            operation.after.push_back(earlier->second);
        }
        if (!node.begun.empty())
        {
            return Mistake(node,
                           "no dependency on the beginning of a node in a whole program",
                           "one on node " + std::to_string(node.begun.front()));
        }
        return {};
    }

    /** Sets what the operation does. */
    TraceResult SetKind(const TraceNode& node, RankOperation& operation)
    {
        switch (node.kind)
        {
        case TraceNode::Kind::COMPUTE:
            operation.duration = ToTime(node.duration);
            return {};
        case TraceNode::Kind::ITERATION:
            operation.kind = RankOperation::Kind::ITERATION;
            return {};
        default:
            return SetExchange(node, operation);
        }
    }

    TraceResult SetExchange(const TraceNode& node, RankOperation& operation)
    {
        const std::optional<uint32_t> group = m_collection.FindGroup(node.group, m_rank);
        const auto own = m_own.find(node.group);
        if (!group || own == m_own.end())
        {
            return Mistake(node, "a group of the rank's program", "group \"" + node.group + "\"");
        }
        operation.group = own->second.place;
        operation.bytes = node.bytes;
        const std::vector<uint32_t>& members = m_collection.GetMembers(*group);
        return node.kind == TraceNode::Kind::COLLECTIVE
                   ? SetCollective(node, own->second.ofJob, members, operation)
                   : SetMessage(node, own->second.ofJob, members, operation);
    }

    TraceResult SetCollective(const TraceNode& node,
                              uint32_t group,
                              const std::vector<uint32_t>& members,
                              RankOperation& operation)
    {
        operation.kind = RankOperation::Kind::COLLECTIVE;
        operation.collective = node.collective;
        operation.algorithm = node.algorithm;
        operation.demand = node.demand;
        operation.straggler = node.straggler;
        if (node.ofShare && node.bytes > UINT64_MAX / members.size())
        {
            return Mistake(node,
                           "a buffer of less than 2^64 bytes",
                           "shares of " + std::to_string(node.bytes));
        }
        operation.bytes *= node.ofShare ? members.size() : 1;
        if (node.demand && node.demand->GetRanks() != members.size())
        {
            return Mistake(node,
                           "the bytes of a group of " + std::to_string(members.size()) + " ranks",
                           "those of " + std::to_string(node.demand->GetRanks()));
        }
        if (node.straggler >= members.size())
        {
            return Mistake(node,
                           "a straggler below " + std::to_string(members.size()),
                           std::to_string(node.straggler));
        }
        const auto root = std::find(members.begin(), members.end(), node.root.value_or(members[0]));
        if (root == members.end())
        {
            return Mistake(node, "a root in its group", "rank " + std::to_string(*node.root));
        }
        operation.place = root - members.begin();
        return m_check.Collective(group, members.size(), {m_rank, &node});
    }

    TraceResult SetMessage(const TraceNode& node,
                           uint32_t group,
                           const std::vector<uint32_t>& members,
                           RankOperation& operation)
    {
        const bool sends = node.kind == TraceNode::Kind::SEND;
        operation.kind = sends ? RankOperation::Kind::SEND : RankOperation::Kind::RECEIVE;
        const auto peer = std::find(members.begin(), members.end(), node.peer);
        if (peer == members.end() || node.peer == m_rank)
        {
            return Mistake(node, "another rank of its group", "rank " + std::to_string(node.peer));
        }
        operation.place = peer - members.begin();
        m_check.Message(group,
                        sends ? m_rank : node.peer,
                        sends ? node.peer : m_rank,
                        {m_rank, &node});
        return {};
    }

    const TraceCollection& m_collection;
    uint32_t m_rank;
    CallCheck& m_check;
    std::shared_ptr<RankProgram> m_program;
    std::map<std::string, OwnGroup> m_own; //!< by the number in the trace, as text
    std::vector<uint32_t> m_groups;        //!< the job's group, by the program's
};

/** Adds the groups of all programs. @return the job's group, by the number in the trace */
GroupNumbers
AddGroups(const TraceCollection& collection, JobPrograms& job, TraceResult& error)
{
    std::map<uint32_t, JobPrograms::Group> groups;
    for (uint32_t rank = 0; rank < collection.GetRanks(); ++rank)
    {
        for (const TraceProgramGroup& one : *collection.Get(rank).program)
        {
            const std::string key = std::to_string(one.number);
            const std::optional<uint32_t> group = collection.FindGroup(key, rank);
            const std::vector<uint32_t> members =
                group ? collection.GetMembers(*group) : std::vector<uint32_t>();
            if (std::count(members.begin(), members.end(), rank) == 0 || members.size() < 2)
            {
                TraceNode at;
                at.place = one.place;
                error = collection.MakeError(rank,
                                             at,
                                             "groups of two ranks or more that rank " +
                                                 std::to_string(rank) + " is in",
                                             "group " + key + " \"" + one.name + "\"");
                return {};
            }
            groups.insert({one.number, {one.name, members}});
        }
    }
    GroupNumbers numbers;
    for (auto& [number, group] : groups)
    {
        numbers.emplace(number, job.groups.size());
        job.groups.push_back(std::move(group));
    }
    return numbers;
}

} // namespace

TraceResult
MakeWholePrograms(const TraceCollection& collection, JobPrograms& job)
{
    TraceResult error;
    const GroupNumbers numbers = AddGroups(collection, job, error);
    CallCheck check(collection);
    for (uint32_t rank = 0; !error && rank < collection.GetRanks(); ++rank)
    {
        WholeProgram program(collection, rank, numbers, check);
        error = program.Make();
        job.ranks.push_back(program.Take());
    }
    return error ? error : check.Finish();
}

} // namespace ns3
