/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/as-of.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(AsOf, SeesWhatWasBeforeTheLatestInstant)
{
    AsOf<int> value(1);
    EXPECT_EQ(value.At(-5), 1);
    value.Set(10, 2);
    EXPECT_EQ(value.Get(), 2);
    EXPECT_EQ(value.At(9), 1);
    EXPECT_EQ(value.At(10), 2);
}

TEST(AsOf, SeveralChangesOfOneInstantAreOne)
{
    AsOf<int> value(1);
    value.Set(10, 2);
    value.Set(10, 3);
    EXPECT_EQ(value.At(9), 1);
    EXPECT_EQ(value.At(10), 3);
    value.Set(11, 4);
    EXPECT_EQ(value.At(10), 3);
}
