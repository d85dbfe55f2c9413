/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A database of results: batches are there as a whole, from several processes at once, and after a
// process was killed.

#include "../support/temporary-path.h"

#include "ns3/collective-kind.h"
#include "ns3/rank-program.h"
#include "ns3/result-csv.h"
#include "ns3/result-database.h"
#include "ns3/result-schema.h"
#include "ns3/result-writer.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/** A database with empty tables. */
class ResultDatabases : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        if (!ResultDatabase::FindFault().empty())
        {
            GTEST_SKIP() << ResultDatabase::FindFault();
        }
        m_folder = GetTemporaryPath("results");
        std::filesystem::create_directories(m_folder);
        m_file = m_folder + "/results.sqlite";
        ResultDatabase::Create(m_file);
    }

    void TearDown() override
    {
        if (!m_folder.empty())
        {
            std::filesystem::remove_all(m_folder);
        }
    }

    /** @return the integer that a query has */
    int64_t Count(const std::string& query) const
    {
        int64_t count = -1;
        ResultDatabase(m_file).Select(query, [&count](const auto& row) {
            count = std::get<int64_t>(row.front());
        });
        return count;
    }

    /** Calls a function in a copy of this process. @return its end, as waitpid() has it */
    template <typename Function>
    static int InCopy(const Function& function)
    {
        const pid_t copy = fork();
        if (copy == 0)
        {
            function();
            _exit(0);
        }
        int status = 0;
        waitpid(copy, &status, 0);
        return status;
    }

    std::string m_folder;
    std::string m_file;
};

/** Adds circuits with these lower ports. */
void
AddCircuits(ResultWriter& writer, uint32_t first, uint32_t count)
{
    const ResultWriter::Table circuits = writer.GetTable("circuits");
    for (uint32_t low = first; low < first + count; ++low)
    {
        writer.Add(circuits, 0, low, low + 1, Time(1), std::optional<Time>());
    }
}

TEST_F(ResultDatabases, RowsWithTheKeyOfAnotherReplaceIt)
{
    const std::size_t table = FindResultTable("parameters");
    ResultDatabase(m_file).Insert({{table, {std::string("name"), std::string("old"), int64_t{0}}},
                                   {table, {std::string("name"), std::string("new"), int64_t{1}}}});
    EXPECT_EQ(Count("SELECT count(*) FROM parameters"), 1);
    EXPECT_EQ(Count("SELECT count(*) FROM parameters WHERE value='new' AND is_given=1"), 1);
}

TEST_F(ResultDatabases, ARunIsRemovedWithoutItsRowInTheListOfRuns)
{
    for (const uint32_t run : {0, 1})
    {
        ResultWriter writer(m_file, run);
        AddCircuits(writer, 0, 10);
    }
    ResultDatabase(m_file).RemoveRun(0);
    EXPECT_EQ(Count("SELECT count(*) FROM circuits WHERE run=0"), 0);
    EXPECT_EQ(Count("SELECT count(*) FROM circuits WHERE run=1"), 10);
}

TEST_F(ResultDatabases, AWriterLeavesNoLogToTheNextProcess)
{
    ResultWriter writer(m_file, 0);
    AddCircuits(writer, 0, 1000);
    writer.Flush();
    const std::string log = m_file + "-wal";
    EXPECT_GT(std::filesystem::file_size(log), 0);
    writer.Close();
    EXPECT_EQ(std::filesystem::file_size(log), 0);
    EXPECT_EQ(Count("SELECT count(*) FROM circuits"), 1000);
}

TEST_F(ResultDatabases, AWriterThatClosesDoesNotWaitForReaders)
{
    ResultWriter first(m_file, 0);
    AddCircuits(first, 0, 2);
    first.Flush();
    uint32_t rows = 0;
    ResultDatabase(m_file).Select("SELECT low_port FROM circuits", [&](const auto&) {
        if (++rows == 1) // it goes on to read what it began with
        {
            AddCircuits(first, 2, 1000);
            first.Close();
        }
    });
    EXPECT_EQ(rows, 2);
    EXPECT_EQ(Count("SELECT count(*) FROM circuits"), 1002);
}

TEST_F(ResultDatabases, ValuesComeBackAsTheyWere)
{
    const double third = 1.0 / 3;
    const int64_t large = int64_t{1} << 62;
    ResultDatabase database(m_file);
    database.Execute("INSERT INTO runs (run, reconfiguration_s, end_ps, error) VALUES (?,?,?,?)",
                     {int64_t{7}, third, large, std::string("it's \"so\", \n")});
    uint32_t rows = 0;
    database.Select("SELECT reconfiguration_s, end_ps, error, name FROM runs",
                    [&](const std::vector<ResultValue>& row) {
                        ++rows;
                        EXPECT_EQ(std::get<double>(row[0]), third);
                        EXPECT_EQ(std::get<int64_t>(row[1]), large);
                        EXPECT_EQ(std::get<std::string>(row[2]), "it's \"so\", \n");
                        EXPECT_TRUE(std::holds_alternative<std::monostate>(row[3]));
                    });
    EXPECT_EQ(rows, 1);
}

TEST_F(ResultDatabases, ProcessesWriteSideBySide)
{
    constexpr uint32_t PROCESSES = 4;
    constexpr uint32_t BATCHES = 50;
    constexpr uint32_t ROWS = 20;
    std::set<pid_t> copies;
    for (uint32_t run = 0; run < PROCESSES; ++run)
    {
        const pid_t copy = fork();
        if (copy == 0)
        {
            ResultWriter writer(m_file, run);
            for (uint32_t batch = 0; batch < BATCHES; ++batch)
            {
                AddCircuits(writer, batch * ROWS, ROWS);
                writer.Flush();
            }
            _exit(0);
        }
        copies.insert(copy);
    }
    for (const pid_t copy : copies)
    {
        int status = -1;
        waitpid(copy, &status, 0);
        EXPECT_EQ(status, 0);
    }
    for (uint32_t run = 0; run < PROCESSES; ++run)
    {
        const std::string of = " FROM circuits WHERE run=" + std::to_string(run);
        EXPECT_EQ(Count("SELECT count(DISTINCT low_port)" + of), BATCHES * ROWS);
        EXPECT_EQ(Count("SELECT count(*)" + of), BATCHES * ROWS);
    }
}

TEST_F(ResultDatabases, AKilledProcessLeavesItsBatches)
{
    const int status = InCopy([this] {
        ResultWriter writer(m_file, 0);
        AddCircuits(writer, 0, 100);
        writer.Flush();
        AddCircuits(writer, 100, 10); // in no batch yet, but for some if it is slow
        kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const int64_t rows = Count("SELECT count(*) FROM circuits");
    EXPECT_GE(rows, 100);
    EXPECT_LE(rows, 110);
    EXPECT_EQ(Count("SELECT count(DISTINCT low_port) FROM circuits"), rows);
    EXPECT_EQ(Count("SELECT max(low_port) FROM circuits"), rows - 1) << "a batch has a gap";
}

TEST_F(ResultDatabases, AfterTheEndAllIsInOneFile)
{
    {
        ResultWriter writer(m_file, 0);
        AddCircuits(writer, 0, 100);
    }
    ResultDatabase(m_file).Finish();
    EXPECT_FALSE(std::filesystem::exists(m_file + "-wal"));
    const std::string copy = m_folder + "/copy.sqlite";
    std::filesystem::copy(m_file, copy);
    int64_t rows = 0;
    ResultDatabase(copy).Select("SELECT * FROM circuits", [&rows](const auto&) { ++rows; });
    EXPECT_EQ(rows, 100);
}

TEST_F(ResultDatabases, AClosedWriterTakesNoMoreRows)
{
    ResultWriter writer(m_file, 0);
    AddCircuits(writer, 0, 1);
    writer.Close();
    AddCircuits(writer, 1, 1); // a trace source that fires while objects are destroyed
    EXPECT_EQ(Count("SELECT count(*) FROM circuits"), 1);
}

// RFC 4180: lines end with CR and LF; fields with commas, quotes or line ends are in quotes, and a
// quote in them is doubled
TEST_F(ResultDatabases, CsvQuotesWhatHasCommasQuotesOrLineEnds)
{
    ResultDatabase(m_file).Insert(
        {{FindResultTable("parameters"),
          {std::string("a \"b\""), std::string("1,2"), std::monostate()}},
         {FindResultTable("parameters"),
          {std::string("one\ntwo"), std::string("three\rfour"), int64_t{1}}},
         {FindResultTable("parameters"), {std::string(" plain "), std::monostate(), int64_t{0}}}});
    WriteResultCsv(m_file, m_folder + "/tables");
    std::ifstream in(m_folder + "/tables/parameters.csv", std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_EQ(text.str(),
              "name,value,is_given\r\n"
              "\"a \"\"b\"\"\",\"1,2\",\r\n"
              "\"one\ntwo\",\"three\rfour\",1\r\n"
              " plain ,,0\r\n");
}

TEST(ResultSchema, TheColumnKindNamesAllKindsOfOperationsThatAreRecorded)
{
    std::set<std::string> kinds;
    for (const auto kind :
         {RankOperation::Kind::COMPUTE, RankOperation::Kind::SEND, RankOperation::Kind::RECEIVE})
    {
        RankOperation operation;
        operation.kind = kind;
        kinds.insert(NameOfKind(operation));
    }
    for (const CollectiveKind kind : GetCollectiveKinds())
    {
        RankOperation operation;
        operation.kind = RankOperation::Kind::COLLECTIVE;
        operation.collective = kind;
        kinds.insert(NameOfKind(operation));
    }
    const std::vector<ResultColumn>& columns =
        GetResultTables()[FindResultTable("operations")].columns;
    const auto kind = std::find_if(columns.begin(), columns.end(), [](const auto& column) {
        return column.name == "kind";
    });
    ASSERT_NE(kind, columns.end());
    std::set<std::string> named;
    std::istringstream meaning(kind->meaning);
    for (std::string word; std::getline(meaning >> std::ws, word, ',');)
    {
        named.insert(word);
    }
    EXPECT_EQ(named, kinds);
}

TEST(ResultSchema, NamesAreUniqueAndTheFirstColumnOfARunIsItsNumber)
{
    std::set<std::string> tables;
    for (const ResultTable& table : GetResultTables())
    {
        EXPECT_TRUE(tables.insert(table.name).second) << table.name;
        EXPECT_EQ(&GetResultTables()[FindResultTable(table.name)], &table);
        std::set<std::string> columns;
        for (const ResultColumn& column : table.columns)
        {
            EXPECT_TRUE(columns.insert(column.name).second) << table.name << "." << column.name;
            EXPECT_FALSE(column.meaning.empty()) << table.name << "." << column.name;
        }
    }
    EXPECT_TRUE(GetResultTables()[FindResultTable("windows")].IsOfRun());
    EXPECT_FALSE(GetResultTables()[FindResultTable("parameters")].IsOfRun());
}

} // namespace
