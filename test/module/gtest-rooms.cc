/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The module's folders are rooms, and a room may include from certain others only. This reads the
// include lines of all sources and fails where one leads to a room it must not lead to.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace
{

const fs::path ROOT = PHOTONIC_RAILS_SOURCE_DIR;

// Each room and the rooms that it may include from, beside itself, core and all that those may.
const std::map<std::string, std::set<std::string>> ALLOWED{
    {"core", {}},
    {"wire", {}},
    {"optics", {"wire"}},
    {"rdma", {"optics"}},
    {"electrical", {"optics"}},
    {"scale-up", {}},
    {"collective", {"rdma", "scale-up"}},
    {"opus", {"collective", "optics"}},
    {"workload", {"collective"}},
    {"faults", {"opus", "workload"}},
    {"analysis", {"electrical", "faults"}},
};

// The folders of test/ beside one for each room.
const std::set<std::string> TEST_FOLDERS{
    "corpus",    // files that trace readers read
    "extending", // what doc/extending.rst prints
    "helper",
    "jobs",   // random training jobs, in both fidelities
    "module", // what is true of the module as a whole
    "scripts",
    "support", // what tests of several folders share
    "trains",  // random scenarios, in both fidelities
};

struct Include
{
    fs::path from;
    std::string header; //!< without ns3/
    bool flat;          //!< written as ns3/...
};

bool
IsSource(const fs::path& path)
{
    return path.extension() == ".h" || path.extension() == ".cc";
}

std::vector<fs::path>
SourcesIn(const fs::path& folder)
{
    std::vector<fs::path> found;
    if (fs::exists(folder))
    {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
        {
            if (entry.is_regular_file() && IsSource(entry.path()))
            {
                found.push_back(entry.path());
            }
        }
    }
    return found;
}

std::vector<Include>
IncludesOf(const fs::path& file)
{
    static const std::regex line("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]");
    std::vector<Include> found;
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);)
    {
        std::smatch match;
        if (std::regex_search(text, match, line))
        {
            const std::string name = match[1];
            const bool flat = name.rfind("ns3/", 0) == 0;
            found.push_back({file, flat ? name.substr(4) : name, flat});
        }
    }
    return found;
}

/** The room of a file: the folder under model, or the folder under the root. */
std::string
RoomOf(const fs::path& file)
{
    const fs::path relative = fs::relative(file, ROOT);
    auto part = relative.begin();
    if (*part == "model")
    {
        ++part;
    }
    return part->string();
}

/** All rooms that a room may include from. */
std::set<std::string>
ReachOf(const std::string& room)
{
    std::set<std::string> reach{"core"};
    for (const std::string& next : ALLOWED.at(room))
    {
        reach.insert(next);
        reach.merge(ReachOf(next));
    }
    return reach;
}

/** The folder of a file. */
std::string
FolderOf(const fs::path& file)
{
    return fs::relative(file.parent_path(), ROOT).string();
}

/** The unit of a source: the name of its header. */
std::string
UnitOf(const fs::path& file)
{
    return file.stem().string();
}

/**
 * Removes units whose arrows lead to nothing that is left, until none can be removed.
 * @return the units that are left: those on a circle of arrows, and those that lead to one
 */
std::set<std::string>
FindCircles(std::map<std::string, std::set<std::string>> arrows)
{
    std::set<std::string> left;
    for (const auto& [from, to] : arrows)
    {
        left.insert(from);
    }
    for (bool changed = true; changed;)
    {
        changed = false;
        for (auto it = left.begin(); it != left.end();)
        {
            const std::set<std::string>& to = arrows[*it];
            const bool free = std::none_of(to.begin(), to.end(), [&](const std::string& one) {
                return left.count(one) != 0 && one != *it;
            });
            it = free ? left.erase(it) : std::next(it);
            changed = changed || free;
        }
    }
    return left;
}

/** Strings with commas between. */
std::string
Join(const std::set<std::string>& strings)
{
    std::string all;
    for (const std::string& one : strings)
    {
        all += (all.empty() ? "" : ", ") + one;
    }
    return all;
}

/** Our headers by name, which ns-3 lays out in one flat folder. */
std::map<std::string, fs::path>
OurHeaders()
{
    std::map<std::string, fs::path> headers;
    for (const char* folder : {"model", "helper"})
    {
        for (const fs::path& file : SourcesIn(ROOT / folder))
        {
            if (file.extension() == ".h")
            {
                headers.emplace(file.filename().string(), file);
            }
        }
    }
    return headers;
}

} // namespace

TEST(Rooms, EveryFolderOfTheModelIsAKnownRoom)
{
    for (const auto& entry : fs::directory_iterator(ROOT / "model"))
    {
        EXPECT_TRUE(entry.is_directory()) << entry.path() << ": sources live in a room";
        EXPECT_EQ(ALLOWED.count(entry.path().filename().string()), 1U) << entry.path();
    }
}

TEST(Rooms, NoIncludeLeadsWhereItMustNot)
{
    const auto headers = OurHeaders();
    std::size_t arrows = 0;
    for (const fs::path& file : SourcesIn(ROOT / "model"))
    {
        const std::string from = RoomOf(file);
        for (const Include& include : IncludesOf(file))
        {
            const auto ours = headers.find(include.header);
            if (ours == headers.end())
            {
                continue; // ns-3's, or the system's
            }
            const std::string to = RoomOf(ours->second);
            if (to == from)
            {
                continue;
            }
            ++arrows;
            EXPECT_EQ(ReachOf(from).count(to), 1U) << file << " includes " << include.header << ": "
                                                   << from << " must not include " << to;
        }
    }
    EXPECT_GT(arrows, 0U) << "no include between rooms was found: does this test still read them?";
}

TEST(Rooms, InsideAFolderPlainNamesAndBetweenFoldersFlatOnes)
{
    const auto headers = OurHeaders();
    for (const char* folder : {"model", "helper"})
    {
        for (const fs::path& file : SourcesIn(ROOT / folder))
        {
            for (const Include& include : IncludesOf(file))
            {
                const auto ours = headers.find(include.header);
                if (ours != headers.end())
                {
                    EXPECT_EQ(include.flat, FolderOf(file) != FolderOf(ours->second))
                        << file << ": " << include.header;
                }
            }
        }
    }
}

TEST(Rooms, NoFilesIncludeEachOtherInACircle)
{
    const auto headers = OurHeaders();
    std::map<std::string, std::set<std::string>> arrows;
    for (const char* folder : {"model", "helper"})
    {
        for (const fs::path& file : SourcesIn(ROOT / folder))
        {
            for (const Include& include : IncludesOf(file))
            {
                if (headers.count(include.header) != 0)
                {
                    arrows[UnitOf(file)].insert(UnitOf(include.header));
                }
            }
        }
    }
    EXPECT_GT(arrows.size(), 100U);
    EXPECT_EQ(Join(FindCircles(arrows)), "");
}

TEST(Rooms, NoFoldersIncludeEachOtherInACircle)
{
    const auto headers = OurHeaders();
    std::map<std::string, std::set<std::string>> arrows;
    for (const char* folder : {"model", "helper"})
    {
        for (const fs::path& file : SourcesIn(ROOT / folder))
        {
            for (const Include& include : IncludesOf(file))
            {
                const auto ours = headers.find(include.header);
                if (ours != headers.end())
                {
                    arrows[FolderOf(file)].insert(FolderOf(ours->second));
                }
            }
        }
    }
    EXPECT_GT(arrows.size(), 10U);
    EXPECT_EQ(Join(FindCircles(arrows)), "");
}

TEST(Rooms, ACircleIsFound)
{
    EXPECT_EQ(Join(FindCircles({{"a", {"b", "a"}}, {"b", {"c"}}})), "");
    EXPECT_EQ(Join(FindCircles({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}, {"d", {}}})), "a, b, c");
}

TEST(Rooms, HeaderNamesAreUnique)
{
    std::set<std::string> names;
    for (const char* folder : {"model", "helper"})
    {
        for (const fs::path& file : SourcesIn(ROOT / folder))
        {
            if (file.extension() == ".h")
            {
                EXPECT_TRUE(names.insert(file.filename().string()).second) << file;
            }
        }
    }
}

TEST(Rooms, NoModuleHeaderInModelHelperOrTest)
{
    for (const char* folder : {"model", "helper", "test"})
    {
        for (const fs::path& file : SourcesIn(ROOT / folder))
        {
            for (const Include& include : IncludesOf(file))
            {
                EXPECT_EQ(include.header.find("-module.h"), std::string::npos)
                    << file << ": waf-era ns-3 refuses " << include.header;
            }
        }
    }
}

TEST(Rooms, EveryTestIsInAFolder)
{
    for (const auto& entry : fs::directory_iterator(ROOT / "test"))
    {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory())
        {
            EXPECT_EQ(ALLOWED.count(name) + TEST_FOLDERS.count(name) + (name[0] == '_'), 1U)
                << entry.path() << ": neither a room nor one of the other folders of tests";
        }
        else
        {
            EXPECT_EQ(name, "examples-to-run.py") << "ns-3's test.py reads this one alone here";
        }
    }
}

TEST(Rooms, TestsShareOnlyWhatIsInSupport)
{
    std::size_t shared = 0;
    for (const fs::path& file : SourcesIn(ROOT / "test"))
    {
        for (const Include& include : IncludesOf(file))
        {
            const fs::path target = (file.parent_path() / include.header).lexically_normal();
            if (include.flat || !fs::exists(target) || FolderOf(target) == FolderOf(file))
            {
                continue;
            }
            ++shared;
            EXPECT_TRUE(target.extension() == ".cc" || FolderOf(target) == "test/support")
                << file << " includes " << include.header
                << ": what tests of several folders include is in test/support";
        }
    }
    EXPECT_GT(shared, 10U)
        << "no include between folders was found: does this test still read them?";
}
