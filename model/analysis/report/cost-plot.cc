/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cost-plot.h"

#include "report-table.h"
#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Rows = std::vector<std::vector<ResultValue>>;

/** Draws a bar for each row. @param column of the bar's length */
std::string
DrawCostBars(const std::string& id, const std::string& title, const Rows& rows, std::size_t column)
{
    SvgChart chart(id, title);
    double most = 0;
    std::vector<std::pair<double, std::string>> ticks;
    const double count = static_cast<double>(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        most = std::max(most, ToNumber(rows[r][column]));
        ticks.emplace_back(count - r - 0.5, ToText(rows[r][0]) + ", " + ToText(rows[r][1]));
    }
    chart.SetX("", 0, most * 1.15);
    chart.SetY("", 0, count);
    chart.SetYTicks(ticks);
    chart.SetHeight(26 * count);
    std::set<std::size_t> shown;
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        const double value = ToNumber(rows[r][column]);
        const std::string fabric = ToText(rows[r][0]);
        const std::size_t colour = fabric == "photonic rails"     ? 2
                                   : fabric == "electrical rails" ? 0
                                                                  : 4;
        chart.AddRectangle({0, count - r - 0.85},
                           {value, count - r - 0.15},
                           colour,
                           ticks[r].second + ": " + ToShortText(value));
        chart.AddText({value, count - r - 0.5}, ToShortText(value));
        if (shown.insert(colour).second)
        {
            chart.AddLegend(colour, fabric);
        }
    }
    return chart.Draw();
}

} // namespace

std::string
DrawCosts(ResultDatabase& database)
{
    const Rows rows = QueryAll(
        database,
        "SELECT fabric, generation, group_concat(DISTINCT policy) FILTER (WHERE is_own=1), "
        "gpus, switch_radix, switches + optical_switches, switch_ports + optical_ports, "
        "transceivers, power_w / 1e3, price_dollars / 1e6, power_w / gpus, price_dollars "
        "/ gpus FROM costs JOIN runs USING (run) GROUP BY generation, fabric, gpus, "
        "power_w, price_dollars ORDER BY gpus, generation, fabric");
    if (rows.empty())
    {
        return "";
    }
    constexpr std::size_t WATTS = 10;
    constexpr std::size_t DOLLARS = 11;
    return DrawCostBars("plot-price",
                        "Price of switches and transceivers, dollars a GPU",
                        rows,
                        DOLLARS) +
           DrawCostBars("plot-power",
                        "Power of switches and transceivers, watts a GPU",
                        rows,
                        WATTS) +
           "<p>Counted as the example cost-and-power counts them, from published prices: "
           "electrical "
           "rails are pods of a folded Clos that joins all GPUs, the fat tree is one of real "
           "switches. NICs and fibers are in none of them.</p>\n" +
           MakeReportTable("costs",
                           {"fabric",
                            "generation",
                            "policies of the runs",
                            "GPUs",
                            "radix",
                            "switches",
                            "ports",
                            "transceivers",
                            "power (kW)",
                            "price (M dollars)",
                            "W a GPU",
                            "dollars a GPU"},
                           rows);
}

} // namespace ns3
