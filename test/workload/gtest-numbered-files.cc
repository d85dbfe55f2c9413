/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which files of a trace belong to which ranks.

#include "../support/temporary-path.h"

#include "ns3/numbered-files.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace ns3;

namespace
{

/** A folder with empty files, for the time of a test. */
class Folder
{
  public:
    explicit Folder(const std::set<std::string>& names)
        : m_path(GetTemporaryPath("numbered-files"))
    {
        std::filesystem::remove_all(m_path);
        for (const std::string& name : names)
        {
            std::filesystem::create_directories((m_path / name).parent_path());
            std::ofstream file(m_path / name);
        }
    }

    ~Folder()
    {
        std::filesystem::remove_all(m_path);
    }

    std::string Get(const std::string& name) const
    {
        return (m_path / name).string();
    }

  private:
    std::filesystem::path m_path;
};

} // namespace

TEST(NumberedFiles, NumbersAreWholeAndHaveNoLeadingZero)
{
    const Folder folder({"x.0.et", "x.1.et", "x.12.et", "x.07.et", "x.a.et", "y.2.et", "x.3.txt"});
    const NumberedFiles files(folder.Get("x."), ".et");
    EXPECT_EQ(files.GetNumbers(), (std::set<uint32_t>{0, 1, 12}));
    EXPECT_EQ(files.GetPath("%d"), folder.Get("x.%d.et"));
}

TEST(NumberedFiles, AGapIsNamed)
{
    const Folder folder({"x.0.et", "x.1.et", "x.3.et", "whole.0.et", "whole.1.et"});
    EXPECT_EQ(NumberedFiles(folder.Get("x."), ".et").FindGap(),
              "there is " + folder.Get("x.3.et") + " and no " + folder.Get("x.2.et") +
                  "; ranks are numbered from 0, no gaps");
    EXPECT_EQ(NumberedFiles(folder.Get("whole."), ".et").FindGap(), "");
}

TEST(NumberedFiles, ThePlaceOfTheNumberIsFoundFromOneFile)
{
    // of two numbers in the name, the one that differs between files
    const Folder folder({"run2.0.et", "run2.1.et", "alone.7.et"});
    EXPECT_EQ(FindNumberedPath(folder.Get("run2.1.et")), folder.Get("run2.%d.et"));
    EXPECT_EQ(FindNumberedPath(folder.Get("alone.7.et")), "");
}

TEST(NumberedFiles, AFolderCanHaveTheNumber)
{
    const Folder folder({"0/x.et", "1/x.et"});
    const NumberedFiles files(folder.Get(""), "/x.et");
    EXPECT_EQ(files.GetNumbers(), (std::set<uint32_t>{0, 1}));
}

TEST(NumberedFiles, NoFolderHasNoFiles)
{
    EXPECT_TRUE(NumberedFiles("/no/such/folder/x.", ".et").GetNumbers().empty());
}
