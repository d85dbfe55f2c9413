/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Results of any program are in its database with a column for each member, whatever it is called.

#include "../support/temporary-path.h"

#include "ns3/program-plots.h"
#include "ns3/program-results.h"
#include "ns3/result-database.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{

namespace
{

/** A database in a folder of its own, which goes when a test ends. */
class ProgramResultsTest : public testing::Test
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
        std::filesystem::remove_all(m_folder);
    }

    /** @return the values of the first row of a query */
    std::vector<ResultValue> Select(const std::string& query) const
    {
        std::vector<ResultValue> values;
        ResultDatabase(m_file).Select(query, [&values](const auto& row) {
            values = values.empty() ? row : values;
        });
        return values;
    }

    std::string m_folder;
    std::string m_file;
};

/** @return values as such */
std::vector<ResultValue>
Values(std::initializer_list<ResultValue> values)
{
    return values;
}

} // namespace

TEST_F(ProgramResultsTest, MembersAreColumnsOfTheirTypes)
{
    ProgramResults results(m_file);
    results.AddRows("rows",
                    0,
                    {R"({"bytes": 65536, "rate": 1.5, "inner": {"text": "12"}, "good": true})",
                     R"({"bytes": 1, "list": [1, 2], "nothing": null})"});
    EXPECT_EQ(
        Select("SELECT array_name, row_number, bytes, rate, inner_text, good FROM results"),
        Values(
            {std::string("rows"), int64_t{0}, int64_t{65536}, 1.5, std::string("12"), int64_t{1}}));
    EXPECT_EQ(Select("SELECT bytes, rate FROM results WHERE row_number=1"),
              Values({int64_t{1}, std::monostate()}));
}

TEST_F(ProgramResultsTest, NamesThatAreOneToSqlAreColumnsOfTheirOwn)
{
    ProgramResults results(m_file);
    // SQL takes no notice of capitals
    const std::string row =
        R"({"N": 1, "n": 2, "a": {"b": 3}, "a_b": 4, "row_number": 5, "with \"quotes\"": 6})";
    results.AddRows("rows", 7, {row, row});
    EXPECT_EQ(Select("SELECT \"N\", n_2, a_b, a_b_2, row_number_2, \"with \"\"quotes\"\"\", "
                     "array_name, row_number FROM results ORDER BY row_number DESC"),
              Values({int64_t{1},
                      int64_t{2},
                      int64_t{3},
                      int64_t{4},
                      int64_t{5},
                      int64_t{6},
                      std::string("rows"),
                      int64_t{8}}));
    EXPECT_EQ(Select("SELECT count(*) FROM columns WHERE table_name='results'"),
              Values({int64_t{8}}));
    ResultDatabase database(m_file);
    const std::string tables = MakeProgramTables(database);
    EXPECT_NE(tables.find("with &quot;quotes&quot;"), std::string::npos) << tables;
}

TEST_F(ProgramResultsTest, NamesOfASummaryThatWouldBeOneAreTwo)
{
    ProgramResults(m_file).SetSummary(R"({"a": {"b": 3}, "a_b": 4, "c": 5})");
    EXPECT_EQ(Select("SELECT group_concat(name || '=' || value, ' ') FROM "
                     "(SELECT * FROM summary ORDER BY name)"),
              Values({std::string("a_b=3 a_b_2=4 c=5")}));
}

} // namespace ns3
