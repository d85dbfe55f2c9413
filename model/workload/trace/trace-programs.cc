/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-programs.h"

#include "trace-exchange.h"
#include "trace-job-order.h"
#include "trace-matching.h"
#include "trace-order.h"
#include "trace-program-writer.h"
#include "whole-programs.h"

#include <map>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/** @return whether all ranks have the same nodes, and no node names a rank */
bool
AreAlike(const TraceCollection& collection)
{
    for (uint32_t rank = 0; rank < collection.GetRanks(); ++rank)
    {
        if (&collection.Get(rank) != &collection.Get(0))
        {
            return false;
        }
    }
    for (const TraceNode& node : collection.Get(0).nodes)
    {
        if (node.kind == TraceNode::Kind::SEND || node.kind == TraceNode::Kind::RECEIVE ||
            node.root)
        {
            return false;
        }
    }
    return true;
}

/** @return the first node of each group name, for a rank */
std::vector<uint32_t>
FindNames(const TraceRank& own, std::vector<uint32_t>& nameOf)
{
    std::vector<uint32_t> first;
    std::unordered_map<std::string, uint32_t> known;
    nameOf.resize(own.nodes.size());
    for (uint32_t node = 0; node < own.nodes.size(); ++node)
    {
        if (own.nodes[node].kind == TraceNode::Kind::COLLECTIVE)
        {
            const auto name = known.emplace(own.nodes[node].group, first.size());
            nameOf[node] = name.first->second;
            if (name.second)
            {
                first.push_back(node);
            }
        }
    }
    return first;
}

/**
 * Makes programs if all ranks have the same nodes. The order of one rank is then an order of the
 * job: the matching calls of all ranks have the same place. Ranks whose groups have the same sizes
 * share a program.
 */
TraceResult
MakeAlike(const TraceCollection& collection, const TraceOrder& order, JobPrograms& job)
{
    const TraceRank& own = collection.Get(0);
    std::vector<uint32_t> nameOf;
    const std::vector<uint32_t> names = FindNames(own, nameOf);
    std::map<std::pair<std::vector<std::size_t>, std::vector<uint32_t>>, JobPrograms::Rank>
        programs;
    std::map<uint32_t, uint32_t> places; // index of the job's group, by the collection's
    for (uint32_t rank = 0; rank < collection.GetRanks(); ++rank)
    {
        std::vector<uint32_t> groups;   // by name
        std::vector<std::size_t> sizes; // by name
        std::vector<uint32_t> same;     // by name: the first name of the same group
        std::map<uint32_t, uint32_t> first;
        for (uint32_t name = 0; name < names.size(); ++name)
        {
            TraceExchange exchange;
            if (TraceResult error =
                    ResolveTraceExchange(collection, rank, own.nodes[names[name]], exchange))
            {
                return error;
            }
            groups.push_back(*collection.FindGroup(own.nodes[names[name]].group, rank));
            sizes.push_back(collection.GetMembers(groups.back()).size());
            same.push_back(first.emplace(groups.back(), name).first->second);
        }
        auto [program, isNew] = programs.emplace(std::make_pair(sizes, same), JobPrograms::Rank());
        if (isNew)
        {
            TraceProgramWriter writer(collection, rank, order);
            for (const uint32_t node : order.sequence)
            {
                TraceExchange exchange;
                if (TraceResult error =
                        ResolveTraceExchange(collection, rank, own.nodes[node], exchange))
                {
                    return error;
                }
                // numbers represent names until each rank's groups are set
                writer.Add(node, exchange, exchange.isExchange ? same[nameOf[node]] : 0);
            }
            program->second = writer.Take();
        }
        JobPrograms::Rank its = program->second;
        for (uint32_t& group : its.groups)
        {
            const uint32_t number = groups[group];
            const auto place = places.emplace(number, job.groups.size());
            if (place.second)
            {
                job.groups.push_back(
                    {collection.GetGroupName(number), collection.GetMembers(number)});
            }
            group = place.first->second;
        }
        job.ranks.push_back(std::move(its));
    }
    return {};
}

/** Makes programs if ranks differ, from an order of the whole job. */
TraceResult
MakeDifferent(const TraceCollection& collection, const TraceOrders& orders, JobPrograms& job)
{
    TraceMatching matching(collection, orders);
    std::optional<TraceJobOrder> order;
    bool isFound = false;
    for (const bool tagsApart : {false, true})
    {
        if (TraceResult error = matching.Match(tagsApart))
        {
            return error;
        }
        order.emplace(collection, orders, matching);
        isFound = order->Find();
        if (isFound || !matching.HasTags())
        {
            break;
        }
    }
    if (!isFound)
    {
        return order->Describe();
    }
    job.groups = matching.GetGroups();
    for (uint32_t rank = 0; rank < collection.GetRanks(); ++rank)
    {
        TraceProgramWriter writer(collection, rank, *orders[rank]);
        for (const uint32_t node : order->Get(rank))
        {
            TraceExchange exchange;
            ResolveTraceExchange(collection, rank, collection.Get(rank).nodes[node], exchange);
            const uint32_t call = matching.GetCall(rank, node);
            writer.Add(node, exchange, exchange.isExchange ? matching.GetCalls()[call].group : 0);
        }
        job.ranks.push_back(writer.Take());
    }
    return {};
}

/** Adds a number to the names of groups that share a name. */
void
NumberGroups(std::vector<JobPrograms::Group>& groups)
{
    std::map<std::string, uint32_t> count;
    for (const JobPrograms::Group& group : groups)
    {
        ++count[group.name];
    }
    std::map<std::string, uint32_t> number;
    for (JobPrograms::Group& group : groups)
    {
        if (count[group.name] > 1)
        {
            group.name += " " + std::to_string(number[group.name]++);
        }
    }
}

} // namespace

TraceResult
MakeTracePrograms(const TraceCollection& collection, JobPrograms& job)
{
    if (collection.GetRanks() > 0 && collection.AreWhole())
    {
        JobPrograms whole;
        TraceResult error = MakeWholePrograms(collection, whole);
        if (!error)
        {
            whole.skipped = collection.GetSkipped();
            whole.isWhole = true;
            job = std::move(whole);
        }
        return error;
    }
    std::map<const TraceRank*, std::shared_ptr<const TraceOrder>> known;
    TraceOrders orders;
    uint64_t nodes = 0;
    for (uint32_t rank = 0; rank < collection.GetRanks(); ++rank)
    {
        std::shared_ptr<const TraceOrder>& order = known[&collection.Get(rank)];
        if (!order)
        {
            const auto made = std::make_shared<TraceOrder>();
            if (TraceResult error = MakeTraceOrder(collection, rank, *made))
            {
                return error;
            }
            order = made;
        }
        orders.push_back(order);
        nodes += order->sequence.size();
    }
    TraceError error;
    error.expected = "a trace of 1 or more ranks";
    error.found = "none";
    if (orders.empty())
    {
        return error;
    }
    JobPrograms made;
    TraceResult result;
    if (AreAlike(collection))
    {
        result = MakeAlike(collection, *orders[0], made);
    }
    else if (nodes > collection.GetLimit())
    {
        error = TraceError();
        error.expected = "up to " + std::to_string(collection.GetLimit()) +
                         " nodes in all ranks together (the limit of the collection)";
        error.found = std::to_string(nodes);
        return error;
    }
    else
    {
        result = MakeDifferent(collection, orders, made);
    }
    if (!result)
    {
        NumberGroups(made.groups);
        made.skipped = collection.GetSkipped();
        job = std::move(made);
    }
    return result;
}

} // namespace ns3
