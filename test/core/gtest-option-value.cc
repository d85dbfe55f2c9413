/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Option values to the letter: no character is left over, cut off, rounded, or taken for another
// unit.

#include "ns3/option-value.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/scenario-options.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

TEST(OptionValues, CountsAndSizesAreWholeAndHaveUnitsOf1024)
{
    const std::map<std::string, uint64_t> right{{"0", 0},
                                                {"8", 8},
                                                {"0008", 8},
                                                {"8.0", 8},
                                                {"8k", 8 << 10},
                                                {"8K", 8 << 10},
                                                {"64Ki", 64 << 10},
                                                {"64KiB", 64 << 10},
                                                {"4096B", 4096},
                                                {"1M", 1 << 20},
                                                {"1.5G", 3ULL << 29},
                                                {"0.5k", 512},
                                                {"16T", 16ULL << 40},
                                                {"18446744073709551615", UINT64_MAX}};
    for (const auto& [words, value] : right)
    {
        const auto read = ParseCount(words);
        EXPECT_EQ(read.why, "") << words;
        EXPECT_EQ(read.value, value) << words;
    }
    for (const std::string words : {"",          " ",
                                    "-1",        "+1",
                                    "8.9",       "2,000",
                                    "1e3",       "0x10",
                                    "1 M",       "1M ",
                                    " 1",        "1Mb",
                                    "1MB",       "1kB",
                                    "1m",        "M",
                                    ".",         "1.",
                                    "1.0001k",   "1KK",
                                    "1Mi B",     "1MiBB",
                                    "1/2",       "nan",
                                    "inf",       "1iB",
                                    "1i",        "eight",
                                    "8 9",       "1..5k",
                                    "1_000",     "1'000",
                                    "1B k",      "--1",
                                    "1MiX",      "18446744073709551616",
                                    "16777216T", "340282366920938463463374607431768211456"})
    {
        EXPECT_NE(ParseCount(words).why, "") << "\"" << words << "\"";
    }
    EXPECT_NE(ParseCount(std::string("1\0", 2)).why, "") << "a byte that is no character";
    EXPECT_EQ(ParseCount("1001", 1000).why, "give 1000 or less");
    EXPECT_NE(ParseCount("1MB").why.find("power of 1000 or of 1024"), std::string::npos);
}

TEST(OptionValues, WholeNumbersMayBeNegative)
{
    EXPECT_EQ(ParseWhole("-1").value, -1);
    EXPECT_EQ(ParseWhole("-8k").value, -8192);
    EXPECT_EQ(ParseWhole("9223372036854775807").value, INT64_MAX);
    for (const std::string words : {"-", "--1", "1.5", "9223372036854775808", "", "- 1"})
    {
        EXPECT_NE(ParseWhole(words).why, "") << words;
    }
}

TEST(OptionValues, TimesAreWholePicosecondsWithAUnit)
{
    UsePicoseconds();
    const std::map<std::string, int64_t> right{{"0", 0},
                                               {"0s", 0},
                                               {"0ps", 0},
                                               {"1ps", 1},
                                               {"25ms", 25'000'000'000},
                                               {"1.5us", 1'500'000},
                                               {"0.001ns", 1},
                                               {"1e-12s", 1},
                                               {"2.5e3ps", 2500},
                                               {"2min", 120'000'000'000'000},
                                               {"1h", 3'600'000'000'000'000},
                                               {"1d", 86'400'000'000'000'000},
                                               {"1000000s", 1'000'000'000'000'000'000}};
    for (const auto& [words, picoseconds] : right)
    {
        const auto read = ParseTime(words);
        EXPECT_EQ(read.why, "") << words;
        EXPECT_EQ(read.value.ToInteger(Time::PS), picoseconds) << words;
    }
    for (const std::string words : {"",         "1",
                                    "25",       "-1s",
                                    "+1s",      "1 ms",
                                    "1ms ",     "ms",
                                    "1e300s",   "1m",
                                    "1S",       "1.5ps",
                                    "1fs",      "1e-13s",
                                    "1000001s", "10000000s",
                                    "1e6000ps", "nans",
                                    "infs",     "1,5ms",
                                    "1ms2",     "1msms",
                                    "0x1s",     "1.s",
                                    "1e s",     "99999999999999d"})
    {
        EXPECT_NE(ParseTime(words).why, "") << "\"" << words << "\"";
    }
    EXPECT_EQ(ParseTime("25").why, "give a time with its unit, such as 25ms or 25us");
    EXPECT_EQ(ParseTime("-1s").why, "give a time of 0 or more");
}

TEST(OptionValues, RatesAreWholeBitsWithAUnit)
{
    const std::map<std::string, uint64_t> right{{"400Gbps", 400'000'000'000},
                                                {"400Gb/s", 400'000'000'000},
                                                {"1.6Tbps", 1'600'000'000'000},
                                                {"50GB/s", 400'000'000'000},
                                                {"50GBps", 400'000'000'000},
                                                {"1000kbps", 1'000'000},
                                                {"1000Kbps", 1'000'000},
                                                {"1000000bps", 1'000'000},
                                                {"1Mbps", 1'000'000},
                                                {"1000Tbps", 1'000'000'000'000'000}};
    for (const auto& [words, rate] : right)
    {
        const auto read = ParseRate(words);
        EXPECT_EQ(read.why, "") << words;
        EXPECT_EQ(read.value.GetBitRate(), rate) << words;
    }
    for (const std::string words : {"",
                                    "0",
                                    "0bps",
                                    "1bps",
                                    "999999bps",
                                    "400",
                                    "400G",
                                    "400gbps",
                                    "400Gbs",
                                    "-1Gbps",
                                    "1 Gbps",
                                    "1Gbps ",
                                    "Gbps",
                                    "nanbps",
                                    "1001Tbps",
                                    "1e30Gbps",
                                    "400Gib/s",
                                    "1Gbps2",
                                    "1000000.5bps"})
    {
        EXPECT_NE(ParseRate(words).why, "") << "\"" << words << "\"";
    }
}

TEST(OptionValues, RealNumbersAreFinite)
{
    EXPECT_EQ(ParseReal("0.2795").value, 0.2795);
    EXPECT_EQ(ParseReal("-1e-3").value, -1e-3);
    EXPECT_EQ(ParseReal("0").value, 0);
    for (const std::string words : {"",
                                    "nan",
                                    "inf",
                                    "1e999",
                                    "1e-999",
                                    "0x1p3",
                                    "1,5",
                                    "0.5 ",
                                    " 0.5",
                                    "1.5.2",
                                    "one",
                                    "1f"})
    {
        EXPECT_NE(ParseReal(words).why, "") << "\"" << words << "\"";
    }
}

TEST(OptionValues, ListsHaveNoBlanksNoHolesAndNothingTwice)
{
    EXPECT_EQ(ParseList("1ms,10ms").value, (std::vector<std::string>{"1ms", "10ms"}));
    EXPECT_EQ(ParseList("one").value, std::vector<std::string>{"one"});
    for (const std::string words : {"", ",", "a,", ",a", "a,,b", "a, b", " a", "a\tb", "a,b,a"})
    {
        EXPECT_NE(ParseList(words).why, "") << "\"" << words << "\"";
    }
    EXPECT_EQ(ParseList("a,b,a").why, "a is in the list twice");
}

TEST(OptionValues, ACommaInBracketsBelongsToItsPart)
{
    const std::map<std::string, std::vector<std::string>> right{
        {"a[b=1,c=2],d", {"a[b=1,c=2]", "d"}},
        {"d,a[b=1,c=2]", {"d", "a[b=1,c=2]"}},
        {"a[b=c[d=1,e=2],f=3],g[h=4,]", {"a[b=c[d=1,e=2],f=3]", "g[h=4,]"}},
        {"a[],a[,]", {"a[]", "a[,]"}}};
    for (const auto& [words, parts] : right)
    {
        EXPECT_EQ(ParseList(words).why, "") << words;
        EXPECT_EQ(ParseList(words).value, parts) << words;
    }
    EXPECT_EQ(ParseList("a[b,c],a[b,c]").why, "a[b,c] is in the list twice");
    for (const std::string words : {"a[b=1,c", "a[b[c],d", "a]", "a],[b", "a[b]],c"})
    {
        EXPECT_NE(ParseList(words).why.find("bracket"), std::string::npos) << words;
        EXPECT_TRUE(ParseList(words).value.empty()) << words;
    }
}

TEST(OptionValues, WhatIsShownCanBeTyped)
{
    UsePicoseconds();
    for (const std::string words : {"25ms", "1500ns", "0s", "2s", "1ps", "90s"})
    {
        EXPECT_EQ(ToOption(ParseTime(words).value), words);
    }
    for (const std::string words : {"400Gbps", "1600Gbps", "1500Mbps", "1Tbps"})
    {
        EXPECT_EQ(ToOption(ParseRate(words).value), words);
    }
}

namespace
{

/** Options of all types. */
struct Some
{
    uint32_t ranks{8};
    int32_t program{-1};
    double share{0.5};
    bool quick{false};
    std::string policy{"demand"};
    Time delay{0};
    DataRate rate{"400Gbps"};
    std::vector<Time> times;
    std::vector<std::string> policies{"demand"};
    ScenarioOptions options{"program"};

    Some()
    {
        const std::vector<std::string> known{"demand", "on-demand", "electrical"};
        options.Add("ranks", "GPUs", ranks).Between(2, 512);
        options.Add("program", "A rank", program).AtLeast(-1);
        options.Add("share", "Of all", share).Between(0, 1);
        options.Add("quick", "Less", quick);
        options.Add("policy", "Whose circuits", policy).OneOf(known, "policy");
        options.Add("delay", "How long", delay);
        options.Add("rate", "Of a port", rate);
        options.Add("times", "Several", times);
        options.Add("policies", "Several", policies).OneOf(known, "policy");
    }

    /** @return the error; empty: none */
    std::string Parse(const std::vector<std::string>& args)
    {
        try
        {
            options.Parse(args);
        }
        catch (const OptionMistake& mistake)
        {
            return mistake.what();
        }
        return "";
    }
};

} // namespace

TEST(ScenarioOptions, TakesWhatIsRight)
{
    Some some;
    EXPECT_EQ(some.Parse({"--ranks=16",
                          "--program=3",
                          "--share=0.25",
                          "--quick",
                          "--policy=OnDemand",
                          "--delay=25ms",
                          "--rate=1.6Tbps",
                          "--times=1ms,2ms",
                          "--policies=electrical,on_demand"}),
              "");
    EXPECT_EQ(some.ranks, 16U);
    EXPECT_EQ(some.program, 3);
    EXPECT_EQ(some.share, 0.25);
    EXPECT_TRUE(some.quick);
    EXPECT_EQ(some.policy, "on-demand");
    EXPECT_EQ(some.delay, MilliSeconds(25));
    EXPECT_EQ(some.rate, DataRate(1'600'000'000'000));
    EXPECT_EQ(some.times, (std::vector<Time>{MilliSeconds(1), MilliSeconds(2)}));
    EXPECT_EQ(some.policies, (std::vector<std::string>{"electrical", "on-demand"}));
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    some.options.Write(json);
    json.EndObject();
    EXPECT_NE(text.str().find("\"ranks\": 16"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("\"delay\": \"25ms\""), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("\"quick\": true"), std::string::npos) << text.str();
}

TEST(ScenarioOptions, RefusesWhatIsWrongInOneLine)
{
    const std::map<std::string, std::string> mistakes{
        {"--ranks=1", "--ranks=1: give 2 to 512"},
        {"--ranks=8.9", "--ranks=8.9: give a whole number"},
        {"--ranks=5000000000", "--ranks=5000000000: give 4294967295 or less"},
        {"--ranks", "--ranks: give a value, as --ranks=8"},
        {"--ranks=",
         "--ranks=: give a whole number of 0 or more, such as 8, 64k or 1M (powers of "
         "1024)"},
        {"--program=-2", "--program=-2: give -1 or more"},
        {"--program=3000000000", "--program=3000000000: it is beyond what fits"},
        {"--share=1.5", "--share=1.5: give 0 to 1"},
        {"--quick=maybe", "--quick=maybe: give true or false"},
        {"--policy=foo", "--policy=foo: no such policy; known: demand, on-demand, electrical"},
        {"--policy=electric",
         "--policy=electric: no such policy; known: demand, on-demand, "
         "electrical; did you mean electrical?"},
        {"--times=1ms,2", "--times=1ms,2: 2: give a time with its unit, such as 2ms or 2us"},
        {"--policies=demand,demand", "--policies=demand,demand: demand is in the list twice"},
        {"ranks=3", "ranks=3: options begin with two dashes; did you mean --ranks=3?"},
        {"hello", "hello: options begin with two dashes; --help lists them"},
        {"", "an empty argument: options begin with two dashes; --help lists them"},
        {"--rank=3", "--rank: no such option; did you mean --ranks? --help lists them"},
        {"--ns3::Nothing::At=1",
         "--ns3::Nothing::At=1: no such attribute, or no value of it "
         "(--PrintAttributes=ns3::Nothing)"},
    };
    for (const auto& [argument, line] : mistakes)
    {
        EXPECT_EQ(Some().Parse({argument}), line);
    }
    EXPECT_EQ(Some().Parse({"--ranks=4", "--ranks=4"}), "--ranks=4: it is given twice");
    EXPECT_EQ(Some().Parse({"--RngRun=4", "--RngRun=4"}), "--RngRun: it is given twice");
}

TEST(ScenarioOptions, WhatComesFirstAddsNamesWhereverItStands)
{
    std::vector<std::string> known{"ring"};
    for (const bool isBefore : {false, true})
    {
        known = {"ring"};
        std::string file;
        std::string algorithm = "ring";
        ScenarioOptions options("program");
        options.Add("algorithm", "How", algorithm)
            .OneOfListed([&known] { return known; }, "algorithm");
        options.Add("load", "What adds names", file).First([&] {
            known.push_back(file);
            return file == "bad" ? "this adds nothing" : "";
        });
        const std::vector<std::string> args{"--load=star", "--algorithm=Star"};
        options.Parse(isBefore ? args : std::vector<std::string>(args.rbegin(), args.rend()));
        EXPECT_EQ(algorithm, "star");
        EXPECT_THROW(options.Parse({"--load=star"}), OptionMistake) << "given twice";
    }
}

TEST(ScenarioOptions, ADerivedValueIsTakenOver)
{
    uint32_t degree = 4;
    std::vector<std::string> names{"one"};
    ScenarioOptions options("program");
    options.Add("degree", "A number", degree);
    options.Add("names", "Some", names);
    options.Parse({});
    degree = 8;
    names = {"two", "three"};
    options.Refresh("degree");
    options.Refresh("names");
    std::ostringstream os;
    JsonWriter json(os);
    json.BeginObject();
    options.Write(json);
    json.EndObject();
    EXPECT_EQ(os.str(), "{\n  \"degree\": 8,\n  \"names\": \"two,three\"\n}\n");
}

TEST(ScenarioOptions, FilesAreLookedAtFirst)
{
    std::string one;
    std::string two;
    std::string three;
    ScenarioOptions options("program");
    options.Add("one", "A file", one).Writes();
    options.Add("two", "A file", two).Writes();
    options.Add("three", "A file", three).Reads();
    const auto refused = [&options](const std::string& argument) -> std::string {
        try
        {
            options.Parse({argument});
        }
        catch (const OptionMistake& mistake)
        {
            return mistake.what();
        }
        return "";
    };
    EXPECT_EQ(refused("--one=/nowhere/at/all"),
              "--one=/nowhere/at/all: there is no folder /nowhere/at");
    EXPECT_EQ(refused("--one=/tmp"), "--one=/tmp: this is a folder; give the name of a file");
    EXPECT_EQ(refused("--three=/nowhere"),
              "--three=/nowhere: cannot read it: No such file or directory");
    EXPECT_EQ(refused("--one=/tmp/x.json"), "");
    EXPECT_EQ(refused("--two=/tmp/../tmp/x.json"),
              "--two=/tmp/../tmp/x.json: it is also the file of --one");
}
