/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a published figure shows, computed here, in the figure's own columns.
//
//     figure (data):  rows x columns ---> training jobs, side by side ---> published | here
//
// A figure of helper/figures says what its values are, what they were in the paper, and which job
// computes them: options of photonic-training, which are printed. What was calibrated, and what had
// to be assumed, stands above the table. A published value that is not known here stays empty.
//
// Large figures take long: "--only" computes some rows and columns.
//
// Try: ./rails run reproduce --figure=cost-h200
//      ./rails run reproduce --figure=emulation-16
//      ./rails run reproduce --figure=emulation-16 --plot=emulation-16.svg
//      ./rails run reproduce --figure=emulation-16 --only=100ms,1s,on-demand
//      ./rails run reproduce --figure=simulation-128 --only=on-demand-network,0s,1s
//      ./rails run reproduce --figure=windows --json=windows.json

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    std::string figure{"technologies"};
    std::vector<std::string> only;
    uint32_t processes{0};
    FoldOption fold;

    void Add(Scenario& scenario)
    {
        fold.Add(scenario.GetOptions());
        scenario.Add("figure", "Published figure", figure).OneOf(GetFigureNames(), "figure");
        scenario.Add("only", "Rows and columns of it, with commas; none of a kind: all", only);
        scenario.Add("processes", "Runs side by side; 0: as many as there are cores", processes)
            .Between(0, 1024);
    }
};

/** A training job of a figure, and the points that it computes. */
struct Job
{
    std::vector<std::string> options;
    std::vector<std::size_t> points;
};

/** Refuses names that are no rows and no columns. */
void
CheckNames(Scenario& scenario, const Options& options, const Figure& figure)
{
    std::vector<std::string> names = figure.ListRows();
    const std::vector<std::string> columns = figure.ListColumns();
    names.insert(names.end(), columns.begin(), columns.end());
    for (const std::string& name : options.only)
    {
        const KnownName known = FindKnownName(name, names, "row or column");
        scenario.Require(known.why.empty(), "only", name + ": " + known.why);
    }
}

/** @return the jobs of some points, each once */
std::vector<Job>
ListJobs(const Figure& figure, const std::vector<FigurePoint>& points)
{
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (!points[i].measure)
        {
            continue;
        }
        const std::vector<std::string> options = figure.ListOptions(points[i]);
        auto same = std::find_if(jobs.begin(), jobs.end(), [&options](const Job& job) {
            return job.options == options;
        });
        if (same == jobs.end())
        {
            same = jobs.insert(jobs.end(), {options, {}});
        }
        same->points.push_back(i);
    }
    return jobs;
}

/** Prints what a figure is, and how it is computed. */
void
PrintHead(const Figure& figure, std::size_t jobs)
{
    std::cout << figure.name << ": " << figure.title << std::endl
              << "source:      " << figure.source << std::endl
              << "calibrated:  " << figure.calibrated << std::endl;
    for (const std::string& assumption : figure.assumptions)
    {
        std::cout << "assumed:     " << assumption << std::endl;
    }
    std::cout << "all of it:   " << figure.effort << std::endl;
    if (jobs > 0)
    {
        std::cout << "jobs:        " << figure.GetCommand() << std::endl
                  << jobs << (jobs == 1 ? " run" : " runs") << std::endl;
    }
    std::cout << std::endl;
}

/** @return a value in words */
std::string
ToText(double value, int decimals)
{
    std::ostringstream words;
    words << std::fixed << std::setprecision(decimals) << value;
    return words.str();
}

/** The least width of a value, and of the space before it. */
constexpr int WIDTH = 13;

/** Prints the table: for each column the published value, and the one here. */
void
PrintTable(const Figure& figure,
           const std::vector<FigurePoint>& points,
           const std::vector<std::optional<double>>& values)
{
    std::map<std::pair<std::string, std::string>, std::size_t> at;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        at[{points[i].row, points[i].column}] = i;
    }
    Figure selected;
    selected.points = points;
    const std::vector<std::string> columns = selected.ListColumns();
    std::size_t first = figure.rows.size();
    for (const std::string& row : selected.ListRows())
    {
        first = std::max(first, row.size());
    }
    std::vector<int> widths; // of both values of a column together
    std::cout << std::left << std::setw(first) << figure.rows << std::right;
    for (const std::string& column : columns)
    {
        widths.push_back(std::max<std::size_t>(column.size(), 2 * WIDTH - 2) + 2);
        std::cout << std::setw(widths.back()) << column;
    }
    std::cout << std::endl << std::setw(first) << "";
    for (const int width : widths)
    {
        std::cout << std::setw(width - WIDTH) << "published" << std::setw(WIDTH) << "here";
    }
    std::cout << std::endl;
    for (const std::string& row : selected.ListRows())
    {
        std::ostringstream line;
        line << std::left << std::setw(first) << row << std::right;
        for (std::size_t c = 0; c < columns.size(); ++c)
        {
            const auto found = at.find({row, columns[c]});
            const bool has = found != at.end();
            line << std::setw(widths[c] - WIDTH) << (has ? points[found->second].published : "")
                 << std::setw(WIDTH)
                 << (has && values[found->second]
                         ? ToText(*values[found->second],
                                  points[found->second].decimals.value_or(figure.decimals))
                         : "");
        }
        const std::string words = line.str();
        std::cout << words.substr(0, words.find_last_not_of(' ') + 1) << std::endl;
    }
    std::cout << std::endl << "values: " << figure.unit << std::endl;
}

/** Saves a value. */
void
SaveValue(Scenario& scenario,
          const Figure& figure,
          const FigurePoint& point,
          double value,
          std::size_t place)
{
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    json.Field("row", point.row);
    json.Field("column", point.column);
    json.Field("published", point.published);
    json.Field("here", value);
    std::string options;
    if (point.measure)
    {
        for (const std::string& option : figure.ListOptions(point))
        {
            options += (options.empty() ? "" : " ") + option;
        }
    }
    json.Field("options", options);
    json.EndObject();
    scenario.AddRow("values", text.str(), place);
}

/** Computes all points; each is saved at once. @param trains of all jobs @return the values */
std::vector<std::optional<double>>
ComputeAll(Scenario& scenario,
           const Options& options,
           const Figure& figure,
           const std::vector<FigurePoint>& points,
           const std::vector<Job>& jobs,
           const std::vector<double>& efforts,
           RailNetDevice::Trains& trains)
{
    std::vector<std::optional<double>> values(points.size());
    FigurePlot plot(figure, points, scenario.GetPlot());
    const auto take = [&](std::size_t which, double value) {
        values[which] = value;
        if (figure.isCurve)
        {
            plot.Add(points[which], value);
        }
        SaveValue(scenario, figure, points[which], value, which);
    };
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (points[i].compute)
        {
            take(i, points[i].compute());
        }
    }
    SideBySide runs(options.processes);
    for (const Job& job : jobs)
    {
        const FigurePoint& point = points[job.points.front()];
        runs.Add(point.column + " " + point.row, [&](const SideBySide::Progress& progress) {
            return RunFigureJob(job.options, figure.shape, progress, options.fold).Pack();
        });
    }
    const RunForecast forecast(efforts, runs.GetProcesses());
    std::string error;
    runs.Run([&forecast](const auto& all) { forecast.Report(all); },
             [&](std::size_t which, const SideBySide::Outcome& outcome) {
                 error = error.empty() ? outcome.error : error;
                 if (!outcome.error.empty())
                 {
                     return;
                 }
                 const FigureRun run = FigureRun::Unpack(outcome.result);
                 trains.Add(run.GetTrains());
                 for (const std::size_t point : jobs[which].points)
                 {
                     take(point, points[point].measure(run));
                 }
             });
    if (!error.empty())
    {
        throw std::runtime_error(error);
    }
    return values;
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    options.Add(scenario);
    scenario.AddPlot();
    return scenario.Run(argc, argv, [&] {
        const Figure figure = GetFigure(options.figure);
        CheckNames(scenario, options, figure);
        const std::vector<FigurePoint> points = figure.Select(options.only);
        const std::vector<Job> jobs = ListJobs(figure, points);
        std::vector<double> efforts;
        for (const Job& job : jobs)
        {
            efforts.push_back(CheckFigureJob(job.options, figure.shape));
        }
        scenario.Require(figure.isCurve || !scenario.IsPlotted(),
                         "plot",
                         "the figure " + figure.name +
                             " is a table of several units: " + figure.unit);
        scenario.Require(!points.empty(), "only", "no value is in these rows and columns");
        scenario.Begin();
        if (scenario.PrintsTables())
        {
            PrintHead(figure, jobs.size());
        }
        RailNetDevice::Trains trains;
        const auto values = ComputeAll(scenario, options, figure, points, jobs, efforts, trains);
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            if (values[i])
            {
                scenario.AddFigure(points[i].row + ", " + points[i].column,
                                   figure.unit,
                                   *values[i]);
            }
        }
        if (scenario.PrintsTables())
        {
            PrintTable(figure, points, values);
        }
        scenario.Write([&](JsonWriter& json) {
            json.Field("title", figure.title);
            json.Field("source", figure.source);
            json.Field("calibrated", figure.calibrated);
            json.Field("unit", figure.unit);
            WriteFidelity(json, trains);
        });
    });
}
