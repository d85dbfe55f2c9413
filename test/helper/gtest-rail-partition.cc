/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A cluster is cut by rail: each rail is on one process, and each process has a rail.

#include "ns3/rail-partition.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ns3
{

TEST(RailPartition, EachProcessHasRailsThatAreNeighbours)
{
    for (uint32_t rails = 1; rails <= 20; ++rails)
    {
        for (uint32_t processes = 1; processes <= rails; ++processes)
        {
            const RailPartition partition(rails, processes);
            std::vector<uint32_t> counts(processes);
            uint32_t last = 0;
            for (uint32_t rail = 0; rail < rails; ++rail)
            {
                const uint32_t process = partition.GetProcess(rail);
                ASSERT_LT(process, processes);
                EXPECT_TRUE(process == last || process == last + 1);
                last = process;
                ++counts[process];
            }
            EXPECT_EQ(partition.GetProcess(0), 0U);
            for (const uint32_t count : counts)
            {
                // no process has more than one rail more than another
                EXPECT_GE(count, rails / processes);
                EXPECT_LE(count, (rails + processes - 1) / processes);
            }
        }
    }
}

TEST(RailPartition, MoreProcessesThanRailsHaveNoWork)
{
    EXPECT_EQ(RailPartition::FindMisfit(4, 4), "");
    EXPECT_EQ(RailPartition::FindMisfit(4, 5),
              "5 processes, and there are 4 rails, each of which is on one process; start 4 or "
              "fewer, or have more GPUs a server");
}

} // namespace ns3
