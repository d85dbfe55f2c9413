/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sequence-chart.h"

#include "ns3/abort.h"

#include <algorithm>
#include <iomanip>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t WIDTH = 14; // of a column
constexpr std::size_t TIME_WIDTH = 12;

/** @return words without the blanks at their end */
std::string
Trim(const std::string& words)
{
    return words.substr(0, words.find_last_not_of(' ') + 1);
}

} // namespace

SequenceChart::SequenceChart(std::vector<std::string> columns)
    : m_columns(std::move(columns))
{
}

void
SequenceChart::Add(Time time,
                   std::size_t from,
                   std::size_t to,
                   const std::string& label,
                   const std::string& remark)
{
    NS_ABORT_MSG_UNLESS(from < m_columns.size() && to < m_columns.size() && from != to,
                        "SequenceChart: an arrow from column "
                            << from << " to column " << to << "; give two of " << m_columns.size()
                            << ", counted from 0");
    m_rows.push_back({time, from, to, label, remark});
}

void
SequenceChart::Note(Time time, const std::string& words)
{
    m_rows.push_back({time, 0, 0, "", words});
}

std::size_t
SequenceChart::LineOf(std::size_t column) const
{
    return column * WIDTH + WIDTH / 2;
}

std::string
SequenceChart::Draw(const Row& row) const
{
    std::string line(m_columns.size() * WIDTH, ' ');
    for (std::size_t column = 0; column < m_columns.size(); ++column)
    {
        line[LineOf(column)] = '|';
    }
    if (row.from == row.to)
    {
        return line;
    }
    const std::size_t left = LineOf(std::min(row.from, row.to)) + 1;
    const std::size_t right = LineOf(std::max(row.from, row.to)) - 1; // the last of the arrow
    std::fill(line.begin() + left, line.begin() + right + 1, '-');
    line[row.from < row.to ? right : left] = row.from < row.to ? '>' : '<';
    const std::size_t room = right - left - 1;
    const std::string words = " " + row.label.substr(0, room - 2) + " ";
    line.replace(left + (room + 2 - words.size()) / 2, words.size(), words);
    return line;
}

std::size_t
SequenceChart::GetRows() const
{
    return m_rows.size();
}

void
SequenceChart::Print(std::ostream& os, Time begin) const
{
    std::vector<Row> rows = m_rows;
    std::stable_sort(rows.begin(), rows.end(), [](const Row& one, const Row& other) {
        return one.time < other.time;
    });
    os << std::setw(TIME_WIDTH) << "us";
    std::string head;
    for (const std::string& column : m_columns)
    {
        const std::string name = column.substr(0, WIDTH);
        const std::size_t before = (WIDTH - name.size() + 1) / 2;
        head += std::string(before, ' ') + name + std::string(WIDTH - name.size() - before, ' ');
    }
    os << Trim(head) << std::endl;
    for (const Row& row : rows)
    {
        os << std::fixed << std::setprecision(3) << std::setw(TIME_WIDTH)
           << (row.time - begin).GetTimeStep() / 1e6 << Trim(Draw(row) + "  " + row.remark)
           << std::endl;
    }
}

} // namespace ns3
