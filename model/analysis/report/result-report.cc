/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-report.h"

#include "breakdown-plot.h"
#include "circuit-map-figure.h"
#include "circuit-plot.h"
#include "collective-plot.h"
#include "cost-plot.h"
#include "fault-plot.h"
#include "iteration-plot.h"
#include "port-plot.h"
#include "program-plots.h"
#include "report-page.h"
#include "report-table.h"
#include "result-query.h"
#include "svg-chart.h"
#include "window-plot.h"

#include "ns3/output-file.h"

#include <sstream>

namespace ns3
{

namespace
{

/** Tens of thousands of operations are sorted in memory, and more of them in files. */
const char* const SORT_MEMORY = "PRAGMA cache_size=-16384"; // kB

/** @return the command and the options */
std::string
MakeOrigin(ResultDatabase& database)
{
    std::ostringstream html;
    html << "<div class=\"table words\"><table id=\"parameters\"><tbody>\n";
    for (const auto& row :
         QueryAll(database, "SELECT name, value, is_given FROM parameters WHERE name<>'command'"))
    {
        const bool isGiven = ToNumber(row[2]) != 0;
        html << "<tr><td>" << (isGiven ? "<b>" : "") << EscapeMarkup(ToText(row[0]))
             << (isGiven ? "</b>" : "") << "</td><td>" << EscapeMarkup(ToText(row[1]))
             << "</td></tr>\n";
    }
    html << "</tbody></table></div>\n";
    return html.str();
}

/** @return the table of the figures of runs */
std::string
MakeRunTable(ResultDatabase& database)
{
    return MakeReportTable(
        "runs",
        {"run",
         "status",
         "iteration (s)",
         "computing (s)",
         "idle (s)",
         "communicating (s)",
         "exposed (s)",
         "hidden (s)",
         "reconfigurations",
         "control messages",
         "wrong predictions",
         "frames",
         "end (s)",
         "CPU (s)"},
        QueryAll(
            database,
            "SELECT name, status, iteration_s, computed_s, gpu_idle_s, communicating_s, exposed_s, "
            "hidden_s, reconfigurations, control_messages, wrong_predictions, frames, "
            "end_ps / 1e12, cpu_s FROM runs "
            "ORDER BY run"));
}

/** @return the table of reconfigurations, by run and parallelism */
std::string
MakeReconfigurationTable(ResultDatabase& database)
{
    return MakeReportTable(
        "reconfigurations",
        {"run",
         "parallelism",
         "reconfigurations",
         "exposed",
         "exposed (ms)",
         "hidden (ms)",
         "longest (ms)"},
        QueryAll(database,
                 "SELECT name, parallelism, count(*), sum(exposed_ps>0), sum(exposed_ps)/1e9, "
                 "sum(hidden_ps)/1e9, max(dark_ps)/1e9 FROM reconfigurations JOIN runs USING (run) "
                 "GROUP BY run, parallelism"));
}

/** @return the table of messages of control planes, by run and type */
std::string
MakeMessageTable(ResultDatabase& database)
{
    return MakeReportTable(
        "messages",
        {"run", "type", "messages", "mean latency (us)"},
        QueryAll(database,
                 "SELECT name, type, count(*), avg(received_ps-sent_ps)/1e6 FROM control_messages "
                 "JOIN runs USING (run) GROUP BY run, type"));
}

} // namespace

void
WriteResultReport(const std::string& database, const std::string& file, const ReportedEnd& end)
{
    ResultDatabase results(database);
    results.Execute(SORT_MEMORY);
    std::string command;
    results.Select("SELECT value FROM parameters WHERE name='command'",
                   [&command](const auto& row) { command = ToText(row[0]); });
    std::string program;
    results.Select("SELECT value FROM parameters WHERE name='program'",
                   [&program](const auto& row) { program = ToText(row[0]); });
    std::string page = "<h1>Report of " + EscapeMarkup(program) +
                       "</h1>\n<p><code id=\"command\">" + EscapeMarkup(command) + "</code></p>\n" +
                       MakeReportNotices(results, end);
    page += MakeReportPart("Results", DrawProgramPlots(results));
    page += MakeReportPart("Runs",
                           DrawIterationPlot(results) + DrawBreakdownPlot(results) +
                               MakeRunTable(results));
    page += MakeReportPart("Windows", DrawWindowPlot(results) + DrawWindowVolumePlot(results));
    page +=
        MakeReportPart("Circuits and ports",
                       DrawCircuitPlot(results) + DrawCircuitMaps(results) + DrawPortPlot(results));
    page +=
        MakeReportPart("Reconfigurations, of all iterations", MakeReconfigurationTable(results));
    page += MakeReportPart("Control messages, of all iterations", MakeMessageTable(results));
    page += MakeReportPart("Collectives on rails, by size", DrawCollectives(results));
    page += MakeReportPart("Faults and losses", DrawFaults(results));
    page += MakeReportPart("Cost and power", DrawCosts(results));
    page += MakeReportPart("Figures", MakeProgramTables(results));
    page += MakeReportPart("Options (bold: on the command line)", MakeOrigin(results));
    OutputFile(file).Replace(MakeReportPage("photonic-rails: report of " + program, page));
}

} // namespace ns3
