/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-plot.h"

#include "circuit-kinds.h"
#include "result-query.h"
#include "run-span.h"
#include "svg-chart.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_PORTS = 64;      //!< in a picture
constexpr std::size_t MOST_CIRCUITS = 5000; //!< the later ones are left out

/** @return an instant for a query */
std::string
ToBound(double instant)
{
    return std::to_string(static_cast<int64_t>(instant));
}

} // namespace

std::string
DrawCircuitPlot(ResultDatabase& database)
{
    const RunSpan span = ChooseSpan(database);
    const std::string run = std::to_string(span.run);
    const double begin = span.begin;
    const double end = span.end;
    const auto circuits = QueryAll(
        database,
        "SELECT low_port, high_port, up_ps, down_ps FROM circuits WHERE rail=0 AND run=" + run +
            " AND up_ps<" + ToBound(end) + " AND (down_ps IS NULL OR down_ps>" + ToBound(begin) +
            ") ORDER BY up_ps LIMIT " + std::to_string(MOST_CIRCUITS));
    std::set<double> ports;
    for (const auto& circuit : circuits)
    {
        ports.insert({ToNumber(circuit[0]), ToNumber(circuit[1])});
    }
    if (ports.empty() || ports.size() > MOST_PORTS)
    {
        return "";
    }
    const auto [unitName, unit] = span.GetUnit();
    const auto place = [begin, ps = unit](double instant) { return (instant - begin) / ps; };
    const double rows = static_cast<double>(ports.size());
    std::map<double, double> rowOf;
    std::vector<std::pair<double, std::string>> ticks;
    for (const double port : ports)
    {
        rowOf[port] = rows - 1 - static_cast<double>(rowOf.size());
        ticks.emplace_back(rowOf[port] + 0.5, "port " + ToShortText(port));
    }
    const auto phases =
        QueryAll(database,
                 "SELECT parallelism, start_ps, end_ps, bytes FROM phases WHERE rank IS NULL AND "
                 "rail=0 AND run=" +
                     run + " AND end_ps>" + ToBound(begin) + " ORDER BY start_ps");
    if (!phases.empty())
    {
        ticks.emplace_back(rows + 0.9, "phases");
    }
    const double above = phases.empty() ? 0.1 : 1.4;
    SvgChart chart("plot-circuits", "Circuits of rail 0 " + span.Describe() + "; white: no light");
    chart.SetX(unitName + (span.isIteration ? " since the begin of the iteration" : ""),
               0,
               place(end));
    chart.SetY("", 0, rows + above);
    chart.SetYTicks(ticks);
    chart.SetHeight(22 * (rows + above));
    std::map<std::string, std::size_t> colours;
    for (const auto& phase : phases)
    {
        const std::string parallelism = ToText(phase[0]);
        const bool isNew = colours.emplace(parallelism, colours.size()).second;
        if (isNew)
        {
            chart.AddLegend(colours[parallelism], parallelism);
        }
        chart.AddRectangle({place(std::max(begin, ToNumber(phase[1]))), rows + 0.55},
                           {place(std::min(end, ToNumber(phase[2]))), rows + 1.25},
                           colours[parallelism],
                           parallelism + ", " + ToText(phase[3]) + " bytes");
    }
    const CircuitKinds kinds(database, run);
    for (const auto& circuit : circuits)
    {
        const double up = std::max(begin, ToNumber(circuit[2]));
        const double down = IsNull(circuit[3]) ? end : std::min(end, ToNumber(circuit[3]));
        const std::string name = ToText(circuit[0]) + "-" + ToText(circuit[1]);
        // without a parallelism, ends that are as far apart have one colour
        std::string kind = kinds.Find(0, ToWhole(circuit[0]), ToWhole(circuit[1]));
        const bool isKnown = !kind.empty();
        kind = isKnown ? kind
                       : "ports " + std::to_string(ToWhole(circuit[1]) - ToWhole(circuit[0])) +
                             " apart";
        const auto [known, isNew] = colours.emplace(kind, colours.size());
        const std::size_t colour = known->second;
        for (const double port : {ToNumber(circuit[0]), ToNumber(circuit[1])})
        {
            chart.AddRectangle({place(up), rowOf[port] + 0.12},
                               {place(down), rowOf[port] + 0.88},
                               colour,
                               "circuit " + name + (isKnown ? " of " + kind : ""));
        }
        if (isNew)
        {
            chart.AddLegend(colour, kind);
        }
    }
    return chart.Draw();
}

} // namespace ns3
