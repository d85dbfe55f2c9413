/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "iteration-plot.h"

#include "curve-plot.h"
#include "result-query.h"

#include <set>
#include <string>
#include <utility>

namespace ns3
{

CurvePlot
MakeIterationPlot()
{
    CurvePlot plot;
    plot.SetTitle("Iteration time over reconfiguration time, by policy");
    plot.SetX(
        {"reconfiguration time (logarithmic, 0 at the left)", 1, PlotQuantity::SECONDS, true});
    plot.SetY({"iteration (s)"});
    return plot;
}

std::string
DrawIterationPlot(ResultDatabase& database)
{
    const auto rows = QueryAll(database,
                               "SELECT policy, reconfiguration_s, iteration_s FROM runs WHERE "
                               "status='complete' AND iteration_s IS NOT NULL ORDER BY run");
    std::set<std::pair<std::string, double>> runs; // by policy and time
    for (const auto& row : rows)
    {
        runs.emplace(ToText(row[0]), ToNumber(row[1]));
    }
    if (rows.size() < 2 || runs.size() < rows.size())
    {
        return "";
    }
    CurvePlot plot = MakeIterationPlot();
    for (const auto& row : rows)
    {
        if (IsNull(row[1]))
        {
            plot.AddLevel(ToText(row[0]), ToNumber(row[2])); // it reconfigures nothing
        }
        else
        {
            plot.AddPoint(ToText(row[0]), ToNumber(row[1]), ToNumber(row[2]));
        }
    }
    return plot.IsEmpty() ? "" : plot.Draw("plot-iteration").Draw();
}

} // namespace ns3
