/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "unfinished-files.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/** A file in memory that a signal handler can read. */
struct Entry
{
    static constexpr std::size_t LONGEST = 1000; //!< bytes of a name

    std::array<char, LONGEST + 1> part{}; //!< empty: the entry is free
    std::array<char, LONGEST + 1> place{};
    UnfinishedFiles::OnError onError{UnfinishedFiles::OnError::REMOVE};
};

std::array<Entry, 256> g_entries;

/** @return whether a file has contents */
bool
HasContents(const char* path)
{
    struct stat status
    {
    };

    return stat(path, &status) == 0 && status.st_size > 0;
}

} // namespace

void
UnfinishedFiles::Add(const std::string& part, OnError onError)
{
    if (part.empty() || part.size() > Entry::LONGEST)
    {
        return;
    }
    for (Entry& entry : g_entries)
    {
        if (entry.part[0] == '\0')
        {
            const std::string place = part.substr(0, part.rfind(".part"));
            std::copy(place.begin(), place.end(), entry.place.begin());
            entry.place[place.size()] = '\0';
            entry.onError = onError;
            std::copy(part.begin() + 1, part.end(), entry.part.begin() + 1);
            entry.part[part.size()] = '\0';
            entry.part[0] = part[0]; // last: a signal may come in between
            return;
        }
    }
}

void
UnfinishedFiles::Remove(const std::string& part)
{
    for (Entry& entry : g_entries)
    {
        if (part == entry.part.data())
        {
            entry.part[0] = '\0';
        }
    }
}

void
UnfinishedFiles::Disown()
{
    for (Entry& entry : g_entries)
    {
        entry.part[0] = '\0';
    }
}

void
UnfinishedFiles::EndAll()
{
    for (Entry& entry : g_entries)
    {
        const char* const part = entry.part.data();
        if (part[0] == '\0')
        {
            continue;
        }
        const bool isKept = entry.onError == OnError::KEEP && HasContents(part);
        if (!isKept || std::rename(part, entry.place.data()) != 0)
        {
            unlink(part);
        }
        entry.part[0] = '\0';
    }
}

} // namespace ns3
