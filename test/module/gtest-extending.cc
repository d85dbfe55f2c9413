/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// doc/extending.rst prints the files of test/extending, which tests compile and run.

#include "../extending/star-broadcast.cc"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <string>

using namespace ns3;

namespace fs = std::filesystem;

namespace
{

/** @return the content of a file */
std::string
Read(const fs::path& path)
{
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/** @return a text as a block of code of a chapter */
std::string
Indent(const std::string& text)
{
    std::istringstream in(text);
    std::string block;
    for (std::string line; std::getline(in, line);)
    {
        block += (line.empty() ? "" : "    " + line) + "\n";
    }
    return block;
}

} // namespace

TEST(Extending, TheChapterPrintsTheFilesThatAreTested)
{
    const fs::path root = PHOTONIC_RAILS_SOURCE_DIR;
    const std::string chapter = Read(root / "doc/extending.rst");
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(root / "test/extending"))
    {
        const std::string code = Read(entry.path());
        ASSERT_FALSE(code.empty()) << entry.path();
        EXPECT_NE(chapter.find(Indent(code)), std::string::npos) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 5U) << "two policies, a congestion control and two algorithms";
}

TEST(Extending, TheAlgorithmIsProvedAndKnown)
{
    if (CollectiveAlgorithm::Find(CollectiveKind::BROADCAST, "my-star") == nullptr)
    {
        RegisterMyStar();
    }
    CollectiveParameters parameters;
    parameters.kind = CollectiveKind::BROADCAST;
    parameters.ranks = 5;
    const auto schedule = CollectiveAlgorithm::GetSchedule("my-star", parameters);
    EXPECT_EQ(schedule->GetTransfers().size(), 4U) << "one to each of the others";
}
