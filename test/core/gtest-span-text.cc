/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/span-text.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(SpanText, MillisecondsAndFromAThousandOnSeconds)
{
    EXPECT_EQ(ToMillisecondsOrSeconds(0), "0.000");
    EXPECT_EQ(ToMillisecondsOrSeconds(79'534'567'890), "79.535");
    EXPECT_EQ(ToMillisecondsOrSeconds(999'999'400'000), "999.999");
    EXPECT_EQ(ToMillisecondsOrSeconds(999'999'600'000), "1.000 s") << "and not 1000.000";
    EXPECT_EQ(ToMillisecondsOrSeconds(4'079'671'000'000), "4.080 s");
    EXPECT_EQ(ToMillisecondsOrSeconds(-4'079'671'000'000), "-4.080 s");
    EXPECT_EQ(ToSpanText(79'534'567'890), "79.535 ms");
    EXPECT_EQ(ToSpanText(4'079'671'000'000), "4.080 s");
}

TEST(SpanText, ExactSpansKeepEachPicosecond)
{
    EXPECT_EQ(ToExactSpanText(0), "0s");
    EXPECT_EQ(ToExactSpanText(1), "1ps");
    EXPECT_EQ(ToExactSpanText(999), "999ps");
    EXPECT_EQ(ToExactSpanText(1'000), "1ns");
    EXPECT_EQ(ToExactSpanText(1'001), "1.001ns");
    EXPECT_EQ(ToExactSpanText(858'408'807), "858.408807us");
    EXPECT_EQ(ToExactSpanText(-25'000'000'000), "-25ms");
    EXPECT_EQ(ToExactSpanText(10'000'000'000'000), "10s");
    EXPECT_EQ(ToExactSpanText(9'223'372'036'854'775'807), "9223372.036854775807s");
}
