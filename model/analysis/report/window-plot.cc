/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "window-plot.h"

#include "result-query.h"
#include "svg-chart.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/** Windows of the last iteration of a run, of ranks. */
const char* const LAST = " FROM windows JOIN runs USING (run) WHERE rank IS NOT NULL AND "
                         "iteration=iterations AND run=";

/** The windows of one line, in ms. */
struct Sample
{
    std::string name;
    std::vector<double> lengths;
};

std::string
Draw(const std::string& id, const std::string& title, std::vector<Sample> samples)
{
    double from = 0;
    double to = 0;
    for (Sample& sample : samples)
    {
        std::sort(sample.lengths.begin(), sample.lengths.end());
        if (!sample.lengths.empty())
        {
            from = std::min(from, sample.lengths.front());
            to = std::max(to, sample.lengths.back());
        }
    }
    SvgChart chart(id, title);
    chart.SetX("length of the window (ms); negative: phases overlap", from, to);
    chart.SetY("share of windows", 0, 1);
    for (std::size_t s = 0; s < samples.size(); ++s)
    {
        const std::vector<double>& lengths = samples[s].lengths;
        std::vector<SvgChart::Point> steps{{from, 0}};
        for (std::size_t n = 0; n < lengths.size(); ++n)
        {
            steps.emplace_back(lengths[n], static_cast<double>(n) / lengths.size());
            steps.emplace_back(lengths[n], static_cast<double>(n + 1) / lengths.size());
        }
        steps.emplace_back(to, 1);
        chart.AddLine(steps, s, samples[s].name, false);
    }
    return samples.empty() ? "" : chart.Draw();
}

} // namespace

std::string
DrawWindowPlot(ResultDatabase& database)
{
    std::vector<Sample> samples;
    for (const auto& run : QueryAll(database,
                                    "SELECT min(run), name FROM runs WHERE status='complete' GROUP "
                                    "BY policy ORDER BY run"))
    {
        Sample sample{ToText(run[1]), {}};
        database.Select("SELECT length_ps" + (LAST + ToText(run[0])), [&sample](const auto& row) {
            sample.lengths.push_back(ToNumber(row[0]) / 1e9);
        });
        if (!sample.lengths.empty())
        {
            samples.push_back(sample);
        }
    }
    return Draw("plot-windows", "Windows between communication phases of a rank", samples);
}

std::string
DrawWindowVolumePlot(ResultDatabase& database)
{
    const int64_t run = ChooseRun(database);
    std::map<int64_t, Sample> byMagnitude;
    std::string name;
    database.Select("SELECT next_bytes, length_ps, name" + (LAST + std::to_string(run)),
                    [&](const auto& row) {
                        int64_t below = 1'000;
                        while (ToNumber(row[0]) >= below && below < 1'000'000'000'000)
                        {
                            below *= 1000;
                        }
                        name = ToText(row[2]);
                        byMagnitude[below].lengths.push_back(ToNumber(row[1]) / 1e9);
                    });
    std::vector<Sample> samples;
    for (auto& [below, sample] : byMagnitude)
    {
        const char* const span = below == 1'000           ? "less than 1 kB"
                                 : below == 1'000'000     ? "1 kB to 1 MB"
                                 : below == 1'000'000'000 ? "1 MB to 1 GB"
                                                          : "1 GB and more";
        sample.name = span;
        samples.push_back(sample);
    }
    return Draw("plot-window-volumes",
                "Windows of " + name + ", by the traffic after them",
                samples);
}

} // namespace ns3
