/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Mistakes with collectives, and failures under them: each is answered in one line that names the
// values, the limit and the remedy. Or, if that is configured, by a trace source, and others go on.

#include "../support/photonic-rails-collective-bench.h"
#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/instant-circuits.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

using namespace ns3;

namespace
{

/** Ranks on a rail, each with a program to be. */
struct Job
{
    /**
     * @param what the rail
     * @param attributes of the applications
     */
    explicit Job(const CollectiveCase& what,
                 const std::vector<std::pair<std::string, std::string>>& attributes = {})
        : one(what),
          rail(MakeCollectiveRail(what))
    {
        CollectiveHelper helper;
        helper.SetAttribute("MessageSize", UintegerValue(one.messageSize));
        helper.SetAttribute("StallLimit", StringValue("5ms"));
        for (const auto& [name, value] : attributes)
        {
            helper.SetAttribute(name, StringValue(value));
        }
        if (one.railSwitch == CollectiveCase::RECONFIGURING)
        {
            helper.SetBroker(CreateObject<InstantCircuits>(
                std::make_shared<const RailLinks>(std::vector<Rail>{rail})));
        }
        collectives = helper.Install(rail);
        applications = collectives->GetApplications();
        all = collectives->MakeGroup("all", FirstRanks(one.ranks));
        for (uint32_t r = 0; r < one.ranks; ++r)
        {
            programs.push_back(std::make_shared<RankProgram>());
        }
    }

    /** All ranks call it. @param kind @param bytes @param algorithm by name */
    void CallAll(CollectiveKind kind, uint64_t bytes, const std::string& algorithm = "ring")
    {
        for (const auto& program : programs)
        {
            program->Collective(0, 0, kind, bytes, algorithm);
        }
    }

    /** Gives the ranks that have operations their programs, with the group of all, and more. */
    void SetPrograms(const CollectiveApplication::Groups& more = {})
    {
        CollectiveApplication::Groups groups{all};
        groups.insert(groups.end(), more.begin(), more.end());
        for (uint32_t r = 0; r < one.ranks; ++r)
        {
            if (!programs[r]->GetOperations().empty())
            {
                collectives->SetProgram(r, programs[r], groups);
            }
        }
    }

    /** Runs it. */
    void Run()
    {
        SetPrograms();
        Simulator::Run();
    }

    CollectiveCase one;
    Rail rail;
    Ptr<CollectiveJob> collectives;
    ApplicationContainer applications;
    std::shared_ptr<const CommunicationGroup> all;
    std::vector<std::shared_ptr<RankProgram>> programs;
};

/** @return a rail of so many ranks */
CollectiveCase
Ranks(uint32_t ranks, CollectiveCase::RailKind railSwitch = CollectiveCase::RING)
{
    CollectiveCase one;
    one.ranks = ranks;
    one.railSwitch = railSwitch;
    return one;
}

/** All engines give up soon. */
void
LoseHopeSoon(const Job& job)
{
    for (uint32_t r = 0; r < job.one.ranks; ++r)
    {
        const Ptr<RdmaEngine> engine = job.rail.GetGpu(r)->GetObject<RdmaEngine>();
        engine->SetAttribute("RetryLimit", UintegerValue(2));
        engine->SetAttribute("TimeoutExponent", UintegerValue(5)); // 131 us
        engine->SetAttribute("DarkLimit", TimeValue(MicroSeconds(300)));
    }
}

/** Cuts the fibers of a rank. @param job @param rank whose @param when */
void
CutFibersOf(const Job& job, uint32_t rank, Time when)
{
    for (uint32_t port = 0; port < job.one.ports; ++port)
    {
        Simulator::Schedule(when, &OpticalFiber::Cut, job.rail.GetFiber(rank, port), 0.5);
    }
}

std::vector<Mistake>
CallsThatDiffer()
{
    return {
        {"ranks that choose differently",
         [] {
             Job job(Ranks(4));
             job.applications.Get(1)->SetAttribute("Fallback", BooleanValue(false));
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000, "halving-doubling");
             job.Run();
         },
         {"operation 0 of group \"all\"",
          "rank 0 does it by \"ring\", and rank 1 by \"none\"",
          "give all the same attributes"}},
        {"sizes that differ",
         [] {
             Job job(Ranks(4));
             for (uint32_t r = 0; r < 4; ++r)
             {
                 job.programs[r]->Collective(0, 0, CollectiveKind::ALL_REDUCE, r == 2 ? 999 : 1000);
             }
             job.Run();
         },
         {"operation 0 of group \"all\"",
          "rank 0 called all-reduce of 1000 bytes",
          "rank 2 called all-reduce of 999 bytes",
          "must call the same in the same order"}},
        {"kinds that differ",
         [] {
             Job job(Ranks(4));
             for (uint32_t r = 0; r < 4; ++r)
             {
                 job.programs[r]->Collective(0,
                                             0,
                                             r == 3 ? CollectiveKind::ALL_GATHER
                                                    : CollectiveKind::REDUCE_SCATTER,
                                             1000);
             }
             job.Run();
         },
         {"rank 0 called reduce-scatter of 1000 bytes",
          "rank 3 called all-gather of 1000 bytes",
          "must call the same"}},
        {"roots that differ",
         [] {
             Job job(Ranks(4));
             job.CallAll(CollectiveKind::BROADCAST, 1000);
             job.programs[1]->Edit(0).place = 1;
             job.Run();
         },
         {"rank 0 called broadcast of 1000 bytes with root 0",
          "rank 1 called broadcast of 1000 bytes with root 1"}},
        {"algorithms that differ",
         [] {
             Job job(Ranks(4, CollectiveCase::ELECTRICAL));
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000);
             job.programs[3]->Edit(0).algorithm = "tree";
             job.Run();
         },
         {"rank 0 called all-reduce of 1000 bytes by ring",
          "rank 3 called all-reduce of 1000 bytes by tree"}},
        {"stragglers that differ",
         [] {
             Job job(Ranks(4, CollectiveCase::ELECTRICAL));
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000, "straggl-ar");
             job.programs[3]->Edit(0).straggler = 2;
             job.Run();
         },
         {"rank 0 called", "rank 3 called", "straggler 2"}},
        {"a receive of another size than the send",
         [] {
             Job job(Ranks(2));
             job.programs[0]->Send(0, 0, 1, 1000);
             job.programs[1]->Receive(0, 0, 0, 1001);
             job.Run();
         },
         {"rank 0 called a message of 1000 bytes", "rank 1 called a message of 1001 bytes"}},
    };
}

std::vector<Mistake>
CallsThatAreMissing()
{
    return {
        {"a rank that never calls what others have begun to do",
         [] {
             Job job(Ranks(4));
             job.CallAll(CollectiveKind::ALL_REDUCE, 4000);
             job.programs[3] = std::make_shared<RankProgram>();
             job.Run();
         },
         {"to rank 3 in a group or direction", "the program of rank 3 does not name"}},
        {"a rank that never calls, and circuits that wait for it",
         [] {
             Job job(Ranks(4, CollectiveCase::RECONFIGURING));
             job.CallAll(CollectiveKind::ALL_REDUCE, 4000);
             job.programs[3] = std::make_shared<RankProgram>();
             job.Run();
         },
         {"rank 0: nothing has happened for",
          "(StallLimit)",
          "all-reduce number 0 by ring of 4000 bytes in group \"all\"",
          "rank 3 has not called it",
          "no circuits yet for stage 0"}},
        {"a rank that calls less often than others",
         [] {
             Job job(Ranks(4));
             job.CallAll(CollectiveKind::ALL_REDUCE, 4000);
             for (uint32_t r = 0; r < 3; ++r)
             {
                 job.programs[r]->Collective(0, 0, CollectiveKind::ALL_GATHER, 8000, "ring");
             }
             job.Run();
         },
         {"nothing has happened for",
          "(StallLimit)",
          "all-gather number 1 by ring of 8000 bytes in group \"all\"",
          "rank 3 has not called it",
          "messages from rank"}},
        {"two groups in opposite order",
         [] {
             Job job(Ranks(2));
             const auto other = job.collectives->MakeGroup("other", {0, 1});
             job.programs[0]->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1000);
             job.programs[0]->Collective(0, 1, CollectiveKind::ALL_REDUCE, 1000);
             job.programs[1]->Collective(0, 1, CollectiveKind::ALL_REDUCE, 1000);
             job.programs[1]->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1000);
             job.SetPrograms({other});
             Simulator::Run();
         },
         {"rank 0: nothing has happened for",
          "in group \"all\"",
          "rank 1 has not called it",
          "messages from rank 1"}},
        {"a send that nobody receives",
         [] {
             Job job(Ranks(2));
             job.programs[0]->Send(0, 0, 1, 1000);
             job.programs[1]->Compute(0, ToTime(1));
             job.Run();
         },
         {"rank 0 sends to rank 1 in a group or direction", "does not name"}},
        {"one more send than receives",
         [] {
             Job job(Ranks(2));
             job.programs[0]->Send(0, 0, 1, 1000);
             job.programs[0]->Send(0, 0, 1, 1000);
             job.programs[1]->Receive(0, 0, 0, 1000);
             job.Run(); // ends: the message is there, and no receive is called
             RailAudit audit;
             audit.Add(job.rail);
             audit.Add(job.applications);
             audit.Require();
         },
         {"bytes that ranks sent in operations, and received: 2000 and 1000"}},
        {"two ranks that send to each other before they receive",
         [] {
             Job job(Ranks(2));
             for (uint32_t r = 0; r < 2; ++r)
             {
                 job.programs[r]->Send(0, 0, 1 - r, 1 << 20);
                 job.programs[r]->Receive(0, 0, 1 - r, 1 << 20);
             }
             job.Run();
         },
         {"nothing has happened for",
          "has not reported the call of its receive (EagerLimit, EagerSends)"}},
        {"a receive that nobody sends",
         [] {
             Job job(Ranks(2));
             job.programs[0]->Compute(0, ToTime(1));
             job.programs[1]->Receive(0, 0, 0, 1000);
             job.Run();
         },
         {"rank 1: nothing has happened for",
          "receive number 0 from rank 0 of 1000 bytes",
          "rank 0 has not called it"}},
    };
}

std::vector<Mistake>
CallsThatCantBeDone()
{
    return {
        {"a circuit that is not there, with the fallback off",
         [] {
             Job job(Ranks(8), {{"Fallback", "false"}});
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000, "halving-doubling");
             job.Run();
         },
         {"can't go on",
          "\"halving-doubling\" for all-reduce",
          "no circuit joins rank 0 and rank",
          "its fallback is \"ring\", which is not allowed"}},
        {"an unknown algorithm",
         [] {
             Job job(Ranks(2));
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000, "rings");
             job.Run();
         },
         {"rings: no such algorithm for all-reduce", "known: ring, tree", "did you mean ring?"}},
        {"straggl-ar of too few ranks",
         [] {
             Job job(Ranks(2, CollectiveCase::ELECTRICAL), {{"Fallback", "false"}});
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000, "straggl-ar");
             job.Run();
         },
         {"can't go on",
          "\"straggl-ar\" for all-reduce",
          "with fewer than 3 ranks",
          "which is not allowed"}},
        {"more messages than a tag can number",
         [] {
             Job job(Ranks(2), {{"MessageSize", "1"}});
             job.CallAll(CollectiveKind::ALL_REDUCE, 1 << 21);
             job.Run();
         },
         {"2097152 bytes", "more than 262144 messages", "raise MessageSize"}},
        {"more messages than there is memory for",
         [] {
             Job job(Ranks(2), {{"MessageSize", "1"}});
             job.CallAll(CollectiveKind::ALL_REDUCE, uint64_t{1} << 50);
             job.Run();
         },
         {"1125899906842624 bytes", "messages", "raise MessageSize"}},
        {"a root that is not in the group",
         [] {
             Job job(Ranks(4));
             job.CallAll(CollectiveKind::BROADCAST, 1000);
             job.programs[0]->Edit(0).place = 4;
             job.Run();
         },
         {"operation 0 of rank 0 names place 4", "\"all\"", "4 places, counted from 0"}},
        {"a send to itself",
         [] {
             Job job(Ranks(2));
             job.programs[1]->Send(0, 0, 1, 1000);
             job.Run();
         },
         {"operation 0 of rank 1 sends to itself"}},
        {"a group that is not given",
         [] {
             Job job(Ranks(2));
             job.programs[0]->Collective(0, 2, CollectiveKind::ALL_REDUCE, 1000);
             job.Run();
         },
         {"rank 0 names 3 groups", "1 are given"}},
        {"a group that the rank is not in",
         [] {
             Job job(Ranks(4));
             const auto others = job.collectives->MakeGroup("others", {1, 2});
             job.programs[0]->Collective(0, 1, CollectiveKind::ALL_REDUCE, 1000);
             job.SetPrograms({others});
         },
         {"rank 0 is not in \"others\""}},
        {"a second program",
         [] {
             Job job(Ranks(2));
             job.CallAll(CollectiveKind::ALL_REDUCE, 1000);
             job.SetPrograms();
             job.SetPrograms();
         },
         {"rank 0 has a program already", "put all of it into one"}},
    };
}

std::vector<Mistake>
MistakesWithGroups()
{
    return {
        {"a rank that there is not",
         [] {
             Job(Ranks(4)).collectives->MakeGroup("wide", {0, 4});
         },
         {"\"wide\" names rank 4", "there are 4, counted from 0"}},
        {"a rank twice",
         [] {
             Job(Ranks(4)).collectives->MakeGroup("double", {0, 2, 0});
         },
         {"\"double\" names rank 0 twice"}},
        {"a rank alone",
         [] { Job(Ranks(4)).collectives->MakeGroup("lonely", {3}); },
         {"\"lonely\" has 1 ranks", "2 or more"}},
        {"servers that do not divide the group",
         [] {
             Job(Ranks(4)).collectives->MakeGroup("uneven", {0, 1, 2}, 2);
         },
         {"\"uneven\" has 3 ranks", "no multiple of 2"}},
        {"a program for a rank that there is not",
         [] { Job(Ranks(4)).collectives->SetProgram(4, std::make_shared<RankProgram>(), {}); },
         {"there is no rank 4", "Install() made 4"}},
        {"nodes without an engine",
         [] {
             const Rail rail = PhotonicRailHelper().Install(NodeContainer(2));
             CollectiveHelper().Install(rail);
         },
         {"the node of rank 0 has no RdmaEngine", "RdmaHelper"}},
        {"an operation that comes after itself",
         [] {
             RankProgram program;
             program.After(program.Compute(0, ToTime(1)), 0);
         },
         {"operation 0 can't come after operation 0"}},
    };
}

std::vector<Mistake>
ThingsThatBreak()
{
    return {
        {"a fiber that is cut in the midst",
         [] {
             Job job(Ranks(4));
             LoseHopeSoon(job);
             CutFibersOf(job, 2, MicroSeconds(50));
             job.CallAll(CollectiveKind::ALL_REDUCE, 64 << 20);
             job.Run();
         },
         {"all-reduce number 0 by ring", "a message of", "failed", "no carrier"}},
        {"a fiber that is cut in the midst, and patience",
         [] {
             Job job(Ranks(4));
             CutFibersOf(job, 2, MicroSeconds(50));
             job.CallAll(CollectiveKind::ALL_REDUCE, 64 << 20);
             job.Run();
         },
         {"nothing has happened for",
          "(StallLimit)",
          "messages sent and not settled",
          "port",
          "queue pair"}},
    };
}

/** The reports of a job that does not abort. */
class Listener
{
  public:
    explicit Listener(Job& job)
        : m_job(job)
    {
        m_audit.Add(job.rail);
        m_audit.Add(job.applications);
        for (uint32_t r = 0; r < job.one.ranks; ++r)
        {
            const Ptr<Application> application = job.applications.Get(r);
            application->TraceConnectWithoutContext("OperationFailed",
                                                    MakeCallback(&Listener::Failed, this));
            application->TraceConnectWithoutContext("OperationEnded",
                                                    MakeCallback(&Listener::Ended, this));
            application->TraceConnectWithoutContext("Stalled",
                                                    MakeCallback(&Listener::Stalled, this));
        }
    }

    /** @return the findings of the audit, as one text */
    std::string GetFindings() const
    {
        std::string all;
        for (const std::string& line : m_audit.Check())
        {
            all += line + "\n";
        }
        return all;
    }

    /** @return the number of operations of the last two ranks that are over */
    uint64_t GetEndedOfOthers() const
    {
        return m_job.collectives->Get(2)->GetCounters().ended +
               m_job.collectives->Get(3)->GetCounters().ended;
    }

    std::vector<OperationRecord> failed;
    std::vector<OperationRecord> ended;
    std::vector<std::string> stalled;

  private:
    void Failed(const OperationRecord& record)
    {
        failed.push_back(record);
    }

    void Ended(const OperationRecord& record)
    {
        ended.push_back(record);
    }

    void Stalled(const std::string& report)
    {
        stalled.push_back(report);
    }

    Job& m_job;
    RailAudit m_audit;
};

/** Ranks 0 and 1 fail, and ranks 2 and 3 do not. */
class GoesOnTest : public TestCase
{
  public:
    GoesOnTest()
        : TestCase("with AbortOnFailure false, trace sources tell, and others go on")
    {
    }

  private:
    /** The failure. */
    enum Trouble
    {
        STALL,
        REFUSAL,
        CUT
    };

    void DoRun() override
    {
        for (const Trouble trouble : {STALL, REFUSAL, CUT})
        {
            const HostBench::Case self;
            Check(trouble);
        }
    }

    void Check(Trouble trouble)
    {
        Job job(Ranks(4), {{"AbortOnFailure", "false"}, {"Fallback", "false"}});
        const auto first = job.collectives->MakeGroup("first", {0, 1});
        const auto last = job.collectives->MakeGroup("last", {2, 3});
        const auto across = job.collectives->MakeGroup("across", {0, 2});
        if (trouble != STALL)
        {
            LoseHopeSoon(job);
        }
        for (const uint32_t r : {0, 1})
        {
            job.programs[r]->Collective(0, 0, CollectiveKind::ALL_REDUCE, 64 << 20, "ring");
        }
        if (trouble == STALL)
        {
            // rank 0 waits for a message that rank 1 never sends
            job.programs[0]->Receive(0, 0, 1, 1000);
        }
        if (trouble == CUT)
        {
            CutFibersOf(job, 0, MicroSeconds(50));
        }
        for (const uint32_t r : {2, 3})
        {
            job.programs[r]->Compute(0, ToTime(20'000'000'000)); // 20 ms: long after the trouble
            job.programs[r]->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20, "ring");
        }
        if (trouble == REFUSAL)
        {
            job.programs[0] = std::make_shared<RankProgram>();
            job.programs[0]->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1000, "ring");
            job.programs[1] = std::make_shared<RankProgram>();
        }
        job.collectives->SetProgram(0, job.programs[0], {trouble == REFUSAL ? across : first});
        if (trouble != REFUSAL)
        {
            job.collectives->SetProgram(1, job.programs[1], {first});
        }
        job.collectives->SetProgram(2, job.programs[2], {last});
        job.collectives->SetProgram(3, job.programs[3], {last});
        Listener listener(job);
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(listener.GetEndedOfOthers(), 4, "ranks 2 and 3 go on");
        const std::string findings = listener.GetFindings();
        std::string output;
        for (const OperationRecord& record : listener.failed)
        {
            output += record.why + "\n";
        }
        for (const std::string& report : listener.stalled)
        {
            output += report + "\n";
        }
        switch (trouble)
        {
        case STALL:
            NS_TEST_EXPECT_MSG_EQ(listener.failed.size(), 0, output);
            NS_TEST_ASSERT_MSG_EQ(listener.stalled.size(), 1, output);
            for (const std::string word :
                 {"rank 0: nothing", "receive number 0", "rank 1 has not called"})
            {
                NS_TEST_EXPECT_MSG_EQ((output.find(word) != std::string::npos), true, output);
            }
            NS_TEST_EXPECT_MSG_EQ((findings.find("rank 1 has not called") != std::string::npos),
                                  true,
                                  findings);
            break;
        case REFUSAL:
            NS_TEST_EXPECT_MSG_EQ(listener.stalled.size(), 0, output);
            NS_TEST_ASSERT_MSG_EQ(listener.failed.size(), 1, output);
            NS_TEST_EXPECT_MSG_EQ(listener.failed[0].rank.Get(), 0, "who failed");
            NS_TEST_EXPECT_MSG_EQ(
                (output.find("no circuit joins rank 0 and rank 2") != std::string::npos),
                true,
                output);
            NS_TEST_EXPECT_MSG_EQ(findings, "", "a failure is no loss");
            break;
        case CUT:
            NS_TEST_EXPECT_MSG_EQ(listener.failed.size() + listener.stalled.size(), 2, output);
            NS_TEST_ASSERT_MSG_GT(listener.failed.size(), 0, output);
            NS_TEST_EXPECT_MSG_EQ((output.find("failed: ") != std::string::npos), true, output);
            NS_TEST_EXPECT_MSG_EQ((output.find("no carrier") != std::string::npos), true, output);
            break;
        }
        for (uint32_t r = 0; r < 4; ++r)
        {
            NS_TEST_EXPECT_MSG_EQ(job.collectives->Get(r)->IsOver(),
                                  (r >= 2 || (trouble == STALL && r == 1)),
                                  "rank " << r);
        }
    }
};

/** Computing may take any time. */
class ComputingTest : public TestCase
{
  public:
    ComputingTest()
        : TestCase("a rank that computes is not stalled")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        Job job(Ranks(2), {{"AbortOnFailure", "false"}});
        for (const auto& program : job.programs)
        {
            program->Compute(0, ToTime(1'000'000'000'000)); // 1 s, with a limit of 5 ms
            program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20, "ring");
            program->Compute(0, ToTime(1'000'000'000'000));
        }
        // computing on another stream, behind an operation that waits for the other rank
        job.programs[0]->Compute(1, ToTime(3'000'000'000'000));
        Listener listener(job);
        job.Run();
        NS_TEST_EXPECT_MSG_EQ(listener.stalled.size(), 0, "nobody is stalled");
        NS_TEST_EXPECT_MSG_EQ(listener.ended.size(), 7, "all is over");
        NS_TEST_EXPECT_MSG_EQ(listener.GetFindings(), "", "audit");
        // the checks do not keep the simulation going
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Seconds(3), "the last thing that happens");
    }
};

/** The suite. */
class CollectiveMistakesTestSuite : public TestSuite
{
  public:
    CollectiveMistakesTestSuite()
        : TestSuite("photonic-rails-collective-mistakes", TestSuite::Type::UNIT)
    {
        AddTestCase(new MistakesTest("calls that differ", CallsThatDiffer()));
        AddTestCase(new MistakesTest("calls that are missing", CallsThatAreMissing()));
        AddTestCase(new MistakesTest("calls that can't be done", CallsThatCantBeDone()));
        AddTestCase(new MistakesTest("mistakes with groups", MistakesWithGroups()));
        AddTestCase(new MistakesTest("things that break", ThingsThatBreak()));
        AddTestCase(new GoesOnTest);
        AddTestCase(new ComputingTest);
    }
};

static CollectiveMistakesTestSuite g_collectiveMistakesTestSuite;

} // namespace
