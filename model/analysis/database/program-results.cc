/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-results.h"

#include "result-database.h"
#include "result-schema.h"
#include "sql-quotes.h"

#include "ns3/json-columns.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace ns3
{

namespace
{

const char* const MEANING = "a member of rows in results.json";

/** @return the value of a column */
ResultValue
ToValue(const JsonMember& member)
{
    if (member.isText)
    {
        return MakeResultValue(member.value);
    }
    if (member.value == "true" || member.value == "false")
    {
        return MakeResultValue(member.value == "true");
    }
    if (member.value.find_first_of(".eE") == std::string::npos)
    {
        errno = 0;
        const int64_t whole = std::strtoll(member.value.c_str(), nullptr, 10);
        if (errno == 0)
        {
            return whole;
        }
    }
    return std::strtod(member.value.c_str(), nullptr);
}

/** @return the type of a value */
const char*
TypeOf(const ResultValue& value)
{
    return std::holds_alternative<int64_t>(value)  ? "INTEGER"
           : std::holds_alternative<double>(value) ? "REAL"
                                                   : "TEXT";
}

/** @return a name without capitals, of which SQL takes no notice */
std::string
Fold(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char one) {
        return static_cast<char>(std::tolower(one));
    });
    return name;
}

/** @return a name that was not taken, which is taken now: NAME, or else NAME_2, NAME_3 and so on */
std::string
TakeName(std::set<std::string>& taken, const std::string& name)
{
    std::string free = name;
    for (uint32_t next = 2; !taken.insert(Fold(free)).second; ++next)
    {
        free = name + "_" + std::to_string(next);
    }
    return free;
}

} // namespace

ProgramResults::ProgramResults(std::string database)
    : m_database(std::move(database))
{
    for (const ResultColumn& column : GetResultTables()[FindResultTable("results")].columns)
    {
        m_taken.insert(Fold(column.name));
    }
}

std::string
ProgramResults::ToColumn(const std::string& member)
{
    std::string column = member;
    std::replace(column.begin(), column.end(), '.', '_');
    return column;
}

void
ProgramResults::AddRows(const std::string& array,
                        std::size_t first,
                        const std::vector<std::string>& rows)
{
    ResultDatabase database(m_database);
    database.Change([&] {
        for (std::size_t r = 0; r < rows.size(); ++r)
        {
            AddRow(database, array, first + r, ListMembers(rows[r]));
        }
    });
}

void
ProgramResults::AddRow(ResultDatabase& database,
                       const std::string& array,
                       std::size_t row,
                       const std::vector<JsonMember>& members)
{
    std::string names = "array_name,row_number";
    std::string marks = "?,?";
    std::vector<ResultValue> values{MakeResultValue(array), MakeResultValue(row)};
    for (const JsonMember& member : members)
    {
        const ResultValue value = ToValue(member);
        std::string& column = m_columns[member.name];
        if (column.empty())
        {
            column = TakeName(m_taken, member.name.empty() ? "value" : ToColumn(member.name));
            database.Execute("ALTER TABLE results ADD COLUMN " + QuoteSqlName(column));
            database.Execute("INSERT INTO columns VALUES ('results',?,?,?)",
                             {MakeResultValue(column),
                              MakeResultValue(TypeOf(value)),
                              MakeResultValue(MEANING)});
        }
        names += "," + QuoteSqlName(column);
        marks += ",?";
        values.push_back(value);
    }
    database.Execute("INSERT OR REPLACE INTO results (" + names + ") VALUES (" + marks + ")",
                     values);
}

void
ProgramResults::SetSummary(const std::string& json)
{
    ResultRows rows{FindResultTable("summary"), {}};
    std::set<std::string> taken;
    for (const JsonMember& member : ListMembers(json))
    {
        rows.values.push_back(MakeResultValue(TakeName(taken, ToColumn(member.name))));
        rows.values.push_back(ToValue(member));
    }
    ResultDatabase(m_database).Insert({rows});
}

} // namespace ns3
