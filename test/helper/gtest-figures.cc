/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Published figures as data: complete, without contradictions, and with jobs that can run.

#include "ns3/figure-list.h"
#include "ns3/figure-parts.h"
#include "ns3/model-shape-file.h"
#include "ns3/picosecond-resolution.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Names = std::vector<std::string>;

/** @return a figure of two rows and two columns, of which one has a single value */
Figure
MakeSmallFigure()
{
    Figure figure;
    figure.options = {"--dp=4", "--pp=2"};
    figure.points = {{"none", "electrical"}, {"1s", "on-demand"}, {"2s", "on-demand"}};
    figure.points[1].options = {"--pp=8", "--policy=on-demand"};
    return figure;
}

/** Expects two shapes to be equal in all that a job depends on. */
void
ExpectEqual(const ModelShape& one, const std::string& file)
{
    const ModelShapeFile read =
        ReadModelShape(std::string(PHOTONIC_RAILS_SOURCE_DIR) + "/doc/validation/" + file);
    ASSERT_TRUE(read.error.empty()) << read.error;
    const ModelShape& other = *read.shape;
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.source, other.source);
    EXPECT_EQ(one.layers, other.layers);
    EXPECT_EQ(one.hidden, other.hidden);
    EXPECT_EQ(one.heads, other.heads);
    EXPECT_EQ(one.keyHeads, other.keyHeads);
    EXPECT_EQ(one.headSize, other.headSize);
    EXPECT_EQ(one.feedForward, other.feedForward);
    EXPECT_EQ(one.vocabulary, other.vocabulary);
    EXPECT_EQ(one.gated, other.gated);
    EXPECT_EQ(CountParameters(one), CountParameters(other));
}

} // namespace

TEST(Figures, EachIsComplete)
{
    const Names names = GetFigureNames();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const std::string& name : names)
    {
        const Figure figure = GetFigure(name);
        EXPECT_EQ(figure.name, name);
        for (const std::string& words : {figure.title,
                                         figure.source,
                                         figure.rows,
                                         figure.unit,
                                         figure.calibrated,
                                         figure.effort})
        {
            EXPECT_FALSE(words.empty()) << name;
        }
        EXPECT_EQ(figure.shape.has_value(), !figure.shapeFile.empty()) << name;
        std::set<std::pair<std::string, std::string>> seen;
        for (const FigurePoint& point : figure.points)
        {
            EXPECT_TRUE(seen.insert({point.row, point.column}).second)
                << name << " has two values at " << point.row << ", " << point.column;
            EXPECT_NE(static_cast<bool>(point.measure), static_cast<bool>(point.compute)) << name;
            // --only takes names with commas between
            EXPECT_EQ((point.row + point.column).find_first_of(", "), std::string::npos)
                << name << ": " << point.row << ", " << point.column;
        }
        Names all = figure.ListRows();
        const Names columns = figure.ListColumns();
        all.insert(all.end(), columns.begin(), columns.end());
        EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size())
            << name << ": a row and a column have one name";
    }
}

TEST(Figures, JobsCanRun)
{
    UsePicoseconds();
    for (const std::string& name : GetFigureNames())
    {
        const Figure figure = GetFigure(name);
        std::set<Names> jobs;
        for (const FigurePoint& point : figure.points)
        {
            // one delay of each column is enough
            const bool isNew = jobs.insert({point.column}).second;
            if (point.measure && isNew)
            {
                EXPECT_GT(CheckFigureJob(figure.ListOptions(point), figure.shape), 0)
                    << name << ": " << point.column;
            }
        }
    }
}

TEST(Figures, OptionsOfAPointReplaceThoseOfTheFigure)
{
    const Figure figure = MakeSmallFigure();
    EXPECT_EQ(figure.ListOptions(figure.points[0]), (Names{"--dp=4", "--pp=2"}));
    EXPECT_EQ(figure.ListOptions(figure.points[1]),
              (Names{"--dp=4", "--pp=8", "--policy=on-demand"}));
    EXPECT_EQ(figure.GetCommand(), "./rails run photonic-training --dp=4 --pp=2");
}

TEST(Figures, APartIsInTheNamedRowsAndColumns)
{
    const Figure figure = MakeSmallFigure();
    EXPECT_EQ(figure.ListRows(), (Names{"none", "1s", "2s"}));
    EXPECT_EQ(figure.ListColumns(), (Names{"electrical", "on-demand"}));
    EXPECT_EQ(figure.Select({}).size(), 3U);
    EXPECT_EQ(figure.Select({"on-demand"}).size(), 2U);
    EXPECT_EQ(figure.Select({"2s"}).size(), 1U);
    EXPECT_EQ(figure.Select({"2s", "1s", "on-demand"}).size(), 2U);
    EXPECT_EQ(figure.Select({"none", "on-demand"}).size(), 0U);
}

TEST(Figures, ModelsOfTheStudyAreThoseOfTheirFiles)
{
    ExpectEqual(MakeStudyModel80(), "80b-class.json");
    ExpectEqual(MakeStudyModel405(), "405b-class.json");
}

TEST(Figures, ComputedValuesArePublished)
{
    // those that nothing is simulated for, to the digits that were published
    uint32_t compared = 0;
    for (const char* name : {"technologies", "cost-h200"})
    {
        for (const FigurePoint& point : GetFigure(name).points)
        {
            if (point.published.empty())
            {
                continue;
            }
            const std::size_t dot = point.published.find('.');
            const std::size_t digits =
                dot == std::string::npos ? 0 : point.published.size() - dot - 1;
            EXPECT_NEAR(point.compute(), std::stod(point.published), 0.5 * std::pow(0.1, digits))
                << name << ": " << point.row << ", " << point.column;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 7U * 4 + 4);
}

TEST(Figures, WindowsOfARankAreCounted)
{
    std::vector<CommunicationWindow> windows(4);
    windows[0].rank = windows[1].rank = windows[2].rank = RankId(3);
    windows[0].length = MilliSeconds(5);
    windows[0].to = "dp";
    windows[1].length = MilliSeconds(-9);
    windows[1].to = "pp";
    windows[2].length = MicroSeconds(999);
    windows[2].to = "dp";
    windows[3].rank = RankId(4);
    windows[3].length = Seconds(1);
    const RankWindows counted = CountWindowsOf(windows, 3);
    EXPECT_EQ(counted.all, 3U);
    EXPECT_EQ(counted.overMillisecond, 1U);
    EXPECT_DOUBLE_EQ(counted.largest, 5);
    EXPECT_DOUBLE_EQ(counted.beforeReduction, 0.999) << "the last phase of dp is the reduction";
}
