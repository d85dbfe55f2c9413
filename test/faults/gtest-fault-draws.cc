/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random faults against closed forms. A test fails by chance with a probability below 1e-6, were
// its seed random: limits are five standard deviations, or that of Kolmogorov and Smirnov.

#include "ns3/fault-draws.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

FaultCluster
LargeCluster()
{
    FaultCluster cluster;
    cluster.rails = 8;
    cluster.servers = 64;
    cluster.gpus = 8;
    cluster.ports = 2;
    cluster.switchPorts = 128;
    cluster.hasController = true;
    return cluster;
}

ComponentFaults
Fibers(Time mtbf, double shape, Time mttr)
{
    ComponentFaults fibers;
    fibers.fault.kind = FaultKind::FIBER_CUT;
    fibers.mtbf = mtbf;
    fibers.shape = shape;
    fibers.mttr = mttr;
    return fibers;
}

/** @return the first failure of each component, in hours */
std::vector<double>
FirstFailures(const FaultSchedule& schedule)
{
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> seen;
    std::vector<double> times;
    for (const Fault& fault : schedule.GetFaults())
    {
        if (seen.emplace(fault.server, fault.gpu, fault.port).second)
        {
            times.push_back(fault.at.GetTimeStep() / 3.6e15);
        }
    }
    std::sort(times.begin(), times.end());
    return times;
}

} // namespace

TEST(FaultDraws, FailureTimesHaveTheirDistribution)
{
    UsePicoseconds();
    for (const double shape : {0.5, 1.0, 3.0})
    {
        FaultDraws draws(LargeCluster(), 11);
        draws.Add(Fibers(Hours(10), shape, Time(0)));
        const std::vector<double> times = FirstFailures(draws.Draw(Hours(2000)));
        const double n = times.size();
        EXPECT_EQ(n, 64 * 8 * 2) << "all fail within 200 mean times";
        const double scale = 10 / std::tgamma(1 + 1 / shape);
        double farthest = 0;
        for (std::size_t k = 0; k < times.size(); ++k)
        {
            const double expected = 1 - std::exp(-std::pow(times[k] / scale, shape));
            farthest = std::max(
                {farthest, std::fabs(expected - k / n), std::fabs(expected - (k + 1) / n)});
        }
        // P(distance > d) < 2 exp(-2 n d^2) (Massart), here 1e-6
        EXPECT_LT(farthest, std::sqrt(std::log(2e6) / (2 * n))) << "shape " << shape;
        double sum = 0;
        for (const double time : times)
        {
            sum += time;
        }
        const double deviation =
            scale * std::sqrt(std::tgamma(1 + 2 / shape) - std::pow(std::tgamma(1 + 1 / shape), 2));
        EXPECT_NEAR(sum / n, 10, 5 * deviation / std::sqrt(n)) << "shape " << shape;
    }
}

TEST(FaultDraws, AComponentIsRepairedBeforeItFailsAgain)
{
    UsePicoseconds();
    FaultDraws draws(LargeCluster(), 12);
    draws.Add(Fibers(Hours(10), 1, Hours(5)));
    const FaultSchedule schedule = draws.Draw(Hours(1000));
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Time> repaired;
    double repairs = 0;
    for (const Fault& fault : schedule.GetFaults())
    {
        Time& last = repaired[{fault.server, fault.gpu, fault.port}];
        EXPECT_GT(fault.at, last);
        last = fault.GetEnd();
        repairs += fault.duration->GetTimeStep() / 3.6e15;
    }
    const double n = schedule.GetFaults().size();
    EXPECT_NEAR(repairs / n, 5, 5 * 5 / std::sqrt(n)); // exponential: deviation = mean
    // a renewal each 15 h: its variance is 10^2 + 5^2, so that of a count t (10^2 + 5^2) / 15^3,
    // and its mean t / 15 + (10^2 + 5^2 - 15^2) / (2 15^2) + the part of the first span
    const double components = 64 * 8 * 2;
    const double mean = components * (1000 / 15.0 - (15.0 * 15 - 125) / (2 * 225) + 5 / 15.0);
    const double deviation = std::sqrt(components * 1000 * 125 / std::pow(15.0, 3));
    EXPECT_NEAR(n, mean, 5 * deviation);
}

TEST(FaultDraws, AreDeterministicAndDoNotDependOnEachOther)
{
    UsePicoseconds();
    FaultDraws one(LargeCluster(), 13);
    one.Add(Fibers(Hours(10), 1, Hours(1)));
    FaultDraws same(LargeCluster(), 13);
    same.Add(Fibers(Hours(10), 1, Hours(1)));
    EXPECT_TRUE(one.Draw(Hours(50)) == same.Draw(Hours(50)));
    FaultDraws other(LargeCluster(), 14);
    other.Add(Fibers(Hours(10), 1, Hours(1)));
    EXPECT_FALSE(one.Draw(Hours(50)) == other.Draw(Hours(50)));

    // a longer schedule begins as a shorter one
    EXPECT_TRUE(one.Draw(Hours(50)).Select(Time(0), Hours(20)) == one.Draw(Hours(20)));

    // another class of faults changes nothing
    FaultDraws both(LargeCluster(), 13);
    both.Add(Fibers(Hours(10), 1, Hours(1)));
    ComponentFaults gpus;
    gpus.fault.kind = FaultKind::GPU_SLOW;
    gpus.mtbf = Hours(5);
    gpus.mttr = Hours(1);
    both.Add(gpus);
    std::vector<Fault> cuts;
    const FaultSchedule all = both.Draw(Hours(50));
    for (const Fault& fault : all.GetFaults())
    {
        if (fault.kind == FaultKind::FIBER_CUT)
        {
            cuts.push_back(fault);
        }
    }
    EXPECT_TRUE(cuts == one.Draw(Hours(50)).GetFaults());
}

TEST(FaultDraws, EachKindHasItsComponents)
{
    UsePicoseconds();
    const FaultCluster cluster = LargeCluster();
    const FaultDraws draws(cluster, 1);
    const std::map<FaultKind, std::size_t> counts{
        {FaultKind::FIBER_CUT, 64 * 8 * 2},
        {FaultKind::OCS_PORT_STUCK, 8 * 128},
        {FaultKind::OCS_PORT_MISCONNECTED, 8 * 128},
        {FaultKind::OCS_DOWN, 8},
        {FaultKind::GPU_FAILURE, 64 * 8},
        {FaultKind::SERVER_LOSS, 64},
        {FaultKind::CONTROLLER_CRASH, 1},
        {FaultKind::MANAGEMENT_LOSS, 1 + 64 + 8}, // there is no standby
    };
    for (const auto& [kind, count] : counts)
    {
        Fault fault;
        fault.kind = kind;
        EXPECT_EQ(draws.GetComponents(fault).size(), count) << ToString(kind);
        for (Fault one : draws.GetComponents(fault))
        {
            EXPECT_EQ(FindMistake(one, cluster), "");
        }
    }
}

TEST(FaultDraws, EventsHitTheComponentsOfAGroupTogether)
{
    UsePicoseconds();
    CommonFaults racks;
    racks.each = Fibers(Hours(10), 1, Hours(1));
    racks.group = CommonFaults::Group::RACK;
    racks.serversPerRack = 16;
    racks.probability = 0.25;
    FaultDraws draws(LargeCluster(), 15);
    draws.Add(racks);
    const FaultSchedule schedule = draws.Draw(Hours(2500));
    std::map<Time, std::vector<Fault>> events;
    for (const Fault& fault : schedule.GetFaults())
    {
        events[fault.at].push_back(fault);
    }
    for (const auto& [at, faults] : events)
    {
        for (const Fault& fault : faults)
        {
            EXPECT_EQ(fault.server / 16, faults.front().server / 16);
            EXPECT_EQ(fault.duration, faults.front().duration);
        }
    }
    // 4 racks, each a Poisson process of 250 events; 16 * 8 * 2 fibers, of which each is hit by a
    // quarter of them
    const double expected = 4 * 250;
    EXPECT_NEAR(events.size(), expected, 5 * std::sqrt(expected));
    const double n = events.size() * 256.0;
    EXPECT_NEAR(schedule.GetFaults().size(), n / 4, 5 * std::sqrt(n * 0.25 * 0.75));
}

TEST(FaultDrawsDeathTest, RefusesWhatIsOutOfRange)
{
    UsePicoseconds();
    FaultDraws draws(LargeCluster(), 1);
    EXPECT_DEATH(draws.Add(Fibers(Time(0), 1, Time(0))), "give 1 ps or more");
    EXPECT_DEATH(draws.Add(Fibers(Hours(1), 0, Time(0))), "give 0.1 to 100");
    ComponentFaults flapping = Fibers(Hours(1), 1, Time(0));
    flapping.fault.kind = FaultKind::NIC_PORT_FLAPPING;
    EXPECT_DEATH(draws.Add(flapping), "give a mean repair time");
}
