/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-csv.h"

#include "result-database.h"
#include "result-schema.h"

#include "ns3/abort.h"
#include "ns3/json-columns.h"
#include "ns3/output-file.h"

#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>
#include <system_error>
#include <variant>
#include <vector>

namespace ns3
{

namespace
{

const char* const LINE_END = "\r\n"; // of RFC 4180

/** @return a field; NULL is empty, as an empty text would be, which no column has */
std::string
ToField(const ResultValue& value)
{
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    if (const auto* whole = std::get_if<int64_t>(&value))
    {
        text << *whole;
    }
    else if (const auto* real = std::get_if<double>(&value))
    {
        text << *real;
    }
    else if (const auto* words = std::get_if<std::string>(&value))
    {
        text << ToCsv(*words);
    }
    return text.str();
}

} // namespace

void
WriteResultCsv(const std::string& database, const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    NS_ABORT_MSG_IF(error, "cannot make the folder " << folder << ": " << error.message());
    ResultDatabase results(database);
    for (const ResultTable& table : GetResultTables())
    {
        OutputFile file((std::filesystem::path(folder) / (table.name + ".csv")).string());
        std::string line;
        results.Select(
            "SELECT name FROM pragma_table_info('" + table.name + "')",
            [&line](const auto& row) { line += (line.empty() ? "" : ",") + ToField(row.front()); });
        file.Append(line + LINE_END);
        results.Select("SELECT * FROM " + table.name, [&file](const auto& row) {
            std::string text;
            const char* comma = "";
            for (const ResultValue& value : row)
            {
                text += comma + ToField(value);
                comma = ",";
            }
            file.Append(text + LINE_END);
        });
        file.Complete();
    }
}

} // namespace ns3
