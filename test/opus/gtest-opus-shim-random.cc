/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Shims and a controller together: random training loops, random delays.

#include "opus-shim-cluster.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Pairs = std::vector<std::pair<RankId, RankId>>;

CallPairs
Share(const Pairs& pairs)
{
    return std::make_shared<const Pairs>(pairs);
}

Pairs
RingOf(const std::vector<RankId>& ranks, bool closed = true)
{
    Pairs pairs;
    for (std::size_t i = 1; i < ranks.size(); ++i)
    {
        pairs.emplace_back(ranks[i - 1], ranks[i]);
    }
    if (closed && ranks.size() > 2)
    {
        pairs.emplace_back(ranks.back(), ranks.front());
    }
    return pairs;
}

/** A job: stages of a pipeline on as many servers, and several such pipelines. */
class TrainingLoop
{
  public:
    TrainingLoop(std::mt19937& random, ShimCluster& cluster, uint32_t rails, bool onlyPairs)
        : m_random(random),
          m_cluster(cluster),
          m_rails(rails),
          m_onlyPairs(onlyPairs)
    {
        m_stages = 1 + random() % 3;
        m_replicas = m_stages == 1 ? 2 + random() % 4 : 1 + random() % (6 / m_stages);
        m_micros = 1 + random() % 3;
        m_buckets = 1 + random() % 3;
        m_twoStages = random() % 4 == 0;
        m_worldOperations = m_stages * m_replicas > 1 ? random() % 3 : 0;
        m_dpFirst = random() % 2 == 0;
        m_dpLast = !m_dpFirst || random() % 2 == 0;
        if (m_onlyPairs)
        {
            m_replicas = 2;
        }
        MakeGroups();
    }

    uint32_t GetServers() const
    {
        return m_stages * m_replicas;
    }

    /** Some of the operations are called aside from now on: those of a place in an iteration. */
    void OverlapSome()
    {
        m_overlap = m_random();
    }

    void AddIteration()
    {
        m_place = 0;
        for (uint32_t server = 0; server < GetServers(); ++server)
        {
            for (uint32_t rail = 0; rail < m_rails; ++rail)
            {
                m_cluster.ProgramOf(R(server, rail)).push_back({true, 0, false});
            }
        }
        if (m_dpFirst)
        {
            AddDp();
            AddWorld();
        }
        AddPipeline(true);
        AddPipeline(false);
        if (!m_dpFirst)
        {
            AddWorld();
        }
        if (m_dpLast)
        {
            AddDp();
        }
    }

    /** The loop is another from now on, for an iteration or for good. */
    void Alter()
    {
        switch (m_random() % 5)
        {
        case 0:
            m_buckets = m_buckets == 1 ? 2 : m_buckets - 1;
            m_worldOperations += m_replicas == 1 ? 1 : 0;
            break;
        case 1:
            ++m_worldOperations;
            break;
        case 2:
            m_micros += m_stages > 1 ? 1 : 0;
            m_buckets += m_stages > 1 ? 0 : 1;
            break;
        case 3:
            m_dpFirst = !m_dpFirst;
            m_dpLast = !m_dpFirst || !m_dpLast;
            ++m_worldOperations;
            break;
        default:
            m_isOpen = true; // other pairs, where there are more than two
            ++m_worldOperations;
            break;
        }
    }

  private:
    RankId R(uint32_t server, uint32_t rail) const
    {
        return RankId(server * m_rails + rail);
    }

    /** @return the ranks of a stage of the pipelines on a rail */
    std::vector<RankId> ReplicasOf(uint32_t stage, uint32_t rail) const
    {
        std::vector<RankId> ranks;
        for (uint32_t replica = 0; replica < m_replicas; ++replica)
        {
            ranks.push_back(R(replica * m_stages + stage, rail));
        }
        return ranks;
    }

    std::vector<RankId> World(uint32_t rail) const
    {
        std::vector<RankId> ranks;
        for (uint32_t server = 0; server < GetServers(); ++server)
        {
            ranks.push_back(R(server, rail));
        }
        return ranks;
    }

    void MakeGroup(uint32_t id, const std::string& name, const std::vector<RankId>& ranks)
    {
        for (const RankId rank : ranks)
        {
            if (ranks.size() > 1)
            {
                m_cluster.Join(rank, CommunicationGroup(GroupId(id), name, ranks));
            }
        }
    }

    void MakeGroups()
    {
        std::vector<RankId> all;
        for (uint32_t rail = 0; rail < m_rails; ++rail)
        {
            const std::vector<RankId> world = World(rail);
            all.insert(all.end(), world.begin(), world.end());
            for (uint32_t replica = 0; replica < m_replicas; ++replica)
            {
                std::vector<RankId> ranks;
                for (uint32_t stage = 0; stage < m_stages; ++stage)
                {
                    ranks.push_back(R(replica * m_stages + stage, rail));
                }
                MakeGroup(PipelineGroup(replica, rail), "pp 0", ranks);
            }
        }
        for (uint32_t stage = 0; stage < m_stages; ++stage)
        {
            std::vector<RankId> ranks;
            for (uint32_t rail = 0; rail < m_rails; ++rail)
            {
                const std::vector<RankId> some = ReplicasOf(stage, rail);
                ranks.insert(ranks.end(), some.begin(), some.end());
            }
            MakeGroup(1 + stage, "dp 0", ranks);
        }
        MakeGroup(0, "world", all);
    }

    uint32_t PipelineGroup(uint32_t replica, uint32_t rail) const
    {
        return 100 + replica * m_rails + rail;
    }

    /** Adds an operation to the programs of its ranks. */
    void Append(ShimOperation operation, const std::vector<RankId>& ranks)
    {
        OpusPhase flowKey;
        flowKey.group = operation.request.group;
        flowKey.pointToPoint = operation.request.pointToPoint;
        flowKey.from = operation.request.from;
        flowKey.to = operation.request.to;
        operation.request.operation = m_numbers[flowKey]++;
        const std::size_t number = m_cluster.Add(operation);
        const bool isAside = (m_overlap >> m_place++ % 32 & 1) != 0;
        for (const RankId rank : ranks)
        {
            if (m_cluster.TakesPart(rank, number))
            {
                m_cluster.ProgramOf(rank).push_back({false, number, isAside});
            }
        }
    }

    /** A collective on all rails at once: all or nothing. */
    void AppendRings(uint32_t group, const std::vector<std::vector<RankId>>& rings, bool twoStages)
    {
        ShimOperation operation;
        operation.request.group = GroupId(group);
        Pairs pairs;
        Pairs others;
        std::vector<RankId> ranks;
        for (const std::vector<RankId>& ring : rings)
        {
            const Pairs some = RingOf(ring, !m_isOpen);
            pairs.insert(pairs.end(), some.begin(), some.end());
            others.emplace_back(ring[0], ring[1]);
            ranks.insert(ranks.end(), ring.begin(), ring.end());
        }
        operation.pairs.push_back(Share(pairs));
        if (twoStages)
        {
            operation.pairs.push_back(Share(others));
        }
        Append(operation, ranks);
    }

    void AddDp()
    {
        for (uint32_t stage = 0; stage < m_stages && m_replicas > 1; ++stage)
        {
            for (uint32_t bucket = 0; bucket < m_buckets; ++bucket)
            {
                std::vector<std::vector<RankId>> rings;
                for (uint32_t rail = 0; rail < m_rails; ++rail)
                {
                    rings.push_back(ReplicasOf(stage, rail));
                }
                AppendRings(1 + stage, rings, m_twoStages && bucket == 0);
            }
        }
    }

    void AddWorld()
    {
        for (uint32_t i = 0; i < m_worldOperations && !m_onlyPairs; ++i)
        {
            std::vector<std::vector<RankId>> rings;
            for (uint32_t rail = 0; rail < m_rails; ++rail)
            {
                rings.push_back(World(rail));
            }
            AppendRings(0, rings, false);
        }
    }

    /** All micro-batches go forward, or all go backward. */
    void AddPipeline(bool forward)
    {
        for (uint32_t replica = 0; replica < m_replicas; ++replica)
        {
            for (uint32_t rail = 0; rail < m_rails; ++rail)
            {
                for (uint32_t hop = 0; hop < m_micros * (m_stages - 1); ++hop)
                {
                    const uint32_t place = hop % (m_stages - 1);
                    const uint32_t from = forward ? place : m_stages - 1 - place;
                    const uint32_t to = forward ? place + 1 : m_stages - 2 - place;
                    ShimOperation operation;
                    operation.request.group = GroupId(PipelineGroup(replica, rail));
                    operation.request.pointToPoint = true;
                    operation.request.from = R(replica * m_stages + from, rail);
                    operation.request.to = R(replica * m_stages + to, rail);
                    operation.pairs = {Share({{operation.request.from, operation.request.to}})};
                    Append(operation, {operation.request.from, operation.request.to});
                }
            }
        }
    }

    std::mt19937& m_random;
    ShimCluster& m_cluster;
    uint32_t m_rails;
    bool m_onlyPairs;
    uint32_t m_stages;
    uint32_t m_replicas;
    uint32_t m_micros;
    uint32_t m_buckets;
    uint32_t m_worldOperations;
    bool m_twoStages;
    bool m_dpFirst;
    bool m_dpLast;
    bool m_isOpen{false};
    uint32_t m_overlap{0};
    uint32_t m_place{0};
    std::map<OpusPhase, uint64_t> m_numbers;
};

/** The result of shims. */
struct Totals
{
    uint64_t guesses{0};
    uint64_t rightGuesses{0};
    uint64_t covered{0};
    uint64_t coalesced{0};
    uint64_t wrong{0};
    uint64_t withdrawn{0};
    uint64_t broken{0};
    uint64_t altered{0};
};

/** How loops are run. */
struct Setting
{
    ShimMode mode{ShimMode::ON_DEMAND};
    SpeculationRule rule{SpeculationRule::GRANT};
    std::string policy{"on-demand"};
    bool alters{false};   //!< every second loop is another after some iterations
    bool overlaps{false}; //!< operations are under way side by side
};

/** @return the result of so many loops */
Totals
RunLoops(uint32_t seeds, const Setting& setting)
{
    Totals totals;
    for (uint32_t seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const uint32_t rails = 1 + random() % 2;
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(6, rails, 2));
        for (uint32_t rank = 0; rank < 6 * rails; ++rank)
        {
            cabling->Own(JobId(0), RankId(rank));
        }
        ControllerSettings settings;
        settings.speculation = setting.rule;
        settings.policy = MakePolicyFactory(setting.policy);
        settings.granularity =
            random() % 4 == 0 ? CircuitGranularity::RAIL : CircuitGranularity::GROUP;
        ShimCluster cluster(seed, cabling, settings, setting.mode);
        const bool rotates = setting.policy != "on-demand";
        TrainingLoop loop(random, cluster, rails, rotates);
        if (setting.overlaps)
        {
            loop.OverlapSome();
        }
        const uint32_t iterations = 4 + random() % 3;
        const bool isAltered = setting.alters && seed % 2 == 0;
        const uint32_t alteration = 1 + random() % (iterations - 1);
        const uint32_t restoration = random() % 2 == 0 ? alteration + 1 : iterations;
        for (uint32_t iteration = 0; iteration < iterations; ++iteration)
        {
            if (isAltered && iteration >= alteration && iteration < restoration)
            {
                loop.Alter();
            }
            loop.AddIteration();
        }
        cluster.Run(seed % 3 == 0);
        if (testing::Test::HasFatalFailure())
        {
            return totals;
        }
        cluster.ExpectAllOver();
        const uint64_t wrong = cluster.Count(&ShimCounters::wrongPredictions);
        EXPECT_TRUE(setting.overlaps || rotates || (wrong > 0) == isAltered);
        totals.guesses += cluster.Count(&ShimCounters::guesses);
        totals.rightGuesses += cluster.Count(&ShimCounters::rightGuesses);
        totals.covered += cluster.Count(&ShimCounters::covered);
        totals.coalesced += cluster.Count(&ShimCounters::coalesced);
        totals.withdrawn += cluster.Count(&ShimCounters::withdrawn);
        totals.broken += cluster.Count(&ShimCounters::brokenPromises);
        totals.wrong += wrong;
        totals.altered += isAltered ? 1 : 0;
    }
    return totals;
}

} // namespace

TEST(OpusShimRandom, OnDemandNothingIsGuessed)
{
    const Totals totals = RunLoops(60, {});
    EXPECT_EQ(totals.guesses, 0U);
    EXPECT_GT(totals.covered, 1000U);
    EXPECT_GT(totals.coalesced, 50U);
}

TEST(OpusShimRandom, OnDemandAlteredLoopsEndToo)
{
    Setting setting;
    setting.alters = true;
    EXPECT_GT(RunLoops(100, setting).broken, 0U);
}

TEST(OpusShimRandom, ProvisionedGuessesAreRight)
{
    for (const auto rule : {SpeculationRule::GRANT, SpeculationRule::PREPARE})
    {
        Setting setting;
        setting.mode = ShimMode::PROVISIONED;
        setting.rule = rule;
        const Totals totals = RunLoops(60, setting);
        // but for those of the iteration after the last
        EXPECT_GT(totals.rightGuesses, totals.guesses * 4 / 5);
        EXPECT_GT(totals.rightGuesses, 1000U);
    }
}

TEST(OpusShimRandom, ProvisionedAlteredLoopsEndToo)
{
    for (const auto rule : {SpeculationRule::GRANT, SpeculationRule::PREPARE})
    {
        Setting setting;
        setting.mode = ShimMode::PROVISIONED;
        setting.rule = rule;
        setting.alters = true;
        const Totals totals = RunLoops(400, setting);
        EXPECT_GT(totals.withdrawn, 0U) << totals.broken << " broken";
        EXPECT_GT(totals.broken, 0U);
    }
}

TEST(OpusShimRandom, OperationsSideBySideEnd)
{
    for (const auto mode : {ShimMode::ON_DEMAND, ShimMode::PROVISIONED})
    {
        Setting setting;
        setting.mode = mode;
        setting.alters = true;
        setting.overlaps = true;
        EXPECT_GT(RunLoops(100, setting).withdrawn, 0U);
    }
}

TEST(OpusShimRandom, WhatARotationTakesAwayIsRequestedAgain)
{
    UsePicoseconds();
    Setting setting;
    setting.mode = ShimMode::PROVISIONED;
    setting.policy = "rotor:300us";
    setting.alters = true;
    EXPECT_GT(RunLoops(40, setting).withdrawn, 100U);
}
