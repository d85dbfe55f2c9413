/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Algorithms for ranks with few ports: rounds, partners and bytes are derived here again.

#include "ns3/collective-algorithm.h"
#include "ns3/gather-plan.h"
#include "ns3/ring-orders.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;

CollectiveParameters
MakeWithPorts(Kind kind, uint32_t ranks, uint32_t ports, uint32_t channels = 1)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = ranks;
    parameters.ports = ports;
    parameters.channels = channels;
    parameters.bidirectional = channels % 2 == 0;
    parameters.straggler = ranks - 1;
    return parameters;
}

/** @return the greatest number of others that a stage joins a rank with */
uint32_t
GetMostPartners(const CollectiveSchedule& schedule)
{
    uint32_t most = 0;
    for (const CollectiveSchedule::Stage& stage : schedule.GetStages())
    {
        std::map<uint32_t, uint32_t> partners;
        for (const auto& [one, other] : stage.pairs)
        {
            most = std::max({most, ++partners[one], ++partners[other]});
        }
    }
    return most;
}

/** @return the rounds in which 1 becomes n, or more, if each multiplies by a factor */
uint32_t
CountMultiplications(uint32_t n, uint32_t factor)
{
    uint32_t rounds = 0;
    for (uint64_t reached = 1; reached < n; reached *= factor)
    {
        ++rounds;
    }
    return rounds;
}

/** @return the rounds of recursive multiplying: each brings as much from each partner as is there
 */
uint32_t
GetRoundsOfMultiplying(uint32_t n, uint32_t ports)
{
    if (ports == 1)
    {
        return CountMultiplications(n, 2) + n % 2;
    }
    if (ports % 2 == 0 || n % 2 != 0)
    {
        return CountMultiplications(n, ports / 2 * 2 + 1);
    }
    uint32_t set = 0;
    for (uint32_t size = 2; size <= ports + 1; size += 2)
    {
        set = n % size == 0 ? size : set;
    }
    return 1 + CountMultiplications(n / set, ports + 1);
}

} // namespace

TEST(FewPorts, LargeGroupsOfAnyNumberOfRanksAndPortsAreProved)
{
    std::mt19937 random(29); // the verifier's tests have all small ones
    for (const Kind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            for (int draw = 0; draw < 4 && algorithm->isReserve; ++draw)
            {
                const uint32_t n = 34 + random() % 60;
                const uint32_t ports = algorithm->usesPorts ? 2 + random() % 8 : 1;
                const CollectiveParameters parameters =
                    MakeWithPorts(kind, n, ports, 1 + random() % 2);
                if (algorithm->GetWhyNot(parameters).empty())
                {
                    EXPECT_EQ(GetMistakeOf(*algorithm, parameters), "")
                        << algorithm->name << " for " << parameters.GetKey();
                }
            }
        }
    }
}

TEST(FewPorts, WithOnePortEachRoundIsAMatchingAndTheRoundsAreTheFewest)
{
    for (uint32_t n = 2; n <= 40; ++n)
    {
        // each round doubles the shares of a rank at most; of an odd number one is idle in each
        // round, and Knoedel shows that it takes one more
        const uint32_t fewest = CountMultiplications(n, 2) + n % 2;
        for (const auto& [kind, name] :
             std::vector<std::pair<Kind, std::string>>{{Kind::ALL_GATHER, "recursive-doubling"},
                                                       {Kind::REDUCE_SCATTER, "recursive-halving"},
                                                       {Kind::BARRIER, "recursive-doubling"}})
        {
            const CollectiveSchedule schedule =
                CollectiveAlgorithm::Get(kind, name).Make(MakeWithPorts(kind, n, 1));
            EXPECT_EQ(schedule.GetRounds(), fewest) << name << " of " << n;
            EXPECT_EQ(GetMostPartners(schedule), 1U) << name << " of " << n;
            EXPECT_LE(schedule.GetStages().size(), fewest) << name << " of " << n;
        }
        const CollectiveSchedule sum =
            CollectiveAlgorithm::Get(Kind::ALL_REDUCE, "halving-doubling")
                .Make(MakeWithPorts(Kind::ALL_REDUCE, n, 1));
        EXPECT_EQ(GetMostPartners(sum), 1U) << n;
        const CollectiveSchedule all = CollectiveAlgorithm::Get(Kind::ALL_TO_ALL, "matchings")
                                           .Make(MakeWithPorts(Kind::ALL_TO_ALL, n, 1));
        EXPECT_EQ(GetMostPartners(all), 1U) << n;
        EXPECT_EQ(all.GetRounds(), n - 1 + n % 2) << n;
    }
}

TEST(FewPorts, AnEvenNumberOfRanksSendsAndReceivesEachShareOnce)
{
    for (uint32_t n = 2; n <= 40; ++n)
    {
        const GatherPlan plan = MakeDoublingPlan(n);
        std::vector<uint32_t> sent(n);
        std::vector<std::set<uint32_t>> has(n);
        for (const GatherStep& step : plan.steps)
        {
            ++sent[step.from];
            EXPECT_TRUE(has[step.to].insert(step.share).second) << n;
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            EXPECT_EQ(has[rank].size(), n - 1) << n;
            EXPECT_EQ(has[rank].count(rank), 0U) << n;
            if (n % 2 == 0)
            {
                EXPECT_EQ(sent[rank], n - 1) << n;
            }
        }
    }
}

TEST(FewPorts, MultiplyingHasAPartnerOnEachPortAndTheRoundsOfTheRadix)
{
    for (uint32_t n = 2; n <= 40; ++n)
    {
        for (uint32_t ports = 1; ports <= 8; ++ports)
        {
            const GatherPlan plan = MakeMultiplyingPlan(n, ports);
            EXPECT_EQ(plan.rounds, GetRoundsOfMultiplying(n, ports)) << n << " " << ports;
            std::map<uint32_t, std::set<std::pair<uint32_t, uint32_t>>> partners;
            std::vector<uint32_t> received(n);
            for (const GatherStep& step : plan.steps)
            {
                partners[step.round].insert({step.from, step.to});
                partners[step.round].insert({step.to, step.from});
                ++received[step.to];
            }
            for (const auto& [round, pairs] : partners)
            {
                std::vector<uint32_t> degree(n);
                for (const auto& [one, other] : pairs)
                {
                    ++degree[one];
                }
                EXPECT_LE(*std::max_element(degree.begin(), degree.end()), ports)
                    << n << " " << ports;
            }
            EXPECT_EQ(received, std::vector<uint32_t>(n, n - 1)) << n << " " << ports;
        }
    }
}

TEST(FewPorts, MultiplyingInBothDirectionsUsesTheLinksOfAnEvenNumberOfPortsEqually)
{
    // a rank with 2 ports gets n - 1 shares over 2 links, half of each share in either direction
    for (const uint32_t n : {6, 8, 14, 20})
    {
        const CollectiveSchedule schedule =
            CollectiveAlgorithm::Get(Kind::ALL_GATHER, "recursive-multiplying")
                .Make(MakeWithPorts(Kind::ALL_GATHER, n, 2, 2));
        std::map<uint32_t, std::map<uint32_t, uint64_t>> from; // bytes to rank 0, by round
        for (const CollectiveTransfer& it : schedule.GetTransfers())
        {
            if (it.to == 0)
            {
                from[it.round][it.from] += schedule.GetBytes(it.chunk, 2 * n);
            }
        }
        for (const auto& [round, bytes] : from)
        {
            ASSERT_EQ(bytes.size(), 2U) << n;
            EXPECT_EQ(bytes.begin()->second, bytes.rbegin()->second) << n;
        }
    }
}

TEST(FewPorts, SeveralMatchingsAtOnceTakeAsManyTimesFewerRounds)
{
    for (uint32_t n = 2; n <= 20; ++n)
    {
        for (uint32_t ports = 1; ports <= 8; ++ports)
        {
            const CollectiveSchedule schedule =
                CollectiveAlgorithm::Get(Kind::ALL_TO_ALL, "multi-matching")
                    .Make(MakeWithPorts(Kind::ALL_TO_ALL, n, ports));
            const uint32_t matchings = n - 1 + n % 2;
            EXPECT_EQ(schedule.GetRounds(), (matchings + ports - 1) / ports) << n << " " << ports;
            EXPECT_LE(GetMostPartners(schedule), ports) << n << " " << ports;
        }
    }
}

TEST(FewPorts, StragglArByHalvingIsAllMatchings)
{
    for (uint32_t n = 4; n <= 20; n += 2)
    {
        const CollectiveSchedule halving =
            CollectiveAlgorithm::Get(Kind::ALL_REDUCE, "straggl-ar-halving")
                .Make(MakeWithPorts(Kind::ALL_REDUCE, n, 1));
        const CollectiveSchedule ring = CollectiveAlgorithm::Get(Kind::ALL_REDUCE, "straggl-ar")
                                            .Make(MakeWithPorts(Kind::ALL_REDUCE, n, 1));
        EXPECT_EQ(GetMostPartners(halving), 1U) << n;
        // n - 2 rounds of a ring of n - 1, or those of halving; the rest is the same
        EXPECT_EQ(halving.GetRounds() + n - 2,
                  ring.GetRounds() + CountMultiplications(n - 1, 2) + 1);
    }
}

TEST(FewPorts, RingsUseEachLinkEqually)
{
    for (uint32_t n = 3; n <= 24; ++n)
    {
        for (uint32_t ports = 2; ports <= 9; ++ports)
        {
            const uint32_t neighbors = GetRingNeighbors(n, ports);
            ASSERT_LE(neighbors, ports);
            const std::vector<RingOrder> orders = MakeRingOrders(n, neighbors);
            EXPECT_EQ(orders.size(), neighbors % 2 == 0 ? neighbors / 2 : neighbors);
            std::map<RankPair, uint32_t> links;
            std::vector<uint32_t> degree(n);
            for (const RingOrder& order : orders)
            {
                ASSERT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), n);
                ASSERT_EQ(order.size(), n);
                for (uint32_t place = 0; place < n; ++place)
                {
                    const uint32_t next = order[(place + 1) % n];
                    ++links[std::minmax(order[place], next)];
                }
            }
            for (const auto& [pair, rings] : links)
            {
                EXPECT_EQ(rings, neighbors % 2 == 0 ? 1U : 2U) << n << " " << ports;
                ++degree[pair.first];
                ++degree[pair.second];
            }
            EXPECT_EQ(degree, std::vector<uint32_t>(n, neighbors)) << n << " " << ports;
        }
    }
}

TEST(FewPorts, AnOddNumberOfPortsIsFullIfTheNumberOfRanksIsEven)
{
    for (uint32_t n = 4; n <= 24; ++n)
    {
        for (uint32_t ports = 2; ports < n; ++ports)
        {
            // n p ends of links are an even number, so one port is idle if both are odd
            EXPECT_EQ(GetRingNeighbors(n, ports), ports - (n % 2) * (ports % 2));
        }
    }
}
