/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/collective-verifier.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t MOST = 33;

const CollectiveAlgorithm&
Find(CollectiveKind kind, const std::string& name)
{
    return CollectiveAlgorithm::Get(kind, name);
}

CollectiveParameters
MakeWithoutDemand(uint32_t ranks, uint32_t channels = 1, bool bidirectional = false)
{
    CollectiveParameters parameters;
    parameters.kind = CollectiveKind::ALL_TO_ALL;
    parameters.ranks = ranks;
    parameters.channels = channels;
    parameters.bidirectional = bidirectional;
    return parameters;
}

/** @return the same by a demand matrix that has zeros in it and is not symmetric */
CollectiveParameters
MakeWithDemand(uint32_t ranks, uint32_t channels = 1, bool bidirectional = false)
{
    CollectiveParameters parameters = MakeWithoutDemand(ranks, channels, bidirectional);
    parameters.kind = CollectiveKind::ALL_TO_ALL_V;
    auto demand = std::make_shared<DemandMatrix>(ranks);
    for (uint32_t from = 0; from < ranks; ++from)
    {
        for (uint32_t to = 0; to < ranks; ++to)
        {
            const uint64_t bytes = (from * from * 7 + to * 11 + 3) % 13;
            demand->Set(from, to, bytes < 6 || from == to ? 0 : 1001 * bytes);
        }
    }
    parameters.demand = demand;
    return parameters;
}

/** @return bytes by link direction */
std::map<std::pair<uint32_t, uint32_t>, uint64_t>
GetLoads(const CollectiveSchedule& schedule, uint64_t buffer)
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> loads;
    for (const CollectiveTransfer& transfer : schedule.GetTransfers())
    {
        loads[{transfer.from, transfer.to}] += schedule.GetBytes(transfer.chunk, buffer);
    }
    return loads;
}

/** Fails if a rank has two partners in a stage, or a pair meets again in another. */
void
ExpectPairsMeetOnceInMatchings(const CollectiveSchedule& schedule)
{
    std::set<RankPair> met;
    for (const CollectiveSchedule::Stage& stage : schedule.GetStages())
    {
        EXPECT_EQ(stage.firstRound, stage.lastRound);
        std::set<uint32_t> busy;
        for (const RankPair& pair : stage.pairs)
        {
            EXPECT_TRUE(busy.insert(pair.first).second && busy.insert(pair.second).second);
            EXPECT_TRUE(met.insert(pair).second);
        }
    }
}

} // namespace

TEST(AllToAll, DirectJoinsAllPairsAndNoRankIsTheFirstOfTwo)
{
    for (uint32_t n = 2; n <= MOST; ++n)
    {
        const CollectiveSchedule schedule =
            Find(CollectiveKind::ALL_TO_ALL, "direct").Make(MakeWithoutDemand(n));
        ASSERT_EQ(schedule.GetStages().size(), 1U);
        EXPECT_EQ(schedule.GetStages()[0].pairs.size(), n * (n - 1) / 2);
        EXPECT_EQ(schedule.GetRounds(), 1U);
        // the k-th messages of all ranks go to different ranks
        std::vector<uint32_t> sent(n);
        std::set<std::pair<uint32_t, uint32_t>> received;
        for (const CollectiveTransfer& transfer : schedule.GetTransfers())
        {
            EXPECT_TRUE(received.insert({sent[transfer.from]++, transfer.to}).second);
        }
    }
}

TEST(AllToAll, UnidirectionalRingLoadsEachLinkWithHalfOfAllButOneShare)
{
    for (uint32_t n = 2; n <= MOST; ++n)
    {
        for (const uint32_t channels : {1, 3})
        {
            const uint64_t buffer = 2 * n * channels;
            const auto loads = GetLoads(
                Find(CollectiveKind::ALL_TO_ALL, "ring").Make(MakeWithoutDemand(n, channels)),
                buffer);
            EXPECT_EQ(loads.size(), n) << "one direction of each link of the ring";
            for (const auto& [link, bytes] : loads)
            {
                EXPECT_EQ(link.second, (link.first + 1) % n);
                EXPECT_EQ(bytes, buffer * (n - 1) / 2); // S (n-1) / (2B)
            }
        }
    }
}

TEST(AllToAll, BidirectionalRingLoadsEachDirectionWithAnEighthOfTheBufferForEachRank)
{
    for (uint32_t n = 3; n <= MOST; ++n)
    {
        for (const uint32_t channels : {2, 6})
        {
            const uint64_t buffer = 8 * n * channels;
            const CollectiveSchedule schedule =
                Find(CollectiveKind::ALL_TO_ALL, "ring").Make(MakeWithoutDemand(n, channels, true));
            const auto loads = GetLoads(schedule, buffer);
            EXPECT_EQ(loads.size(), 2 * n);
            for (const auto& [link, bytes] : loads)
            {
                // S n / (8B); with odd n no rank is opposite, and the sum of 1, 2, ... (n-1)/2 is
                // (n^2 - 1) / 8
                EXPECT_EQ(bytes, buffer / n * (n % 2 == 0 ? n * n : n * n - 1) / 8);
            }
            EXPECT_EQ(schedule.GetRounds(), n / 2) << "no way is longer than half round";
        }
    }
    // two ranks have one link, and all that they have for each other crosses it once
    const auto loads =
        GetLoads(Find(CollectiveKind::ALL_TO_ALL, "ring").Make(MakeWithoutDemand(2, 2, true)),
                 1000);
    EXPECT_EQ(loads.at({0, 1}), 500U);
    EXPECT_EQ(loads.at({1, 0}), 500U);
}

TEST(AllToAll, RingsOfServersLoadRailsWithAPartOfTheRingOfAll)
{
    for (const uint32_t g : {2, 3, 4})
    {
        for (uint32_t servers = 3; servers <= 9; ++servers)
        {
            const uint32_t n = g * servers;
            CollectiveParameters parameters = MakeWithoutDemand(n, 2, true);
            parameters.perServer = g;
            const uint64_t share = 4 * 8; // of a buffer
            const CollectiveSchedule schedule =
                Find(CollectiveKind::ALL_TO_ALL, "hierarchical-rings").Make(parameters);
            EXPECT_EQ(schedule.GetRounds(), 1 + servers / 2);
            std::set<RankPair> joined;
            for (const CollectiveSchedule::Stage& stage : schedule.GetStages())
            {
                for (const auto& [one, other] : stage.pairs)
                {
                    if (one / g != other / g)
                    {
                        EXPECT_EQ(one % g, other % g) << "on a rail";
                        joined.insert({one, other});
                    }
                }
            }
            EXPECT_EQ(joined.size(), n) << "g rings of the servers, of as many links";
            for (const auto& [link, bytes] : GetLoads(schedule, share * n))
            {
                const auto& [from, to] = link;
                if (from / g == to / g)
                {
                    EXPECT_EQ(bytes, share * servers) << "for all ranks on the other's rail";
                    continue;
                }
                // each of g ranks has a share for each rank of the rail, over the mean way
                const uint32_t ways = servers % 2 == 0 ? servers * servers : servers * servers - 1;
                EXPECT_EQ(bytes, share * g * ways / 8);
            }
        }
    }
}

TEST(AllToAll, BidirectionalChannelsLoadADirectionEqually)
{
    for (uint32_t n = 2; n <= MOST; ++n)
    {
        const CollectiveSchedule schedule =
            Find(CollectiveKind::ALL_TO_ALL, "ring").Make(MakeWithoutDemand(n, 4, true));
        std::map<std::pair<uint16_t, uint32_t>, uint64_t> loads; // by channel and rank
        for (const CollectiveTransfer& transfer : schedule.GetTransfers())
        {
            loads[{transfer.channel, transfer.from}] += schedule.GetBytes(transfer.chunk, 16 * n);
        }
        for (const auto& [place, bytes] : loads)
        {
            EXPECT_EQ(bytes, loads.begin()->second);
        }
        EXPECT_EQ(loads.size(), 4 * n);
    }
}

TEST(AllToAll, EveryPairMeetsOnceInMatchings)
{
    for (uint32_t n = 2; n <= MOST; ++n)
    {
        const CollectiveSchedule schedule =
            Find(CollectiveKind::ALL_TO_ALL, "matchings").Make(MakeWithoutDemand(n));
        ExpectPairsMeetOnceInMatchings(schedule);
        EXPECT_EQ(schedule.GetStages().size(), n % 2 == 0 ? n - 1 : n);
        EXPECT_EQ(schedule.GetTransfers().size(), n * (n - 1)) << "each pair exchanges";
        for (const auto& [link, bytes] : GetLoads(schedule, 60 * n))
        {
            EXPECT_EQ(bytes, 60U) << "a share crosses, each way: S / (N B) a round";
        }
    }
}

TEST(AllToAll, MatchingsOfADemandAreAsFewAsPartnersOrOneMore)
{
    for (uint32_t n = 2; n <= MOST; ++n)
    {
        const CollectiveParameters parameters = MakeWithDemand(n);
        const CollectiveSchedule schedule =
            Find(CollectiveKind::ALL_TO_ALL_V, "matchings").Make(parameters);
        ExpectPairsMeetOnceInMatchings(schedule);
        std::vector<std::set<uint32_t>> partners(n);
        std::size_t most = 0;
        for (const CollectiveTransfer& transfer : schedule.GetTransfers())
        {
            EXPECT_GT(parameters.demand->Get(transfer.from, transfer.to), 0U);
            partners[transfer.from].insert(transfer.to);
            partners[transfer.to].insert(transfer.from);
            most = std::max({most, partners[transfer.from].size(), partners[transfer.to].size()});
        }
        EXPECT_GE(schedule.GetRounds(), most);
        EXPECT_LE(schedule.GetRounds(), most + 1);
    }
}

TEST(AllToAll, BirkhoffRoundsTakeNoLongerThanTheBusiestRank)
{
    for (uint32_t n = 2; n <= MOST; ++n)
    {
        const CollectiveParameters parameters = MakeWithDemand(n);
        const CollectiveSchedule schedule =
            Find(CollectiveKind::ALL_TO_ALL_V, "birkhoff").Make(parameters);
        std::vector<std::set<uint32_t>> senders(schedule.GetRounds());
        std::vector<std::set<uint32_t>> receivers(schedule.GetRounds());
        std::vector<uint64_t> longest(schedule.GetRounds());
        for (const CollectiveTransfer& transfer : schedule.GetTransfers())
        {
            EXPECT_TRUE(senders[transfer.round].insert(transfer.from).second);
            EXPECT_TRUE(receivers[transfer.round].insert(transfer.to).second);
            longest[transfer.round] =
                std::max(longest[transfer.round], schedule.GetBytes(transfer.chunk, 0));
        }
        uint64_t time = 0;
        for (const uint64_t bytes : longest)
        {
            EXPECT_GT(bytes, 0U) << "a round for nothing";
            time += bytes;
        }
        // and no less, as one rank has as much to send or to receive
        uint64_t busiest = 0;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            uint64_t sends = 0;
            uint64_t receives = 0;
            for (uint32_t other = 0; other < n; ++other)
            {
                sends += parameters.demand->Get(rank, other);
                receives += parameters.demand->Get(other, rank);
            }
            busiest = std::max({busiest, sends, receives});
        }
        EXPECT_EQ(time, busiest);
        EXPECT_LE(schedule.GetRounds(), n * n - 2 * n + 2);
    }
}

TEST(AllToAll, ADemandThatChannelsDoNotDivideIsServedToTheByte)
{
    for (const char* name : {"direct", "ring", "matchings", "birkhoff", "hierarchical-rings"})
    {
        for (uint32_t n = 2; n <= 12; ++n)
        {
            for (const bool bidirectional : {false, true})
            {
                CollectiveParameters parameters = MakeWithDemand(n, 4, bidirectional);
                parameters.perServer = n % 3 == 0 ? 3 : 2;
                if (!Find(CollectiveKind::ALL_TO_ALL_V, name).GetWhyNot(parameters).empty())
                {
                    continue; // no servers of several ranks
                }
                const CollectiveSchedule schedule =
                    Find(CollectiveKind::ALL_TO_ALL_V, name).Make(parameters);
                EXPECT_EQ(GetMistakeOf(schedule), "") << name;
                std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
                for (uint32_t chunk = 0; chunk < schedule.GetChunks().size(); ++chunk)
                {
                    const CollectiveChunk& it = schedule.GetChunks()[chunk];
                    bytes[{it.home, it.to}] += schedule.GetBytes(chunk, 0);
                }
                for (const auto& [pair, sum] : bytes)
                {
                    EXPECT_EQ(sum, parameters.demand->Get(pair.first, pair.second)) << name;
                }
            }
        }
    }
}

TEST(AllToAll, APartKnowsHowManyPartsItIs)
{
    CollectiveSchedule schedule(MakeWithDemand(4, 2));
    ScheduleChannel channel(schedule, 1);
    const uint64_t demand = schedule.GetParameters().demand->Get(1, 2);
    ASSERT_GT(demand, 100U);
    // bytes 30 to 100
    EXPECT_EQ(schedule.GetBytes(channel.AddPartFor(1, 2, 30, demand, 70), 0), 70U);
    // the second of two channels of the first of three parts
    EXPECT_EQ(schedule.GetBytes(channel.AddChunkFor(1, 2, 0, 3), 0), GetShare(demand, 1, 6));
}

TEST(AllToAll, AForgottenDemandIsAMistake)
{
    CollectiveAlgorithm forgetful = Find(CollectiveKind::ALL_TO_ALL_V, "direct");
    forgetful.write = [](ScheduleChannel&) {};
    EXPECT_NE(GetMistakeOf(forgetful.Make(MakeWithDemand(3))), "");
}

TEST(AllToAll, WithoutADemandOfTheRightSizeItIsRefused)
{
    CollectiveParameters parameters = MakeWithDemand(4);
    for (const char* name : {"direct", "ring", "matchings", "birkhoff"})
    {
        const CollectiveAlgorithm& algorithm = Find(CollectiveKind::ALL_TO_ALL_V, name);
        EXPECT_EQ(algorithm.GetWhyNot(parameters), "");
        CollectiveParameters without = parameters;
        without.demand = nullptr;
        EXPECT_NE(algorithm.GetWhyNot(without), "");
        without.demand = std::make_shared<DemandMatrix>(5);
        EXPECT_NE(algorithm.GetWhyNot(without), "");
    }
}
