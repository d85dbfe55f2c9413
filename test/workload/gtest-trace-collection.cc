/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-test-tools.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace ns3;

namespace
{

constexpr auto COMPUTE = TraceNode::Kind::COMPUTE;
constexpr auto COLLECTIVE = TraceNode::Kind::COLLECTIVE;
constexpr auto SEND = TraceNode::Kind::SEND;
constexpr auto RECEIVE = TraceNode::Kind::RECEIVE;

TraceNode
MakeNode(uint64_t id, std::vector<uint64_t> after = {}, TraceNode::Kind kind = COMPUTE)
{
    TraceNode node;
    node.id = id;
    node.name = std::to_string(id);
    node.kind = kind;
    node.after = std::move(after);
    node.bytes = kind == COMPUTE ? 0 : 64;
    node.place = 100 + id;
    return node;
}

TraceNode
MakeMessage(uint64_t id, bool sends, uint32_t peer, uint64_t tag, std::vector<uint64_t> after = {})
{
    TraceNode node = MakeNode(id, std::move(after), sends ? SEND : RECEIVE);
    node.peer = peer;
    node.tag = tag;
    return node;
}

/** Makes a job of nodes by rank. */
TraceResult
Make(const std::vector<std::vector<TraceNode>>& ranks,
     JobPrograms& job,
     const std::vector<JobPrograms::Group>& groups = {})
{
    TraceCollection collection;
    collection.File("given", true);
    EXPECT_EQ(collection.Ranks(ranks.size()), "");
    for (const JobPrograms::Group& group : groups)
    {
        EXPECT_EQ(collection.Group(group.name, group.ranks), "");
    }
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    {
        for (const TraceNode& node : ranks[rank])
        {
            EXPECT_EQ(collection.Node(rank, node), "");
        }
    }
    return MakeTracePrograms(collection, job);
}

/** Fails unless there is an error at a line with some words, and no job. */
void
ExpectRefused(const std::vector<std::vector<TraceNode>>& ranks,
              uint64_t line,
              const std::string& words)
{
    JobPrograms job;
    const TraceResult error = Make(ranks, job, {{"pair", {0, 1}}});
    ASSERT_TRUE(error) << words;
    EXPECT_EQ(error->line, line) << error->ToString();
    EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
    EXPECT_TRUE(job.ranks.empty() && job.groups.empty()) << "half a job";
}

std::vector<std::string>
GetLabels(const JobPrograms& job, uint32_t rank)
{
    std::vector<std::string> labels;
    for (const RankOperation& one : job.ranks[rank].program->GetOperations())
    {
        labels.push_back(one.label);
    }
    return labels;
}

} // namespace

TEST(TraceCollection, NodesComeAfterWhatTheyWaitForAndElseAsInTheFile)
{
    JobPrograms job;
    // 4 waits for 2, which stands behind it; 9 and 7 wait for nothing
    ASSERT_FALSE(
        Make({{MakeNode(9), MakeNode(4, {2}), MakeNode(7), MakeNode(2), MakeNode(1, {4})}}, job));
    EXPECT_EQ(GetLabels(job, 0), (std::vector<std::string>{"9", "7", "2", "4", "1"}));
}

TEST(TraceCollection, RefusesWhatIsNoJob)
{
    TraceNode lost = MakeNode(3, {}, COLLECTIVE);
    lost.group = "nowhere";
    TraceNode pair = MakeNode(4, {}, COLLECTIVE);
    pair.group = "pair";
    TraceNode more = pair;
    more.bytes = 65;
    TraceNode other = pair;
    other.collective = CollectiveKind::ALL_GATHER;
    TraceNode rooted = pair;
    rooted.collective = CollectiveKind::BROADCAST;
    rooted.root = 2;
    TraceNode huge = pair;
    huge.ofShare = true;
    huge.bytes = uint64_t{1} << 63;
    TraceNode longer = MakeMessage(5, false, 0, 0);
    longer.bytes = 63;
    ExpectRefused({{MakeNode(1, {8})}, {}}, 101, "node 8, which rank 0 does not have");
    ExpectRefused({{MakeNode(1), MakeNode(2, {3}), MakeNode(3, {2})}, {}},
                  103,
                  "node 3 after 2 after 3");
    ExpectRefused({{MakeNode(1, {1})}, {}}, 101, "node 1 after 1");
    ExpectRefused({{lost}, {}}, 103, "group \"nowhere\"");
    ExpectRefused({{}, {}, {pair}}, 104, "a group that rank 2 is in");
    ExpectRefused({{pair}, {}}, 104, "1 that do");
    ExpectRefused({{pair}, {more}}, 104, "all-reduce of 65 bytes");
    ExpectRefused({{pair}, {other}}, 104, "as node 4 of rank 0");
    ExpectRefused({{rooted}, {rooted}, {}}, 104, "a root in group \"pair\"");
    ExpectRefused({{huge}, {huge}}, 104, "less than 2^64");
    ExpectRefused({{MakeMessage(5, true, 2, 0)}, {}}, 105, "another rank of 2");
    ExpectRefused({{MakeMessage(5, true, 0, 0)}, {}}, 105, "another rank of 2");
    ExpectRefused({{MakeMessage(5, true, 1, 0)}, {}}, 105, "no such receive");
    ExpectRefused({{}, {MakeMessage(6, false, 0, 0)}}, 106, "no such send");
    ExpectRefused({{MakeMessage(5, true, 1, 1)}, {MakeMessage(6, false, 0, 2)}}, 105, "tag 1");
    ExpectRefused({{MakeMessage(5, true, 1, 0)}, {longer}}, 105, "64 bytes");
}

TEST(TraceCollection, RefusesNodesAsTheyCome)
{
    TraceCollection collection(2);
    EXPECT_NE(collection.Node(0, MakeNode(1)), "") << "no ranks yet";
    EXPECT_NE(collection.Ranks(0), "");
    EXPECT_NE(collection.Ranks(MAX_TRACE_RANKS + 1), "");
    EXPECT_EQ(collection.Ranks(2), "");
    EXPECT_NE(collection.Ranks(3), "") << "another number of ranks";
    EXPECT_NE(collection.Group("a", {2}), "");
    TraceNode node = MakeNode(1);
    node.duration = NEVER - 2;
    EXPECT_EQ(collection.Node(0, node), "");
    EXPECT_NE(collection.Node(0, MakeNode(1)), "") << "an id twice";
    node.id = 2;
    EXPECT_NE(collection.Node(0, node), "") << "together they last longer than there is time";
    node.duration = -1;
    EXPECT_NE(collection.Node(1, node), "");
    EXPECT_NE(collection.Node(2, MakeNode(2)), "") << "no such rank";
    EXPECT_EQ(collection.Node(1, MakeNode(1)), "");
    EXPECT_NE(collection.Node(1, MakeNode(2)), "") << "more than the limit";
}

TEST(TraceCollection, RanksThatWaitForEachOtherAreFound)
{
    TraceNode a = MakeNode(1, {}, COLLECTIVE);
    a.group = "a";
    TraceNode b = MakeNode(2, {1}, COLLECTIVE);
    b.group = "b";
    TraceNode first = MakeNode(2, {}, COLLECTIVE);
    first.group = "b";
    TraceNode second = MakeNode(1, {2}, COLLECTIVE);
    second.group = "a";
    JobPrograms job;
    const std::vector<JobPrograms::Group> groups{{"a", {0, 1}}, {"b", {0, 1}}};
    const TraceResult error = Make({{a, b}, {first, second}}, job, groups);
    ASSERT_TRUE(error);
    EXPECT_NE(error->ToString().find("wait for each other"), std::string::npos);
    b.after.clear();
    ASSERT_FALSE(Make({{a, b}, {first, second}}, job, groups)) << "now both can go on at once";
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(TraceCollection, StreamsDelayNoIndependentRank)
{
    // rank 0 stands in the file with the operations that wait for rank 1 first; rank 1 waits for
    // those behind
    JobPrograms job;
    ASSERT_FALSE(Make({{MakeMessage(1, false, 1, 0),
                        MakeNode(2, {1}),
                        MakeNode(3),
                        MakeMessage(4, true, 1, 0, {3})},
                       {MakeMessage(1, false, 0, 0), MakeMessage(2, true, 0, 0, {1})}},
                      job));
    EXPECT_TRUE(JobPlayer(job).Play());
    // two tags of one pair, in one order at both ends, but the second must not wait for the first
    ASSERT_FALSE(Make(
        {{MakeMessage(3, false, 1, 0), MakeMessage(1, true, 1, 1, {3}), MakeMessage(2, true, 1, 2)},
         {MakeMessage(1, false, 0, 1),
          MakeMessage(2, false, 0, 2),
          MakeMessage(3, true, 0, 0, {2})}},
        job));
    EXPECT_TRUE(JobPlayer(job).Play());
    // and in another order
    ASSERT_FALSE(Make(
        {{MakeMessage(1, true, 1, 1, {3}), MakeMessage(2, true, 1, 2), MakeMessage(3, false, 1, 0)},
         {MakeMessage(1, false, 0, 1),
          MakeMessage(2, false, 0, 2),
          MakeMessage(3, true, 0, 0, {2})}},
        job));
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(TraceCollection, AllGatherOfSharesAndGroupsOfOne)
{
    TraceNode share = MakeNode(1, {}, COLLECTIVE);
    share.collective = CollectiveKind::ALL_GATHER;
    share.ofShare = true;
    share.bytes = 100;
    TraceNode alone = MakeNode(2, {1}, COLLECTIVE);
    alone.group = "alone";
    TraceNode nothing = MakeNode(3, {2}, COLLECTIVE);
    nothing.bytes = 0;
    JobPrograms job;
    const std::vector<TraceNode> nodes{share, alone, nothing};
    ASSERT_FALSE(
        Make({nodes, nodes, nodes}, job, {{"alone", {0}}, {"alone", {1}}, {"alone", {2}}}));
    ASSERT_EQ(job.groups.size(), 1U);
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        const auto& operations = job.ranks[rank].program->GetOperations();
        ASSERT_EQ(operations.size(), 3U);
        EXPECT_EQ(operations[0].bytes, 300U) << "three shares";
        EXPECT_FALSE(operations[1].IsExchange());
        EXPECT_FALSE(operations[2].IsExchange());
    }
}

TEST(TraceCollection, RanksThatDoTheSameShareAProgram)
{
    TraceCollection collection;
    ASSERT_EQ(collection.Ranks(6), "");
    ASSERT_EQ(collection.Group("tp", {0, 1}), "");
    ASSERT_EQ(collection.Group("tp", {2, 3}), "");
    ASSERT_EQ(collection.Group("tp", {4, 5}), "");
    ASSERT_EQ(collection.Group("dp", {0, 2, 4}), "");
    ASSERT_EQ(collection.Group("dp", {1, 3, 5}), "");
    ASSERT_EQ(collection.Alike(0, 0, 6), "");
    TraceNode tp = MakeNode(1, {}, COLLECTIVE);
    tp.group = "tp";
    TraceNode dp = MakeNode(2, {1}, COLLECTIVE);
    dp.group = "dp";
    ASSERT_EQ(collection.Node(0, tp), "");
    ASSERT_EQ(collection.Node(0, dp), "");
    EXPECT_NE(collection.Node(3, tp), "") << "it has no nodes of its own";
    JobPrograms job;
    ASSERT_FALSE(MakeTracePrograms(collection, job));
    ASSERT_EQ(job.ranks.size(), 6U);
    EXPECT_EQ(job.groups.size(), 5U);
    for (uint32_t rank = 0; rank < 6; ++rank)
    {
        EXPECT_EQ(job.ranks[rank].program, job.ranks[0].program);
        const uint32_t pair = rank / 2 * 2;
        EXPECT_EQ(job.groups[job.ranks[rank].groups[0]].ranks,
                  (std::vector<uint32_t>{pair, pair + 1}));
        EXPECT_EQ(job.groups[job.ranks[rank].groups[1]].ranks,
                  (std::vector<uint32_t>{rank % 2, 2 + rank % 2, 4 + rank % 2}));
    }
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(TraceCollection, NoHalfJobOfRanksThatDoTheSame)
{
    TraceCollection collection;
    ASSERT_EQ(collection.Ranks(3), "");
    ASSERT_EQ(collection.Group("tp", {0, 1}), "");
    ASSERT_EQ(collection.Alike(0, 0, 3), "");
    TraceNode tp = MakeNode(1, {}, COLLECTIVE);
    tp.group = "tp";
    ASSERT_EQ(collection.Node(0, tp), "");
    JobPrograms job;
    const TraceResult error = MakeTracePrograms(collection, job);
    ASSERT_TRUE(error);
    EXPECT_NE(error->ToString().find("rank 2 is in"), std::string::npos);
    EXPECT_TRUE(job.ranks.empty() && job.groups.empty());
}

namespace
{

/** A job that was done once in some order, and so can be done. */
class RandomTrace
{
  public:
    /**
     * @param seed of it @param isChained whether calls that are matched by order depend on each
     * other
     */
    RandomTrace(uint32_t seed, bool isChained)
        : m_random(seed),
          m_isChained(isChained),
          m_ranks(1 + m_random() % 5),
          m_tagsAreMany(m_random() % 2 == 0)
    {
        nodes.resize(m_ranks);
        for (uint32_t group = 0; group < 3; ++group)
        {
            std::vector<uint32_t> ranks(m_ranks);
            std::iota(ranks.begin(), ranks.end(), 0);
            std::shuffle(ranks.begin(), ranks.end(), m_random);
            ranks.resize(1 + m_random() % m_ranks);
            groups.push_back({"g" + std::to_string(group), ranks});
        }
        for (uint32_t step = 0; step < 40; ++step)
        {
            Act();
        }
    }

    std::vector<std::vector<TraceNode>> nodes;
    std::vector<JobPrograms::Group> groups;

  private:
    void Act()
    {
        ++m_bytes;
        const uint32_t rank = m_random() % m_ranks;
        const uint32_t choice = m_random() % 3;
        if (choice == 0)
        {
            Add(rank, MakeNode(0));
            nodes[rank].back().stream = m_random() % 2;
        }
        else if (choice == 1)
        {
            const JobPrograms::Group& group = groups[m_random() % groups.size()];
            for (const uint32_t one : group.ranks)
            {
                TraceNode node = MakeNode(0, {}, COLLECTIVE);
                node.group = group.name;
                Add(one, node);
                Chain(one, node.group);
            }
        }
        else if (m_ranks > 1)
        {
            const uint32_t peer = (rank + 1 + m_random() % (m_ranks - 1)) % m_ranks;
            const uint64_t tag = m_tagsAreMany ? ++m_tag : 0;
            Add(rank, MakeMessage(0, true, peer, tag));
            Chain(rank, "to " + std::to_string(peer) + " " + std::to_string(tag));
            Add(peer, MakeMessage(0, false, rank, tag));
            Chain(peer, "from " + std::to_string(rank) + " " + std::to_string(tag));
        }
    }

    void Add(uint32_t rank, TraceNode node)
    {
        const uint64_t count = nodes[rank].size();
        node.id = 1000 + count;
        node.name = std::to_string(node.id);
        node.bytes = m_bytes;
        for (uint32_t k = m_random() % 3; k > 0 && count > 0; --k)
        {
            const uint64_t earlier = 1000 + m_random() % count;
            (m_random() % 3 == 0 ? node.begun : node.after).push_back(earlier);
        }
        nodes[rank].push_back(node);
    }

    /** Calls that are matched by order have an order, whatever the order of the file. */
    void Chain(uint32_t rank, const std::string& flow)
    {
        if (!m_isChained)
        {
            return;
        }
        const auto last = m_last.emplace(std::make_pair(rank, flow), nodes[rank].back().id);
        if (!last.second)
        {
            nodes[rank].back().after.push_back(last.first->second);
            last.first->second = nodes[rank].back().id;
        }
    }

    std::mt19937 m_random;
    bool m_isChained;
    uint32_t m_ranks;
    bool m_tagsAreMany;
    uint64_t m_tag{0};
    uint64_t m_bytes{0}; //!< of each call others, to distinguish it from them
    std::map<std::pair<uint32_t, std::string>, uint64_t> m_last;
};

/** Fails unless a program holds all dependencies of the nodes it was made of. */
void
ExpectKept(const RankProgram& program, const std::vector<TraceNode>& nodes)
{
    std::map<std::string, uint32_t> numbers;
    const auto& operations = program.GetOperations();
    for (uint32_t number = 0; number < operations.size(); ++number)
    {
        EXPECT_TRUE(numbers.emplace(operations[number].label, number).second);
    }
    const auto follows = [&operations](uint32_t later, uint32_t earlier) {
        const auto& after = operations[later].after;
        return std::find(after.begin(), after.end(), earlier) != after.end() ||
               (operations[later].stream == operations[earlier].stream && earlier < later);
    };
    for (const TraceNode& node : nodes)
    {
        const bool isMarked = numbers.count(node.name + " begins") > 0;
        const uint32_t begins = numbers.at(isMarked ? node.name + " begins" : node.name);
        for (const uint64_t id : node.after)
        {
            EXPECT_TRUE(follows(begins, numbers.at(std::to_string(id))));
        }
        for (const uint64_t id : node.begun)
        {
            EXPECT_TRUE(follows(begins, numbers.at(std::to_string(id) + " begins")));
        }
    }
}

} // namespace

TEST(TraceCollection, WhatWasDoneOnceCanBeDoneAgain)
{
    for (uint32_t seed = 0; seed < 600; ++seed)
    {
        // without an order among calls that the trace requires, the file gives it
        const bool isChained = seed % 2 == 0;
        RandomTrace trace(seed, isChained);
        std::mt19937 random(seed);
        for (auto& nodes : trace.nodes)
        {
            if (isChained)
            {
                std::shuffle(nodes.begin(), nodes.end(), random);
            }
        }
        JobPrograms job;
        const TraceResult error = Make(trace.nodes, job, trace.groups);
        ASSERT_FALSE(error) << "seed " << seed << ": " << error->ToString();
        ASSERT_TRUE(JobPlayer(job).Play()) << "seed " << seed;
        for (uint32_t rank = 0; rank < trace.nodes.size(); ++rank)
        {
            ExpectKept(*job.ranks[rank].program, trace.nodes[rank]);
        }
    }
}
