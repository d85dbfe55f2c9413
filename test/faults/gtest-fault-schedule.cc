/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults in an order without ties, what a cluster can't have, and files of them.

#include "ns3/fault-schedule-file.h"
#include "ns3/fault-schedule.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

FaultCluster
SmallCluster()
{
    FaultCluster cluster;
    cluster.rails = 2;
    cluster.servers = 4;
    cluster.gpus = 2;
    cluster.ports = 3;
    cluster.switchPorts = 12;
    cluster.hasController = true;
    cluster.hasStandby = true;
    return cluster;
}

/** @return a random fault that the cluster can have */
Fault
DrawFault(std::mt19937_64& random, const FaultCluster& cluster)
{
    const auto below = [&random](uint64_t limit) { return random() % limit; };
    Fault fault;
    fault.kind = GetFaultKinds()[below(GetFaultKinds().size())];
    const FaultUses& uses = UsesOf(fault.kind);
    fault.at = PicoSeconds(below(1'000'000'000'000'000'000));
    if (uses.bounded || below(2) == 0)
    {
        fault.duration = PicoSeconds(1000 + below(1'000'000'000'000'000'000));
    }
    fault.rail = RailId(uses.rail ? below(cluster.rails) : 0);
    fault.server = uses.server ? below(cluster.servers) : 0;
    fault.gpu = uses.gpu ? below(cluster.gpus) : 0;
    fault.port = uses.nic ? below(cluster.ports) : uses.port ? below(cluster.switchPorts) : 0;
    fault.other = uses.other ? (fault.port + 1) % cluster.switchPorts : 0;
    if (uses.ends)
    {
        fault.ends = {{ManagementEnd::Role::SERVER, static_cast<uint32_t>(below(2))},
                      {ManagementEnd::Role::SERVER, 3},
                      {ManagementEnd::Role::RAIL, 1}};
        if (below(2) == 0)
        {
            fault.ends.insert(fault.ends.begin(), {ManagementEnd::Role::CONTROLLER, 0});
        }
    }
    const auto share = [&] { return std::ldexp(static_cast<double>(random() >> 11), -53); };
    fault.position = uses.position ? share() : fault.position;
    fault.factor = uses.factor ? 1 + share() : fault.factor;
    fault.loss = uses.loss ? share() : fault.loss;
    fault.extra = uses.extra ? PicoSeconds(1 + below(1'000'000'000'000)) : fault.extra;
    fault.period = uses.flapping ? PicoSeconds(1000 + below(1'000'000'000)) : fault.period;
    fault.duty = uses.flapping ? 0.001 + 0.99 * share() : fault.duty;
    return fault;
}

} // namespace

TEST(FaultKinds, EachHasAName)
{
    UsePicoseconds();
    std::set<std::string> names;
    for (const FaultKind kind : GetFaultKinds())
    {
        EXPECT_TRUE(names.insert(ToString(kind)).second) << ToString(kind);
        const FoundFaultKind found = FindFaultKind(ToString(kind));
        EXPECT_EQ(found.why, "");
        EXPECT_EQ(found.kind, kind);
    }
    EXPECT_EQ(names.size(), 18U);
    EXPECT_NE(FindFaultKind("fibre-cut").why.find("did you mean fiber-cut?"), std::string::npos);
}

TEST(FaultSchedule, HasOneOrderForEachSetOfFaults)
{
    UsePicoseconds();
    std::mt19937_64 random(1);
    const FaultCluster cluster = SmallCluster();
    std::vector<Fault> faults;
    for (uint32_t f = 0; f < 200; ++f)
    {
        faults.push_back(DrawFault(random, cluster));
        faults.back().at = PicoSeconds(f % 7); // many at each instant
    }
    FaultSchedule one;
    for (const Fault& fault : faults)
    {
        one.Add(fault);
    }
    std::shuffle(faults.begin(), faults.end(), random);
    FaultSchedule other;
    other.Add(faults);
    EXPECT_TRUE(one == other);
    const std::vector<Fault>& all = one.GetFaults();
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const Fault& a, const Fault& b) {
        return a.at < b.at;
    }));
    const FaultSchedule part = one.Select(PicoSeconds(2), PicoSeconds(4));
    const auto isIn = [](const Fault& fault) {
        return fault.at == PicoSeconds(2) || fault.at == PicoSeconds(3);
    };
    EXPECT_EQ(part.GetFaults().size(),
              static_cast<std::size_t>(std::count_if(all.begin(), all.end(), isIn)));
    EXPECT_EQ(part.GetFaults().front().at, Time(0));
}

TEST(FaultSchedule, DrawnFaultsFitTheirCluster)
{
    UsePicoseconds();
    std::mt19937_64 random(2);
    for (uint32_t f = 0; f < 2000; ++f)
    {
        const Fault fault = DrawFault(random, SmallCluster());
        std::ostringstream words;
        words << fault;
        EXPECT_EQ(FindMistake(fault, SmallCluster()), "") << words.str();
    }
}

TEST(FaultSchedule, NamesValueLimitAndRemedyOfAllMistakes)
{
    UsePicoseconds();
    Fault fault;
    fault.kind = FaultKind::FIBER_CUT;
    fault.server = 4;
    fault.gpu = 2;
    fault.port = 3;
    fault.position = 1.5;
    fault.duration = Time(0);
    EXPECT_EQ(FindMistake(fault, SmallCluster()),
              "fiber-cut: server 4: there are 4; give 0 to 3; gpu 2: there are 2; give 0 to 1; "
              "port 3: there are 3; give 0 to 2; a position of 1.5; give 0 to 1; a duration of 0 "
              "ps; give 1 ns or more, or none if it lasts for good");
    Fault misconnected;
    misconnected.kind = FaultKind::OCS_PORT_MISCONNECTED;
    misconnected.port = misconnected.other = 5;
    EXPECT_EQ(FindMistake(misconnected, SmallCluster()),
              "ocs-port-misconnected: port 5 and itself; name two ports");
    Fault flapping;
    flapping.kind = FaultKind::NIC_PORT_FLAPPING;
    EXPECT_EQ(FindMistake(flapping, SmallCluster()),
              "nic-port-flapping: a period of 0 ps; give 1 ns or more; it has no duration; give "
              "one");
    Fault partition;
    partition.kind = FaultKind::MANAGEMENT_PARTITION;
    EXPECT_EQ(FindMistake(partition, SmallCluster()),
              "management-partition: no ends of the management network; name one or more");
    partition.ends = {{ManagementEnd::Role::SERVER, 7}, {ManagementEnd::Role::SERVER, 1}};
    EXPECT_EQ(FindMistake(partition, SmallCluster()),
              "management-partition: server 7: there are 4; give 0 to 3; server 1 comes twice, or "
              "after a later one; name each end once, in order");
    FaultCluster alone = SmallCluster();
    alone.hasStandby = alone.hasController = false;
    Fault crash;
    crash.kind = FaultKind::STANDBY_CRASH;
    EXPECT_EQ(FindMistake(crash, alone),
              "standby-crash: the cluster has no controller; install a control plane, with a "
              "policy other than electrical; there is no standby; install one");
    FaultSchedule schedule;
    schedule.Add(crash);
    schedule.Add(fault);
    EXPECT_EQ(schedule.FindMistakes(alone).size(), 2U);
}

TEST(FaultScheduleFile, AScheduleComesBackAsItWasWritten)
{
    UsePicoseconds();
    for (uint64_t seed = 1; seed <= 200; ++seed)
    {
        std::mt19937_64 random(seed);
        FaultSchedule schedule;
        for (uint64_t f = random() % 20; f > 0; --f)
        {
            schedule.Add(DrawFault(random, SmallCluster()));
        }
        std::stringstream file;
        WriteFaultSchedule(file, schedule);
        FaultSchedule read;
        const TraceResult error = ReadFaultSchedule(file, "faults.json", read);
        ASSERT_FALSE(error) << "seed " << seed << ": " << error->ToString();
        EXPECT_TRUE(schedule == read) << "seed " << seed << ": " << file.str();
    }
}

TEST(FaultScheduleFile, HasTheMembersOfItsKind)
{
    UsePicoseconds();
    std::istringstream in(R"({"faults": [
        {"kind": "nic-port-flapping", "at": "1.5ms", "duration": "2ms", "server": 3, "port": 1,
         "period": "100us", "duty": 0.25},
        {"at": "1ms", "kind": "management-loss", "ends": ["rail 1", "controller"], "loss": 0.5}]})");
    FaultSchedule schedule;
    const TraceResult error = ReadFaultSchedule(in, "faults.json", schedule);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(schedule.GetFaults().size(), 2U);
    const Fault& loss = schedule.GetFaults()[0];
    EXPECT_EQ(loss.at, MilliSeconds(1));
    EXPECT_FALSE(loss.duration);
    ASSERT_EQ(loss.ends.size(), 2U);
    EXPECT_EQ(ToString(loss.ends[0]), "controller");
    EXPECT_EQ(ToString(loss.ends[1]), "rail 1");
    EXPECT_EQ(loss.loss, 0.5);
    const Fault& flapping = schedule.GetFaults()[1];
    EXPECT_EQ(flapping.at, MicroSeconds(1500));
    EXPECT_EQ(flapping.GetEnd(), MicroSeconds(3500));
    EXPECT_EQ(flapping.server, 3U);
    EXPECT_EQ(flapping.gpu, 0U);
    EXPECT_EQ(flapping.port, 1U);
    EXPECT_EQ(flapping.period, MicroSeconds(100));
    EXPECT_EQ(flapping.duty, 0.25);
}

TEST(FaultScheduleFile, NamesThePlaceOfAMistakeAndLoadsNothing)
{
    UsePicoseconds();
    const std::vector<std::pair<std::string, std::string>> files{
        {"", "f.json:1: expected a value of JSON, found the end of the file"},
        {"[]", "f.json:1: expected an object with one member, \"faults\", an array"},
        {"{\"faults\": [\n{\"kind\": \"fiber-cut\", \"server\": 0}]}",
         "f.json:2: expected \"at\" of a fiber-cut, found a fault without it"},
        {"{\"faults\": [\n\n{\"kind\": \"fibre-cut\", \"at\": \"1ms\"}]}",
         "f.json:3: expected a kind of fault, found fibre-cut: "},
        {"{\"faults\": [{\"kind\": \"ocs-down\", \"at\": \"1ms\",\n\"rail\": 0, \"server\": 1}]}",
         "f.json:2: expected of a ocs-down one of: kind, at, duration, rail, found \"server\""},
        {"{\"faults\": [{\"kind\": \"ocs-down\", \"at\": 5, \"rail\": 0}]}",
         "f.json:1: expected a text with a unit, such as \"3ms\" for \"at\", found the number"},
        {"{\"faults\": [{\"kind\": \"ocs-down\", \"at\": \"5\", \"rail\": 0}]}",
         "f.json:1: expected another \"at\", found the text"},
        {"{\"faults\": [{\"kind\": \"ocs-down\", \"at\": \"5s\", \"rail\": -1}]}",
         "f.json:1: expected another \"rail\", found the number"},
        {"{\"faults\": [{\"kind\": \"management-loss\", \"at\": \"5s\",\n\"ends\": [\"rail 0+rail "
         "1\"]}]}",
         "f.json:2: expected an end of the management network, such as \"server 2\", found the "
         "text"},
        {"[{\"node_id\": \"a\", \"event_time\": 1, \"event_type\": \"fault_start\"}]",
         "f.json:1: expected an object with one member, \"faults\", found a trace of a cluster; "
         "read "
         "it by ReadFaultTraceFile()"},
        {"{\"faults\": [{\"kind\": \"ocs-down\", \"at\": \"5s\", \"rail\": 0}]",
         "f.json:1: expected"},
    };
    for (const auto& [text, start] : files)
    {
        FaultSchedule schedule;
        schedule.Add(Fault());
        std::istringstream in(text);
        const TraceResult error = ReadFaultSchedule(in, "f.json", schedule);
        ASSERT_TRUE(error) << text;
        EXPECT_EQ(error->ToString().substr(0, start.size()), start);
        EXPECT_EQ(schedule.GetFaults().size(), 1U) << text;
    }
    FaultSchedule schedule;
    const TraceResult none = ReadFaultScheduleFile("no/such/file.json", schedule);
    ASSERT_TRUE(none);
}

TEST(FaultScheduleFile, CutFilesAreErrors)
{
    UsePicoseconds();
    std::mt19937_64 random(5);
    FaultSchedule schedule;
    for (uint32_t f = 0; f < 5; ++f)
    {
        schedule.Add(DrawFault(random, SmallCluster()));
    }
    std::ostringstream file;
    WriteFaultSchedule(file, schedule);
    const std::string text = file.str();
    for (std::size_t size = 0; size + 2 < text.size(); ++size) // a newline may lack
    {
        std::istringstream in(text.substr(0, size));
        FaultSchedule read;
        EXPECT_TRUE(ReadFaultSchedule(in, "f.json", read)) << size;
        EXPECT_TRUE(read.GetFaults().empty());
    }
}

TEST(FaultScheduleFile, ReadsFaultsOfAnOption)
{
    UsePicoseconds();
    const FaultText cut = ParseFault("fiber-cut:at=3ms,duration=5ms,server=1,position=0.25");
    ASSERT_EQ(cut.why, "");
    EXPECT_EQ(cut.fault.at, MilliSeconds(3));
    EXPECT_EQ(cut.fault.duration, MilliSeconds(5));
    EXPECT_EQ(cut.fault.server, 1U);
    EXPECT_EQ(cut.fault.position, 0.25);
    const FaultText loss = ParseFault("management-delay:at=0,ends=controller+server 2,extra=1ms");
    ASSERT_EQ(loss.why, "");
    EXPECT_EQ(loss.fault.ends.size(), 2U);
    EXPECT_NE(ParseFault("fiber-cut").why, "");
    EXPECT_NE(ParseFault("fiber-cut:at=1ms,server=0,rail=0").why, "");
    EXPECT_NE(ParseFault("fiber-cut:at=1ms,at=2ms,server=0").why, "");
    EXPECT_NE(ParseFault("fiber-cut:at=1ms,server").why, "");
    EXPECT_NE(ParseFault("flood:at=1ms").why, "");
}
