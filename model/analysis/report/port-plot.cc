/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-plot.h"

#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>

namespace ns3
{

std::string
DrawPortPlot(ResultDatabase& database)
{
    const auto rows =
        QueryAll(database,
                 "SELECT server, nic_port, 100.0*busy_ps/end_ps, "
                 "100.0*dark_ps/end_ps, name FROM ports JOIN runs USING (run) WHERE "
                 "rail=0 AND run=" +
                     std::to_string(ChooseRun(database)) + " ORDER BY server, nic_port LIMIT 64");
    if (rows.empty())
    {
        return "";
    }
    double most = 1;
    std::vector<std::pair<double, std::string>> ticks;
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        most = std::max({most, ToNumber(rows[r][2]), ToNumber(rows[r][3])});
        ticks.emplace_back(r + 0.5, ToText(rows[r][0]) + "." + ToText(rows[r][1]));
    }
    SvgChart chart("plot-ports", "Utilisation of the ports of rail 0, " + ToText(rows[0][4]));
    chart.SetX("server.port", 0, static_cast<double>(rows.size()));
    chart.SetXTicks(ticks);
    chart.SetY("% of the run", 0, most * 1.05);
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        const std::string name = ticks[r].second + ": ";
        const double busy = ToNumber(rows[r][2]);
        const double dark = ToNumber(rows[r][3]);
        chart.AddRectangle({r + 0.1, 0}, {r + 0.48, busy}, 0, name + ToShortText(busy) + " % busy");
        chart.AddRectangle({r + 0.52, 0}, {r + 0.9, dark}, 1, name + ToShortText(dark) + " % dark");
    }
    chart.AddLegend(0, "busy: sends a frame");
    chart.AddLegend(1, "dark: no carrier");
    return chart.Draw();
}

} // namespace ns3
