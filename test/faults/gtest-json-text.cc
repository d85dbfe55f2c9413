/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// JSON as faults read it: values, places, and what is no JSON.

#include "ns3/json-text.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** @return the value in a text, or a mistake in words */
std::string
Read(const std::string& text, JsonValue& value)
{
    std::istringstream in(text);
    JsonMistake mistake;
    return ReadJson(in, value, mistake) ? ""
                                        : std::to_string(mistake.line) + ": " + mistake.expected;
}

} // namespace

TEST(JsonText, KeepsValuesWithTheirLines)
{
    JsonValue value;
    ASSERT_EQ(Read("{\"a\": [1,\n -2.50e+3, \"x\"],\n\n\"b\": {\"c\": null, \"d\": true}} ", value),
              "");
    ASSERT_EQ(value.members.size(), 2U);
    const JsonValue* a = value.Find("a");
    ASSERT_NE(a, nullptr);
    ASSERT_EQ(a->items.size(), 3U);
    EXPECT_EQ(a->items[1].text, "-2.50e+3"); // as it is written
    EXPECT_EQ(a->items[1].line, 2U);
    EXPECT_EQ(a->items[2].kind, JsonValue::Kind::TEXT);
    const JsonValue* b = value.Find("b");
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->line, 4U);
    EXPECT_EQ(b->Find("c")->kind, JsonValue::Kind::NOTHING);
    EXPECT_EQ(b->Find("d")->text, "true");
    EXPECT_EQ(b->Find("e"), nullptr);
}

TEST(JsonText, TextsHaveTheirCharacters)
{
    JsonValue value;
    ASSERT_EQ(Read(R"("\"\\\/\b\f\n\r\tA\u00e9\u20ac\ud83d\ude00")", value), "");
    EXPECT_EQ(value.text, "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    std::string all;
    for (char c = 1; c > 0; ++c)
    {
        all += c;
        if (c == 127)
        {
            break;
        }
    }
    ASSERT_EQ(Read(QuoteJson(all), value), "");
    EXPECT_EQ(value.text, all);
}

TEST(JsonText, RefusesWhatIsNoJson)
{
    const std::vector<std::string> wrong{
        "",
        "{",
        "[1,]",
        "{\"a\" 1}",
        "{\"a\": 1,}",
        "{a: 1}",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "nul",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\n\"",
        "[1] 2",
        "'a'",
        "NaN",
        "[1 2]",
        "{\"a\":1,\"a\":2}",
        "\"\\ud83d\\u0041\"",
    };
    for (const std::string& text : wrong)
    {
        JsonValue value;
        EXPECT_NE(Read(text, value), "") << text;
    }
    JsonValue value;
    EXPECT_EQ(Read(std::string(60, '[') + std::string(60, ']'), value), "");
    EXPECT_NE(Read(std::string(70, '[') + std::string(70, ']'), value), "");
}
