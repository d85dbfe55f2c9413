/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The curves of published figures: values here and published, where a row stands on its scale.

#include "ns3/figure-list.h"
#include "ns3/figure-plot.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** @return the drawing of one value of a figure @param row its row @param column its column */
std::string
DrawOne(const Figure& figure, const std::string& row, const std::string& column, double value)
{
    CurvePlot plot;
    FigurePlot curves(figure, figure.points, plot);
    for (const FigurePoint& point : figure.points)
    {
        if (point.row == row && point.column == column)
        {
            curves.Add(point, value);
        }
    }
    return plot.IsEmpty() ? "" : CurvePlot::DrawFile({plot});
}

bool
Has(const std::string& svg, const std::string& name, const std::string& points)
{
    return svg.find("data-name=\"" + name + "\" data-points=\"" + points + "\"") !=
           std::string::npos;
}

TEST(FigurePlot, DelaysAreSecondsBesideThePublishedValues)
{
    const Figure figure = GetFigure("emulation-16");
    ASSERT_TRUE(figure.isCurve);
    const std::string svg = DrawOne(figure, "250ms", "on-demand", 11.5);
    EXPECT_TRUE(Has(svg, "on-demand", "0.25,11.5")) << svg;
    EXPECT_TRUE(Has(svg, "on-demand, published", "0.25,11.884")) << svg;
}

TEST(FigurePlot, AValueOfNoDelayIsALevel)
{
    const std::string svg = DrawOne(GetFigure("emulation-16"), "none", "electrical", 10.25);
    EXPECT_TRUE(Has(svg, "electrical", "any,10.25")) << svg;
}

TEST(FigurePlot, RatesAreInBitsASecond)
{
    const std::string svg = DrawOne(GetFigure("bandwidth-sweep"), "25GB/s", "provisioned", 3.5);
    EXPECT_TRUE(Has(svg, "provisioned", "200000000000,3.5")) << svg;
    EXPECT_NE(svg.find(">25</text>"), std::string::npos) << "ticks are in GB/s";
}

TEST(FigurePlot, OtherRowsAreNames)
{
    const Figure figure = GetFigure("dp-sweep");
    const auto rows = figure.ListRows();
    const std::string svg = DrawOne(figure, rows.at(3), "electrical", 2.5);
    EXPECT_TRUE(Has(svg, "electrical", "3,2.5")) << svg;
    EXPECT_NE(svg.find(">" + rows.at(3) + "<"), std::string::npos);
}

TEST(FigurePlot, TablesOfSeveralUnitsAreNoCurves)
{
    for (const std::string& name : GetFigureNames())
    {
        const Figure figure = GetFigure(name);
        EXPECT_EQ(figure.isCurve, figure.unit == "s an iteration") << name;
    }
}

} // namespace
