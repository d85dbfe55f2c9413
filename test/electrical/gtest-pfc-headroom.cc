/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "largest-frame.h"

#include "ns3/pfc-headroom.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t PAUSE = 46 + 14 + 4 + 8 + 12; // least payload, header, check, preamble, gap
constexpr uint64_t FRAME = LARGEST + 8 + 12;     // with preamble and gap

} // namespace

TEST(PfcHeadroom, HoldsTheBytesOfTheWaitAndFourFramesAndThePauses)
{
    // 400 Gb/s is 50 bytes a nanosecond
    EXPECT_EQ(PfcHeadroom(LARGEST, 0x08).GetBytes(400'000'000'000, 196'000),
              196 * 50 + 4 * FRAME + PAUSE);
    EXPECT_EQ(PfcHeadroom(LARGEST, 0x0c).GetBytes(400'000'000'000, 0), 4 * FRAME + 2 * PAUSE);
}

TEST(PfcHeadroom, CountsAPartOfAByteAsAByte)
{
    // 1 ps at 1 b/s is less than a byte
    EXPECT_EQ(PfcHeadroom(LARGEST, 0x01).GetBytes(1, 1), 1 + 4 * FRAME + PAUSE);
}

TEST(PfcHeadroom, APauseIsRepeatedBehindAFrameAndThePausesOfAllClasses)
{
    const PfcHeadroom headroom(LARGEST, 0x08);
    const uint64_t ahead = 8 * (FRAME + 8 * PAUSE); // bits within half of the pause
    for (uint64_t quanta = 1; quanta < 1000; ++quanta)
    {
        EXPECT_EQ(headroom.CanRepeat(quanta), quanta * 512 / 2 >= ahead) << quanta;
    }
    EXPECT_TRUE(headroom.CanRepeat(headroom.GetEnoughQuanta()));
    EXPECT_FALSE(headroom.CanRepeat(headroom.GetEnoughQuanta() - 2));
}
