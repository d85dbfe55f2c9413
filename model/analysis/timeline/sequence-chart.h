/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SEQUENCE_CHART_H
#define PHOTONIC_RAILS_SEQUENCE_CHART_H

#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Who said what to whom, drawn with characters: a column for each, an arrow for each
 * message, in the order of time.
 * @code
 *        us  server 0    controller      rail 0
 *    12.000     |-- request ->|             |      dp
 *    25.000     |             |-- program ->|      dp
 * @endcode
 * An arrow that is longer than a column passes behind those between.
 */
class SequenceChart
{
  public:
    /** @param columns who takes part, from left to right */
    explicit SequenceChart(std::vector<std::string> columns);

    /**
     * Adds a message.
     * @param time when it leaves
     * @param from the column of who sends it
     * @param to the column of who is to have it; not the same
     * @param label on the arrow
     * @param remark behind the row
     */
    void Add(Picoseconds time,
             std::size_t from,
             std::size_t to,
             const std::string& label,
             const std::string& remark = "");

    /** Adds a row of words. @param time when @param words what happened */
    void Note(Picoseconds time, const std::string& words);

    /** Prints it. @param begin the time that is shown as 0 */
    void Print(std::ostream& os, Picoseconds begin = 0) const;

  private:
    /** A row. */
    struct Row
    {
        Picoseconds time{0};
        std::size_t from{0};
        std::size_t to{0}; //!< the same as from: a note
        std::string label;
        std::string remark;
    };

    /** @return the lines of all columns, and the arrow of a row */
    std::string Draw(const Row& row) const;
    /** @return where the line of a column is */
    std::size_t LineOf(std::size_t column) const;

    std::vector<std::string> m_columns;
    std::vector<Row> m_rows;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SEQUENCE_CHART_H */
