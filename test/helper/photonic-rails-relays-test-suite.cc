/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jobs whose ranks communicate from rail to rail, over GPUs that forward: on rails of either kind
// and with every policy, and the bytes that are forwarded.

#include "ns3/boolean.h"
#include "ns3/job-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

// three servers of two GPUs: ranks 0, 2 and 4 are on rail 0
constexpr uint32_t PER_SERVER = 2;
constexpr uint64_t BYTES = 12 << 18; // divides by all numbers of ranks and channels
constexpr uint64_t REPORT = 64;      // a receiver's clear-to-send

/** @return a job of one operation of one group; other ranks do nothing @param write adds it */
JobPrograms
MakeJobOf(const std::vector<uint32_t>& ranks,
          const std::function<void(RankProgram&, uint32_t place)>& write)
{
    JobPrograms job;
    job.groups.push_back({"group 0", ranks});
    job.ranks.resize(6);
    for (uint32_t rank = 0; rank < 6; ++rank)
    {
        job.ranks[rank].program = std::make_shared<RankProgram>();
    }
    for (uint32_t place = 0; place < ranks.size(); ++place)
    {
        const auto program = std::make_shared<RankProgram>();
        write(*program, place);
        job.ranks[ranks[place]] = {program, {0}};
    }
    return job;
}

/** @return a job of one collective operation */
JobPrograms
MakeJobOf(const std::vector<uint32_t>& ranks, CollectiveKind kind, const std::string& algorithm)
{
    return MakeJobOf(ranks, [&](RankProgram& program, uint32_t) {
        program.Collective(0, 0, kind, BYTES, algorithm);
    });
}

/** Operations between rails. */
class RelaysTestCase : public TestCase
{
  public:
    explicit RelaysTestCase(const std::string& policy)
        : TestCase("Ranks of different rails communicate, policy " + policy),
          m_policy(policy)
    {
    }

  private:
    /** @param forwarded bytes, by first principles */
    void Run(const std::string& what, const JobPrograms& job, uint64_t forwarded)
    {
        JobHelper helper;
        helper.SetGpusPerServer(PER_SERVER);
        helper.SetScaleUp(true);
        helper.SetElectrical(m_policy == "electrical");
        helper.SetReconfigurationTime(MicroSeconds(100));
        helper.GetOpus().SetPolicy(m_policy);
        helper.GetCollectives().SetAttribute("Bidirectional", BooleanValue(false));
        Ptr<JobRun> run = helper.Install(job);
        Simulator::Run();
        run->Require(); // all has ended, and the audit of rails and ranks has no findings
        NS_TEST_EXPECT_MSG_EQ(run->GetAll().bytesForwarded, forwarded, what);
        run = nullptr;
        Simulator::Destroy();
    }

    void DoRun() override
    {
        UsePicoseconds();
        const JobPrograms send = MakeJobOf({1, 2}, [](RankProgram& program, uint32_t place) {
            place == 0 ? program.Send(0, 0, 1, BYTES) : program.Receive(0, 0, 0, BYTES);
        });
        Run("a send from rail 1 to rail 0, and the report of its receive", send, BYTES + REPORT);
        // each of the two sends half of the buffer twice
        Run("an all-reduce of two ranks",
            MakeJobOf({1, 4}, CollectiveKind::ALL_REDUCE, "ring"),
            2 * BYTES);
        // from 0 to 3 and from 3 to 4, both from rail to rail
        Run("a broadcast along three ranks",
            MakeJobOf({0, 3, 4}, CollectiveKind::BROADCAST, "ring"),
            2 * BYTES);
        // each rank has a sixth for the other rank of each of two other servers
        Run("an all-to-all of all ranks",
            MakeJobOf({0, 1, 2, 3, 4, 5}, CollectiveKind::ALL_TO_ALL, "direct"),
            6 * 2 * (BYTES / 6));
        Run("the same by way of the fabric, where the schedule leaves nothing to forward",
            MakeJobOf({0, 1, 2, 3, 4, 5}, CollectiveKind::ALL_TO_ALL, "hierarchical"),
            0);
    }

    std::string m_policy;
};

/** A job that needs a fabric, on servers without one. */
class NoFabricTestCase : public TestCase
{
  public:
    NoFabricTestCase()
        : TestCase("Without a fabric inside servers such a job is refused before it is built")
    {
    }

  private:
    void DoRun() override
    {
        OpusHelper opus;
        const JobPrograms job = MakeJobOf({1, 4}, CollectiveKind::ALL_REDUCE, "ring");
        const CollectiveSettings settings = CollectiveHelper().MakeSettings(2);
        for (const char* policy : {"on-demand", "electrical"})
        {
            opus.SetPolicy(policy);
            opus.SetForwarding(false);
            const std::string why = opus.FindInfeasible(job, PER_SERVER, 2, settings);
            NS_TEST_EXPECT_MSG_NE(why.find("all-reduce in group \"group 0\""),
                                  std::string::npos,
                                  why);
            NS_TEST_EXPECT_MSG_NE(why.find("rank 1 is on rail 1 and rank 4 on rail 0"),
                                  std::string::npos,
                                  why);
            opus.SetForwarding(true);
            NS_TEST_EXPECT_MSG_EQ(opus.FindInfeasible(job, PER_SERVER, 2, settings),
                                  "",
                                  "with one it can run");
        }
    }
};

/** The suite. */
class RelaysTestSuite : public TestSuite
{
  public:
    RelaysTestSuite()
        : TestSuite("photonic-rails-relays", TestSuite::Type::UNIT)
    {
        for (const char* policy : {"electrical",
                                   "on-demand",
                                   "provisioned",
                                   "co-scheduled",
                                   "one-shot",
                                   "demand",
                                   "static-split",
                                   "giant-ring",
                                   "rotor:300us"})
        {
            AddTestCase(new RelaysTestCase(policy));
        }
        AddTestCase(new NoFabricTestCase);
    }
};

RelaysTestSuite g_relaysTestSuite;

} // namespace
