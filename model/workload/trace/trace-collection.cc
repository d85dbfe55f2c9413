/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-collection.h"

#include "trace-control.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

TraceCollection::TraceCollection(uint64_t most)
    : m_most(most)
{
}

void
TraceCollection::File(const std::string& file, bool hasLines)
{
    m_files.push_back({file, hasLines});
}

std::string
TraceCollection::Ranks(uint32_t ranks)
{
    if (ranks == 0 || ranks > MAX_TRACE_RANKS)
    {
        return std::to_string(ranks) + " ranks, where 1 to " + std::to_string(MAX_TRACE_RANKS) +
               " are possible";
    }
    if (!m_ranks.empty())
    {
        return m_ranks.size() == ranks
                   ? ""
                   : "a job of " + std::to_string(ranks) + " ranks after one of " +
                         std::to_string(m_ranks.size());
    }
    for (const JobPrograms::Group& group : m_groups)
    {
        for (const uint32_t rank : group.ranks)
        {
            if (rank >= ranks)
            {
                return "a job of " + std::to_string(ranks) + " ranks, and rank " +
                       std::to_string(rank) + " in its group \"" + group.name + "\"";
            }
        }
    }
    m_ranks.resize(ranks);
    m_all.resize(ranks);
    std::iota(m_all.begin(), m_all.end(), 0);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_ranks[rank].like = rank;
    }
    return "";
}

std::string
TraceCollection::Group(const std::string& name, const std::vector<uint32_t>& ranks)
{
    const std::string words = "group \"" + name + "\"";
    const auto ofAllRanks = m_ofAllRanks.find(name);
    if (ofAllRanks != m_ofAllRanks.end())
    {
        return ranks.empty() ? "" : words + " a second time: it holds all ranks already";
    }
    auto& groupOf = m_groupOf[name];
    const uint32_t number = m_groups.size();
    if (ranks.empty())
    {
        if (!groupOf.empty())
        {
            return words + " of all ranks, some of which are in another of that name";
        }
        m_ofAllRanks.emplace(name, number);
        m_groups.push_back({name, {}});
        return "";
    }
    const auto known = groupOf.find(ranks.front());
    if (known != groupOf.end() && m_groups[known->second].ranks == ranks)
    {
        return ""; // every rank's own file may name the same group
    }
    for (const uint32_t rank : ranks)
    {
        if (rank >= (m_ranks.empty() ? MAX_TRACE_RANKS : m_ranks.size()))
        {
            return words + " with rank " + std::to_string(rank) + ", where there are " +
                   std::to_string(m_ranks.empty() ? MAX_TRACE_RANKS : m_ranks.size()) +
                   " at most, counted from 0";
        }
        if (!groupOf.emplace(rank, number).second)
        {
            return words + " with rank " + std::to_string(rank) +
                   ", which is in it or in another of that name already";
        }
    }
    m_groups.push_back({name, ranks});
    return "";
}

std::string
TraceCollection::Node(uint32_t rank, const TraceNode& node)
{
    const std::string words =
        "node " + std::to_string(node.id) + " of rank " + std::to_string(rank);
    if (rank >= m_ranks.size())
    {
        return words + ", where there are " + std::to_string(m_ranks.size()) +
               " ranks, counted from 0";
    }
    TraceRank& own = m_ranks[rank];
    if (m_nodes >= m_most)
    {
        return "more than " + std::to_string(m_most) +
               " nodes; give TraceCollection a higher limit if there is memory for them";
    }
    if (own.like != rank)
    {
        return words + ", which does what rank " + std::to_string(own.like) + " does";
    }
    const auto found = own.numbers.find(node.id);
    if (found != own.numbers.end())
    {
        return words + " for the second time: \"" + own.nodes[found->second].name +
               "\" has that id already";
    }
    if (node.duration < 0 || node.duration >= NEVER - own.computing)
    {
        return words + ", with which the rank computes for more than 106 days";
    }
    const bool hasDemand = node.collective == CollectiveKind::ALL_TO_ALL_V && node.demand;
    if (node.kind == TraceNode::Kind::COLLECTIVE && !hasDemand &&
        (node.collective == CollectiveKind::ALL_TO_ALL_V ||
         node.collective == CollectiveKind::SEND_RECV))
    {
        return words + ", a collective " + ToString(node.collective) +
               ", which a trace can't tell of";
    }
    own.computing += node.duration;
    own.file = m_files.empty() ? 0 : m_files.size() - 1;
    own.numbers.emplace(node.id, own.nodes.size());
    own.nodes.push_back(node);
    ++m_nodes;
    return "";
}

std::string
TraceCollection::Program(uint32_t rank, const std::vector<TraceProgramGroup>& groups)
{
    if (rank >= m_ranks.size())
    {
        return "the program of rank " + std::to_string(rank) + ", where there are " +
               std::to_string(m_ranks.size()) + " ranks, counted from 0";
    }
    m_ranks[rank].program = groups;
    m_ranks[rank].file = m_files.empty() ? 0 : m_files.size() - 1;
    return "";
}

bool
TraceCollection::AreWhole() const
{
    return std::all_of(m_ranks.begin(), m_ranks.end(), [](const TraceRank& rank) {
        return rank.program.has_value();
    });
}

std::string
TraceCollection::LeaveOutUnknownGroups()
{
    std::string error;
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        for (TraceNode& node : m_ranks[rank].nodes)
        {
            if (error.empty() && node.kind == TraceNode::Kind::COLLECTIVE &&
                !FindGroup(node.group, rank))
            {
                node.kind = TraceNode::Kind::COMPUTE;
                node.duration = 0;
                error = Skip("collectives of groups that no file defines (--groups takes one)");
            }
        }
    }
    return error;
}

std::string
TraceCollection::Alike(uint32_t rank, uint32_t first, uint32_t count)
{
    const uint32_t ranks = m_ranks.size();
    if (rank >= ranks || first >= ranks || count > ranks - first || m_ranks[rank].like != rank)
    {
        return "ranks " + std::to_string(first) + " and on, " + std::to_string(count) +
               " of them, that do what rank " + std::to_string(rank) + " does, where there are " +
               std::to_string(ranks);
    }
    for (uint32_t other = first; other < first + count; ++other)
    {
        if (other != rank && !m_ranks[other].nodes.empty())
        {
            return "rank " + std::to_string(other) +
                   " with nodes of its own, where it does what rank " + std::to_string(rank) +
                   " does";
        }
        m_ranks[other].like = rank;
    }
    return "";
}

std::string
TraceCollection::Skip(const std::string& reason, uint64_t count)
{
    if (m_strict)
    {
        return reason;
    }
    m_skipped[reason] += count;
    return "";
}

std::string
TraceCollection::MergeControlOf(uint32_t rank)
{
    const TraceLeftOut leftOut = MergeControl(m_ranks[rank].nodes, m_ranks[rank].numbers);
    std::string error;
    if (leftOut.missing > 0)
    {
        error = Skip("control dependencies on nodes that are not in the file", leftOut.missing);
    }
    if (leftOut.circular > 0 && error.empty())
    {
        error = Skip("control dependencies that are circular", leftOut.circular);
    }
    return error;
}

void
TraceCollection::SetStrict(bool strict)
{
    m_strict = strict;
}

const TraceRank&
TraceCollection::Get(uint32_t rank) const
{
    return m_ranks.at(m_ranks.at(rank).like);
}

const std::vector<uint32_t>&
TraceCollection::GetMembers(uint32_t group) const
{
    const bool isNamed = group < m_groups.size() && !m_groups[group].ranks.empty();
    return isNamed ? m_groups[group].ranks : m_all;
}

std::string
TraceCollection::GetGroupName(uint32_t group) const
{
    return group < m_groups.size() && !m_groups[group].name.empty() ? m_groups[group].name : "all";
}

std::optional<uint32_t>
TraceCollection::FindGroup(const std::string& name, uint32_t rank) const
{
    const auto ofAllRanks = m_ofAllRanks.find(name);
    if (ofAllRanks != m_ofAllRanks.end())
    {
        return ofAllRanks->second;
    }
    const auto groups = m_groupOf.find(name);
    if (groups != m_groupOf.end())
    {
        const auto group = groups->second.find(rank);
        return group == groups->second.end() ? std::nullopt : std::make_optional(group->second);
    }
    return name.empty() || name == "0" ? std::make_optional<uint32_t>(m_groups.size())
                                       : std::nullopt;
}

TraceError
TraceCollection::MakeError(uint32_t rank,
                           const TraceNode& node,
                           const std::string& expected,
                           const std::string& found) const
{
    TraceError error;
    const uint32_t file = Get(rank).file;
    if (file < m_files.size())
    {
        error.file = m_files[file].name;
        if (m_files[file].hasLines)
        {
            error.line = node.place;
        }
        else
        {
            error.offset = node.place;
        }
    }
    error.expected = expected;
    error.found = found;
    return error;
}

} // namespace ns3
