/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-database.h"

#include "result-schema.h"

#include "ns3/abort.h"

#include <map>
#include <utility>

#ifdef PHOTONIC_RAILS_HAS_SQLITE
#include <cstdio>
#include <sqlite3.h>
#endif

namespace ns3
{

#ifdef PHOTONIC_RAILS_HAS_SQLITE

namespace
{

constexpr int WAIT_FOR_OTHERS = 60'000; // ms, for a transaction of another process

/** Pages of 4 kB of the log, from which on they are copied to the file in between. */
const char* const LONGEST_LOG = "16384";

/** @return the statement that makes a table or a view */
std::string
MakeStatement(const ResultTable& table)
{
    if (table.IsView())
    {
        return "CREATE VIEW " + table.name + " AS " + table.select;
    }
    std::string text = "CREATE TABLE " + table.name + " (";
    const char* comma = "";
    for (const ResultColumn& column : table.columns)
    {
        text += std::exchange(comma, ", ") + column.name + " " + column.type;
    }
    return text + (table.key.empty() ? ")" : ", PRIMARY KEY (" + table.key + "))");
}

} // namespace

/** A connection of SQLite, with its prepared statements. */
class ResultDatabase::Connection
{
  public:
    /** @param flags of sqlite3_open_v2() */
    Connection(const std::string& path, int flags)
        : m_path(path)
    {
        // without a lock around each call: no other thread has this connection
        flags |= SQLITE_OPEN_NOMUTEX;
        Require(sqlite3_open_v2(path.c_str(), &m_database, flags, nullptr));
        sqlite3_busy_timeout(m_database, WAIT_FOR_OTHERS);
        // a connection that is the last for the moment need not tidy up: Finish() does, once
        sqlite3_db_config(m_database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    }

    ~Connection()
    {
        for (const auto& [text, statement] : m_statements)
        {
            sqlite3_finalize(statement);
        }
        sqlite3_close(m_database);
    }

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /** Runs a statement without results. */
    void Run(const char* text)
    {
        Require(sqlite3_exec(m_database, text, nullptr, nullptr, nullptr));
    }

    /** @return the prepared statement of a text */
    sqlite3_stmt* Prepare(const std::string& text)
    {
        const auto [place, isNew] = m_statements.emplace(text, nullptr);
        if (isNew)
        {
            Require(sqlite3_prepare_v2(m_database, text.c_str(), -1, &place->second, nullptr));
        }
        return place->second;
    }

    /** Sets the values of a statement; they must live until it has run. */
    void Bind(sqlite3_stmt* statement, const ResultValue* values, std::size_t count)
    {
        for (std::size_t v = 0; v < count; ++v)
        {
            const int place = static_cast<int>(v) + 1;
            const ResultValue& value = values[v];
            if (const auto* number = std::get_if<int64_t>(&value))
            {
                Require(sqlite3_bind_int64(statement, place, *number));
            }
            else if (const auto* real = std::get_if<double>(&value))
            {
                Require(sqlite3_bind_double(statement, place, *real));
            }
            else if (const auto* text = std::get_if<std::string>(&value))
            {
                const auto size = static_cast<int>(text->size());
                Require(sqlite3_bind_text(statement, place, text->data(), size, SQLITE_STATIC));
            }
            else
            {
                Require(sqlite3_bind_null(statement, place));
            }
        }
    }

    /** Goes to the next row. @return whether there is one; else the statement can run again */
    bool Step(sqlite3_stmt* statement)
    {
        const int code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
        {
            return true;
        }
        sqlite3_reset(statement);
        Require(code == SQLITE_DONE ? SQLITE_OK : code);
        return false;
    }

    /** Copies the log to the file and empties it, unless it would have to wait for others. */
    void Shorten()
    {
        sqlite3_busy_timeout(m_database, 0);
        const int code = sqlite3_wal_checkpoint_v2(m_database,
                                                   nullptr,
                                                   SQLITE_CHECKPOINT_TRUNCATE,
                                                   nullptr,
                                                   nullptr);
        sqlite3_busy_timeout(m_database, WAIT_FOR_OTHERS);
        Require(code == SQLITE_BUSY ? SQLITE_OK : code);
    }

    /** Aborts unless a call has succeeded. */
    void Require(int code)
    {
        NS_ABORT_MSG_UNLESS(
            code == SQLITE_OK,
            "cannot write " << m_path << ": "
                            << (m_database ? sqlite3_errmsg(m_database) : sqlite3_errstr(code)));
    }

  private:
    std::string m_path;
    sqlite3* m_database{nullptr};
    std::map<std::string, sqlite3_stmt*> m_statements;
};

std::string
ResultDatabase::FindFault()
{
    return "";
}

void
ResultDatabase::Create(const std::string& path)
{
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
    {
        std::remove((path + ending).c_str());
    }
    Connection connection(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    connection.Run("PRAGMA journal_mode=WAL"); // readers do not wait, and the mode stays
    connection.Run("BEGIN IMMEDIATE");
    ResultRows columns{FindResultTable("columns"), {}};
    for (const ResultTable& table : GetResultTables())
    {
        connection.Run(MakeStatement(table).c_str());
        for (const ResultColumn& column : table.columns)
        {
            for (const std::string& word : {table.name, column.name, column.type, column.meaning})
            {
                columns.values.emplace_back(word);
            }
        }
    }
    connection.Run("COMMIT");
    ResultDatabase(path).Insert({columns});
}

ResultDatabase::ResultDatabase(const std::string& path)
    : m_connection(std::make_unique<Connection>(path, SQLITE_OPEN_READWRITE))
{
    m_connection->Run("PRAGMA synchronous=NORMAL"); // with a log, safe from a loss of power too
    m_connection->Run(("PRAGMA wal_autocheckpoint=" + std::string(LONGEST_LOG)).c_str());
}

ResultDatabase::~ResultDatabase() = default;

void
ResultDatabase::Insert(const std::vector<ResultRows>& rows, const std::string& first)
{
    m_connection->Run("BEGIN IMMEDIATE");
    m_connection->Run(first.c_str());
    for (const ResultRows& some : rows)
    {
        if (some.values.empty())
        {
            continue;
        }
        const ResultTable& table = GetResultTables()[some.table];
        const std::size_t columns = table.columns.size();
        NS_ABORT_MSG_UNLESS(some.values.size() % columns == 0,
                            "ResultDatabase: " << some.values.size() << " values for rows of "
                                               << table.name << ", which have " << columns);
        std::string text = "INSERT OR REPLACE INTO " + table.name + " VALUES (?";
        for (std::size_t c = 1; c < columns; ++c)
        {
            text += ",?";
        }
        sqlite3_stmt* const statement = m_connection->Prepare(text + ")");
        for (std::size_t at = 0; at < some.values.size(); at += columns)
        {
            m_connection->Bind(statement, &some.values[at], columns);
            m_connection->Step(statement);
        }
    }
    m_connection->Run("COMMIT");
}

void
ResultDatabase::RemoveRun(uint32_t run)
{
    Change([this, run] {
        for (const ResultTable& table : GetResultTables())
        {
            if (table.IsOfRun() && table.name != "runs")
            {
                Execute("DELETE FROM " + table.name + " WHERE run=?", {MakeResultValue(run)});
            }
        }
    });
}

void
ResultDatabase::Change(const std::function<void()>& changes)
{
    m_connection->Run("BEGIN IMMEDIATE");
    changes();
    m_connection->Run("COMMIT");
}

void
ResultDatabase::Execute(const std::string& text, const std::vector<ResultValue>& values)
{
    sqlite3_stmt* const statement = m_connection->Prepare(text);
    m_connection->Bind(statement, values.data(), values.size());
    while (m_connection->Step(statement))
    {
    }
}

void
ResultDatabase::Select(const std::string& query, const Reader& reader)
{
    sqlite3_stmt* const statement = m_connection->Prepare(query);
    std::vector<ResultValue> row(sqlite3_column_count(statement));
    while (m_connection->Step(statement))
    {
        for (std::size_t c = 0; c < row.size(); ++c)
        {
            const int column = static_cast<int>(c);
            switch (sqlite3_column_type(statement, column))
            {
            case SQLITE_INTEGER:
                row[c] = static_cast<int64_t>(sqlite3_column_int64(statement, column));
                break;
            case SQLITE_FLOAT:
                row[c] = sqlite3_column_double(statement, column);
                break;
            case SQLITE_NULL:
                row[c] = std::monostate();
                break;
            default:
                row[c] = std::string(
                    reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
                    sqlite3_column_bytes(statement, column));
            }
        }
        reader(row);
    }
}

void
ResultDatabase::ShortenLog()
{
    m_connection->Shorten();
}

void
ResultDatabase::Finish()
{
    // fails where another process has it open: then the log stays, and is read with the file
    sqlite3_stmt* const statement = m_connection->Prepare("PRAGMA journal_mode=DELETE");
    sqlite3_step(statement);
    sqlite3_reset(statement);
}

#else

/** There is none in this build. */
class ResultDatabase::Connection
{
};

std::string
ResultDatabase::FindFault()
{
    return "this build has no SQLite: apt install libsqlite3-dev, configure and build again";
}

void
ResultDatabase::Create(const std::string& path)
{
    NS_ABORT_MSG("cannot write " << path << ": " << FindFault());
}

ResultDatabase::ResultDatabase(const std::string& path)
{
    NS_ABORT_MSG("cannot write " << path << ": " << FindFault());
}

ResultDatabase::~ResultDatabase() = default;

void
ResultDatabase::Insert(const std::vector<ResultRows>&, const std::string&)
{
}

void
ResultDatabase::RemoveRun(uint32_t)
{
}

void
ResultDatabase::Execute(const std::string&, const std::vector<ResultValue>&)
{
}

void
ResultDatabase::Change(const std::function<void()>&)
{
}

void
ResultDatabase::Select(const std::string&, const Reader&)
{
}

void
ResultDatabase::ShortenLog()
{
}

void
ResultDatabase::Finish()
{
}

#endif

} // namespace ns3
