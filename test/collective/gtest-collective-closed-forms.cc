/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The textbook figures of each algorithm, derived here again: rounds, bytes, peers.

#include "ns3/collective-algorithm.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;
using Action = CollectiveTransfer::Action;
using Wires = CollectiveTransfer::Wires;

std::vector<uint32_t>
GetSizes()
{
    std::vector<uint32_t> sizes{64};
    for (uint32_t n = 2; n <= 33; ++n)
    {
        sizes.push_back(n);
    }
    return sizes;
}

/** @return the rounds in which one that doubles becomes n, or more */
uint32_t
CountDoublings(uint32_t n)
{
    uint32_t rounds = 0;
    for (uint64_t reached = 1; reached < n; reached *= 2)
    {
        ++rounds;
    }
    return rounds;
}

CollectiveSchedule
Make(Kind kind,
     const std::string& name,
     uint32_t ranks,
     uint32_t perServer = 1,
     uint32_t channels = 1)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    parameters.channels = channels;
    parameters.perServer = perServer;
    const CollectiveAlgorithm& algorithm = CollectiveAlgorithm::Get(kind, name);
    EXPECT_EQ(algorithm.GetWhyNot(parameters), "") << name << ' ' << parameters.GetKey();
    return algorithm.Make(parameters);
}

/** The transfers of a rank in a schedule, in bytes of a buffer. */
struct Share
{
    uint64_t sent{0};
    uint64_t received{0};
    uint64_t onRail{0}; //!< of those sent
    std::set<uint32_t> peers;
};

std::vector<Share>
GetSharesOf(const CollectiveSchedule& schedule, uint64_t buffer)
{
    std::vector<Share> shares(schedule.GetParameters().ranks);
    for (const CollectiveTransfer& it : schedule.GetTransfers())
    {
        const uint64_t bytes = schedule.GetBytes(it.chunk, buffer);
        shares[it.from].sent += bytes;
        shares[it.from].onRail += it.wires == Wires::RAIL ? bytes : 0;
        shares[it.to].received += bytes;
        shares[it.from].peers.insert(it.to);
        shares[it.to].peers.insert(it.from);
    }
    return shares;
}

} // namespace

TEST(CollectiveClosedForms, ARingTakesAsManyStepsAsThereAreOthersAndHasTwoPeers)
{
    for (const uint32_t n : GetSizes())
    {
        const CollectiveSchedule allGather = Make(Kind::ALL_GATHER, "ring", n);
        const CollectiveSchedule allReduce = Make(Kind::ALL_REDUCE, "ring", n);
        EXPECT_EQ(allGather.GetRounds(), n - 1);
        EXPECT_EQ(Make(Kind::REDUCE_SCATTER, "ring", n).GetRounds(), n - 1);
        EXPECT_EQ(allReduce.GetRounds(), 2 * (n - 1));
        for (const Share& share : GetSharesOf(allReduce, n))
        {
            EXPECT_EQ(share.sent, 2 * (n - 1)); // of n bytes a share is one
            EXPECT_EQ(share.received, 2 * (n - 1));
            EXPECT_LE(share.peers.size(), 2U);
        }
        EXPECT_EQ(allGather.GetStages().size(), 1U); // the same circuits all along
    }
}

TEST(CollectiveClosedForms, OfABidirectionalRingEachPairHasHalfOfTheBufferBothWays)
{
    for (const uint32_t n : {3, 8, 13})
    {
        CollectiveParameters parameters;
        parameters.kind = Kind::ALL_GATHER;
        parameters.ranks = n;
        parameters.channels = 2;
        parameters.bidirectional = true;
        const CollectiveSchedule schedule =
            CollectiveAlgorithm::Get(Kind::ALL_GATHER, "ring").Make(parameters);
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
        for (const CollectiveTransfer& it : schedule.GetTransfers())
        {
            bytes[{it.from, it.to}] += schedule.GetBytes(it.chunk, 2 * n);
        }
        EXPECT_EQ(bytes.size(), 2 * n);
        for (const auto& [ranks, sent] : bytes)
        {
            EXPECT_EQ(sent, n - 1); // of 2 n bytes half a share is one
        }
    }
}

TEST(CollectiveClosedForms, HalvingDoublingTakesTwoRoundsForEachHalving)
{
    for (const uint32_t n : GetSizes())
    {
        const CollectiveSchedule schedule = Make(Kind::ALL_REDUCE, "halving-doubling", n);
        if (n % 2 == 0)
        {
            // a round more doubles once more, and there are n shares of a byte
            EXPECT_EQ(schedule.GetRounds(), 2 * CountDoublings(n));
            for (const Share& share : GetSharesOf(schedule, n))
            {
                EXPECT_EQ(share.sent, 2 * (n - 1)) << n;
                EXPECT_EQ(share.received, 2 * (n - 1)) << n;
                EXPECT_LE(share.peers.size(), CountDoublings(n));
            }
            continue;
        }
        const uint32_t halvings = CountDoublings(n) - 1;
        const uint32_t core = 1U << halvings;
        EXPECT_EQ(schedule.GetRounds(), 2 * halvings + 2);
        const std::vector<Share> shares = GetSharesOf(schedule, core);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            // halves, quarters, ... down to one byte; and for those outside the core all of it
            uint64_t due = rank < core ? 0 : core;
            for (uint64_t half = core / 2; rank < core && half > 0; half /= 2)
            {
                due += 2 * half;
            }
            due += rank + core < n ? core : 0;
            EXPECT_EQ(shares[rank].sent, due) << n;
            EXPECT_EQ(shares[rank].received, due) << n;
            EXPECT_LE(shares[rank].peers.size(), halvings + 1);
        }
    }
}

TEST(CollectiveClosedForms, HalvingDoublingIsAMatchingInEachRoundAndMostBytesGoTheShortestWay)
{
    const CollectiveSchedule schedule = Make(Kind::ALL_REDUCE, "halving-doubling", 16);
    std::vector<std::set<uint32_t>> distances(schedule.GetRounds());
    std::vector<uint64_t> bytes(schedule.GetRounds());
    for (const CollectiveTransfer& it : schedule.GetTransfers())
    {
        distances[it.round].insert(it.from ^ it.to);
        bytes[it.round] += it.from == 0 ? schedule.GetBytes(it.chunk, 16) : 0;
    }
    const std::vector<uint32_t> distance{1, 2, 4, 8, 8, 4, 2, 1};
    for (uint32_t round = 0; round < distance.size(); ++round)
    {
        EXPECT_EQ(distances[round], std::set<uint32_t>{distance[round]});
        EXPECT_EQ(bytes[round] * distance[round], 8U);
    }
    EXPECT_EQ(schedule.GetStages().size(), 7U); // the two rounds in the middle have one matching
}

TEST(CollectiveClosedForms, PatTakesALogarithmOfRoundsAndSendsOneShareTheLongestWay)
{
    for (const uint32_t n : GetSizes())
    {
        const uint32_t rounds = CountDoublings(n);
        for (const Kind kind : {Kind::ALL_GATHER, Kind::REDUCE_SCATTER})
        {
            const CollectiveSchedule schedule = Make(kind, "pat", n);
            EXPECT_EQ(schedule.GetRounds(), rounds);
            std::vector<uint32_t> sent(rounds);
            for (const CollectiveTransfer& it : schedule.GetTransfers())
            {
                const uint32_t fromEnd =
                    kind == Kind::ALL_GATHER ? rounds - 1 - it.round : it.round;
                const uint32_t ahead =
                    (kind == Kind::ALL_GATHER ? it.to + n - it.from : it.from + n - it.to) % n;
                EXPECT_EQ(ahead, 1U << fromEnd);
                sent[fromEnd] += it.from == 0 ? 1 : 0;
            }
            EXPECT_EQ(sent[rounds - 1], 1U);
            EXPECT_EQ(sent[0], n / 2);
            for (const Share& share : GetSharesOf(schedule, n))
            {
                EXPECT_EQ(share.sent, n - 1);
                EXPECT_EQ(share.received, n - 1);
                EXPECT_LE(share.peers.size(), 2 * rounds);
            }
        }
    }
}

TEST(CollectiveClosedForms, PatReduceScatterIsThePatAllGatherBackwards)
{
    for (const uint32_t n : {2, 5, 8, 13})
    {
        using Step = std::array<uint32_t, 4>;
        std::set<Step> forward;
        std::set<Step> backward;
        const CollectiveSchedule gather = Make(Kind::ALL_GATHER, "pat", n);
        for (const CollectiveTransfer& it : gather.GetTransfers())
        {
            forward.insert({it.round, it.from, it.to, it.chunk});
        }
        const CollectiveSchedule scatter = Make(Kind::REDUCE_SCATTER, "pat", n);
        for (const CollectiveTransfer& it : scatter.GetTransfers())
        {
            backward.insert({gather.GetRounds() - 1 - it.round, it.to, it.from, it.chunk});
        }
        EXPECT_EQ(forward, backward);
    }
}

TEST(CollectiveClosedForms, ABarrierTakesALogarithmOfRoundsAndNoBytes)
{
    for (const uint32_t n : GetSizes())
    {
        const CollectiveSchedule schedule = Make(Kind::BARRIER, "dissemination", n);
        EXPECT_EQ(schedule.GetRounds(), CountDoublings(n));
        EXPECT_EQ(schedule.GetTransfers().size(), n * CountDoublings(n));
        EXPECT_EQ(schedule.GetBytesSent(0, 0), 0U);
    }
}

TEST(CollectiveClosedForms, DirectTakesOneRoundAndAllPairs)
{
    for (const uint32_t n : GetSizes())
    {
        for (const Kind kind : {Kind::ALL_GATHER, Kind::REDUCE_SCATTER})
        {
            const CollectiveSchedule schedule = Make(kind, "direct", n);
            EXPECT_EQ(schedule.GetRounds(), 1U);
            ASSERT_EQ(schedule.GetStages().size(), 1U);
            EXPECT_EQ(schedule.GetStages()[0].pairs.size(), n * (n - 1) / 2);
            for (const Share& share : GetSharesOf(schedule, n))
            {
                EXPECT_EQ(share.sent, n - 1);
                EXPECT_EQ(share.received, n - 1);
            }
        }
    }
    // in a server there is no need of circuits
    const CollectiveSchedule inside = Make(Kind::ALL_GATHER, "direct", 8, 8);
    EXPECT_TRUE(inside.GetStages()[0].pairs.empty());
    EXPECT_EQ(Make(Kind::SEND_RECV, "direct", 2).GetBytesSent(0, 1000), 1000U);
}

TEST(CollectiveClosedForms, OfTwoTreesEachSpansAllAndIsALogarithmDeep)
{
    for (const uint32_t n : GetSizes())
    {
        const CollectiveSchedule schedule = Make(Kind::ALL_REDUCE, "tree", n);
        const uint32_t levels = CountDoublings(n);
        EXPECT_EQ(schedule.GetRounds(), 2 * levels);
        EXPECT_EQ(schedule.GetStages().size(), 1U);
        std::vector<uint32_t> interior(n);
        for (const uint32_t tree : {0, 1})
        {
            std::map<uint32_t, uint32_t> parents;
            std::map<uint32_t, uint32_t> children;
            for (const CollectiveTransfer& it : schedule.GetTransfers())
            {
                if (it.chunk == tree && it.action == Action::REDUCE)
                {
                    EXPECT_TRUE(parents.emplace(it.from, it.to).second);
                    ++children[it.to];
                }
            }
            EXPECT_EQ(parents.size(), n - 1);
            uint32_t depth = 0;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                uint32_t hops = 0;
                for (uint32_t at = rank; parents.count(at) > 0 && hops <= n; at = parents[at])
                {
                    ++hops;
                }
                depth = std::max(depth, hops);
                EXPECT_LE(children[rank], 2U);
                interior[rank] += children[rank] > 0 ? 1 : 0;
            }
            EXPECT_EQ(depth, levels) << n;
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            // of an odd number of ranks one more than half have children in a tree
            EXPECT_LE(interior[rank], n % 2 == 1 && rank == 0 ? 2U : 1U) << rank << " of " << n;
        }
    }
}

TEST(CollectiveClosedForms, OnTreesMostRanksSendTheBufferTwiceWhateverTheNumberOfChannels)
{
    for (const uint32_t n : GetSizes())
    {
        for (const uint32_t channels : {1, 2, 3, 4})
        {
            const uint64_t buffer = 12 * 1000;
            const CollectiveSchedule schedule = Make(Kind::ALL_REDUCE, "tree", n, 1, channels);
            uint64_t sum = 0;
            uint32_t most = 0;
            for (const Share& share : GetSharesOf(schedule, buffer))
            {
                EXPECT_LE(share.sent, 2 * buffer);
                EXPECT_EQ(share.sent, share.received); // on each edge as much up as down
                EXPECT_LE(share.peers.size(), 4U);
                most += share.sent == 2 * buffer ? 1 : 0;
                sum += share.sent;
            }
            // n - 1 edges of a tree, up and down
            EXPECT_EQ(sum, 2 * (n - 1) * buffer);
            EXPECT_GE(most, n - std::min(n, 3U));
        }
    }
}

TEST(CollectiveClosedForms, HierarchicalPutsAServersPartOfTheBufferOnTheRail)
{
    for (const uint32_t g : {2, 3, 4, 8})
    {
        for (const uint32_t servers : {2, 3, 4, 7, 8})
        {
            const uint32_t n = g * servers;
            const CollectiveSchedule schedule = Make(Kind::ALL_REDUCE, "hierarchical", n, g);
            EXPECT_EQ(schedule.GetRounds(), 2 * (servers - 1) + 2);
            for (const Share& share : GetSharesOf(schedule, n))
            {
                // of n bytes each local rank's part is as many as there are servers
                EXPECT_EQ(share.onRail, 2 * (servers - 1));
                EXPECT_EQ(share.sent - share.onRail, 2 * (g - 1) * servers);
                EXPECT_EQ(share.received, share.sent);
            }
            ASSERT_EQ(schedule.GetStages().size(), 1U);
            EXPECT_EQ(schedule.GetStages()[0].pairs.size(), servers == 2 ? g : n);
            for (const RankPair& pair : schedule.GetStages()[0].pairs)
            {
                EXPECT_EQ(pair.first % g, pair.second % g); // one rail
            }
        }
    }
}

TEST(CollectiveClosedForms, WhereDistancesAreLogarithmicARingIsTheFallback)
{
    for (const Kind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            if (!algorithm->fallback.empty())
            {
                EXPECT_NE(CollectiveAlgorithm::Find(kind, algorithm->fallback), nullptr)
                    << algorithm->name;
            }
        }
    }
    EXPECT_EQ(CollectiveAlgorithm::Get(Kind::ALL_REDUCE, "tree").fallback, "ring");
    EXPECT_EQ(CollectiveAlgorithm::Get(Kind::ALL_REDUCE, "halving-doubling").fallback, "ring");
    EXPECT_EQ(CollectiveAlgorithm::Get(Kind::ALL_GATHER, "pat").fallback, "ring");
}

TEST(CollectiveClosedForms, LargeGroupsAreProvedToo)
{
    for (const uint32_t n : {64, 100, 128})
    {
        CollectiveParameters parameters;
        parameters.ranks = n;
        parameters.perServer = 4;
        for (const auto& [kind, name] :
             std::vector<std::pair<Kind, std::string>>{{Kind::ALL_REDUCE, "ring"},
                                                       {Kind::ALL_REDUCE, "tree"},
                                                       {Kind::ALL_REDUCE, "halving-doubling"},
                                                       {Kind::ALL_REDUCE, "hierarchical"},
                                                       {Kind::ALL_GATHER, "pat"},
                                                       {Kind::REDUCE_SCATTER, "pat"},
                                                       {Kind::BROADCAST, "ring"},
                                                       {Kind::BARRIER, "dissemination"}})
        {
            parameters.kind = kind;
            EXPECT_EQ(GetMistakeOf(CollectiveAlgorithm::Get(kind, name), parameters), "")
                << name << " of " << n;
        }
    }
}
