/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-helper.h"
#include "ns3/job-programs.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

// What can't run of a job is found though ranks of equal work are looked at once.

using namespace ns3;

namespace
{

constexpr uint32_t RANKS = 12;
constexpr uint32_t GPUS_A_SERVER = 2;
constexpr uint32_t GROUPS = 6;

/** Random jobs. */
class JobDraw
{
  public:
    explicit JobDraw(uint32_t seed)
        : m_random(seed)
    {
    }

    /** @return a job of few programs, each of which several ranks have */
    JobPrograms Make()
    {
        JobPrograms job;
        for (uint32_t g = 0; g < GROUPS; ++g)
        {
            job.groups.push_back({"group " + std::to_string(g), MakeGroup()});
        }
        std::vector<std::shared_ptr<const RankProgram>> programs(3);
        std::generate(programs.begin(), programs.end(), [this]() { return MakeProgram(); });
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            std::vector<uint32_t> its = ListGroupsOf(job, rank);
            const bool takesPart = its.size() >= 2;
            its.resize(takesPart ? 2 : 0);
            job.ranks.push_back(
                {takesPart ? programs[Draw(0, 2)] : std::make_shared<const RankProgram>(), its});
        }
        return job;
    }

  private:
    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return std::uniform_int_distribution<uint32_t>(least, most)(m_random);
    }

    /** @return ranks of one rail, or of several */
    std::vector<uint32_t> MakeGroup()
    {
        std::vector<uint32_t> all(RANKS);
        std::iota(all.begin(), all.end(), 0);
        if (Draw(0, 3) > 0)
        {
            const uint32_t rail = Draw(0, GPUS_A_SERVER - 1);
            all.erase(
                std::remove_if(all.begin(),
                               all.end(),
                               [rail](uint32_t rank) { return rank % GPUS_A_SERVER != rail; }),
                all.end());
        }
        std::shuffle(all.begin(), all.end(), m_random);
        all.resize(Draw(3, all.size()));
        std::sort(all.begin(), all.end());
        return all;
    }

    std::vector<uint32_t> ListGroupsOf(const JobPrograms& job, uint32_t rank)
    {
        std::vector<uint32_t> its;
        for (uint32_t g = 0; g < GROUPS; ++g)
        {
            const std::vector<uint32_t>& ranks = job.groups[g].ranks;
            if (std::binary_search(ranks.begin(), ranks.end(), rank))
            {
                its.push_back(g);
            }
        }
        std::shuffle(its.begin(), its.end(), m_random);
        return its;
    }

    std::shared_ptr<const RankProgram> MakeProgram()
    {
        const auto program = std::make_shared<RankProgram>();
        const uint32_t calls = Draw(1, 3);
        for (uint32_t c = 0; c < calls; ++c)
        {
            const uint32_t group = Draw(0, 1);
            const uint64_t bytes = 1'000 * Draw(1, 2);
            switch (Draw(0, 2))
            {
            case 0:
                program->Collective(0, group, CollectiveKind::ALL_REDUCE, bytes, "ring");
                break;
            case 1:
                program->Collective(0, group, CollectiveKind::ALL_TO_ALL, bytes, "matchings");
                break;
            default:
                program->Send(0, group, Draw(0, 2), bytes); // a rank may be that place itself
            }
        }
        return program;
    }

    std::mt19937 m_random;
};

/** @return the first thing that can't run, if each call of each rank is looked at for itself */
std::string
FindOneByOne(const JobPrograms& job, const OpusHelper& opus, const CollectiveSettings& settings)
{
    JobPrograms one = job;
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        for (const RankOperation& call : job.ranks[rank].program->GetOperations())
        {
            for (JobPrograms::Rank& other : one.ranks)
            {
                other.program = std::make_shared<const RankProgram>();
            }
            const auto alone = std::make_shared<RankProgram>();
            alone->Add(call);
            one.ranks[rank].program = alone;
            const std::string why = opus.FindInfeasible(one, GPUS_A_SERVER, 2, settings);
            if (!why.empty())
            {
                return why;
            }
        }
    }
    return "";
}

} // namespace

TEST(JobFeasibility, IsThatOfEachCallOfEachRankWhateverTheyHaveInCommon)
{
    UsePicoseconds();
    const CollectiveSettings settings = CollectiveHelper().MakeSettings(2);
    uint32_t found = 0;
    uint32_t sends = 0;
    constexpr uint32_t JOBS = 1'000;
    for (uint32_t seed = 0; seed < JOBS; ++seed)
    {
        OpusHelper opus;
        opus.SetPolicy(seed % 2 == 0 ? "on-demand" : "electrical");
        opus.SetForwarding(seed % 3 == 0);
        const JobPrograms job = JobDraw(seed).Make();
        const std::string why = opus.FindInfeasible(job, GPUS_A_SERVER, 2, settings);
        ASSERT_EQ(FindOneByOne(job, opus, settings), why) << seed;
        found += why.empty() ? 0 : 1;
        sends += why.find("from rank") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(found, JOBS / 10);
    EXPECT_LT(found, JOBS * 9 / 10);
    EXPECT_GT(sends, 0U);
}
