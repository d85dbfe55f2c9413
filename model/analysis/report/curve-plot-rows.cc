/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "curve-plot-rows.h"

#include "result-query.h"

#include "ns3/result-schema.h"

#include <array>
#include <cstddef>
#include <sstream>

namespace ns3
{

namespace
{

/** The kinds of quantities, as PlotQuantity numbers them. */
const std::array<const char*, 3> KINDS{"numbers", "seconds", "bytes"};

constexpr char BETWEEN_NAMES = '\n';

PlotQuantity
ReadQuantity(const std::vector<ResultValue>& row, std::size_t first)
{
    PlotQuantity quantity;
    quantity.label = ToText(row[first]);
    quantity.unit = ToNumber(row[first + 1]);
    const std::string kind = ToText(row[first + 2]);
    quantity.kind = kind == KINDS[PlotQuantity::SECONDS] ? PlotQuantity::SECONDS
                    : kind == KINDS[PlotQuantity::BYTES] ? PlotQuantity::BYTES
                                                         : PlotQuantity::NUMBERS;
    quantity.isLogarithmic = ToWhole(row[first + 3]) != 0;
    quantity.fromZero = ToWhole(row[first + 4]) != 0;
    return quantity;
}

void
AddQuantity(ResultRows& rows, const PlotQuantity& quantity)
{
    rows.values.push_back(MakeResultValue(quantity.label));
    rows.values.push_back(MakeResultValue(quantity.unit));
    rows.values.push_back(MakeResultValue(KINDS[quantity.kind]));
    rows.values.push_back(MakeResultValue(quantity.isLogarithmic));
    rows.values.push_back(MakeResultValue(quantity.fromZero));
}

std::vector<std::string>
SplitNames(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, BETWEEN_NAMES);)
    {
        names.push_back(name);
    }
    return names;
}

/** Adds the points of a plot, curve by curve. @param number of the plot */
void
AddPoints(ResultRows& rows, std::size_t number, const CurvePlot& plot)
{
    std::size_t which = 0;
    for (const CurvePlot::Curve& curve : plot.ListCurves())
    {
        for (const auto& [x, y] : curve.points)
        {
            rows.values.push_back(MakeResultValue(number));
            rows.values.push_back(MakeResultValue(which));
            rows.values.push_back(MakeResultValue(curve.name));
            rows.values.push_back(curve.isLevel ? ResultValue() : MakeResultValue(x));
            rows.values.push_back(MakeResultValue(y));
        }
        ++which;
    }
}

} // namespace

void
WriteCurvePlots(const std::string& database, const std::deque<CurvePlot>& plots)
{
    ResultRows heads{FindResultTable("plots"), {}};
    ResultRows points{FindResultTable("points"), {}};
    for (std::size_t number = 0; number < plots.size(); ++number)
    {
        const CurvePlot& plot = plots[number];
        if (plot.IsEmpty())
        {
            continue;
        }
        heads.values.push_back(MakeResultValue(number));
        heads.values.push_back(MakeResultValue(plot.GetTitle()));
        AddQuantity(heads, plot.GetX());
        AddQuantity(heads, plot.GetY());
        std::string names;
        for (const std::string& name : plot.GetXNames())
        {
            names += (names.empty() ? "" : std::string(1, BETWEEN_NAMES)) + name;
        }
        heads.values.push_back(MakeResultValue(names));
        heads.values.push_back(MakeResultValue(plot.HasBars()    ? "bars"
                                               : plot.HasSteps() ? "steps"
                                                                 : "lines"));
        AddPoints(points, number, plot);
    }
    if (heads.values.empty())
    {
        return;
    }
    ResultDatabase(database).Insert({heads, points}, "DELETE FROM points");
}

std::vector<CurvePlot>
ReadCurvePlots(ResultDatabase& database)
{
    std::vector<CurvePlot> plots;
    for (const auto& row : QueryAll(database,
                                    "SELECT plot, title, x_label, x_unit, x_kind, x_is_log, "
                                    "x_from_zero, y_label, y_unit, y_kind, y_is_log, y_from_zero, "
                                    "x_names, style FROM plots ORDER BY plot"))
    {
        CurvePlot plot;
        plot.SetTitle(ToText(row[1]));
        plot.SetX(ReadQuantity(row, 2));
        plot.SetY(ReadQuantity(row, 7));
        if (!IsNull(row[12]))
        {
            plot.SetXNames(SplitNames(ToText(row[12])));
        }
        const std::string style = ToText(row[13]);
        if (style == "steps")
        {
            plot.SetSteps();
        }
        if (style == "bars")
        {
            plot.SetBars();
        }
        database.Select("SELECT curve, x, y FROM points WHERE plot=" + ToText(row[0]) +
                            " ORDER BY curve_number, rowid",
                        [&plot](const auto& point) {
                            const std::string curve = ToText(point[0]);
                            if (IsNull(point[1]))
                            {
                                plot.AddLevel(curve, ToNumber(point[2]));
                            }
                            else
                            {
                                plot.AddPoint(curve, ToNumber(point[1]), ToNumber(point[2]));
                            }
                        });
        plots.push_back(plot);
    }
    return plots;
}

} // namespace ns3
