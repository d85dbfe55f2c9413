/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_DATABASE_H
#define PHOTONIC_RAILS_RESULT_DATABASE_H

#include "result-value.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An open database of results: an SQLite file with the tables of GetResultTables().
 *
 * Several processes may have it open and write rows at once: each Insert() is one transaction, for
 * which the others wait. A process that ends in the middle leaves all earlier transactions. Until
 * Finish(), changes are in two files beside it, `-wal` and `-shm`, which SQLite reads with it.
 *
 * It must not be open while a process forks: open it for a few transactions, then close it. An
 * error, such as a full disk, is an NS_ABORT that names the file.
 * @code
 * ResultDatabase::Create("results.sqlite");
 * ... in each of several processes ...
 * ResultDatabase database("results.sqlite");
 * database.Insert({{FindResultTable("parameters"), {"model", "Llama3-8B", int64_t{1}}}});
 * @endcode
 */
class ResultDatabase
{
  public:
    /** Takes the values of a row. */
    using Reader = std::function<void(const std::vector<ResultValue>& row)>;

    /** @return the reason why this build has no databases, with the remedy; empty: it has */
    static std::string FindFault();

    /** Makes a database with empty tables; an existing file is replaced. */
    static void Create(const std::string& path);

    /** Opens a database of Create(). */
    explicit ResultDatabase(const std::string& path);
    ~ResultDatabase();
    ResultDatabase(const ResultDatabase&) = delete;
    ResultDatabase& operator=(const ResultDatabase&) = delete;

    /**
     * Adds rows, all or none. A row with the key of another one replaces it.
     * @param rows of tables, each with a whole number of rows
     * @param first a statement that is run before, as a part of that; empty: there is none
     */
    void Insert(const std::vector<ResultRows>& rows, const std::string& first = "");

    /** Removes all rows of a run, but for that of the table `runs`. */
    void RemoveRun(uint32_t run);

    /** Changes rows. @param statement of SQL @param values of its `?` */
    void Execute(const std::string& statement, const std::vector<ResultValue>& values = {});

    /** Makes changes as one, all or none. @param changes calls Execute() */
    void Change(const std::function<void()>& changes);

    /** Reads rows. @param query of SQL @param reader is called for each row */
    void Select(const std::string& query, const Reader& reader);

    /**
     * Copies what has been written to the one file, unless another process is at it. The first that
     * opens a file reads all of a log that has not been copied.
     */
    void ShortenLog();

    /** Ends the writing: all is in the one file, unless another process has it open. */
    void Finish();

  private:
    class Connection;

    std::unique_ptr<Connection> m_connection;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_DATABASE_H */
