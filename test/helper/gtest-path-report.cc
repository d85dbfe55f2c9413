/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The shares of paths, and the bandwidth tax.

#include "ns3/path-report.h"
#include "ns3/traffic-path.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

PathTally&
On(PathTallies& paths, TrafficPath path)
{
    return paths[static_cast<std::size_t>(path)];
}

} // namespace

TEST(PathReport, TheTaxIsWhatRailsCarryForEachByteSentOnThem)
{
    PathTallies paths{};
    EXPECT_EQ(GetBandwidthTax(paths), 1) << "nothing is sent";
    On(paths, TrafficPath::INSIDE) = {4, 1'000'000};
    On(paths, TrafficPath::HOST_NETWORK) = {4, 1'000'000};
    EXPECT_EQ(GetBandwidthTax(paths), 1) << "nothing on rails";
    On(paths, TrafficPath::CIRCUITS) = {2, 300};
    EXPECT_EQ(GetBandwidthTax(paths), 1) << "one hop";
    On(paths, TrafficPath::MULTI_HOP) = {1, 100, 200}; // two GPUs forward it
    EXPECT_EQ(GetBandwidthTax(paths), 1.5) << "600 bytes on links for 400";
}

TEST(PathReport, WordsHaveTheTaxOnlyIfThereIsOne)
{
    PathTallies paths{};
    EXPECT_EQ(DescribePaths(paths), "none");
    On(paths, TrafficPath::CIRCUITS) = {3, 300};
    EXPECT_EQ(DescribePaths(paths), "circuits 100.0 % (100.0 %)");
    On(paths, TrafficPath::MULTI_HOP) = {1, 100, 200};
    EXPECT_EQ(DescribePaths(paths),
              "circuits 75.0 % (75.0 %), multi-hop 25.0 % (25.0 %); bandwidth tax 1.50");
}
