/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "breakdown-plot.h"

#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>

namespace ns3
{

std::string
DrawBreakdownPlot(ResultDatabase& database)
{
    const auto rows = QueryAll(database,
                               "SELECT name, computed_s, gpu_idle_s, exposed_s, hidden_s FROM runs "
                               "WHERE status='complete' ORDER BY run DESC");
    if (rows.empty())
    {
        return "";
    }
    SvgChart chart("plot-breakdown", "Breakdown of an iteration, mean over GPUs");
    double longest = 0;
    std::vector<std::pair<double, std::string>> ticks;
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        longest = std::max(longest, ToNumber(rows[r][1]) + ToNumber(rows[r][2]));
        ticks.emplace_back(r + 0.5, ToText(rows[r][0]));
    }
    chart.SetX("s", 0, longest * 1.02);
    chart.SetY("", 0, static_cast<double>(rows.size()));
    chart.SetYTicks(ticks);
    chart.SetHeight(std::max(120.0, 30.0 * rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        const double computed = ToNumber(rows[r][1]);
        const double idle = ToNumber(rows[r][2]);
        const double exposed =
            std::min(ToNumber(rows[r][3]), idle); // a wait may be beside computing
        const double hidden = ToNumber(rows[r][4]);
        const double low = r + 0.3;
        const double high = r + 0.85;
        const std::string name = ToText(rows[r][0]) + ": ";
        chart.AddRectangle({0, low}, {computed, high}, 0, name + ToShortText(computed) + " s");
        chart.AddRectangle({computed, low},
                           {computed + exposed, high},
                           1,
                           name + ToShortText(ToNumber(rows[r][3])) + " s");
        chart.AddRectangle({computed + exposed, low},
                           {computed + idle, high},
                           5,
                           name + ToShortText(idle - exposed) + " s");
        chart.AddRectangle({0, r + 0.12}, {hidden, r + 0.26}, 2, name + ToShortText(hidden) + " s");
    }
    chart.AddLegend(0, "computing");
    chart.AddLegend(1, "exposed: waits for circuits");
    chart.AddLegend(5, "idle: communication, pipeline");
    chart.AddLegend(2, "hidden reconfiguration");
    return chart.Draw();
}

} // namespace ns3
