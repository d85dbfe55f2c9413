/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pair-ports.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

using Pairs = std::vector<PairPorts::Pair>;

/** @return ranks that all have the ports from 0 up to a number */
PairPorts::PortsOf
Ports(uint32_t count)
{
    return [count](RankId) {
        std::vector<uint32_t> ports;
        for (uint32_t port = 0; port < count; ++port)
        {
            ports.push_back(port);
        }
        return ports;
    };
}

std::optional<uint32_t>
NoLoss(RankId, uint32_t)
{
    return 0;
}

PairPorts::Pair
Pair(uint32_t one, uint32_t other)
{
    return {RankId(one), RankId(other)};
}

} // namespace

TEST(PairPorts, ARingUsesEveryPortOnce)
{
    const Pairs ring{Pair(0, 1), Pair(1, 2), Pair(2, 3), Pair(0, 3)};
    PairPorts ports(ring, Ports(2));
    std::set<std::pair<uint32_t, uint32_t>> ends;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        EXPECT_EQ(ports.CountDue(i), 1U); // two ports, two neighbours
        const std::optional<RailLink> link = ports.Join(i, NoLoss);
        ASSERT_TRUE(link);
        EXPECT_TRUE(ends.insert({ring[i].first.Get(), link->here}).second);
        EXPECT_TRUE(ends.insert({ring[i].second.Get(), link->there}).second);
        EXPECT_EQ(ports.CountDue(i), 0U);
    }
    EXPECT_EQ(ends.size(), 4U * 2);
}

TEST(PairPorts, TheBusierEndLimitsTheLinks)
{
    const PairPorts chain({Pair(0, 1), Pair(1, 2)}, Ports(5));
    EXPECT_EQ(chain.CountDue(0), 5U / 2); // rank 1 has two partners, and one port too many
    EXPECT_EQ(chain.CountDue(1), 5U / 2);
    const PairPorts pair({Pair(0, 1)}, Ports(5));
    EXPECT_EQ(pair.CountDue(0), 5U);
    const PairPorts limited({Pair(0, 1)}, Ports(5), 3);
    EXPECT_EQ(limited.CountDue(0), 3U);
    const PairPorts unequal({Pair(0, 1)}, [](RankId rank) {
        return std::vector<uint32_t>(rank == RankId(0) ? 4 : 2);
    });
    EXPECT_EQ(unequal.CountDue(0), 2U);
}

TEST(PairPorts, LinksThatExistAreKeptUntilThePairHasAll)
{
    PairPorts chain({Pair(0, 1), Pair(1, 2)}, Ports(2));
    EXPECT_TRUE(chain.Keep(0, {1, 1}));
    EXPECT_FALSE(chain.Keep(0, {0, 0})) << "one link is all that the pair may have";
    EXPECT_FALSE(chain.Keep(1, {1, 0})) << "the port is in another link";
    EXPECT_EQ(chain.CountDue(1), 1U);
    const std::optional<RailLink> link = chain.Join(1, NoLoss);
    ASSERT_TRUE(link);
    EXPECT_EQ(link->here, 0U) << "the port that is left";
    EXPECT_EQ(link->there, 0U) << "the lowest of two equal ones";
}

TEST(PairPorts, APortWithLessLossComesFirst)
{
    PairPorts ports({Pair(0, 1)}, Ports(3), 2);
    const auto loss = [](RankId rank, uint32_t port) -> std::optional<uint32_t> {
        const uint32_t ofFirst[] = {2, 1, 1};
        return rank == RankId(0) ? ofFirst[port] : 0;
    };
    EXPECT_EQ(ports.Join(0, loss)->here, 1U);
    EXPECT_EQ(ports.Join(0, loss)->here, 2U);
}

TEST(PairPorts, APortThatMustNotChangeIsNotTaken)
{
    PairPorts ports({Pair(0, 1)}, Ports(2));
    const auto onlyHere = [](RankId rank, uint32_t) {
        return rank == RankId(0) ? std::optional<uint32_t>(0) : std::nullopt;
    };
    EXPECT_FALSE(ports.Join(0, onlyHere));
    EXPECT_EQ(ports.CountDue(0), 2U);
}
