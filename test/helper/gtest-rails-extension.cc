/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What is refused before it is loaded. test/scripts/script-load.py loads extensions.

#include "../support/temporary-path.h"

#include "ns3/rails-extension.h"
#include "ns3/scenario.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** @return the answer to a file with this content */
std::string
LoadBytes(const std::string& bytes)
{
    const std::string name = GetTemporaryPath("extension.so");
    std::ofstream(name, std::ios::binary) << bytes;
    const std::string why = LoadExtension(name);
    std::remove(name.c_str());
    return why;
}

/** @return a mark as bytes of a file */
std::string
ToBytes(const ExtensionMark& mark)
{
    return {reinterpret_cast<const char*>(&mark), sizeof(mark)};
}

/** Expects that an answer has some words. */
void
ExpectWords(const std::string& answer, const std::string& words)
{
    EXPECT_NE(answer.find(words), std::string::npos) << answer;
    EXPECT_EQ(answer.find('\n'), std::string::npos) << "one line";
}

} // namespace

TEST(RailsExtension, ItsReleaseIsThatOfTheModule)
{
    EXPECT_EQ(Scenario::GetVersion(), PHOTONIC_RAILS_RELEASE);
    EXPECT_STREQ(g_extensionMark.words,
                 (std::string(ExtensionMark::BEGIN) + PHOTONIC_RAILS_RELEASE).c_str());
}

TEST(RailsExtension, WhatIsNoneIsRefusedWithTheRemedy)
{
    ExpectWords(LoadExtension("/no/such/file.so"), "No such file");
    ExpectWords(LoadExtension("/"), "it is no file");
    ExpectWords(LoadBytes("int main() {}"), "it is no shared object; compile it by g++ -shared");
    const std::string elf = "\177ELF and so on";
    ExpectWords(LoadBytes(elf), "include ns3/rails-extension.h");
    // what looks like one, up to its content
    const std::string zeros(64, '\0'); // a header of nothing
    ExpectWords(LoadBytes("\177ELF" + zeros + ToBytes(g_extensionMark)), "cannot load it");
    const std::string far(64, '\1'); // a header of what is far behind the end of the file
    ExpectWords(LoadBytes("\177ELF" + far + ToBytes(g_extensionMark)), "its end is missing");
    ExpectWords(LoadBytes(elf + ToBytes(g_extensionMark).substr(0, 80)),
                "include ns3/rails-extension.h");
}

TEST(RailsExtension, WhatWasBuiltAgainstSomethingElseIsRefused)
{
    ExtensionMark older = g_extensionMark;
    std::strcpy(older.words, "photonic-rails extension of 0.0.9");
    ExpectWords(LoadBytes("\177ELF" + ToBytes(older)),
                "built against release 0.0.9 of photonic-rails, and this is " +
                    std::string(PHOTONIC_RAILS_RELEASE) + "; compile it again");
    for (std::size_t i = 0; i < g_extensionMark.layouts.size(); ++i)
    {
        ExtensionMark other = g_extensionMark;
        other.layouts[i] += 8;
        ExpectWords(LoadBytes("\177ELF" + ToBytes(g_extensionMark) + ToBytes(other)),
                    "built against another release of ns-3");
    }
}
