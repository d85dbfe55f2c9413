/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Operations that do not use circuits: refused phases, and those too small to reconfigure circuits
// for.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"

#include "ns3/boolean.h"
#include "ns3/opus-helper.h"
#include "ns3/path-choice.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/** Refused phases go over the network of the hosts, and the job goes on. */
class RefusedTestCase : public TestCase
{
  public:
    RefusedTestCase()
        : TestCase("What is refused goes over the network of the hosts")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            OpusCase one;
            one.servers = 4;
            one.policy = policy;
            one.hosts = true;
            one.adjust = [](OpusHelper& opus) {
                opus.SetShimAttribute("HostNetwork", BooleanValue(true));
            };
            OpusBench bench(one);
            const SquareJob job(bench);
            const auto program = FourShifts(5, 100 * US, 1 << 20);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                bench.SetProgram(rank, program, job.GroupsOf(rank));
            }
            // a port of rank 1 is stuck in the second iteration: every reconfiguration of it fails
            const Picoseconds stuck = 1'500 * US;
            const Ptr<OpticalCircuitSwitch> railSwitch = bench.rails[0].GetOpticalSwitch();
            Simulator::Schedule(PicoSeconds(stuck),
                                &OpticalCircuitSwitch::SetFault,
                                railSwitch,
                                PortId(3),
                                PortFault::STUCK_DARK,
                                Time(0));
            Simulator::Schedule(PicoSeconds(3'000 * US),
                                &OpticalCircuitSwitch::ClearFault,
                                railSwitch,
                                PortId(3));
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", policy << ": the audit is clean");
            NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, policy << ": the job completes");
            NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), 0, policy << ": nothing fails");
            uint32_t hosts = 0;
            for (const ShimNote& note : bench.answers)
            {
                if (note.network == CircuitAnswer::Network::HOST)
                {
                    ++hosts;
                    NS_TEST_EXPECT_MSG_GT(note.answered.GetTimeStep(),
                                          stuck,
                                          policy << ": not before");
                    NS_TEST_EXPECT_MSG_EQ((note.rank == RankId(2) && note.parallelism == "dp"),
                                          false,
                                          policy << ": who does not turn port 3 has circuits");
                }
            }
            NS_TEST_EXPECT_MSG_GT(hosts, 3, policy << ": some went there");
            NS_TEST_EXPECT_MSG_EQ(hosts % 2, 0, policy << ": both of a pair");
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                // 5 iterations: half of 1 MiB twice, and 1 MiB twice
                NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(rank).second, 5 * (3 << 20), policy);
            }
        }
    }
};

/** The selector: an all-reduce between two gathers of another parallelism. */
class SelectorTestCase : public TestCase
{
  public:
    SelectorTestCase()
        : TestCase("Circuits are turned from the crossover on")
    {
    }

  private:
    static constexpr uint64_t HOST_RATE = 1'250'000'000; //!< bytes a second: 10 Gb/s
    static constexpr uint64_t RATE = 50'000'000'000;     //!< 2 ports of 200 Gb/s

    /** The path of the all-reduce. */
    struct Outcome
    {
        std::vector<OperationRecord> reductions; //!< of rank 0, by iteration
        uint64_t changes{0};
        std::string findings;
    };

    static Outcome RunWith(uint64_t bytes, Picoseconds reconfiguration, uint32_t iterations)
    {
        OpusCase one;
        one.servers = 4;
        one.hosts = true;
        one.adjust = [reconfiguration](OpusHelper& opus) {
            opus.SetShimAttribute("ReconfigurationTime", TimeValue(PicoSeconds(reconfiguration)));
            opus.SetShimAttribute("HostBytesPerSecond", UintegerValue(HOST_RATE));
            opus.SetShimAttribute("HostHopLatency", TimeValue(Time(0)));
        };
        OpusBench bench(one);
        for (uint32_t a = 0; a < 4; ++a)
        {
            bench.applications.Get(a)->SetAttribute("HopLatency", TimeValue(Time(0)));
        }
        const SquareJob job(bench);
        auto program = std::make_shared<RankProgram>();
        std::vector<uint32_t> numbers;
        for (uint32_t i = 0; i < iterations; ++i)
        {
            program->BeginIteration();
            program->Collective(0, DP, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
            numbers.push_back(program->Collective(0, PP, CollectiveKind::ALL_REDUCE, bytes));
            program->Collective(0, DP, CollectiveKind::REDUCE_SCATTER, 1 << 18, "ring");
        }
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bench.SetProgram(rank, program, job.GroupsOf(rank));
        }
        Outcome outcome;
        outcome.findings = bench.Run();
        for (const uint32_t number : numbers)
        {
            const OperationRecord* record = bench.Find(0, number);
            NS_ABORT_MSG_UNLESS(record, "the all-reduce is not over");
            outcome.reductions.push_back(*record);
            for (uint32_t rank = 1; rank < 4; ++rank)
            {
                NS_ABORT_MSG_UNLESS(bench.Find(rank, number)->host == record->host,
                                    "ranks chose differently");
            }
        }
        outcome.changes = bench.changes.size();
        return outcome;
    }

    /** @return the fewest bytes, in steps of 64, for which the first one reconfigures circuits */
    static uint64_t FindCrossover(Picoseconds reconfiguration)
    {
        uint64_t least = 64;
        uint64_t most = 64 << 20;
        while (most - least > 64)
        {
            const uint64_t middle = (least + most) / 2 / 64 * 64;
            (RunWith(middle, reconfiguration, 1).reductions[0].host ? least : most) = middle;
        }
        return most;
    }

    void DoRun() override
    {
        const Picoseconds reconfiguration = 140 * US;
        const Outcome tiny = RunWith(64, reconfiguration, 4);
        const Outcome large = RunWith(4 << 20, reconfiguration, 4);
        NS_TEST_EXPECT_MSG_EQ(tiny.findings + large.findings, "", "the audits are clean");
        for (const OperationRecord& record : tiny.reductions)
        {
            NS_TEST_EXPECT_MSG_EQ(record.host, true, "a norm of a gradient: " << record.reason);
            NS_TEST_EXPECT_MSG_EQ(record.waited.GetTimeStep(), 0, "and it waits for no circuits");
        }
        NS_TEST_EXPECT_MSG_EQ(tiny.changes, 4, "circuits of dp come up once, and stay");
        for (const OperationRecord& record : large.reductions)
        {
            NS_TEST_EXPECT_MSG_EQ(record.host, false, "4 MiB: " << record.reason);
        }
        // 4 up, and then 4 down and 4 up at each of 2 shifts an iteration; gathers and scatters
        // stay together across the boundary
        NS_TEST_EXPECT_MSG_EQ(large.changes, 4 + 4 * 2 * 8, "circuits turn there and back");

        // Once it is known that the other parallelism reconfigures its circuits back afterwards,
        // and that there is next to no idle time to hide it in, the crossover is at 2 d.
        const Outcome between =
            RunWith(*GetCrossover(ToTime(3 * reconfiguration / 2), RATE, HOST_RATE),
                    reconfiguration,
                    4);
        NS_TEST_EXPECT_MSG_EQ(between.findings, "", "the audit is clean");
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(between.reductions[i].host,
                                  (i > 0),
                                  "iteration " << i << ": " << between.reductions[i].reason);
        }

        // d + S / B = S / H: an all-reduce of two ranks sends S, half in each of two rounds
        for (const Picoseconds d : {20 * US, 140 * US, 1'000 * US})
        {
            const uint64_t known = *GetCrossover(ToTime(d), RATE, HOST_RATE);
            // d B H / (B - H)
            const double formula = d * 1e-12 * RATE * HOST_RATE / (RATE - HOST_RATE);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(known), formula, 1.0, "by hand");
            const uint64_t found = FindCrossover(d);
            NS_TEST_EXPECT_MSG_EQ(found, (known + 63) / 64 * 64, "at d = " << d / US << " us");
        }
    }
};

/** The suite. */
class OpusPathsTestSuite : public TestSuite
{
  public:
    OpusPathsTestSuite()
        : TestSuite("photonic-rails-opus-paths", TestSuite::Type::UNIT)
    {
        AddTestCase(new RefusedTestCase);
        AddTestCase(new SelectorTestCase);
    }
};

static OpusPathsTestSuite g_opusPathsTestSuite;

} // namespace
