/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/operation-flow.h"
#include "ns3/rank-schedule.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

std::shared_ptr<const CollectiveSchedule>
MakeAllReduce(const std::string& name, uint32_t ranks)
{
    CollectiveParameters parameters;
    parameters.ranks = ranks;
    parameters.channels = 2;
    parameters.bidirectional = true;
    return CollectiveAlgorithm::GetSchedule(name, parameters);
}

} // namespace

TEST(RankSchedule, APartIsTheRanksOwnTransfersInOrder)
{
    for (const char* name : {"ring", "tree", "halving-doubling"})
    {
        const auto schedule = MakeAllReduce(name, 8);
        std::size_t all = 0;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const auto part = RankSchedule::Get(schedule, rank);
            std::size_t out = 0;
            std::size_t in = 0;
            for (const CollectiveTransfer& it : schedule->GetTransfers())
            {
                if (it.from == rank)
                {
                    ASSERT_LT(out, part->outgoing.size());
                    const RankSchedule::Transfer& its = part->outgoing[out++];
                    EXPECT_EQ(its.chunk, it.chunk);
                    EXPECT_EQ(its.needs, it.needs);
                    EXPECT_EQ(part->waysOut[its.way].peer, it.to);
                    EXPECT_EQ(part->waysOut[its.way].channel, it.channel);
                }
                if (it.to == rank)
                {
                    ASSERT_LT(in, part->incoming.size());
                    const RankSchedule::Transfer& its = part->incoming[in++];
                    EXPECT_EQ(its.chunk, it.chunk);
                    EXPECT_EQ(part->waysIn[its.way].peer, it.from);
                    EXPECT_EQ(part->slots[its.slot].chunk, it.chunk);
                }
            }
            EXPECT_EQ(part->outgoing.size(), out);
            EXPECT_EQ(part->incoming.size(), in);
            all += out + in;
        }
        EXPECT_EQ(all, 2 * schedule->GetTransfers().size()) << "each has two ends";
    }
}

TEST(RankSchedule, RanksLookAtTheirOwnTransfersOnly)
{
    // The index is a list of places for each rank: together twice the transfers, however often it
    // is used, so all parts of a ring of n ranks cost n times the 2 (n - 1) transfers of each.
    constexpr uint32_t RANKS = 256;
    const auto schedule = MakeAllReduce("ring", RANKS);
    const uint32_t* const first = schedule->GetTransfersOf(0).begin();
    std::size_t looked = 0;
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        const CollectiveSchedule::Places places = schedule->GetTransfersOf(rank);
        EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
        looked += places.end() - places.begin();
    }
    EXPECT_EQ(looked, 2 * schedule->GetTransfers().size());
    EXPECT_EQ(schedule->GetTransfersOf(0).begin(), first) << "built once";
    // 2 channels, each of 2 (n - 1) sends and as many receives
    EXPECT_EQ(looked, std::size_t{RANKS} * 2 * 2 * 2 * (RANKS - 1));
}

TEST(RankSchedule, APartIsSharedWhileItIsInUse)
{
    const auto schedule = MakeAllReduce("ring", 4);
    const auto part = RankSchedule::Get(schedule, 1);
    EXPECT_EQ(RankSchedule::Get(schedule, 1), part);
    EXPECT_NE(RankSchedule::Get(schedule, 2), part);
    EXPECT_EQ(CollectiveAlgorithm::GetSchedule("ring", schedule->GetParameters()), schedule);
}

TEST(OperationFlow, KeepsThePartsOfTheLastTwoSchedules)
{
    OperationFlow flow;
    std::vector<std::weak_ptr<const RankSchedule>> parts;
    const auto use = [&flow, &parts](std::size_t which) {
        constexpr std::array<CollectiveKind, 3> KINDS{CollectiveKind::ALL_GATHER,
                                                      CollectiveKind::REDUCE_SCATTER,
                                                      CollectiveKind::ALL_REDUCE};
        CollectiveParameters parameters;
        parameters.kind = KINDS.at(which);
        parameters.ranks = 4;
        const auto part =
            RankSchedule::Get(CollectiveAlgorithm::GetSchedule("ring", parameters), 1);
        flow.Keep(part);
        parts.resize(3);
        const bool isSame = parts.at(which).lock() == part;
        parts.at(which) = part;
        return isSame;
    };
    EXPECT_FALSE(use(0));
    EXPECT_FALSE(use(1));
    for (uint32_t turn = 0; turn < 3; ++turn)
    {
        EXPECT_TRUE(use(0)) << "nothing is made anew while two take turns";
        EXPECT_TRUE(use(1));
        EXPECT_TRUE(use(1)) << "nor in a row";
    }
    EXPECT_FALSE(use(2));
    EXPECT_TRUE(parts[0].expired()) << "no more than two are kept";
    EXPECT_FALSE(parts[1].expired());
}
