/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_SCHEMA_H
#define PHOTONIC_RAILS_RESULT_SCHEMA_H

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

/** A column of a table of results. Its name ends with the unit: `start_ps`, `exposed_s`. */
struct ResultColumn
{
    std::string name;
    std::string type;    //!< INTEGER, REAL or TEXT
    std::string meaning; //!< in a few words, for the column's row in the table `columns`
};

/** A table of results. */
struct ResultTable
{
    std::string name;
    std::string key; //!< the columns that no two rows share, with commas; empty: rows may be equal
    std::vector<ResultColumn> columns;
    std::string select{}; //!< of a view, the query that has its rows; empty: rows are written

    /** @return whether it is a view of other tables */
    bool IsView() const;
    /** @return whether rows are written that belong to a run, whose number is in the first column
     */
    bool IsOfRun() const;
};

/**
 * @ingroup photonic-rails
 * @brief The tables of `results.sqlite` (ResultDatabase). The chapter on output has them, with
 * examples.
 *
 * Instants are whole picoseconds of simulated time since its begin (`_ps`). Figures of runs and
 * iterations are those that are printed and in JSON, in their units. Iterations count from 1, all
 * else from 0. A value that does not exist is NULL.
 */
const std::vector<ResultTable>& GetResultTables();

/** @return the place of a table in GetResultTables(); aborts if there is none of that name */
std::size_t FindResultTable(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_SCHEMA_H */
