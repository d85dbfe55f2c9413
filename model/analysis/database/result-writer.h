/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_WRITER_H
#define PHOTONIC_RAILS_RESULT_WRITER_H

#include "result-value.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Writes the rows of one run into a database of results, in batches, while the run goes.
 *
 * A batch is written when it has some thousand rows, or with the first row after half a second, so
 * a process that is killed loses little. A fatal error of ns-3 writes the last batch, as it
 * completes a timeline.
 * @code
 * const auto writer = std::make_shared<ResultWriter>("results.sqlite", 0);
 * const ResultWriter::Table circuits = writer->GetTable("circuits");
 * writer->Add(circuits, 0, 3, 7, up, down); // the number of the run is put before
 * writer->Close();
 * @endcode
 */
class ResultWriter : private std::streambuf
{
  public:
    /** A table, for Add(). */
    using Table = std::size_t;

    /** @param path of a database @param run number of the run */
    ResultWriter(const std::string& path, uint32_t run);
    ~ResultWriter() override;
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;

    /** @return the table of a name, whose rows have the number of the run first */
    Table GetTable(const std::string& name);

    /** Adds a row. @param values of all columns but the first; see MakeResultValue() */
    template <typename... Values>
    void Add(Table table, Values&&... values)
    {
        if (m_isClosed)
        {
            return;
        }
        Begin(table, 1 + sizeof...(Values));
        std::vector<ResultValue>& row = m_batch[table].values;
        row.emplace_back(m_run);
        (row.push_back(MakeResultValue(std::forward<Values>(values))), ...);
        End();
    }

    /** Writes all rows that were added. */
    void Flush();
    /** The same; later rows are not written. */
    void Close();

  private:
    /** A row begins. @param columns that it will have */
    void Begin(Table table, std::size_t columns) const;
    /** A row is complete: the batch is written, if it is time. */
    void End();
    int sync() override;

    std::unique_ptr<ResultDatabase> m_database;
    std::ostream m_stream; //!< for fatal errors, which flush it
    int64_t m_run;
    std::vector<ResultRows> m_batch; //!< by table
    std::size_t m_rows{0};           //!< in the batch
    std::chrono::steady_clock::time_point m_flushed;
    bool m_isClosed{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_WRITER_H */
