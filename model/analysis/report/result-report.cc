/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-report.h"

#include "breakdown-plot.h"
#include "circuit-plot.h"
#include "iteration-plot.h"
#include "port-plot.h"
#include "result-query.h"
#include "svg-chart.h"
#include "window-plot.h"

#include "ns3/output-file.h"

#include <sstream>

namespace ns3
{

namespace
{

const char* const STYLE = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1000px; padding: 0 16px 48px;
       color: #111; background: #fff; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }
code { overflow-wrap: anywhere; }
figure { margin: 24px 0; overflow-x: auto; }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; min-width: 560px; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: #111; }
.grid { stroke: #ddd; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th button { font: inherit; font-weight: 600; border: 0; padding: 0; background: none; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
.words td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
@media print { figure, tr { break-inside: avoid; } th button { cursor: auto; } }
)";

const char* const SCRIPT = R"(
for (const button of document.querySelectorAll('th button')) {
  button.addEventListener('click', () => {
    const head = button.parentElement, body = head.closest('table').tBodies[0];
    const place = [...head.parentElement.children].indexOf(head);
    const up = head.getAttribute('aria-sort') !== 'ascending';
    for (const other of head.parentElement.children) { other.removeAttribute('aria-sort'); }
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const value = row => row.children[place].dataset.value ?? row.children[place].textContent;
    const compare = (a, b) => a !== '' && b !== '' && !isNaN(a) && !isNaN(b) ? a - b : a < b ? -1 : a > b ? 1 : 0;
    const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * compare(value(a), value(b)));
    body.append(...rows);
  });
}
)";

/** @return a table of HTML, which sorts @param heads of its columns */
std::string
MakeTable(ResultDatabase& database,
          const std::string& id,
          const std::vector<std::string>& heads,
          const std::string& query)
{
    const auto rows = QueryAll(database, query);
    std::ostringstream html;
    html << "<div class=\"table\"><table id=\"" << id << "\"><thead><tr>";
    for (const std::string& head : heads)
    {
        html << "<th><button type=\"button\">" << EscapeMarkup(head) << "</button></th>";
    }
    html << "</tr></thead><tbody>\n";
    html.precision(17);
    for (const auto& row : rows)
    {
        html << "<tr>";
        for (const ResultValue& value : row)
        {
            html << "<td";
            if (!IsNull(value) && !std::holds_alternative<std::string>(value))
            {
                html << " data-value=\"" << ToNumber(value) << "\"";
            }
            html << ">" << EscapeMarkup(ToText(value)) << "</td>";
        }
        html << "</tr>\n";
    }
    html << "</tbody></table></div>\n";
    return rows.empty() ? "" : html.str();
}

/** @return a part of the page with a heading; empty if it has no content */
std::string
MakePart(const std::string& heading, const std::string& content)
{
    return content.empty() ? "" : "<h2>" + heading + "</h2>\n" + content;
}

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

} // namespace

void
WriteResultReport(const std::string& database, const std::string& file)
{
    ResultDatabase results(database);
    std::string command;
    results.Select("SELECT value FROM parameters WHERE name='command'",
                   [&command](const auto& row) { command = ToText(row[0]); });
    std::ostringstream html;
    html << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
            "charset=\"utf-8\"><title>photonic-rails: "
            "report of a run</title>\n<meta name=\"viewport\" content=\"width=device-width, "
            "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<style>"
         << STYLE << "</style></head><body>\n<h1>Report of a run</h1>\n<p><code id=\"command\">"
         << EscapeMarkup(command) << "</code></p>\n";
    html << MakePart("Iterations", DrawIterationPlot(results) + DrawBreakdownPlot(results));
    html << MakeTable(results,
                      "runs",
                      {"run",
                       "status",
                       "iteration (s)",
                       "computing (s)",
                       "idle (s)",
                       "exposed (s)",
                       "hidden (s)",
                       "reconfigurations",
                       "control messages",
                       "wrong predictions",
                       "frames",
                       "CPU (s)"},
                      "SELECT name, status, iteration_s, computed_s, gpu_idle_s, exposed_s, "
                      "hidden_s, reconfigurations, control_messages, wrong_predictions, frames, "
                      "cpu_s FROM runs ORDER BY run");
    html << MakePart("Windows", DrawWindowPlot(results) + DrawWindowVolumePlot(results));
    html << MakePart("Circuits and ports", DrawCircuitPlot(results) + DrawPortPlot(results));
    html << MakePart("Reconfigurations, of all iterations",
                     MakeTable(results,
                               "reconfigurations",
                               {"run",
                                "parallelism",
                                "reconfigurations",
                                "exposed",
                                "exposed (ms)",
                                "hidden (ms)",
                                "longest (ms)"},
                               "SELECT name, parallelism, count(*), sum(exposed_ps>0), "
                               "sum(exposed_ps)/1e9, sum(hidden_ps)/1e9, max(dark_ps)/1e9 FROM "
                               "reconfigurations JOIN runs USING (run) GROUP BY run, parallelism"));
    html << MakePart("Control messages, of all iterations",
                     MakeTable(results,
                               "messages",
                               {"run", "type", "messages", "mean latency (us)"},
                               "SELECT name, type, count(*), avg(received_ps-sent_ps)/1e6 FROM "
                               "control_messages JOIN runs USING (run) GROUP BY run, type"));
    html << MakePart(
        "Collectives on rails, by size",
        MakeTable(
            results,
            "collectives",
            {"run", "kind", "parallelism", "bytes", "operations", "mean (ms)", "received (GB/s)"},
            "SELECT name, kind, parallelism, bytes, count(*), "
            "avg(operations.end_ps-start_ps)/1e9, "
            "avg(1e3*bytes_received/max(1,operations.end_ps-start_ps-waited_ps)) "
            "FROM operations JOIN runs USING (run) WHERE kind NOT IN ('compute', "
            "'send', 'receive') AND path<>'inside' GROUP BY run, kind, "
            "parallelism, bytes ORDER BY run, bytes"));
    html << MakePart("Faults",
                     MakeTable(results,
                               "faults",
                               {"run", "kind", "component", "from (s)", "to (s)", "outcome"},
                               "SELECT name, kind, component, start_ps/1e12, faults.end_ps/1e12, "
                               "outcome FROM faults JOIN runs USING (run)"));
    html << MakePart("Options (bold: on the command line)", MakeOrigin(results));
    html << "<script>" << SCRIPT << "</script></body></html>\n";
    OutputFile(file).Replace(html.str());
}

} // namespace ns3
