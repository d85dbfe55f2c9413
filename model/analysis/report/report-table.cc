/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-table.h"

#include "svg-chart.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <variant>

namespace ns3
{

namespace
{

constexpr std::size_t LONG_TEXT = 40; //!< letters, from which on a text has several lines

} // namespace

std::string
MakeReportTable(const std::string& id,
                const std::vector<std::string>& heads,
                const std::vector<std::vector<ResultValue>>& rows)
{
    if (rows.empty())
    {
        return "";
    }
    std::vector<std::size_t> shown; // columns
    for (std::size_t c = 0; c < heads.size(); ++c)
    {
        if (std::any_of(rows.begin(), rows.end(), [c](const auto& row) { return !IsNull(row[c]); }))
        {
            shown.push_back(c);
        }
    }
    std::ostringstream html;
    html << "<div class=\"table\"><table id=\"" << id << "\"><thead><tr>";
    for (const std::size_t column : shown)
    {
        html << "<th><button type=\"button\">" << EscapeMarkup(heads[column]) << "</button></th>";
    }
    html << "</tr></thead><tbody>\n";
    html.precision(17);
    for (const auto& row : rows)
    {
        html << "<tr>";
        for (const std::size_t column : shown)
        {
            const ResultValue& value = row[column];
            const auto* text = std::get_if<std::string>(&value);
            html << "<td";
            if (!text && !IsNull(value))
            {
                html << " data-value=\"" << ToNumber(value) << "\"";
            }
            html << (text && text->size() > LONG_TEXT ? " class=\"long\"" : "") << ">"
                 << EscapeMarkup(ToText(value)) << "</td>";
        }
        html << "</tr>\n";
    }
    html << "</tbody></table></div>\n";
    return html.str();
}

std::string
MakeReportPart(const std::string& heading, const std::string& content)
{
    return content.empty() ? "" : "<h2>" + EscapeMarkup(heading) + "</h2>\n" + content;
}

} // namespace ns3
