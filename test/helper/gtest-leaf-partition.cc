/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A cluster is cut by leaf: each leaf is on one process with its servers, and each process has one.

#include "ns3/divide-up.h"
#include "ns3/leaf-partition.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>

namespace ns3
{

TEST(LeafPartition, EachLeafIsOnOneProcessWithItsServers)
{
    for (const uint32_t portsPerGpu : {1, 2})
    {
        for (const uint32_t serversALeaf : {2, 4, 6})
        {
            const uint32_t down = serversALeaf * portsPerGpu;
            for (uint32_t servers = 2 * serversALeaf + 1; servers <= 5 * serversALeaf; ++servers)
            {
                const uint32_t leaves = DivideUp(servers, serversALeaf);
                const LeafPartition::Shape shape{servers, portsPerGpu, 2 * down};
                for (uint32_t processes = 1; processes <= leaves; ++processes)
                {
                    ASSERT_EQ(LeafPartition::FindMisfit(shape, processes), "");
                    const LeafPartition partition(shape, processes);
                    std::set<uint32_t> used;
                    for (uint32_t server = 0; server < servers; ++server)
                    {
                        const uint32_t process = partition.GetProcess(server);
                        used.insert(process);
                        EXPECT_EQ(process,
                                  partition.GetProcess(server / serversALeaf * serversALeaf))
                            << "of the first server of its leaf";
                        EXPECT_TRUE(server == 0 || process >= partition.GetProcess(server - 1));
                    }
                    EXPECT_EQ(used.size(), processes);
                    EXPECT_EQ(*used.rbegin(), processes - 1);
                }
            }
        }
    }
}

TEST(LeafPartition, ARailOfOneSwitchAndTooManyProcessesAreRefused)
{
    EXPECT_EQ(LeafPartition::FindMisfit({8, 2, 64}, 1), "") << "one process needs no cut";
    EXPECT_NE(LeafPartition::FindMisfit({8, 2, 64}, 2).find("16 ports has one switch"),
              std::string::npos);
    EXPECT_NE(LeafPartition::FindMisfit({8, 2, 0}, 2).find("has one switch"), std::string::npos);
    // leaves of 4 ports join 2 servers each
    EXPECT_EQ(LeafPartition::FindMisfit({8, 2, 8}, 4), "");
    EXPECT_NE(LeafPartition::FindMisfit({8, 2, 8}, 5).find("a rail has 4 leaf switches"),
              std::string::npos);
    // 3 ports of a leaf are one GPU and a half
    EXPECT_NE(LeafPartition::FindMisfit({8, 2, 6}, 2).find("a radix of a multiple of 4"),
              std::string::npos);
}

} // namespace ns3
