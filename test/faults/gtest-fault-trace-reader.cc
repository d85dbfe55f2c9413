/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults of a production cluster: nodes, classes, and what does not fit together in a trace.

#include "ns3/fault-trace-reader.h"
#include "ns3/picosecond-resolution.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

FaultTrace
ReadCorpus(const FaultTraceSettings& settings)
{
    FaultTrace trace;
    const TraceResult error = ReadFaultTraceFile(std::string(PHOTONIC_RAILS_SOURCE_DIR) +
                                                     "/test/corpus/faults/trace.json",
                                                 settings,
                                                 trace);
    EXPECT_FALSE(error) << error->ToString();
    return trace;
}

/** @return an event @param days of a number @param isStart whether a fault starts */
std::string
Event(const std::string& node, const std::string& days, bool isStart)
{
    return "{\"node_id\": \"" + node + "\", \"event_time\": " + days + ", \"event_type\": \"" +
           (isStart ? "fault_start" : "fault_end") +
           "\", \"fault_type\": {\"Level\": \"l\", \"Class\": \"CPU\", \"Desc\": \"d\"}}";
}

} // namespace

TEST(FaultTraceReader, NumbersNodesByTheirAppearance)
{
    UsePicoseconds();
    FaultTraceSettings settings;
    settings.gpus = 2;
    const FaultTrace trace = ReadCorpus(settings);
    EXPECT_EQ(trace.nodes, (std::vector<std::string>{"b", "a", "c", "d"}));
    EXPECT_EQ(trace.starts, 5U);
    EXPECT_EQ(trace.ends, 5U);
    EXPECT_EQ(trace.overlaps, 1U);         // the NIC of b, while its GPU has a fault
    EXPECT_EQ(trace.endsWithoutStart, 1U); // the fan of c
    EXPECT_EQ(trace.openAtTheEnd, 1U);     // the NIC of b
    EXPECT_EQ(trace.withoutDuration, 1U);  // the fan of d
    EXPECT_EQ(trace.others, (std::map<std::string, uint64_t>{{"Unknown Error", 1}}));

    const std::vector<Fault>& faults = trace.schedule.GetFaults();
    ASSERT_EQ(faults.size(), 3U);
    EXPECT_EQ(faults[0].kind, FaultKind::FIBER_CUT);
    EXPECT_EQ(faults[0].server, 1U);
    EXPECT_EQ(faults[0].at, Hours(12));
    EXPECT_EQ(faults[0].duration, Hours(36));
    EXPECT_EQ(faults[1].kind, FaultKind::GPU_FAILURE);
    EXPECT_EQ(faults[1].server, 0U);
    EXPECT_EQ(faults[1].gpu, 0U); // the first fault of the node
    EXPECT_EQ(faults[1].duration, Hours(18));
    EXPECT_EQ(faults[2].kind, FaultKind::NIC_PORT_DOWN);
    EXPECT_EQ(faults[2].gpu, 1U); // the second one
    EXPECT_EQ(faults[2].at, Hours(18));
    EXPECT_FALSE(faults[2].duration);
}

TEST(FaultTraceReader, SelectsDaysServersAndClasses)
{
    UsePicoseconds();
    FaultTraceSettings settings;
    settings.fromDay = "0.5";
    settings.toDay = "0.75";
    settings.day = Seconds(2);
    settings.servers = 1;
    const FaultTrace trace = ReadCorpus(settings);
    ASSERT_EQ(trace.schedule.GetFaults().size(), 1U); // of node b
    EXPECT_EQ(trace.schedule.GetFaults()[0].at, Time(0));
    EXPECT_EQ(trace.schedule.GetFaults()[0].duration, MilliSeconds(1500)); // 0.75 days
    EXPECT_EQ(trace.ofOtherServers, 1U);
    EXPECT_EQ(trace.ofOtherDays, 2U); // the NIC, and the fan of d

    FaultTraceSettings all;
    all.others = FaultKind::SERVER_LOSS;
    EXPECT_EQ(ReadCorpus(all).schedule.GetFaults().size(), 4U);
}

TEST(FaultTraceReader, TimesAreExact)
{
    UsePicoseconds();
    // 1e-9 days are 86,400,000 ps
    std::istringstream in("[" + Event("x", "0.000000001", true) + "," +
                          Event("x", "105.999999999", false) + "]");
    FaultTrace trace;
    const TraceResult error = ReadFaultTrace(in, "t.json", FaultTraceSettings(), trace);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(trace.schedule.GetFaults().size(), 1U);
    const Fault& fault = trace.schedule.GetFaults()[0];
    EXPECT_EQ(fault.at, PicoSeconds(86'400'000));
    EXPECT_EQ(fault.GetEnd(), Time(int64_t{106} * 86'400'000'000'000'000 - 86'400'000));
}

TEST(FaultTraceReader, NamesThePlaceOfAMistakeAndLoadsNothing)
{
    UsePicoseconds();
    const std::string good = Event("x", "1", true);
    const std::vector<std::pair<std::string, std::string>> files{
        {"{}", "t.json:1: expected an array of events, found an object"},
        {"[\n7]", "t.json:2: expected an event, { ... }, found the number"},
        {"[" + good + ",\n" + Event("x", "0.5", false) + "]",
         "t.json:2: expected an event_time that is not before that of the last event"},
        {"[" + Event("x", "-1", true) + "]", "t.json:1: expected days, without a sign"},
        {"[" + Event("x", "1e3", true) + "]", "t.json:1: expected days, without a sign"},
        {"[" + Event("x", "107", true) + "]", "t.json:1: expected faults within the 106 days"},
        {"[{\"node_id\": \"x\"}]", "t.json:1: expected \"event_time\" with a number of days"},
        {"[" + good, "t.json:1: expected a comma or ]"},
    };
    for (const auto& [text, start] : files)
    {
        FaultTrace trace;
        trace.starts = 7;
        std::istringstream in(text);
        const TraceResult error = ReadFaultTrace(in, "t.json", FaultTraceSettings(), trace);
        ASSERT_TRUE(error) << text;
        EXPECT_EQ(error->ToString().substr(0, start.size()), start) << text;
        EXPECT_EQ(trace.starts, 7U);
    }
}

TEST(FaultTraceReader, ReadsThePublishedTrace)
{
    UsePicoseconds();
    const std::string file =
        std::string(PHOTONIC_RAILS_SOURCE_DIR) + "/../shared/data/faults/fault_trace.json";
    if (!std::ifstream(file))
    {
        GTEST_SKIP() << file << " is not there";
    }
    FaultTraceSettings settings;
    settings.day = Seconds(1);
    FaultTrace trace;
    const TraceResult error = ReadFaultTraceFile(file, settings, trace);
    ASSERT_FALSE(error) << error->ToString();
    // as its README states: 1,168 events on 231 servers
    EXPECT_EQ(trace.starts + trace.ends, 1168U);
    EXPECT_EQ(trace.nodes.size(), 231U);
    EXPECT_EQ(trace.openAtTheEnd, 0U);
    EXPECT_EQ(trace.endsWithoutStart, 0U);
    uint64_t others = 0;
    for (const auto& [name, count] : trace.others)
    {
        others += count;
    }
    EXPECT_EQ(trace.schedule.GetFaults().size() + others + trace.withoutDuration, trace.starts);
}
