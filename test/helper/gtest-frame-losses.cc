/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/frame-losses.h"
#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

// Lost frames that are printed in one line.

using namespace ns3;

namespace
{

/** @return a frame of a message, or an ACK */
RoceFrame
MakeFrame(uint32_t psn, RoceOpcode opcode = RoceOpcode::SEND_MIDDLE)
{
    RoceFrame frame;
    frame.psn = psn;
    frame.opcode = opcode;
    return frame;
}

} // namespace

TEST(FrameLosses, FramesInARowAreOneLoss)
{
    FrameLosses losses;
    losses.Add(ToTime(10), "port 0", MakeFrame(7), FrameDropReason::NO_CIRCUIT);
    losses.Add(ToTime(20), "port 0", MakeFrame(8), FrameDropReason::NO_CIRCUIT);
    losses.Add(ToTime(30), "port 0", MakeFrame(9), FrameDropReason::NO_CIRCUIT);
    const std::vector<FrameLosses::Loss> all = losses.Take();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].place, "port 0");
    EXPECT_TRUE(all[0].isData);
    EXPECT_EQ(all[0].first, ToTime(10));
    EXPECT_EQ(all[0].last, ToTime(30));
    EXPECT_EQ(all[0].firstPsn, 7U);
    EXPECT_EQ(all[0].lastPsn, 9U);
    EXPECT_EQ(all[0].frames, 3U);
    EXPECT_TRUE(losses.Take().empty());
}

TEST(FrameLosses, AGapAnotherPlaceAnotherReasonAndAnAckBeginAnother)
{
    FrameLosses losses;
    losses.Add(ToTime(10), "port 0", MakeFrame(7), FrameDropReason::NO_CIRCUIT);
    losses.Add(ToTime(11), "port 0", MakeFrame(9), FrameDropReason::NO_CIRCUIT);
    losses.Add(ToTime(12), "port 1", MakeFrame(8), FrameDropReason::NO_CIRCUIT);
    losses.Add(ToTime(13), "port 0", MakeFrame(8), FrameDropReason::CUT);
    losses.Add(ToTime(14),
               "port 0",
               MakeFrame(8, RoceOpcode::ACKNOWLEDGE),
               FrameDropReason::NO_CIRCUIT);
    EXPECT_EQ(losses.Take().size(), 5U);
}

TEST(FrameLosses, RowsOfTwoPlacesMayAlternate)
{
    FrameLosses losses;
    for (uint32_t psn = 0; psn < 4; ++psn)
    {
        losses.Add(ToTime(10 + psn), "port 0", MakeFrame(psn), FrameDropReason::NO_CIRCUIT);
        losses.Add(ToTime(10 + psn), "port 1", MakeFrame(100 + psn), FrameDropReason::NO_CIRCUIT);
    }
    const std::vector<FrameLosses::Loss> all = losses.Take();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].frames, 4U);
    EXPECT_EQ(all[1].firstPsn, 100U);
}
