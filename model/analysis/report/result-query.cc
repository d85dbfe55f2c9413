/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-query.h"

#include "svg-chart.h"

#include <variant>

namespace ns3
{

std::vector<std::vector<ResultValue>>
QueryAll(ResultDatabase& database, const std::string& query)
{
    std::vector<std::vector<ResultValue>> rows;
    database.Select(query, [&rows](const auto& row) { rows.push_back(row); });
    return rows;
}

double
ToNumber(const ResultValue& value)
{
    if (const auto* whole = std::get_if<int64_t>(&value))
    {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real ? *real : 0;
}

int64_t
ToWhole(const ResultValue& value)
{
    const auto* whole = std::get_if<int64_t>(&value);
    return whole ? *whole : static_cast<int64_t>(ToNumber(value));
}

std::string
ToText(const ResultValue& value)
{
    if (const auto* words = std::get_if<std::string>(&value))
    {
        return *words;
    }
    if (const auto* whole = std::get_if<int64_t>(&value))
    {
        return std::to_string(*whole);
    }
    return IsNull(value) ? "" : ToShortText(ToNumber(value));
}

bool
IsNull(const ResultValue& value)
{
    return std::holds_alternative<std::monostate>(value);
}

int64_t
ChooseRun(ResultDatabase& database)
{
    int64_t run = -1;
    database.Select("SELECT run FROM runs WHERE status<>'waiting' ORDER BY status='complete' DESC, "
                    "is_main DESC, "
                    "EXISTS (SELECT 1 FROM circuits WHERE circuits.run = runs.run) DESC, "
                    "reconfiguration_s DESC, run DESC LIMIT 1",
                    [&run](const auto& row) { run = ToWhole(row[0]); });
    return run;
}

} // namespace ns3
