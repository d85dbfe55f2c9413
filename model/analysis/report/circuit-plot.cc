/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-plot.h"

#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_PORTS = 64; //!< in a picture

} // namespace

std::string
DrawCircuitPlot(ResultDatabase& database)
{
    const std::string run = std::to_string(ChooseRun(database));
    const auto last =
        QueryAll(database,
                 "SELECT start_ps, iterations.end_ps, name FROM iterations JOIN runs USING (run) "
                 "WHERE run=" +
                     run + " ORDER BY iteration DESC LIMIT 1");
    if (last.empty())
    {
        return "";
    }
    const double begin = ToNumber(last[0][0]);
    const double end = ToNumber(last[0][1]);
    const auto circuits = QueryAll(
        database,
        "SELECT low_port, high_port, up_ps, down_ps FROM circuits WHERE rail=0 AND run=" + run +
            " AND up_ps<" + ToText(last[0][1]) + " AND (down_ps IS NULL OR down_ps>" +
            ToText(last[0][0]) + ")");
    std::set<double> ports;
    for (const auto& circuit : circuits)
    {
        ports.insert({ToNumber(circuit[0]), ToNumber(circuit[1])});
    }
    if (ports.empty() || ports.size() > MOST_PORTS)
    {
        return "";
    }
    const auto seconds = [begin](double instant) { return (instant - begin) / 1e12; };
    const double rows = static_cast<double>(ports.size());
    std::map<double, double> rowOf;
    std::vector<std::pair<double, std::string>> ticks;
    for (const double port : ports)
    {
        rowOf[port] = rows - 1 - static_cast<double>(rowOf.size());
        ticks.emplace_back(rowOf[port] + 0.5, "port " + ToShortText(port));
    }
    ticks.emplace_back(rows + 0.9, "phases");
    SvgChart chart("plot-circuits",
                   "Circuits of rail 0 in the last iteration of " + ToText(last[0][2]) +
                       "; white: no light");
    chart.SetX("s since the begin of the iteration", 0, seconds(end));
    chart.SetY("", 0, rows + 1.4);
    chart.SetYTicks(ticks);
    chart.SetHeight(22 * (rows + 1.4));
    std::map<std::string, std::size_t> colours;
    const auto phases =
        QueryAll(database,
                 "SELECT parallelism, start_ps, end_ps, bytes FROM phases WHERE rank IS NULL AND "
                 "rail=0 AND run=" +
                     run + " AND end_ps>" + ToText(last[0][0]) + " ORDER BY start_ps");
    for (const auto& phase : phases)
    {
        const std::string parallelism = ToText(phase[0]);
        const bool isNew = colours.emplace(parallelism, colours.size()).second;
        if (isNew)
        {
            chart.AddLegend(colours[parallelism], "phase of " + parallelism);
        }
        chart.AddRectangle({seconds(std::max(begin, ToNumber(phase[1]))), rows + 0.55},
                           {seconds(std::min(end, ToNumber(phase[2]))), rows + 1.25},
                           colours[parallelism],
                           parallelism + ", " + ToText(phase[3]) + " bytes");
    }
    const std::size_t first = colours.size();
    std::set<std::size_t> shown;
    for (const auto& circuit : circuits)
    {
        const double up = std::max(begin, ToNumber(circuit[2]));
        const double down = IsNull(circuit[3]) ? end : std::min(end, ToNumber(circuit[3]));
        const std::string name = ToText(circuit[0]) + "-" + ToText(circuit[1]);
        // ends that are as far apart have one colour: the circuits of one parallelism
        const auto distance = static_cast<std::size_t>(ToNumber(circuit[1]) - ToNumber(circuit[0]));
        const std::size_t colour = first + distance;
        for (const double port : {ToNumber(circuit[0]), ToNumber(circuit[1])})
        {
            chart.AddRectangle({seconds(up), rowOf[port] + 0.12},
                               {seconds(down), rowOf[port] + 0.88},
                               colour,
                               "circuit " + name);
        }
        if (shown.insert(distance).second)
        {
            chart.AddLegend(colour, "ports " + std::to_string(distance) + " apart");
        }
    }
    return chart.Draw();
}

} // namespace ns3
