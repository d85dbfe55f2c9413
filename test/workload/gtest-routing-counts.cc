/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"

#include "ns3/routing-counts.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

const std::string ROUTING = "layer,expert,step,tokens\n";

RoutingFile
ReadRouting(const std::string& content)
{
    const std::string name = GetTemporaryPath("routing.csv");
    std::ofstream(name, std::ios::binary) << content;
    RoutingFile file = ReadRoutingCounts(name);
    std::remove(name.c_str());
    EXPECT_EQ(file.counts == nullptr, !file.error.empty()) << "counts or an error, never both";
    EXPECT_EQ(file.error.find('\n'), std::string::npos) << file.error;
    const std::size_t folder = file.error.find(name);
    file.error = folder == 0 ? file.error.substr(name.size()) : file.error;
    return file;
}

} // namespace

TEST(RoutingCounts, RowsInAnyOrderAreStepsOfLayers)
{
    const RoutingFile file = ReadRouting(ROUTING + "7,1,0,30\r\n"
                                                   "2,0,0,5\n"
                                                   "2,1,1,8\n"
                                                   "\n"
                                                   "2,1,0,6\n"
                                                   "7,0,1,0\n"
                                                   "7,0,0,1099511627776\n"
                                                   "2,0,1,7\n"
                                                   "7,1,1,9");
    ASSERT_EQ(file.error, "");
    const RoutingCounts& counts = *file.counts;
    EXPECT_EQ(counts.GetExperts(), 2U);
    ASSERT_EQ(counts.GetSteps().size(), 2U);
    using Tokens = RoutingCounts::Tokens;
    EXPECT_EQ(counts.Get(2, 0), (Tokens{5, 6}));
    EXPECT_EQ(counts.Get(2, 1), (Tokens{7, 8}));
    EXPECT_EQ(counts.Get(7, 0), (Tokens{uint64_t{1} << 40, 30}));
    EXPECT_EQ(counts.Get(7, 1), (Tokens{0, 9}));
    EXPECT_EQ(counts.Get(2, 2), counts.Get(2, 0)) << "steps repeat";
    EXPECT_EQ(counts.Get(2, 5), counts.Get(2, 1));
}

TEST(RoutingCounts, MistakesHaveALineOrAPlaceAndAnExpectation)
{
    EXPECT_EQ(ReadRoutingCounts("/no/such/file.csv").error,
              "/no/such/file.csv: cannot be opened to read");
    for (const auto& [content, error] : std::vector<std::pair<std::string, std::string>>{
             {"", ":1: expected the header layer,expert,step,tokens"},
             {"layer,expert,tokens\n1,2,3\n", ":1: expected the header layer,expert,step,tokens"},
             {ROUTING, ":2: expected a row for each layer, expert and step"},
             {ROUTING + "0,0,0\n", ":2: expected 4 columns, layer,expert,step,tokens"},
             {ROUTING + "0,0,0,1,1\n", ":2: expected 4 columns, layer,expert,step,tokens"},
             {ROUTING + "0,0,0,1\n0,x,0,1\n",
              ":3: \"x\" in column expert; expected a whole number from 0 to 1048575"},
             {ROUTING + "0,0,0,-1\n",
              ":2: \"-1\" in column tokens; expected a whole number from 0 to 1099511627776"},
             {ROUTING + "0,0,0,1099511627777\n",
              ":2: \"1099511627777\" in column tokens; expected a whole number from 0 to "
              "1099511627776"},
             {ROUTING + "0,0,0,99999999999999999999999\n",
              ":2: \"99999999999999999999999\" in column tokens; expected a whole number from 0 to "
              "1099511627776"},
             {ROUTING + "1048576,0,0,1\n",
              ":2: \"1048576\" in column layer; expected a whole number from 0 to 1048575"},
             {ROUTING + "0, 0,0,1\n",
              ":2: \" 0\" in column expert; expected a whole number from 0 to 1048575"},
             {ROUTING + "3,0,0,1\n3,1,0,1\n3,1,0,2\n",
              ":4: layer 3, step 0 has another row for expert 1 in line 3; each has one"},
             {ROUTING + "3,0,0,1\n3,0,0,1\n3,1,0,2\n",
              ":3: layer 3, step 0 has another row for expert 0 in line 2; each has one"},
             {ROUTING + "3,0,0,1\n4,0,0,1\n4,1,0,1\n",
              ": layer 3, step 0 has no row for expert 1, and the file has 2 experts and 1 steps; "
              "write a row for each, with 0 tokens if there are none"},
             {ROUTING + "3,0,1,1\n",
              ": layer 3, step 0 has no row for expert 0, and the file has 1 experts and 2 steps; "
              "write a row for each, with 0 tokens if there are none"},
             {ROUTING + "3,0,0,1\n3,0,1,1\n4,0,0,1\n",
              ": layer 4, step 1 has no row for expert 0, and the file has 1 experts and 2 steps; "
              "write a row for each, with 0 tokens if there are none"}})
    {
        EXPECT_EQ(ReadRouting(content).error, error);
    }
}

TEST(RoutingCounts, ARowTooFewOrTooManyIsFoundWhereverItIs)
{
    std::mt19937 random(3);
    for (uint32_t trial = 0; trial < 100; ++trial)
    {
        const uint32_t layers = 1 + random() % 3;
        const uint32_t experts = 1 + random() % 4;
        const uint32_t steps = 1 + random() % 3;
        std::vector<std::string> rows;
        for (uint32_t i = 0; i < layers * experts * steps; ++i)
        {
            rows.push_back(std::to_string(5 * (i / experts / steps)) + "," +
                           std::to_string(i % experts) + "," + std::to_string(i / experts % steps) +
                           "," + std::to_string(random() % 100) + "\n");
        }
        std::shuffle(rows.begin(), rows.end(), random);
        const auto join = [](const std::vector<std::string>& some) {
            std::string content = ROUTING;
            for (const std::string& row : some)
            {
                content += row;
            }
            return content;
        };
        EXPECT_EQ(ReadRouting(join(rows)).error, "");
        std::vector<std::string> more = rows;
        more.push_back(rows[random() % rows.size()]);
        EXPECT_NE(ReadRouting(join(more)).error.find("has another row for"), std::string::npos);
        // without its row a layer, expert or step that has only one is none
        if (layers > 1 && experts > 1 && steps > 1)
        {
            rows.erase(rows.begin() + random() % rows.size());
            EXPECT_NE(ReadRouting(join(rows)).error.find("has no row for"), std::string::npos);
        }
    }
}
