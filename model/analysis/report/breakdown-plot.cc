/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "breakdown-plot.h"

#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

namespace
{

// colours
constexpr std::size_t COMPUTING = 0;
constexpr std::size_t EXPOSED = 1;
constexpr std::size_t COMMUNICATION = 5;
constexpr std::size_t IDLE = 4;
constexpr std::size_t HIDDEN = 2;

} // namespace

std::string
DrawBreakdownPlot(ResultDatabase& database)
{
    const auto rows =
        QueryAll(database,
                 "SELECT name, computed_s, gpu_idle_s, exposed_s, hidden_s, communicating_s "
                 "FROM runs "
                 "WHERE status='complete' AND iteration_s IS NOT NULL ORDER BY run DESC");
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
        const bool isKnown = !IsNull(rows[r][5]);
        const double communicating =
            isKnown ? std::max(exposed, std::min(ToNumber(rows[r][5]), idle)) : idle;
        const std::string name = ToText(rows[r][0]) + ": ";
        double at = 0;
        const auto add = [&](double length, std::size_t colour, const std::string& what) {
            if (length > 0)
            {
                chart.AddRectangle({at, r + 0.3},
                                   {at + length, r + 0.85},
                                   colour,
                                   name + what + " " + ToShortText(length) + " s");
            }
            at += length;
        };
        add(computed, COMPUTING, "computing");
        add(exposed, EXPOSED, "exposed");
        add(communicating - exposed, COMMUNICATION, "communication");
        if (isKnown)
        {
            add(idle - communicating, IDLE, "idle");
        }
        if (hidden > 0)
        {
            chart.AddRectangle({0, r + 0.12},
                               {hidden, r + 0.26},
                               HIDDEN,
                               name + "hidden " + ToShortText(hidden) + " s");
        }
    }
    chart.AddLegend(COMPUTING, "computing");
    chart.AddLegend(EXPOSED, "exposed: waits for circuits");
    chart.AddLegend(COMMUNICATION, "communication, without computing");
    chart.AddLegend(IDLE, "idle");
    chart.AddLegend(HIDDEN, "hidden reconfiguration, beside all that");
    return chart.Draw();
}

} // namespace ns3
