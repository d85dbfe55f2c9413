/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/exact-decimal.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3;

TEST(ExactDecimal, HasNoMoreDigitsThanItNeeds)
{
    EXPECT_EQ(ToExactDecimal(0, 6), "0");
    EXPECT_EQ(ToExactDecimal(7, 0), "7");
    EXPECT_EQ(ToExactDecimal(70, 0), "70");
    EXPECT_EQ(ToExactDecimal(1, 6), "0.000001");
    EXPECT_EQ(ToExactDecimal(100'000, 6), "0.1");
    EXPECT_EQ(ToExactDecimal(1'000'000, 6), "1");
    EXPECT_EQ(ToExactDecimal(525'100'000, 6), "525.1");
    EXPECT_EQ(ToExactDecimal(-1'500'000, 6), "-1.5");
    EXPECT_EQ(ToExactDecimal(-1, 12), "-0.000000000001");
}

TEST(ExactDecimal, LosesNoDigit)
{
    // more than a double has
    EXPECT_EQ(ToExactDecimal(std::numeric_limits<int64_t>::max(), 12), "9223372.036854775807");
    EXPECT_EQ(ToExactDecimal(std::numeric_limits<int64_t>::min(), 12), "-9223372.036854775808");
}

TEST(ExactDecimal, AnInstantHasTheUnitOfItsSize)
{
    EXPECT_EQ(ToInstantText(ToTime(0)), "0 us");
    EXPECT_EQ(ToInstantText(ToTime(1)), "0.000001 us");
    EXPECT_EQ(ToInstantText(ToTime(999'999'999)), "999.999999 us");
    EXPECT_EQ(ToInstantText(ToTime(1'000'000'000)), "1 ms");
    EXPECT_EQ(ToInstantText(ToTime(999'999'999'999)), "999.999999999 ms");
    EXPECT_EQ(ToInstantText(ToTime(1'000'000'000'001)), "1.000000000001 s");
}
