/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-results.h"

#include "result-database.h"
#include "result-schema.h"

#include "ns3/json-columns.h"

#include <algorithm>
#include <cerrno>
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

/** @return a name in quotes of SQL */
std::string
InQuotes(const std::string& name)
{
    std::string quoted;
    for (const char one : name)
    {
        quoted += one == '"' ? "\"\"" : std::string(1, one);
    }
    return '"' + quoted + '"';
}

} // namespace

ProgramResults::ProgramResults(std::string database)
    : m_database(std::move(database))
{
    for (const ResultColumn& column : GetResultTables()[FindResultTable("results")].columns)
    {
        m_columns.push_back(column.name);
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
        const std::string column = member.name.empty() ? "value" : ToColumn(member.name);
        const std::string name = InQuotes(column);
        if (std::find(m_columns.begin(), m_columns.end(), column) == m_columns.end())
        {
            m_columns.push_back(column);
            database.Execute("ALTER TABLE results ADD COLUMN " + name);
            database.Execute("INSERT INTO columns VALUES ('results',?,?,?)",
                             {MakeResultValue(column),
                              MakeResultValue(TypeOf(value)),
                              MakeResultValue(MEANING)});
        }
        names += "," + name;
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
    for (const JsonMember& member : ListMembers(json))
    {
        rows.values.push_back(MakeResultValue(ToColumn(member.name)));
        rows.values.push_back(ToValue(member));
    }
    ResultDatabase(m_database).Insert({rows});
}

void
ProgramResults::AddFigure(const std::string& name, const std::string& unit, double value)
{
    ResultDatabase(m_database)
        .Insert({{FindResultTable("figures"),
                  {MakeResultValue(name), MakeResultValue(unit), MakeResultValue(value)}}});
}

} // namespace ns3
