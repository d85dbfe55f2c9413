/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/known-names.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

TEST(KnownNames, AreFoundHoweverTheyAreWritten)
{
    const std::vector<std::string> names{"all-reduce", "all-gather", "barrier", "Llama3-8B"};
    for (const std::string words : {"all-reduce", "allreduce", "all_reduce", "AllReduce"})
    {
        EXPECT_EQ(FindKnownName(words, names, "collective").name, "all-reduce") << words;
    }
    EXPECT_EQ(FindKnownName("llama3-8b", names, "model").name, "Llama3-8B");
    const std::string why = FindKnownName("all-redcue", names, "collective").why;
    EXPECT_EQ(why,
              "no such collective; known: all-reduce, all-gather, barrier, Llama3-8B; did you mean "
              "all-reduce?");
    EXPECT_EQ(FindKnownName("zzz", names, "collective").why.find("did you mean"),
              std::string::npos);
    EXPECT_NE(FindKnownName("", names, "collective").why, "");
    EXPECT_EQ(FindKnownName("", {"", "mems"}, "technology").why, "");
}
