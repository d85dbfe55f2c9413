/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_RESULTS_H
#define PHOTONIC_RAILS_PROGRAM_RESULTS_H

#include "ns3/json-columns.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Writes the results of a program as it writes them in JSON, whatever they are, to a
 * database of results: the tables `results` and `summary`.
 *
 * Each member of a row that is a string, a number or a truth value (1 or 0) is a column. Members of
 * inner objects are columns `outer_inner`; inner arrays are left out. SQL takes no notice of
 * capitals: a name that is taken ends in _2, _3 and so on, as those of the summary do. Each call is a transaction of
 * its own.
 * @code
 * ProgramResults results("results.sqlite");
 * results.AddRows("rows", 0, {R"({"bytes": 65536, "busbw_gbytes_s": 28.9})"});
 * @endcode
 */
class ProgramResults
{
  public:
    /** @param database a file of ResultDatabase */
    explicit ProgramResults(std::string database);

    /**
     * Adds rows of an array.
     * @param array its name
     * @param first the place of the first row in the array
     * @param rows objects of JSON, or values
     */
    void AddRows(const std::string& array, std::size_t first, const std::vector<std::string>& rows);
    /** Sets all members of results that are in no array. @param json an object */
    void SetSummary(const std::string& json);

    /** @return the column of a member */
    static std::string ToColumn(const std::string& member);

  private:
    /** Adds a row, and columns that it has first. */
    void AddRow(ResultDatabase& database,
                const std::string& array,
                std::size_t row,
                const std::vector<JsonMember>& members);

    std::string m_database;
    std::map<std::string, std::string> m_columns; //!< of the table results, by member
    std::set<std::string> m_taken;                //!< their names, and the table's own
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_RESULTS_H */
