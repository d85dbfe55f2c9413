/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "iteration-plot.h"

#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/** @return a reconfiguration time in words */
std::string
ToWords(double seconds)
{
    const double size = seconds == 0 ? 1 : seconds;
    return size >= 1      ? ToShortText(seconds) + " s"
           : size >= 1e-3 ? ToShortText(seconds * 1e3) + " ms"
                          : ToShortText(seconds * 1e6) + " us";
}

} // namespace

std::string
DrawIterationPlot(ResultDatabase& database)
{
    const auto rows = QueryAll(database,
                               "SELECT policy, reconfiguration_s, iteration_s FROM runs WHERE "
                               "status='complete' ORDER BY reconfiguration_s");
    if (rows.empty())
    {
        return "";
    }
    std::set<double> delays;
    double longest = 0;
    double shortest = ToNumber(rows.front()[2]);
    for (const auto& row : rows)
    {
        if (!IsNull(row[1]))
        {
            delays.insert(ToNumber(row[1]));
        }
        longest = std::max(longest, ToNumber(row[2]));
        shortest = std::min(shortest, ToNumber(row[2]));
    }
    // each decade as wide as the next; 0 stands to the left of them
    std::map<double, double> places;
    const auto least = delays.upper_bound(0);
    const double origin = least == delays.end() ? 0 : std::log10(*least) - 1;
    std::vector<std::pair<double, std::string>> ticks;
    for (const double delay : delays)
    {
        places[delay] = delay > 0 ? std::log10(delay) : origin;
        ticks.emplace_back(places[delay], ToWords(delay));
    }
    const double left = places.empty() ? 0 : places.begin()->second - 0.2;
    const double right = places.empty() ? 1 : places.rbegin()->second + 0.2;
    const double margin = longest > shortest ? (longest - shortest) / 10 : longest / 10;
    SvgChart chart("plot-iteration", "Iteration time over reconfiguration time, by policy");
    chart.SetX("reconfiguration time (logarithmic, 0 at the left)", left, right);
    chart.SetXTicks(ticks);
    chart.SetY("iteration (s)", std::max(0.0, shortest - margin), longest + margin);
    std::map<std::string, std::vector<SvgChart::Point>> lines;
    for (const auto& row : rows)
    {
        std::vector<SvgChart::Point>& line = lines[ToText(row[0])];
        if (IsNull(row[1])) // of a policy that reconfigures nothing: at all times
        {
            line = {{left, ToNumber(row[2])}, {right, ToNumber(row[2])}};
        }
        else
        {
            line.emplace_back(places[ToNumber(row[1])], ToNumber(row[2]));
        }
    }
    std::size_t colour = 0;
    for (const auto& [policy, points] : lines)
    {
        chart.AddLine(points, colour++, policy, true);
    }
    return chart.Draw();
}

} // namespace ns3
