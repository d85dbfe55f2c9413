/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/divide-up.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;

TEST(DivideUp, IsTheLeastQuotientThatIsEnough)
{
    for (uint64_t dividend = 0; dividend < 100; ++dividend)
    {
        for (uint64_t divisor = 1; divisor < 20; ++divisor)
        {
            const uint64_t quotient = DivideUp(dividend, divisor);
            EXPECT_GE(quotient * divisor, dividend);
            EXPECT_LT(quotient * divisor, dividend + divisor);
        }
    }
    EXPECT_EQ(DivideUp(UINT64_MAX - 2, 2), UINT64_MAX / 2);
}
