/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The ports that two levels of packet switches can join: half of a leaf's ports go down, and each
// of the radix ports of a spine leads to another leaf.

#include "ns3/electrical-rail-helper.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

TEST(ElectricalMisfit, LeavesWithHalfOfTheirPortsDown)
{
    ElectricalRailHelper helper;
    for (const uint32_t radix : {2, 4, 64})
    {
        helper.SetRadix(radix);
        EXPECT_EQ(helper.FindMisfit(radix), "") << radix;
        EXPECT_EQ(helper.FindMisfit(radix * radix / 2), "") << radix;
        const std::string why = helper.FindMisfit(radix * radix / 2 + 1);
        EXPECT_NE(why.find(std::to_string(radix * radix / 2) + ";"), std::string::npos) << why;
        EXPECT_NE(why.find("--switch-radix"), std::string::npos) << why;
    }
}

TEST(ElectricalMisfit, OneSwitchJoinsAny)
{
    ElectricalRailHelper helper;
    helper.SetRadix(0);
    EXPECT_EQ(helper.FindMisfit(1'000'000), "");
}

} // namespace
