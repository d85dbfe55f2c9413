/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of groups of any ranks, several after another, on servers of several GPUs: every
// operation ends, and all bytes are accounted for, with any broker.

#include "ns3/collective-helper.h"
#include "ns3/instant-circuits.h"
#include "ns3/job-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-links.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** A job of collectives, on servers. */
struct GroupsJob
{
    uint32_t perServer{1};
    uint32_t ports{2};
    JobPrograms programs;
};

/** Draws jobs. */
class GroupsDraw
{
  public:
    explicit GroupsDraw(uint32_t number)
        : m_dice(number)
    {
    }

    GroupsJob Draw()
    {
        GroupsJob job;
        job.perServer = Pick({1, 2, 2, 3, 4});
        job.ports = Pick({2, 2, 4});
        const uint32_t ranks = job.perServer * Pick({2, 3, 4, 5});
        job.programs.ranks.resize(ranks);
        std::vector<RankProgram> programs(ranks);
        for (uint32_t group = 0; group < 3; ++group)
        {
            job.programs.groups.push_back({"g " + std::to_string(group), DrawRanks(ranks)});
        }
        for (uint32_t operation = 0; operation < 4; ++operation)
        {
            AddOperation(job.programs, programs);
        }
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            job.programs.ranks[rank].program = std::make_shared<RankProgram>(programs[rank]);
        }
        return job;
    }

  private:
    uint32_t Pick(const std::vector<uint32_t>& of)
    {
        return of[m_dice() % of.size()];
    }

    /** @return two ranks or more, in any order */
    std::vector<uint32_t> DrawRanks(uint32_t all)
    {
        std::vector<uint32_t> ranks(all);
        std::iota(ranks.begin(), ranks.end(), 0);
        for (uint32_t place = all - 1; place > 0; --place) // std::shuffle() differs by library
        {
            std::swap(ranks[place], ranks[m_dice() % (place + 1)]);
        }
        ranks.resize(2 + m_dice() % (all - 1));
        if (m_dice() % 2 == 0)
        {
            std::sort(ranks.begin(), ranks.end());
        }
        return ranks;
    }

    /** A group does a collective, on a stream of its own or on that of all. */
    void AddOperation(JobPrograms& job, std::vector<RankProgram>& programs)
    {
        const std::vector<CollectiveKind> kinds{CollectiveKind::ALL_REDUCE,
                                                CollectiveKind::ALL_GATHER,
                                                CollectiveKind::REDUCE_SCATTER,
                                                CollectiveKind::BROADCAST,
                                                CollectiveKind::REDUCE,
                                                CollectiveKind::ALL_TO_ALL};
        const uint32_t group = m_dice() % job.groups.size();
        const std::vector<uint32_t>& ranks = job.groups[group].ranks;
        RankOperation operation;
        operation.kind = RankOperation::Kind::COLLECTIVE;
        operation.stream = m_dice() % 3 == 0 ? group + 1 : 0;
        operation.collective = kinds[m_dice() % kinds.size()];
        operation.bytes = Pick({8, 424, 65536, 1'000'003});
        operation.algorithm = m_dice() % 2 == 0 ? "ring" : "";
        const bool hasRoot = operation.collective == CollectiveKind::BROADCAST ||
                             operation.collective == CollectiveKind::REDUCE;
        operation.place = hasRoot ? m_dice() % ranks.size() : 0;
        for (const uint32_t rank : ranks)
        {
            std::vector<uint32_t>& own = job.ranks[rank].groups;
            const auto known = std::find(own.begin(), own.end(), group);
            operation.group = known - own.begin();
            if (known == own.end())
            {
                own.push_back(group);
            }
            if (m_dice() % 4 == 0)
            {
                programs[rank].Compute(operation.stream, MicroSeconds(m_dice() % 200));
            }
            programs[rank].Add(operation);
        }
    }

    std::mt19937 m_dice;
};

/** Runs random jobs to their ends. */
class GroupsTestCase : public TestCase
{
  public:
    GroupsTestCase(const std::string& name, uint32_t first, uint32_t count)
        : TestCase("Groups of any ranks, " + name),
          m_first(first),
          m_count(count)
    {
    }

  private:
    /** @return the run of a job, which begins when the simulation does */
    virtual Ptr<JobRun> Install(const GroupsJob& job) const = 0;

    void DoRun() override
    {
        UsePicoseconds();
        for (uint32_t number = m_first; number < m_first + m_count; ++number)
        {
            Ptr<JobRun> run = Install(GroupsDraw(number).Draw());
            Simulator::Run();
            run->Require();
            NS_TEST_EXPECT_MSG_EQ(run->GetIterations(), 1, "job " << number);
            run = nullptr;
            Simulator::Destroy();
        }
    }

    uint32_t m_first;
    uint32_t m_count;
};

/** With a control plane, or on electrical rails. */
class PolicyTestCase : public GroupsTestCase
{
  public:
    PolicyTestCase(const std::string& policy, uint32_t first, uint32_t count)
        : GroupsTestCase("policy " + policy, first, count),
          m_policy(policy)
    {
    }

  private:
    Ptr<JobRun> Install(const GroupsJob& job) const override
    {
        JobHelper helper;
        helper.SetGpusPerServer(job.perServer);
        helper.SetScaleUp(job.perServer > 1);
        helper.SetElectrical(m_policy == "electrical");
        helper.SetPorts(job.ports, DataRate("200Gbps"));
        helper.SetReconfigurationTime(MicroSeconds(100));
        helper.GetOpus().SetPolicy(m_policy);
        return helper.Install(job.programs);
    }

    std::string m_policy;
};

/** With circuits that are reconfigured without a control plane. */
class InstantTestCase : public GroupsTestCase
{
  public:
    InstantTestCase(uint32_t first, uint32_t count)
        : GroupsTestCase("InstantCircuits", first, count)
    {
    }

  private:
    Ptr<JobRun> Install(const GroupsJob& job) const override
    {
        NodeContainer gpus(job.programs.ranks.size());
        PhotonicRailHelper photonic;
        photonic.SetPorts(job.ports, DataRate("200Gbps"));
        photonic.SetReconfigurationTime(MicroSeconds(100));
        photonic.SetSwitchAttribute("Radix", UintegerValue(gpus.GetN() * job.ports));
        const std::vector<Rail> rails = photonic.InstallRails(gpus, job.perServer);
        RdmaHelper().Install(gpus);
        CollectiveHelper collectives;
        if (job.perServer > 1)
        {
            collectives.SetScaleUp(ScaleUpHelper().Install(gpus, job.perServer));
        }
        const auto links = std::make_shared<const RailLinks>(rails, job.perServer > 1);
        collectives.SetBroker(CreateObject<InstantCircuits>(links));
        const Ptr<JobRun> run = Create<JobRun>(job.programs, job.perServer);
        run->rails = rails;
        run->Install(collectives.Install(rails));
        return run;
    }
};

/** The suite. */
class RandomGroupsTestSuite : public TestSuite
{
  public:
    RandomGroupsTestSuite()
        : TestSuite("photonic-rails-random-groups", TestSuite::Type::UNIT)
    {
        AddTestCase(new PolicyTestCase("on-demand", 1, 60));
        AddTestCase(new PolicyTestCase("provisioned", 61, 20));
        AddTestCase(new PolicyTestCase("electrical", 1, 20));
        AddTestCase(new InstantTestCase(1, 60));
    }
};

RandomGroupsTestSuite g_randomGroupsTestSuite;

} // namespace
