/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/contains.h"
#include "opus-policy-bench.h"
#include "opus-schedule-file.h"
#include "opus-test-phases.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(OpusRecordedPolicy, APhaseHasTheCircuitsOfTheFile)
{
    // four GPUs of two ports; the file crosses ports as no planner would
    const OpusScheduleFile file("job 0 group 1 operation 0 stage 0 : 0.1-1.0 2.0-3.1\n"
                                "job 0 group 1 operation 5 stage 0 : 0.0-1.0 0.1-1.1 2.0-3.0\n");
    OpusPolicyBench bench(file.GetPolicy(), 4, 1, 2);
    EXPECT_FALSE(bench.policy->IsForGood());
    bench.Carry(bench.Request({Pair(1, 0), Pair(2, 3)}, Operation(1, 0)));
    EXPECT_EQ(bench.circuits[0].GetPeer(PortId(1)), PortId(2)); // port 1 of rank 0, 0 of rank 1
    EXPECT_EQ(bench.circuits[0].GetPeer(PortId(4)), PortId(7));
    EXPECT_TRUE(bench.Request({Pair(0, 1), Pair(2, 3)}, Operation(1, 4)).changes.empty());
    // only the requested pairs are reconfigured, though the line has more
    bench.Carry(bench.Request({Pair(0, 1)}, Operation(1, 5)));
    EXPECT_EQ(bench.Links(0, 1), 2);
    EXPECT_EQ(bench.circuits[0].GetPeer(PortId(4)), PortId(7));
}

TEST(OpusRecordedPolicy, ARefusalNamesTheFileAndThePhase)
{
    const OpusScheduleFile file("job 0 group 1 operation 0 stage 0 : 0.0-1.0\n");
    OpusPolicyBench bench(file.GetPolicy(), 4, 1, 2);
    const std::string apart = bench.Request({Pair(0, 1), Pair(2, 3)}, Operation(1, 0)).refusal;
    EXPECT_TRUE(Contains(apart, file.GetPath())) << apart;
    EXPECT_TRUE(Contains(apart, "ranks 2 and 3 for operation 0, stage 0 of group 1 of job 0"))
        << apart;
    EXPECT_FALSE(Contains(apart, "no line"));
    const std::string none = bench.Request({Pair(0, 1)}, Operation(2, 0)).refusal;
    EXPECT_TRUE(Contains(none, "group 2 of job 0, of which it has no line")) << none;
}

TEST(OpusRecordedPolicy, PortsThatAreInUseAreWaitedForUnlessTheirCircuitIsRight)
{
    const OpusScheduleFile file("job 0 group 1 operation 0 stage 0 : 0.0-1.0\n");
    OpusPolicyBench bench(file.GetPolicy(), 4, 1, 2);
    const RailPort port{RailId(0), PortId(0)};
    bench.use.inFlight.insert(port);
    EXPECT_EQ(bench.Request({Pair(0, 1)}, Operation(1, 0)).waitsFor, "a port in use");
    bench.use.inFlight.clear();
    bench.Carry(bench.Request({Pair(0, 1)}, Operation(1, 0)));
    bench.use.inFlight.insert(port);
    EXPECT_TRUE(bench.Request({Pair(0, 1)}, Operation(1, 0)).IsPossible()) << "it is shared";
    bench.use.reconfiguration.insert(port);
    EXPECT_EQ(bench.Request({Pair(0, 1)}, Operation(1, 0)).waitsFor, "a turning port");
    const CircuitTarget never = bench.Request({Pair(0, 1), Pair(2, 3)}, Operation(1, 0));
    EXPECT_FALSE(never.refusal.empty());
    EXPECT_EQ(never.waitsFor, "") << "what never comes is not waited for";
}

TEST(OpusRecordedPolicy, TheScheduleMayBeOneTopologyForGood)
{
    const OpusScheduleFile file("start : 0.0-1.0 0.1-1.1 2.0-3.0 # two links, and one\n");
    OpusPolicyBench bench(file.GetPolicy(), 4, 1, 2);
    EXPECT_TRUE(bench.policy->IsForGood());
    bench.Carry(bench.policy->GetInitial({}, bench.circuits));
    EXPECT_EQ(bench.Links(0, 1), 2);
    EXPECT_EQ(bench.Links(2, 3), 1);
    const CircuitTarget target = bench.Request({Pair(0, 1)}, Operation(7, 7));
    EXPECT_TRUE(target.changes.empty());
    EXPECT_EQ(target.circuits.size(), 2);
    EXPECT_FALSE(bench.Request({Pair(1, 2)}, Operation(7, 7)).refusal.empty());
}

TEST(OpusRecordedPolicy, AJobStartsWithCircuitsOnItsOwnPorts)
{
    const OpusScheduleFile file("start : 0.0-1.0 2.0-3.0\n"
                                "job 0 group 1 operation 0 stage 0 : 0.0-1.1\n");
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(4, 1, 2));
    for (const uint32_t rank : {0, 1, 2, 3})
    {
        cabling->Own(JobId(rank / 2), RankId(rank));
    }
    const auto policy = MakeCircuitPolicy(file.GetPolicy(), cabling);
    EXPECT_FALSE(policy->IsForGood());
    for (const uint32_t job : {0, 1})
    {
        JobDemand demand;
        demand.job = JobId(job);
        const CircuitTarget target = policy->GetInitial(demand, MakeDarkRails(*cabling));
        ASSERT_EQ(target.circuits.size(), 1);
        EXPECT_EQ(target.circuits[0].one, RankId(2 * job));
    }
}

TEST(OpusRecordedPolicy, AFileThatDoesNotFitStopsTheProgram)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 2, 1);
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"start : 0.0-9.0\n", "start: port 0 of rank 9, which has 0"},
        {"job 0 group 1 operation 3 stage 0 : 0.1-2.0\n",
         "operation 3, stage 0 of group 1 of job 0: port 1 of rank 0, which has 1"},
        {"start : 0.0-1.0\n", "ranks 0 and 1 are on two rails"},
        {"start 0.0-2.0\n", "txt:1: expected \":\", found \"0.0-2.0\""},
    };
    for (const auto& [text, expected] : wrong)
    {
        const OpusScheduleFile file(text);
        EXPECT_DEATH(MakeCircuitPolicy(file.GetPolicy(), cabling), expected);
    }
    EXPECT_DEATH(MakeCircuitPolicy("recorded", cabling), "name a file: recorded:plan.txt");
    EXPECT_DEATH(MakeCircuitPolicy("recorded:/no/such", cabling), "can't be opened");
}
