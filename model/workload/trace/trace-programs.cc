/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-programs.h"

#include "trace-job-order.h"
#include "trace-matching.h"
#include "trace-order.h"

#include <map>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/** Writes the program of one rank. */
class ProgramWriter
{
  public:
    ProgramWriter(const TraceCollection& collection, uint32_t rank, const TraceOrder& order)
        : m_collection(collection),
          m_rank(rank),
          m_order(order),
          m_program(std::make_shared<RankProgram>()),
          m_operationOf(order.sequence.size())
    {
        m_streams[{TraceNode::Kind::COMPUTE, 0}] = 0;
    }

    /** Adds a node. @param node it @param talk what it comes to @param group of the job, of talk */
    void Add(uint32_t node, const TraceExchange& exchange, uint32_t group)
    {
        const TraceNode& one = m_collection.Get(m_rank).nodes[node];
        RankOperation operation;
        operation.label = one.name;
        operation.stream = exchange.isExchange ? GetStream(one.kind, group)
                                               : GetStream(TraceNode::Kind::COMPUTE, one.stream);
        for (const uint32_t earlier : m_order.after[node])
        {
            operation.after.push_back(m_operationOf[earlier]);
        }
        for (const uint32_t earlier : m_order.begun[node])
        {
            operation.after.push_back(m_markerOf.at(earlier));
        }
        if (m_order.marked[node])
        {
            RankOperation marker = operation;
            marker.label = one.name.empty() ? "begins" : one.name + " begins";
            m_markerOf[node] = m_program->Add(marker);
            operation.after.clear();
        }
        if (!exchange.isExchange)
        {
            operation.duration = one.kind == TraceNode::Kind::COMPUTE ? one.duration : 0;
        }
        else
        {
            SetExchange(operation, one, exchange, group);
        }
        m_operationOf[node] = m_program->Add(operation);
    }

    /** @return the program, and the job's groups that it means */
    TraceProgram Take()
    {
        return {m_program, m_groups};
    }

  private:
    /** @return a stream of the program @param kind of what goes on it @param number its own */
    uint32_t GetStream(TraceNode::Kind kind, uint32_t number)
    {
        return m_streams.emplace(std::make_pair(kind, number), m_streams.size()).first->second;
    }

    /** Fills in what others take part in. */
    void SetExchange(RankOperation& operation,
                     const TraceNode& node,
                     const TraceExchange& exchange,
                     uint32_t group)
    {
        const auto known = m_groupOf.emplace(group, m_groups.size());
        if (known.second)
        {
            m_groups.push_back(group);
        }
        operation.group = known.first->second;
        operation.bytes = exchange.bytes;
        if (node.kind == TraceNode::Kind::COLLECTIVE)
        {
            operation.kind = RankOperation::Kind::COLLECTIVE;
            operation.collective = node.collective;
            operation.place = exchange.rootPlace;
            return;
        }
        operation.kind = node.kind == TraceNode::Kind::SEND ? RankOperation::Kind::SEND
                                                            : RankOperation::Kind::RECEIVE;
        operation.place = node.peer > m_rank ? 1 : 0; // a group of two, the lower rank first
    }

    const TraceCollection& m_collection;
    uint32_t m_rank;
    const TraceOrder& m_order;
    std::shared_ptr<RankProgram> m_program;
    std::vector<uint32_t> m_operationOf;     //!< by node
    std::map<uint32_t, uint32_t> m_markerOf; //!< by node that others wait for to begin
    std::map<uint32_t, uint32_t> m_groupOf;  //!< of the program, by the job's
    std::vector<uint32_t> m_groups;          //!< of the job, by the program's
    std::map<std::pair<TraceNode::Kind, uint32_t>, uint32_t> m_streams;
};

/** @return whether all ranks do the same, and nobody names a rank */
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

/** @return the first node that each group name is in, of a rank */
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
 * Where all ranks do the same, the order of one is an order of the job: every call finds the others
 * at the same place of theirs. Ranks whose groups have the same sizes share a program.
 */
TraceResult
MakeAlike(const TraceCollection& collection, const TraceOrder& order, TraceJob& job)
{
    const TraceRank& own = collection.Get(0);
    std::vector<uint32_t> nameOf;
    const std::vector<uint32_t> names = FindNames(own, nameOf);
    std::map<std::pair<std::vector<std::size_t>, std::vector<uint32_t>>, TraceProgram> programs;
    std::map<uint32_t, uint32_t> places; // of the job's groups, by the collection's
    for (uint32_t rank = 0; rank < collection.GetRanks(); ++rank)
    {
        std::vector<uint32_t> groups;   // by name
        std::vector<std::size_t> sizes; // by name
        std::vector<uint32_t> same;     // by name: the first that means the same group
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
        auto [program, isNew] = programs.emplace(std::make_pair(sizes, same), TraceProgram());
        if (isNew)
        {
            ProgramWriter writer(collection, rank, order);
            for (const uint32_t node : order.sequence)
            {
                TraceExchange exchange;
                if (TraceResult error =
                        ResolveTraceExchange(collection, rank, own.nodes[node], exchange))
                {
                    return error;
                }
                // numbers stand for names until each rank's groups are put in
                writer.Add(node, exchange, exchange.isExchange ? same[nameOf[node]] : 0);
            }
            program->second = writer.Take();
        }
        TraceProgram its = program->second;
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

/** Where ranks differ, an order of the whole job is looked for. */
TraceResult
MakeDifferent(const TraceCollection& collection, const TraceOrders& orders, TraceJob& job)
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
        ProgramWriter writer(collection, rank, *orders[rank]);
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

/** Groups that share a name get a number behind it. */
void
TellGroupsApart(std::vector<TraceGroup>& groups)
{
    std::map<std::string, uint32_t> count;
    for (const TraceGroup& group : groups)
    {
        ++count[group.name];
    }
    std::map<std::string, uint32_t> number;
    for (TraceGroup& group : groups)
    {
        if (count[group.name] > 1)
        {
            group.name += " " + std::to_string(number[group.name]++);
        }
    }
}

} // namespace

TraceResult
MakeTracePrograms(const TraceCollection& collection, TraceJob& job)
{
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
    TraceJob made;
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
        TellGroupsApart(made.groups);
        job = std::move(made);
    }
    return result;
}

} // namespace ns3
