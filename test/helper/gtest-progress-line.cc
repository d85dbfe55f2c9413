/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The text of a line of progress. Its times and places are tested by test/scripts/script-progress.py.

#include "ns3/progress-line.h"

#include <array>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

std::string
Format(const ProgressLine::Facts& facts)
{
    std::array<char, 128> line{};
    ProgressLine::Format(facts, line.data(), line.size());
    return line.data();
}

} // namespace

TEST(ProgressLine, PrintsWhatIsKnownAndNoMore)
{
    ProgressLine::Facts facts;
    facts.program = "incast";
    facts.seconds = 12;
    EXPECT_EQ(Format(facts), "incast: 12 s");
    facts.what = "3 of 14 runs";
    EXPECT_EQ(Format(facts), "incast: 12 s: 3 of 14 runs");
    facts.secondsLeft = 18; // without a share it is a guess
    EXPECT_EQ(Format(facts), "incast: 12 s: 3 of 14 runs");
    facts.percent = 40;
    EXPECT_EQ(Format(facts), "incast: 12 s, 40 %, about 18 s left: 3 of 14 runs");
    facts.picoseconds = 1'234'567'890;
    EXPECT_EQ(Format(facts),
              "incast: 12 s, 40 %, about 18 s left: 3 of 14 runs; simulated 1.234 ms");
}

TEST(ProgressLine, SimulatedTimesArePrintedInSecondsBeyondAThousandMilliseconds)
{
    ProgressLine::Facts facts;
    facts.picoseconds = 0;
    EXPECT_EQ(Format(facts), ": 0 s; simulated 0.000 ms");
    facts.picoseconds = 999'999'999'999;
    EXPECT_EQ(Format(facts), ": 0 s; simulated 999.999 ms");
    facts.picoseconds = 1'000'000'000'000;
    EXPECT_EQ(Format(facts), ": 0 s; simulated 1.000 s");
    facts.picoseconds = 86'400'012'000'000'000;
    EXPECT_EQ(Format(facts), ": 0 s; simulated 86400.012 s");
}

TEST(ProgressLine, WhatDoesNotFitIsCutOff)
{
    const std::string what(200, 'x');
    ProgressLine::Facts facts;
    facts.program = "incast";
    facts.what = what.c_str();
    facts.picoseconds = 1;
    EXPECT_EQ(Format(facts).size(), 127U);
    EXPECT_EQ(Format(facts).rfind("incast: 0 s: xxx", 0), 0U);
}
