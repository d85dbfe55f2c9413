/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "known-names.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

/** @return the number of letters to change, delete, insert or swap */
std::size_t
CountEdits(const std::string& one, const std::string& other)
{
    std::vector<std::vector<std::size_t>> edits(one.size() + 1,
                                                std::vector<std::size_t>(other.size() + 1, 0));
    for (std::size_t i = 0; i <= one.size(); ++i)
    {
        for (std::size_t j = 0; j <= other.size(); ++j)
        {
            if (i == 0 || j == 0)
            {
                edits[i][j] = i + j;
                continue;
            }
            const std::size_t changed = edits[i - 1][j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
            edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, changed});
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
            {
                edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
            }
        }
    }
    return edits[one.size()][other.size()];
}

} // namespace

std::string
SimplifyName(const std::string& name)
{
    std::string simple;
    for (const unsigned char character : name)
    {
        if (character != '-' && character != '_')
        {
            simple += static_cast<char>(std::tolower(character));
        }
    }
    return simple;
}

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string all;
    for (const std::string& name : names)
    {
        all += (all.empty() ? "" : ", ") + (name.empty() ? "(nothing)" : name);
    }
    return all;
}

std::string
FindNearest(const std::string& words, const std::vector<std::string>& names)
{
    const std::string simple = SimplifyName(words).substr(0, 100);
    std::string nearest;
    std::size_t least = simple.size() / 3 + 2; // more is another word
    for (const std::string& name : names)
    {
        const std::size_t edits = CountEdits(simple, SimplifyName(name));
        const bool isLonger = simple.size() > 2 && SimplifyName(name).rfind(simple, 0) == 0;
        if (edits < least || (isLonger && nearest.empty()))
        {
            least = std::min(least, edits);
            nearest = name;
        }
    }
    return nearest;
}

KnownName
FindKnownName(const std::string& words,
              const std::vector<std::string>& names,
              const std::string& noun)
{
    for (const std::string& name : names)
    {
        if (name == words || (!words.empty() && SimplifyName(name) == SimplifyName(words)))
        {
            return {name, ""};
        }
    }
    const std::string nearest = FindNearest(words, names);
    return {"",
            "no such " + noun + "; known: " + JoinNames(names) +
                (nearest.empty() ? "" : "; did you mean " + nearest + "?")};
}

} // namespace ns3
