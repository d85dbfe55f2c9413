/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The faults of a cluster's year: from a trace, at random, and what they do to its servers.

#include "ns3/fault-trace-reader.h"
#include "ns3/fleet-draws.h"
#include "ns3/fleet-faults.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr FaultKind SERVER_LOST = FaultKind::SERVER_LOSS;

/** @return the settings of a fleet */
FaultTraceSettings
SettingsOf(uint32_t servers)
{
    FaultTraceSettings settings;
    settings.servers = servers;
    settings.day = GetFleetDay();
    settings.others = SERVER_LOST;
    return settings;
}

/** @return a line of a trace */
std::string
EventOf(const std::string& node, const std::string& day, bool starts, const std::string& name)
{
    return R"({"node_id": ")" + node + R"(", "event_time": )" + day + R"(, "event_type": "fault_)" +
           (starts ? "start" : "end") +
           R"(", "fault_type": {"Level": "Hardware Failure", "Class": ")" + name +
           R"(", "Desc": "d"}})";
}

TEST(FleetFaults, OfATraceAreToTheMillisecondOfAYear)
{
    std::istringstream in("[" + EventOf("a", "1.5", true, "GPU") + "," +
                          EventOf("b", "2.0001", true, "Unknown Error") + "," +
                          EventOf("a", "200.25", false, "GPU") + "]");
    FaultTrace trace;
    ASSERT_FALSE(ReadFaultTrace(in, "a trace", SettingsOf(4), trace));
    const FleetFaults faults = FleetFaults::Of(trace.schedule, 4, 0);
    ASSERT_EQ(faults.GetFaults().size(), 2);
    const FleetFault& first = faults.GetFaults()[0];
    EXPECT_TRUE(first.begin == FLEET_DAY * 3 / 2);
    EXPECT_TRUE(first.end == FLEET_DAY * 801 / 4) << "a Time holds 106 days";
    EXPECT_EQ(first.server, 0);
    EXPECT_EQ(first.kind, FaultKind::GPU_FAILURE);
    const FleetFault& second = faults.GetFaults()[1];
    EXPECT_TRUE(second.begin == FLEET_DAY * 20001 / 10000);
    EXPECT_TRUE(second.end == FLEET_NEVER) << "open at the end";
    EXPECT_EQ(second.kind, SERVER_LOST) << "of no component that is named";
}

TEST(FleetFaults, AreSpreadOverTheClusterAndStayWithTheirServers)
{
    FaultSchedule schedule;
    for (uint32_t server = 0; server < 50; ++server)
    {
        for (uint32_t number = 0; number < 2; ++number)
        {
            Fault fault;
            fault.kind = SERVER_LOST;
            fault.server = server;
            fault.at = Seconds(1 + server);
            fault.duration = Seconds(1 + number);
            schedule.Add(fault);
        }
    }
    const FleetFaults spread = FleetFaults::Of(schedule, 100, 7);
    std::set<uint32_t> servers;
    for (std::size_t f = 0; f < 100; f += 2)
    {
        EXPECT_EQ(spread.GetFaults()[f].server, spread.GetFaults()[f + 1].server);
        servers.insert(spread.GetFaults()[f].server);
    }
    EXPECT_EQ(servers.size(), 50) << "none has those of two";
    EXPECT_GT(*servers.rbegin(), 80) << "servers without faults are everywhere";
    EXPECT_NE(FleetFaults::Of(schedule, 100, 8).GetFaults()[0].server,
              spread.GetFaults()[0].server);
}

TEST(FleetFaults, AreSummarizedOverTime)
{
    // of 10 days one server is out for 4, another for 2 of the same, and again a server from 8 on
    const FleetFaults faults({{FLEET_DAY, 5 * FLEET_DAY, 0, SERVER_LOST},
                              {2 * FLEET_DAY, 3 * FLEET_DAY, 0, SERVER_LOST},
                              {3 * FLEET_DAY, 5 * FLEET_DAY, 1, SERVER_LOST},
                              {8 * FLEET_DAY, FLEET_NEVER, 2, SERVER_LOST},
                              {12 * FLEET_DAY, FLEET_NEVER, 3, SERVER_LOST}},
                             4);
    const FleetFaultSummary summary = faults.Summarize(10 * FLEET_DAY);
    EXPECT_EQ(summary.faults, 4) << "the last begins later";
    EXPECT_EQ(summary.servers, 3);
    EXPECT_DOUBLE_EQ(summary.repairDays, (4 + 1 + 2) / 3.0);
    EXPECT_DOUBLE_EQ(summary.meanOut, (4 + 2 + 2) / 10.0);
    EXPECT_DOUBLE_EQ(summary.littleOut, 4 / 10.0 * 7 / 3.0);
    EXPECT_EQ(summary.mostOut, 2);
    ASSERT_EQ(summary.shareWithin.size(), 3);
    EXPECT_DOUBLE_EQ(summary.shareWithin[0], 0.4);
    EXPECT_DOUBLE_EQ(summary.shareWithin[1], 0.8);
    EXPECT_DOUBLE_EQ(summary.shareWithin[2], 1);
}

TEST(FleetDraws, HaveTheRatesOfTheirTotals)
{
    const FleetRates rates;
    double faults = 0;
    double repair = 0;
    double out = 0;
    constexpr int YEARS = 40;
    for (uint64_t seed = 1; seed <= YEARS; ++seed)
    {
        const FleetFaultSummary one =
            FleetFaults::Of(DrawFleetFaults(rates, 400, 8, 349, seed), 400, 0)
                .Summarize(349 * FLEET_DAY);
        faults += one.faults;
        repair += one.repairDays * one.faults;
        out += one.meanOut;
    }
    // a Poisson number of 584 a year; a repair has a deviation of 2.9 times its mean
    EXPECT_NEAR(faults / YEARS, 584, 4 * std::sqrt(584.0 / YEARS) + 4) << "less a year's begin";
    EXPECT_NEAR(repair / faults, 5.54, 4 * 2.9 * 5.54 / std::sqrt(584.0 * YEARS));
    EXPECT_NEAR(out / YEARS, 584 / 349.0 * 5.54, 1) << "Little's law";
}

TEST(FleetDraws, KindsAreInTheirProportions)
{
    const FaultSchedule year = DrawFleetFaults(FleetRates(), 4000, 8, 349, 3);
    std::map<FaultKind, double> kinds;
    for (const Fault& fault : year.GetFaults())
    {
        ++kinds[fault.kind];
    }
    const double all = year.GetFaults().size();
    EXPECT_NEAR(kinds[FaultKind::GPU_FAILURE] / all, 158 / 584.0, 0.03);
    EXPECT_NEAR(kinds[FaultKind::NIC_PORT_DOWN] / all, 30 / 584.0, 0.02);
    EXPECT_NEAR(kinds[FaultKind::FIBER_CUT] / all, 40 / 584.0, 0.02);
}

TEST(FleetFaults, OfThePublicTraceAreAsPublished)
{
    const char* file = std::getenv("PHOTONIC_RAILS_FAULT_TRACE");
    if (file == nullptr)
    {
        GTEST_SKIP() << "set PHOTONIC_RAILS_FAULT_TRACE to fault_trace.json of "
                        "stepfun-ai/InfiniteHBD-Trace";
    }
    FaultTrace trace;
    ASSERT_FALSE(ReadFaultTraceFile(file, SettingsOf(400), trace));
    EXPECT_EQ(trace.starts, 584);
    EXPECT_EQ(trace.withoutDuration, 14) << "they end when they start";
    const FleetFaultSummary summary =
        FleetFaults::Of(trace.schedule, 400, 1).Summarize(349 * FLEET_DAY);
    EXPECT_EQ(summary.faults, 570);
    EXPECT_EQ(summary.mostOut, 35);
    EXPECT_NEAR(summary.littleOut, 584 / 349.0 * 5.535, 0.01)
        << "faults without duration change nothing";
    EXPECT_NEAR(summary.meanOut, summary.littleOut, 0.05) << "few faults overlap on a server";
}

} // namespace
