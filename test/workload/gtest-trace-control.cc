/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Control dependencies of measured traces, some of which are circular.

#include "ns3/trace-control.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <unordered_map>
#include <vector>

using namespace ns3;

namespace
{

using Ids = std::vector<uint64_t>;

/** The nodes of a rank, with the ids 0, 1, 2 and so on. */
struct Nodes
{
    void Add(const Ids& after, const Ids& control)
    {
        TraceNode node;
        node.id = list.size();
        node.after = after;
        node.control = control;
        numbers[node.id] = list.size();
        list.push_back(node);
    }

    /** @return whether all can begin, each after its dependencies */
    bool CanRun() const
    {
        std::vector<bool> isOver(list.size());
        std::size_t over = 0;
        for (std::size_t before = list.size() + 1; before != over;)
        {
            before = over;
            for (const TraceNode& node : list)
            {
                const bool begins =
                    !isOver[node.id] && std::all_of(node.after.begin(),
                                                    node.after.end(),
                                                    [&](uint64_t id) { return isOver[id]; });
                over += begins ? 1 : 0;
                isOver[node.id] = isOver[node.id] || begins;
            }
        }
        return over == list.size();
    }

    std::vector<TraceNode> list;
    std::unordered_map<uint64_t, uint32_t> numbers;
};

} // namespace

TEST(TraceControl, WhatIsNotCircularIsKept)
{
    Nodes nodes;
    nodes.Add({}, {2}); // a later node of the file
    nodes.Add({0}, {0});
    nodes.Add({}, {});
    const TraceLeftOut leftOut = MergeControl(nodes.list, nodes.numbers);
    EXPECT_EQ(leftOut.missing + leftOut.circular, 0U);
    EXPECT_EQ(nodes.list[0].after, Ids{2});
    EXPECT_EQ(nodes.list[1].after, (Ids{0, 0}));
    EXPECT_TRUE(nodes.list[1].control.empty());
}

TEST(TraceControl, TheFirstNodeOfACircleBegins)
{
    Nodes nodes;
    nodes.Add({}, {1});     // waits for what it calls
    nodes.Add({0}, {1, 7}); // and for itself; 7 is not there
    const TraceLeftOut leftOut = MergeControl(nodes.list, nodes.numbers);
    EXPECT_EQ(leftOut.missing, 1U);
    EXPECT_EQ(leftOut.circular, 2U);
    EXPECT_TRUE(nodes.list[0].after.empty());
    EXPECT_EQ(nodes.list[1].after, Ids{0});
}

TEST(TraceControl, AnyNodesCanRun)
{
    std::mt19937 random(7);
    uint32_t whole = 0;
    for (uint32_t time = 0; time < 3000; ++time)
    {
        const uint32_t count = 1 + random() % 9;
        Nodes nodes;
        Ids control;
        for (uint32_t node = 0; node < count; ++node)
        {
            Ids after;
            for (uint32_t k = node > 0 ? random() % 2 : 0; k > 0; --k)
            {
                after.push_back(random() % node); // data dependencies are not circular
            }
            control.assign(random() % 2, random() % count);
            nodes.Add(after, control);
        }
        Nodes all = nodes;
        for (TraceNode& node : all.list)
        {
            node.after.insert(node.after.end(), node.control.begin(), node.control.end());
        }
        const TraceLeftOut leftOut = MergeControl(nodes.list, nodes.numbers);
        EXPECT_TRUE(nodes.CanRun());
        EXPECT_EQ(leftOut.circular == 0, all.CanRun()) << "left out only where it must be";
        whole += leftOut.circular == 0 ? 1 : 0;
    }
    EXPECT_GT(whole, 100U);
    EXPECT_LT(whole, 2900U);
}
