/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/frame-run.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(FrameRun, HeadAndRestAddUp)
{
    const FrameRun run{5, 100, 10, 4178, 500};
    EXPECT_EQ(run.GetWireBytes(), 9U * 4178 + 500);
    for (uint64_t taken = 1; taken <= run.count; ++taken)
    {
        const FrameRun head = run.Head(taken);
        EXPECT_EQ(head.count, taken);
        EXPECT_EQ(head.first, run.first);
        // all frames but the run's last have the full size
        EXPECT_EQ(head.GetWireBytes(), taken < 10 ? taken * 4178 : 9 * 4178 + 500);
    }
    EXPECT_EQ(run.Head(0).GetWireBytes(), 0U);
}
