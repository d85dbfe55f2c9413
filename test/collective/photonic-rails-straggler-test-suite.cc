/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ranks that learn which of them is late, and choose between a ring and StragglAR.

#include "../support/time-units.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-job.h"
#include "ns3/data-rate.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/global-value.h"
#include "ns3/opus-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/straggler-costs.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Ranks that compute, and then reduce, in each iteration. */
struct StragglerCase
{
    /** What joins the ranks. */
    enum Place
    {
        SERVER,      //!< the fabric of a server, without a control plane
        SERVER_SHIM, //!< the same, with a shim
        ELECTRICAL,  //!< a packet switch
        CIRCUITS,    //!< a control plane changes circuits
    };

    Place place{SERVER};
    uint32_t ranks{8};
    uint64_t bytes{56 << 20};
    std::string algorithm{"ring"};
    bool isAware{true};
    std::map<uint32_t, std::vector<Time>> late; //!< by rank: in each iteration
    uint32_t iterations{4};
    Time reconfiguration{MicroSeconds(1)};
    Time compute{MilliSeconds(1)};
    std::string fidelity{"PacketTrains"};
    uint32_t window{3};

    /** A rank is late in all iterations. */
    void SetLate(uint32_t rank, Time delay)
    {
        late[rank] = std::vector<Time>(iterations, delay);
    }
};

constexpr uint64_t PORT_RATE = 400'000'000'000; //!< of the fabric, and of both NIC ports
constexpr uint64_t BYTES_PER_SECOND = PORT_RATE / 8;

/** What was observed of an operation. */
struct Reduction
{
    std::set<std::string> algorithms; //!< of all ranks
    Time lastCall{0};
    Time lastEnd{0};
    uint32_t ends{0};

    Time GetTime() const
    {
        return lastEnd - lastCall;
    }
};

/** The operations, by iteration. */
class StragglerRun
{
  public:
    explicit StragglerRun(const StragglerCase& one)
        : reductions(one.iterations)
    {
        UsePicoseconds();
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue(one.fidelity));
        const bool isInside =
            one.place == StragglerCase::SERVER || one.place == StragglerCase::SERVER_SHIM;
        const bool isOptical =
            one.place == StragglerCase::CIRCUITS || one.place == StragglerCase::SERVER_SHIM;
        NodeContainer gpus(one.ranks);
        PhotonicRailHelper photonic;
        ElectricalRailHelper electrical;
        RailHelper& helper = isOptical ? static_cast<RailHelper&>(photonic) : electrical;
        helper.SetPorts(2, DataRate(PORT_RATE / 2));
        photonic.SetSwitchAttribute("Radix", UintegerValue(2 * one.ranks));
        photonic.SetReconfigurationTime(one.reconfiguration);
        electrical.SetRadix(0);
        const std::vector<Rail> rails = helper.InstallRails(gpus, isInside ? one.ranks : 1);
        RdmaHelper().Install(gpus);
        CollectiveHelper collectives;
        collectives.SetAttribute("StragglerAware", BooleanValue(one.isAware));
        collectives.SetAttribute("LatenessWindow", UintegerValue(one.window));
        if (isInside)
        {
            ScaleUpHelper fabric;
            fabric.SetAttribute("PortRate", DataRateValue(DataRate(PORT_RATE)));
            collectives.SetScaleUp(fabric.Install(gpus, one.ranks));
        }
        OpusControlPlane plane;
        if (one.place != StragglerCase::SERVER)
        {
            OpusHelper opus;
            opus.SetPolicy(isOptical ? "on-demand" : "electrical");
            opus.SetForwarding(isInside);
            plane = opus.Install(rails);
            collectives.SetBrokers(plane.brokers);
        }
        const Ptr<CollectiveJob> job = collectives.Install(rails);
        SetPrograms(*job, one, isInside ? one.ranks : 1);
        job->TraceConnect("OperationEnded", MakeCallback(&StragglerRun::TakeEnd, this));
        RailAudit audit;
        for (const Rail& rail : rails)
        {
            audit.Add(rail);
        }
        audit.Add(job->GetApplications());
        Simulator::Run();
        findings = audit.Check().size();
        Simulator::Destroy();
    }

    /** @return the algorithms, by iteration: "ring ring straggl-ar" */
    std::string GetAlgorithms() const
    {
        std::string words;
        for (const Reduction& one : reductions)
        {
            words += words.empty() ? "" : " ";
            words += one.algorithms.size() == 1 ? *one.algorithms.begin() : "(they differ)";
        }
        return words;
    }

    std::vector<Reduction> reductions;
    std::size_t findings{0};
    Time end{0};

  private:
    void SetPrograms(CollectiveJob& job, const StragglerCase& one, uint32_t perServer)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t rank = 0; rank < one.ranks; ++rank)
        {
            ranks.push_back(rank);
        }
        const auto group = job.MakeGroup("dp 0", ranks, perServer);
        for (const uint32_t rank : ranks)
        {
            auto program = std::make_shared<RankProgram>();
            const auto late = one.late.find(rank);
            for (uint32_t i = 0; i < one.iterations; ++i)
            {
                program->BeginIteration();
                program->Compute(0,
                                 one.compute +
                                     (late == one.late.end() ? Time(0) : late->second[i]));
                m_iterations
                    [program
                         ->Collective(0, 0, CollectiveKind::ALL_REDUCE, one.bytes, one.algorithm)] =
                        i;
            }
            job.SetProgram(rank, program, {group});
        }
    }

    void TakeEnd(const OperationRecord& record)
    {
        end = std::max(end, record.end);
        const auto iteration = m_iterations.find(record.operation);
        if (iteration != m_iterations.end())
        {
            Reduction& reduction = reductions[iteration->second];
            reduction.algorithms.insert(record.algorithm);
            reduction.lastCall = std::max(reduction.lastCall, record.start);
            reduction.lastEnd = std::max(reduction.lastEnd, record.end);
            ++reduction.ends;
        }
    }

    std::map<uint32_t, uint32_t> m_iterations; //!< by operation
};

constexpr StragglerCase::Place PLACES[] = {StragglerCase::SERVER,
                                           StragglerCase::SERVER_SHIM,
                                           StragglerCase::ELECTRICAL,
                                           StragglerCase::CIRCUITS};

/** Ranks learn in the first iteration, on any network, and whichever rank is late. */
class LearningTest : public TestCase
{
  public:
    LearningTest()
        : TestCase("Ranks that have seen one of them late take StragglAR from then on, all of them")
    {
    }

  private:
    void DoRun() override
    {
        for (const StragglerCase::Place place : PLACES)
        {
            for (const uint32_t straggler : {0U, 5U})
            {
                StragglerCase one;
                one.place = place;
                one.SetLate(straggler, MilliSeconds(20));
                const StragglerRun run(one);
                NS_TEST_EXPECT_MSG_EQ(run.findings, 0, "audit");
                NS_TEST_EXPECT_MSG_EQ(run.GetAlgorithms(),
                                      "ring straggl-ar straggl-ar straggl-ar",
                                      "place " << place << ", rank " << straggler << " is late");
                NS_TEST_EXPECT_MSG_EQ(run.reductions[3].ends, 8, "of all ranks");
                NS_TEST_EXPECT_MSG_LT(run.reductions[3].GetTime(),
                                      run.reductions[0].GetTime(),
                                      "it takes less time, place " << place);
            }
        }
    }
};

/** Just below and just above the lateness from which StragglAR is taken. */
class CrossoverTest : public TestCase
{
  public:
    CrossoverTest()
        : TestCase(
              "StragglAR is taken when the lateness hides the scatter of the others, and takes "
              "the time of the closed form")
    {
    }

  private:
    void DoRun() override
    {
        StragglerCase one;
        const Time hop = MicroSeconds(1); // HopLatency
        const StragglerCosts costs =
            StragglerCosts::OfFabric(one.ranks, one.bytes, BYTES_PER_SECOND, hop);
        const Time part = PicoSeconds(one.bytes * 8 * 10 / 4 / 7); // at 400 Gb/s 2.5 ps a bit
        NS_TEST_EXPECT_MSG_EQ_TOL(costs.GetScatter(), 6 * (part + hop), NanoSeconds(1), "scatter");
        for (const int64_t percent : {-3, 3})
        {
            one.SetLate(3, costs.GetScatter() + costs.GetScatter() * percent / 100);
            const StragglerRun aware(one);
            NS_TEST_EXPECT_MSG_EQ(aware.reductions[1].algorithms.count("straggl-ar"),
                                  (percent > 0 ? 1 : 0),
                                  percent << " % from the scatter");
        }
        one.SetLate(3, 2 * costs.GetScatter());
        const StragglerRun late(one);
        one.isAware = false;
        const StragglerRun ring(one);
        // a message of 512 KiB more or less: it is passed on before all of a chunk has come
        const Time message = PicoSeconds((1 << 19) * 8 * 10 / 4);
        NS_TEST_EXPECT_MSG_EQ_TOL(late.reductions[3].GetTime(),
                                  9 * (part + hop),
                                  9 * (message + hop),
                                  "9 rounds");
        NS_TEST_EXPECT_MSG_EQ_TOL(ring.reductions[3].GetTime(),
                                  14 * (part * 7 / 8 + hop),
                                  14 * (message + hop),
                                  "14 steps of a ring");
        // 14 / 8 and 9 / 7 of the buffer: 1.36 times
        NS_TEST_EXPECT_MSG_EQ_TOL(ring.reductions[3].GetTime().GetSeconds() /
                                      late.reductions[3].GetTime().GetSeconds(),
                                  14.0 / 8 / (9.0 / 7),
                                  0.03,
                                  "the gain of the paper's model");
    }
};

/** The rank chooses the other algorithm too. */
class RivalTest : public TestCase
{
  public:
    RivalTest()
        : TestCase("StragglAR and the algorithm that it replaces are compared at one rate")
    {
    }

  private:
    void DoRun() override
    {
        StragglerCase one;
        one.algorithm = ""; // the one with the least time
        one.SetLate(3, MilliSeconds(20));
        const StragglerRun aware(one);
        one.isAware = false;
        const StragglerRun usual(one);
        NS_TEST_ASSERT_MSG_EQ(usual.reductions[0].algorithms.count("ring"), 0, "another one");
        // at the rate of the fabric no algorithm sends less than 2 (n-1) / n of the buffer, and
        // StragglAR has 9 / 7 of it left to send when the straggler comes
        NS_TEST_EXPECT_MSG_EQ(aware.reductions[3].algorithms.count("straggl-ar"), 1, "it pays");
        NS_TEST_EXPECT_MSG_LT(aware.reductions[3].GetTime(),
                              usual.reductions[3].GetTime(),
                              "and does");
    }
};

/** Lateness that comes and goes. */
class ChangeTest : public TestCase
{
  public:
    ChangeTest()
        : TestCase("A rank that is late once is not expected to be, and one that recovers is "
                   "forgotten")
    {
    }

  private:
    void DoRun() override
    {
        const Time delay = MilliSeconds(20);
        StragglerCase once;
        once.iterations = 6;
        once.late[2] = {Time(0), Time(0), Time(0), delay, Time(0), Time(0)};
        const StragglerRun lateOnce(once);
        NS_TEST_EXPECT_MSG_EQ(lateOnce.GetAlgorithms(), "ring ring ring ring ring ring", "once");

        StragglerCase change;
        change.iterations = 8;
        change.late[2] = {delay, delay, delay, Time(0), Time(0), Time(0), Time(0), Time(0)};
        change.late[6] = {Time(0), Time(0), Time(0), Time(0), delay, delay, delay, delay};
        const StragglerRun recovers(change);
        NS_TEST_EXPECT_MSG_EQ(recovers.findings, 0, "wrong expectations cost time only");
        // the median of the last three: rank 2 is expected in iterations 1 to 4, no rank in 5 (one
        // sample of each), rank 6 from 6 on
        NS_TEST_EXPECT_MSG_EQ(recovers.GetAlgorithms(),
                              "ring straggl-ar straggl-ar straggl-ar straggl-ar ring straggl-ar "
                              "straggl-ar",
                              "another rank");
        NS_TEST_EXPECT_MSG_EQ(recovers.reductions[4].ends, 8, "the result is the same");
    }
};

/** Slow switches. */
class SwitchTest : public TestCase
{
  public:
    SwitchTest()
        : TestCase("On circuits StragglAR is taken if its reconfigurations take less than it gains")
    {
    }

  private:
    void DoRun() override
    {
        StragglerCase one;
        one.place = StragglerCase::CIRCUITS;
        one.SetLate(7, MilliSeconds(20));
        // 56 MiB at 50 GB/s: 1.17 ms, of which StragglAR gains 0.464, with 9 reconfigurations
        const Time gain =
            StragglerCosts::OfFabric(8, one.bytes, BYTES_PER_SECOND, Time(0)).GetRing() -
            StragglerCosts::OfFabric(8, one.bytes, BYTES_PER_SECOND, Time(0)).GetRounds();
        for (const bool isSlow : {false, true})
        {
            // messages of the control plane take some 60 us of each reconfiguration
            one.bytes = isSlow ? 56 << 20 : 896 << 20;
            one.reconfiguration = isSlow ? gain / 9 : MicroSeconds(1);
            const StragglerRun aware(one);
            NS_TEST_EXPECT_MSG_EQ(
                aware.GetAlgorithms(),
                (isSlow ? "ring ring ring ring" : "ring straggl-ar straggl-ar straggl-ar"),
                "reconfiguration in " << one.reconfiguration.As(Time::US));
            one.isAware = false;
            const StragglerRun ring(one);
            // reports, and choices that come earlier than calls, delay nothing
            const Time took = aware.reductions[3].GetTime();
            const Time byRing = ring.reductions[3].GetTime();
            if (isSlow)
            {
                NS_TEST_EXPECT_MSG_EQ(took, byRing, "never slower than the ring");
            }
            else
            {
                NS_TEST_EXPECT_MSG_LT(took, byRing, "it pays");
            }
        }
    }
};

/** Both fidelities. */
class FidelityTest : public TestCase
{
  public:
    FidelityTest()
        : TestCase("Packet events and packet trains have the same calls, choices and ends")
    {
    }

  private:
    void DoRun() override
    {
        for (const StragglerCase::Place place :
             {StragglerCase::ELECTRICAL, StragglerCase::CIRCUITS})
        {
            for (const uint32_t ranks : {5U, 6U})
            {
                for (const std::string algorithm : {"ring", "straggl-ar"})
                {
                    StragglerCase one;
                    one.place = place;
                    one.ranks = ranks;
                    one.bytes = 1 << 20;
                    one.algorithm = algorithm; // in place of a ring they choose
                    one.SetLate(2, MilliSeconds(3));
                    const StragglerRun trains(one);
                    one.fidelity = "PacketEvents";
                    const StragglerRun events(one);
                    NS_TEST_EXPECT_MSG_EQ(trains.GetAlgorithms(),
                                          events.GetAlgorithms(),
                                          "choices");
                    NS_TEST_EXPECT_MSG_EQ(trains.end, events.end, "ends");
                }
            }
        }
    }
};

/** The suite. */
class StragglerTestSuite : public TestSuite
{
  public:
    StragglerTestSuite()
        : TestSuite("photonic-rails-straggler", TestSuite::Type::UNIT)
    {
        AddTestCase(new LearningTest);
        AddTestCase(new CrossoverTest);
        AddTestCase(new RivalTest);
        AddTestCase(new ChangeTest);
        AddTestCase(new SwitchTest);
        AddTestCase(new FidelityTest);
    }
};

static StragglerTestSuite g_stragglerTestSuite;

} // namespace
