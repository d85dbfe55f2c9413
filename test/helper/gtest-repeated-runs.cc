/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Figures of several runs.

#include "ns3/repeated-runs.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

TEST(RepeatedRuns, FiguresArePackedToTheLastBit)
{
    const std::vector<RunFigure> figures{{"a name, with 3 words", "us", 1.0 / 3},
                                         {"none", "%", 0},
                                         {"large", "s", -1.7976931348623157e308}};
    const std::vector<RunFigure> there = RepeatedRuns::Unpack(RepeatedRuns::Pack(figures));
    ASSERT_EQ(there.size(), figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i)
    {
        EXPECT_EQ(there[i].name, figures[i].name);
        EXPECT_EQ(there[i].unit, figures[i].unit);
        EXPECT_EQ(there[i].value, figures[i].value);
    }
    EXPECT_TRUE(RepeatedRuns::Unpack(RepeatedRuns::Pack({})).empty());
}

TEST(RepeatedRuns, PrintsMeanIntervalAndRange)
{
    RepeatedRuns runs;
    for (const double value : {10.0, 12.0, 14.0})
    {
        EXPECT_EQ(runs.Add({{"time", "us", value}}), "");
    }
    std::ostringstream text;
    runs.Print(text, 5);
    EXPECT_NE(text.str().find("3 runs, with the random variables of RngRun 5 to 7"),
              std::string::npos)
        << text.str();
    // a deviation of 2, t of 2 degrees of freedom: 4.3027 * 2 / sqrt(3)
    EXPECT_NE(text.str().find("12.0000       4.9683      10.0000      14.0000"), std::string::npos)
        << text.str();
    EXPECT_EQ(text.str().find("equal"), std::string::npos);
}

TEST(RepeatedRuns, NotesThatNothingIsRandom)
{
    RepeatedRuns runs;
    runs.Add({{"time", "us", 3}});
    runs.Add({{"time", "us", 3}});
    std::ostringstream text;
    runs.Print(text, 1);
    EXPECT_NE(text.str().find("nothing in them is random"), std::string::npos);
}

TEST(RepeatedRuns, RefusesOtherFigures)
{
    RepeatedRuns runs;
    EXPECT_EQ(runs.Add({{"time", "us", 3}}), "");
    EXPECT_NE(runs.Add({{"another", "us", 3}}), "");
    EXPECT_NE(runs.Add({}), "");
    EXPECT_EQ(runs.CountFigures(), 1U);
}
