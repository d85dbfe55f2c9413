/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/json-writer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

using namespace ns3;

TEST(JsonWriter, NestsAndSeparates)
{
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginObject();
    json.Field("a", 1);
    json.BeginArray("b");
    json.Value("x");
    json.BeginObject();
    json.EndObject();
    json.EndArray();
    json.BeginObject("c");
    json.Field("d", true);
    json.EndObject();
    json.EndObject();
    EXPECT_EQ(os.str(),
              "{\n  \"a\": 1,\n  \"b\": [\n    \"x\",\n    {}\n  ],\n  \"c\": {\n    \"d\": "
              "true\n  }\n}\n");
}

TEST(JsonWriter, EscapesWhatMustBe)
{
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginArray();
    json.Value(std::string("a\"b\\c\n\x01"));
    json.EndArray();
    EXPECT_EQ(os.str(), "[\n  \"a\\\"b\\\\c\\u000a\\u0001\"\n]\n");
}

TEST(JsonWriter, NumbersSurvive)
{
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginArray();
    json.Value(std::numeric_limits<int64_t>::max());
    json.Value(uint8_t{65});
    json.Value(0.1);
    json.Value(std::nan(""));
    json.EndArray();
    EXPECT_EQ(os.str(), "[\n  9223372036854775807,\n  65,\n  0.10000000000000001,\n  null\n]\n");
}
