/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training jobs that come and go on the same rails.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shared-rails.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t SWITCHING = 300; // us, of the switches

/** A job to add. */
struct Wanted
{
    std::string name;
    uint32_t iterations;
    Time arrival;
    std::vector<uint32_t> servers;
};

/** What a job saw: everything that must not depend on others. */
struct Seen
{
    Time wait;
    Time stay;      //!< from the start of its ranks to the end of the last one
    Time returning; //!< from there to the return of its servers
    std::vector<Time> iterations;
    std::vector<Time> ends; //!< of its operations, from the start, in order of rank and number
    uint64_t reconfigurations;
    uint64_t frames;
    std::string whyNot;
    std::vector<uint32_t> servers;
};

/** Collects the ends of the operations of a job. */
struct Ends
{
    std::map<std::pair<uint32_t, uint32_t>, Time> ends;

    void Add(const OperationRecord& record)
    {
        ends[{record.rank.Get(), record.operation}] = record.end;
    }
};

/** Cluster of servers with 2 GPUs, and jobs on it. */
class SharedBench
{
  public:
    SharedBench(const std::string& policy, uint32_t servers)
        : m_policy(policy)
    {
        UsePicoseconds();
        NodeContainer gpus(2 * servers);
        PhotonicRailHelper photonic;
        ElectricalRailHelper electrical;
        photonic.SetReconfigurationTime(MicroSeconds(SWITCHING));
        photonic.SetSwitchAttribute("Radix", UintegerValue(2 * servers));
        photonic.SetPorts(2, DataRate("200Gbps"));
        electrical.SetPorts(2, DataRate("200Gbps"));
        shared = CreateObject<SharedRails>();
        shared->SetRails(policy == "electrical" ? electrical.InstallRails(gpus, 2)
                                                : photonic.InstallRails(gpus, 2));
    }

    ~SharedBench()
    {
        shared->Dispose();
        Simulator::Destroy();
        Config::Reset();
    }

    /** Jobs of 2 stages, with 2 copies, on 4 servers each. */
    TrainingJobHelper MakeHelper(uint32_t iterations) const
    {
        const TrainingCase one = TrainingCase::Small();
        TrainingJobHelper helper;
        helper.SetModel(one.shape);
        helper.SetParallelismPlan(one.plan);
        helper.SetRecipe(one.recipe);
        helper.SetGpu("A100", 0.3);
        helper.SetPolicy(m_policy);
        helper.SetReconfigurationTime(MicroSeconds(SWITCHING));
        helper.SetIterations(iterations);
        return helper;
    }

    std::vector<Seen> Run(const std::vector<Wanted>& jobs)
    {
        std::deque<Ends> ends(jobs.size());
        shared->TraceConnectWithoutContext("StateChanged",
                                           MakeCallback(&SharedBench::Changed, this));
        for (const Wanted& job : jobs)
        {
            shared->Add(job.name, MakeHelper(job.iterations), job.arrival, job.servers);
        }
        m_ends = &ends;
        Simulator::Run();
        shared->Require();
        std::vector<Seen> all;
        for (uint32_t j = 0; j < jobs.size(); ++j)
        {
            const JobStay& stay = shared->GetStay(j);
            Seen one;
            one.wait = stay.GetWait();
            one.stay = stay.end - stay.start;
            one.returning = stay.returned - stay.end;
            one.whyNot = stay.whyNot;
            one.servers = stay.servers;
            for (uint32_t i = 1; i <= jobs[j].iterations; ++i)
            {
                one.iterations.push_back(stay.run->GetIteration(i).end);
            }
            for (const auto& [key, end] : ends[j].ends)
            {
                one.ends.push_back(end - stay.start);
            }
            one.reconfigurations = stay.run->GetAll().reconfigurations;
            one.frames = stay.run->GetOnWire().frames;
            all.push_back(one);
        }
        return all;
    }

    Ptr<SharedRails> shared;

  private:
    void Changed(uint32_t job, const JobStay& stay)
    {
        if (stay.state == JobStay::State::RUNNING)
        {
            stay.run->collectives->TraceConnect("OperationEnded",
                                                MakeCallback(&Ends::Add, &(*m_ends)[job]));
        }
    }

    std::string m_policy;
    std::deque<Ends>* m_ends{nullptr};
};

/** Jobs on servers of their own. */
class ApartTestCase : public TestCase
{
  public:
    explicit ApartTestCase(const std::string& policy)
        : TestCase("Jobs on different servers run as if they were alone: " + policy),
          m_policy(policy)
    {
    }

  private:
    void ExpectEqual(const Seen& one, const Seen& other, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(one.wait, other.wait, what << ": wait");
        NS_TEST_EXPECT_MSG_EQ(one.stay, other.stay, what << ": stay");
        NS_TEST_EXPECT_MSG_EQ(one.returning, other.returning, what << ": return");
        NS_TEST_EXPECT_MSG_EQ((one.iterations == other.iterations), true, what << ": iterations");
        NS_TEST_EXPECT_MSG_EQ((one.ends == other.ends), true, what << ": each operation");
        NS_TEST_EXPECT_MSG_EQ(one.reconfigurations, other.reconfigurations, what);
        NS_TEST_EXPECT_MSG_EQ(one.frames, other.frames, what << ": frames");
    }

    void DoRun() override
    {
        const Wanted first{"first", 3, Time(0), {0, 1, 2, 3}};
        const Wanted second{"second", 2, MicroSeconds(777), {4, 6, 5, 7}};
        const std::vector<Seen> both = SharedBench(m_policy, 8).Run({first, second});
        ExpectEqual(both[0], SharedBench(m_policy, 8).Run({first})[0], "first");
        ExpectEqual(both[1], SharedBench(m_policy, 8).Run({second})[0], "second");
        NS_TEST_EXPECT_MSG_GT(both[0].ends.size(), 100, "operations are compared");
        NS_TEST_EXPECT_MSG_GT(both[0].frames, 100, "frames are counted");
        NS_TEST_EXPECT_MSG_EQ((both[0].stay > MicroSeconds(777)), true, "they overlap");
        if (m_policy.rfind("rotor", 0) == 0)
        {
            return; // its slots begin at fixed times, so a job depends on the time of its start
        }
        // on other servers, and later, it runs the same
        const Wanted elsewhere{"elsewhere", 2, MilliSeconds(5), {}};
        Seen there = SharedBench(m_policy, 4).Run({elsewhere})[0];
        ExpectEqual(both[1], there, "elsewhere");
        if (m_policy != "electrical")
        {
            // from the last rank's end: LEAVE, PROGRAM, the reconfiguration, DONE
            NS_TEST_EXPECT_MSG_GT(there.returning,
                                  MicroSeconds(SWITCHING),
                                  "circuits are taken down");
            NS_TEST_EXPECT_MSG_LT(there.returning,
                                  MicroSeconds(SWITCHING + 100),
                                  "and nothing else takes time");
        }
    }

    std::string m_policy;
};

/** Jobs that want the same servers. */
class WaitTestCase : public TestCase
{
  public:
    explicit WaitTestCase(const std::string& policy)
        : TestCase("A job waits for the servers of others, and then runs as if alone: " + policy),
          m_policy(policy)
    {
    }

  private:
    void DoRun() override
    {
        const Wanted first{"first", 2, Time(0), {}};
        const Wanted second{"second", 3, MicroSeconds(500), {}};
        const Wanted third{"third", 1, MicroSeconds(600), {3, 2, 1, 0}};
        const std::vector<Seen> all = SharedBench(m_policy, 6).Run({first, second, third});
        const Seen alone = SharedBench(m_policy, 6).Run({second})[0];
        const Time launch = MilliSeconds(1);
        NS_TEST_EXPECT_MSG_EQ(all[0].wait, PicoSeconds(1), "the instant of its arrival is over");
        NS_TEST_EXPECT_MSG_EQ(all[1].whyNot,
                              "it needs 4 servers, and 2 of 6 are free: job first has 4",
                              "why it waits");
        // admitted when the instant is over in which the servers of the first are returned
        NS_TEST_EXPECT_MSG_EQ(all[1].wait,
                              all[0].wait + launch + all[0].stay + all[0].returning -
                                  MicroSeconds(500),
                              "it waits for the end of the first");
        NS_TEST_EXPECT_MSG_EQ(all[2].whyNot, "job first has server 3", "why the third waits");
        NS_TEST_EXPECT_MSG_EQ((all[1].ends == alone.ends), true, "then it runs as if alone");
        NS_TEST_EXPECT_MSG_EQ((all[1].servers == std::vector<uint32_t>{0, 1, 2, 3}), true, "");
        NS_TEST_EXPECT_MSG_EQ(all[2].wait + MicroSeconds(600),
                              all[1].wait + MicroSeconds(500) + launch + all[1].stay +
                                  all[1].returning,
                              "the third comes last");
    }

    std::string m_policy;
};

/** The suite. */
class SharedRailsTestSuite : public TestSuite
{
  public:
    SharedRailsTestSuite()
        : TestSuite("photonic-rails-shared-rails", TestSuite::Type::UNIT)
    {
        for (const std::string policy :
             {"electrical", "on-demand", "provisioned", "static-split", "one-shot", "rotor:200us"})
        {
            AddTestCase(new ApartTestCase(policy));
            if (policy.rfind("rotor", 0) != 0)
            {
                AddTestCase(new WaitTestCase(policy));
            }
        }
    }
};

SharedRailsTestSuite g_sharedRailsTestSuite;

} // namespace
