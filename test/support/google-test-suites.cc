/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The GoogleTests as suites of ns-3's test.py, for builds in an ns-3 tree. Each folder of test/
// that holds GoogleTests is a suite: photonic-rails-gtest-core runs those of test/core. A failed
// assertion becomes a failure of ns-3, with its file and line. The log component
// PhotonicRailsGoogleTests prints each name at its begin.

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

using namespace ns3;

NS_LOG_COMPONENT_DEFINE("PhotonicRailsGoogleTests");

namespace
{

std::string
NameOf(const testing::TestInfo& test)
{
    return std::string(test.test_suite_name()) + "." + test.name();
}

/** @return the folder of test/ that holds a GoogleTest: core of .../test/core/gtest-as-of.cc */
std::string
FolderOf(const testing::TestInfo& test)
{
    static const std::string root = "/test/";
    const std::string path = "/" + std::string(test.file());
    const auto begin = path.rfind(root) + root.size();
    return path.substr(begin, path.find('/', begin) - begin);
}

/** Test suites of a folder that take minutes without optimization: in ns-3's profile debug. */
std::set<std::string>
SlowOnesOf(const std::string& folder)
{
#ifndef __OPTIMIZE__
    if (folder == "opus")
    {
        return {"OpusControllerRandom", "OpusShimRandom"};
    }
#endif
    return {};
}

std::string
TitleOf(const std::string& folder)
{
    std::string title = "GoogleTests of the folder " + folder;
    for (const std::string& slow : SlowOnesOf(folder))
    {
        title += ", without " + slow;
    }
    return title + (SlowOnesOf(folder).empty() ? "" : " (minutes if not optimized)");
}

bool
IsRun(const testing::TestInfo& test, const std::string& folder)
{
    return FolderOf(test) == folder && NameOf(test).find("DISABLED_") == std::string::npos &&
           SlowOnesOf(folder).count(test.test_suite_name()) == 0;
}

/** Replaces the characters that an XML report of ns-3 must not hold. */
std::string
Printable(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 127; },
        '?');
    return text;
}

/** All GoogleTests of a folder, as one case of ns-3: an ns-3 suite stops at a case that fails. */
class FolderTest : public TestCase, public testing::EmptyTestEventListener
{
  public:
    explicit FolderTest(const std::string& folder)
        : TestCase(TitleOf(folder)),
          m_folder(folder)
    {
    }

  private:
    void DoRun() override
    {
        Initialize();
        const auto& all = *testing::UnitTest::GetInstance();
        std::string filter;
        int count = 0;
        for (int i = 0; i < all.total_test_suite_count(); ++i)
        {
            const testing::TestSuite& suite = *all.GetTestSuite(i);
            for (int j = 0; j < suite.total_test_count(); ++j)
            {
                const testing::TestInfo& test = *suite.GetTestInfo(j);
                if (IsRun(test, m_folder))
                {
                    filter += (count == 0 ? "" : ":") + NameOf(test);
                    ++count;
                }
            }
        }
        NS_TEST_ASSERT_MSG_GT(count, 0, "there is no GoogleTest in test/" << m_folder);
#ifdef GTEST_FLAG_SET
        GTEST_FLAG_SET(filter, filter);
#else
        testing::GTEST_FLAG(filter) = filter;
#endif
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        listeners.Append(this);
        const bool passed = RUN_ALL_TESTS() == 0;
        listeners.Release(this);
        NS_TEST_EXPECT_MSG_EQ(all.test_to_run_count(), count, "not all tests were run");
        NS_TEST_EXPECT_MSG_EQ(passed || IsStatusFailure(),
                              true,
                              "GoogleTest failed and did not say why");
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }

    /** Silences GoogleTest, which reads no options but those of the environment (GTEST_*). */
    static void Initialize()
    {
        static bool done = false;
        if (!done)
        {
            int argc = 1;
            char name[] = "photonic-rails-gtest";
            char* argv[] = {name, nullptr};
            testing::InitGoogleTest(&argc, argv);
            auto& listeners = testing::UnitTest::GetInstance()->listeners();
            delete listeners.Release(listeners.default_result_printer());
            done = true;
        }
    }

    void OnTestStart(const testing::TestInfo& test) override
    {
        NS_LOG_INFO(NameOf(test));
        m_current = NameOf(test);
    }

    void OnTestEnd(const testing::TestInfo&) override
    {
        m_current = "outside of a test";
    }

    void OnTestPartResult(const testing::TestPartResult& result) override
    {
        if (!result.failed())
        {
            return;
        }
        // no question to UnitTest here: it holds its lock
        ReportTestFailure(m_current,
                          "failed",
                          "passed",
                          Printable(result.message()),
                          result.file_name() ? result.file_name() : "",
                          result.line_number());
    }

    std::string m_folder;
    std::string m_current = "outside of a test"; //!< the test that runs
};

/** The suite of a folder. */
class FolderSuite : public ns3::TestSuite
{
  public:
    explicit FolderSuite(const std::string& folder)
        : ns3::TestSuite("photonic-rails-gtest-" + folder, ns3::TestSuite::Type::UNIT)
    {
        AddTestCase(new FolderTest(folder));
    }
};

/** One suite for each folder of the list that CMakeLists.txt makes, with commas between. */
class AllFolders
{
  public:
    AllFolders()
    {
        std::istringstream folders(PHOTONIC_RAILS_GTEST_FOLDERS);
        for (std::string folder; std::getline(folders, folder, ',');)
        {
            m_suites.emplace_back(folder);
        }
    }

  private:
    std::deque<FolderSuite> m_suites;
};

const AllFolders g_allFolders;

} // namespace
