/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "repeated-runs.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace ns3
{

std::string
RepeatedRuns::Pack(const std::vector<RunFigure>& figures)
{
    std::ostringstream bytes;
    bytes << std::hexfloat; // each bit of a value
    for (const RunFigure& one : figures)
    {
        bytes << one.name << '\t' << one.unit << '\t' << one.value << '\n';
    }
    return bytes.str();
}

std::vector<RunFigure>
RepeatedRuns::Unpack(const std::string& bytes)
{
    std::vector<RunFigure> figures;
    std::istringstream lines(bytes);
    std::string line;
    while (std::getline(lines, line))
    {
        const std::size_t unit = line.find('\t');
        const std::size_t value = line.find('\t', unit + 1);
        NS_ABORT_MSG_IF(unit == std::string::npos || value == std::string::npos,
                        "RepeatedRuns: \"" << line << "\" is no figure with unit and value");
        figures.push_back({line.substr(0, unit),
                           line.substr(unit + 1, value - unit - 1),
                           std::strtod(line.c_str() + value + 1, nullptr)});
    }
    return figures;
}

std::string
RepeatedRuns::Add(const std::vector<RunFigure>& figures)
{
    if (m_runs == 0)
    {
        for (const RunFigure& one : figures)
        {
            m_rows.push_back({one.name, one.unit, {}, {}});
        }
    }
    const bool areAlike =
        std::equal(figures.begin(),
                   figures.end(),
                   m_rows.begin(),
                   m_rows.end(),
                   [](const RunFigure& one, const Row& row) { return one.name == row.name; });
    if (!areAlike)
    {
        return "its figures are not those of the first run";
    }
    ++m_runs;
    for (std::size_t i = 0; i < figures.size(); ++i)
    {
        m_rows[i].values.push_back(figures[i].value);
        m_rows[i].mean.Add(figures[i].value);
    }
    return "";
}

std::size_t
RepeatedRuns::CountFigures() const
{
    return m_rows.size();
}

void
RepeatedRuns::Print(std::ostream& os, uint64_t firstRun) const
{
    std::size_t width = 6;
    bool isRandom = false;
    for (const Row& row : m_rows)
    {
        width = std::max(width, row.name.size());
        isRandom = isRandom || row.mean.GetDeviation() > 0;
    }
    os << m_runs << " runs, with the random variables of RngRun " << firstRun << " to "
       << firstRun + m_runs - 1 << std::endl
       << std::endl
       << std::left << std::setw(width) << "figure" << std::right
       << "  unit            mean        +-95%        least         most" << std::endl;
    for (const Row& row : m_rows)
    {
        const auto [least, most] = std::minmax_element(row.values.begin(), row.values.end());
        os << std::left << std::setw(width) << row.name << "  " << std::setw(4) << row.unit
           << std::right << std::fixed << std::setprecision(4) << std::setw(16)
           << row.mean.GetMean() << std::setw(13) << row.mean.GetHalfWidth() << std::setw(13)
           << *least << std::setw(13) << *most << std::endl;
    }
    if (!isRandom)
    {
        os << std::endl << "All runs are equal: nothing in them is random." << std::endl;
    }
}

void
RepeatedRuns::Write(JsonWriter& json, std::size_t which) const
{
    const Row& row = m_rows[which];
    json.Field("figure", row.name);
    json.Field("unit", row.unit);
    json.Field("mean", row.mean.GetMean());
    json.Field("half_width_95", row.mean.GetHalfWidth());
    json.Field("deviation", row.mean.GetDeviation());
    json.BeginArray("values");
    for (const double value : row.values)
    {
        json.Value(value);
    }
    json.EndArray();
}

} // namespace ns3
