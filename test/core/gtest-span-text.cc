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
