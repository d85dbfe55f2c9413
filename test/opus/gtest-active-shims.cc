/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The shims of a controller, and the lengths of their silences.

#include "ns3/active-shims.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

const ShimName ONE{JobId(0), ServerId(0)};
const ShimName OTHER{JobId(0), ServerId(1)};

} // namespace

TEST(ActiveShims, OnlyTheLastOneThatLeavesIsTheLastOne)
{
    ActiveShims shims;
    EXPECT_FALSE(shims.Remove(ONE)) << "it has never registered";
    shims.Register(ONE, 0);
    shims.Register(OTHER, 0);
    EXPECT_FALSE(shims.Remove(ONE));
    EXPECT_FALSE(shims.Remove(ONE)) << "it has left already";
    EXPECT_TRUE(shims.Remove(OTHER));
    EXPECT_TRUE(shims.IsEmpty());
}

TEST(ActiveShims, AShimIsSilentForTheLimitSinceItsLastMessageAndThenAnew)
{
    ActiveShims shims;
    shims.Register(ONE, 0);
    shims.Register(OTHER, 0);
    shims.NoteContact(OTHER, 60);
    EXPECT_TRUE(shims.TakeSilent(99, 100).empty());
    EXPECT_EQ(shims.TakeSilent(100, 100), std::vector<ShimName>{ONE});
    EXPECT_EQ(shims.TakeSilent(160, 100), std::vector<ShimName>{OTHER});
    EXPECT_EQ(shims.TakeSilent(200, 100), std::vector<ShimName>{ONE});
}

TEST(ActiveShims, AShimThatHasNotRegisteredIsNotActiveThoughItSends)
{
    ActiveShims shims;
    shims.NoteContact(ONE, 5);
    EXPECT_TRUE(shims.IsEmpty());
}
