/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Spans that are not rounded, held against fractions multiplied out.

#include "ns3/exact-span.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

using Wide = ExactSpan::Wide;

constexpr Wide SECOND = 1'000'000'000'000;

} // namespace

TEST(ExactSpan, ComparesAsFractionsMultipliedOut)
{
    std::mt19937_64 random(7);
    uint64_t less = 0;
    uint64_t equal = 0;
    for (int i = 0; i < 200'000; ++i)
    {
        // few different numbers, so that many are equal or close
        const uint64_t bytes[] = {random() % 20, random() % 20};
        const uint64_t rates[] = {1 + random() % 20, 1 + random() % 20};
        const uint64_t more[] = {random() % 2, random() % 2};
        const ExactSpan one = ExactSpan::Of(bytes[0], rates[0]).Plus(more[0]);
        const ExactSpan other = ExactSpan::Of(bytes[1], rates[1]).Plus(more[1]);
        const Wide left = (bytes[0] * SECOND + Wide{more[0]} * rates[0]) * rates[1];
        const Wide right = (bytes[1] * SECOND + Wide{more[1]} * rates[1]) * rates[0];
        ASSERT_EQ(one < other, left < right)
            << bytes[0] << '/' << rates[0] << " " << bytes[1] << '/' << rates[1];
        ASSERT_EQ(other < one, right < left);
        less += left < right ? 1 : 0;
        equal += left == right ? 1 : 0;
    }
    EXPECT_GT(less, 10'000U);
    EXPECT_GT(equal, 500U);
}

TEST(ExactSpan, DistinguishesFractionsOfAPicosecondWhoseProductsDoNotFit)
{
    // with a and b next to each other, 1 / a and 1 / b differ by 1 / (a b) of a second
    const Wide large = (Wide{1} << 88) - 1;
    EXPECT_TRUE(ExactSpan::Of(1, large) < ExactSpan::Of(1, large - 1));
    EXPECT_FALSE(ExactSpan::Of(1, large - 1) < ExactSpan::Of(1, large));
    EXPECT_FALSE(ExactSpan::Of(1, large) < ExactSpan::Of(1, large));
    // x / y < (x + 1) / (y + 1) below 1
    const Wide half = (large - 1) / 2;
    EXPECT_TRUE(ExactSpan::Of(half, large - 1) < ExactSpan::Of(half + 1, large));
    EXPECT_FALSE(ExactSpan::Of(half + 1, large) < ExactSpan::Of(half, large - 1));
    // equal though written otherwise, and not a picosecond apart either
    EXPECT_FALSE(ExactSpan::Of(7, 9'000'000'000'007) < ExactSpan::Of(21, 27'000'000'000'021));
    EXPECT_FALSE(ExactSpan::Of(21, 27'000'000'000'021) < ExactSpan::Of(7, 9'000'000'000'007));
    // the largest numbers: as many seconds
    const Wide most = ~Wide{0};
    EXPECT_TRUE(ExactSpan::Of(uint64_t{1} << 63, 1) < ExactSpan::Of((uint64_t{1} << 63) + 1, 1));
    EXPECT_FALSE(ExactSpan::Of(most, 1) < ExactSpan::Of(most - 1, 1));
    EXPECT_FALSE(ExactSpan(0).Plus(most) < ExactSpan(most));
}

TEST(ExactSpan, IsRoundedUpForPeople)
{
    EXPECT_EQ(ExactSpan(0).RoundUp(), 0);
    EXPECT_EQ(ExactSpan::Of(0, 3).RoundUp(), 0);
    EXPECT_EQ(ExactSpan::Of(3, 3).RoundUp(), 1'000'000'000'000);
    EXPECT_EQ(ExactSpan::Of(1, 3).RoundUp(), 333'333'333'334);
    EXPECT_EQ(ExactSpan::Of(2, 3).RoundUp(), 666'666'666'667);
    EXPECT_EQ(ExactSpan::Of(1, 3).Plus(5).RoundUp(), 333'333'333'339);
    EXPECT_EQ(ExactSpan::Of(1, 50'000'000'000).RoundUp(), 20);
    EXPECT_EQ(ExactSpan::Of(1, uint64_t{1} << 56).RoundUp(), 1);
    EXPECT_EQ(ExactSpan(NEVER - 2).RoundUp(), NEVER - 2);
    for (const ExactSpan& span :
         {ExactSpan(NEVER), ExactSpan::Of(~Wide{0}, 1), ExactSpan(~Wide{0})})
    {
        EXPECT_EQ(span.RoundUp(), NEVER - 1) << "NEVER is for what does not end";
    }
}
