/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/announced-frames.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <tuple>
#include <vector>

using namespace ns3;

TEST(AnnouncedFrames, ComeByInstantAndIngressPort)
{
    constexpr uint32_t PORTS = 5;
    std::mt19937_64 random(1);
    AnnouncedFrames frames(PORTS);
    std::vector<std::tuple<Picoseconds, uint32_t, uint32_t>> sorted;
    std::vector<Picoseconds> last(PORTS);
    for (uint32_t number = 0; number < 1000; ++number)
    {
        const uint32_t ingress = random() % PORTS;
        last[ingress] += 1 + random() % 10; // those of a port come in order
        frames.Push(ingress, {last[ingress], number});
        sorted.emplace_back(last[ingress], ingress, number);
    }
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [at, ingress, number] : sorted)
    {
        ASSERT_EQ(frames.GetNext(), at);
        ASSERT_EQ(frames.GetIngress(), ingress);
        ASSERT_TRUE(frames.Has(ingress));
        ASSERT_EQ(frames.GetNext(ingress), at);
        ASSERT_EQ(frames.Take(ingress).number, number);
    }
    EXPECT_EQ(frames.GetCount(), 0U);
    EXPECT_EQ(frames.GetNext(), NEVER);
}

TEST(AnnouncedFrames, ThereAreNoneWithoutPorts)
{
    const AnnouncedFrames none;
    EXPECT_EQ(none.GetNext(), NEVER);
    EXPECT_FALSE(none.Has(0));
}
