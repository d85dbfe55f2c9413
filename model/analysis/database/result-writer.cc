/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-writer.h"

#include "result-database.h"
#include "result-schema.h"

#include "ns3/abort.h"
#include "ns3/fatal-impl.h"

namespace ns3
{

namespace
{

constexpr std::size_t MOST_ROWS = 1024; //!< of a batch: some hundred kB, which a cache holds
constexpr std::chrono::milliseconds OLDEST{500};

} // namespace

ResultWriter::ResultWriter(const std::string& path, uint32_t run)
    : m_database(std::make_unique<ResultDatabase>(path)),
      m_stream(this),
      m_run(run),
      m_batch(GetResultTables().size()),
      m_flushed(std::chrono::steady_clock::now())
{
    for (std::size_t table = 0; table < m_batch.size(); ++table)
    {
        m_batch[table].table = table;
    }
    FatalImpl::RegisterStream(&m_stream);
}

ResultWriter::~ResultWriter()
{
    FatalImpl::UnregisterStream(&m_stream);
    Close();
}

ResultWriter::Table
ResultWriter::GetTable(const std::string& name)
{
    return FindResultTable(name);
}

void
ResultWriter::Begin(Table table, std::size_t columns) const
{
    const ResultTable& which = GetResultTables()[table];
    NS_ABORT_MSG_UNLESS(which.IsOfRun() && columns == which.columns.size(),
                        "ResultWriter: a row of " << which.name << " has " << which.columns.size()
                                                  << " values, and was given " << columns);
}

void
ResultWriter::End()
{
    ++m_rows;
    if (m_rows >= MOST_ROWS || std::chrono::steady_clock::now() - m_flushed > OLDEST)
    {
        Flush();
    }
}

void
ResultWriter::Flush()
{
    m_flushed = std::chrono::steady_clock::now();
    if (m_rows > 0)
    {
        m_rows = 0;
        m_database->Insert(m_batch);
        for (ResultRows& some : m_batch)
        {
            some.values.clear();
        }
    }
}

void
ResultWriter::Close()
{
    if (!m_isClosed)
    {
        m_isClosed = true; // first: an error of the database is a fatal error itself
        Flush();
        m_database->ShortenLog();
        m_database.reset();
    }
}

int
ResultWriter::sync()
{
    Close();
    return 0;
}

} // namespace ns3
