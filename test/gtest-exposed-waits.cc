/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/exposed-waits.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(ExposedWaits, WaitsOfARankAtOnceCountOnce)
{
    ExposedWaits waits(1);
    waits.Add(0, 20, 30);
    waits.Add(0, 0, 10);
    waits.Add(0, 5, 12); // two beside the first
    waits.Add(0, 6, 7);  // inside both
    EXPECT_EQ(waits.GetSum(), 12 + 10);
}

TEST(ExposedWaits, WaitsOfSeveralRanksAddUp)
{
    ExposedWaits waits(3);
    waits.Add(0, 0, 10);
    waits.Add(2, 0, 10);
    EXPECT_EQ(waits.GetSum(), 20);
}
