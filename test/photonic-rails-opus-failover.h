/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAILOVER_H
#define PHOTONIC_RAILS_OPUS_FAILOVER_H

#include "photonic-rails-opus-bench.h"

#include "ns3/rail-net-device.h"
#include "ns3/rdma-engine.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * A small job of two parallelisms on four servers, whose control plane something happens to.
 */

namespace ns3
{

/** It, and who was in charge when. */
class FailoverBench : public OpusBench
{
  public:
    /** What the job is. */
    struct Job
    {
        uint32_t iterations{2};
        Time compute{MicroSeconds(30)};
        uint64_t bytes{1 << 18}; //!< of a buffer
    };

    FailoverBench(const OpusCase& one, const Job& job)
        : OpusBench(one)
    {
        const auto dp = std::make_pair(MakeGroup("dp 0", {0, 1}), MakeGroup("dp 1", {2, 3}));
        const auto pp = std::make_pair(MakeGroup("pp 0", {0, 2}), MakeGroup("pp 1", {1, 3}));
        for (const bool isFirst : {true, false})
        {
            auto program = std::make_shared<RankProgram>();
            for (uint32_t i = 0; i < job.iterations; ++i)
            {
                program->BeginIteration();
                program->Collective(0, 0, CollectiveKind::ALL_GATHER, job.bytes, "ring");
                isFirst ? program->Compute(0, job.compute.GetTimeStep())
                        : program->Receive(0, 1, 0, job.bytes);
                isFirst ? program->Send(0, 1, 1, job.bytes)
                        : program->Compute(0, job.compute.GetTimeStep());
                isFirst ? program->Receive(0, 1, 1, job.bytes) : program->Send(0, 1, 0, job.bytes);
                program->Collective(0, 0, CollectiveKind::REDUCE_SCATTER, job.bytes, "ring");
            }
            for (const uint32_t rank :
                 isFirst ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{2, 3})
            {
                SetProgram(rank,
                           program,
                           {isFirst ? dp.first : dp.second, rank % 2 == 0 ? pp.first : pp.second});
            }
            m_operations += 2 * (program->GetOperations().size() - job.iterations);
        }
        Listen();
    }

    /** @return what is wrong, of a run in which all goes well in the end */
    std::string RunToTheEnd()
    {
        std::string mistakes = Run();
        const auto expect = [&mistakes](bool is, const std::string& mistake) {
            mistakes += is ? "" : mistake + "; ";
        };
        std::set<std::pair<RankId, uint32_t>> once;
        for (const OperationRecord& record : ended)
        {
            expect(once.emplace(record.rank, record.operation).second, "an operation ended twice");
        }
        expect(ended.size() == m_operations && failed.empty() && IsOver(),
               std::to_string(ended.size()) + " of " + std::to_string(m_operations) +
                   " operations have ended" + (failed.empty() ? "" : ": " + failed.front().why));
        expect(audit.GetTotals().framesDropped == 0, "a circuit was cut under traffic");
        for (const Ptr<OcsAgent>& agent : plane.agents)
        {
            expect(agent->GetCounters().alarms == 0, "a switch refused a plan");
        }
        for (const Ptr<OpusShimApp>& shim : plane.shims)
        {
            expect(shim->GetCore().IsIdle(), "a shim is not idle: " + shim->GetCore().Describe());
        }
        for (const auto& [key, phase] : plane.GetInCharge()->GetCore().GetPhases())
        {
            expect(phase.state != ControllerPhase::State::GRANTED, "a phase is still granted");
        }
        if (stood >= 0 && isOnlySilence)
        {
            const Picoseconds silence = MilliSeconds(50).GetTimeStep(); // TakeoverAfter
            expect(stood == heard + silence,
                   "it was a candidate at " + std::to_string(stood) +
                       " ps, and heard the other at " + std::to_string(heard) + " ps");
        }
        return mistakes;
    }

    /** @return plans of a controller that was replaced */
    uint64_t CountStale() const
    {
        uint64_t stale = 0;
        for (const Ptr<OcsAgent>& agent : plane.agents)
        {
            stale += agent->GetCounters().stale;
        }
        return stale;
    }

    /** The first controller is cut off, and mended. @param at when @param span how long */
    void CutOff(Time at, Time span)
    {
        const Ptr<Node> node = plane.controller->GetNode();
        Simulator::Schedule(at, &FailoverBench::Cut, this, node);
        Simulator::Schedule(at + span, &FailoverBench::Mend, this, node);
    }

    void Cut(Ptr<Node> node)
    {
        plane.network.Cut(node);
    }

    void Mend(Ptr<Node> node)
    {
        plane.network.Restore(node);
    }

    std::set<Picoseconds> instants;      //!< when the first controller sent or got something
    std::set<Picoseconds> programs;      //!< when it sent a PROGRAM
    std::vector<Picoseconds> heartbeats; //!< when it sent one
    Picoseconds heard{0};                //!< the standby heard of it last
    Picoseconds stood{-1};               //!< the standby was a candidate for the first time
    Picoseconds tookOver{-1};            //!< and in charge
    bool isOnlySilence{true};            //!< nothing else makes a candidate of it
    bool retired{false};
    uint64_t stalled{0};                         //!< ranks
    std::map<FrameDropReason, uint64_t> dropped; //!< at NICs and switches

  private:
    void Listen()
    {
        plane.controller->TraceConnectWithoutContext("MessageSent",
                                                     MakeCallback(&FailoverBench::Sent, this));
        plane.controller->TraceConnectWithoutContext("MessageReceived",
                                                     MakeCallback(&FailoverBench::Received, this));
        plane.controller->TraceConnectWithoutContext("RoleChanged",
                                                     MakeCallback(&FailoverBench::Retired, this));
        if (plane.standby)
        {
            plane.standby->TraceConnectWithoutContext(
                "MessageReceived",
                MakeCallback(&FailoverBench::LastContact, this));
            plane.standby->TraceConnectWithoutContext("RoleChanged",
                                                      MakeCallback(&FailoverBench::TookOver, this));
        }
        for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
        {
            applications.Get(rank)->TraceConnectWithoutContext(
                "Stalled",
                MakeCallback(&FailoverBench::Stalled, this));
        }
        for (const Rail& rail : rails)
        {
            rail.GetOpticalSwitch()->TraceConnectWithoutContext(
                "FrameDropped",
                MakeCallback(&FailoverBench::DroppedAtSwitch, this));
            for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
            {
                for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
                {
                    rail.GetNic(gpu, port)->TraceConnectWithoutContext(
                        "FrameDropped",
                        MakeCallback(&FailoverBench::Dropped, this));
                }
            }
        }
    }

    void Sent(const OpusMessage& message, const OpusPeer&)
    {
        instants.insert(NowPicoseconds());
        if (message.type == OpusMessage::Type::PROGRAM)
        {
            programs.insert(NowPicoseconds());
        }
        else if (message.type == OpusMessage::Type::HEARTBEAT)
        {
            heartbeats.push_back(NowPicoseconds());
        }
    }

    void Received(const OpusMessage&, const OpusPeer&)
    {
        instants.insert(NowPicoseconds());
    }

    void LastContact(const OpusMessage&, const OpusPeer& peer)
    {
        instants.insert(NowPicoseconds());
        if (peer.address == plane.network.GetAddress(plane.controller->GetNode()) && stood < 0)
        {
            heard = NowPicoseconds();
        }
    }

    void TookOver(OpusControllerApp::Role role, uint32_t)
    {
        if (role == OpusControllerApp::Role::CANDIDATE && stood < 0)
        {
            stood = NowPicoseconds();
        }
        if (role == OpusControllerApp::Role::IN_CHARGE && tookOver < 0)
        {
            tookOver = NowPicoseconds();
        }
    }

    void Retired(OpusControllerApp::Role role, uint32_t)
    {
        retired = retired || role == OpusControllerApp::Role::RETIRED;
    }

    void Stalled(const std::string&)
    {
        ++stalled;
    }

    void Dropped(const WireFrame&, FrameDropReason reason)
    {
        ++dropped[reason];
    }

    void DroppedAtSwitch(PortId, const WireFrame&, FrameDropReason reason)
    {
        ++dropped[reason];
    }

    std::size_t m_operations{0};
};

/** @return four servers on a rail, with a standby */
inline OpusCase
WithStandby(const std::string& policy)
{
    OpusCase one;
    one.servers = 4;
    one.policy = policy;
    one.standby = true;
    one.abort = false;
    return one;
}

/** The controller crashes at every instant at which anything happens to it, just before or after.
 */
class SweepTestCase : public TestCase
{
  public:
    /** @param policy that is run @param every how many instants one is tried */
    SweepTestCase(const std::string& policy, uint32_t every)
        : TestCase("The controller of " + policy + " crashes at some instant"),
          m_policy(policy),
          m_every(every)
    {
    }

  private:
    void DoRun() override
    {
        const OpusCase one = WithStandby(m_policy);
        std::set<Picoseconds> instants;
        Picoseconds end = 0;
        {
            FailoverBench bench(one, {});
            NS_TEST_ASSERT_MSG_EQ(bench.RunToTheEnd(), "", "nothing fails");
            NS_TEST_EXPECT_MSG_EQ(bench.tookOver, -1, "nobody takes over when the job is over");
            NS_TEST_EXPECT_MSG_EQ(
                (bench.plane.standby->GetRole() == OpusControllerApp::Role::STANDBY),
                true,
                "it stands by");
            for (const Picoseconds instant : bench.instants)
            {
                instants.insert({instant, instant + 1});
            }
            end = bench.end;
        }
        NS_TEST_ASSERT_MSG_GT(instants.size(), 100, "much happens");
        uint32_t takeovers = 0;
        uint32_t count = 0;
        for (const Picoseconds instant : instants)
        {
            if (count++ % m_every != 0)
            {
                continue;
            }
            FailoverBench bench(one, {});
            Simulator::Schedule(ToTime(instant), &OpusEndpoint::Crash, bench.plane.controller);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "crash at " << instant << " ps");
            if (bench.tookOver < 0)
            {
                NS_TEST_EXPECT_MSG_LT(bench.end, instant, "the job was over at " << instant);
                continue;
            }
            ++takeovers;
            // what was said last came one message later: the latency, and bits that may queue
            const Picoseconds last =
                instant + one.latency.GetTimeStep() + MicroSeconds(30).GetTimeStep();
            const Picoseconds silence = MilliSeconds(50).GetTimeStep();
            NS_TEST_EXPECT_MSG_LT(bench.heard, last, "crash at " << instant << " ps");
            // shims do not wait for a retransmission to find the new one
            NS_TEST_EXPECT_MSG_LT(bench.end,
                                  std::max(end, last + silence) + (end - instant) +
                                      MilliSeconds(2).GetTimeStep(),
                                  "crash at " << instant << " ps");
        }
        NS_TEST_EXPECT_MSG_GT(takeovers, 50 / m_every, "many of them in the midst of the job");
    }

    std::string m_policy;
    uint32_t m_every;
};

/**
 * The controller crashes while much is lost, so that what it did and what its standby has heard of
 * are not the same.
 */
class LossyCrashTestCase : public TestCase
{
  public:
    /** @param policy that is run @param runs how many */
    LossyCrashTestCase(const std::string& policy, uint32_t runs)
        : TestCase("The controller of " + policy + " crashes while messages are lost"),
          m_policy(policy),
          m_runs(runs)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            RngSeedManager::SetRun(run);
            OpusCase one = WithStandby(m_policy);
            one.loss = 0.2;
            one.adjust = [](OpusHelper& opus) { // so that no message is given up
                opus.SetControllerAttribute("MostAttempts", UintegerValue(16));
                opus.SetAgentAttribute("MostAttempts", UintegerValue(16));
                opus.SetShimAttribute("MostAttempts", UintegerValue(16));
            };
            FailoverBench bench(one, {});
            // the job takes some 2 ms where nothing is lost, and each loss 1 ms or more
            const Time crash = MicroSeconds(20 + run * 7919 % 12'000);
            Simulator::Schedule(crash, &OpusEndpoint::Crash, bench.plane.controller);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(),
                                  "",
                                  "run " << run << ", crash at " << crash.As(Time::US));
        }
        RngSeedManager::SetRun(1);
    }

    std::string m_policy;
    uint32_t m_runs;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAILOVER_H */
