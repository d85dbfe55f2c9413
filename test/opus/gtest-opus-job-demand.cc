/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-policy-bench.h"

#include "ns3/job-demand.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

/** Ranks with programs, on some servers and rails. */
class Job
{
  public:
    /** Makes a group. */
    std::shared_ptr<const CommunicationGroup> Group(const std::string& name,
                                                    const std::vector<uint32_t>& ranks,
                                                    uint32_t perServer = 1)
    {
        std::vector<RankId> members;
        for (const uint32_t rank : ranks)
        {
            members.emplace_back(rank);
        }
        return std::make_shared<CommunicationGroup>(GroupId(m_groups++), name, members, perServer);
    }

    /** All ranks of a group do an operation. */
    void All(const std::shared_ptr<const CommunicationGroup>& group, const RankOperation& operation)
    {
        for (const RankId rank : group->GetRanks())
        {
            Add(rank, group, operation);
        }
    }

    void All(const std::shared_ptr<const CommunicationGroup>& group,
             CollectiveKind kind,
             uint64_t bytes)
    {
        RankOperation operation;
        operation.kind = RankOperation::Kind::COLLECTIVE;
        operation.collective = kind;
        operation.bytes = bytes;
        All(group, operation);
    }

    /** A rank of a group sends to another, which receives. */
    void Send(const std::shared_ptr<const CommunicationGroup>& group,
              uint32_t from,
              uint32_t to,
              uint64_t bytes)
    {
        RankOperation operation;
        operation.kind = RankOperation::Kind::SEND;
        operation.bytes = bytes;
        operation.place = group->GetPlace(RankId(to));
        Add(RankId(from), group, operation);
        operation.kind = RankOperation::Kind::RECEIVE;
        operation.place = group->GetPlace(RankId(from));
        Add(RankId(to), group, operation);
    }

    /** A rank has an operation with a group. */
    void Add(RankId rank,
             const std::shared_ptr<const CommunicationGroup>& group,
             RankOperation operation)
    {
        RankPart& part = m_parts[rank];
        part.rank = rank;
        auto found = std::find(part.groups.begin(), part.groups.end(), group);
        operation.group = found - part.groups.begin();
        if (found == part.groups.end())
        {
            part.groups.push_back(group);
        }
        m_programs[rank].Compute(0, ToTime(1'000'000));
        m_programs[rank].Add(operation);
    }

    /** @return the demand of the job */
    JobDemand GetDemand(const Cabling& cabling)
    {
        std::vector<RankPart> parts;
        for (auto& [rank, part] : m_parts)
        {
            part.program = std::make_shared<RankProgram>(m_programs[rank]);
            parts.push_back(part);
        }
        return MakeJobDemand(JobId(0), parts, cabling);
    }

  private:
    uint32_t m_groups{0};
    std::map<RankId, RankPart> m_parts;
    std::map<RankId, RankProgram> m_programs;
};

const ParallelismDemand&
Find(const JobDemand& demand, const std::string& name)
{
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        if (parallelism.name == name)
        {
            return parallelism;
        }
    }
    throw std::runtime_error("no parallelism " + name);
}

/** Ranks in a cube of side 3, one a server, with rings in a number of its directions. */
JobDemand
MakeCube(const std::vector<std::string>& names, const Cabling& cabling)
{
    Job job;
    uint32_t step = 1;
    for (const std::string& name : names)
    {
        for (uint32_t rank = 0; rank < 27; ++rank)
        {
            if (rank / step % 3 == 0)
            {
                job.All(job.Group(name + " " + std::to_string(rank),
                                  {rank, rank + step, rank + 2 * step}),
                        CollectiveKind::ALL_REDUCE,
                        300 * step);
            }
        }
        step *= 3;
    }
    return job.GetDemand(cabling);
}

} // namespace

TEST(OpusJobDemand, CollectivesSendFromEachRankToTheNext)
{
    constexpr uint64_t B = 1200;
    // of n ranks, each sends all shares of B / n but one; twice for a sum that all have
    const std::vector<std::pair<CollectiveKind, std::vector<uint64_t>>> sent{
        {CollectiveKind::ALL_GATHER, {900, 900, 900, 900}},
        {CollectiveKind::REDUCE_SCATTER, {900, 900, 900, 900}},
        {CollectiveKind::ALL_REDUCE, {1800, 1800, 1800, 1800}},
        {CollectiveKind::BROADCAST, {B, B, B, 0}}, // from 0 to 3, which has no rank to send to
        {CollectiveKind::REDUCE, {0, B, B, B}},    // from 1 round to 0
        {CollectiveKind::BARRIER, {0, 0, 0, 0}},
    };
    const auto cabling = OpusPolicyBench::MakeCabling(4, 1, 2);
    for (const auto& [kind, bytes] : sent)
    {
        Job job;
        job.All(job.Group("dp 0", {0, 1, 2, 3}), kind, kind == CollectiveKind::BARRIER ? 0 : B);
        const JobDemand demand = job.GetDemand(*cabling);
        ASSERT_EQ(demand.parallelisms.size(), 1);
        EXPECT_EQ(demand.parallelisms[0].name, "dp");
        EXPECT_EQ(demand.parallelisms[0].bytes, *std::max_element(bytes.begin(), bytes.end()));
        EXPECT_EQ(demand.parallelisms[0].pairs,
                  NormalizePairs(MakeRingOf({RankId(0), RankId(1), RankId(2), RankId(3)})));
        for (uint32_t from = 0; from < 4; ++from)
        {
            for (uint32_t to = 0; to < 4; ++to)
            {
                EXPECT_EQ(demand.matrix.Get(from, to), to == (from + 1) % 4 ? bytes[from] : 0)
                    << ToString(kind) << " " << from << " to " << to;
            }
        }
    }
}

TEST(OpusJobDemand, AllToAllHasDataForEveryRank)
{
    const auto cabling = OpusPolicyBench::MakeCabling(4, 1, 2);
    Job job;
    job.All(job.Group("ep", {0, 1, 2, 3}), CollectiveKind::ALL_TO_ALL, 400);
    const JobDemand demand = job.GetDemand(*cabling);
    EXPECT_EQ(demand.parallelisms.at(0).bytes, 300) << "three quarters of what it has";
    EXPECT_EQ(demand.matrix.Get(0, 2), 100);
    EXPECT_EQ(demand.matrix.Get(2, 2), 0);
    EXPECT_EQ(demand.parallelisms.at(0).pairs.size(), 4) << "a ring";
    EXPECT_EQ(demand.parallelisms.at(0).rings, demand.parallelisms.at(0).pairs);

    auto matrix = std::make_shared<DemandMatrix>(3);
    matrix->Set(0, 0, 50); // stays where it is
    matrix->Set(1, 0, 7);
    matrix->Set(1, 2, 8);
    RankOperation operation;
    operation.kind = RankOperation::Kind::COLLECTIVE;
    operation.collective = CollectiveKind::ALL_TO_ALL_V;
    operation.demand = matrix;
    Job uneven;
    uneven.All(uneven.Group("ep", {3, 1, 2}), operation); // places are not ranks
    const JobDemand byMatrix = uneven.GetDemand(*cabling);
    EXPECT_EQ(byMatrix.parallelisms.at(0).bytes, 15);
    ASSERT_EQ(byMatrix.ranks, (std::vector<RankId>{RankId(1), RankId(2), RankId(3)}));
    EXPECT_EQ(byMatrix.matrix.Get(0, 2), 7) << "place 1 is rank 1, place 0 is rank 3";
    EXPECT_EQ(byMatrix.matrix.Get(0, 1), 8);
    EXPECT_EQ(byMatrix.matrix.Get(2, 2), 0);
}

TEST(OpusJobDemand, SendsJoinOnlyRanksThatExchange)
{
    const auto cabling = OpusPolicyBench::MakeCabling(4, 1, 2);
    Job job;
    const auto pipeline = job.Group("pp 0", {0, 1, 2, 3});
    for (uint32_t microbatch = 0; microbatch < 5; ++microbatch)
    {
        for (uint32_t stage = 0; stage < 3; ++stage)
        {
            job.Send(pipeline, stage, stage + 1, 100);
            job.Send(pipeline, stage + 1, stage, 30);
        }
    }
    const JobDemand demand = job.GetDemand(*cabling);
    EXPECT_EQ(Find(demand, "pp").pairs.size(), 3) << "a chain, and not a ring";
    EXPECT_TRUE(Find(demand, "pp").rings.empty());
    EXPECT_EQ(demand.matrix.Get(1, 2), 500);
    EXPECT_EQ(demand.matrix.Get(2, 1), 150);
    EXPECT_EQ(Find(demand, "pp").bytes, 650) << "a stage in the middle sends both ways";
}

TEST(OpusJobDemand, ParallelismsAreGroupsOfOneFirstWord)
{
    const auto cabling = OpusPolicyBench::MakeCabling(4, 1, 2);
    Job job;
    job.All(job.Group("dp 0", {0, 1}), CollectiveKind::ALL_REDUCE, 100);
    job.All(job.Group("dp 1", {2, 3}), CollectiveKind::ALL_REDUCE, 40);
    job.All(job.Group("cp", {0, 2}), CollectiveKind::ALL_GATHER, 10);
    const auto idle = job.Group("tp 0", {0, 3}); // no rank does anything with it
    const JobDemand demand = job.GetDemand(*cabling);
    ASSERT_EQ(demand.parallelisms.size(), 2);
    EXPECT_EQ(Find(demand, "dp").pairs.size(), 2);
    EXPECT_EQ(Find(demand, "dp").bytes, 100) << "the busiest rank's, not the sum of all";
    EXPECT_EQ(Find(demand, "cp").pairs.size(), 1);
}

TEST(OpusJobDemand, OnlyWhatGoesOverARailCounts)
{
    // 2 servers of 4 GPUs: ranks 0 to 3 and 4 to 7, on 4 rails
    const auto cabling = OpusPolicyBench::MakeCabling(2, 4, 2);
    Job inside;
    inside.All(inside.Group("tp 0", {0, 1, 2, 3}, 4), CollectiveKind::ALL_REDUCE, 800);
    const JobDemand none = inside.GetDemand(*cabling);
    EXPECT_TRUE(Find(none, "tp").pairs.empty());
    EXPECT_EQ(Find(none, "tp").bytes, 0);

    Job all;
    all.All(all.Group("dp 0", {0, 1, 2, 3, 4, 5, 6, 7}, 4), CollectiveKind::ALL_REDUCE, 800);
    const JobDemand demand = all.GetDemand(*cabling);
    // each rail sums a quarter of 800 between two ranks: half of it there, and half back
    EXPECT_EQ(Find(demand, "dp").bytes, 200);
    EXPECT_EQ(Find(demand, "dp").pairs.size(), 4) << "one on each rail";
    EXPECT_EQ(demand.matrix.Get(1, 5), 200);
    EXPECT_EQ(demand.matrix.Get(1, 2), 0);

    Job across; // a ring that leaves its rail between the servers, and inside them
    across.All(across.Group("xp 0", {0, 1, 5, 4}), CollectiveKind::ALL_GATHER, 400);
    EXPECT_EQ(Find(across.GetDemand(*cabling), "xp").pairs,
              (std::vector<JoinedRanks>{{RankId(0), RankId(4)}, {RankId(1), RankId(5)}}));
}

TEST(OpusJobDemand, ABroadcastBeginsAtTheServerOfItsRoot)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 4, 2);
    RankOperation operation;
    operation.kind = RankOperation::Kind::COLLECTIVE;
    operation.collective = CollectiveKind::BROADCAST;
    operation.bytes = 800;
    operation.place = 6;
    Job job;
    job.All(job.Group("dp 0", {0, 1, 2, 3, 4, 5, 6, 7}, 4), operation);
    const JobDemand demand = job.GetDemand(*cabling);
    for (uint32_t rail = 0; rail < 4; ++rail)
    {
        EXPECT_EQ(demand.matrix.Get(4 + rail, rail), 200);
        EXPECT_EQ(demand.matrix.Get(rail, 4 + rail), 0);
    }
}

TEST(OpusJobDemand, AProgramThatNamesAnUnknownGroupStops)
{
    auto program = std::make_shared<RankProgram>();
    program->Collective(0, 2, CollectiveKind::BARRIER, 0);
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_DEATH(MakeJobDemand(JobId(0), {{RankId(1), program, {}}}, *cabling),
                 "rank 1 names 3 groups, and it has 0");
}

TEST(OpusDemandReport, PrintsTheDegree)
{
    const auto cabling = OpusPolicyBench::MakeCabling(27, 1, 4);
    const std::string report = GetDemandReport(MakeCube({"tp", "dp", "pp"}, *cabling), *cabling);
    EXPECT_NE(report.find("degree of 6"), std::string::npos) << report;
    EXPECT_NE(report.find("4 ports: 6 > 4"), std::string::npos) << report;
    for (const char* line : {"tp                27             400         2      2\n",
                             "dp                27            1200         2      2\n",
                             "pp                27            3600         2      2\n"})
    {
        EXPECT_NE(report.find(line), std::string::npos) << report << line;
    }
    const auto more = OpusPolicyBench::MakeCabling(27, 1, 6);
    EXPECT_NE(GetDemandReport(MakeCube({"tp", "dp", "pp"}, *more), *more).find("6 ports: 6 <= 6"),
              std::string::npos);
}

TEST(OpusConstraints, ThreeRingsOnFourPortsTakeTurnsOrDoNotRun)
{
    OpusPolicyBench split("static-split", 27, 1, 4);
    const JobDemand demand = MakeCube({"dp", "pp", "cp"}, *split.cabling);
    const std::string refusal = split.policy->GetInitial(demand, split.circuits).refusal;
    EXPECT_NE(refusal.find("6 > 4"), std::string::npos) << refusal;

    for (const char* name : {"on-demand", "provisioned", "co-scheduled"})
    {
        OpusPolicyBench bench(name, 27, 1, 4);
        for (uint32_t round = 0; round < 2; ++round)
        {
            for (const ParallelismDemand& parallelism : demand.parallelisms)
            {
                const CircuitTarget target = bench.Request(parallelism.pairs);
                EXPECT_FALSE(target.changes.empty()) << "others had the ports";
                bench.Carry(target);
                for (const auto& [one, other] : parallelism.pairs)
                {
                    EXPECT_EQ(bench.Links(one.Get(), other.Get()), 2);
                }
            }
        }
    }
    // with a port for each neighbour the split runs
    OpusPolicyBench six("static-split", 27, 1, 6);
    six.Carry(six.policy->GetInitial(demand, six.circuits));
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        EXPECT_TRUE(six.Request(parallelism.pairs).IsPossible()) << parallelism.name;
    }
}

TEST(OpusConstraints, AStaticSplitOfTwoRingsHasHalfTheLinksOfOnDemand)
{
    OpusPolicyBench split("static-split", 27, 1, 4);
    const JobDemand demand = MakeCube({"dp", "pp"}, *split.cabling);
    split.Carry(split.policy->GetInitial(demand, split.circuits));
    OpusPolicyBench onDemand("on-demand", 27, 1, 4);
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        onDemand.Carry(onDemand.Request(parallelism.pairs));
        EXPECT_TRUE(split.Request(parallelism.pairs).changes.empty());
        for (uint32_t rank = 0; rank < 27; ++rank)
        {
            std::size_t ofSplit = 0;
            std::size_t ofDemand = 0;
            for (const auto& [one, other] : parallelism.pairs)
            {
                if (one == RankId(rank) || other == RankId(rank))
                {
                    ofSplit += split.Links(one.Get(), other.Get());
                    ofDemand += onDemand.Links(one.Get(), other.Get());
                }
            }
            EXPECT_EQ(ofSplit, 2) << parallelism.name << " of rank " << rank;
            EXPECT_EQ(ofDemand, 4) << parallelism.name << " of rank " << rank;
        }
    }
    for (uint32_t rank = 0; rank < 27; ++rank)
    {
        EXPECT_EQ(split.LitPorts(rank), 4) << "it is not for want of light";
    }
}
