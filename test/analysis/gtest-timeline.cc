/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/timeline.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

using namespace ns3;

/** A timeline in a file that is gone when the test is over. */
class TimelineFile : public testing::Test
{
  protected:
    TimelineFile()
        : name(GetTemporaryPath("timeline.json"))
    {
    }

    ~TimelineFile() override
    {
        std::filesystem::remove(name);
    }

    static std::string ReadFile(const std::string& path)
    {
        std::ifstream file(path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    std::string Read() const
    {
        return ReadFile(name);
    }

    /** @return the content of the file while it is written */
    std::string ReadPart() const
    {
        return ReadFile(name + ".part");
    }

    /** @return the file with these events in it, and no others */
    static std::string Holding(const std::string& events)
    {
        return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" + events + "\n]}\n";
    }

    /** @return the events that make a process with one track */
    static std::string OneTrack()
    {
        return R"(
{"ph":"M","pid":1,"name":"process_name","args":{"name":"rank 0"}},
{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":1}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"stream 0"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}})";
    }

    static TimelineTrack AddOneTrack(Timeline& timeline)
    {
        return timeline.AddTrack(timeline.AddProcess("rank 0"), "stream 0");
    }

    std::string name;
};

using TimelineFileDeathTest = TimelineFile;

TEST(Microseconds, NoDigitIsLost)
{
    EXPECT_EQ(ToMicroseconds(ToTime(0)), "0");
    EXPECT_EQ(ToMicroseconds(ToTime(1)), "0.000001");
    EXPECT_EQ(ToMicroseconds(ToTime(1'000'000)), "1");
    EXPECT_EQ(ToMicroseconds(ToTime(1'500'000)), "1.5");
    EXPECT_EQ(ToMicroseconds(ToTime(10'000'001)), "10.000001");
    EXPECT_EQ(ToMicroseconds(ToTime(100'000'000)), "100");
    EXPECT_EQ(ToMicroseconds(ToTime(-1'000'010)), "-1.00001");
    // more digits than a double has
    EXPECT_EQ(ToMicroseconds(ToTime(NEVER)), "9223372036854.775807");
    EXPECT_EQ(ToMicroseconds(ToTime(ALWAYS_BEFORE)), "-9223372036854.775808");
}

TEST_F(TimelineFile, IsValidWithoutAnyEvent)
{
    Timeline timeline(name);
    timeline.Finish();
    EXPECT_EQ(Read(), Holding(""));
}

TEST_F(TimelineFile, ASliceIsACompleteEvent)
{
    {
        Timeline timeline(name);
        const TimelineTrack track = AddOneTrack(timeline);
        timeline.Slice(track, "compute", ToTime(1), ToTime(3'000'002));
        timeline.Slice(track,
                       "all-reduce",
                       ToTime(3'000'002),
                       ToTime(3'000'002),
                       TimelineArguments().Add("bytes", uint64_t{1} << 63).Add("late", true));
    }
    EXPECT_EQ(Read(), Holding(OneTrack() + R"(,
{"ph":"X","pid":1,"tid":1,"ts":0.000001,"dur":3.000001,"name":"compute"},
{"ph":"X","pid":1,"tid":1,"ts":3.000002,"dur":0,"name":"all-reduce","args":{"bytes":9223372036854775808,"late":true}})"));
}

TEST_F(TimelineFile, InstantsAndCounters)
{
    {
        Timeline timeline(name);
        const TimelineTrack track = AddOneTrack(timeline);
        timeline.Instant(track, "plan", ToTime(7), TimelineArguments().Add("circuits", "+0-1"));
        timeline.Counter(TimelineProcess(1), "circuits", ToTime(8), -2);
    }
    EXPECT_EQ(Read(), Holding(OneTrack() + R"(,
{"ph":"i","pid":1,"tid":1,"ts":0.000007,"s":"t","name":"plan","args":{"circuits":"+0-1"}},
{"ph":"C","pid":1,"ts":0.000008,"name":"circuits","args":{"value":-2}})"));
}

TEST_F(TimelineFile, BothEndsOfAnArrowHaveOneIdOfItsOwn)
{
    {
        Timeline timeline(name);
        const TimelineTrack track = AddOneTrack(timeline);
        const TimelineTrack other = timeline.AddTrack(TimelineProcess(1), "stream 1", 9);
        timeline.Arrow("grant", track, ToTime(1'000'000), other, ToTime(2'000'000));
        timeline.Arrow("grant", other, ToTime(3'000'000), track, ToTime(3'000'000));
    }
    EXPECT_EQ(Read(), Holding(OneTrack() + R"(,
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"stream 1"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":9}},
{"ph":"s","pid":1,"tid":1,"ts":1,"id":1,"cat":"arrow","name":"grant"},
{"ph":"f","pid":1,"tid":2,"ts":2,"bp":"e","id":1,"cat":"arrow","name":"grant"},
{"ph":"s","pid":1,"tid":2,"ts":3,"id":2,"cat":"arrow","name":"grant"},
{"ph":"f","pid":1,"tid":1,"ts":3,"bp":"e","id":2,"cat":"arrow","name":"grant"})"));
}

TEST_F(TimelineFile, EscapesNamesKeysAndValues)
{
    {
        Timeline timeline(name);
        const TimelineTrack track = AddOneTrack(timeline);
        timeline.Instant(track, "a\"b\\\n", Time(0), TimelineArguments().Add("k\"", "v\x01"));
    }
    EXPECT_EQ(Read(), Holding(OneTrack() + R"(,
{"ph":"i","pid":1,"tid":1,"ts":0,"s":"t","name":"a\"b\\\u000a","args":{"k\"":"v\u0001"}})"));
}

TEST_F(TimelineFile, WhatIsRecordedAfterTheEndIsLeftOut)
{
    Timeline timeline(name);
    const TimelineTrack track = AddOneTrack(timeline);
    timeline.Finish();
    timeline.Slice(track, "late", Time(0), ToTime(1));
    timeline.Finish();
    EXPECT_EQ(Read(), Holding(OneTrack()));
}

// A process that is killed leaves what has been written so far, beside the file's place.
TEST_F(TimelineFile, IsValidAtAnyTimeAndKeepsLittleInMemory)
{
    constexpr std::size_t KEPT = 1 << 16;
    Timeline timeline(name);
    const TimelineTrack track = AddOneTrack(timeline);
    std::size_t recorded = OneTrack().size();
    std::string events = OneTrack();
    uint32_t read = 0;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        timeline.Slice(track, "slice", ToTime(i), ToTime(i + 1));
        const std::string event =
            ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" + ToMicroseconds(ToTime(i)) +
            ",\"dur\":0.000001,\"name\":\"slice\"}";
        events += event;
        recorded += event.size();
        if (i % 500 == 0)
        {
            const std::string text = ReadPart();
            EXPECT_LT(recorded - std::min(recorded, text.size()), KEPT);
            if (text.empty())
            {
                continue; // nothing was written yet
            }
            ++read;
            EXPECT_EQ(text.substr(text.size() - 4), "\n]}\n");
            // the text so far is the beginning of the whole
            const std::string whole = Holding(events);
            EXPECT_EQ(text.substr(0, text.size() - 4), whole.substr(0, text.size() - 4));
            EXPECT_TRUE(text.size() < 100 || text[text.size() - 5] == '}') << "whole events only";
        }
    }
    EXPECT_GT(read, 5U);
    timeline.Finish();
    EXPECT_EQ(Read(), Holding(events));
}

TEST_F(TimelineFileDeathTest, AFatalErrorLeavesAllThatWasRecorded)
{
    EXPECT_DEATH(
        {
            Timeline timeline(name);
            timeline.Slice(AddOneTrack(timeline), "last", Time(0), ToTime(1));
            NS_ABORT_MSG("something is wrong");
        },
        "something is wrong");
    EXPECT_EQ(Read(), Holding(OneTrack() + R"(,
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":0.000001,"name":"last"})"));
}

TEST_F(TimelineFileDeathTest, MistakesAreNamed)
{
    EXPECT_DEATH(Timeline("/no-such-folder/timeline.json"),
                 "cannot write /no-such-folder/timeline.json");
    EXPECT_DEATH(
        {
            Timeline timeline(name);
            timeline.Slice(AddOneTrack(timeline), "backwards", ToTime(2), ToTime(1));
        },
        "\"backwards\" ends at 1 ps, before it starts at 2 ps");
    EXPECT_DEATH(
        {
            Timeline timeline(name);
            const TimelineTrack track = AddOneTrack(timeline);
            timeline.Arrow("backwards", track, ToTime(2), track, ToTime(1));
        },
        "\"backwards\" ends at 1 ps, before it begins at 2 ps");
    EXPECT_DEATH(
        {
            Timeline timeline(name);
            timeline.Instant(TimelineTrack(), "nowhere", Time(0));
        },
        "there is no track 0; there are 0");
    EXPECT_DEATH(
        {
            Timeline timeline(name);
            timeline.AddTrack(TimelineProcess(1), "lost");
        },
        "track \"lost\" is to be of process 1, and there are 0");
}
