/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-plot.h"

#include "report-table.h"
#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_COMPONENTS = 64; //!< in a picture

/** @return the number of the last run with faults; negative: there is none */
int64_t
FindRunWithFaults(ResultDatabase& database)
{
    int64_t run = -1;
    database.Select("SELECT max(run) FROM faults",
                    [&run](const auto& row) { run = IsNull(row[0]) ? -1 : ToWhole(row[0]); });
    return run;
}

std::string
DrawFaultTimes(ResultDatabase& database)
{
    const std::string run = std::to_string(FindRunWithFaults(database));
    const auto faults = QueryAll(database,
                                 "SELECT kind, component, start_ps / 1e9, faults.end_ps / 1e9, "
                                 "outcome, name, runs.end_ps / 1e9 FROM faults JOIN runs USING "
                                 "(run) WHERE run=" +
                                     run + " ORDER BY start_ps");
    if (faults.empty())
    {
        return "";
    }
    double end = ToNumber(faults.front()[6]);
    std::vector<std::string> components;
    for (const auto& fault : faults)
    {
        end = std::max({end, ToNumber(fault[2]) * 1.02, ToNumber(fault[3])});
        const std::string component = ToText(fault[1]);
        if (std::find(components.begin(), components.end(), component) == components.end())
        {
            components.push_back(component);
        }
    }
    if (components.size() > MOST_COMPONENTS)
    {
        return "";
    }
    const double rows = static_cast<double>(components.size());
    std::map<std::string, double> rowOf;
    std::vector<std::pair<double, std::string>> ticks;
    for (const std::string& component : components)
    {
        rowOf[component] = rows - 1 - static_cast<double>(rowOf.size());
        ticks.emplace_back(rowOf[component] + 0.5, component);
    }
    SvgChart chart("plot-faults",
                   "Faults of " + ToText(faults.front()[5]) + ", from their begin to the repair");
    chart.SetX("ms", 0, end);
    chart.SetY("", 0, rows);
    chart.SetYTicks(ticks);
    chart.SetHeight(std::max(60.0, 28 * rows));
    std::map<std::string, std::size_t> colours; // by kind
    for (const auto& fault : faults)
    {
        const std::string kind = ToText(fault[0]);
        const auto [colour, isNew] = colours.emplace(kind, colours.size());
        const double begin = ToNumber(fault[2]);
        const double over = IsNull(fault[3]) ? end : ToNumber(fault[3]);
        const double row = rowOf[ToText(fault[1])];
        chart.AddRectangle({begin, row + 0.15},
                           {std::max(over, begin + end / 300), row + 0.85},
                           colour->second,
                           kind + ", " + ToText(fault[1]) + ": " + ToText(fault[4]) + ", from " +
                               ToShortText(begin) + " ms" +
                               (IsNull(fault[3]) ? "" : " to " + ToShortText(over) + " ms"));
        if (isNew)
        {
            chart.AddLegend(colour->second, kind);
        }
    }
    return chart.Draw();
}

} // namespace

std::string
DrawFaults(ResultDatabase& database)
{
    return DrawFaultTimes(database) +
           MakeReportTable("faults",
                           {"run", "kind", "component", "from (ms)", "to (ms)", "outcome"},
                           QueryAll(database,
                                    "SELECT name, kind, component, start_ps / 1e9, faults.end_ps "
                                    "/ 1e9, outcome FROM faults JOIN runs USING (run) ORDER BY "
                                    "run, start_ps")) +
           MakeReportTable(
               "drops",
               {"run", "lost at", "rail", "reason", "frames", "bytes", "first (ms)", "last (ms)"},
               QueryAll(database,
                        "SELECT name, place, rail, reason, count(*), sum(drops.wire_bytes), "
                        "min(at_ps) / 1e9, max(at_ps) / 1e9 FROM drops JOIN runs USING "
                        "(run) GROUP BY run, place, rail, reason ORDER BY run, rail"));
}

} // namespace ns3
