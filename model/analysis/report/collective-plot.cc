/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-plot.h"

#include "report-table.h"
#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_LINES = 16; //!< of a plot, by policy and kind
constexpr double LEAST_BYTES = 1024;   //!< of a plot with larger ones: a norm of gradients has 4

/** The means of operations of one size. */
struct SizeMeans
{
    double operations{0};
    double bandwidths{0}; //!< their sum
};

/** The lines of the plot: policy, and kind with parallelism; then by size. */
using Lines = std::map<std::pair<std::string, std::string>, std::map<double, SizeMeans>>;

/** @return lines without the smallest buffers, which would make a plot of the others narrow */
Lines
KeepLarge(const Lines& lines)
{
    Lines large;
    for (const auto& [name, sizes] : lines)
    {
        const std::map<double, SizeMeans> kept(sizes.lower_bound(LEAST_BYTES), sizes.end());
        if (!kept.empty())
        {
            large.emplace(name, kept);
        }
    }
    return large.empty() ? lines : large;
}

std::string
DrawBandwidths(const Lines& all)
{
    const Lines lines = KeepLarge(all);
    double least = 0;
    double largest = 0;
    double most = 0;
    for (const auto& [name, sizes] : lines)
    {
        least = least == 0 ? sizes.begin()->first : std::min(least, sizes.begin()->first);
        largest = std::max(largest, sizes.rbegin()->first);
        for (const auto& [size, means] : sizes)
        {
            most = std::max(most, means.bandwidths / means.operations);
        }
    }
    if (most == 0 || lines.size() > MOST_LINES)
    {
        return "";
    }
    SvgChart chart("plot-collectives",
                   "Bus bandwidth of collectives on rails by size, waits for circuits left out");
    chart.SetLogX("buffer (bytes)", least / 1.5, largest * 1.5);
    chart.SetY("bus bandwidth (GB/s)", 0, most * 1.05);
    std::map<std::string, std::size_t> colours; // by kind
    std::map<std::string, std::size_t> dashes;  // by policy
    for (const auto& [name, sizes] : lines)
    {
        const auto& [policy, kind] = name;
        std::vector<SvgChart::Point> points;
        for (const auto& [size, means] : sizes)
        {
            points.emplace_back(size, means.bandwidths / means.operations);
        }
        const std::size_t colour = colours.emplace(kind, colours.size()).first->second;
        const std::size_t dash = dashes.emplace(policy, dashes.size()).first->second;
        chart.AddLine(points, colour, kind + (policy.empty() ? "" : ", " + policy), true, dash);
    }
    return chart.Draw();
}

} // namespace

std::string
DrawCollectives(ResultDatabase& database)
{
    Lines lines;
    std::vector<std::vector<ResultValue>> rows;
    const std::string query =
        "SELECT policy, name, kind, parallelism, bytes, ranks, count(*), avg(duration_ps) / 1e9, "
        "avg(waited_ps) / 1e9, avg(bus_bandwidth_gb_s), avg(granted_bus_bandwidth_gb_s) FROM "
        "collectives JOIN runs USING (run) WHERE path<>'inside' GROUP BY run, kind, parallelism, "
        "bytes, ranks ORDER BY run, kind, bytes";
    database.Select(query, [&](const auto& row) {
        rows.emplace_back(row.begin() + 1, row.end());
        const double bytes = ToNumber(row[4]);
        if (bytes > 0 && !IsNull(row[10]))
        {
            const std::string parallelism = ToText(row[3]);
            SizeMeans& means =
                lines[{ToText(row[0]),
                       ToText(row[2]) + (parallelism.empty() ? "" : " of " + parallelism)}][bytes];
            means.operations += ToNumber(row[6]);
            means.bandwidths += ToNumber(row[10]) * ToNumber(row[6]);
        }
    });
    return DrawBandwidths(lines) + MakeReportTable("collectives",
                                                   {"run",
                                                    "kind",
                                                    "parallelism",
                                                    "bytes",
                                                    "ranks",
                                                    "operations",
                                                    "mean (ms)",
                                                    "waits for circuits (ms)",
                                                    "bus bandwidth (GB/s)",
                                                    "without waits (GB/s)"},
                                                   rows);
}

} // namespace ns3
