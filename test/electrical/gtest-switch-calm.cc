/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long a packet switch is calm follows from the bytes that wait and their rates: at 8 Gb/s a
// byte takes a nanosecond.

#include "ns3/picoseconds.h"
#include "ns3/switch-calm.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr Picoseconds BYTE_TIME = 1'000;
constexpr uint64_t BYTE_RATE = 8'000'000'000; // a byte a nanosecond
constexpr uint64_t LEAST_RATE = 8'000'000;    // a byte a microsecond

/** @return a switch with 10,000 bytes for each of two ports, and 16,000 for both */
SwitchCalm
MakeCalmSwitch()
{
    SwitchCalm calm(16'000);
    calm.AddPort(10'000);
    calm.AddPort(10'000);
    return calm;
}

TEST(SwitchCalm, TheLeastLimitHoldsWhereverBytesWait)
{
    EXPECT_EQ(MakeCalmSwitch().GetLeast(), 10'000U);
    SwitchCalm small(5'000);
    small.AddPort(10'000);
    EXPECT_EQ(small.GetLeast(), 5'000U);
}

TEST(SwitchCalm, APortIsFullAtItsRate)
{
    const SwitchCalm::Loads loads{{{1'000, BYTE_RATE}, {0, 0}}, 0};
    const auto forecast = MakeCalmSwitch().Foresee(5, loads, 172, 0, LEAST_RATE);
    EXPECT_EQ(forecast.until, 5 + 9'000 * BYTE_TIME - 1);
}

TEST(SwitchCalm, TheMemoryIsFullAtTheSumOfTheRates)
{
    // each port has 3,000 bytes left, and the memory 2,000 for both
    const SwitchCalm::Loads loads{{{7'000, BYTE_RATE}, {7'000, BYTE_RATE}}, 0};
    const auto forecast = MakeCalmSwitch().Foresee(0, loads, 172, 0, LEAST_RATE);
    EXPECT_EQ(forecast.until, 1'000 * BYTE_TIME - 1);
}

TEST(SwitchCalm, BytesForAnyPortCountAtEachAndOnceInTheMemory)
{
    const SwitchCalm::Loads loads{{{1'000, BYTE_RATE}, {1'000, BYTE_RATE}}, 2'000};
    // ports: 10,000 - 3,000 at one rate; memory: 16,000 - 4,000 at two
    const auto forecast = MakeCalmSwitch().Foresee(0, loads, 172, 0, LEAST_RATE);
    EXPECT_EQ(forecast.until, 6'000 * BYTE_TIME - 1);
}

TEST(SwitchCalm, MessagesGetHalfOfTheRest)
{
    const SwitchCalm::Loads loads{{{0, BYTE_RATE}, {0, 0}}, 0};
    const auto forecast = MakeCalmSwitch().Foresee(0, loads, 100, 1'000, LEAST_RATE);
    EXPECT_EQ(forecast.posts, 50U);
    EXPECT_EQ(forecast.until, 5'000 * BYTE_TIME - 1);
    EXPECT_EQ(MakeCalmSwitch().Foresee(0, loads, 100, 7, LEAST_RATE).posts, 7U)
        << "no more than expected";
}

TEST(SwitchCalm, QueuesThatDoNotGrowAreCalmForALimitedTime)
{
    const SwitchCalm::Loads loads{{{6'000, 0}, {0, 0}}, 0};
    const auto forecast = MakeCalmSwitch().Foresee(0, loads, 172, 0, LEAST_RATE);
    EXPECT_EQ(forecast.until, 4'000 * 1'000 * BYTE_TIME - 1);
}

TEST(SwitchCalm, NothingIsKnownAtALimit)
{
    EXPECT_EQ(MakeCalmSwitch().Foresee(3, {{{10'000, 0}, {0, 0}}, 0}, 172, 9, LEAST_RATE).until, 3);
    EXPECT_EQ(MakeCalmSwitch().Foresee(3, {{{0, 0}, {9'000, 0}}, 1'000}, 172, 9, LEAST_RATE).until,
              3);
    EXPECT_EQ(MakeCalmSwitch().Foresee(3, {{{8'000, 0}, {8'000, 0}}, 0}, 172, 9, LEAST_RATE).until,
              3);
}

TEST(SwitchCalm, RoomIsAQuarterOfEachLimit)
{
    EXPECT_TRUE(MakeCalmSwitch().HasRoom({{{7'499, 0}, {4'000, 0}}, 0}));
    EXPECT_FALSE(MakeCalmSwitch().HasRoom({{{7'500, 0}, {0, 0}}, 0})) << "a port";
    EXPECT_FALSE(MakeCalmSwitch().HasRoom({{{6'000, 0}, {6'000, 0}}, 0})) << "the memory";
    EXPECT_FALSE(MakeCalmSwitch().HasRoom({{{7'000, 0}, {0, 0}}, 500})) << "bytes for any port";
}

} // namespace
