/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults of GPUs and servers: what their ranks compute and send, and how the others notice it.

#include "photonic-rails-faults-bench.h"

#include "ns3/collective-kind.h"
#include "ns3/config.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** A GPU that computes, slowly for a while. */
class SlowGpuTestCase : public TestCase
{
  public:
    SlowGpuTestCase()
        : TestCase("A slow GPU takes its factor of the time for the work that it does meanwhile")
    {
    }

  private:
    /** @return when 100 us of computing at rank 0 have ended, and at rank 1 */
    std::pair<Picoseconds, Picoseconds> Compute(const std::vector<Fault>& faults)
    {
        OpusBench bench{OpusCase()};
        auto program = std::make_shared<RankProgram>();
        program->Compute(0, MicroSeconds(100));
        bench.SetProgram(0, program, {});
        bench.SetProgram(1, program, {});
        const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
        injector->SetRails(bench.rails);
        for (const Fault& fault : faults)
        {
            injector->Add(fault);
        }
        bench.Run();
        injector->Dispose();
        return {bench.EndOf(0, 0), bench.EndOf(1, 0)};
    }

    void DoRun() override
    {
        UsePicoseconds();
        const auto slow = [](int64_t at, int64_t lasts, double factor) {
            Fault fault =
                FaultsBench::MakeFault(FaultKind::GPU_SLOW, MicroSeconds(at), MicroSeconds(lasts));
            fault.factor = factor;
            return fault;
        };
        const Picoseconds us = 1'000'000;
        using Ends = std::pair<Picoseconds, Picoseconds>;
        const auto expect = [&](const std::vector<Fault>& faults, Picoseconds end) {
            NS_TEST_EXPECT_MSG_EQ((Compute(faults) == Ends(end * us, 100 * us)), true, end);
        };
        expect({}, 100);
        expect({slow(0, 0, 2)}, 200);                    // for good
        expect({slow(40, 30, 3)}, 120);                  // 10 us of work in 30 us
        expect({slow(40, 30, 3), slow(40, 30, 2)}, 125); // 5 us of work: factors multiply
        expect({slow(40, 0, 3), slow(70, 0, 2)}, 370);   // 60 left, 50 left at 6 times
        expect({slow(100, 50, 3)}, 100);                 // at the very end of the work
        expect({slow(10, 20, 0.5)}, 80);                 // faster: 40 us of work in 20 us
    }
};

/** A GPU that fails while others send to it. */
class FailureTestCase : public TestCase
{
  public:
    FailureTestCase()
        : TestCase("Peers of a GPU that has failed find out by the retry limits of their messages")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string fidelity : {"PacketEvents", "PacketTrains"})
        {
            for (const bool isServer : {false, true})
            {
                RunOne(fidelity, isServer);
            }
        }
    }

    void RunOne(const std::string& fidelity, bool isServer)
    {
        constexpr uint32_t EXPONENT = 6; // 4.096 us * 2^6 = 262.144 us
        constexpr uint32_t RETRIES = 3;
        Config::SetDefault("ns3::RdmaEngine::TimeoutExponent", UintegerValue(EXPONENT));
        Config::SetDefault("ns3::RdmaEngine::RetryLimit", UintegerValue(RETRIES));
        const Time dark = MilliSeconds(2);
        Config::SetDefault("ns3::RdmaEngine::DarkLimit", TimeValue(dark));
        OpusCase one;
        one.fidelity = fidelity;
        one.abort = false;
        {
            OpusBench bench(one);
            const auto group = bench.MakeGroup("pp", {0, 1});
            constexpr uint64_t BYTES = 10'000'000; // 400 us on a port of 200 Gb/s, 200 us on two
            auto sends = std::make_shared<RankProgram>();
            sends->Send(0, 0, 1, BYTES);
            auto receives = std::make_shared<RankProgram>();
            receives->Receive(0, 0, 0, BYTES);
            bench.SetProgram(0, sends, {group});
            bench.SetProgram(1, receives, {group});
            const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
            injector->SetRails(bench.rails);
            injector->AddControlPlane(bench.plane);
            injector->StopAfter({bench.collectives->Get(0), bench.collectives->Get(1)});
            const Time at = MicroSeconds(250); // a grant takes 4 * 10 us and 100 us
            const FaultKind kind = isServer ? FaultKind::SERVER_LOSS : FaultKind::GPU_FAILURE;
            Fault fault = FaultsBench::MakeFault(kind, at, Time(0));
            fault.server = 1;
            injector->Add(fault);
            const std::string findings = bench.Run();
            const std::string name = fidelity + ToString(kind);
            NS_TEST_EXPECT_MSG_EQ(findings, "", name);
            NS_TEST_EXPECT_MSG_EQ(injector->IsLost(1, 0), true, name);
            NS_TEST_EXPECT_MSG_EQ(bench.collectives->Get(1)->IsHalted(), true, name);
            NS_TEST_EXPECT_MSG_EQ(bench.ended.size(), 0, name << ": neither side ends");
            NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), 1, name << ": the sender fails");
            if (bench.failed.empty())
            {
                return;
            }
            NS_TEST_EXPECT_MSG_EQ(bench.failed[0].rank, RankId(0), name);
            m_failed = bench.failed[0].end.GetTimeStep();
            if (!isServer)
            {
                // the last acknowledgement came at most an AckEvery of frames, and the way, before
                // the failure; then each of the attempts has a timeout, and sends what is open
                // again
                const Picoseconds timeout = 4'096'000LL << EXPONENT;
                const Picoseconds least = at.GetTimeStep() + (RETRIES + 1) * timeout;
                const Picoseconds open = 400'000'000; // all of it on one port
                NS_TEST_EXPECT_MSG_GT(m_failed, least - 2 * timeout / 10, name);
                NS_TEST_EXPECT_MSG_LT(m_failed, least + (RETRIES + 2) * open, name);
            }
            else
            {
                // its NIC ports are dark, which is at the sender two fibers later; a queue pair fails
                // when the limit is exceeded
                const Time light =
                    bench.rails[0].GetFiber(0)->GetDelay() + bench.rails[0].GetFiber(1)->GetDelay();
                NS_TEST_EXPECT_MSG_EQ(m_failed, (at + light + dark).GetTimeStep() + 1, name);
            }
            NS_TEST_EXPECT_MSG_EQ((m_others.count(kind) == 0 || m_others[kind] == m_failed),
                                  true,
                                  name << ": equal in both fidelities");
            m_others[kind] = m_failed;
            injector->Dispose();
        }
        Config::Reset();
    }

    Picoseconds m_failed{0};
    std::map<FaultKind, Picoseconds> m_others; //!< in the other fidelity
};

/** A GPU that is replaced. */
class ReplacedTestCase : public TestCase
{
  public:
    ReplacedTestCase()
        : TestCase("After a repair a GPU takes new queue pairs, and its old ones have failed")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.abort = false;
        OpusBench bench(one);
        const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
        injector->SetRails(bench.rails);
        bench.rails[0].GetOpticalSwitch()->Connect(PortId(0), PortId(2));
        Fault fault =
            FaultsBench::MakeFault(FaultKind::GPU_FAILURE, MicroSeconds(10), MicroSeconds(50));
        fault.server = 1;
        injector->Add(fault);
        const auto [here, there] = RdmaEngine::Connect(bench.gpus.Get(0), bench.gpus.Get(1));
        Simulator::Schedule(MicroSeconds(5), &ReplacedTestCase::Post, there, true);
        Simulator::Schedule(MicroSeconds(30), &ReplacedTestCase::Post, there, true);
        Simulator::Schedule(MicroSeconds(70), &ReplacedTestCase::Post, there, false);
        Simulator::Schedule(MicroSeconds(70), &ReplacedTestCase::PostNew, this, &bench);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(there->GetTotals().settled, 1, "before the failure");
        NS_TEST_EXPECT_MSG_EQ(there->GetTotals().failed, 1, "during it");
        NS_TEST_EXPECT_MSG_EQ(there->HasFailed(), true, "it accepts no more");
        NS_TEST_EXPECT_MSG_EQ(m_new->GetTotals().settled, 1, "a new one works");
        std::string findings;
        for (const std::string& line : bench.audit.Check())
        {
            findings += line;
        }
        NS_TEST_EXPECT_MSG_EQ(findings, "", "the audit");
        injector->Dispose();
    }

    static void Post(Ptr<RdmaQueuePair> pair, bool isAccepted)
    {
        NS_ABORT_MSG_UNLESS(pair->Post(RdmaVerb::SEND, 4096).accepted == isAccepted,
                            "whether it accepts a message");
    }

    void PostNew(OpusBench* bench)
    {
        m_new = RdmaEngine::Connect(bench->gpus.Get(1), bench->gpus.Get(0)).first;
        m_new->Post(RdmaVerb::SEND, 4096);
    }

    Ptr<RdmaQueuePair> m_new;
};

/** The suite. */
class FaultsRanksTestSuite : public TestSuite
{
  public:
    FaultsRanksTestSuite()
        : TestSuite("photonic-rails-faults-ranks", TestSuite::Type::UNIT)
    {
        AddTestCase(new SlowGpuTestCase());
        AddTestCase(new FailureTestCase());
        AddTestCase(new ReplacedTestCase());
    }
};

FaultsRanksTestSuite g_faultsRanksTestSuite;

} // namespace
