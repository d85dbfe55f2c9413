/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A controller, its standby, and the management network, when they fail.

#include "photonic-rails-opus-crash-cases.h"
#include "photonic-rails-opus-failover.h"

#include "ns3/controller-core.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/shim-core.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <set>
#include <string>

using namespace ns3;

namespace
{

/** @return the time of the bits of a message, or of a bare acknowledgement, on both links */
Picoseconds
BitsOf(std::size_t bytes)
{
    const Picoseconds perByte = 8'000; // 1 Gb/s
    const std::size_t around = OpusHeader::SIZE + 8 + 20 + 2;
    return 2 * perByte * static_cast<Picoseconds>(bytes + around);
}

/** The instant at which a crash is noticed. */
class TakeoverTimeTestCase : public TestCase
{
  public:
    TakeoverTimeTestCase()
        : TestCase("A standby takes over TakeoverAfter after the last heartbeat has come")
    {
    }

  private:
    void DoRun() override
    {
        FailoverBench::Job job;
        job.compute = MilliSeconds(100);
        const OpusCase one = WithStandby("on-demand");
        OpusMessage heartbeat;
        heartbeat.content = OpusHeartbeat();
        const Picoseconds flight =
            one.latency.GetTimeStep() + BitsOf(OpusEncoding::Encode(heartbeat).size());
        for (const int64_t crash : {25, 31, 49, 87})
        {
            FailoverBench bench(one, job);
            Simulator::Schedule(MilliSeconds(crash), &OpusEndpoint::Crash, bench.plane.controller);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "crash at " << crash << " ms");
            // all compute; heartbeats leave every 10 ms
            const Picoseconds last = MilliSeconds(crash / 10 * 10).GetTimeStep();
            NS_TEST_EXPECT_MSG_EQ(bench.heartbeats.back(), last, "crash at " << crash << " ms");
            // it leaves and is taken when the instants of that are over
            NS_TEST_EXPECT_MSG_EQ(bench.stood,
                                  last + 1 + flight + 1 + MilliSeconds(50).GetTimeStep(),
                                  "crash at " << crash << " ms");
            // it requests the agent's promise, and then its acceptance
            const Picoseconds probing = bench.tookOver - bench.stood;
            const Picoseconds least = 4 * (one.latency.GetTimeStep() + BitsOf(0));
            NS_TEST_EXPECT_MSG_GT(probing, least, "crash at " << crash << " ms");
            NS_TEST_EXPECT_MSG_LT(probing, least + 4 * BitsOf(200), "crash at " << crash << " ms");
        }
    }
};

/** No decision waits for a standby: a standby requests the missing state when it takes over. */
class StandbyCostTestCase : public TestCase
{
  public:
    StandbyCostTestCase()
        : TestCase("A standby costs no time")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::vector<Picoseconds>> ends(2);
        for (const bool standby : {false, true})
        {
            OpusCase one = WithStandby("on-demand");
            one.standby = standby;
            FailoverBench bench(one, {});
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "nothing is lost");
            for (const OperationRecord& record : bench.ended)
            {
                ends[standby ? 1 : 0].push_back(record.end.GetTimeStep());
            }
        }
        NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "every operation ends when it did");
    }
};

/** A controller that is only cut off receives the term of its standby when it is mended. */
class CutOffTestCase : public TestCase
{
  public:
    CutOffTestCase()
        : TestCase("A controller that was cut off retires")
    {
    }

  private:
    void DoRun() override
    {
        const OpusCase one = WithStandby("on-demand");
        std::set<Picoseconds> programs;
        std::set<Picoseconds> instants;
        {
            FailoverBench bench(one, {});
            bench.RunToTheEnd();
            programs = bench.programs;
            instants = bench.instants;
        }
        for (const Picoseconds instant : programs)
        {
            for (const Time& span : {MilliSeconds(80), MilliSeconds(900), MilliSeconds(1500)})
            {
                FailoverBench bench(one, {});
                bench.CutOff(ToTime(instant + 1), span); // the PROGRAM does not get through
                NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(), "", "cut at " << instant << " ps");
                NS_TEST_EXPECT_MSG_GT(bench.tookOver, 0, "cut at " << instant << " ps");
                NS_TEST_EXPECT_MSG_EQ(bench.retired, true, "cut at " << instant << " ps");
                NS_TEST_EXPECT_MSG_GT(bench.CountStale(), 0, "it has come to be refused");
            }
        }
        uint32_t count = 0;
        for (const Picoseconds instant : instants)
        {
            if (++count % 3 != 0)
            {
                continue;
            }
            const Time span = MilliSeconds(count % 2 == 0 ? 20 : 70);
            FailoverBench bench(one, {});
            bench.CutOff(ToTime(instant), span);
            NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(),
                                  "",
                                  "cut at " << instant << " ps for " << span.As(Time::MS));
            NS_TEST_EXPECT_MSG_EQ((bench.tookOver < 0 || bench.retired),
                                  true,
                                  "who was replaced knows, cut at " << instant);
        }
    }
};

/** The management network loses packets, is cut, and is mended. */
class NetworkTestCase : public TestCase
{
  public:
    NetworkTestCase()
        : TestCase("Losses and cuts of the management network cost time and nothing else")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            for (const double loss : {0.01, 0.2})
            {
                for (uint64_t run = 1; run <= 10; ++run)
                {
                    RngSeedManager::SetRun(run);
                    OpusCase one = WithStandby(policy);
                    one.standby = run % 2 == 0;
                    one.loss = loss;
                    one.latency = MicroSeconds(run * 20);
                    FailoverBench bench(one, {});
                    NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(),
                                          "",
                                          policy << ", loss " << loss << ", run " << run);
                    NS_TEST_EXPECT_MSG_EQ(bench.tookOver, -1, "a lost heartbeat does no harm");
                }
            }
            for (uint32_t which = 0; which < 6; ++which)
            {
                for (const Time& span : {MilliSeconds(1), MilliSeconds(40), MilliSeconds(2500)})
                {
                    OpusCase one = WithStandby(policy);
                    one.standby = false;
                    FailoverBench bench(one, {});
                    const Ptr<Node> node = which < 4    ? bench.plane.servers.Get(which)
                                           : which == 4 ? bench.plane.controller->GetNode()
                                                        : bench.rails[0].GetSwitchNode();
                    const Time at = MicroSeconds(150 + 97 * which);
                    Simulator::Schedule(at,
                                        &FailoverBench::Cut,
                                        static_cast<FailoverBench*>(&bench),
                                        node);
                    Simulator::Schedule(at + span,
                                        &FailoverBench::Mend,
                                        static_cast<FailoverBench*>(&bench),
                                        node);
                    NS_TEST_EXPECT_MSG_EQ(bench.RunToTheEnd(),
                                          "",
                                          policy << ", node " << which << " cut for "
                                                 << span.As(Time::MS));
                }
            }
        }
        RngSeedManager::SetRun(1);
    }
};

/**
 * Shims stop waiting and send. Ranks 0 and 1 have circuits for dp; then the link of a server to the
 * management network is cut, so that their next requests are lost.
 */
class SendAnywayTestCase : public TestCase
{
  public:
    SendAnywayTestCase()
        : TestCase("A shim that stops waiting sends, and nothing goes astray")
    {
    }

  private:
    /** The setup of the run. */
    struct Run
    {
        std::string name;
        Time cutAt;
        Time cutFor;          //!< 0: for ever
        uint32_t server;      //!< that is cut off; 9: none
        Time reconfiguration; //!< of the switch
        uint32_t ports;       //!< of a GPU
        bool ends;            //!< circuits come in the end
        bool isHeld;          //!< no port that is sent on has light meanwhile
    };

    OpusCase MakeCase(const Run& run) const
    {
        OpusCase one;
        one.servers = 4;
        one.ports = run.ports;
        one.abort = false;
        one.reconfiguration = run.reconfiguration;
        one.adjust = [](OpusHelper& opus) {
            opus.SetShimAttribute("GiveUpAfter", TimeValue(Seconds(10)));
            opus.SetShimAttribute("WhenGivenUp", StringValue("Send"));
            opus.SetControllerAttribute("ProgramLimit", TimeValue(Seconds(40)));
        };
        return one;
    }

    void DoRun() override
    {
        const std::vector<Run> runs = {
            // a send waits for the report of its receiver, over the right circuit, that it is ready
            {"cut from the start",
             MilliSeconds(0),
             Seconds(12),
             2,
             MicroSeconds(100),
             1,
             true,
             true},
            {"the switch is slower", Seconds(0), Seconds(0), 9, Seconds(12), 1, true, true},
            {"cut after dp", MicroSeconds(230), Seconds(12), 2, MicroSeconds(100), 1, true, false},
            {"cut after dp, two ports",
             MicroSeconds(230),
             Seconds(12),
             2,
             MicroSeconds(100),
             2,
             true,
             false},
            {"cut for ever", MicroSeconds(230), Seconds(0), 2, MicroSeconds(100), 1, false, false},
        };
        for (const Run& run : runs)
        {
            FailoverBench::Job job;
            job.compute = MicroSeconds(200);
            FailoverBench bench(MakeCase(run), job);
            for (uint32_t gpu = 0; gpu < 4; ++gpu)
            {
                // a queue pair tolerates no answer for 30 s
                const Ptr<RdmaEngine> engine = bench.gpus.Get(gpu)->GetObject<RdmaEngine>();
                engine->SetAttribute("TimeoutExponent", UintegerValue(run.ends ? 20 : 16));
                bench.applications.Get(gpu)->SetAttribute("StallLimit", TimeValue(Seconds(60)));
            }
            if (run.server < 4)
            {
                const Ptr<Node> node = bench.plane.servers.Get(run.server);
                Simulator::Schedule(run.cutAt, &FailoverBench::Cut, &bench, node);
                if (run.cutFor.IsStrictlyPositive())
                {
                    Simulator::Schedule(run.cutAt + run.cutFor, &FailoverBench::Mend, &bench, node);
                }
            }
            const std::string findings = bench.Run();
            uint64_t givenUp = 0;
            for (const Ptr<OpusShimApp>& shim : bench.plane.shims)
            {
                givenUp += shim->GetCore().GetCounters().givenUp;
            }
            NS_TEST_EXPECT_MSG_GT(givenUp, 0, run.name << ": somebody stopped waiting");
            // settled messages arrived at their destination, and all bytes of each operation came
            const RailAudit::Totals totals = bench.audit.GetTotals();
            for (const OperationRecord& record : bench.ended)
            {
                const bool isSend = record.call.kind == RankOperation::Kind::SEND;
                const bool isReceive = record.call.kind == RankOperation::Kind::RECEIVE;
                const bool isCollective = record.call.kind == RankOperation::Kind::COLLECTIVE;
                const uint64_t sent = isSend ? job.bytes : isCollective ? job.bytes / 2 : 0;
                const uint64_t come = isReceive ? job.bytes : isCollective ? job.bytes / 2 : 0;
                NS_TEST_EXPECT_MSG_EQ(record.bytesSent, sent, run.name);
                NS_TEST_EXPECT_MSG_EQ(record.bytesReceived, come, run.name);
            }
            NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), run.ends, run.name << ": the job ends");
            if (run.ends)
            {
                NS_TEST_EXPECT_MSG_EQ(findings, "", run.name);
                NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), 0, run.name);
                NS_TEST_EXPECT_MSG_EQ(totals.bytesArrived, totals.bytesPosted, run.name);
                NS_TEST_EXPECT_MSG_EQ(totals.messagesArrived, totals.messagesPosted, run.name);
            }
            else
            {
                NS_TEST_EXPECT_MSG_GT(bench.failed.size() + bench.stalled, 0, run.name);
            }
            uint64_t lost = 0;
            for (const auto& [reason, frames] : bench.dropped)
            {
                NS_TEST_EXPECT_MSG_EQ((reason == FrameDropReason::WRONG_DESTINATION ||
                                       reason == FrameDropReason::NO_CIRCUIT),
                                      true,
                                      run.name << ": " << reason);
                lost += frames;
            }
            NS_TEST_EXPECT_MSG_EQ(lost, totals.framesDropped, run.name);
            NS_TEST_EXPECT_MSG_EQ((lost == 0),
                                  run.isHeld,
                                  run.name << ": " << lost << " frames came to a stranger");
        }
    }
};

/** The suite. */
class OpusFailoverTestSuite : public TestSuite
{
  public:
    OpusFailoverTestSuite()
        : TestSuite("photonic-rails-opus-failover", TestSuite::Type::UNIT)
    {
        AddTestCase(new SweepTestCase("on-demand", 5));
        AddTestCase(new SweepTestCase("provisioned", 11));
        AddTestCase(new LossyCrashTestCase("on-demand", 60));
        AddTestCase(new LossyCrashTestCase("provisioned", 30));
        AddTestCase(new TakeoverTimeTestCase);
        AddTestCase(new StandbyCostTestCase);
        AddTestCase(new CutOffTestCase);
        AddTestCase(new NetworkTestCase);
        AddTestCase(new SendAnywayTestCase);
    }
};

static OpusFailoverTestSuite g_opusFailoverTestSuite;

} // namespace
