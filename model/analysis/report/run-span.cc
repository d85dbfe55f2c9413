/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-span.h"

namespace ns3
{

std::string
RunSpan::Describe() const
{
    return (isIteration ? "in the last iteration of " : "in ") + name;
}

std::pair<std::string, double>
RunSpan::GetUnit() const
{
    const double length = end - begin;
    return length >= 1e12  ? std::pair<std::string, double>{"s", 1e12}
           : length >= 1e9 ? std::pair<std::string, double>{"ms", 1e9}
                           : std::pair<std::string, double>{"us", 1e6};
}

RunSpan
ChooseSpan(ResultDatabase& database)
{
    RunSpan span;
    span.run = ChooseRun(database);
    const std::string run = std::to_string(span.run);
    const std::string last = "SELECT start_ps, end_ps FROM iterations WHERE run=" + run +
                             " ORDER BY iteration DESC LIMIT 1";
    database.Select(last, [&span](const auto& row) {
        span.isIteration = true;
        span.begin = ToNumber(row[0]);
        span.end = ToNumber(row[1]);
    });
    database.Select("SELECT name FROM runs WHERE run=" + run,
                    [&span](const auto& row) { span.name = ToText(row[0]); });
    if (!span.isIteration)
    {
        const std::string all =
            "SELECT max(coalesce((SELECT end_ps FROM runs WHERE run=" + run +
            "), 0), coalesce((SELECT max(end_ps) FROM operations WHERE run=" + run +
            "), 0), coalesce((SELECT max(coalesce(down_ps, up_ps)) FROM "
            "circuits WHERE run=" +
            run + "), 0))";
        database.Select(all, [&span](const auto& row) { span.end = ToNumber(row[0]); });
    }
    return span;
}

} // namespace ns3
