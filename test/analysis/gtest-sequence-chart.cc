/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The chart of a flow: arrows from senders to receivers, in the order of time.

#include "ns3/picosecond-resolution.h"
#include "ns3/sequence-chart.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

std::vector<std::string>
LinesOf(const SequenceChart& chart, Time begin = Time(0))
{
    std::ostringstream words;
    chart.Print(words, begin);
    std::vector<std::string> lines;
    std::istringstream in(words.str());
    for (std::string line; std::getline(in, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

} // namespace

TEST(SequenceChart, ArrowsPointFromSenderToReceiver)
{
    SequenceChart chart({"a", "b", "c"});
    chart.Add(ToTime(2'000'000), 2, 1, "back", "later");
    chart.Add(ToTime(1'500'000), 0, 1, "there");
    const auto lines = LinesOf(chart);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "          us       a             b             c");
    EXPECT_EQ(lines[1], "       1.500       |--- there -->|             |");
    EXPECT_EQ(lines[2], "       2.000       |             |<-- back ----|        later");
}

TEST(SequenceChart, LongArrowsPassBehindThoseBetween)
{
    SequenceChart chart({"a", "b", "c"});
    chart.Add(Time(0), 2, 0, "hello");
    EXPECT_EQ(LinesOf(chart)[1], "       0.000       |<--------- hello ----------|");
}

TEST(SequenceChart, LongWordsAreCutAndNotes)
{
    SequenceChart chart({"a", "b"});
    chart.Add(ToTime(5'000'000), 0, 1, "supercalifragilistic");
    chart.Note(ToTime(6'000'000), "all is well");
    const auto lines = LinesOf(chart, ToTime(4'000'000));
    EXPECT_NE(lines[1].find("supercali"), std::string::npos);
    EXPECT_EQ(lines[1].find("supercalifragilistic"), std::string::npos);
    EXPECT_EQ(lines[1].size(), 12u + 7u + 14u + 1u)
        << "what is too long is cut, columns stay in place";
    EXPECT_EQ(lines[1][12 + 7 + 14], '|');
    EXPECT_EQ(lines[1][12 + 7 + 13], '>');
    EXPECT_EQ(lines[2], "       2.000       |             |        all is well");
}

TEST(SequenceChartDeathTest, ColumnsAreChecked)
{
    SequenceChart chart({"a", "b"});
    EXPECT_DEATH(chart.Add(Time(0), 0, 2, "x"), "column 0 to column 2; give two of 2");
    EXPECT_DEATH(chart.Add(Time(0), 1, 1, "x"), "column 1 to column 1");
}
