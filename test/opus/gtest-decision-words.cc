/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-bench.h"

#include "ns3/decision-words.h"
#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** @return the sentence of a note, of a controller without phases */
std::string
Words(ControllerNote::Kind kind, const std::string& words = "")
{
    OpusControllerBench bench(3, 1, 2);
    ControllerNote note;
    note.kind = kind;
    note.phase = OpusControllerBench::Operation(2, 7);
    note.rail = RailId(0);
    note.plan = 5;
    note.dark = ToTime(15'000'000'000);
    note.exposed = ToTime(500'000'000);
    note.words = words;
    return ToWords(note, bench.Core());
}

const std::string PHASE = ToWords(OpusControllerBench::Operation(2, 7));

} // namespace

TEST(DecisionWords, ASentenceNamesThePhase)
{
    EXPECT_EQ(Words(ControllerNote::Kind::GRANTED), "granted " + PHASE);
    EXPECT_EQ(Words(ControllerNote::Kind::VOTES_COMPLETE), "request complete for " + PHASE);
    EXPECT_EQ(Words(ControllerNote::Kind::OVER), "released " + PHASE + " by all its ranks");
}

TEST(DecisionWords, ASentenceHasTheReason)
{
    EXPECT_EQ(Words(ControllerNote::Kind::REFUSED, "too late"), "refused " + PHASE + ": too late");
    EXPECT_EQ(Words(ControllerNote::Kind::RECALLED, "too long"),
              "recalled " + PHASE + ": too long");
    EXPECT_EQ(Words(ControllerNote::Kind::CONFLICT, "a port"), PHASE + " waits: a port");
}

TEST(DecisionWords, TimesHaveUnits)
{
    EXPECT_EQ(Words(ControllerNote::Kind::RECONFIGURED),
              "all circuits of " + PHASE + " are up after 15 ms, 0.5 ms of it exposed");
}

TEST(DecisionWords, APlanHasItsRail)
{
    EXPECT_EQ(Words(ControllerNote::Kind::PROGRAMMED),
              "circuits programmed: plan 5 of rail 0 is done");
}

TEST(DecisionWords, ATermBegins)
{
    EXPECT_EQ(Words(ControllerNote::Kind::TAKEOVER, "3"), "term 3 begins");
}
