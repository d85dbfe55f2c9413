/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A plot of curves has the values that it was given, at places in proportion to them: to their
// logarithms on a logarithmic scale.

#include "ns3/curve-plot.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Place = std::pair<double, double>;

/** A curve as it stands in a file of SVG. */
struct Drawn
{
    std::string name;
    std::vector<Place> values; //!< of data-points; a level has NaN for x
    std::vector<Place> places; //!< in pixels
    std::string colour;
    std::string dashes;
};

/** @return pairs of numbers, such as "1,2 3,4" */
std::vector<Place>
ReadPairs(const std::string& text)
{
    std::vector<Place> pairs;
    std::istringstream words(text);
    for (std::string word; words >> word;)
    {
        const std::size_t comma = word.find(',');
        const std::string x = word.substr(0, comma);
        pairs.emplace_back(x == "any" ? std::nan("") : std::stod(x),
                           std::stod(word.substr(comma + 1)));
    }
    return pairs;
}

/** @return an attribute of an element */
std::string
Get(const std::string& element, const std::string& attribute)
{
    const std::size_t begin = element.find(" " + attribute + "=\"");
    if (begin == std::string::npos)
    {
        return "";
    }
    const std::size_t from = begin + attribute.size() + 3;
    return element.substr(from, element.find('"', from) - from);
}

/** @return the elements of a kind, as texts up to their first ">" */
std::vector<std::string>
FindElements(const std::string& svg, const std::string& kind)
{
    std::vector<std::string> found;
    for (std::size_t at = svg.find("<" + kind + " "); at != std::string::npos;
         at = svg.find("<" + kind + " ", at + 1))
    {
        found.push_back(svg.substr(at, svg.find('>', at) - at));
    }
    return found;
}

std::vector<Drawn>
FindCurves(const std::string& svg)
{
    std::vector<Drawn> curves;
    for (const std::string& line : FindElements(svg, "polyline"))
    {
        curves.push_back({Get(line, "data-name"),
                          ReadPairs(Get(line, "data-points")),
                          ReadPairs(Get(line, "points")),
                          Get(line, "stroke"),
                          Get(line, "stroke-dasharray")});
    }
    return curves;
}

/** Expects that places are in proportion to values, to a pixel's tenth. */
void
ExpectProportion(const std::vector<double>& values, const std::vector<double>& places)
{
    ASSERT_EQ(values.size(), places.size());
    ASSERT_GE(values.size(), 2U);
    const double scale = (places.back() - places.front()) / (values.back() - values.front());
    for (std::size_t v = 0; v < values.size(); ++v)
    {
        EXPECT_NEAR(places[v] - places.front(), scale * (values[v] - values.front()), 0.1);
    }
}

TEST(CurvePlot, PointsHaveAllDigitsAndPlacesInProportion)
{
    CurvePlot plot;
    plot.SetX({"time (us)", 1e6});
    plot.SetY({"length (MB)", 1e6});
    const std::vector<Place> given{{1e6, 1.0 / 3}, {2e6, 5e6}, {4e6, 123456789.012345}};
    for (const auto& [x, y] : given)
    {
        plot.AddPoint("queue", x, y);
    }
    const auto curves = FindCurves(CurvePlot::DrawFile({plot}));
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_EQ(curves[0].name, "queue");
    EXPECT_EQ(curves[0].values, given);
    std::vector<std::vector<double>> of(4);
    for (std::size_t p = 0; p < given.size(); ++p)
    {
        of[0].push_back(given[p].first);
        of[1].push_back(curves[0].places.at(p).first);
        of[2].push_back(given[p].second);
        of[3].push_back(-curves[0].places.at(p).second); // downwards
    }
    ExpectProportion(of[0], of[1]);
    ExpectProportion(of[2], of[3]);
}

TEST(CurvePlot, LogarithmicScalesAreInProportionToLogarithms)
{
    CurvePlot plot;
    plot.SetX({"size", 1, PlotQuantity::BYTES, true});
    plot.SetY({"time (us)", 1, PlotQuantity::NUMBERS, true});
    std::vector<std::vector<double>> of(4);
    for (const double size : {1024.0, 65536.0, 1048576.0, 1073741824.0})
    {
        plot.AddPoint("ring", size, size / 1000);
        of[0].push_back(std::log(size));
        of[2].push_back(std::log(size / 1000));
    }
    const std::string svg = CurvePlot::DrawFile({plot});
    const auto curves = FindCurves(svg);
    for (const auto& [x, y] : curves.at(0).places)
    {
        of[1].push_back(x);
        of[3].push_back(-y);
    }
    ExpectProportion(of[0], of[1]);
    ExpectProportion(of[2], of[3]);
    for (const std::string tick : {">1 KiB<", ">64 KiB<", ">1 MiB<", ">1 GiB<"})
    {
        EXPECT_NE(svg.find(tick), std::string::npos) << tick;
    }
}

TEST(CurvePlot, NoTimeStandsLeftOfAllTimesOnALogarithmicScale)
{
    CurvePlot plot;
    plot.SetX({"reconfiguration time", 1, PlotQuantity::SECONDS, true});
    for (const double delay : {0.0, 0.025, 1.0})
    {
        plot.AddPoint("on-demand", delay, 10 + delay);
    }
    const std::string svg = CurvePlot::DrawFile({plot});
    const auto places = FindCurves(svg).at(0).places;
    ASSERT_EQ(places.size(), 3U);
    // a power of 10 is between 0 and the least time: 25 ms to 1 s are log10(40) of them
    EXPECT_NEAR((places[2].first - places[1].first) / (places[1].first - places[0].first),
                std::log10(40),
                0.01);
    for (const std::string tick : {">0 s<", ">25 ms<", ">1 s<"})
    {
        EXPECT_NE(svg.find(tick), std::string::npos) << tick;
    }
}

TEST(CurvePlot, ALevelReachesFromEdgeToEdge)
{
    CurvePlot plot;
    plot.AddLevel("electrical", 10.5);
    plot.AddPoint("on-demand", 1, 10);
    plot.AddPoint("on-demand", 2, 11);
    const auto curves = FindCurves(CurvePlot::DrawFile({plot}));
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_TRUE(std::isnan(curves[0].values.at(0).first));
    EXPECT_EQ(curves[0].values.at(0).second, 10.5);
    EXPECT_EQ(curves[0].places.at(0).second, curves[0].places.at(1).second);
    EXPECT_LE(curves[0].places.at(0).first, curves[1].places.at(0).first);
    EXPECT_GE(curves[0].places.at(1).first, curves[1].places.at(1).first);
    const double middle = (curves[1].places[0].second + curves[1].places[1].second) / 2;
    EXPECT_NEAR(curves[0].places[0].second, middle, 0.02);
}

TEST(CurvePlot, PointsOfACurveAreInOrderWhateverTheOrderOfCalls)
{
    CurvePlot plot;
    for (const double x : {4.0, 1.0, 3.0, 2.0})
    {
        plot.AddPoint("rows of processes side by side", x, x * x);
    }
    const std::vector<Place> sorted{{1, 1}, {2, 4}, {3, 9}, {4, 16}};
    EXPECT_EQ(FindCurves(CurvePlot::DrawFile({plot})).at(0).values, sorted);
}

TEST(CurvePlot, StepsKeepAValueUpToTheNextPoint)
{
    CurvePlot plot;
    plot.SetSteps();
    plot.AddPoint("queue", 0, 5);
    plot.AddPoint("queue", 10, 7);
    plot.AddPoint("queue", 20, 1);
    const auto curve = FindCurves(CurvePlot::DrawFile({plot})).at(0);
    ASSERT_EQ(curve.values.size(), 3U);
    ASSERT_EQ(curve.places.size(), 5U);
    EXPECT_EQ(curve.places[1], Place(curve.places[2].first, curve.places[0].second));
    EXPECT_EQ(curve.places[3], Place(curve.places[4].first, curve.places[2].second));
}

TEST(CurvePlot, ManyPointsKeepTheirExtremesAndTheirEnds)
{
    CurvePlot plot;
    plot.SetSteps();
    for (int p = 0; p < 200000; ++p)
    {
        plot.AddPoint("queue", p, p == 77777 ? 9000 : p == 123456 ? -1 : 100 + p % 13);
    }
    const std::string svg = CurvePlot::DrawFile({plot});
    const auto values = FindCurves(svg).at(0).values;
    EXPECT_LT(values.size(), 5000U);
    EXPECT_LT(svg.size(), 1000000U);
    EXPECT_NE(std::find(values.begin(), values.end(), Place(77777, 9000)), values.end());
    EXPECT_NE(std::find(values.begin(), values.end(), Place(123456, -1)), values.end());
    EXPECT_EQ(values.front(), Place(0, 100));
    EXPECT_EQ(values.back(), Place(199999, 100 + 199999 % 13));
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST(CurvePlot, BarsStandSideBySideAndAreAsHighAsTheirValues)
{
    CurvePlot plot;
    plot.SetBars();
    plot.SetXNames({"splice", "stop"});
    plot.SetY({"%", 0.01, PlotQuantity::NUMBERS, false, true});
    plot.AddPoint("goodput", 0, 0.9);
    plot.AddPoint("goodput", 1, 0.3);
    plot.AddPoint("throughput", 0, 0.6);
    const std::string svg = CurvePlot::DrawFile({plot});
    std::vector<double> heights;
    std::vector<std::pair<double, double>> spans;
    for (const std::string& bar : FindElements(svg, "rect"))
    {
        if (!Get(bar, "data-points").empty())
        {
            heights.push_back(std::stod(Get(bar, "height")));
            const double x = std::stod(Get(bar, "x"));
            spans.emplace_back(x, x + std::stod(Get(bar, "width")));
        }
    }
    ASSERT_EQ(heights.size(), 3U);
    EXPECT_NEAR(heights[1] / heights[0], 1.0 / 3, 0.001);
    EXPECT_NEAR(heights[2] / heights[0], 2.0 / 3, 0.001);
    std::sort(spans.begin(), spans.end());
    EXPECT_LT(spans[0].second, spans[1].first);
    EXPECT_LT(spans[1].second, spans[2].first);
    EXPECT_NE(svg.find(">splice<"), std::string::npos);
}

TEST(CurvePlot, CurvesDifferInColoursOrDashes)
{
    CurvePlot plot;
    for (int curve = 0; curve < 28; ++curve)
    {
        plot.AddPoint("curve " + std::to_string(curve), 0, curve);
        plot.AddPoint("curve " + std::to_string(curve), 1, 2 * curve);
    }
    std::set<std::pair<std::string, std::string>> looks;
    for (const Drawn& curve : FindCurves(CurvePlot::DrawFile({plot})))
    {
        looks.insert({curve.colour, curve.dashes});
    }
    EXPECT_EQ(looks.size(), 28U); // seven colours, four kinds of dashes
}

TEST(CurvePlot, AColourThatIsGivenBeforehandDoesNotDependOnTheOrderOfPoints)
{
    std::vector<std::vector<Drawn>> drawings;
    for (const bool isReversed : {false, true})
    {
        CurvePlot plot;
        plot.AddCurve("on-demand");
        plot.AddCurve("failed"); // no point comes
        plot.AddCurve("provisioned");
        EXPECT_TRUE(plot.IsEmpty());
        for (const bool isFirst : {!isReversed, isReversed})
        {
            plot.AddPoint(isFirst ? "on-demand" : "provisioned", 1, isFirst ? 11 : 10);
        }
        drawings.push_back(FindCurves(CurvePlot::DrawFile({plot})));
        ASSERT_EQ(drawings.back().size(), 2U);
    }
    for (std::size_t c = 0; c < 2; ++c)
    {
        EXPECT_EQ(drawings[0][c].name, drawings[1][c].name);
        EXPECT_EQ(drawings[0][c].colour, drawings[1][c].colour);
    }
    EXPECT_NE(drawings[0][0].colour, drawings[0][1].colour);
}

TEST(CurvePlot, EmptyPlotsAreLeftOut)
{
    CurvePlot empty;
    empty.SetTitle("nothing");
    EXPECT_TRUE(empty.IsEmpty());
    CurvePlot plot;
    plot.SetTitle("a < b");
    plot.AddPoint("one", 1, 1);
    EXPECT_FALSE(plot.IsEmpty());
    const std::string svg = CurvePlot::DrawFile({empty, plot});
    EXPECT_EQ(svg.find("nothing"), std::string::npos);
    EXPECT_NE(svg.find(">a &lt; b<"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

} // namespace
