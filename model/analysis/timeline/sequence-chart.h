/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SEQUENCE_CHART_H
#define PHOTONIC_RAILS_SEQUENCE_CHART_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A sequence chart in characters: a column for each endpoint, an arrow for each message, in
 * the order of time.
 * @code
 *        us  server 0    controller      rail 0
 *    12.000     |-- request ->|             |      dp
 *    25.000     |             |-- program ->|      dp
 * @endcode
 * A longer arrow passes behind the columns in between.
 */
class SequenceChart
{
  public:
    /** @param columns names of the endpoints, from left to right */
    explicit SequenceChart(std::vector<std::string> columns);

    /**
     * Adds a message.
     * @param time the instant at which it leaves
     * @param from the column of the sender
     * @param to the column of the receiver, not that of the sender
     * @param label on the arrow
     * @param remark behind the row
     */
    void Add(Time time,
             std::size_t from,
             std::size_t to,
             const std::string& label,
             const std::string& remark = "");

    /** Adds a row of text. @param words the text */
    void Note(Time time, const std::string& words);

    /** @return the number of rows */
    std::size_t GetRows() const;

    /** Prints the chart. @param begin the instant that is shown as 0 */
    void Print(std::ostream& os, Time begin = Time(0)) const;

  private:
    /** A row. */
    struct Row
    {
        Time time{0};
        std::size_t from{0};
        std::size_t to{0}; //!< the same as from: a note
        std::string label;
        std::string remark;
    };

    /** @return the lines of all columns, and the arrow of a row */
    std::string Draw(const Row& row) const;
    /** @return the position of the line of a column */
    std::size_t LineOf(std::size_t column) const;

    std::vector<std::string> m_columns;
    std::vector<Row> m_rows;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SEQUENCE_CHART_H */
