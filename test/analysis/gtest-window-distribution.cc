/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/time-units.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/window-distribution.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <sstream>

using namespace ns3;

namespace
{

constexpr uint64_t MB = 1'000'000;

CommunicationWindow
MakeWindow(Picoseconds length, uint64_t bytes = 0, uint32_t iteration = 0)
{
    CommunicationWindow window;
    window.rank = RankId(3);
    window.rail = RailId(1);
    window.iteration = iteration;
    window.start = ToTime(5);
    window.length = ToTime(length);
    window.from = "dp";
    window.to = "pp";
    window.nextBytes = bytes;
    window.nextOperations = 2;
    return window;
}

} // namespace

TEST(WindowDistribution, PointsAreExact)
{
    // five windows, two of one length and one of them negative
    const WindowDistribution distribution(
        {MakeWindow(7), MakeWindow(-2), MakeWindow(1), MakeWindow(7), MakeWindow(100)});
    const std::vector<WindowDistribution::Point> points = distribution.GetPoints();
    ASSERT_EQ(points.size(), 4U);
    const Picoseconds lengths[] = {-2, 1, 7, 100};
    const std::size_t counts[] = {1, 2, 4, 5};
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        EXPECT_EQ(points[i].length, ToTime(lengths[i]));
        EXPECT_EQ(points[i].count, counts[i]);
        EXPECT_DOUBLE_EQ(points[i].share, counts[i] / 5.0);
    }
}

TEST(WindowDistribution, PointsAndSharesAgreeWithCounting)
{
    std::mt19937 random(3);
    std::vector<CommunicationWindow> windows;
    for (uint32_t i = 0; i < 500; ++i)
    {
        windows.push_back(MakeWindow(static_cast<Picoseconds>(random() % 60) - 20));
    }
    const WindowDistribution distribution(windows);
    EXPECT_EQ(distribution.GetCount(), 500U);
    for (Picoseconds length = -25; length < 45; ++length)
    {
        const auto longer =
            std::count_if(windows.begin(), windows.end(), [length](const auto& one) {
                return one.length > ToTime(length);
            });
        EXPECT_DOUBLE_EQ(distribution.GetShareAbove(ToTime(length)), longer / 500.0) << length;
    }
    Time before = ToTime(-1000);
    for (const auto& point : distribution.GetPoints())
    {
        EXPECT_LT(before, point.length);
        EXPECT_DOUBLE_EQ(point.share + distribution.GetShareAbove(point.length), 1);
        before = point.length;
    }
    EXPECT_EQ(distribution.GetPoints().back().count, 500U);
}

TEST(WindowDistribution, QuantilesAreLengthsThatOccur)
{
    // a hundred windows of 1 to 100 ps: the n-th hundredth is n, in floating point too
    std::vector<CommunicationWindow> windows;
    for (Picoseconds length = 100; length >= 1; --length)
    {
        windows.push_back(MakeWindow(length));
    }
    const WindowDistribution distribution(windows);
    for (int n = 1; n <= 100; ++n)
    {
        EXPECT_EQ(distribution.GetQuantile(n / 100.0), ToTime(n));
        EXPECT_EQ(distribution.GetQuantile(n * 0.01), ToTime(n));
        EXPECT_EQ(distribution.GetQuantile((n - 0.5) / 100.0), ToTime(n));
    }
}

TEST(WindowDistribution, GroupsGoByTheTrafficAfter)
{
    // the four volumes of the workshop paper's job, in MiB, and bounds of 1 and 100 MB and 1 GB
    const uint64_t mib = 1 << 20;
    const WindowDistribution distribution({MakeWindow(1000 * MS, 3829 * mib),
                                           MakeWindow(30 * MS, 957 * mib),
                                           MakeWindow(20 * MS, 64 * mib),
                                           MakeWindow(10 * MS, 64 * mib),
                                           MakeWindow(-MS, 1024)});
    const auto groups = distribution.GroupByBytes({MB, 100 * MB, 1000 * MB});
    ASSERT_EQ(groups.size(), 4U);
    EXPECT_EQ(groups[0].lengths, (std::vector<Time>{ToTime(-MS)}));
    EXPECT_EQ(groups[1].lengths, (std::vector<Time>{ToTime(10 * MS), ToTime(20 * MS)}));
    EXPECT_TRUE(groups[2].lengths.empty()) << "957 MiB are 1003 MB";
    EXPECT_EQ(groups[3].lengths, (std::vector<Time>{ToTime(30 * MS), ToTime(1000 * MS)}));
    EXPECT_EQ(groups[1].from, MB);
    EXPECT_EQ(groups[1].below, 100 * MB);
    EXPECT_FALSE(groups[3].below.has_value());
    EXPECT_DOUBLE_EQ(groups[1].GetShareAbove(ToTime(10 * MS)), 0.5);
    EXPECT_EQ(groups[2].GetShareAbove(ToTime(0)), 0);
}

TEST(WindowDistribution, ABoundIsTheFirstOfItsGroup)
{
    const WindowDistribution distribution({MakeWindow(1, MB - 1), MakeWindow(2, MB)});
    const auto groups = distribution.GroupByBytes({MB});
    EXPECT_EQ(groups[0].lengths, (std::vector<Time>{ToTime(1)}));
    EXPECT_EQ(groups[1].lengths, (std::vector<Time>{ToTime(2)}));
}

TEST(WindowDistribution, CountsByIteration)
{
    const WindowDistribution distribution(
        {MakeWindow(1, 0, 4), MakeWindow(1, 0, 4), MakeWindow(1, 0, 6)});
    EXPECT_EQ(distribution.GetCountPerIteration(),
              (std::map<uint32_t, std::size_t>{{4, 2}, {6, 1}}));
}

TEST(WindowDistribution, NoWindowsAreNoMistake)
{
    const WindowDistribution distribution({});
    EXPECT_EQ(distribution.GetCount(), 0U);
    EXPECT_TRUE(distribution.GetPoints().empty());
    EXPECT_EQ(distribution.GetShareAbove(ToTime(0)), 0);
    EXPECT_FALSE(distribution.GetQuantile(0.5).has_value());
    std::ostringstream os;
    distribution.Print(os, {MB});
    EXPECT_NE(os.str().find("none"), std::string::npos);
}

TEST(WindowDistribution, PrintsATableWithTheRule)
{
    std::ostringstream os;
    const WindowDistribution distribution(
        {MakeWindow(2 * MS, 5), MakeWindow(4 * MS, 5), MakeWindow(-MS, 2 * MB), MakeWindow(0, 5)});
    distribution.Print(os, {MB});
    std::istringstream lines(os.str());
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, GetWindowRule());
    std::vector<std::vector<std::string>> rows;
    for (; std::getline(lines, line);)
    {
        std::istringstream words(line);
        rows.emplace_back(std::istream_iterator<std::string>(words),
                          std::istream_iterator<std::string>());
    }
    using Row = std::vector<std::string>;
    ASSERT_EQ(rows.size(), 8U);
    EXPECT_EQ(rows[3], (Row{"below", "1", "MB", "3", "0.000", "2.000", "4.000", "66.7", "%"}));
    EXPECT_EQ(rows[4], (Row{"from", "1", "MB", "1", "-1.000", "-1.000", "-1.000", "0.0", "%"}));
    EXPECT_EQ(rows[5], (Row{"any", "4", "-1.000", "0.000", "4.000", "50.0", "%"}));
    EXPECT_EQ(rows[7], (Row{"windows", "by", "iteration:", "0:", "4"}));
}

TEST(WindowDistribution, PrintingLeavesAStreamAsItWas)
{
    std::ostringstream os;
    WindowDistribution({MakeWindow(1)}).Print(os, {});
    os.str("");
    os << 0.123456;
    EXPECT_EQ(os.str(), "0.123456");
}

TEST(WindowDistribution, WritesEveryWindowAsALine)
{
    CommunicationWindow ofRail = MakeWindow(7, 8, 9);
    ofRail.rank.reset();
    ofRail.to = "my \"own\", odd";
    std::ostringstream os;
    WriteWindows(os, {MakeWindow(-1'000'000'000'001, MB), ofRail});
    EXPECT_EQ(os.str(),
              "rank,rail,iteration,start_ps,length_ps,from,to,next_bytes,next_operations\n"
              "3,1,0,5,-1000000000001,dp,pp,1000000,2\n"
              ",1,9,5,7,dp,\"my \"\"own\"\", odd\",8,2\n");
}

TEST(WindowDistributionDeathTest, MistakesAreNamed)
{
    const WindowDistribution distribution({MakeWindow(1)});
    EXPECT_DEATH(distribution.GroupByBytes({MB, MB}), "1000000 bytes does not come after 1000000");
    EXPECT_DEATH(distribution.GroupByBytes({0}), "give bounds that are above 0");
    EXPECT_DEATH(distribution.GetQuantile(0), "give more than 0 and at most 1");
    EXPECT_DEATH(distribution.GetQuantile(1.5), "a quantile of 1.5");
}
