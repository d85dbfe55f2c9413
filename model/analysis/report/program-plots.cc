/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-plots.h"

#include "curve-plot-rows.h"
#include "iteration-plot.h"
#include "report-table.h"
#include "result-query.h"
#include "svg-chart.h"

#include "ns3/sql-quotes.h"

#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_ROWS_SHOWN = 500;

/** @return an id of HTML for a text */
std::string
ToId(const std::string& text)
{
    std::string id;
    for (const char one : text)
    {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(one)) != 0;
        id += isPlain ? static_cast<char>(std::tolower(static_cast<unsigned char>(one))) : '-';
    }
    return id;
}

/** @return the columns of the rows of an array: those that have a value in any row */
std::vector<std::string>
ListColumnsOf(ResultDatabase& database, const std::string& array)
{
    std::vector<std::string> columns;
    std::vector<std::string> all;
    database.Select("SELECT name FROM pragma_table_info('results') WHERE cid > 1",
                    [&all](const auto& row) { all.push_back(ToText(row[0])); });
    if (all.empty())
    {
        return columns;
    }
    std::string counts;
    for (const std::string& column : all)
    {
        counts += (counts.empty() ? "" : ",") + ("count(" + QuoteSqlName(column) + ")");
    }
    database.Select("SELECT " + counts + " FROM results WHERE array_name=" + QuoteSqlText(array),
                    [&](const auto& row) {
                        for (std::size_t c = 0; c < all.size(); ++c)
                        {
                            if (ToNumber(row[c]) > 0)
                            {
                                columns.push_back(all[c]);
                            }
                        }
                    });
    return columns;
}

} // namespace

std::string
DrawProgramPlots(ResultDatabase& database)
{
    std::string figures;
    std::size_t number = 0;
    const std::string ofRuns = MakeIterationPlot().GetTitle();
    for (const CurvePlot& plot : ReadCurvePlots(database))
    {
        if (plot.GetTitle() != ofRuns)
        {
            figures += plot.Draw("plot-results-" + std::to_string(number++)).Draw();
        }
    }
    return figures;
}

std::string
MakeProgramTables(ResultDatabase& database)
{
    std::string tables =
        MakeReportTable("figures",
                        {"figure", "unit", "value"},
                        QueryAll(database, "SELECT name, unit, value FROM figures"));
    bool hasTraining = false;
    database.Select("SELECT count(*) FROM runs WHERE iteration_s IS NOT NULL",
                    [&hasTraining](const auto& row) { hasTraining = ToNumber(row[0]) > 0; });
    for (const auto& array : QueryAll(
             database,
             "SELECT array_name, count(*) FROM results GROUP BY array_name ORDER BY min(rowid)"))
    {
        const std::string name = ToText(array[0]);
        if (hasTraining && name == "runs")
        {
            continue;
        }
        const std::vector<std::string> columns = ListColumnsOf(database, name);
        std::string list;
        for (const std::string& column : columns)
        {
            list += (list.empty() ? "" : ",") + QuoteSqlName(column);
        }
        if (list.empty())
        {
            continue;
        }
        tables += MakeReportPart(
            "Results: " + name,
            MakeReportTable(
                "results-" + ToId(name),
                columns,
                QueryAll(database,
                         "SELECT " + list + " FROM results WHERE array_name=" + QuoteSqlText(name) +
                             " ORDER BY row_number LIMIT " + std::to_string(MOST_ROWS_SHOWN))));
        if (ToNumber(array[1]) > MOST_ROWS_SHOWN)
        {
            tables += "<p>The first " + std::to_string(MOST_ROWS_SHOWN) + " of " +
                      ToText(array[1]) + " rows; all are in results.sqlite.</p>\n";
        }
    }
    tables +=
        MakeReportPart("Summary",
                       MakeReportTable("summary",
                                       {"name", "value"},
                                       QueryAll(database, "SELECT name, value FROM summary")));
    return tables;
}

} // namespace ns3
