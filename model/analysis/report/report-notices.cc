/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-notices.h"

#include "result-query.h"
#include "svg-chart.h"

#include <vector>

namespace ns3
{

namespace
{

/** @return a paragraph that can't be overlooked */
std::string
MakeNotice(const std::string& text)
{
    return "<p class=\"notice\">" + EscapeMarkup(text) + "</p>\n";
}

/** @return a number of things, in words */
std::string
Count(const ResultValue& number, const std::string& one, const std::string& several)
{
    return ToText(number) + " " + (ToNumber(number) == 1 ? one : several);
}

std::string
DescribeEnd(ResultDatabase& database, const ReportedEnd& end)
{
    if (end.status == "complete")
    {
        return "";
    }
    std::string text = end.status == "running"
                           ? "The program had not ended when this report was made, or it was killed"
                           : "The program ended early";
    text += (end.error.empty() ? "" : ": " + end.error) +
            ". This report has what was known until then.";
    database.Select(
        "SELECT count(*), total(status='complete'), total(status IN ('running', 'failed')), "
        "total(status='waiting') FROM runs",
        [&text](const auto& row) {
            if (ToNumber(row[0]) > 0)
            {
                text += " Of " + Count(row[0], "run, ", "runs, ") +
                        Count(row[1], "is complete, ", "are complete, ") +
                        Count(row[2], "is a part, ", "are parts, ") +
                        Count(row[3], "had not begun.", "had not begun.");
            }
        });
    return MakeNotice(text);
}

} // namespace

std::string
MakeReportNotices(ResultDatabase& database, const ReportedEnd& end)
{
    std::string notices = DescribeEnd(database, end);
    database.Select("SELECT name, error FROM runs WHERE status='failed' ORDER BY run",
                    [&notices](const auto& row) {
                        notices += MakeNotice(ToText(row[0]) + " failed: " + ToText(row[1]));
                    });
    database.Select("SELECT DISTINCT ranks FROM jobs WHERE is_recorded=0", [&](const auto& row) {
        notices +=
            MakeNotice("Operations, phases and windows of the job with " + ToText(row[0]) +
                       " ranks are not recorded, since it has more than --record-ranks. What "
                       "follows from them is left out here.");
    });
    return notices;
}

} // namespace ns3
