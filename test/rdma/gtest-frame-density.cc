/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/frame-density.h"
#include "ns3/outgoing-messages.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t EACH = 4190; // bytes on the wire of a frame that ends no message

/** @return the bytes on the wire of the frames of messages, in order @param least frames of each */
std::vector<uint64_t>
MakeFrames(uint64_t messages, uint64_t least, std::mt19937& random)
{
    std::vector<uint64_t> frames;
    for (uint64_t m = 0; m < messages; ++m)
    {
        const uint64_t before = least - 1 + random() % 3;
        frames.insert(frames.end(), before, EACH);
        frames.push_back(84 + random() % (EACH - 83)); // the last one
    }
    return frames;
}

} // namespace

TEST(FrameDensity, HoldsForAnyFramesInARow)
{
    std::mt19937 random(1);
    for (uint32_t round = 0; round < 3'000; ++round)
    {
        const uint64_t messages = 1 + random() % 60;
        const uint64_t least = 1 + random() % 20;
        const std::vector<uint64_t> frames = MakeFrames(messages, least, random);
        const FrameDensity density = FrameDensity::Of(EACH, messages, least);
        for (uint32_t part = 0; part < 20; ++part)
        {
            const std::size_t from = random() % frames.size();
            uint64_t bytes = 0;
            uint64_t count = 0;
            for (std::size_t i = from; i < frames.size(); ++i)
            {
                bytes += frames[i];
                ++count;
                ASSERT_LE(count, bytes / density.frameBytes + density.shortFrames)
                    << messages << " messages of " << least << " frames at least, from " << from;
            }
        }
    }
}

TEST(FrameDensity, OfManyLongMessagesIsThatOfTheirFrames)
{
    // 1,000 messages of 256 frames: one short frame, and not 1,000
    const FrameDensity density = FrameDensity::Of(EACH, 1'000, 256);
    EXPECT_EQ(density.shortFrames, 1U);
    EXPECT_EQ(density.frameBytes, EACH * 255U / 256U);
    // of few each counts, and frames keep their size
    EXPECT_EQ(FrameDensity::Of(EACH, 2, 256).shortFrames, 2U);
    EXPECT_EQ(FrameDensity::Of(EACH, 2, 256).frameBytes, EACH);
    // messages of one frame have nothing but short ones
    EXPECT_EQ(FrameDensity::Of(EACH, 1'000, 1).shortFrames, 1'000U);
}

TEST(FrameDensity, KnowsTheShortestOfTheOpenMessages)
{
    constexpr uint32_t MTU = 1'024;
    OutgoingMessages messages;
    std::vector<RdmaMessage> settled;
    uint64_t begin = 0;
    const auto add = [&](uint64_t bytes) {
        RdmaMessage message;
        message.bytes = bytes;
        begin = messages.Add(message, MTU, begin).End();
    };
    add(10 * MTU);
    EXPECT_EQ(messages.GetLeastFrames(), 10U);
    add(3 * MTU);
    add(20 * MTU);
    EXPECT_EQ(messages.GetLeastFrames(), 3U);
    messages.SettleUpTo(13, settled); // the short one too; it still counts, which is safe
    EXPECT_EQ(messages.GetLeastFrames(), 3U);
    messages.SettleUpTo(33, settled);
    ASSERT_EQ(messages.GetOpen(), 0U);
    add(20 * MTU);
    EXPECT_EQ(messages.GetLeastFrames(), 20U);
}
