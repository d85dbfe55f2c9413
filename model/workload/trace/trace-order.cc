/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace ns3
{

namespace
{

/** Converts ids to indices, each once. @return the first unknown id, if there is one */
std::optional<uint64_t>
Resolve(const TraceRank& own, const std::vector<uint64_t>& ids, std::vector<uint32_t>& numbers)
{
    for (const uint64_t id : ids)
    {
        const auto found = own.numbers.find(id);
        if (found == own.numbers.end())
        {
            return id;
        }
        numbers.push_back(found->second);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return {};
}

/**
 * Finds the nodes before and after each node of a rank.
 * @param [out] waits number of dependencies, by node
 * @return the error, if a node depends on one that the rank does not have
 */
TraceResult
ResolveDependencies(const TraceCollection& collection,
                    uint32_t rank,
                    TraceOrder& order,
                    std::vector<uint32_t>& waits)
{
    const TraceRank& own = collection.Get(rank);
    for (uint32_t node = 0; node < own.nodes.size(); ++node)
    {
        const TraceNode& one = own.nodes[node];
        std::optional<uint64_t> missing = Resolve(own, one.after, order.after[node]);
        missing = missing ? missing : Resolve(own, one.begun, order.begun[node]);
        if (missing)
        {
            return collection.MakeError(rank,
                                        one,
                                        "node " + std::to_string(one.id) +
                                            " to come after nodes of its rank",
                                        "node " + std::to_string(*missing) + ", which rank " +
                                            std::to_string(rank) + " does not have");
        }
        for (const uint32_t earlier : order.after[node])
        {
            order.followers[earlier].push_back(node);
        }
        for (const uint32_t earlier : order.begun[node])
        {
            order.followers[earlier].push_back(node);
            order.marked[earlier] = true;
        }
        waits[node] = order.after[node].size() + order.begun[node].size();
    }
    return {};
}

/**
 * @param waits number of dependencies, by node; some are left if nodes wait for each other
 * @return the other nodes, each after its dependencies; of several, the least is first
 */
std::vector<uint32_t>
MakeSequence(const TraceOrder& order, std::vector<uint32_t>& waits)
{
    std::vector<uint32_t> sequence;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t node = 0; node < waits.size(); ++node)
    {
        if (waits[node] == 0)
        {
            ready.push(node);
        }
    }
    while (!ready.empty())
    {
        const uint32_t node = ready.top();
        ready.pop();
        sequence.push_back(node);
        for (const uint32_t follower : order.followers[node])
        {
            if (--waits[follower] == 0)
            {
                ready.push(follower);
            }
        }
    }
    return sequence;
}

/**
 * @return the error of nodes that wait for each other
 * @param waits number of dependencies, by node
 */
TraceError
DescribeCycle(const TraceCollection& collection,
              uint32_t rank,
              const TraceOrder& order,
              const std::vector<uint32_t>& waits)
{
    const std::vector<TraceNode>& nodes = collection.Get(rank).nodes;
    const auto before = [&order, &waits](uint32_t node) {
        for (const auto& earlier : {std::cref(order.after[node]), std::cref(order.begun[node])})
        {
            for (const uint32_t one : earlier.get())
            {
                if (waits[one] > 0)
                {
                    return one;
                }
            }
        }
        return node;
    };
    // a walk back from a waiting node ends in a cycle
    uint32_t node =
        std::find_if(waits.begin(), waits.end(), [](uint32_t n) { return n > 0; }) - waits.begin();
    for (std::size_t step = 0; step < nodes.size(); ++step)
    {
        node = before(node);
    }
    constexpr uint32_t MOST = 5;
    std::string words = "node " + std::to_string(nodes[node].id);
    uint32_t at = node;
    for (uint32_t step = 0; step < MOST && (step == 0 || at != node); ++step)
    {
        at = before(at);
        words += " after " + std::to_string(nodes[at].id);
    }
    return collection.MakeError(rank,
                                nodes[node],
                                "nodes of rank " + std::to_string(rank) +
                                    " that do not wait for themselves",
                                words + (at == node ? "" : " and so on"));
}

} // namespace

TraceResult
MakeTraceOrder(const TraceCollection& collection, uint32_t rank, TraceOrder& order)
{
    const TraceRank& own = collection.Get(rank);
    const uint32_t count = own.nodes.size();
    order = TraceOrder();
    order.after.resize(count);
    order.begun.resize(count);
    order.followers.resize(count);
    order.marked.resize(count);
    std::vector<uint32_t> waits(count);
    if (TraceResult error = ResolveDependencies(collection, rank, order, waits))
    {
        return error;
    }
    order.sequence = MakeSequence(order, waits);
    if (order.sequence.size() < count)
    {
        return DescribeCycle(collection, rank, order, waits);
    }
    return {};
}

} // namespace ns3
