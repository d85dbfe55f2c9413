/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/fiber-breaks.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(FiberBreaks, AFiberIsBrokenFromCutToSplice)
{
    FiberBreaks breaks;
    EXPECT_TRUE(breaks.IsIntact());
    EXPECT_TRUE(breaks.IsEmpty());
    breaks.Cut(1000, 0.5, 100);
    EXPECT_FALSE(breaks.IsIntact());
    breaks.Splice(2000);
    EXPECT_TRUE(breaks.IsIntact());
    EXPECT_FALSE(breaks.IsEmpty()) << "frames in flight may have met it";
}

TEST(FiberBreaks, ABreakNearAnEndIsNearForOneDirectionOnly)
{
    FiberBreaks breaks;
    breaks.Cut(1000, 0.25, 100);
    EXPECT_EQ(breaks.GetDelayFromBreak(FiberBreaks::FORWARD, 100), 75);
    EXPECT_EQ(breaks.GetDelayFromBreak(FiberBreaks::BACKWARD, 100), 25);
}

TEST(FiberBreaks, AFrameIsCutIfAPartOfItPassesTheBreakWhileItLasts)
{
    FiberBreaks breaks;
    breaks.Cut(1000, 0.25, 100);
    breaks.Splice(2000);
    // a frame passes the break 75 ps before it arrives at end 1
    const auto cuts = [&](Picoseconds first, Picoseconds last) {
        return breaks.Cuts(FiberBreaks::FORWARD, first + 75, last + 75, 100);
    };
    EXPECT_FALSE(cuts(900, 1000)) << "its last bit passes at the instant of the cut";
    EXPECT_TRUE(cuts(900, 1001));
    EXPECT_TRUE(cuts(1500, 1600));
    EXPECT_TRUE(cuts(1999, 2100));
    EXPECT_FALSE(cuts(2000, 2100)) << "its first bit passes at the instant of the splice";
    EXPECT_TRUE(cuts(900, 2100));
}
